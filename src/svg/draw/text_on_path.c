/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Text on paths (SVG 2, 11.8). A path is cut into short pieces, whose lengths add up. Directions are those of the curve
 * at the ends of pieces and, between them, in between. Only where its segments begin is kept of all of the path: the
 * pieces of a segment are cut again for each character on it. */
#include <math.h>
#include <stdlib.h>

#include "base/transform.h"
#include "scene/build/path.h"
#include "svg/draw/path_length.h"
#include "svg/draw/shape.h"
#include "svg/draw/text_layout.h"

#define MOST_PIECES 64 /* pieces of a curve */
#define ERROR 0.01     /* between a curve and its pieces, in units of the em */

typedef struct vector {
    double x, y;
} vector;

/* A line or a curve. One without a length is none. */
typedef struct path_segment {
    double begin;        /* along the path */
    size_t point, start; /* the first point behind its beginning, and that of its subpath */
    uint8_t verb;
} path_segment;

/* The points of a segment, those of a quadratic curve as of a cubic one. */
typedef struct path_curve {
    vector p[4];
    bool is_line; /* from p[0] to p[3] */
    int count;    /* pieces that it is cut into, also those without a length */
} path_curve;

typedef struct path_piece {
    double begin, length; /* along the path */
    vector from, to;
    int number; /* in its curve */
} path_piece;

typedef struct text_path {
    path_view view;
    pietra_transform transform;
    bool backward;
    ARRAY(path_segment) segments; /* in the direction of the text */
    double length;
    vector first, last; /* its ends; NAN: it has no point */
    double font_size;
    /* The segment that was cut last, and its pieces. */
    path_curve curve;
    path_piece pieces[MOST_PIECES];
    int piece_count;
} text_path;

/* ---- Pieces ---- */

static vector unit(vector v, vector otherwise)
{
    const double length = hypot(v.x, v.y);
    return length > 0 && isfinite(length) ? (vector){v.x / length, v.y / length} : otherwise;
}

static vector between(vector a, vector b, double t)
{
    return (vector){a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t};
}

static vector cubic_at(const vector *p, double t)
{
    const double s = 1 - t, a = s * s * s, b = 3 * s * s * t, c = 3 * s * t * t, d = t * t * t;
    return (vector){a * p[0].x + b * p[1].x + c * p[2].x + d * p[3].x,
                    a * p[0].y + b * p[1].y + c * p[2].y + d * p[3].y};
}

/* Gives the direction of a curve at the beginning of a piece, or at its end, which is that of the last piece's end. */
static vector curve_direction(const path_curve *curve, int number)
{
    const vector *p = curve->p;
    if (curve->is_line)
        return (vector){p[3].x - p[0].x, p[3].y - p[0].y};
    const double t = (double)number / curve->count, s = 1 - t, a = s * s, b = 2 * s * t, c = t * t;
    return (vector){a * (p[1].x - p[0].x) + b * (p[2].x - p[1].x) + c * (p[3].x - p[2].x),
                    a * (p[1].y - p[0].y) + b * (p[2].y - p[1].y) + c * (p[3].y - p[2].y)};
}

static vector point_of(const text_path *path, size_t index)
{
    vector point = {path->view.points[index].x, path->view.points[index].y};
    transform_point(path->transform, &point.x, &point.y);
    return point;
}

/* The error of a curve's pieces is at most its second difference over eight times the square of their number. */
static int count_pieces(const vector *p, double em)
{
    const double first = hypot(p[0].x - 2 * p[1].x + p[2].x, p[0].y - 2 * p[1].y + p[2].y),
                 second = hypot(p[1].x - 2 * p[2].x + p[3].x, p[1].y - 2 * p[2].y + p[3].y);
    const double wanted = ceil(sqrt(6 * fmax(first, second) / (8 * ERROR * em)));
    return wanted > MOST_PIECES ? MOST_PIECES : wanted >= 1 ? (int)wanted : 1;
}

static path_curve read_curve(const text_path *path, const path_segment *segment)
{
    path_curve curve = {.p = {point_of(path, segment->point - 1)}, .count = 1};
    vector *p = curve.p;
    if (segment->verb == PIETRA_VERB_QUAD) {
        const vector middle = point_of(path, segment->point);
        p[3] = point_of(path, segment->point + 1);
        p[1] = between(p[0], middle, 2 / 3.0);
        p[2] = between(p[3], middle, 2 / 3.0);
    } else if (segment->verb == PIETRA_VERB_CUBIC) {
        for (size_t i = 0; i < 3; i++)
            p[i + 1] = point_of(path, segment->point + i);
    } else {
        p[3] = point_of(path, segment->verb == PIETRA_VERB_LINE ? segment->point : segment->start);
        curve.is_line = true;
    }
    if (!curve.is_line)
        curve.count = count_pieces(p, fmax(path->font_size, 1e-6));
    return curve;
}

