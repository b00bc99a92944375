/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Counts what the stages make in each tile, and gives counts colours, as pietra_explain.h promises. */
#include <string.h>

#include "base/error.h"
#include "pietra/pietra_explain.h"
#include "render/device.h"
#include "render/frame/config.h"
#include "render/heatmap_scene.h"
#include "render/reference/reference.h"
#include "render/reference/reference_renderer.h"

/* The budget that the CPU device and the reference have if nothing is asked for. Counting takes no more on a GPU that
 * has more, so that frames are counted in the same parts everywhere. */
#define MOST_BYTES ((uint64_t)1 << 30)

_Static_assert(PIETRA_TILE_SIDE == TILE_SIDE, "the header has the pipeline's tiles");

static const char *const names[] = {
    [PIETRA_HEATMAP_LINES] = "lines",
    [PIETRA_HEATMAP_TILE_LINES] = "tile_lines",
    [PIETRA_HEATMAP_TILE_COMMANDS] = "tile_commands",
    [PIETRA_HEATMAP_LAYERS] = "layers",
};
#define KIND_COUNT (sizeof names / sizeof names[0])

const char *pietra_heatmap_name(pietra_heatmap_kind kind)
{
    return (unsigned)kind < KIND_COUNT ? names[kind] : NULL;
}

/* ---- Counting ---- */

typedef struct tile_counts {
    tile_box tiles; /* the whole frame's */
    pietra_heatmap_kind kind;
    uint32_t *counts;
    uint64_t in_none;
} tile_counts;

static void add(tile_counts *counts, int column, int row, uint32_t count)
{
    const tile_box *tiles = &counts->tiles;
    counts->counts[(size_t)(row - tiles->y0) * (size_t)(tiles->x1 - tiles->x0) + (size_t)(column - tiles->x0)] += count;
}

/* Begins of groups have a line left of their box, so it is in no tile. */
static void add_lines(tile_counts *counts, const reference_frame *frame)
{
    for (uint i = 0; i < frame->counters.line_count; i++) {
        const line *line = &frame->lines[i];
        const tile_box box = frame->visible[line->visible_sign >> 1].box;
        int column = line->x0 >> TILE_SHIFT_SUBPIXELS, row = line->y0 >> TILE_SHIFT_SUBPIXELS;
        if (column >= box.x0 && column < box.x1 && row >= box.y0 && row < box.y1)
            add(counts, column, row, 1);
        else
            counts->in_none++;
    }
}

/* A tile_path left of its element's box is in none. */
static void add_tile_lines(tile_counts *counts, const reference_frame *frame)
{
    for (uint i = 0; i < frame->counters.tile_path_count; i++) {
        const tile_path *path = &frame->tile_paths[i];
        if (path->x >= frame->visible[path->visible].box.x0)
            add(counts, path->x, path->y, path->tile_line_count);
        else
            counts->in_none += path->tile_line_count;
    }
}

static void add_tiles(tile_counts *counts, const reference_frame *frame)
{
    for (uint i = 0; i < frame->config.tile_count; i++) {
        const tile *tile = &frame->tiles[i];
        int x, y;
        config_tile_place(&frame->config, i, &x, &y);
        add(counts, x, y, counts->kind == PIETRA_HEATMAP_LAYERS ? tile->depth : tile->command_count);
    }
}

static void add_part(void *user, const reference_frame *frame)
{
    tile_counts *counts = user;
    if (counts->kind == PIETRA_HEATMAP_LINES)
        add_lines(counts, frame);
    else if (counts->kind == PIETRA_HEATMAP_TILE_LINES)
        add_tile_lines(counts, frame);
    else
        add_tiles(counts, frame);
}

static void sum_up(pietra_heatmap *map)
{
    for (size_t i = 0; i < (size_t)map->columns * map->rows; i++) {
        map->most = map->counts[i] > map->most ? map->counts[i] : map->most;
        map->sum += map->kind == PIETRA_HEATMAP_LAYERS ? 0 : map->counts[i];
    }
}

