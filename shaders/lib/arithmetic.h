/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Arithmetic that gives the same bits on every device. Floats are only added, subtracted and multiplied, because Vulkan
 * promises correct rounding for no other operation. Division and square roots start from an integer seed and take
 * Newton steps. */
#ifndef PIETRA_LIB_ARITHMETIC_H
#define PIETRA_LIB_ARITHMETIC_H

#include "../layout/glue.h"

SHARED_FUNCTION int int_min(int a, int b)
{
    return a < b ? a : b;
}
SHARED_FUNCTION int int_max(int a, int b)
{
    return a > b ? a : b;
}
SHARED_FUNCTION int int_clamp(int x, int low, int high)
{
    return x < low ? low : (x > high ? high : x);
}
SHARED_FUNCTION int int_abs(int x)
{
    return x < 0 ? -x : x;
}
SHARED_FUNCTION uint uint_min(uint a, uint b)
{
    return a < b ? a : b;
}
SHARED_FUNCTION uint uint_max(uint a, uint b)
{
    return a > b ? a : b;
}
/* Returns n / d rounded to the nearest, for d > 0. */
SHARED_FUNCTION uint divide_nearest(uint n, uint d)
{
    return (n + (d >> 1)) / d;
}
SHARED_FUNCTION float float_min(float a, float b)
{
    return a < b ? a : b;
}
SHARED_FUNCTION float float_max(float a, float b)
{
    return a > b ? a : b;
}
SHARED_FUNCTION float hold(float value, float low, float high)
{
    return float_min(float_max(value, low), high);
}
SHARED_FUNCTION float float_abs(float x)
{
    return FLOAT_OF_BITS(BITS_OF_FLOAT(x) & 0x7fffffffu);
}

/* Returns 1 / x for normal x, to about one unit in the last place. Three Newton steps start from the classic seed that
 * flips the exponent. */
SHARED_FUNCTION float reciprocal(float x)
{
    uint sign = BITS_OF_FLOAT(x) & 0x80000000u;
    float magnitude = float_abs(x);
    PRECISE float y = FLOAT_OF_BITS(0x7ef311c7u - BITS_OF_FLOAT(magnitude));
    PRECISE float error = 1.0f - magnitude * y;
    y = y + y * error;
    error = 1.0f - magnitude * y;
    y = y + y * error;
    error = 1.0f - magnitude * y;
    y = y + y * error;
    return FLOAT_OF_BITS(BITS_OF_FLOAT(y) | sign);
}

/* Returns 1 / sqrt(x) for normal x > 0. */
SHARED_FUNCTION float reciprocal_sqrt(float x)
{
    PRECISE float half_x = 0.5f * x;
    PRECISE float y = FLOAT_OF_BITS(0x5f375a86u - (BITS_OF_FLOAT(x) >> 1));
    y = y * (1.5f - half_x * y * y);
    y = y * (1.5f - half_x * y * y);
    y = y * (1.5f - half_x * y * y);
    return y;
}

/* Returns 1 / sqrt(x) to one part in 500, by one Newton step. */
SHARED_FUNCTION float rough_reciprocal_sqrt(float x)
{
    PRECISE float half_x = 0.5f * x;
    PRECISE float y = FLOAT_OF_BITS(0x5f375a86u - (BITS_OF_FLOAT(x) >> 1));
    y = y * (1.5f - half_x * y * y);
    return y;
}

/* Returns sqrt(x) for x >= 0. An x below the normal range counts as 0. */
SHARED_FUNCTION float square_root(float x)
{
    if (x < 1.2e-38f) {
        return 0.0f;
    }
    PRECISE float root = x * reciprocal_sqrt(x);
    return root;
}

/* Returns the power of two 2^-e that brings |x| into [1, 2), for |x| in [2^-100, 2^100]. Beyond these ends it stays the
 * same. Scaling by it is exact, so squares of lengths neither overflow nor underflow. */
SHARED_FUNCTION float scale_to_one(float x)
{
    uint exponent = (BITS_OF_FLOAT(x) >> 23) & 0xffu;
    exponent = uint_min(uint_max(exponent, 27u), 227u);
    return FLOAT_OF_BITS((254u - exponent) << 23);
}