/* Cuts a segment into pieces, and returns where the last one ends. */
static double cut(text_path *path, const path_segment *segment)
{
    path->curve = read_curve(path, segment);
    const path_curve *curve = &path->curve;
    double end = segment->begin;
    path->piece_count = 0;
    for (int i = 0; i < curve->count; i++) {
        const int number = path->backward ? curve->count - 1 - i : i;
        const vector from = number == 0 ? curve->p[0] : cubic_at(curve->p, (double)number / curve->count),
                     to = number + 1 == curve->count ? curve->p[3]
                                                     : cubic_at(curve->p, (double)(number + 1) / curve->count);
        const double length = hypot(to.x - from.x, to.y - from.y);
        if (!(length > 0) || !isfinite(length))
            continue;
        path->pieces[path->piece_count++] = (path_piece){end, length, from, to, number};
        end += length;
    }
    return end;
}

/* ---- Paths ---- */

/* False: out of memory. */
static bool measure(text_path *path)
{
    size_t point = 0, start = 0;
    if (!array_reserve(&path->segments, path->view.verb_count))
        return false;
    for (size_t i = 0; i < path->view.verb_count; i++) {
        const uint8_t verb = path->view.verbs[i];
        start = verb == PIETRA_VERB_MOVE ? point : start;
        const path_segment segment = {path->length, point, start, verb};
        path->length = verb == PIETRA_VERB_MOVE ? path->length : cut(path, &segment);
        if (verb != PIETRA_VERB_MOVE && path->piece_count > 0)
            *array_push(&path->segments) = segment;
        point += path_verb_points(verb);
        path->last = point_of(path, verb == PIETRA_VERB_CLOSE ? start : point - 1);
        path->first = i == 0 ? path->last : path->first;
    }
    return true;
}

static void reverse(text_path *path)
{
    double begin = 0;
    const vector first = path->first;
    path->first = path->last;
    path->last = first;
    path->backward = true;
    for (size_t i = 0, j = path->segments.count; i < j; i++) {
        j--;
        const path_segment segment = path->segments.items[i];
        path->segments.items[i] = path->segments.items[j];
        path->segments.items[j] = segment;
    }
    for (size_t i = 0; i < path->segments.count; i++) {
        path->segments.items[i].begin = begin;
        begin = cut(path, &path->segments.items[i]);
    }
}

/* Gives the point on a piece at a part of its length, and the direction there. */
static vector point_on(const text_path *path, const path_piece *piece, double t, vector *direction)
{
    const vector straight = unit((vector){piece->to.x - piece->from.x, piece->to.y - piece->from.y}, (vector){1, 0});
    vector leaving = unit(curve_direction(&path->curve, piece->number), straight),
           arriving = unit(curve_direction(&path->curve, piece->number + 1), straight);
    if (path->backward) {
        const vector before = leaving;
        leaving = (vector){-arriving.x, -arriving.y};
        arriving = (vector){-before.x, -before.y};
    }
    *direction = unit(between(leaving, arriving, fmax(0, fmin(t, 1))), leaving);
    return path->backward ? between(piece->to, piece->from, t) : between(piece->from, piece->to, t);
}

/* Gives the point at a distance from the beginning, and the direction there. Beyond the ends the path goes on. */
static vector find_point(text_path *path, double distance, vector *direction)
{
    size_t low = 0, high = path->segments.count - 1;
    int at = 0;
    while (low < high) {
        const size_t middle = (low + high + 1) / 2;
        if (path->segments.items[middle].begin <= distance)
            low = middle;
        else
            high = middle - 1;
    }
    cut(path, &path->segments.items[low]);
    while (at + 1 < path->piece_count && path->pieces[at + 1].begin <= distance)
        at++;
    const path_piece *piece = &path->pieces[at];
    return point_on(path, piece, (distance - piece->begin) / piece->length, direction);
}

/* ---- Elements ---- */

uint32_t svg_text_path_node(const svg_document *document, uint32_t node)
{
    const uint32_t own = document->nodes.items[node].path;
    if (own != SVG_NO_PATH && document->paths.paths.items[own].verb_count > 0)
        return node;
    const uint32_t target = svg_document_href(document, node);
    return target != SVG_NO_NODE && svg_is_shape(document->nodes.items[target].element) ? target : SVG_NO_NODE;
}

