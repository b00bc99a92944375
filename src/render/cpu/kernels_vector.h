/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Vectors of LANES numbers of 32 bits, by the vector extensions of GCC and Clang. */
#ifndef PIETRA_RENDER_CPU_KERNELS_VECTOR_H
#define PIETRA_RENDER_CPU_KERNELS_VECTOR_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "layout/glue.h"

#define LANES 8
#define INLINE static inline __attribute__((always_inline))

typedef int32_t vector_int __attribute__((vector_size(4 * LANES)));
typedef uint32_t vector_uint __attribute__((vector_size(4 * LANES)));
typedef uint16_t vector_half __attribute__((vector_size(4 * LANES)));
typedef uint8_t vector_byte __attribute__((vector_size(LANES)));
/* A vector holds half as many numbers of 64 bits. */
#define LONG_LANES (LANES / 2)
typedef uint64_t vector_long __attribute__((vector_size(4 * LANES)));
typedef int64_t vector_signed_long __attribute__((vector_size(4 * LANES)));
typedef double vector_double __attribute__((vector_size(4 * LANES)));
typedef int32_t vector_half_int __attribute__((vector_size(2 * LANES)));
typedef float vector_float __attribute__((vector_size(4 * LANES)));

INLINE vector_uint load_pixels(const uint32_t *from)
{
    vector_uint v;
    memcpy(&v, from, sizeof v);
    return v;
}

INLINE void store_pixels(uint32_t *to, vector_uint v)
{
    memcpy(to, &v, sizeof v);
}

INLINE vector_float load_floats(const float *from)
{
    vector_float v;
    memcpy(&v, from, sizeof v);
    return v;
}

INLINE void store_floats(float *to, vector_float v)
{
    memcpy(to, &v, sizeof v);
}

INLINE vector_int load_ints(const int *from)
{
    vector_int v;
    memcpy(&v, from, sizeof v);
    return v;
}

INLINE void store_ints(int *to, vector_int v)
{
    memcpy(to, &v, sizeof v);
}

INLINE vector_uint select_pixels(vector_int mask, vector_uint a, vector_uint b)
{
    return (a & (vector_uint)mask) | (b & ~(vector_uint)mask);
}

INLINE vector_uint splat(uint x)
{
    return (vector_uint){0} + x;
}

INLINE vector_int lane_numbers(void)
{
    return (vector_int){0, 1, 2, 3, 4, 5, 6, 7};
}

/* Returns the mask of the first `count` lanes. */
INLINE vector_int first_lanes(int count)
{
    return lane_numbers() < count;
}

INLINE vector_uint load_levels(const uint8_t *from)
{
#if defined(__AVX2__)
    return (vector_uint)_mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)from));
#else
    vector_byte v;
    memcpy(&v, from, sizeof v);
    return __builtin_convertvector(v, vector_uint);
#endif
}

INLINE void store_levels(uint8_t *to, vector_uint levels)
{
    vector_byte v = __builtin_convertvector(levels, vector_byte);
    memcpy(to, &v, sizeof v);
}

INLINE bool any_lane(vector_uint v)
{
#if defined(__AVX2__)
    return !_mm256_testz_si256((__m256i)v, (__m256i)v);
#else
    uint64_t words[LANES / 2];
    memcpy(words, &v, sizeof words);
    return (words[0] | words[1] | words[2] | words[3]) != 0;
#endif
}

INLINE vector_float select_floats(vector_int mask, vector_float a, vector_float b)
{
    return (vector_float)select_pixels(mask, (vector_uint)a, (vector_uint)b);
}

INLINE vector_int splat_int(int x)
{
    return (vector_int){0} + x;
}

INLINE vector_int select_ints(vector_int mask, vector_int a, vector_int b)
{
    return (a & mask) | (b & ~mask);
}

INLINE vector_int least_ints(vector_int a, vector_int b)
{
#if defined(__AVX2__)
    return (vector_int)_mm256_min_epi32((__m256i)a, (__m256i)b);
#else
    return select_ints(a < b, a, b);
#endif
}

INLINE vector_int most_ints(vector_int a, vector_int b)
{
#if defined(__AVX2__)
    return (vector_int)_mm256_max_epi32((__m256i)a, (__m256i)b);
#else
    return select_ints(a > b, a, b);
#endif
}

