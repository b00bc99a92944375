/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Text on paths (SVG 2, 11.8). A path is cut into short pieces, whose lengths add up. Directions are those of the curve
 * at the ends of pieces and, between them, in between. */
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

typedef struct path_piece {
    double begin, length; /* along the path */
    vector from, to;
    vector leaving, arriving; /* directions of length 1 */
} path_piece;

typedef struct text_path {
    ARRAY(path_piece) pieces;
    double length;
    vector first, last; /* its ends; NAN: it has no point */
    double em;
    bool lacks_memory;
} text_path;

/* ---- Pieces ---- */

static vector unit(vector v, vector otherwise)
{
    const double length = hypot(v.x, v.y);
    return length > 0 && isfinite(length) ? (vector){v.x / length, v.y / length} : otherwise;
}

static void add_piece(text_path *path, vector from, vector to, vector leaving, vector arriving)
{
    const vector along = {to.x - from.x, to.y - from.y};
    const double length = hypot(along.x, along.y);
    if (!(length > 0) || !isfinite(length))
        return;
    path_piece *piece = array_push(&path->pieces);
    if (!piece) {
        path->lacks_memory = true;
        return;
    }
    const vector direction = unit(along, (vector){1, 0});
    *piece = (path_piece){path->length, length, from, to, unit(leaving, direction), unit(arriving, direction)};
    path->length += length;
}

static vector cubic_at(const vector *p, double t)
{
    const double s = 1 - t, a = s * s * s, b = 3 * s * s * t, c = 3 * s * t * t, d = t * t * t;
    return (vector){a * p[0].x + b * p[1].x + c * p[2].x + d * p[3].x,
                    a * p[0].y + b * p[1].y + c * p[2].y + d * p[3].y};
}

static vector cubic_direction(const vector *p, double t)
{
    const double s = 1 - t, a = s * s, b = 2 * s * t, c = t * t;
    return (vector){a * (p[1].x - p[0].x) + b * (p[2].x - p[1].x) + c * (p[3].x - p[2].x),
                    a * (p[1].y - p[0].y) + b * (p[2].y - p[1].y) + c * (p[3].y - p[2].y)};
}

/* The error of a curve's pieces is at most its second difference over eight times the square of their number. */
static void add_cubic(text_path *path, const vector *p)
{
    const double first = hypot(p[0].x - 2 * p[1].x + p[2].x, p[0].y - 2 * p[1].y + p[2].y),
                 second = hypot(p[1].x - 2 * p[2].x + p[3].x, p[1].y - 2 * p[2].y + p[3].y);
    const double wanted = ceil(sqrt(6 * fmax(first, second) / (8 * ERROR * path->em)));
    const int count = wanted > MOST_PIECES ? MOST_PIECES : wanted >= 1 ? (int)wanted : 1;
    for (int i = 0; i < count; i++) {
        const double t = (double)i / count, u = (double)(i + 1) / count;
        add_piece(path, cubic_at(p, t), i + 1 < count ? cubic_at(p, u) : p[3], cubic_direction(p, t),
                  cubic_direction(p, u));
    }
}

static vector between(vector a, vector b, double t)
{
    return (vector){a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t};
}

static void cut(text_path *path, path_view view, pietra_transform transform)
{
    const path_point *points = view.points;
    vector start = {0, 0}, at = {0, 0}, p[4];
    for (size_t i = 0; i < view.verb_count && !path->lacks_memory; i++) {
        const uint8_t verb = view.verbs[i];
        const unsigned count = verb == PIETRA_VERB_MOVE ? 1 : verb;
        for (unsigned k = 0; k < count; k++) {
            p[k + 1] = (vector){points[k].x, points[k].y};
            transform_point(transform, &p[k + 1].x, &p[k + 1].y);
        }
        points += count;
        p[0] = at;
        const vector along = verb == PIETRA_VERB_CLOSE ? (vector){start.x - at.x, start.y - at.y}
                                                       : (vector){p[1].x - at.x, p[1].y - at.y};
        if (verb == PIETRA_VERB_LINE) {
            add_piece(path, at, p[1], along, along);
        } else if (verb == PIETRA_VERB_CLOSE) {
            add_piece(path, at, start, along, along);
        } else if (verb == PIETRA_VERB_QUAD) {
            const vector cubic[4] = {at, between(at, p[1], 2 / 3.0), between(p[2], p[1], 2 / 3.0), p[2]};
            add_cubic(path, cubic);
        } else if (verb == PIETRA_VERB_CUBIC) {
            add_cubic(path, p);
        }
        at = count ? p[count] : start;
        start = verb == PIETRA_VERB_MOVE ? at : start;
        path->first = i == 0 ? at : path->first;
        path->last = at;
    }
}

