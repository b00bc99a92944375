/* 10 fine: the pixels. Each tile walks its entries in paint order: coverage, paint, blend.
 *
 * Reads tiles, tile_entries, runs, visible, masks, lines, the stream's paints and texels; writes pixels. Clips and groups are intervals
 * of elements: a layer is closed when the walk has passed its end. A layer keeps what was below it and a level, 0 to 255, for each pixel:
 * a clip's coverage, a group's opacity. Where the level is full a layer in which nothing blends changes nothing and is drawn through. */
#include "base/parallel.h"
#include "lib/blend.h"
#include "lib/coverage.h"
#include "lib/element.h"
#include "lib/image_sample.h"
#include "lib/paint.h"
#include "render/reference/coverage.h"
#include "render/reference/reference.h"

#include <stdlib.h>
#include <string.h>

/* Layers up to which each thread has a stack of its own. */
#define SHARED_DEPTH 64u

typedef struct layer_pixels {
    uint below[TILE_PIXELS];
    uint8_t level[TILE_PIXELS];
} layer_pixels;

typedef struct layer {
    uint element;              /* the begin whose content is being drawn */
    uint kind;                 /* of the begin that opened it, with flags */
    uint end;
    uint source_end;           /* NONE once the source has become the level */
} layer;

typedef struct tile_walk {
    const reference_frame *frame;
    int x, y;                  /* tile */
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
    const stream_level *levels = reference_stream_levels(frame) + paint->first_stop;
    return image_sample(reference_stream_texels(frame), m, print, levels[0], levels[print.level], *paint, x, y);
}

