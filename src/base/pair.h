/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Two doubles side by side, such as the coordinates of a point, in one vector where the machine has vectors. Compilers
 * do not vectorize loops over short arrays of points. */
#ifndef PIETRA_BASE_PAIR_H
#define PIETRA_BASE_PAIR_H

#include <stdint.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

typedef double pair __attribute__((vector_size(16)));
typedef uint64_t pair_bits __attribute__((vector_size(16)));
typedef float pair_float __attribute__((vector_size(8)));

static inline pair pair_load(const double *from)
{
    pair p;
    memcpy(&p, from, sizeof p);
    return p;
}

/* Returns the lesser of each two. Equal ones give b's. Neither may be NaN. */
static inline pair pair_least(pair a, pair b)
{
#ifdef __SSE2__
    return (pair)_mm_min_pd((__m128d)a, (__m128d)b);
#else
    return (pair){a[0] < b[0] ? a[0] : b[0], a[1] < b[1] ? a[1] : b[1]};
#endif
}

/* Returns the greater of each two, under the same rules. */
static inline pair pair_most(pair a, pair b)
{
#ifdef __SSE2__
    return (pair)_mm_max_pd((__m128d)a, (__m128d)b);
#else
    return (pair){a[0] > b[0] ? a[0] : b[0], a[1] > b[1] ? a[1] : b[1]};
#endif
}

static inline pair pair_size(pair a)
{
    const pair_bits all_but_sign = {INT64_MAX, INT64_MAX};
    return (pair)((pair_bits)a & all_but_sign);
}

/* Rounds to the nearest floats. -0 becomes 0. */
static inline pair_float pair_narrow(pair a)
{
    return __builtin_convertvector(a, pair_float) + (pair_float){0.0f, 0.0f};
}

#endif
