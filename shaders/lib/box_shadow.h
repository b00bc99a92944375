/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Shadows of boxes: a rounded rectangle convolved with a Gaussian, as the mean over a pixel.
 *
 * A pixel counts as a rectangle along the axes of the shadow, which it is where a frame shows the shadow upright.
 * Where a frame turns or skews it, the rectangle has the same variance along each axis as the pixel. So what the
 * shadow is convolved with is a product, and a rectangle without corners gives a product of two differences. What a
 * rounded corner takes away of it is a square, which is a product again, and two pieces beside it, in which the arc
 * is nowhere steeper than 45 degrees to the lines that are summed by quadrature. */
#ifndef PIETRA_LIB_BOX_SHADOW_H
#define PIETRA_LIB_BOX_SHADOW_H

#include "element.h"
#include "paint.h"
#include "power.h"

/* What is convolved, along one axis: a Gaussian and a pixel. Where the Gaussian is at least as wide as the pixel,
 * another Gaussian stands for both. Lengths are those of the shadow's space. */
STRUCT(shadow_axis)
{
    bool is_sharp;       /* the Gaussian is narrower than the pixel */
    bool is_hard;        /* so narrow that the pixel alone counts */
    float sigma;         /* of the Gaussian */
    float inverse;       /* 1 / sigma */
    float half_width;    /* of the pixel */
    float inverse_width; /* of the whole pixel */
    float reach;         /* nothing counts that is farther away */
    float density_reach; /* where shadow_density is above 0 */
    float inverse_panel; /* 1 / the length that one step of the quadrature takes */
};

#define SHADOW_PIXEL_LEAST 1.0e-15f
#define SHADOW_SIGMAS 3.5f /* reach of a Gaussian: 0.0005 of it lie beyond */
#define SHADOW_PANELS 10   /* the most that a piece of a corner takes */

/* Takes the part of the map from pixels that gives one coordinate. */
SHARED_FUNCTION shadow_axis shadow_axis_of(float sigma, float by_x, float by_y)
{
    PRECISE float x = hold(by_x, -SHADOW_LIMIT, SHADOW_LIMIT);
    PRECISE float y = hold(by_y, -SHADOW_LIMIT, SHADOW_LIMIT);
    PRECISE float square = x * x + y * y;
    float width = float_max(square_root(square), SHADOW_PIXEL_LEAST);
    shadow_axis axis;
    PRECISE float half_width = 0.5f * width;
    axis.half_width = half_width;
    axis.inverse_width = reciprocal(width);
    axis.is_sharp = sigma < width;
    PRECISE float hard = 0.02f * width;
    axis.is_hard = sigma < hard;
    PRECISE float variance = sigma * sigma + width * width * (1.0f / 12.0f);
    if (axis.is_sharp) {
        PRECISE float least = 1.0e-6f * width;
        axis.sigma = float_max(sigma, least);
    } else {
        axis.sigma = square_root(variance);
    }
    axis.inverse = reciprocal(axis.sigma);
    PRECISE float reach = SHADOW_SIGMAS * axis.sigma;
    PRECISE float panel = reach;
    if (axis.is_sharp) {
        reach = reach + axis.half_width;
        PRECISE float part = (1.0f / 6.0f) * width;
        PRECISE float two_sigmas = 2.0f * axis.sigma;
        panel = float_max(part, two_sigmas);
    }
    axis.reach = reach;
    axis.density_reach = axis.is_hard ? axis.half_width : reach;
    axis.inverse_panel = reciprocal(panel);
    return axis;
}

/* Coefficients for shadow_series, from the highest power down. */
#define NORMAL_SERIES 0.0000053830f, 0.0000488906f, 0.0000380036f, 0.0032776263f, 0.0211410061f, 0.0498673470f
#define NORMAL_SUM_SERIES \
    8.62044735e-06f, 1.91541344e-05f, 0.000251373021f, 0.00331876073f, 0.0209077051f, 0.0783318986f

/* Returns the 16th power of a polynomial of degree 6, which is 1 at 0. */
SHARED_FUNCTION float shadow_series(float a, float c6, float c5, float c4, float c3, float c2, float c1)
{
    PRECISE float p = c6 * a + c5;
    p = p * a + c4;
    p = p * a + c3;
    p = p * a + c2;
    p = p * a + c1;
    p = p * a + 1.0f;
    p = p * p;
    p = p * p;
    p = p * p;
    p = p * p;
    return p;
}

/* Returns how much of a Gaussian of variance 1 lies below x, to 2e-7. C. Hastings, "Approximations for Digital
 * Computers", 1955; 26.2.19 in M. Abramowitz, I. Stegun, "Handbook of Mathematical Functions". */
