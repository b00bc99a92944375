/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Narrows numbers to the stream's floats. */
#ifndef PIETRA_SCENE_LIMIT_H
#define PIETRA_SCENE_LIMIT_H

#include <math.h>

#include "layout/stream.h"

/* Only overflow can turn finite input into a NaN. Like the infinity that it came from, it becomes a bound. */
static inline double limit_to(double value, double limit)
{
    return value > -limit ? (value < limit ? value : limit) : -limit;
}

/* Rounds to the nearest float, at most STREAM_LIMIT in size. -0 becomes 0, so that equal numbers have equal bits. */
static inline float limit_to_float(double value)
{
    if (fabs(value) < STREAM_LIMIT) /* nearly always: one branch where limit_to has two */
        return (float)value + 0.0f;
    return (float)limit_to(value, STREAM_LIMIT) + 0.0f;
}

/* Narrows to the sum of two floats. */
static inline void limit_to_floats(double value, float *high, float *low)
{
    *high = limit_to_float(value);
    *low = limit_to_float(limit_to(value, STREAM_LIMIT) - *high);
}

/* Narrows to a float for a box that is not above the value. */
static inline float limit_down(double value)
{
    double limited = limit_to(value, STREAM_BOX_LIMIT);
    float narrow = (float)limited;
    return (narrow > limited ? nextafterf(narrow, -INFINITY) : narrow) + 0.0f;
}

/* Narrows to a float for a box that is not below the value. */
static inline float limit_up(double value)
{
    double limited = limit_to(value, STREAM_BOX_LIMIT);
    float narrow = (float)limited;
    return (narrow < limited ? nextafterf(narrow, INFINITY) : narrow) + 0.0f;
}

#endif
