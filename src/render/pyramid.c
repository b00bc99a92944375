/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The geometry of pyramids of tiles: levels, blocks and names. */
#include "pietra/pietra_pyramid.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"

#define MOST_ENDING 15u

static_assert(PIETRA_MAX_SIDE % PIETRA_PYRAMID_BLOCK == 0, "blocks lie within pictures");
static_assert(PIETRA_PYRAMID_BLOCK % PIETRA_PYRAMID_MOST_TILE == 0, "tiles lie within blocks");
static_assert(PIETRA_PYRAMID_LEAST_TILE % PIETRA_REGION_STEP == 0, "blocks are regions");

static uint32_t tile_of(const pietra_pyramid *pyramid)
{
    return pyramid->tile ? pyramid->tile : PIETRA_PYRAMID_USUAL_TILE;
}

/* ---- Levels ---- */

/* Returns the pixels of the longer side, which may be more than a level may have. */
static double longer_side(const pietra_pyramid *pyramid, uint32_t level)
{
    return ldexp(pyramid->layout == PIETRA_PYRAMID_DZI ? 1 : tile_of(pyramid), (int)level);
}

static double scale_of(const pietra_pyramid *pyramid, uint32_t level)
{
    return longer_side(pyramid, level) / fmax(pyramid->width, pyramid->height);
}

/* Returns a side of a picture: the nearest whole number of pixels, at least 1. */
static double round_side(double length, double scale)
{
    return fmax(1, floor(length * scale + 0.5));
}

static uint32_t side_of(const pietra_pyramid *pyramid, uint32_t level, double length)
{
    if (pyramid->layout == PIETRA_PYRAMID_XYZ)
        return (uint32_t)round_side(length, scale_of(pyramid, level));
    double last = round_side(length, scale_of(pyramid, pyramid->last_level));
    return (uint32_t)ceil(ldexp(last, (int)level - (int)pyramid->last_level));
}

static uint32_t divide_up(uint32_t size, uint32_t step)
{
    return size / step + (size % step != 0);
}

static pietra_pyramid_level make_level(const pietra_pyramid *pyramid, uint32_t level)
{
    uint32_t width = side_of(pyramid, level, pyramid->width), height = side_of(pyramid, level, pyramid->height);

    return (pietra_pyramid_level){
        .scale = scale_of(pyramid, level),
        .width = width,
        .height = height,
        .columns = divide_up(width, tile_of(pyramid)),
        .rows = divide_up(height, tile_of(pyramid)),
        .block_columns = divide_up(width, PIETRA_PYRAMID_BLOCK),
        .block_rows = divide_up(height, PIETRA_PYRAMID_BLOCK),
    };
}

/* ---- Checks ---- */

static bool is_length(double length)
{
    return isfinite(length) && length > 0;
}

static pietra_result check_tile(const pietra_pyramid *pyramid, pietra_error *error)
{
    uint32_t tile = tile_of(pyramid);

    if (tile < PIETRA_PYRAMID_LEAST_TILE || tile > PIETRA_PYRAMID_MOST_TILE || (tile & (tile - 1)) != 0) {
        return error_set(error, PIETRA_ERROR_INPUT, 0, "a tile of %u pixels: a power of two from %u to %u is wanted",
                         tile, PIETRA_PYRAMID_LEAST_TILE, PIETRA_PYRAMID_MOST_TILE);
    }
    return PIETRA_OK;
}

static pietra_result check_levels(const pietra_pyramid *pyramid, pietra_error *error)
{
    uint32_t first = pyramid->first_level, last = pyramid->last_level;

    if (first > last)
        return error_set(error, PIETRA_ERROR_INPUT, 0, "the first level, %u, comes after the last one, %u", first,
                         last);
    if (last > 63 || longer_side(pyramid, last) > PIETRA_PYRAMID_MOST_SIDE) {
        return error_set(error, PIETRA_ERROR_INPUT, 0, "level %u would have more than %u pixels in its longer side",
                         last, PIETRA_PYRAMID_MOST_SIDE);
    }
    return PIETRA_OK;
}

