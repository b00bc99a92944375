/* Vectors of LANES numbers of 32 bits, by the vector extensions of GCC and Clang. */
#ifndef PIETRA_CPU_KERNELS_VECTOR_H
#define PIETRA_CPU_KERNELS_VECTOR_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "layout/glue.h"

#define LANES 8
#define INLINE static inline __attribute__((always_inline))

typedef int32_t vector_int __attribute__((vector_size(4 * LANES)));
typedef uint32_t vector_uint __attribute__((vector_size(4 * LANES)));
typedef uint16_t vector_half __attribute__((vector_size(4 * LANES)));
typedef uint8_t vector_byte __attribute__((vector_size(LANES)));
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

/* The first `count` lanes. */
INLINE vector_int first_lanes(int count)
{
    return lane_numbers() < count;
}

INLINE vector_uint load_levels(const uint8_t *from)
{
    vector_byte v;
    memcpy(&v, from, sizeof v);
    return __builtin_convertvector(v, vector_uint);
}

INLINE void store_levels(uint8_t *to, vector_uint levels)
{
    vector_byte v = __builtin_convertvector(levels, vector_byte);
    memcpy(to, &v, sizeof v);
}

INLINE bool any_lane(vector_uint v)
{
    uint64_t words[LANES / 2];
    memcpy(words, &v, sizeof words);
    return (words[0] | words[1] | words[2] | words[3]) != 0;
}

INLINE vector_float select_floats(vector_int mask, vector_float a, vector_float b)
{
    return (vector_float)select_pixels(mask, (vector_uint)a, (vector_uint)b);
}

INLINE vector_float splat_float(float x)
{
    return (vector_float){0} + x;
}

#endif