static pietra_result make_path(svg_walk *walk, const svg_instance *instance, const svg_text_element *element,
                               text_path *path)
{
    const uint32_t node = svg_text_path_node(walk->document, element->node);
    const svg_metrics metrics = svg_walk_metrics(walk, path->font_size, instance->width, instance->height);
    pietra_transform own = TRANSFORM_IDENTITY;
    const pietra_result result = svg_walk_spend_length(walk, node);
    if (result != PIETRA_OK)
        return result;
    if (node != element->node && !svg_walk_transform(walk, node, &metrics, &own))
        return PIETRA_OK;
    pietra_path_reset(walk->path);
    if (node == element->node)
        svg_path_emit(&walk->document->paths, walk->document->nodes.items[node].path, NULL, walk->path);
    else if (!svg_shape_build(walk->document, node, &metrics, NULL, walk->path))
        return PIETRA_OK;
    if (pietra_path_check(walk->path) != PIETRA_OK)
        return PIETRA_OK;
    path->view = path_view_of(walk->path);
    path->transform = own;
    if (!measure(path))
        return PIETRA_ERROR_MEMORY;
    if (text_equal(text_trim(svg_attribute_text(walk->document, element->node, SVG_SIDE)), TEXT("right")))
        reverse(path);
    return PIETRA_OK;
}

static double find_start(const svg_walk *walk, const svg_instance *instance, const svg_text_element *element,
                         const text_path *path)
{
    const uint32_t node = svg_text_path_node(walk->document, element->node);
    const pietra_transform space = TRANSFORM_IDENTITY;
    svg_metrics metrics = svg_walk_metrics(walk, path->font_size, instance->width, instance->height);
    svg_length length;
    if (!svg_attribute_length(walk->document, element->node, SVG_START_OFFSET, &length))
        return 0;
    const bool percent = svg_length_has_percentage(length);
    metrics.width = path->length;
    const double start = svg_length_resolve(length, SVG_AXIS_X, &metrics);
    const double scale = percent ? 1 : svg_path_length_scale(walk->document, node, &metrics, &space);
    return isfinite(scale) ? start * scale : start;
}

/* Moves the characters behind a path to where they follow its last character, as far as they ask for no place of their
 * own. */
static void follow(svg_text_layout *layout, uint32_t begin, vector to)
{
    const svg_text_character *first = &layout->characters.items[begin];
    const svg_text_place *asked = svg_text_place_of(layout, first);
    double x = isnan(asked->x) ? to.x - first->px : 0, y = isnan(asked->y) ? to.y - first->py : 0;
    for (uint32_t i = begin; i < layout->characters.count; i++) {
        svg_text_character *character = &layout->characters.items[i];
        const svg_text_place *place = svg_text_place_of(layout, character);
        x = i > begin && !isnan(place->x) ? 0 : x;
        y = i > begin && !isnan(place->y) ? 0 : y;
        character->px += x;
        character->py += y;
        if (x == 0 && y == 0)
            return;
    }
}

/* SVG 2 lets the text behind a path go on at the path's end. As in resvg it goes on beside the last character that is
 * seen, an advance from that character's middle, so that it stays near what it belongs to. Where none is seen, it goes
 * on at the end. */
static void put(svg_text_layout *layout, const svg_text_element *element, text_path *path, double start)
{
    vector end = path->last, direction;
    for (uint32_t i = element->begin; i < element->end; i++) {
        svg_text_character *character = &layout->characters.items[i];
        const double along = start + (layout->vertical ? character->py : character->px);
        const double across = layout->vertical ? character->px : character->py;
        const double half = (character->advance - (double)character->spacing) / 2, middle = along + half;
        character->hidden = path->segments.count == 0 || middle < 0 || middle > path->length;
        if (character->hidden || !character->starts_cluster)
            continue;
        const vector point = find_point(path, middle, &direction);
        const vector turn = layout->vertical ? (vector){direction.y, -direction.x} : direction;
        const vector normal = layout->vertical ? turn : (vector){-direction.y, direction.x};
        character->turn_x = (float)turn.x;
        character->turn_y = (float)turn.y;
        character->px = point.x - direction.x * half + normal.x * across;
        character->py = point.y - direction.y * half + normal.y * across;
        if (character->is_space)
            continue;
        end = layout->vertical ? (vector){point.x, point.y + character->advance}
                               : (vector){point.x + character->advance, point.y};
    }
    if (element->begin < element->end && isfinite(end.x) && isfinite(end.y) && element->end < layout->characters.count)
        follow(layout, element->end, end);
}

pietra_result svg_text_put_on_paths(svg_walk *walk, const svg_instance *instance, svg_text_layout *layout)
{
    pietra_result result = PIETRA_OK;
    for (uint32_t i = 0; i < layout->elements.count && result == PIETRA_OK; i++) {
        const svg_text_element *element = &layout->elements.items[i];
        if (element->path != i)
            continue;
        text_path path = {.first = {NAN, NAN}, .last = {NAN, NAN}, .font_size = svg_text_font_size(layout, element)};
        result = make_path(walk, instance, element, &path);
        if (result == PIETRA_OK)
            put(layout, element, &path, find_start(walk, instance, element, &path));
        array_free(&path.segments);
    }
    return result;
}