INLINE int sum_of_lanes(vector_int v)
{
    v += __builtin_shufflevector(v, v, 4, 5, 6, 7, 0, 1, 2, 3);
    v += __builtin_shufflevector(v, v, 2, 3, 0, 1, 6, 7, 4, 5);
    return v[0] + v[1];
}

/* Returns a bit for each lane of a mask. */
INLINE uint lane_bits(vector_int mask)
{
#if defined(__AVX2__)
    return (uint)_mm256_movemask_ps((__m256)mask);
#else
    uint bits = 0;
    for (uint i = 0; i < LANES; i++)
        bits |= (uint)mask[i] & 1u << i;
    return bits;
#endif
}

/* Returns the mask that has these bits. */
INLINE vector_int lanes_of_bits(uint bits)
{
    vector_int bit = {1, 2, 4, 8, 16, 32, 64, 128};
    return (splat_int((int)bits) & bit) != 0;
}

/* Returns a times b. b is below 2^32, and the product is below 2^64. */
INLINE vector_long product_of(vector_long a, vector_long b)
{
#if defined(__AVX512DQ__) || !defined(__AVX2__)
    return a * b;
#else
    vector_long low = (vector_long)_mm256_mul_epu32((__m256i)a, (__m256i)b);
    return low + ((vector_long)_mm256_mul_epu32((__m256i)(a >> 32), (__m256i)b) << 32);
#endif
}

INLINE vector_int clamp_ints(vector_int x, int low, int high)
{
#if defined(__AVX2__)
    __m256i held = _mm256_max_epi32((__m256i)x, _mm256_set1_epi32(low));
    return (vector_int)_mm256_min_epi32(held, _mm256_set1_epi32(high));
#else
    vector_int held = select_ints(x > low, x, splat_int(low));
    return select_ints(held < high, held, splat_int(high));
#endif
}

/* Moves all lanes up by one, and puts `first` into the lowest. */
INLINE vector_int shifted_in(vector_int v, int first)
{
    return __builtin_shufflevector(splat_int(first), v, 0, 8, 9, 10, 11, 12, 13, 14);
}

/* Returns the high words of two vectors of 64 bits. */
INLINE vector_int high_words(vector_long low, vector_long high)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return __builtin_shufflevector((vector_int)low, (vector_int)high, 1, 3, 5, 7, 9, 11, 13, 15);
#else
    return __builtin_shufflevector((vector_int)low, (vector_int)high, 0, 2, 4, 6, 8, 10, 12, 14);
#endif
}

INLINE vector_float splat_float(float x)
{
    return (vector_float){0} + x;
}

INLINE vector_float least_of(vector_float a, vector_float b)
{
    return select_floats(a < b, a, b);
}
INLINE vector_float most_of(vector_float a, vector_float b)
{
    return select_floats(a > b, a, b);
}

INLINE vector_float magnitudes_of(vector_float x)
{
    return (vector_float)((vector_uint)x & 0x7fffffffu);
}

/* Does floor_to_int in each lane. */
INLINE vector_int floors_of(vector_float x)
{
    vector_float held = least_of(most_of(x, splat_float(-1073741824.0f)), splat_float(1073741824.0f));
    vector_int truncated = __builtin_convertvector(held, vector_int);
    return truncated + (__builtin_convertvector(truncated, vector_float) > held);
}

/* Does reciprocal_sqrt of shaders/lib/arithmetic.h in each lane. */
INLINE vector_float reciprocal_roots_of(vector_float x)
{
    vector_float half_x = 0.5f * x;
    vector_float y = (vector_float)(0x5f375a86u - ((vector_uint)x >> 1));
    y = y * (1.5f - half_x * y * y);
    y = y * (1.5f - half_x * y * y);
    y = y * (1.5f - half_x * y * y);
    return y;
}

/* Does square_root of shaders/lib/arithmetic.h in each lane. */
INLINE vector_float roots_of(vector_float x)
{
    vector_float root = x * reciprocal_roots_of(x);
    return select_floats(x < 1.2e-38f, splat_float(0.0f), root);
}

#endif
