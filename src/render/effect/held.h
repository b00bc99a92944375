/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Numbers of a document, held to what sums and products of floats can take. */
#ifndef PIETRA_RENDER_EFFECT_HELD_H
#define PIETRA_RENDER_EFFECT_HELD_H

#include <math.h>

#define NUMBER_MOST 0x1p60
#define LENGTH_MOST 0x1p27 /* texels */

/* Returns x held to +-most; NaN becomes 0. */
static inline double held(double x, double most)
{
    return isnan(x) ? 0 : x < -most ? -most : x > most ? most : x;
}

static inline float held_number(double x)
{
    return (float)held(x, NUMBER_MOST);
}

#endif