/* An odd polynomial that stands for the arctangent of 0 to 1, in turns: the factors of x, x^3 and so on. It is 4e-8 of
 * a turn off at most. */
#define TURN_1 0.159154324f
#define TURN_3 -0.0530262382f
#define TURN_5 0.0315251178f
#define TURN_7 -0.0210615188f
#define TURN_9 0.0126725024f
#define TURN_11 -0.00534827899f
#define TURN_13 0.00108413096f
#define TURN_BELOW_1 0.99999994f /* the greatest float below 1 */
#define TURN_NEAR 1.0e-30f       /* what is nearer to the origin has no direction */
#define TURN_FAR 1.0e30f

/* Returns the direction of a point from the origin, in turns from the x axis towards the y axis: 0 <= turn < 1. Without
 * a direction it is 0. Coordinates beyond TURN_FAR count as TURN_FAR. The error is below 1e-7 of a turn, of which
 * rounding is the larger part. */
SHARED_FUNCTION float turn_of(float x, float y)
{
    float along = float_min(float_abs(x), TURN_FAR);
    float across = float_min(float_abs(y), TURN_FAR);
    float most = float_max(along, across);
    if (most < TURN_NEAR) {
        return 0.0f;
    }
    PRECISE float scale = scale_to_one(most);
    PRECISE float scaled = most * scale;
    PRECISE float ratio = float_min(along, across) * scale * reciprocal(scaled);
    PRECISE float square = ratio * ratio;
    PRECISE float sum = TURN_13 * square + TURN_11;
    sum = sum * square + TURN_9;
    sum = sum * square + TURN_7;
    sum = sum * square + TURN_5;
    sum = sum * square + TURN_3;
    sum = sum * square + TURN_1;
    PRECISE float turn = sum * ratio;
    if (across > along) {
        turn = 0.25f - turn;
    }
    if (x < 0.0f) {
        turn = 0.5f - turn;
    }
    if (y < 0.0f) {
        turn = 1.0f - turn;
    }
    return float_min(turn, TURN_BELOW_1);
}

/* Returns the largest integer <= x. x is first clamped to +-2^30, so that the conversion is always in range. NaN never
 * gets here. */
SHARED_FUNCTION int floor_to_int(float x)
{
    float held = float_min(float_max(x, -1073741824.0f), 1073741824.0f);
    int truncated = TO_INT(held);
    return TO_FLOAT(truncated) > held ? truncated - 1 : truncated;
}

SHARED_FUNCTION int ceil_to_int(float x)
{
    return -floor_to_int(-x);
}

/* The unevaluated sum of two floats: 48 bits of precision from float operations. T. J. Dekker, "A floating-point
 * technique for extending the available precision", 1971. */
STRUCT(float_pair)
{
    float high, low;
};

SHARED_FUNCTION float_pair pair_of(float high, float low)
{
    float_pair made;
    made.high = high;
    made.low = low;
    return made;
}

SHARED_FUNCTION float_pair pair_sum(float a, float b)
{
    PRECISE float sum = a + b;
    PRECISE float b_part = sum - a;
    PRECISE float a_part = sum - b_part;
    PRECISE float low = (a - a_part) + (b - b_part);
    return pair_of(sum, low);
}

SHARED_FUNCTION float_pair pair_product(float a, float b)
{
    PRECISE float a_wide = 4097.0f * a;
    PRECISE float a_high = a_wide - (a_wide - a);
    PRECISE float a_low = a - a_high;
    PRECISE float b_wide = 4097.0f * b;
    PRECISE float b_high = b_wide - (b_wide - b);
    PRECISE float b_low = b - b_high;
    PRECISE float product = a * b;
    PRECISE float low = ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low;
    return pair_of(product, low);
}

SHARED_FUNCTION float_pair pair_add(float_pair a, float_pair b)
{
    float_pair sum = pair_sum(a.high, b.high);
    PRECISE float low = sum.low + (a.low + b.low);
    return pair_sum(sum.high, low);
}

SHARED_FUNCTION float_pair pair_scale(float_pair a, float factor)
{
    float_pair product = pair_product(a.high, factor);
    PRECISE float low = product.low + a.low * factor;
    return pair_sum(product.high, low);
}

#endif