static pietra_result check_arguments(const pietra_device *device, const pietra_stream *stream, pietra_heatmap_kind kind,
                                     const uint32_t *counts, const pietra_heatmap *map, pietra_error *error)
{
    if (!device || !stream)
        return error_set_null(error, !device ? "device" : "stream");
    if (!counts || !map)
        return error_set_null(error, !counts ? "counts" : "map");
    return error_check_enumerator(error, "a heat map's kind", kind, KIND_COUNT - 1);
}

static pietra_result count_tiles(pietra_device *device, const pietra_stream *stream, const pietra_frame *frame,
                                 const pietra_target *target, pietra_heatmap_kind kind, pietra_error *error,
                                 uint32_t *counts, pietra_heatmap *map)
{
    frame_config config;
    cancel_watch watch = {.canceller = frame ? frame->canceller : NULL};
    pietra_result result = check_arguments(device, stream, kind, counts, map, error);
    if (result == PIETRA_OK)
        result = config_of_frame(frame, target, error, &config);
    if (result != PIETRA_OK)
        return result;
    part_budget budget = device_budget(device, &watch);
    result = device_hold_images(device, stream, frame, &config, &budget, error, &stream);
    if (result != PIETRA_OK)
        return result;
    const tile_box tiles = config.part;
    pietra_heatmap made = {.kind = kind,
                           .width = target->width,
                           .height = target->height,
                           .columns = (uint32_t)(tiles.x1 - tiles.x0),
                           .rows = (uint32_t)(tiles.y1 - tiles.y0),
                           .counts = counts};
    tile_counts counting = {.tiles = tiles, .kind = kind, .counts = counts};
    memset(counts, 0, sizeof *counts * made.columns * made.rows);
    part_budget own = part_budget_of(budget.bytes < MOST_BYTES ? budget.bytes : MOST_BYTES);
    own.watch = &watch;
    result = reference_visit_tiles(stream, &config, &own, add_part, &counting, error);
    if (result != PIETRA_OK)
        return result;
    made.in_none = counting.in_none;
    sum_up(&made);
    *map = made;
    return PIETRA_OK;
}

pietra_result pietra_heatmap_count(pietra_device *device, const pietra_stream *stream, const pietra_frame *frame,
                                   uint32_t width, uint32_t height, pietra_heatmap_kind kind, pietra_error *error,
                                   uint32_t *counts, pietra_heatmap *map)
{
    const pietra_target target = {.width = width, .height = height};
    pietra_error own = {.result = PIETRA_OK};
    return error_pass_on(error, count_tiles(device, stream, frame, &target, kind, &own, counts, map), &own);
}

/* ---- Colours ----
 *
 * Few tiles have the largest counts. In the five drawings by others of docs/performance.md half of the tiles that hold
 * any tile_lines would lie in the darkest tenth of a linear scale; on the logarithmic one they reach up to 0.21 to 0.46
 * of it. */

/* Returns 256 times the logarithm to base 2, which is linear between powers of two. `number` is at least 1. */
static uint64_t log2_256(uint64_t number)
{
    unsigned exponent = 0;
    while (number >> exponent > 1)
        exponent++;
    return 256u * exponent + (number << 8 >> exponent) - 256;
}

double heatmap_place(uint32_t count, uint32_t most)
{
    uint64_t all = log2_256((uint64_t)most + 1), own = log2_256((uint64_t)count + 1);
    return own < all ? (double)own / (double)all : most > 0;
}

void heatmap_color_at(uint32_t level, uint8_t color[4])
{
    color[0] = (uint8_t)((510 * level - level * level) / 255);
    color[1] = (uint8_t)(level * level / 255);
    color[2] = (uint8_t)((2 * 255 * 255 + 10 * 255 * level - 11 * level * level) / (8 * 255));
    color[3] = 255;
}

void pietra_heatmap_color(uint32_t count, uint32_t most, uint8_t color[4])
{
    if (color)
        heatmap_color_at((uint32_t)(heatmap_place(count, most) * (HEATMAP_COLORS - 1) + 0.5), color);
}
