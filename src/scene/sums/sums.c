/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "scene/sums/sums.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/extremes.h"
#include "lib/element_kind.h"
#include "lib/tile.h"
#include "scene/sums/path_sums.h"

/* ---- Boxes ---- */

/* Returns a number below or above one by more than its rounding to float. */
static float beyond(double x, double sign)
{
    return (float)(x + sign * (fabs(x) * 1.2e-7 + 1e-30));
}

sums_box sums_box_in(const pietra_transform *t, sums_box box)
{
    const double x0 = (double)box.x0, x1 = (double)box.x1, y0 = (double)box.y0, y1 = (double)box.y1;
    return (sums_box){beyond(lesser(t->a * x0, t->a * x1) + lesser(t->c * y0, t->c * y1) + t->e, -1),
                      beyond(lesser(t->b * x0, t->b * x1) + lesser(t->d * y0, t->d * y1) + t->f, -1),
                      beyond(greater(t->a * x0, t->a * x1) + greater(t->c * y0, t->c * y1) + t->e, 1),
                      beyond(greater(t->b * x0, t->b * x1) + greater(t->d * y0, t->d * y1) + t->f, 1)};
}

/* Sets the box of an element in the scene, a little larger than floats may make it. */
static void set_box(const stream_view *view, const stream_element *element, bound_sums *sums)
{
    const stream_transform *m = &view->transforms[element->transform];
    const pietra_transform t = {(double)m->a,
                                (double)m->b,
                                (double)m->c,
                                (double)m->d,
                                (double)m->e + (double)m->e_low,
                                (double)m->f + (double)m->f_low};
    sums->box = sums_box_in(&t, (sums_box){element->box_x0, element->box_y0, element->box_x1, element->box_y1});
}

/* Adds the sides of the box to the sums, if it is not rather the outline that says where the element is. Strokes of
 * diagonals and of charts are thin in their boxes; scenes mostly have about as many units as the frame has pixels. */
static void set_sides(bound_sums *sums)
{
    const float width = sums->box.x1 - sums->box.x0, height = sums->box.y1 - sums->box.y0;
    const float tiles = (width / TILE_SIDE + 2) * (height / TILE_SIDE + 2);
    const float outlined = sums->strokes.lines + 3 * sums->loose.lines + sums->runs_upright +
                           (sums->outline + sums->root_outline) * 1.5f / TILE_SIDE + sums->thin_area / TILE_PIXELS;
    sums->is_thin = sums->thin_area > 0 && outlined < tiles;
    if (sums->is_thin) {
        sums->thin_width = width;
        sums->thin_height = height;
        return;
    }
    sums->thin_area = 0;
    sums->width = width;
    sums->height = height;
    sums->width_width = width * width;
    sums->width_height = width * height;
    sums->height_height = height * height;
}

/* ---- Elements ---- */

static bool is_painted(const stream_element *element)
{
    const uint32_t kind = element->kind & ELEMENT_KIND_MASK;
    return kind_has_box(kind) && !kind_ends_effect(kind);
}

/* Returns the work of the element's command in a tile. */
static float work_of(const stream_element *element, uint32_t paint_kind, const bound_sums *sums)
{
    const float lines = sums->fills.lines + sums->strokes.lines + sums->loose.lines;
    const float more = sums->fills.root_lines + sums->strokes.root_lines + sums->loose.root_lines +
                       sums->fills.of_pieces + sums->strokes.of_pieces + sums->loose.of_pieces;
    const bool is_small = more == 0 && lines < (float)HEAVY_TILE_LINES;
    const uint32_t tile_lines = is_small ? (uint32_t)lines : HEAVY_TILE_LINES;
    const uint32_t paint = paint_kind == PAINT_SOLID ? NONE : 0;
    return (float)(COMMAND_WORK + paint_work(element->kind, paint) + tile_line_work(tile_lines));
}

/* Returns the kind of an element's paint; a solid if it has none. */
static uint32_t paint_kind_of(const stream_view *view, const stream_element *element)
{
    const uint32_t kind = element->kind & ELEMENT_KIND_MASK;
    const bool has_paint = (kind == ELEMENT_FILL || kind == ELEMENT_STROKE) && element->paint != STREAM_NONE;
    return has_paint ? view->paints[element->paint].kind : PAINT_SOLID;
}

