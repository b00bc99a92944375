/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* 10 fine: the pixels. Each tile walks its tile_commands in paint order: coverage, paint, blend.
 *
 * Reads tiles, tile_commands, tile_paths, visible, masks, lines, the stream's paints and texels; writes pixels. Clips
 * and groups are intervals of elements: a layer is closed when the walk has passed its end. A layer keeps its
 * destination and a level, 0 to 255, for each pixel: a clip's coverage or a group's opacity. A layer in which nothing
 * blends changes nothing where its level is full, so it is drawn through there. */
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "lib/blend.h"
#include "lib/box_shadow.h"
#include "lib/coverage.h"
#include "lib/element.h"
#include "lib/image_sample.h"
#include "lib/paint.h"
#include "render/frame/config.h"
#include "render/reference/coverage.h"
#include "render/reference/reference.h"
#include "render/reference/trace.h"

/* Up to this many layers, each thread has a stack of its own. */
#define SHARED_DEPTH 64u

typedef struct layer_pixels {
    uint destination[TILE_PIXELS];
    uint8_t level[TILE_PIXELS];
} layer_pixels;

typedef struct layer {
    uint begin;   /* the begin that opened it */
    uint element; /* the begin whose content is being drawn */
    uint kind;    /* kind of that begin, with flags */
    uint end;
    uint source_end; /* NONE once the source has become the level */
    pixel_box clip;  /* of the begin that opened it */
} layer;

typedef struct tile_walk {
    const reference_frame *frame;
    int x, y;   /* tile */
    int traced; /* the pixel that is traced; negative if there is none */
    uint color[TILE_PIXELS];
    uint8_t coverage[TILE_PIXELS];
    layer *layers;
    layer_pixels *pixels;
    uint depth;
} tile_walk;

static uint image_pixel(const reference_frame *frame, const visible_element *v, const stream_paint *paint, int x, int y)
{
    affine m = {v->ga, v->gb, v->gc, v->gd, v->ge, v->gf};
    image_footprint print = footprint_unpack(v->color);
    const stream_mip_level *mip_levels = frame->stream.mip_levels + paint->first_stop;
    return image_sample(frame->stream.texels, m, print, mip_levels[0], mip_levels[print.mip_level], *paint, x, y);
}

/* Paints see the pixels of the element's own sheet. */
static uint paint_pixel(const reference_frame *frame, const visible_element *v, int atlas_x, int atlas_y)
{
    if (v->paint == NONE)
        return v->color;
    int x = atlas_x - place_x(v->place) * TILE_SIDE, y = atlas_y - place_y(v->place) * TILE_SIDE;
    const stream_paint *paint = &frame->stream.paints[v->paint];
    if (paint->kind == PAINT_IMAGE)
        return image_pixel(frame, v, paint, x, y);
    if (paint->kind == PAINT_BOX_SHADOW) {
        affine m = {v->ga, v->gb, v->gc, v->gd, v->ge, v->gf};
        return shadow_color(frame->stream.box_shadows[paint->first_stop], *paint, m, x, y);
    }
    gradient_offset offset = gradient_at(*paint, v->ga, v->gb, v->gc, v->gd, v->ge, v->gf, x, y);
    if (!offset.valid)
        return 0;
    const stream_stop *stops = frame->stream.stops + paint->first_stop;
    uint low = 0;
    uint high = paint->stop_count;
    while (high - low > 1) {
        uint middle = (low + high) / 2;
        if (stops[middle].offset <= offset.t)
            low = middle;
        else
            high = middle;
    }
    return gradient_color(stops[low], offset.t, paint->opacity);
}

static void find_levels(const reference_frame *frame, uint command, uint8_t *levels)
{
    if (command & TILE_COMMAND_SOLID) {
        memset(levels, 255, TILE_PIXELS);
        return;
    }
    const tile_path *r = &frame->tile_paths[command];
    if (r->mask == NONE) {
        reference_coverage(frame, r, levels);
        return;
    }
    for (int i = 0; i < TILE_PIXELS; i++)
        levels[i] = (uint8_t)(frame->masks[r->mask * (TILE_PIXELS / 4) + (uint)i / 4] >> (8 * (i % 4)));
}

