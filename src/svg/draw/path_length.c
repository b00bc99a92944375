/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "svg/draw/path_length.h"

#include <math.h>

#include "base/number.h"
#include "base/transform.h"
#include "svg/draw/shape.h"

typedef struct point {
    double x, y;
} point;

/* Integrates the speed along a cubic, by Gauss-Legendre quadrature with 5 points on each of 32 parts. */
static double cubic_length(point p0, point p1, point p2, point p3)
{
    static const double places[5] = {0.5, 0.23076534494715845, 0.76923465505284155, 0.04691007703066802,
                                     0.95308992296933198};
    static const double weights[5] = {0.28444444444444444, 0.23931433524968324, 0.23931433524968324,
                                      0.11846344252809454, 0.11846344252809454};
    const int parts = 32;
    double sum = 0;
    for (int i = 0; i < parts; i++)
        for (int k = 0; k < 5; k++) {
            double t = (i + places[k]) / parts, s = 1 - t;
            double dx = s * s * (p1.x - p0.x) + 2 * s * t * (p2.x - p1.x) + t * t * (p3.x - p2.x);
            double dy = s * s * (p1.y - p0.y) + 2 * s * t * (p2.y - p1.y) + t * t * (p3.y - p2.y);
            sum += 3 * hypot(dx, dy) * weights[k];
        }
    return sum / parts;
}

static double quad_length(point p0, point p1, point p2)
{
    point a = {p0.x + (p1.x - p0.x) * 2 / 3, p0.y + (p1.y - p0.y) * 2 / 3},
          b = {p2.x + (p1.x - p2.x) * 2 / 3, p2.y + (p1.y - p2.y) * 2 / 3};
    return cubic_length(p0, a, b, p2);
}

/* Maps a vector from the shape's user space to the space in which lengths are measured. */
static point map(const pietra_transform *space, double x, double y)
{
    return (point){space->a * x + space->c * y, space->b * x + space->d * y};
}

/* Returns the length of a part of an ellipse, as a sum over the lengths of tangents. u and v are conjugate half
 * diameters. */
static double ellipse_length(point u, point v, double from, double sweep)
{
    const int parts = 1024;
    double sum = 0;
    for (int i = 0; i < parts; i++) {
        double middle = from + sweep * (i + 0.5) / parts, x = cos(middle), y = sin(middle);
        sum += hypot(v.x * x - u.x * y, v.y * x - u.y * y);
    }
    return sum / parts * fabs(sweep);
}

static double full_ellipse_length(const pietra_transform *space, double rx, double ry)
{
    return ellipse_length(map(space, rx, 0), map(space, 0, ry), 0, 6.283185307179586);
}

/* Returns the length of an arc, from the angles at its centre (SVG 2, appendix B.2). `from` and `v` are in user
 * space. */
static double arc_length(const pietra_transform *space, point from, const double *v)
{
    double rx = fabs(v[0]), ry = fabs(v[1]), cosine = cos(v[2] * RADIANS_PER_DEGREE),
           sine = sin(v[2] * RADIANS_PER_DEGREE);
    double dx = (from.x - v[5]) / 2, dy = (from.y - v[6]) / 2;
    if (rx == 0 || ry == 0 || (dx == 0 && dy == 0)) {
        point half = map(space, dx, dy);
        return 2 * hypot(half.x, half.y);
    }
    double x = (cosine * dx + sine * dy) / rx, y = (cosine * dy - sine * dx) / ry, square = x * x + y * y;
    double height = square < 1 ? sqrt(1 / square - 1) : 0, scale = square > 1 ? sqrt(square) : 1;
    if ((v[3] != 0) == (v[4] != 0))
        height = -height;
    double first = atan2(y + height * x, x - height * y), last = atan2(-y + height * x, -x - height * y),
           sweep = last - first;
    const double turn = 6.283185307179586;
    if (v[4] != 0 && sweep < 0)
        sweep += turn;
    if (v[4] == 0 && sweep > 0)
        sweep -= turn;
    rx *= scale;
    ry *= scale;
    return ellipse_length(map(space, rx * cosine, rx * sine), map(space, -ry * sine, ry * cosine), first, sweep);
}

static double path_length(const svg_path *path, const pietra_transform *space)
{
    const double *n = path->numbers;
    point current = {0, 0}, start = {0, 0};
    double sum = 0;
    for (size_t i = 0; i < path->verb_count; i++) {
        uint8_t verb = path->verbs[i];
        int count = verb == PIETRA_VERB_MOVE ? 2 : verb == SVG_VERB_ARC ? 7 : 2 * verb;
        point end = count ? (point){n[count - 2], n[count - 1]} : start;
        point from = map(space, current.x, current.y), to = map(space, end.x, end.y);
        if (verb == PIETRA_VERB_LINE || verb == PIETRA_VERB_CLOSE)
            sum += hypot(to.x - from.x, to.y - from.y);
        else if (verb == PIETRA_VERB_QUAD)
            sum += quad_length(from, map(space, n[0], n[1]), to);
        else if (verb == PIETRA_VERB_CUBIC)
            sum += cubic_length(from, map(space, n[0], n[1]), map(space, n[2], n[3]), to);
        else if (verb == SVG_VERB_ARC)
            sum += arc_length(space, current, n);
        start = verb == PIETRA_VERB_MOVE ? end : start;
        current = end;
        n += count;
    }
    return sum;
}

static double rect_length(const svg_geometry *g, const pietra_transform *space)
{
    point across = map(space, 1, 0), down = map(space, 0, 1);
    return 2 * (g->width - 2 * g->rx) * hypot(across.x, across.y) +
           2 * (g->height - 2 * g->ry) * hypot(down.x, down.y) + full_ellipse_length(space, g->rx, g->ry);
}

double svg_path_length(const svg_document *document, uint32_t node, const svg_metrics *metrics,
                       const pietra_transform *space)
{
    svg_geometry g;
    point line;
    switch ((svg_name)document->nodes.items[node].element) {
    case SVG_LINE:
        svg_shape_line(document, node, metrics, &g);
        line = map(space, g.x2 - g.x, g.y2 - g.y);
        return hypot(line.x, line.y);
    case SVG_RECT:
        return svg_shape_rect(document, node, metrics, &g) ? rect_length(&g, space) : 0;
    case SVG_CIRCLE:
    case SVG_ELLIPSE:
        return svg_shape_ellipse(document, node, metrics, &g) ? full_ellipse_length(space, g.rx, g.ry) : 0;
    default:
        return document->nodes.items[node].path == SVG_NO_PATH
                   ? 0
                   : path_length(&document->paths.paths.items[document->nodes.items[node].path], space);
    }
}

double svg_path_length_scale(const svg_document *document, uint32_t node, const svg_metrics *metrics,
                             const pietra_transform *space)
{
    const svg_attribute *attribute = svg_attribute_find(document, node, SVG_PATH_LENGTH);
    if (!attribute)
        return 1;
    text value = text_trim((text){attribute->bytes, attribute->count});
    const char *at = value.bytes, *end = at + value.count;
    double length;
    if (!number_parse(&at, end, &length) || at != end || !(length >= 0) || !isfinite(length))
        return 1;
    if (length == 0)
        return INFINITY; /* SVG 2, 9.6.1 */
    double scale = svg_path_length(document, node, metrics, space) / length;
    return isfinite(scale) ? scale : 1;
}