static pietra_result check_count(const pietra_pyramid *pyramid, pietra_error *error, uint64_t *tiles)
{
    uint64_t count = 0;

    for (uint32_t i = pyramid->first_level; i <= pyramid->last_level; i++) {
        pietra_pyramid_level level = make_level(pyramid, i);
        count += (uint64_t)level.columns * level.rows;
    }
    if (count > PIETRA_PYRAMID_MOST_TILES) {
        return error_set(error, PIETRA_ERROR_INPUT, 0, "the pyramid would have %" PRIu64 " tiles; it may have %u",
                         count, PIETRA_PYRAMID_MOST_TILES);
    }
    *tiles = count;
    return PIETRA_OK;
}

static pietra_result check(const pietra_pyramid *pyramid, pietra_error *error, uint64_t *tiles)
{
    if (!pyramid)
        return error_set_null(error, "pyramid");
    pietra_result result = error_check_enumerator(error, "a layout of a pyramid", pyramid->layout, PIETRA_PYRAMID_DZI);
    if (result == PIETRA_OK && (!is_length(pyramid->width) || !is_length(pyramid->height)))
        result =
            error_set(error, PIETRA_ERROR_INPUT, 0, "the drawing's size is %g x %g", pyramid->width, pyramid->height);
    if (result == PIETRA_OK)
        result = check_tile(pyramid, error);
    if (result == PIETRA_OK)
        result = check_levels(pyramid, error);
    return result == PIETRA_OK ? check_count(pyramid, error, tiles) : result;
}

pietra_result pietra_pyramid_count(const pietra_pyramid *pyramid, pietra_error *error, uint64_t *tiles)
{
    uint64_t count;

    if (!tiles)
        return error_set_null(error, "tiles");
    pietra_result result = check(pyramid, error, &count);
    if (result == PIETRA_OK)
        *tiles = count;
    return result;
}

static pietra_result find_level(const pietra_pyramid *pyramid, uint32_t level, pietra_error *error,
                                pietra_pyramid_level *found)
{
    uint64_t tiles;
    pietra_result result = check(pyramid, error, &tiles);

    if (result != PIETRA_OK)
        return result;
    if (level < pyramid->first_level || level > pyramid->last_level)
        return error_set(error, PIETRA_ERROR_INPUT, 0, "the pyramid has no level %u", level);
    *found = make_level(pyramid, level);
    return PIETRA_OK;
}

pietra_result pietra_pyramid_find_level(const pietra_pyramid *pyramid, uint32_t level, pietra_error *error,
                                        pietra_pyramid_level *found)
{
    return found ? find_level(pyramid, level, error, found) : error_set_null(error, "found");
}

/* ---- Blocks ---- */

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Where a block lies along one axis of its level. */
typedef struct stretch {
    uint32_t start;        /* of the picture in the level, pixels */
    uint32_t picture;      /* size of the picture */
    uint32_t at, size;     /* of the block in the picture */
    uint32_t full;         /* what its tiles take */
    uint32_t first, tiles; /* of tiles in the level */
} stretch;

static stretch find_stretch(const pietra_pyramid *pyramid, uint32_t side, uint32_t block)
{
    uint32_t tile = tile_of(pyramid), at = block * PIETRA_PYRAMID_BLOCK, start = at - at % PIETRA_MAX_SIDE,
             size = least(PIETRA_PYRAMID_BLOCK, side - at), tiles = divide_up(size, tile);

    return (stretch){
        .start = start,
        .picture = least(PIETRA_MAX_SIDE, side - start),
        .at = at - start,
        .size = size,
        .full = pyramid->layout == PIETRA_PYRAMID_XYZ ? tiles * tile : size,
        .first = at / tile,
        .tiles = tiles,
    };
}