SHARED_FUNCTION float normal_below(float x)
{
    float a = float_min(float_abs(x), 8.0f);
    PRECISE float p = shadow_series(a, NORMAL_SERIES);
    PRECISE float tail = 0.5f * reciprocal(p);
    PRECISE float rest = 1.0f - tail;
    return x < 0.0f ? tail : rest;
}

/* Returns the integral of normal_below up to -x, for x >= 0, in the same form and to 1e-7. */
SHARED_FUNCTION float normal_sum_below(float x)
{
    float a = float_min(x, 8.0f);
    PRECISE float p = shadow_series(a, NORMAL_SUM_SERIES);
    PRECISE float sum = 0.398942280f * reciprocal(p);
    return sum;
}

/* Returns how much of what is convolved lies below `distance`: the level of a pixel that lies so far inside a straight
 * edge. Of a sharp Gaussian that is a ramp, rounded at its two ends. */
SHARED_FUNCTION float shadow_edge(shadow_axis axis, float distance)
{
    if (!axis.is_sharp) {
        PRECISE float scaled = distance * axis.inverse;
        return normal_below(scaled);
    }
    PRECISE float from_left = distance + axis.half_width;
    PRECISE float from_right = distance - axis.half_width;
    PRECISE float right = float_abs(from_left) * axis.inverse;
    PRECISE float left = float_abs(from_right) * axis.inverse;
    PRECISE float slope = distance * axis.inverse_width + 0.5f;
    float ramp = hold(slope, 0.0f, 1.0f);
    PRECISE float factor = axis.sigma * axis.inverse_width;
    PRECISE float level = ramp + factor * (normal_sum_below(right) - normal_sum_below(left));
    return level;
}

/* Returns the density of what is convolved: the derivative of shadow_edge. */
SHARED_FUNCTION float shadow_density(shadow_axis axis, float distance)
{
    if (axis.is_hard) {
        return float_abs(distance) <= axis.half_width ? axis.inverse_width : 0.0f;
    }
    PRECISE float scaled = distance * axis.inverse;
    if (!axis.is_sharp) {
        PRECISE float exponent = -0.721347520f * scaled * scaled;
        PRECISE float density = 0.398942280f * axis.inverse * exp2_of(exponent);
        return density;
    }
    PRECISE float half_width = axis.half_width * axis.inverse;
    PRECISE float from_left = scaled + half_width;
    PRECISE float from_right = scaled - half_width;
    PRECISE float between = normal_below(from_left) - normal_below(from_right);
    PRECISE float density = between * axis.inverse_width;
    return density;
}

/* A pixel at a corner. Distances count from the two straight edges inward. */
STRUCT(shadow_corner)
{
    float u, v;
    float radius;
};

/* Returns what a line of the piece at distance y from the straight edge adds to its integral. */
SHARED_FUNCTION float shadow_line(shadow_axis along, shadow_axis across, shadow_corner corner, float edge, float y)
{
    PRECISE float up = corner.radius - y;
    PRECISE float square = up * up;
    PRECISE float rest = corner.radius * corner.radius - square;
    PRECISE float both = corner.radius + square_root(rest);
    PRECISE float arc = square * reciprocal(both);
    PRECISE float u = corner.u - arc;
    PRECISE float v = corner.v - y;
    PRECISE float level = edge - shadow_edge(along, u);
    PRECISE float part = level * shadow_density(across, v);
    return part;
}

/* Returns where a node of Gauss's quadrature lies in a panel: the two outer ones, then the two inner ones. */
SHARED_FUNCTION float shadow_node(int node)
{
    if (node < 2) {
        return node == 0 ? 0.0694318442f : 0.930568156f;
    }
    return node == 2 ? 0.330009478f : 0.669990522f;
}

#define SHADOW_SQUARE 0.292893219f /* 1 - sqrt(1/2): the side of a corner's square, in radii */

/* Returns what is missing between the straight edge at u = 0 and the arc, along the lines from where the arc has 45
 * degrees to where it ends. edge: the level of the straight edge. The quadrature has four nodes a panel, by Gauss. */
SHARED_FUNCTION float shadow_piece(shadow_axis along, shadow_axis across, shadow_corner corner, float edge)
{
    PRECISE float side = SHADOW_SQUARE * corner.radius;
    PRECISE float first = corner.v - across.density_reach;
    PRECISE float last = corner.v + across.density_reach;
    float low = float_max(side, first);
    float high = float_min(corner.radius, last);
    if (!(low < high)) {
        return 0.0f;
    }
    PRECISE float length = high - low;
    PRECISE float parts = length * across.inverse_panel;
    int panels = int_clamp(ceil_to_int(parts), 1, SHADOW_PANELS);
    PRECISE float step = length * reciprocal(TO_FLOAT(panels));
    PRECISE float sum = 0.0f;
    for (int i = 0; i < panels; i++) {
        PRECISE float from = low + step * TO_FLOAT(i);
        PRECISE float pair = 0.0f; /* two nodes that have one weight */
        for (int node = 0; node < 4; node++) {
            PRECISE float y = from + shadow_node(node) * step;
            PRECISE float value = shadow_line(along, across, corner, edge, y);
            pair = pair + value;
            if ((node & 1) != 0) {
                sum = sum + (node == 1 ? 0.173927423f : 0.326072577f) * pair;
                pair = 0.0f;
            }
        }
    }
    sum = sum * step;
    return sum;
}

