/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Powers by multiply and add. */
#ifndef PIETRA_LIB_POWER_H
#define PIETRA_LIB_POWER_H

#include "arithmetic.h"

/* Returns log2(x) for normal x > 0, to about 2e-7 of itself. With x = m 2^e, m in [sqrt(1/2), sqrt(2)) and
 * t = (m - 1) / (m + 1), it is e + 2 / ln 2 (t + t^3 / 3 + ...). Up to t^9 the error is below 2e-9. */
SHARED_FUNCTION float log2_of(float x)
{
    /* 0x3f3504f3 are the bits of sqrt(1/2). */
    uint bits = BITS_OF_FLOAT(x) - 0x3f3504f3u;
    int exponent = TO_INT(bits) >> 23;
    PRECISE float m = FLOAT_OF_BITS((bits & 0x7fffffu) + 0x3f3504f3u);
    PRECISE float above_one = m + 1.0f;
    PRECISE float t = (m - 1.0f) * reciprocal(above_one);
    PRECISE float square = t * t;
    PRECISE float series = 0.3205989f * square + 0.41219859f;
    series = series * square + 0.57707802f;
    series = series * square + 0.96179669f;
    series = series * square * t + 2.885390082f * t;
    series = series + TO_FLOAT(exponent);
    return series;
}

/* Coefficients of the series by which exp2_of takes 2^f, f in [-1/2, 1/2]. */
#define EXP2_1 0.69314718056f
#define EXP2_2 0.24022650696f
#define EXP2_3 0.05550410866f
#define EXP2_4 0.00961812911f
#define EXP2_5 0.00133335581f
#define EXP2_6 0.00015403530f

/* Returns 2^x, to about 3e-7 of itself; x is held to -100 to 60. */
SHARED_FUNCTION float exp2_of(float x)
{
    PRECISE float held = hold(x, -100.0f, 60.0f);
    PRECISE float biased = held + 0.5f;
    int whole = floor_to_int(biased);
    PRECISE float f = held - TO_FLOAT(whole);
    PRECISE float series = EXP2_6 * f + EXP2_5;
    series = series * f + EXP2_4;
    series = series * f + EXP2_3;
    series = series * f + EXP2_2;
    series = series * f + EXP2_1;
    series = series * f + 1.0f;
    series = series * FLOAT_OF_BITS(TO_UINT(whole + 127) << 23);
    return series;
}

/* Returns base^exponent for base >= 0, at most 2^60. 0^0 is 1. */
SHARED_FUNCTION float power(float base, float exponent)
{
    if (exponent == 0.0f) {
        return 1.0f;
    }
    if (base < 1.2e-38f) {
        return exponent > 0.0f ? 0.0f : 1152921504606846976.0f;
    }
    PRECISE float scaled = exponent * log2_of(base);
    return exp2_of(scaled);
}

#endif
