/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Vectors for stage 11, as wide as the machine has them. A vector of words holds WIDE_TEXELS texels, a channel of 32
 * bits in each lane; a short one holds twice as many, a channel of 16 bits in each lane. Part of effects_body.h. */

#if defined(__AVX512BW__)
#define WIDE 16
#elif defined(__AVX2__)
#define WIDE 8
#else
#define WIDE 4
#endif
#define WIDE_TEXELS (WIDE / 4)

#if defined(__SSE2__)
#include <immintrin.h>
#endif

#define INLINE static inline __attribute__((always_inline))

typedef uint32_t wide_uint __attribute__((vector_size(4 * WIDE)));
typedef int32_t wide_int __attribute__((vector_size(4 * WIDE)));
typedef float wide_float __attribute__((vector_size(4 * WIDE)));
typedef uint64_t wide_long __attribute__((vector_size(4 * WIDE)));
typedef int16_t wide_short __attribute__((vector_size(4 * WIDE)));
typedef uint16_t wide_ushort __attribute__((vector_size(4 * WIDE)));
typedef uint16_t narrow_ushort __attribute__((vector_size(2 * WIDE)));
typedef uint8_t narrow_byte __attribute__((vector_size(2 * WIDE)));

/* Lists of lanes: a number for each channel of a texel, and the same of the other texels; numbers that all texels
 * share. */
#if WIDE == 16
#define IN_TEXELS(a, b, c, d) \
    a, b, c, d, a + 4, b + 4, c + 4, d + 4, a + 8, b + 8, c + 8, d + 8, a + 12, b + 12, c + 12, d + 12
#define FOR_TEXELS(a, b, c, d) a, b, c, d, a, b, c, d, a, b, c, d, a, b, c, d
#elif WIDE == 8
#define IN_TEXELS(a, b, c, d) a, b, c, d, a + 4, b + 4, c + 4, d + 4
#define FOR_TEXELS(a, b, c, d) a, b, c, d, a, b, c, d
#else
#define IN_TEXELS(a, b, c, d) a, b, c, d
#define FOR_TEXELS(a, b, c, d) a, b, c, d
#endif

/* Loads WIDE_TEXELS texels, a word for each channel. */
INLINE wide_uint load_texels(const uint16_t *from)
{
    narrow_ushort v;
    memcpy(&v, from, sizeof v);
    return __builtin_convertvector(v, wide_uint);
}

INLINE void store_texels(uint16_t *to, wide_uint v)
{
    narrow_ushort channels = __builtin_convertvector(v, narrow_ushort);
    memcpy(to, &channels, sizeof channels);
}

INLINE wide_short load_shorts(const uint16_t *from)
{
    wide_short v;
    memcpy(&v, from, sizeof v);
    return v;
}

INLINE void store_shorts(uint16_t *to, wide_short v)
{
    memcpy(to, &v, sizeof v);
}

INLINE wide_int load_words(const uint32_t *from)
{
    wide_int v;
    memcpy(&v, from, sizeof v);
    return v;
}

INLINE void store_words(uint32_t *to, wide_uint v)
{
    memcpy(to, &v, sizeof v);
}

INLINE wide_int splat_word(uint x)
{
    return (wide_int)((wide_uint){0} + x);
}

/* Returns the sums of the products of the low and of the high halves of words, as signed numbers. */
INLINE wide_int products_of(wide_int a, wide_int b)
{
#if defined(__AVX512BW__)
    return (wide_int)_mm512_madd_epi16((__m512i)a, (__m512i)b);
#elif defined(__AVX2__)
    return (wide_int)_mm256_madd_epi16((__m256i)a, (__m256i)b);
#elif defined(__SSE2__)
    return (wide_int)_mm_madd_epi16((__m128i)a, (__m128i)b);
#else
    return ((a << 16) >> 16) * ((b << 16) >> 16) + (a >> 16) * (b >> 16);
#endif
}

/* Returns products of numbers below 2^15. */
INLINE wide_uint product_of(wide_uint a, wide_uint b)
{
    return (wide_uint)products_of((wide_int)a, (wide_int)b);
}

INLINE wide_uint choose(wide_int mask, wide_uint a, wide_uint b)
{
    return (a & (wide_uint)mask) | (b & ~(wide_uint)mask);
}

INLINE wide_uint least_of(wide_uint a, wide_uint b)
{
    return choose(a < b, a, b);
}

INLINE wide_float choose_floats(wide_int mask, wide_float a, wide_float b)
{
    return (wide_float)choose(mask, (wide_uint)a, (wide_uint)b);
}

/* Does effect_by_one (shaders/lib/effect_texel.h) for sums up to 2^31. With y = x >> 7 the quotient is y / 255, and
 * y / 255 = 257 y / 65535 = 257 y (1 + 2^-16) / 65536 without the terms that are too small to count. */
INLINE wide_uint by_one(wide_uint x)
{
    wide_uint y = (x + EFFECT_ONE / 2) >> 7;
    wide_uint scaled = y + (y << 8);
    return (scaled + (scaled >> 16) + 1) >> 16;
}

INLINE wide_uint scaled_by_one(wide_uint a, wide_uint b)
{
    return by_one(product_of(a, b));
}

/* Returns, in each lane, the alpha of its texel. */
INLINE wide_uint alphas_of(wide_uint texels)
{
    return __builtin_shufflevector(texels, texels, IN_TEXELS(3, 3, 3, 3));
}

INLINE bool any_lane(wide_uint v)
{
#if defined(__AVX512BW__)
    return _mm512_test_epi32_mask((__m512i)v, (__m512i)v) != 0;
#elif defined(__AVX2__)
    return !_mm256_testz_si256((__m256i)v, (__m256i)v);
#else
    uint64_t words[2];
    memcpy(words, &v, sizeof words);
    return (words[0] | words[1]) != 0;
#endif
}

/* Returns the quotients of n / d, for quotients below 2^15 and n below 2^31. The quotient of floats is at most one
 * off. */
INLINE wide_uint quotients_of(wide_uint n, wide_uint d)
{
    wide_float rough =
        __builtin_convertvector((wide_int)n, wide_float) / __builtin_convertvector((wide_int)d, wide_float);
    wide_int quotient = __builtin_convertvector(rough, wide_int);
    wide_int rest = (wide_int)n - (wide_int)product_of((wide_uint)quotient, d);
    return (wide_uint)(quotient + (rest < 0) - (rest >= (wide_int)d));
}