void reference_command_coverage(const reference_frame *frame, const visible_element *v, uint command, int tile_x,
                                int tile_y, uint8_t *coverage)
{
    int left = tile_x * TILE_SIDE;
    int top = tile_y * TILE_SIDE;
    find_levels(frame, command, coverage);
    for (int i = 0; i < TILE_PIXELS; i++)
        coverage[i] = (uint8_t)aliased_level(v->kind, coverage[i]);
    if (box_has_pixel(v->clip, left, top) && box_has_pixel(v->clip, left + TILE_SIDE - 1, top + TILE_SIDE - 1))
        return;
    for (int i = 0; i < TILE_PIXELS; i++)
        if (!box_has_pixel(v->clip, left + i % TILE_SIDE, top + i / TILE_SIDE))
            coverage[i] = 0;
}

static void find_coverage(tile_walk *walk, const visible_element *v, uint command)
{
    reference_command_coverage(walk->frame, v, command, walk->x, walk->y, walk->coverage);
}

/* ---- The trace reads what the walk has done and changes nothing ---- */

static int traced_pixel(const tile_walk *walk)
{
    const reference_trace *trace = walk->frame->trace;
    bool here = trace && trace->x >> TILE_SHIFT == walk->x && trace->y >> TILE_SHIFT == walk->y;
    return here ? (trace->y - walk->y * TILE_SIDE) * TILE_SIDE + trace->x - walk->x * TILE_SIDE : -1;
}

static uint traced_color(const tile_walk *walk)
{
    return walk->traced >= 0 ? walk->color[walk->traced] : 0;
}

static pietra_pixel_kind traced_kind(uint kind)
{
    switch (kind & ELEMENT_KIND_MASK) {
    case ELEMENT_FILL:
        return PIETRA_PIXEL_FILL;
    case ELEMENT_STROKE:
        return PIETRA_PIXEL_STROKE;
    case ELEMENT_BEGIN_GROUP:
        return PIETRA_PIXEL_GROUP;
    default:
        return kind_mode(kind) != MASK_NONE ? PIETRA_PIXEL_MASK : PIETRA_PIXEL_CLIP;
    }
}

/* Notes an event of the traced pixel. `order` is the element at which it happens, and `source` is the colour of the
 * step. */
static void note(const tile_walk *walk, pietra_pixel_event event, uint kind, uint element, uint order, uint coverage,
                 uint source)
{
    trace_event made = {.order = order, .open = walk->depth > 0 ? walk->layers[walk->depth - 1].element : NONE};
    made.step = (pietra_pixel_step){.event = event, .kind = traced_kind(kind), .element = element, .other = NONE};
    made.step.depth = walk->depth;
    made.step.coverage = (uint8_t)coverage;
    made.level = walk->depth > 0 ? walk->pixels[walk->depth - 1].level[walk->traced] : 255;
    made.step.level = event == PIETRA_PIXEL_ENDS ? walk->pixels[walk->depth].level[walk->traced] : made.level;
    made.step.blend = made.step.kind == PIETRA_PIXEL_GROUP ? (pietra_blend)kind_mode(kind) : PIETRA_BLEND_NORMAL;
    for (int i = 0; i < 4; i++) {
        made.step.source[i] = (uint8_t)(source >> (8 * i));
        made.step.color[i] = (uint8_t)(walk->color[walk->traced] >> (8 * i));
    }
    trace_note(walk->frame->trace, &made);
}

static void note_paint(const tile_walk *walk, const visible_element *v)
{
    if (walk->traced >= 0 && walk->coverage[walk->traced] > 0) {
        uint source = paint_pixel(walk->frame, v, walk->frame->trace->x, walk->frame->trace->y);
        note(walk, PIETRA_PIXEL_PAINTS, v->kind, v->element, v->element, walk->coverage[walk->traced], source);
    }
}

static void note_begin(const tile_walk *walk, const visible_element *v)
{
    if (walk->traced >= 0) {
        bool clips = (v->kind & ELEMENT_KIND_MASK) == ELEMENT_BEGIN_CLIP && v->source_end == NONE;
        note(walk, v->kind & VISIBLE_MERGED ? PIETRA_PIXEL_MERGES : PIETRA_PIXEL_BEGINS, v->kind, v->element,
             v->element, clips ? walk->coverage[walk->traced] : 255, 0);
    }
}

/* Notes an element that is not drawn because a layer around it is not open. */
static void note_clipped(tile_walk *walk, const visible_element *v, uint command)
{
    uint kind = v->kind & ELEMENT_KIND_MASK;
    if (walk->traced >= 0 && (kind == ELEMENT_FILL || kind == ELEMENT_STROKE)) {
        find_coverage(walk, v, command);
        if (walk->coverage[walk->traced] > 0)
            note(walk, PIETRA_PIXEL_CLIPPED, v->kind, v->element, v->element, walk->coverage[walk->traced], 0);
    }
}