/* Returns whether a corner takes something away from the pixel. */
SHARED_FUNCTION bool shadow_corner_counts(shadow_axis x, shadow_axis y, shadow_corner corner)
{
    PRECISE float least = 0.001f * (x.reach + y.reach);
    PRECISE float right = corner.radius + x.reach;
    PRECISE float bottom = corner.radius + y.reach;
    return corner.radius > least && corner.u > -x.reach && corner.u < right && corner.v > -y.reach && corner.v < bottom;
}

SHARED_FUNCTION float shadow_corner_part(shadow_axis x, shadow_axis y, shadow_corner corner)
{
    if (!shadow_corner_counts(x, y, corner)) {
        return 0.0f;
    }
    PRECISE float side = SHADOW_SQUARE * corner.radius;
    PRECISE float square = 1.0f;
    float first = 0.0f;
    float second = 0.0f;
    /* The axes are chosen in each round. NVIDIA's compiler (driver 580) crashes where rounds swap them. */
    for (int i = 0; i < 2; i++) {
        shadow_axis along = x;
        shadow_axis across = y;
        shadow_corner seen = corner;
        if (i == 1) {
            along = y;
            across = x;
            seen.u = corner.v;
            seen.v = corner.u;
        }
        PRECISE float inner = seen.u - side;
        float edge = shadow_edge(along, seen.u);
        PRECISE float drop = edge - shadow_edge(along, inner);
        square = square * drop;
        first = second;
        second = shadow_piece(along, across, seen, edge);
    }
    PRECISE float part = square + first;
    part = part + second;
    return part;
}

/* Returns the pixel's place at one of the corners: 0 is the upper left one, and they go on clockwise. */
SHARED_FUNCTION shadow_corner shadow_corner_at(stream_box_shadow shadow, int which, float u, float v)
{
    bool is_left = which == 0 || which == 3;
    PRECISE float across = is_left ? u - shadow.x0 : shadow.x1 - u;
    PRECISE float down = which < 2 ? v - shadow.y0 : shadow.y1 - v;
    shadow_corner corner;
    corner.u = across;
    corner.v = down;
    if (which < 2) {
        corner.radius = is_left ? shadow.top_left : shadow.top_right;
    } else {
        corner.radius = is_left ? shadow.bottom_left : shadow.bottom_right;
    }
    return corner;
}

/* Returns the level of the shadow at a point. */
SHARED_FUNCTION uint shadow_level(stream_box_shadow shadow, shadow_axis x, shadow_axis y, float u, float v)
{
    PRECISE float level = 1.0f;
    for (int i = 0; i < 2; i++) {
        PRECISE float before = i == 0 ? u - shadow.x0 : v - shadow.y0;
        PRECISE float after = i == 0 ? u - shadow.x1 : v - shadow.y1;
        shadow_axis axis = x;
        if (i == 1) {
            axis = y;
        }
        PRECISE float inside = shadow_edge(axis, before) - shadow_edge(axis, after);
        level = level * inside;
    }
    for (int i = 0; i < 4; i++) {
        level = level - shadow_corner_part(x, y, shadow_corner_at(shadow, i, u, v));
    }
    PRECISE float rounded = hold(level, 0.0f, 1.0f) * 255.0f + 0.5f;
    uint whole = TO_UINT(rounded);
    return shadow.is_inset != 0u ? 255u - whole : whole;
}

/* Returns the premultiplied colour of pixel (x, y). m maps pixels to the space of the shadow. */
SHARED_FUNCTION uint shadow_color(stream_box_shadow shadow, stream_paint paint, affine m, int x, int y)
{
    PRECISE float centre_x = TO_FLOAT(x) + 0.5f;
    PRECISE float centre_y = TO_FLOAT(y) + 0.5f;
    PRECISE float u = m.a * centre_x + m.c * centre_y + m.e;
    PRECISE float v = m.b * centre_x + m.d * centre_y + m.f;
    u = hold(u, -SHADOW_LIMIT, SHADOW_LIMIT);
    v = hold(v, -SHADOW_LIMIT, SHADOW_LIMIT);
    uint level =
        shadow_level(shadow, shadow_axis_of(shadow.sigma, m.a, m.c), shadow_axis_of(shadow.sigma, m.b, m.d), u, v);
    return color_scale(paint.color, level);
}

#endif
