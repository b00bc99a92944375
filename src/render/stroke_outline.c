/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The outline of a stroke as a path. It is made by the stages that flatten strokes, at a scale that gives the accuracy
 * which the caller asks for, so it has the geometry that is drawn. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "render/frame/config.h"
#include "render/reference/reference.h"

#define ERROR_PIXELS 0.125  /* the most: chords stray by 0.1 pixels, and snapping adds less than a 256th */
#define SIDE_UNASKED 8192.0 /* pixels of the larger side, if the caller names no tolerance */
#define MARGIN 32           /* pixels around the outline */
#define CAP_REACH 1.4143    /* half widths from the end of a dash to the corners of a square cap */

/* Directed edges, which bound the stroke together. Horizontal ones may be missing, since they turn no winding. */
typedef struct edge_web {
    const edge *edges;
    size_t count;
    size_t *order; /* edges sorted by where they start: by row, then by column */
    size_t *next;  /* for each place in `order` the first one from there on that may be free */
} edge_web;

typedef struct sorted_edge {
    int y, x;
    size_t index;
} sorted_edge;

static int compare_starts(const void *a, const void *b)
{
    const sorted_edge *one = a, *other = b;
    if (one->y != other->y)
        return one->y < other->y ? -1 : 1;
    if (one->x != other->x)
        return one->x < other->x ? -1 : 1;
    return (one->index > other->index) - (one->index < other->index);
}

static bool sort_edges(edge_web *web)
{
    sorted_edge *sorted = malloc((web->count + 1) * sizeof *sorted);
    web->order = malloc((web->count + 1) * sizeof *web->order);
    web->next = malloc((web->count + 1) * sizeof *web->next);
    if (sorted && web->order && web->next) {
        for (size_t i = 0; i < web->count; i++)
            sorted[i] = (sorted_edge){web->edges[i].ay, web->edges[i].ax, i};
        qsort(sorted, web->count, sizeof *sorted, compare_starts);
        for (size_t i = 0; i <= web->count; i++) {
            web->order[i] = i < web->count ? sorted[i].index : SIZE_MAX;
            web->next[i] = i;
        }
    }
    free(sorted);
    return sorted && web->order && web->next;
}

/* Returns the first free place from this one on. */
static size_t free_from(edge_web *web, size_t place)
{
    size_t found = place;
    while (web->next[found] != found)
        found = web->next[found];
    while (web->next[place] != found) {
        const size_t after = web->next[place];
        web->next[place] = found;
        place = after;
    }
    return found;
}