static void note_end(const tile_walk *walk, pietra_pixel_event event, const layer *ended, uint order, uint source)
{
    if (walk->traced >= 0)
        note(walk, event, ended->kind, ended->begin, order, 255, source);
}

/* ---- The walk ---- */

static void draw(tile_walk *walk, const visible_element *v)
{
    for (int i = 0; i < TILE_PIXELS; i++) {
        if (walk->coverage[i] == 0)
            continue;
        uint source =
            paint_pixel(walk->frame, v, walk->x * TILE_SIDE + i % TILE_SIDE, walk->y * TILE_SIDE + i / TILE_SIDE);
        walk->color[i] = color_over(color_scale(source, walk->coverage[i]), walk->color[i]);
    }
}

/* Ends a source: what it drew becomes the level, and the content starts. */
static void end_source(tile_walk *walk)
{
    layer_pixels *top = &walk->pixels[walk->depth - 1];
    uint kind = walk->layers[walk->depth - 1].kind;
    uint source = traced_color(walk);
    for (int i = 0; i < TILE_PIXELS; i++) {
        top->level[i] = (uint8_t)mask_level(kind_mode(kind), walk->color[i]);
        walk->color[i] = layer_start(kind, top->level[i], top->destination[i]);
    }
    layer *ended = &walk->layers[walk->depth - 1];
    note_end(walk, PIETRA_PIXEL_ENDS_SOURCE, ended, ended->source_end, source);
    ended->source_end = NONE;
}

/* Returns whether the layer that ends may change a pixel. Clips that are folded bound an unbounded group by its box.
 * What others draw is bounded anyway. */
static bool pixel_is_reached(const tile_walk *walk, int i)
{
    const layer *ended = &walk->layers[walk->depth];
    return !kind_is_unbounded(ended->kind) ||
           box_has_pixel(ended->clip, walk->x * TILE_SIDE + i % TILE_SIDE, walk->y * TILE_SIDE + i / TILE_SIDE);
}

static void end_layer(tile_walk *walk)
{
    if (walk->layers[walk->depth - 1].source_end != NONE)
        end_source(walk);
    const layer_pixels *top = &walk->pixels[--walk->depth];
    uint kind = walk->layers[walk->depth].kind;
    uint content = traced_color(walk);
    for (int i = 0; i < TILE_PIXELS; i++)
        walk->color[i] = pixel_is_reached(walk, i)
                             ? layer_finish(kind, top->level[i], walk->color[i], top->destination[i])
                             : top->destination[i];
    note_end(walk, PIETRA_PIXEL_ENDS, &walk->layers[walk->depth], walk->layers[walk->depth].end, content);
}

/* Closes the layers that ended before this element. */
static void close_layers(tile_walk *walk, uint element)
{
    while (walk->depth > 0) {
        const layer *top = &walk->layers[walk->depth - 1];
        if (element > top->end)
            end_layer(walk);
        else if (top->source_end != NONE && element > top->source_end)
            end_source(walk);
        else
            break;
    }
}

static void begin_levels(const tile_walk *walk, const visible_element *v, uint8_t *levels)
{
    if ((v->kind & ELEMENT_KIND_MASK) == ELEMENT_BEGIN_GROUP)
        memset(levels, (int)v->color, TILE_PIXELS);
    else
        memcpy(levels, walk->coverage, TILE_PIXELS);
}

static void merge_layer(tile_walk *walk, const visible_element *v)
{
    layer_pixels *top = &walk->pixels[walk->depth - 1];
    uint8_t levels[TILE_PIXELS];
    begin_levels(walk, v, levels);
    uint kind = walk->layers[walk->depth - 1].kind;
    for (int i = 0; i < TILE_PIXELS; i++) {
        uint level = divide_255((uint)top->level[i] * levels[i]);
        walk->color[i] = layer_merge(kind, top->level[i], level, walk->color[i]);
        top->level[i] = (uint8_t)level;
    }
    walk->layers[walk->depth - 1].element = v->element;
}

