/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "tiles.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "encoding.h"
#include "file.h"
#include "fonts.h"
#include "picture.h"
#include "progress.h"
#include "sandbox.h"
#include "sources.h"
#include "temporary.h"

/* What all blocks have in common. */
typedef struct tiles {
    device *device;
    const options *options;
    pietra_pyramid pyramid;
    uint32_t tile; /* pixels in a side */
    const pietra_stream *stream;
} tiles;

/* A block, and those of its tiles that are to be written. */
typedef struct block {
    const tiles *tiles;
    uint32_t level;
    pietra_pyramid_block place;
    uint32_t *wanted; /* numbers of tiles in the block, row by row */
    size_t count;
    png_canvas canvas;
    atomic_size_t next;
    _Atomic status end; /* STATUS_DRAWN, or the failure that ends the work */
} block;

/* ---- Names ---- */

/* Returns the path of a file below the folder of --tiles, which the caller frees. NULL: out of memory. */
static char *join(const tiles *tiles, const char *name)
{
    const char *folder = tiles->options->tiles;
    size_t room = strlen(folder) + strlen(name) + 2;
    char *path = malloc(room);

    if (path)
        snprintf(path, room, "%s/%s", folder, name);
    else
        report_memory(tiles->options->inputs[0]);
    return path;
}

static const char *ending_of(const tiles *tiles)
{
    return format_ending(tiles->options->format);
}

/* Returns the path of a tile of the block, which the caller frees. NULL: out of memory. */
static char *tile_path(const block *block, uint32_t tile)
{
    const tiles *tiles = block->tiles;
    const pietra_pyramid_block *place = &block->place;
    char name[PIETRA_PYRAMID_TEXT_BYTES];
    pietra_error error;

    if (pietra_pyramid_name_tile(&tiles->pyramid, block->level, place->column + tile % place->columns,
                                 place->row + tile / place->columns, ending_of(tiles), &error, name) == PIETRA_OK)
        return join(tiles, name);
    report_error(tiles->options->inputs[0], &error);
    return NULL;
}

/* ---- Tiles ---- */

/* Copies the pixels of a tile. Returns false if memory is short. */
static bool cut_tile(const block *block, uint32_t tile, png_canvas *canvas)
{
    const pietra_pyramid_block *place = &block->place;
    uint32_t side = block->tiles->tile, x = tile % place->columns * side, y = tile / place->columns * side,
             width = place->full_width - x < side ? place->full_width - x : side,
             height = place->full_height - y < side ? place->full_height - y : side;

    if (!png_canvas_create(canvas, width, height))
        return false;
    for (uint32_t row = 0; row < height; row++)
        memcpy(canvas->pixels + 4 * (size_t)row * width,
               block->canvas.pixels + 4 * ((size_t)(y + row) * place->full_width + x), 4 * (size_t)width);
    return true;
}

static status write_cut(const options *options, const png_canvas *canvas, const char *path)
{
    const encoding encoding = {.format = options->format,
                               .canvas = canvas,
                               .compression = options->compression,
                               .quality = options->quality,
                               .threads = 1};
    file_output output;
    status result = sources_spare(options, &path, 1);

    if (result == STATUS_DRAWN)
        result = file_output_open(&output, path);
    return result == STATUS_DRAWN ? encoding_write(&encoding, &output) : result;
}

static status write_tile(const block *block, uint32_t tile)
{
    const options *options = block->tiles->options;
    char *path = tile_path(block, tile);
    png_canvas canvas = {0};
    status result = STATUS_BUDGET;

    if (path)
        result = cut_tile(block, tile, &canvas) ? write_cut(options, &canvas, path) : report_memory(path);
    png_canvas_destroy(&canvas);
    free(path);
    return result;
}

static void write_share(void *user, uint32_t worker, uint32_t count)
{
    block *block = user;
    size_t index;

    (void)worker;
    (void)count;
    while (atomic_load(&block->end) == STATUS_DRAWN && (index = atomic_fetch_add(&block->next, 1)) < block->count) {
        status result = write_tile(block, block->wanted[index]);
        if (result != STATUS_DRAWN)
            atomic_store(&block->end, result);
    }
}

/* ---- Blocks ---- */

/* Lists the tiles that are to be written, and makes their folders. */
static status list_wanted(block *block)
{
    const tiles *tiles = block->tiles;
    uint32_t columns = block->place.columns, all = columns * block->place.rows;
    status result = STATUS_DRAWN;

    block->wanted = malloc(all * sizeof *block->wanted);
    if (!block->wanted)
        return report_memory(tiles->options->inputs[0]);
    for (uint32_t i = 0; i < all && result == STATUS_DRAWN; i++) {
        char *path = tile_path(block, i);
        if (!path)
            return STATUS_BUDGET;
        if (!tiles->options->skip_existing || !file_is_there(path))
            block->wanted[block->count++] = i;
        if (i < columns) { /* the tiles below lie in the same folders */
            *strrchr(path, '/') = '\0';
            result = file_make_folder(path);
        }
        free(path);
    }
    return result;
}