static void reverse(text_path *path)
{
    double begin = 0;
    const vector first = path->first;
    path->first = path->last;
    path->last = first;
    for (size_t i = 0, j = path->pieces.count; i < j; i++) {
        j--;
        const path_piece piece = path->pieces.items[i];
        path->pieces.items[i] = path->pieces.items[j];
        path->pieces.items[j] = piece;
    }
    for (size_t i = 0; i < path->pieces.count; i++) {
        const path_piece piece = path->pieces.items[i];
        path->pieces.items[i] = (path_piece){begin,
                                             piece.length,
                                             piece.to,
                                             piece.from,
                                             {-piece.arriving.x, -piece.arriving.y},
                                             {-piece.leaving.x, -piece.leaving.y}};
        begin += piece.length;
    }
}

/* Gives the point at a distance from the beginning, and the direction there. Beyond the ends the path goes on. */
static vector find_point(const text_path *path, double distance, vector *direction)
{
    size_t low = 0, high = path->pieces.count - 1;
    while (low < high) {
        const size_t middle = (low + high + 1) / 2;
        if (path->pieces.items[middle].begin <= distance)
            low = middle;
        else
            high = middle - 1;
    }
    const path_piece *piece = &path->pieces.items[low];
    const double t = (distance - piece->begin) / piece->length;
    *direction = unit(between(piece->leaving, piece->arriving, fmax(0, fmin(t, 1))), piece->leaving);
    return between(piece->from, piece->to, t);
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
    const svg_metrics metrics =
        svg_walk_metrics(walk, element->inherited->font_size, instance->width, instance->height);
    pietra_transform own = TRANSFORM_IDENTITY;
    const pietra_result result = svg_walk_spend_length(walk, node);
    path->em = fmax(element->inherited->font_size, 1e-6);
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
    cut(path, path_view_of(walk->path), own);
    if (text_equal(text_trim(svg_attribute_text(walk->document, element->node, SVG_SIDE)), TEXT("right")))
        reverse(path);
    return path->lacks_memory ? PIETRA_ERROR_MEMORY : PIETRA_OK;
}

static double find_start(const svg_walk *walk, const svg_instance *instance, const svg_text_element *element,
                         const text_path *path)
{
    const uint32_t node = svg_text_path_node(walk->document, element->node);
    const pietra_transform space = TRANSFORM_IDENTITY;
    svg_metrics metrics = svg_walk_metrics(walk, element->inherited->font_size, instance->width, instance->height);
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
static void put(svg_text_layout *layout, const svg_text_element *element, const text_path *path, double start)
{
    vector end = path->last, direction;
    for (uint32_t i = element->begin; i < element->end; i++) {
        svg_text_character *character = &layout->characters.items[i];
        const double along = start + (layout->vertical ? character->py : character->px);
        const double across = layout->vertical ? character->px : character->py;
        const double half = (character->advance - (double)character->spacing) / 2, middle = along + half;
        character->hidden = path->pieces.count == 0 || middle < 0 || middle > path->length;
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
        text_path path = {.first = {NAN, NAN}, .last = {NAN, NAN}};
        result = make_path(walk, instance, element, &path);
        if (result == PIETRA_OK)
            put(layout, element, &path, find_start(walk, instance, element, &path));
        array_free(&path.pieces);
    }
    return result;
}