static const bound_sums sums_of_nothing = {.box = {0, 0, -1, -1}, .least_step = FLT_MAX};

static bound_sums sums_of_element(const stream_view *view, const stream_element *element)
{
    const uint32_t kind = element->kind & ELEMENT_KIND_MASK;
    bound_sums sums = sums_of_nothing;
    if (!is_painted(element))
        return sums;
    sums.count = 1;
    sums.begins = kind_begins(kind);
    sums.frames = kind_is_unbounded(element->kind);
    if (sums.frames == 0 && !(element->box_x0 <= element->box_x1 && element->box_y0 <= element->box_y1))
        return sums_of_nothing;
    set_box(view, element, &sums);
    if (element->path == STREAM_NONE) {
        /* One line on the left of the box, which is as high as any side of it in a frame that turns the scene. */
        sums.tasks = 1;
        sums.fills.lines = 1;
        sums.across = sums.box.x1 - sums.box.x0;
        sums.down = sums.box.y1 - sums.box.y0;
        sums.runs = sums.runs_upright = 1;
    } else if (kind == ELEMENT_STROKE) {
        path_sums_of_stroke(view, element, &sums);
    } else {
        path_sums_of_fill(view, element, &sums);
    }
    set_sides(&sums);
    sums.work = work_of(element, paint_kind_of(view, element), &sums);
    return sums;
}

/* Returns whether the sums of an element and of the last that showed its path differ in where they are alone. Texts
 * show a glyph many times so, also in other colours. A stream from anywhere may give the same path other boxes. */
static bool is_known(const stream_view *view, const stream_element *element, uint64_t stream, const known_path *known)
{
    return known->stream == stream && known->kind == element->kind && known->style == element->style &&
           known->paint_kind == paint_kind_of(view, element) &&
           memcmp(known->matrix, &view->transforms[element->transform], sizeof known->matrix) == 0 &&
           memcmp(known->box, &element->box_x0, sizeof known->box) == 0;
}

static void remember(const stream_view *view, const stream_element *element, uint64_t stream, const bound_sums *sums,
                     known_path *known)
{
    *known = (known_path){.stream = sums->count > 0 ? stream : 0,
                          .kind = element->kind,
                          .style = element->style,
                          .paint_kind = paint_kind_of(view, element),
                          .sums = *sums};
    memcpy(known->matrix, &view->transforms[element->transform], sizeof known->matrix);
    memcpy(known->box, &element->box_x0, sizeof known->box);
}

static bound_sums sums_by_path(const stream_view *view, const stream_element *element, stream_sums *sums)
{
    if (element->path == STREAM_NONE)
        return sums_of_element(view, element);
    const bool is_stroke = (element->kind & ELEMENT_KIND_MASK) == ELEMENT_STROKE;
    known_path *known = &sums->known[2 * (size_t)element->path + is_stroke];
    if (!is_known(view, element, sums->id, known)) {
        const bound_sums made = sums_of_element(view, element);
        remember(view, element, sums->id, &made, known);
        return made;
    }
    bound_sums made = known->sums;
    set_box(view, element, &made);
    return made;
}

static void sum_elements(const stream_view *view, stream_sums *sums)
{
    uint32_t depth = 0;
    for (uint32_t i = 0; i < sums->element_count; i++) {
        const stream_element *element = &view->elements[i];
        const uint32_t kind = element->kind & ELEMENT_KIND_MASK;
        sums->elements[i] = sums_by_path(view, element, sums);
        depth += kind_begins(kind);
        depth -= kind_ends(kind);
        sums->depth = depth > sums->depth ? depth : sums->depth;
        sums->is_beyond = sums->is_beyond || sums->elements[i].frames > 0;
        sums->is_complex = sums->is_complex || (element->kind & ELEMENT_COMPLEX) != 0;
        sums->is_bounded = sums->is_bounded && !kind_begins_effect(kind) && !(element->kind & ELEMENT_IN_PIXELS);
    }
}

/* ---- Blocks ---- */

static sums_box join(sums_box a, sums_box b)
{
    return (sums_box){(float)lesser((double)a.x0, (double)b.x0), (float)lesser((double)a.y0, (double)b.y0),
                      (float)greater((double)a.x1, (double)b.x1), (float)greater((double)a.y1, (double)b.y1)};
}

