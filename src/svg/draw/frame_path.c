/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "svg/draw/frame_path.h"

#include <math.h>

#include "base/bend.h"
#include "base/pair.h"

#define HALVINGS 7      /* of a curve, to find where it bends */
#define SMALL_LINES 1.5 /* lines of a curve within a pixel, which becomes one, two or, rarely, three */

static void add_curve(frame_path *sums, const path_point *p, int degree, double half_width)
{
    bend_leg legs[3];
    double length = 0;
    for (int i = 0; i < degree; i++) {
        legs[i] = bend_leg_between(p[i], p[i + 1]);
        length += bend_length(legs[i]);
    }
    double second = bend_second(legs, degree);
    double root = sqrt(degree == 2 ? second / 3 : second);
    sums->roots += root;
    sums->curve_length += length;
    if (half_width > 0 && bend_is_tight(legs, degree, second, half_width)) {
        sums->bends++;
        sums->bend_roots += root;
    }
}

/* Returns whether a curve bends inside a box. Halves of halves are looked at, which bend only near a real bend. */
static bool bends_in(const path_point *p, int degree, double half_width, pietra_box box, int halvings)
{
    bend_leg legs[3];
    path_point halves[2][4];
    if (bend_is_beyond(p, degree, box))
        return false;
    for (int i = 0; i < degree; i++)
        legs[i] = bend_leg_between(p[i], p[i + 1]);
    if (!bend_is_tight(legs, degree, bend_second(legs, degree), half_width))
        return false;
    if (halvings == 0)
        return true;
    bend_halve(p, degree, halves);
    return bends_in(halves[0], degree, half_width, box, halvings - 1) ||
           bends_in(halves[1], degree, half_width, box, halvings - 1);
}

double svg_frame_path_bends_in(path_view path, double half_width, pietra_box box)
{
    path_point last = {0, 0}, start = {0, 0};
    const path_point *next = path.points;
    double count = 0;
    for (size_t i = 0; i < path.verb_count; i++) {
        const uint8_t verb = path.verbs[i];
        const int degree = (int)path_verb_points(verb);
        if (degree > 1) {
            const path_point p[4] = {last, next[0], next[1], degree == 3 ? next[2] : next[1]};
            count += bends_in(p, degree, half_width, box, HALVINGS) ? 1 : 0;
        }
        next += degree;
        last = degree > 0 ? next[-1] : start;
        start = verb == PATH_MOVE ? last : start;
    }
    return count;
}

frame_path svg_frame_path(path_view path, double half_width)
{
    frame_path sums = {.segments = 0};
    path_point last = {0, 0}, start = {0, 0};
    const path_point *next = path.points;
    size_t moves = 0, dots = 0, curves = 0;
    for (size_t i = 0; i < path.verb_count; i++) {
        uint8_t verb = path.verbs[i];
        if (verb == PATH_LINE || verb == PATH_CLOSE) {
            path_point end = verb == PATH_LINE ? *next++ : start;
            double length = bend_length(bend_leg_between(last, end));
            sums.line_length += length;
            dots += !(length > 0);
            last = end;
        } else if (verb == PATH_MOVE) {
            last = start = *next++;
            moves++;
        } else if (verb == PATH_QUAD) {
            const path_point p[3] = {last, next[0], next[1]};
            add_curve(&sums, p, 2, half_width);
            last = next[1];
            next += 2;
            curves++;
        } else {
            const path_point p[4] = {last, next[0], next[1], next[2]};
            add_curve(&sums, p, 3, half_width);
            last = next[2];
            next += 3;
            curves++;
        }
    }
    sums.segments = (double)(path.verb_count - moves);
    sums.curves = (double)curves;
    sums.dots = (double)dots;
    return sums;
}

frame_path svg_frame_path_small(path_view path, pietra_box box)
{
    double segments = (double)path.verb_count;
    return (frame_path){.segments = SMALL_LINES * segments,
                        .line_length = segments * ((box.x1 - box.x0) + (box.y1 - box.y0))};
}

pietra_box svg_frame_path_box(path_view path)
{
    if (path.point_count == 0)
        return (pietra_box){INFINITY, INFINITY, -INFINITY, -INFINITY};
    pair low = pair_load(&path.points[0].x), high = low;
    for (size_t i = 1; i < path.point_count; i++) {
        pair at = pair_load(&path.points[i].x);
        low = pair_least(low, at);
        high = pair_most(high, at);
    }
    return (pietra_box){low[0], low[1], high[0], high[1]};
}