static uint paint_pixel(const reference_frame *frame, const visible_element *v, int x, int y)
{
    if (v->paint == NONE) {
        return v->color;
    }
    const stream_paint *paint = &reference_stream_paints(frame)[v->paint];
    if (paint->kind == PAINT_IMAGE) {
        return image_pixel(frame, v, paint, x, y);
    }
    gradient_offset offset = gradient_at(*paint, v->ga, v->gb, v->gc, v->gd, v->ge, v->gf, x, y);
    if (!offset.valid) {
        return 0;
    }
    const stream_stop *stops = reference_stream_stops(frame) + paint->first_stop;
    uint low = 0;
    uint high = paint->stop_count;
    while (high - low > 1) {
        uint middle = (low + high) / 2;
        if (stops[middle].offset <= offset.t) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return gradient_color(stops[low], offset.t, paint->opacity);
}

static void find_levels(const reference_frame *frame, uint entry, uint8_t *levels)
{
    if (entry & ENTRY_SOLID) {
        memset(levels, 255, TILE_PIXELS);
        return;
    }
    const run *r = &frame->runs[entry];
    if (r->mask == NONE) {
        reference_coverage(frame, r, levels);
        return;
    }
    for (int i = 0; i < TILE_PIXELS; i++) {
        levels[i] = (uint8_t)(frame->masks[r->mask * (TILE_PIXELS / 4) + (uint)i / 4] >> (8 * (i % 4)));
    }
}

static void find_coverage(tile_walk *walk, const visible_element *v, uint entry)
{
    int left = walk->x * TILE_SIDE;
    int top = walk->y * TILE_SIDE;
    find_levels(walk->frame, entry, walk->coverage);
    for (int i = 0; i < TILE_PIXELS; i++) {
        walk->coverage[i] = (uint8_t)crisp_level(v->kind, walk->coverage[i]);
    }
    if (box_has_pixel(v->clip, left, top) && box_has_pixel(v->clip, left + TILE_SIDE - 1, top + TILE_SIDE - 1)) {
        return;
    }
    for (int i = 0; i < TILE_PIXELS; i++) {
        if (!box_has_pixel(v->clip, left + i % TILE_SIDE, top + i / TILE_SIDE)) {
            walk->coverage[i] = 0;
        }
    }
}

static void draw(tile_walk *walk, const visible_element *v)
{
    for (int i = 0; i < TILE_PIXELS; i++) {
        if (walk->coverage[i] == 0) {
            continue;
        }
        uint source = paint_pixel(walk->frame, v, walk->x * TILE_SIDE + i % TILE_SIDE, walk->y * TILE_SIDE + i / TILE_SIDE);
        walk->color[i] = color_over(color_scale(source, walk->coverage[i]), walk->color[i]);
    }
}

/* What the source drew becomes the level, and the content starts. */
static void end_source(tile_walk *walk)
{
    layer_pixels *top = &walk->pixels[walk->depth - 1];
    uint kind = walk->layers[walk->depth - 1].kind;
    for (int i = 0; i < TILE_PIXELS; i++) {
        top->level[i] = (uint8_t)mask_level(kind_mode(kind), walk->color[i]);
        walk->color[i] = layer_start(kind, top->level[i], top->below[i]);
    }
    walk->layers[walk->depth - 1].source_end = NONE;
}

static void end_layer(tile_walk *walk)
{
    if (walk->layers[walk->depth - 1].source_end != NONE) {
        end_source(walk);
    }
    const layer_pixels *top = &walk->pixels[--walk->depth];
    uint kind = walk->layers[walk->depth].kind;
    for (int i = 0; i < TILE_PIXELS; i++) {
        walk->color[i] = layer_finish(kind, top->level[i], walk->color[i], top->below[i]);
    }
}

/* Closes what ended before this element. */
static void close_layers(tile_walk *walk, uint element)
{
    while (walk->depth > 0) {
        const layer *top = &walk->layers[walk->depth - 1];
        if (element > top->end) {
            end_layer(walk);
        } else if (top->source_end != NONE && element > top->source_end) {
            end_source(walk);
        } else {
            break;
        }
    }
}

static void begin_levels(const tile_walk *walk, const visible_element *v, uint8_t *levels)
{
    if ((v->kind & ELEMENT_KIND_MASK) == ELEMENT_BEGIN_GROUP) {
        memset(levels, (int)v->color, TILE_PIXELS);
    } else {
        memcpy(levels, walk->coverage, TILE_PIXELS);
    }
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
    if (v->source_end != NONE) {
        memset(top->level, 0, TILE_PIXELS);
    } else {
        begin_levels(walk, v, top->level);
    }
    for (int i = 0; i < TILE_PIXELS; i++) {
        top->below[i] = walk->color[i];
        walk->color[i] = v->source_end != NONE ? 0 : layer_start(v->kind, top->level[i], top->below[i]);
    }
    walk->layers[walk->depth++] = (layer){.element = v->element, .kind = v->kind, .end = v->end, .source_end = v->source_end};
}

static void walk_entry(tile_walk *walk, uint entry)
{
    const reference_frame *frame = walk->frame;
    const visible_element *v = &frame->visible[(entry & ENTRY_SOLID) ? entry & ~ENTRY_SOLID : frame->runs[entry].visible];
    close_layers(walk, v->element);
    uint open = walk->depth > 0 ? walk->layers[walk->depth - 1].element : NONE;
    if (v->layer != open) {
        return; /* a clip around it has nothing in this tile */
    }
    find_coverage(walk, v, entry);
    uint kind = v->kind & ELEMENT_KIND_MASK;
    if (kind != ELEMENT_BEGIN_CLIP && kind != ELEMENT_BEGIN_GROUP) {
        draw(walk, v);
    } else if (v->merged) {
        merge_layer(walk, v);
    } else {
        begin_layer(walk, v);
    }
}

static void store(tile_walk *walk)
{
    const frame_config *config = &walk->frame->config;
    for (int i = 0; i < TILE_PIXELS; i++) {
        int x = walk->x * TILE_SIDE + i % TILE_SIDE;
        int y = (walk->y - config->part.y0) * TILE_SIDE + i / TILE_SIDE;
        uint color = walk->color[i];
        walk->frame->pixels[(uint)y * config->target_pitch + (uint)x] = config->straight ? color_straight(color) : color;
    }
}

static void draw_tile(tile_walk *walk, uint index)
{
    const frame_config *config = &walk->frame->config;
    const tile *t = &walk->frame->tiles[index];
    walk->x = config->part.x0 + (int)(index % config->tile_pitch);
    walk->y = config->part.y0 + (int)(index / config->tile_pitch);
    for (int pixel = 0; pixel < TILE_PIXELS; pixel++) {
        walk->color[pixel] = config->background;
    }
    for (uint entry = 0; entry < t->entry_count; entry++) {
        walk_entry(walk, walk->frame->tile_entries[t->first_entry + entry]);
    }
    close_layers(walk, NONE);
    store(walk);
}

/* Workers take tiles in turn: a pixel belongs to one tile. */
static void draw_tiles(void *user, uint32_t worker, uint32_t count)
{
    tile_walk *walk = (tile_walk *)user + worker;
    for (uint i = worker; i < walk->frame->config.tile_count; i += count) {
        draw_tile(walk, i);
    }
}

static uint deepest(const reference_frame *frame)
{
    uint depth = 0;
    for (uint i = 0; i < frame->config.tile_count; i++) {
        depth = frame->tiles[i].depth > depth ? frame->tiles[i].depth : depth;
    }
    return depth;
}

pietra_result reference_10_fine(reference_frame *frame, pietra_error *error)
{
    /* A deep stack of layers is kept once: its pixels may take all of the budget. */
    uint depth = deepest(frame);
    uint32_t threads = depth > SHARED_DEPTH ? 1 : parallel_pool_threads(frame->pool);
    pietra_result result;
    layer *layers = NULL;
    layer_pixels *pixels = NULL;
    tile_walk *walks = reference_allocate(frame, threads, sizeof *walks, error, &result);
    if (walks != NULL && (layers = reference_allocate(frame, (uint64_t)threads * depth, sizeof *layers, error, &result)) != NULL &&
        (pixels = reference_allocate(frame, (uint64_t)threads * depth, sizeof *pixels, error, &result)) != NULL) {
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