static void begin_layer(tile_walk *walk, const visible_element *v)
{
    layer_pixels *top = &walk->pixels[walk->depth];
    if (v->source_end != NONE)
        memset(top->level, 0, TILE_PIXELS);
    else
        begin_levels(walk, v, top->level);
    for (int i = 0; i < TILE_PIXELS; i++) {
        top->destination[i] = walk->color[i];
        walk->color[i] = v->source_end != NONE ? 0 : layer_start(v->kind, top->level[i], top->destination[i]);
    }
    walk->layers[walk->depth++] = (layer){.begin = v->element,
                                          .element = v->element,
                                          .kind = v->kind,
                                          .end = v->end,
                                          .source_end = v->source_end,
                                          .clip = v->clip};
}

static void walk_command(tile_walk *walk, uint command)
{
    const reference_frame *frame = walk->frame;
    const visible_element *v = &frame->visible[(command & TILE_COMMAND_SOLID) ? command & ~TILE_COMMAND_SOLID
                                                                              : frame->tile_paths[command].visible];
    close_layers(walk, v->element);
    uint open = walk->depth > 0 ? walk->layers[walk->depth - 1].element : NONE;
    if (v->layer != open) {
        note_clipped(walk, v, command);
        return; /* a clip around it has nothing in this tile */
    }
    find_coverage(walk, v, command);
    uint kind = v->kind & ELEMENT_KIND_MASK;
    if (kind != ELEMENT_BEGIN_CLIP && kind != ELEMENT_BEGIN_GROUP) {
        draw(walk, v);
        note_paint(walk, v);
        return;
    }
    if (v->kind & VISIBLE_MERGED)
        merge_layer(walk, v);
    else
        begin_layer(walk, v);
    note_begin(walk, v);
}

static void store(tile_walk *walk)
{
    const frame_config *config = &walk->frame->config;
    for (int i = 0; i < TILE_PIXELS; i++) {
        int x = walk->x * TILE_SIDE + i % TILE_SIDE;
        int y = (walk->y - config->part.y0) * TILE_SIDE + i / TILE_SIDE;
        uint color = walk->color[i];
        walk->frame->pixels[(ptrdiff_t)y * (ptrdiff_t)config->target_pitch + x] =
            config->straight ? color_straight(color) : color;
    }
}

static void draw_tile(tile_walk *walk, uint index)
{
    const frame_config *config = &walk->frame->config;
    const tile *t = &walk->frame->tiles[index];
    config_tile_place(config, index, &walk->x, &walk->y);
    walk->traced = traced_pixel(walk);
    for (int pixel = 0; pixel < TILE_PIXELS; pixel++)
        walk->color[pixel] = config->background;
    for (uint command = 0; command < t->command_count; command++)
        walk_command(walk, walk->frame->tile_commands[t->first_command + command]);
    close_layers(walk, NONE);
    store(walk);
}

/* Workers take tiles in turn. Each pixel belongs to one tile. */
static void draw_tiles(void *user, uint32_t worker, uint32_t count)
{
    tile_walk *walk = (tile_walk *)user + worker;
    for (uint i = worker; i < walk->frame->config.tile_count && !cancel_is_seen(walk->frame->watch); i += count)
        draw_tile(walk, i);
}

static uint deepest(const reference_frame *frame)
{
    uint depth = 0;
    for (uint i = 0; i < frame->config.tile_count; i++)
        depth = frame->tiles[i].depth > depth ? frame->tiles[i].depth : depth;
    return depth;
}

pietra_result reference_10_fine(reference_frame *frame, pietra_error *error)
{
    /* A deep stack of layers is kept only once, since its pixels may take all of the budget. */
    uint depth = deepest(frame);
    uint32_t threads = depth > SHARED_DEPTH ? 1 : parallel_pool_threads(frame->pool);
    pietra_result result;
    layer *layers = NULL;
    layer_pixels *pixels = NULL;
    tile_walk *walks = reference_allocate(frame, threads, sizeof *walks, error, &result);
    if (walks && (layers = reference_allocate(frame, (uint64_t)threads * depth, sizeof *layers, error, &result)) &&
        (pixels = reference_allocate(frame, (uint64_t)threads * depth, sizeof *pixels, error, &result))) {
        for (uint32_t i = 0; i < threads; i++) {
            walks[i].frame = frame;
            walks[i].layers = layers + (size_t)i * depth;
            walks[i].pixels = pixels + (size_t)i * depth;
        }
        parallel_pool_run(frame->pool, threads, draw_tiles, walks);
    }
    free(pixels);
    free(layers);
    free(walks);
    return result;
}
