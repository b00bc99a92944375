/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "scene/build/stroke_cusps.h"

#include <math.h>

#define INTERVALS 32 /* of the parameter; two cusps in one of them are found by what lies between them */
#define HALVINGS 48
#define NARROWINGS 48
#define GOLDEN 0.6180339887498949

typedef struct bent_curve {
    const path_point *points;
    path_point legs[3], seconds[2]; /* differences of points, and of legs */
    int degree;
    double radius;
    int count;
    stroke_cusp *cusps;
} bent_curve;

static path_point bezier_at(const path_point *p, int degree, double t)
{
    path_point q[4];
    for (int i = 0; i <= degree; i++)
        q[i] = p[i];
    for (int k = degree; k > 0; k--)
        for (int i = 0; i < k; i++)
            q[i] = (path_point){q[i].x + t * (q[i + 1].x - q[i].x), q[i].y + t * (q[i + 1].y - q[i].y)};
    return q[0];
}

/* Returns a number below 0 where the curve bends in less than the radius, and above 0 where in more. */
static double openness(const bent_curve *curve, double t)
{
    const int degree = curve->degree;
    const path_point way = bezier_at(curve->legs, degree - 1, t), second = bezier_at(curve->seconds, degree - 2, t);
    const double speed = hypot(way.x, way.y), area = fabs(way.x * second.y - way.y * second.x);
    return speed * speed * speed - curve->radius * area * (degree - 1) / degree;
}

/* Adds the cusp between two parameters, of which one has a number below 0. */
static void add_between(bent_curve *curve, double below, double above)
{
    for (int i = 0; i < HALVINGS; i++) {
        const double middle = 0.5 * (below + above);
        *(openness(curve, middle) < 0 ? &below : &above) = middle;
    }
    if (curve->count < STROKE_CUSPS_MOST) {
        curve->cusps[curve->count++] = (stroke_cusp){bezier_at(curve->points, curve->degree, above),
                                                     bezier_at(curve->legs, curve->degree - 1, above)};
    }
}

/* Returns where between two parameters the number comes nearest to 0 or, with this sign, farthest beyond it. */
static double nearest_between(const bent_curve *curve, double sign, double from, double to)
{
    for (int i = 0; i < NARROWINGS; i++) {
        const double first = to - GOLDEN * (to - from), second = from + GOLDEN * (to - from);
        if (sign * openness(curve, first) < sign * openness(curve, second))
            to = second;
        else
            from = first;
    }
    return 0.5 * (from + to);
}

/* Adds the two cusps around a place where the number comes nearer to 0 than on both sides, if it passes 0 there. */
static void add_pair(bent_curve *curve, bool is_below, double from, double to)
{
    const double middle = nearest_between(curve, is_below ? -1 : 1, from, to);
    if ((openness(curve, middle) < 0) == is_below)
        return;
    add_between(curve, is_below ? from : middle, is_below ? middle : from);
    add_between(curve, is_below ? to : middle, is_below ? middle : to);
}

static bool is_tight(const path_point *p, int degree, double radius)
{
    bend_leg legs[3] = {{0, 0}};
    for (int i = 0; i < degree; i++)
        legs[i] = bend_leg_between(p[i], p[i + 1]);
    return bend_is_tight(legs, degree, bend_second(legs, degree), radius);
}

int stroke_cusps(const path_point *p, int degree, double radius, stroke_cusp cusps[STROKE_CUSPS_MOST])
{
    bent_curve curve = {.points = p, .degree = degree, .radius = radius, .cusps = cusps};
    double numbers[INTERVALS + 1];
    if (!is_tight(p, degree, radius))
        return 0;
    for (int i = 0; i < degree; i++)
        curve.legs[i] = (path_point){p[i + 1].x - p[i].x, p[i + 1].y - p[i].y};
    for (int i = 0; i + 1 < degree; i++)
        curve.seconds[i] = (path_point){curve.legs[i + 1].x - curve.legs[i].x, curve.legs[i + 1].y - curve.legs[i].y};
    for (int i = 0; i <= INTERVALS; i++)
        numbers[i] = openness(&curve, (double)i / INTERVALS);
    for (int i = 0; i <= INTERVALS; i++) {
        const int before = i > 0 ? i - 1 : 0, after = i < INTERVALS ? i + 1 : INTERVALS;
        const double from = (double)before / INTERVALS, at = (double)i / INTERVALS, to = (double)after / INTERVALS;
        const bool is_below = numbers[i] < 0;
        if ((numbers[after] < 0) != is_below)
            add_between(&curve, is_below ? at : to, is_below ? to : at);
        else if ((numbers[before] < 0) == is_below && fabs(numbers[i]) <= fabs(numbers[before]) &&
                 fabs(numbers[i]) <= fabs(numbers[after]))
            add_pair(&curve, is_below, from, to);
    }
    return curve.count;
}