pietra_result pietra_pyramid_find_block(const pietra_pyramid *pyramid, uint32_t level, uint64_t block,
                                        pietra_error *error, pietra_pyramid_block *found)
{
    pietra_pyramid_level in;

    if (!found)
        return error_set_null(error, "found");
    pietra_result result = find_level(pyramid, level, error, &in);
    if (result != PIETRA_OK)
        return result;
    if (block >= (uint64_t)in.block_columns * in.block_rows)
        return error_set(error, PIETRA_ERROR_INPUT, 0, "level %u has no block %" PRIu64, level, block);
    stretch x = find_stretch(pyramid, in.width, (uint32_t)(block % in.block_columns)),
            y = find_stretch(pyramid, in.height, (uint32_t)(block / in.block_columns));
    *found = (pietra_pyramid_block){
        .transform = {.a = in.scale, .d = in.scale, .e = -(double)x.start, .f = -(double)y.start},
        .region = {.x = x.at, .y = y.at, .picture_width = x.picture, .picture_height = y.picture},
        .width = x.size,
        .height = y.size,
        .column = x.first,
        .row = y.first,
        .columns = x.tiles,
        .rows = y.tiles,
        .full_width = x.full,
        .full_height = y.full,
    };
    return PIETRA_OK;
}

/* ---- Names ---- */

static pietra_result check_ending(const char *ending, pietra_error *error)
{
    if (!ending)
        return error_set_null(error, "ending");
    size_t plain = strspn(ending, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789");
    if (plain == 0 || plain > MOST_ENDING || ending[plain]) {
        return error_set(error, PIETRA_ERROR_INPUT, 0, "an ending of files has 1 to %u letters and digits",
                         MOST_ENDING);
    }
    return PIETRA_OK;
}

pietra_result pietra_pyramid_name_tile(const pietra_pyramid *pyramid, uint32_t level, uint32_t column, uint32_t row,
                                       const char *ending, pietra_error *error, char text[PIETRA_PYRAMID_TEXT_BYTES])
{
    pietra_pyramid_level in;

    if (!text)
        return error_set_null(error, "text");
    pietra_result result = find_level(pyramid, level, error, &in);
    if (result == PIETRA_OK)
        result = check_ending(ending, error);
    if (result != PIETRA_OK)
        return result;
    if (column >= in.columns || row >= in.rows)
        return error_set(error, PIETRA_ERROR_INPUT, 0, "level %u has no tile %u, %u", level, column, row);
    if (pyramid->layout == PIETRA_PYRAMID_XYZ)
        snprintf(text, PIETRA_PYRAMID_TEXT_BYTES, "%u/%u/%u.%s", level, column, row, ending);
    else
        snprintf(text, PIETRA_PYRAMID_TEXT_BYTES, "tiles_files/%u/%u_%u.%s", level, column, row, ending);
    return PIETRA_OK;
}

pietra_result pietra_pyramid_describe(const pietra_pyramid *pyramid, const char *ending, pietra_error *error,
                                      char text[PIETRA_PYRAMID_TEXT_BYTES])
{
    pietra_pyramid_level last;

    if (!text)
        return error_set_null(error, "text");
    pietra_result result =
        pyramid ? find_level(pyramid, pyramid->last_level, error, &last) : error_set_null(error, "pyramid");
    if (result == PIETRA_OK)
        result = check_ending(ending, error);
    if (result == PIETRA_OK && pyramid->layout != PIETRA_PYRAMID_DZI)
        result = error_set(error, PIETRA_ERROR_INPUT, 0, "only a pyramid of Deep Zoom has a description");
    if (result != PIETRA_OK)
        return result;
    snprintf(
        text, PIETRA_PYRAMID_TEXT_BYTES,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<Image xmlns=\"http://schemas.microsoft.com/deepzoom/2008\" Format=\"%s\" Overlap=\"0\" TileSize=\"%u\">\n"
        "  <Size Width=\"%u\" Height=\"%u\"/>\n</Image>\n",
        ending, tile_of(pyramid), last.width, last.height);
    return PIETRA_OK;
}