/* Returns the first place whose edge does not start before a point. */
static size_t place_of(const edge_web *web, int x, int y)
{
    size_t low = 0, high = web->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const edge *at = &web->edges[web->order[middle]];
        if (at->ay < y || (at->ay == y && at->ax < x))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Takes an edge that starts at a point, or else one that starts in its row. NULL: there is none. */
static const edge *take_edge(edge_web *web, int x, int y)
{
    size_t place = free_from(web, place_of(web, x, y));
    if (place == web->count || web->edges[web->order[place]].ay != y)
        place = free_from(web, place_of(web, INT32_MIN, y));
    if (place == web->count || web->edges[web->order[place]].ay != y)
        return NULL;
    web->next[place] = place + 1;
    return &web->edges[web->order[place]];
}

/* How pixels of the frame lie in the path's units. */
typedef struct outline_space {
    double x, y;  /* the frame's corner */
    double scale; /* pixels for one unit */
} outline_space;

static double x_of(const outline_space *space, int x)
{
    return space->x + x / (SUBPIXELS * space->scale);
}

static double y_of(const outline_space *space, int y)
{
    return space->y + y / (SUBPIXELS * space->scale);
}

/* Joins edges to closed subpaths. As many edges start in a row of subpixels as end there, so what has begun always goes
 * on, or ends in the row where it began. */
static void join_edges(edge_web *web, const outline_space *space, pietra_path *outline)
{
    for (size_t place; (place = free_from(web, 0)) < web->count;) {
        const edge *first = &web->edges[web->order[place]], *at = first;
        web->next[place] = place + 1;
        pietra_path_move_to(outline, x_of(space, first->ax), y_of(space, first->ay));
        for (;;) {
            if (at->bx == first->ax && at->by == first->ay)
                break;
            pietra_path_line_to(outline, x_of(space, at->bx), y_of(space, at->by));
            const edge *behind = take_edge(web, at->bx, at->by);
            assert(behind || at->by == first->ay);
            if (!behind)
                break;
            if (behind->ax != at->bx)
                pietra_path_line_to(outline, x_of(space, behind->ax), y_of(space, behind->ay));
            at = behind;
        }
        pietra_path_close(outline);
    }
}

/* Finds the edges by the stages up to 04. */
static pietra_result flatten(reference_frame *frame, pietra_error *error)
{
    static pietra_result (*const stages[])(reference_frame *, pietra_error *) = {
        reference_01_decode, reference_02_clip, reference_03_cull, reference_04_measure, reference_04_flatten};
    pietra_result result = PIETRA_OK;
    for (size_t i = 0; i < sizeof stages / sizeof stages[0] && result == PIETRA_OK; i++)
        result = stages[i](frame, error);
    return result;
}

static pietra_result make_outline(const pietra_stream *stream, const outline_space *space, double width, double height,
                                  pietra_path *outline, pietra_error *error)
{
    const pietra_frame shown = {
        .transform = {space->scale, 0, 0, space->scale, -space->x * space->scale, -space->y * space->scale}};
    uint32_t unused;
    const pietra_target target = {.width = (uint32_t)width, .height = (uint32_t)height, .pixels = &unused};
    reference_frame frame = {.stream = stream_view_of(stream_words(stream))};
    edge_web web = {.edges = NULL};
    pietra_result result = config_of_frame(&shown, &target, error, &frame.config);
    if (result == PIETRA_OK)
        result = flatten(&frame, error);
    if (result == PIETRA_OK) {
        web.edges = frame.edges;
        web.count = frame.counters.line_count;
        if (sort_edges(&web))
            join_edges(&web, space, outline);
        else
            result = error_set_memory(error);
    }
    free(web.order);
    free(web.next);
    reference_frame_free(&frame);
    return result == PIETRA_OK && pietra_path_check(outline) != PIETRA_OK ? error_set_memory(error) : result;
}

/* Chooses the scale, and the size of the frame. */
static pietra_result find_space(const pietra_box *box, double tolerance, outline_space *space, double *width,
                                double *height, pietra_error *error)
{
    const double most = PIETRA_MAX_SIDE - 2.0 * MARGIN, side = fmax(box->x1 - box->x0, box->y1 - box->y0);
    space->scale = tolerance > 0 ? ERROR_PIXELS / tolerance : SIDE_UNASKED / side;
    if (!isfinite(side) || !isfinite(space->scale) || side * space->scale > most) {
        return error_set(error, PIETRA_ERROR_INPUT, 0,
                         "a tolerance of %g is too fine for a stroke of %g units: at least %g will do", tolerance, side,
                         side * ERROR_PIXELS / most);
    }
    space->x = box->x0 - MARGIN / space->scale;
    space->y = box->y0 - MARGIN / space->scale;
    *width = ceil((box->x1 - box->x0) * space->scale) + 2 * MARGIN;
    *height = ceil((box->y1 - box->y0) * space->scale) + 2 * MARGIN;
    return PIETRA_OK;
}

/* Gives the box of a stroke. A scene's box is that of a solid one, beyond which caps of dashes may reach at corners. */
static bool find_box(const pietra_scene *scene, const pietra_path *path, const pietra_stroke *stroke, pietra_box *box)
{
    const double reach = stroke->cap == PIETRA_CAP_BUTT ? 0 : CAP_REACH * stroke->width / 2;
    pietra_box ends;
    if (!pietra_scene_bounds(scene, box))
        return false;
    if (stroke->dash_count > 0 && reach > 0 && pietra_path_bounds(path, &ends)) {
        box->x0 = fmin(box->x0, ends.x0 - reach);
        box->y0 = fmin(box->y0, ends.y0 - reach);
        box->x1 = fmax(box->x1, ends.x1 + reach);
        box->y1 = fmax(box->y1, ends.y1 + reach);
    }
    return true;
}

static pietra_result outline_box(const pietra_scene *scene, const pietra_box *box, double tolerance,
                                 pietra_path *outline, pietra_error *error)
{
    outline_space space;
    double width = 0, height = 0;
    pietra_stream *stream = NULL;
    pietra_result result = find_space(box, tolerance, &space, &width, &height, error);
    if (result == PIETRA_OK)
        result = pietra_stream_encode(scene, error, &stream);
    if (result == PIETRA_OK)
        result = make_outline(stream, &space, width, height, outline, error);
    pietra_stream_destroy(stream);
    return result;
}

pietra_result pietra_path_stroke_to_fill(const pietra_path *path, const pietra_stroke *stroke, double tolerance,
                                         pietra_path *outline, pietra_error *error)
{
    static const pietra_paint paint = {.color = {0, 0, 0, 1}};
    if (!path || !stroke || !outline)
        return error_set_null(error, !path ? "path" : !stroke ? "stroke" : "outline");
    if (outline == path || !(tolerance >= 0) || !isfinite(tolerance))
        return error_set(error, PIETRA_ERROR_INPUT, 0,
                         outline == path ? "the outline is the path itself"
                                         : "the tolerance is negative or not finite");
    pietra_scene *scene = pietra_scene_create();
    if (!scene)
        return error_set_memory(error);
    pietra_box box;
    pietra_path_reset(outline);
    pietra_result result = pietra_scene_stroke(scene, path, NULL, stroke, &paint, error);
    if (result == PIETRA_OK && find_box(scene, path, stroke, &box))
        result = outline_box(scene, &box, tolerance, outline, error);
    if (result != PIETRA_OK)
        pietra_path_reset(outline);
    pietra_scene_destroy(scene);
    return result;
}
