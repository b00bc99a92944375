#include "svg/draw/frame_path.h"

#include <math.h>

typedef struct vector {
    double x, y;
} vector;

static vector between(path_point a, path_point b)
{
    return (vector){ b.x - a.x, b.y - a.y };
}

static double length_of(vector v)
{
    return sqrt(v.x * v.x + v.y * v.y);
}

static double dot(vector a, vector b)
{
    return a.x * b.x + a.y * b.y;
}

/* The least distance from the origin to a segment's points. */
static double distance_to(vector a, vector b)
{
    const vector way = { b.x - a.x, b.y - a.y };
    double square = dot(way, way), t = square > 0 ? -dot(a, way) / square : 0;
    t = t > 0 ? t < 1 ? t : 1 : 0;
    return length_of((vector){ a.x + way.x * t, a.y + way.y * t });
}

/* Whether a curve may turn in less than the pen's radius. The radius of curvature is |B'|^3 / |B' x B''|, of a quadratic exactly what this
 * compares; of a cubic no less than |B'|^2 / |B''|, and |B'| is no less than its control vectors along the way from end to end. */
static bool bends(const vector *legs, int degree, double half_width)
{
    if (degree == 2) {
        double least = distance_to(legs[0], legs[1]), area = fabs(legs[0].x * legs[1].y - legs[0].y * legs[1].x);
        return 2 * least * least * least <= half_width * area;
    }
    const vector way = { legs[0].x + legs[1].x + legs[2].x, legs[0].y + legs[1].y + legs[2].y };
    double length = length_of(way), least = fmin(fmin(dot(legs[0], way), dot(legs[1], way)), dot(legs[2], way)) / length;
    double first = length_of((vector){ legs[1].x - legs[0].x, legs[1].y - legs[0].y });
    double second = length_of((vector){ legs[2].x - legs[1].x, legs[2].y - legs[1].y });
    return !(least > 0 && 3 * least * least > 2 * half_width * fmax(first, second));
}

static void add_curve(frame_path *sums, const path_point *p, int degree, double half_width)
{
    vector legs[3];
    double length = 0, second = 0;
    for (int i = 0; i < degree; i++) {
        legs[i] = between(p[i], p[i + 1]);
        length += length_of(legs[i]);
    }
    for (int i = 0; i + 1 < degree; i++)
        second = fmax(second, length_of((vector){ legs[i + 1].x - legs[i].x, legs[i + 1].y - legs[i].y }));
    double root = sqrt(degree == 2 ? second / 3 : second);
    sums->curves++;
    sums->roots += root;
    sums->curve_length += length;
    if (half_width > 0 && bends(legs, degree, half_width)) {
        sums->bends++;
        sums->bend_roots += root;
    }
}

frame_path svg_frame_path(path_view path, double half_width)
{
    frame_path sums = { .box = { INFINITY, INFINITY, -INFINITY, -INFINITY } };
    path_point last = { 0, 0 }, start = { 0, 0 };
    const path_point *next = path.points;
    for (size_t i = 0; i < path.verb_count; i++) {
        size_t count = path_verb_points(path.verbs[i]);
        for (size_t k = 0; k < count; k++) {
            sums.box.x0 = fmin(sums.box.x0, next[k].x);
            sums.box.y0 = fmin(sums.box.y0, next[k].y);
            sums.box.x1 = fmax(sums.box.x1, next[k].x);
            sums.box.y1 = fmax(sums.box.y1, next[k].y);
        }
        if (path.verbs[i] == PATH_MOVE) {
            last = start = next[0];
        } else if (count < 2) {
            path_point end = count ? next[0] : start;
            double length = length_of(between(last, end));
            sums.line_length += length;
            sums.dots += !(length > 0);
            last = end;
        } else {
            const path_point p[4] = { last, next[0], next[1], next[count - 1] };
            add_curve(&sums, p, (int)count, half_width);
            last = next[count - 1];
        }
        sums.segments += path.verbs[i] != PATH_MOVE;
        next += count;
    }
    return sums;
}
