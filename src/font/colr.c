/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "font/colr.h"

#define BASE_GLYPH_BYTES 6u
#define LAYER_BYTES 4u
#define CLIP_BYTES 7u
#define USABLE_ON_LIGHT 1u /* types of palettes */
#define USABLE_ON_DARK 2u

static font_bytes part(font_bytes table, size_t offset_at)
{
    const uint32_t offset = font_u32(table, offset_at);
    return offset ? font_after(table, offset) : (font_bytes){table.at, 0};
}

static bool is_version_1(const colr *colr)
{
    return font_u16(colr->table, 0) >= 1;
}

colr colr_of(font_bytes table, font_bytes palettes, const int *coordinates, unsigned axis_count)
{
    colr made = {.table = table, .palettes = palettes};
    if (is_version_1(&made))
        made.variations = (variation_store){part(table, 30), part(table, 26), coordinates, axis_count};
    return made;
}

/* Finds the record of a glyph among sorted ones, which begin with its number. */
static bool find_record(font_bytes records, size_t count, size_t bytes, uint32_t glyph, size_t *at)
{
    size_t low = 0, high = count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        const uint32_t found = font_u16(records, middle * bytes);
        if (found == glyph) {
            *at = middle * bytes;
            return font_has(records, *at, bytes);
        }
        if (found < glyph)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

static font_bytes find_paint(const colr *colr, uint32_t glyph)
{
    const font_bytes list = is_version_1(colr) ? part(colr->table, 14) : (font_bytes){0};
    size_t at;
    if (!find_record(font_after(list, 4), font_u32(list, 0), BASE_GLYPH_BYTES, glyph, &at))
        return (font_bytes){0};
    return font_after(list, font_u32(list, 4 + at + 2));
}

colr_glyph colr_find(const colr *colr, uint32_t glyph)
{
    const font_bytes records = part(colr->table, 4);
    size_t at;
    if (colr->table.count == 0 || glyph > 0xffff)
        return (colr_glyph){.kind = COLR_NONE};
    const font_bytes paint = find_paint(colr, glyph);
    if (paint.count > 0)
        return (colr_glyph){.kind = COLR_PAINT, .paint = paint};
    if (!find_record(records, font_u16(colr->table, 2), BASE_GLYPH_BYTES, glyph, &at))
        return (colr_glyph){.kind = COLR_NONE};
    return (colr_glyph){
        .kind = COLR_LAYERS, .first_layer = font_u16(records, at + 2), .layer_count = font_u16(records, at + 4)};
}

bool colr_read_layer(const colr *colr, uint32_t layer, uint32_t *glyph, uint32_t *color)
{
    const font_bytes layers = part(colr->table, 8);
    const size_t at = (size_t)layer * LAYER_BYTES;
    if (layer >= font_u16(colr->table, 12) || !font_has(layers, at, LAYER_BYTES))
        return false;
    *glyph = font_u16(layers, at);
    *color = font_u16(layers, at + 2);
    return true;
}

font_bytes colr_layer_paint(const colr *colr, uint32_t layer)
{
    const font_bytes list = part(colr->table, 18);
    if (layer >= font_u32(list, 0) || !font_has(list, 4 + 4 * (size_t)layer, 4))
        return (font_bytes){0};
    return font_after(list, font_u32(list, 4 + 4 * (size_t)layer));
}

/* Records of ranges of glyphs are sorted. */
static font_bytes find_clip(const colr *colr, uint32_t glyph)
{
    const font_bytes list = part(colr->table, 22);
    size_t low = 0, high = font_u32(list, 1);
    while (low < high) {
        const size_t middle = (low + high) / 2, at = 5 + middle * CLIP_BYTES;
        if (!font_has(list, at, CLIP_BYTES))
            high = middle;
        else if (glyph < font_u16(list, at))
            high = middle;
        else if (glyph > font_u16(list, at + 2))
            low = middle + 1;
        else
            return font_after(list, font_u24(list, at + 4));
    }
    return (font_bytes){0};
}

bool colr_find_box(const colr *colr, uint32_t glyph, pietra_box *box)
{
    const font_bytes clip = is_version_1(colr) ? find_clip(colr, glyph) : (font_bytes){0};
    const unsigned format = font_u8(clip, 0);
    double sides[4];
    if ((format != 1 && format != 2) || !font_has(clip, 0, format == 2 ? 13 : 9))
        return false;
    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t base = format == 2 ? font_u32(clip, 9) : FONT_NO_VARIATION;
        sides[i] = font_i16(clip, 1 + 2 * (size_t)i);
        if (base < FONT_NO_VARIATION - i)
            sides[i] += variation_delta(&colr->variations, base + i);
    }
    *box = (pietra_box){sides[0], sides[1], sides[2], sides[3]};
    return true;
}

uint32_t colr_find_palette(const colr *colr, bool dark)
{
    const font_bytes table = colr->palettes;
    const uint32_t count = font_u16(table, 4);
    const font_bytes types = font_u16(table, 0) >= 1 ? part(table, 12 + 2 * (size_t)count) : (font_bytes){0};
    for (uint32_t i = 0; i < count; i++)
        if (font_u32(types, 4 * (size_t)i) & (dark ? USABLE_ON_DARK : USABLE_ON_LIGHT))
            return i;
    return 0;
}

bool colr_color(const colr *colr, uint32_t palette, uint32_t index, pietra_color *color)
{
    const font_bytes table = colr->palettes, colors = part(table, 8);
    const uint32_t count = font_u16(table, 4);
    const size_t first = font_u16(table, 12 + 2 * (size_t)(palette < count ? palette : 0)), at = 4 * (first + index);
    if (index >= font_u16(table, 2) || count == 0 || !font_has(colors, at, 4))
        return false;
    *color = (pietra_color){
        .r = (float)font_u8(colors, at + 2) / 255,
        .g = (float)font_u8(colors, at + 1) / 255,
        .b = (float)font_u8(colors, at) / 255,
        .a = (float)font_u8(colors, at + 3) / 255,
    };
    return true;
}