static status draw_pixels(block *block)
{
    const tiles *tiles = block->tiles;
    const options *options = tiles->options;
    const pietra_pyramid_block *place = &block->place;
    const pietra_frame frame = {.transform = place->transform,
                                .background = picture_background(options, options->format),
                                .region = place->region};
    pietra_error error;

    if (!png_canvas_create(&block->canvas, place->full_width, place->full_height))
        return report_memory(options->inputs[0]);
    /* What lies beyond the picture is transparent or, where there is no alpha, white. */
    if (place->full_width > place->width || place->full_height > place->height)
        memset(block->canvas.pixels, options->format == FORMAT_JPEG ? UINT8_MAX : 0,
               4 * (size_t)place->full_width * place->full_height);
    const pietra_target target = {.width = place->width,
                                  .height = place->height,
                                  .pixels = block->canvas.pixels,
                                  .stride_bytes = 4 * (size_t)place->full_width,
                                  .may_spoil = true};
    return pietra_render(tiles->device->handle, tiles->stream, &frame, &target, &error, NULL) == PIETRA_OK
               ? STATUS_DRAWN
               : report_error(options->inputs[0], &error);
}

static status draw_block(block *block)
{
    status result = list_wanted(block);

    if (result == STATUS_DRAWN && block->count > 0) {
        result = draw_pixels(block);
        if (result == STATUS_DRAWN) {
            parallel_run(parallel_workers(block->tiles->options->device.threads, block->count), write_share, block);
            result = atomic_load(&block->end);
        }
    }
    png_canvas_destroy(&block->canvas);
    free(block->wanted);
    return result;
}

/* ---- Levels ---- */

static uint64_t count_blocks(const pietra_pyramid_level *level)
{
    return (uint64_t)level->block_columns * level->block_rows;
}

static status draw_level(const tiles *tiles, uint32_t level)
{
    pietra_pyramid_level found;
    pietra_error error;
    status result = STATUS_DRAWN;

    if (pietra_pyramid_find_level(&tiles->pyramid, level, &error, &found) != PIETRA_OK)
        return report_error(tiles->options->inputs[0], &error);
    for (uint64_t i = 0; i < count_blocks(&found) && result == STATUS_DRAWN; i++) {
        block block = {.tiles = tiles, .level = level};
        if (pietra_pyramid_find_block(&tiles->pyramid, level, i, &error, &block.place) != PIETRA_OK)
            return report_error(tiles->options->inputs[0], &error);
        result = draw_block(&block);
        progress_step("blocks of tiles");
    }
    return result;
}

/* The description comes last: where it is there, all tiles are. */
static status describe(const tiles *tiles)
{
    char text[PIETRA_PYRAMID_TEXT_BYTES];
    pietra_error error;
    file_output output;

    if (tiles->pyramid.layout != PIETRA_PYRAMID_DZI)
        return STATUS_DRAWN;
    if (pietra_pyramid_describe(&tiles->pyramid, ending_of(tiles), &error, text) != PIETRA_OK)
        return report_error(tiles->options->inputs[0], &error);
    char *path = join(tiles, PIETRA_PYRAMID_DESCRIPTION);
    status result = path ? file_output_open(&output, path) : STATUS_BUDGET;
    if (result == STATUS_DRAWN) {
        file_output_write(&output, text, strlen(text));
        result = file_output_finish(&output);
    }
    free(path);
    return result;
}

static status draw_levels(const tiles *tiles)
{
    uint64_t blocks = 0;
    pietra_error error;
    status result = STATUS_DRAWN;

    for (uint32_t i = tiles->pyramid.first_level; i <= tiles->pyramid.last_level; i++) {
        pietra_pyramid_level level;
        if (pietra_pyramid_find_level(&tiles->pyramid, i, &error, &level) != PIETRA_OK)
            return report_error(tiles->options->inputs[0], &error);
        blocks += count_blocks(&level);
    }
    progress_start(!tiles->options->quiet, blocks);
    for (uint32_t i = tiles->pyramid.first_level; i <= tiles->pyramid.last_level && result == STATUS_DRAWN; i++)
        result = draw_level(tiles, i);
    progress_stop();
    return result == STATUS_DRAWN ? describe(tiles) : result;
}

/* ---- The document ---- */

static status draw_document(device *device)
{
    const options *options = device->options;
    tiles tiles = {.device = device,
                   .options = options,
                   .pyramid = options->pyramid,
                   .tile = options->pyramid.tile ? options->pyramid.tile : PIETRA_PYRAMID_USUAL_TILE};
    pietra_stream *stream = NULL;
    pietra_error error;
    uint64_t count;
    status result = picture_load(device, options->inputs[0], &stream, &tiles.pyramid.width, &tiles.pyramid.height);

    if (result == STATUS_DRAWN && pietra_pyramid_count(&tiles.pyramid, &error, &count) != PIETRA_OK)
        result = report_error(options->inputs[0], &error);
    tiles.stream = stream;
    if (result == STATUS_DRAWN)
        result = device_open(device);
    if (result == STATUS_DRAWN)
        result = sources_keep(options);
    if (result == STATUS_DRAWN)
        result = draw_levels(&tiles);
    sources_release();
    pietra_stream_destroy(stream);
    return result;
}

status tiles_draw(device *device)
{
    const options *options = device->options;
    status result = file_make_folder(options->tiles);

    if (result == STATUS_DRAWN)
        result = device_open_gpu(device);
    if (result == STATUS_DRAWN) {
        if (!options->no_sandbox)
            temporary_write_only(options->tiles);
        sandbox_enter(options, &(sandbox_needs){.inputs = options->inputs, .input_count = 1, .gpu = device->on_gpu});
        result = fonts_open(options, &device->fonts);
    }
    return result == STATUS_DRAWN ? draw_document(device) : result;
}
