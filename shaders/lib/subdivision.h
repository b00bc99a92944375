/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Where a curve is cut into chords: close together where it bends, far apart where it is straight.
 *
 * A chord over a step h of t strays from its curve by h^2 / 8 times the second derivative at most (G. Wang, "The
 * subdivision method for finding the intersection between two Bezier curves or surfaces", 1984). Only the component
 * at right angles to the curve counts, since the one along the curve changes only the pace. So the density of
 * vertices that wastes none is the square root of |B' x B''| / |B'|. It is sampled in the middle of eight intervals of
 * t and is constant within an interval. Near a cusp or a turning point, where B' would vanish within the length of an
 * interval, |B''| itself is taken. Compared with equal steps by Wang's bound this takes half the chords of cubics with
 * sharp bends and two thirds of those of long arcs. */
#ifndef PIETRA_LIB_SUBDIVISION_H
#define PIETRA_LIB_SUBDIVISION_H

#include "curve.h"

#define SUBDIVISION_EVEN_WEIGHTS 0x80808080u
#define CURVE_PIECES_MAX 4096u

STRUCT(subdivision)
{
    uint pieces;
    float part; /* the share of a piece in the sum of all weights */
    /* Weights of four intervals each: a byte for each, the first in the lowest byte. */
    uint weights, later_weights;
};

SHARED_FUNCTION subdivision subdivision_even(uint pieces)
{
    subdivision made;
    made.pieces = pieces;
    made.part = 1024.0f;
    if (pieces > 1u) {
        PRECISE float part = 1024.0f * reciprocal(TO_FLOAT(pieces));
        made.part = part;
    }
    made.weights = SUBDIVISION_EVEN_WEIGHTS;
    made.later_weights = SUBDIVISION_EVEN_WEIGHTS;
    return made;
}

/* A third of the differences of the control points of a curve's derivative, taken as a cubic's, and their cross
 * products. */
STRUCT(curve_bend)
{
    float x0, y0, x1, y1, x2, y2;
    float cross01, cross02, cross12;
    float second0, second1; /* squares of the second differences */
};

SHARED_FUNCTION curve_bend bend_of_curve(curve device)
{
    curve_bend bend;
    PRECISE float x0 = device.x1 - device.x0;
    PRECISE float y0 = device.y1 - device.y0;
    PRECISE float x1 = device.x2 - device.x1;
    PRECISE float y1 = device.y2 - device.y1;
    PRECISE float x2 = device.x3 - device.x2;
    PRECISE float y2 = device.y3 - device.y2;
    if (device.order == 2u) {
        float two_thirds = 0.6666667f;
        x0 = x0 * two_thirds;
        y0 = y0 * two_thirds;
        x2 = (device.x3 - device.x1) * two_thirds;
        y2 = (device.y3 - device.y1) * two_thirds;
        x1 = (x0 + x2) * 0.5f;
        y1 = (y0 + y2) * 0.5f;
    }
    PRECISE float cross01 = x0 * y1 - y0 * x1;
    PRECISE float cross02 = x0 * y2 - y0 * x2;
    PRECISE float cross12 = x1 * y2 - y1 * x2;
    bend.x0 = x0;
    bend.y0 = y0;
    bend.x1 = x1;
    bend.y1 = y1;
    bend.x2 = x2;
    bend.y2 = y2;
    bend.cross01 = cross01;
    bend.cross02 = cross02;
    bend.cross12 = cross12;
    PRECISE float second_x = x1 - x0;
    PRECISE float second_y = y1 - y0;
    PRECISE float second0 = second_x * second_x + second_y * second_y;
    second_x = x2 - x1;
    second_y = y2 - y1;
    PRECISE float second1 = second_x * second_x + second_y * second_y;
    bend.second0 = second0;
    bend.second1 = second1;
    return bend;
}

/* Returns the square root, to one part in 500, of a number in the normal range. */
SHARED_FUNCTION float rough_square_root(float x)
{
    PRECISE float root = x * rough_reciprocal_sqrt(x);
    return root;
}

/* Returns a sixth of the square of the density in the middle of an interval. */
SHARED_FUNCTION float bend_density(curve_bend bend, float t, float least)
{
    PRECISE float s = 1.0f - t;
    PRECISE float w0 = s * s;
    PRECISE float w1 = 2.0f * s * t;
    PRECISE float w2 = t * t;
    PRECISE float x = bend.x0 * w0 + bend.x1 * w1 + bend.x2 * w2;
    PRECISE float y = bend.y0 * w0 + bend.y1 * w1 + bend.y2 * w2;
    PRECISE float pace = x * x + y * y;
    PRECISE float cross_product = bend.cross01 * w0 + bend.cross02 * (s * t) + bend.cross12 * w2;
    PRECISE float second_x = (bend.x1 - bend.x0) * s + (bend.x2 - bend.x1) * t;
    PRECISE float second_y = (bend.y1 - bend.y0) * s + (bend.y2 - bend.y1) * t;
    PRECISE float second = second_x * second_x + second_y * second_y;
    /* This tests whether |B'|^2 = 9 pace is below |B''|^2 / 64, where |B''|^2 is 36 second. */
    bool nearly_still = pace * 16.0f < second;
    PRECISE float inverse = rough_reciprocal_sqrt(nearly_still ? second : pace);
    PRECISE float density = (nearly_still ? second : float_abs(cross_product)) * inverse;
    return float_max(density, least);
}

SHARED_FUNCTION float interval_density(float before, float sampled, float after)
{
    PRECISE float half_of_most = float_max(before, after) * 0.5f;
    return float_max(sampled, half_of_most);
}

SHARED_FUNCTION uint weight_byte(float weight, float scale, uint interval)
{
    PRECISE float scaled = weight * scale;
    return (TO_UINT(scaled) + 1u) << (8u * interval);
}

/* Takes eight intervals, which are written out: loops of an invocation are bounded on some devices, and arrays cost a
 * GPU its registers. */
SHARED_FUNCTION subdivision subdivision_by_bend(curve_bend bend, float bound)
{
    PRECISE float least = rough_square_root(float_max(bend.second0, bend.second1)) * (1.0f / 1024.0f);
    float d0 = rough_square_root(bend_density(bend, 0.0625f, least));
    float d1 = rough_square_root(bend_density(bend, 0.1875f, least));
    float d2 = rough_square_root(bend_density(bend, 0.3125f, least));
    float d3 = rough_square_root(bend_density(bend, 0.4375f, least));
    float d4 = rough_square_root(bend_density(bend, 0.5625f, least));
    float d5 = rough_square_root(bend_density(bend, 0.6875f, least));
    float d6 = rough_square_root(bend_density(bend, 0.8125f, least));
    float d7 = rough_square_root(bend_density(bend, 0.9375f, least));
    /* At an inflection the density falls to nothing. What a sample misses there is taken from its neighbours. */
    float w0 = interval_density(d1, d0, d1);
    float w1 = interval_density(d0, d1, d2);
    float w2 = interval_density(d1, d2, d3);
    float w3 = interval_density(d2, d3, d4);
    float w4 = interval_density(d3, d4, d5);
    float w5 = interval_density(d4, d5, d6);
    float w6 = interval_density(d5, d6, d7);
    float w7 = interval_density(d6, d7, d6);
    PRECISE float sum = ((w0 + w1) + (w2 + w3)) + ((w4 + w5) + (w6 + w7));
    /* The factor is sqrt(6) / 8, for the sampled densities, times 1 / sqrt(8 * 0.085 px). Taking 0.085 px instead of
     * 0.1 px leaves room for what sampling misses. */
    PRECISE float wanted = sum * 0.37130889f + 0.25f; /* plus a margin for what eight intervals miss */
    uint pieces = TO_UINT(int_clamp(ceil_to_int(wanted), 2, TO_INT(CURVE_PIECES_MAX)));
    PRECISE float fewer = TO_FLOAT(pieces - 1u); /* one piece would hide a curve that turns back */
    PRECISE float fourth = fewer * fewer * fewer * fewer;
    if (fourth >= bound) {
        pieces = pieces - 1u; /* Wang's bound says that this many suffice */
    }
    float most =
        float_max(float_max(float_max(w0, w1), float_max(w2, w3)), float_max(float_max(w4, w5), float_max(w6, w7)));
    PRECISE float scale = 254.0f * reciprocal(most);
    subdivision made;
    made.pieces = pieces;
    made.weights = weight_byte(w0, scale, 0u) | weight_byte(w1, scale, 1u) | weight_byte(w2, scale, 2u) |
                   weight_byte(w3, scale, 3u);
    made.later_weights = weight_byte(w4, scale, 0u) | weight_byte(w5, scale, 1u) | weight_byte(w6, scale, 2u) |
                         weight_byte(w7, scale, 3u);
    uint pairs = (made.weights & 0xff00ffu) + (made.weights >> 8 & 0xff00ffu) + (made.later_weights & 0xff00ffu) +
                 (made.later_weights >> 8 & 0xff00ffu);
    PRECISE float part = TO_FLOAT((pairs & 0xffffu) + (pairs >> 16)) * reciprocal(TO_FLOAT(pieces));
    made.part = part;
    return made;
}

/* The includer may define a faster version. */
#ifndef SUBDIVISION_BY_BEND
#define SUBDIVISION_BY_BEND(bend, bound) subdivision_by_bend(bend, bound)
#endif

/* Returns the subdivision of a curve given in pixels. No chord strays from it by much more than 0.1 pixel. */
SHARED_FUNCTION subdivision subdivision_of(curve device)
{
    if (device.order == 1u) {
        return subdivision_even(1u);
    }
    curve_bend bend = bend_of_curve(device);
    PRECISE float second = float_max(bend.second0, bend.second1);
    PRECISE float bound = 56.25f * second; /* the fourth power of the pieces that equal steps would take */
    if (bound <= 1.0f) {
        return subdivision_even(1u);
    }
    if (bound <= 16.0f) {
        return subdivision_even(2u);
    }
    float longest =
        float_max(float_max(float_abs(bend.x0), float_abs(bend.y0)), float_max(float_abs(bend.x1), float_abs(bend.y1)));
    longest = float_max(longest, float_max(float_abs(bend.x2), float_abs(bend.y2)));
    if (!(longest < 1.0e9f) || !(bound < 2.8e14f)) {
        return subdivision_even(CURVE_PIECES_MAX);
    }
    return SUBDIVISION_BY_BEND(bend, bound);
}

/* Returns t of vertex i, 0 < i < pieces. Bisection finds its interval: of eight, of four, of two. All sums of weights
 * are whole numbers that a float holds. */
SHARED_FUNCTION float subdivision_at(subdivision cut, uint i)
{
    PRECISE float place = TO_FLOAT(i) * cut.part;
    uint pairs = (cut.weights & 0xff00ffu) + (cut.weights >> 8 & 0xff00ffu);
    uint sum = (pairs & 0xffffu) + (pairs >> 16);
    bool later = place >= TO_FLOAT(sum);
    uint weights = later ? cut.later_weights : cut.weights;
    uint start = later ? sum : 0u; /* the sum of the weights before the interval */
    uint interval = later ? 4u : 0u;
    sum = start + (weights & 0xffu) + (weights >> 8 & 0xffu);
    later = place >= TO_FLOAT(sum);
    weights = later ? weights >> 16 : weights;
    start = later ? sum : start;
    interval += later ? 2u : 0u;
    sum = start + (weights & 0xffu);
    later = place >= TO_FLOAT(sum);
    weights = later ? weights >> 8 : weights;
    start = later ? sum : start;
    interval += later ? 1u : 0u;
    PRECISE float t = (TO_FLOAT(interval) + (place - TO_FLOAT(start)) * reciprocal(TO_FLOAT(weights & 0xffu))) * 0.125f;
    return float_min(t, 1.0f);
}

#endif