static void add_sums(bound_sums *sums, const bound_sums *more)
{
    if (more->count == 0)
        return;
    sums->box = sums->count == 0 ? more->box : join(sums->box, more->box);
    sums->pen = (float)greater((double)sums->pen, (double)more->pen);
    sums->least_step = (float)lesser((double)sums->least_step, (double)more->least_step);
    bound_sums_add(sums, more);
}

static void sum_blocks(stream_sums *sums)
{
    bool is_first = true;
    for (uint32_t i = 0; i < sums->block_count; i++) {
        bound_sums *block = &sums->blocks[i];
        *block = sums_of_nothing;
        for (uint32_t k = i * SUMS_BLOCK; k < (i + 1) * SUMS_BLOCK && k < sums->element_count; k++)
            add_sums(block, &sums->elements[k]);
        if (block->count == 0)
            continue;
        sums->box = is_first ? block->box : join(sums->box, block->box);
        is_first = false;
    }
}

/* ---- The largest number ---- */

static void enlarge(float *largest, const float *numbers, int count)
{
    for (int i = 0; i < count; i++)
        *largest = fabsf(numbers[i]) > *largest ? fabsf(numbers[i]) : *largest;
}

static void find_largest(const stream_view *view, stream_sums *sums)
{
    sums->largest = 1;
    for (uint32_t i = 0; i < view->header->transform_count; i++)
        enlarge(&sums->largest, &view->transforms[i].a, 6);
    for (uint32_t i = 0; i < sums->element_count; i++)
        if (sums->elements[i].count > 0 && view->elements[i].path == STREAM_NONE)
            enlarge(&sums->largest, &sums->elements[i].box.x0, 4);
}

/* ---- Streams ---- */

/* Makes an array of so many items at least, which are zero if it grows. */
static bool ensure(void **items, size_t *capacity, size_t count, size_t item_bytes)
{
    if (*capacity >= count)
        return true;
    free(*items);
    *capacity = count + count / 4;
    *items = calloc(*capacity, item_bytes);
    if (!*items)
        *capacity = 0;
    return *items;
}

bool stream_sums_make(const pietra_stream *stream, stream_sums *sums)
{
    const stream_view view = stream_view_of(stream_words(stream));
    const uint32_t count = view.header->element_count, blocks = (count + SUMS_BLOCK - 1) / SUMS_BLOCK;
    void *known = sums->known, *all = sums->elements;
    const bool has_room =
        ensure(&known, &sums->known_capacity, 2 * (size_t)view.header->path_count + 1, sizeof *sums->known) &&
        ensure(&all, &sums->sums_capacity, (size_t)count + blocks + 1, sizeof *sums->elements);
    *sums = (stream_sums){.id = stream_id(stream),
                          .known = known,
                          .known_capacity = sums->known_capacity,
                          .sums_capacity = sums->sums_capacity,
                          .elements = all,
                          .blocks = all ? (bound_sums *)all + count : NULL,
                          .element_count = count,
                          .block_count = blocks,
                          .box = SUMS_BOX_OF_NOTHING,
                          .is_bounded = view.header->surface_count == 0};
    if (!has_room) {
        stream_sums_free(sums);
        return false;
    }
    sum_elements(&view, sums);
    sum_blocks(sums);
    find_largest(&view, sums);
    return true;
}

stream_sums stream_sums_of_layer(const stream_view *view, const stream_element *layer, bound_sums *made)
{
    *made = sums_of_element(view, layer);
    return (stream_sums){.elements = made,
                         .blocks = made,
                         .element_count = 1,
                         .block_count = 1,
                         .box = made->box,
                         .largest = 1,
                         .is_bounded = true};
}

void stream_sums_free(stream_sums *sums)
{
    free(sums->elements);
    free(sums->known);
    *sums = (stream_sums){.elements = NULL};
}

const stream_sums *stream_sums_of_composed(const pietra_stream *stream)
{
    composed_sums *composed = stream->composed;
    if (!composed)
        return NULL;
    if (composed->are_made)
        return &composed->sums;
    atomic_store_explicit(&composed->are_wanted, true, memory_order_relaxed);
    return NULL;
}
