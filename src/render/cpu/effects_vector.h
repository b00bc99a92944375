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

INLINE wide_uint most_of(wide_uint a, wide_uint b)
{
    return choose(a > b, a, b);
}

INLINE wide_float choose_floats(wide_int mask, wide_float a, wide_float b)
{
    return (wide_float)choose(mask, (wide_uint)a, (wide_uint)b);
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
