/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Positions along a subpath, counted in periods of its pattern of dashes. They are in fixed point, so their sums do not
 * depend on the order of the additions. With 32 bits before the point and 64 after it they keep all bits of a float,
 * even if a pattern is a billion times as long as a segment. */
#ifndef PIETRA_LIB_DASH_POSITION_H
#define PIETRA_LIB_DASH_POSITION_H

#include "arithmetic.h"

/* The most periods in a segment. No document needs more. */
#define DASH_PERIODS_MAX 1073741824.0f

STRUCT(dash_position)
{
    uint periods;
    uint fraction; /* 2^-32 periods */
    uint rest;     /* 2^-64 periods */
};

SHARED_FUNCTION dash_position dash_position_of(float periods)
{
    float held = float_min(float_max(periods, 0.0f), DASH_PERIODS_MAX);
    dash_position at;
    at.periods = TO_UINT(held);
    PRECISE float fraction = (held - TO_FLOAT(at.periods)) * 4294967296.0f;
    at.fraction = TO_UINT(fraction);
    PRECISE float rest = (fraction - TO_FLOAT(at.fraction)) * 4294967296.0f;
    at.rest = TO_UINT(rest);
    return at;
}

/* Returns the sum, or the last position of all if that is less. Such sums do not depend on their order either. */
SHARED_FUNCTION dash_position dash_sum(dash_position a, dash_position b)
{
    dash_position sum;
    sum.rest = a.rest + b.rest;
    uint carry = sum.rest < a.rest ? 1u : 0u;
    sum.fraction = a.fraction + carry;
    uint overflow = sum.fraction < carry ? 1u : 0u;
    sum.fraction = sum.fraction + b.fraction;
    overflow += sum.fraction < b.fraction ? 1u : 0u;
    sum.periods = a.periods + b.periods;
    bool beyond = sum.periods < a.periods || sum.periods + overflow < sum.periods;
    sum.periods = sum.periods + overflow;
    if (beyond) {
        sum.periods = 0xffffffffu;
        sum.fraction = 0xffffffffu;
        sum.rest = 0xffffffffu;
    }
    return sum;
}

SHARED_FUNCTION bool dash_before(dash_position a, dash_position b)
{
    if (a.periods != b.periods) {
        return a.periods < b.periods;
    }
    return a.fraction < b.fraction || (a.fraction == b.fraction && a.rest < b.rest);
}

/* Returns how far floats may have moved a position: by 2^-17 of its distance from the pattern's first start, or of a
 * period. A straight segment's length has errors of 2^-22, a circle's, of ten pixels, twice as large ones. */
SHARED_FUNCTION dash_position dash_slack(dash_position at)
{
    dash_position slack;
    slack.periods = 0u;
    slack.fraction = at.periods != 0u ? 1u << 15 : at.fraction >> 17;
    slack.rest = at.periods != 0u ? 0u : at.fraction << 15 | at.rest >> 17;
    return slack;
}

/* A dash that ends within the slack of a corner ends at the corner, without its join. A dash that starts within it
 * starts in the segment after the corner. */
SHARED_FUNCTION bool dash_clearly_before(dash_position a, dash_position b)
{
    return dash_before(dash_sum(a, dash_slack(a)), b);
}

/* Returns b - a in periods, for a <= b. */
SHARED_FUNCTION float dash_distance(dash_position a, dash_position b)
{
    uint borrow = b.rest < a.rest ? 1u : 0u;
    bool borrows_again = b.fraction < a.fraction || (b.fraction == a.fraction && borrow != 0u);
    uint fraction = b.fraction - a.fraction - borrow;
    uint periods = b.periods - a.periods - (borrows_again ? 1u : 0u);
    PRECISE float rest = TO_FLOAT(b.rest - a.rest) * 2.3283064e-10f; /* 2^-32 */
    PRECISE float distance = TO_FLOAT(periods) + (TO_FLOAT(fraction) + rest) * 2.3283064e-10f;
    return distance;
}

#endif
