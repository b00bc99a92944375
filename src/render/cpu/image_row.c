/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/cpu/image_row.h"

#include <stdlib.h>
#include <string.h>

#include "lib/image_sample.h"

/* Bits of a place in one direction: 256ths of a texel of the largest side. */
#define PLACE_BITS 24
_Static_assert((PIETRA_MAX_IMAGE_SIDE + 1u) * TEXEL_UNIT <= 1u << PLACE_BITS, "a place fits");

#define ENTRIES ((size_t)1 << IMAGE_MEMO_BITS)

void image_memo_begin(image_memo *memo)
{
    memo->element = NONE;
}

void image_memo_free(image_memo *memo)
{
    free(memo->entries);
    *memo = (image_memo){.round = 0};
}

/* Starts a new round, of which no entry is yet. */
static void start_round(image_memo *memo, uint32_t element)
{
    memo->round++;
    if (!memo->entries) {
        memo->entries = calloc(ENTRIES, sizeof *memo->entries);
        memo->round = 1;
    } else if (memo->round == 0) {
        memset(memo->entries, 0, ENTRIES * sizeof *memo->entries);
        memo->round = 1;
    }
    memo->element = element;
}

static uint32_t color_remembered(image_memo *memo, const cpu_image *image, image_place place)
{
    uint64_t key = (uint64_t)memo->round << 2 * PLACE_BITS | (uint64_t)(uint)place.v << PLACE_BITS | (uint)place.u;
    uint32_t hash = (uint32_t)place.u * 0x9e3779b1u + (uint32_t)place.v * 0x85ebca6bu;
    uint32_t slot = hash >> (32 - IMAGE_MEMO_BITS);
    if (memo->entries[slot].key != key) {
        memo->entries[slot].key = key;
        memo->entries[slot].color = image_color(image->texels, image->print, image->level, *image->paint, place);
    }
    return memo->entries[slot].color;
}

static void shade_repeated(image_memo *memo, const cpu_image *image, int x, int y, int count, const uint8_t *levels,
                           uint32_t *colors)
{
    const bool is_level = image->map.b == 0.0f; /* all places of a row have the same v */
    const stream_mip_level whole = image->whole;
    const uint spread = image->paint->spread;
    image_place place = image_place_of(image->map, image->print, whole, spread, x, y);
    for (int i = 0; i < count; i++) {
        colors[i] = 0;
        if (levels[i] == 0)
            continue;
        if (is_level) {
            place.u = image_position(image->map.a, image->map.c, image->map.e, x + i, y, whole.width, spread) >>
                      image->print.mip_level;
        } else {
            place = image_place_of(image->map, image->print, whole, spread, x + i, y);
        }
        colors[i] = color_remembered(memo, image, place);
    }
}

static void shade_once(const cpu_image *image, int x, int y, int count, const uint8_t *levels, uint32_t *colors)
{
    for (int i = 0; i < count; i++) {
        colors[i] = levels[i] == 0 ? 0u
                                   : image_sample(image->texels, image->map, image->print, image->whole, image->level,
                                                  *image->paint, x + i, y);
    }
}

/* Places of copied texels are at least a quarter away from their edges, and float operations on them are off by less:
 * all numbers stay below this. */
#define COPIED_MOST 131072.0f

static bool is_well_inside(int place)
{
    return int_abs((place & (TEXEL_UNIT - 1)) - TEXEL_UNIT / 2) <= TEXEL_UNIT / 4;
}

/* Copies a row that shows one texel a pixel, as those of effects do. Returns false if this one may not. Places are
 * linear along the row, so if the first and the last pixel have texels so far from one another, all others do. */
static bool copy_row(const cpu_image *image, int x, int y, int count, uint32_t *colors)
{
    const affine *map = &image->map;
    const stream_mip_level *level = &image->whole;
    if (image->print.sampling != SAMPLE_NEAREST || image->print.mip_level != 0 || image->paint->spread != SPREAD_PAD ||
        image->paint->opacity != 255 || map->b != 0.0f || map->c != 0.0f || float_abs(map->e) > COPIED_MOST)
        return false;
    const image_place first = image_place_of(*map, image->print, *level, SPREAD_PAD, x, y);
    const image_place last = image_place_of(*map, image->print, *level, SPREAD_PAD, x + count - 1, y);
    const int column = first.u >> TEXEL_SHIFT, row = first.v >> TEXEL_SHIFT;
    const uint from = level->first_texel + (uint)row * level->width + (uint)column;
    if (!is_well_inside(first.u) || !is_well_inside(last.u) || (last.u >> TEXEL_SHIFT) - column != count - 1)
        return false;
    memcpy(colors, image->texels + from, (size_t)count * sizeof *colors);
    return true;
}

/* Returns whether hardly any two pixels near one another show the same place of a repeated image. Then it is faster to
 * sample many pixels together than to remember colours. */
static bool is_turned(const cpu_image *image)
{
    const affine *m = &image->map;
    return m->a != 0.0f && m->b != 0.0f && m->c != 0.0f && m->d != 0.0f;
}

static bool has_kernel(const cpu_image *image)
{
    if (image->print.sampling == SAMPLE_CUBIC)
        return false;
    if (image->paint->spread == SPREAD_PAD)
        return true;
    return image->paint->spread == SPREAD_REPEAT && image->level.width >= CPU_REPEATED_SIDE &&
           image->level.height >= CPU_REPEATED_SIDE && is_turned(image);
}

void image_row_shade(image_memo *memo, const cpu_kernels *kernels, const cpu_frame *frame, const cpu_element *element,
                     int x, int y, int count, const uint8_t *levels, uint32_t *colors)
{
    const stream_paint *paint = &frame->stream.paints[element->paint];
    const stream_mip_level *mip_levels = frame->stream.mip_levels + paint->first_stop;
    const image_footprint print = footprint_unpack(element->color);
    const cpu_image image = {.texels = frame->stream.texels,
                             .map = element->gradient,
                             .print = print,
                             .whole = mip_levels[0],
                             .level = mip_levels[print.mip_level],
                             .paint = paint};
    if (count > 0 && copy_row(&image, x, y, count, colors))
        return;
    if (has_kernel(&image)) {
        kernels->shade_image_row(&image, x, y, count, levels, colors);
        return;
    }
    if (paint->spread != SPREAD_PAD && memo->element != element->element)
        start_round(memo, element->element);
    if (paint->spread != SPREAD_PAD && memo->entries)
        shade_repeated(memo, &image, x, y, count, levels, colors);
    else
        shade_once(&image, x, y, count, levels, colors);
}
