/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "base/bend.h"

#include <math.h>

#define DIRECTIONS_LEAST 8.0
#define DIRECTIONS_MOST 1024.0
#define DIRECTIONS_PER_RADIUS 49.35 /* square of their number, for each pixel of the radius */

static double larger(double a, double b)
{
    return a > b ? a : b;
}

static double dot(bend_leg a, bend_leg b)
{
    return a.x * b.x + a.y * b.y;
}

bool bend_is_beyond(const bend_point *points, int degree, pietra_box box)
{
    double x0 = points[0].x, y0 = points[0].y, x1 = x0, y1 = y0;
    for (int i = 1; i <= degree; i++) {
        x0 = fmin(x0, points[i].x);
        y0 = fmin(y0, points[i].y);
        x1 = fmax(x1, points[i].x);
        y1 = fmax(y1, points[i].y);
    }
    return x1 < box.x0 || x0 > box.x1 || y1 < box.y0 || y0 > box.y1;
}

/* De Casteljau. */
void bend_halve(const bend_point *points, int degree, bend_point halves[2][4])
{
    bend_point left[4];
    for (int i = 0; i <= degree; i++)
        left[i] = points[i];
    for (int k = 0; k <= degree; k++) {
        halves[0][k] = left[0];
        halves[1][degree - k] = left[degree - k];
        for (int i = 0; i < degree - k; i++)
            left[i] = (bend_point){0.5 * left[i].x + 0.5 * left[i + 1].x, 0.5 * left[i].y + 0.5 * left[i + 1].y};
    }
}

double bend_length(bend_leg leg)
{
    double x = fabs(leg.x), y = fabs(leg.y);
    return x > y ? x + 0.41421357 * y : y + 0.41421357 * x;
}

double bend_second(const bend_leg *legs, int degree)
{
    double second = 0;
    for (int i = 0; i + 1 < degree; i++)
        second = larger(second, bend_length((bend_leg){legs[i + 1].x - legs[i].x, legs[i + 1].y - legs[i].y}));
    return second;
}

/* Returns the least distance from the origin to a segment. */
static double distance_to(bend_leg a, bend_leg b)
{
    const bend_leg way = {b.x - a.x, b.y - a.y};
    double square = dot(way, way), t = square > 0 ? -dot(a, way) / square : 0;
    t = t > 0 ? t < 1 ? t : 1 : 0;
    return bend_length((bend_leg){a.x + way.x * t, a.y + way.y * t});
}

/* The radius of curvature is |B'|^3 / |B' x B''|. For a quadratic this function compares the least radius exactly. For
 * a cubic the radius is at least |B'|^2 / |B''|, and |B'| is at least the shortest projection of a leg onto the way
 * from end to end. */
bool bend_is_tight(const bend_leg *legs, int degree, double second, double radius)
{
    if (degree == 2) {
        double least = distance_to(legs[0], legs[1]), area = fabs(legs[0].x * legs[1].y - legs[0].y * legs[1].x);
        return 2 * least * least * least <= radius * area;
    }
    const bend_leg way = {legs[0].x + legs[1].x + legs[2].x, legs[0].y + legs[1].y + legs[2].y};
    double least = -larger(-dot(legs[0], way), larger(-dot(legs[1], way), -dot(legs[2], way)));
    return !(least > 0 && 3 * least * least > 2 * radius * second * dot(way, way));
}

double bend_directions(double radius)
{
    double count = DIRECTIONS_LEAST;
    while (count < DIRECTIONS_MOST && count * count < DIRECTIONS_PER_RADIUS * radius)
        count *= 2;
    return count;
}
