/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "font/embolden.h"

#include <math.h>

/* Letters up to the small size, in pixels, grow by the small part of the em, those from the large size on by the large
 * one. The values are Skia's. */
#define SMALL_SIZE 9.0
#define SMALL_PART (1 / 48.0)
#define LARGE_SIZE 36.0
#define LARGE_PART (1 / 64.0)
#define MOST_MITER 4.0

typedef struct vector {
    double x, y;
} vector;

double font_imitated_weight(double size)
{
    const double t = (size - SMALL_SIZE) / (LARGE_SIZE - SMALL_SIZE);
    return SMALL_PART + (LARGE_PART - SMALL_PART) * fmax(0, fmin(t, 1));
}

/* ---- Contours ---- */

/* A contour as a polygon of its points, ends of segments and control points alike. */
typedef struct contour {
    vector *points;
    size_t count;
} contour;

static vector between(vector from, vector to)
{
    return (vector){to.x - from.x, to.y - from.y};
}

static double cross(vector a, vector b)
{
    return a.x * b.y - a.y * b.x;
}

static bool are_equal(vector a, vector b)
{
    return a.x == b.x && a.y == b.y;
}

static double find_area(contour contour)
{
    double area = 0;
    for (size_t i = 0, last = contour.count - 1; i < contour.count; last = i++)
        area += cross(contour.points[last], contour.points[i]);
    return area;
}

/* Returns how a corner moves between two edges. */
static vector find_shift(vector in, vector out, double distance)
{
    const double in_length = hypot(in.x, in.y), out_length = hypot(out.x, out.y);
    const vector u = {in.x / in_length, in.y / in_length}, v = {out.x / out_length, out.y / out_length};
    const double shorter = fmin(in_length, out_length);
    /* The normals of both edges, added up, point along the line that halves the corner. */
    const vector along = {u.y + v.y, -u.x - v.x};
    const double length_squared = along.x * along.x + along.y * along.y; /* 4 cos^2 of half the turn */
    double scale = 2 * distance / fmax(length_squared, 4 / (MOST_MITER * MOST_MITER));
    const bool concave = distance * cross(u, v) < 0;
    const double moved = fabs(scale) * sqrt(length_squared);
    if (concave && moved > shorter)
        scale *= shorter / moved;
    return (vector){along.x * scale, along.y * scale};
}

/* Points that fall together move together, by the edges before and behind them. */
static void move_points(contour contour, double distance)
{
    const size_t count = contour.count;
    vector *points = contour.points;
    size_t start = 0;
    while (start < count && are_equal(points[start], points[(start + count - 1) % count]))
        start++;
    if (start == count)
        return; /* all points are one */
    vector before = points[(start + count - 1) % count];
    const vector first = points[start];
    for (size_t i = 0, run; i < count; i += run) {
        const vector at = points[(start + i) % count];
        for (run = 1; i + run < count && are_equal(points[(start + i + run) % count], at);)
            run++;
        const vector after = i + run < count ? points[(start + i + run) % count] : first;
        const vector shift = find_shift(between(before, at), between(at, after), distance);
        for (size_t k = 0; k < run; k++) {
            vector *moved = &points[(start + i + k) % count];
            moved->x += shift.x;
            moved->y += shift.y;
        }
        before = at;
    }
}

/* ---- Outlines ---- */

typedef void contour_function(void *user, contour contour);

static void walk_contours(font_outline *outline, contour_function *function, void *user)
{
    size_t at = 0, begin = 0;
    for (size_t i = 0; i <= outline->verbs.count; i++) {
        const bool ends = i == outline->verbs.count || outline->verbs.items[i] == PIETRA_VERB_MOVE;
        if (ends && at > begin) {
            function(user, (contour){(vector *)&outline->coordinates.items[begin], (at - begin) / 2});
            begin = at;
        }
        if (i == outline->verbs.count)
            return;
        const uint8_t verb = outline->verbs.items[i];
        at += 2 * (size_t)(verb == PIETRA_VERB_MOVE ? 1 : verb);
    }
}

static void add_area(void *user, contour contour)
{
    *(double *)user += find_area(contour);
}

static void move_contour(void *user, contour contour)
{
    move_points(contour, *(double *)user);
}

/* The outer contours of a glyph have more area than its holes, so the sum tells which way they turn. */
void font_embolden(font_outline *outline, double distance)
{
    double area = 0;
    walk_contours(outline, add_area, &area);
    double outwards = area < 0 ? -distance : distance;
    if (area != 0 && distance > 0)
        walk_contours(outline, move_contour, &outwards);
}
