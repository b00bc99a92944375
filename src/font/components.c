/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "font/components.h"

#define HEADER_BYTES 10u

/* Flags of a component (OpenType 1.9, "glyf"). */
#define ARGUMENTS_ARE_WORDS 0x0001u
#define HAS_SCALE 0x0008u
#define MORE_COMPONENTS 0x0020u
#define HAS_TWO_SCALES 0x0040u
#define HAS_MATRIX 0x0080u
#define GLYPH_HAS_24_BITS 0x2000u /* it is in no standard, but HarfBuzz heeds it */

static const char broken[] = "is broken";
static const char too_many_components[] = "has more than 1,024 components";
static const char too_many_points[] = "has more than 10,000 points";

font_glyphs font_glyphs_of(font_bytes glyf, font_bytes loca, font_bytes head, font_bytes maxp)
{
    const bool long_offsets = font_u16(head, 50) != 0;
    const size_t ends = loca.count / (long_offsets ? 4 : 2);
    font_glyphs glyphs = {.glyf = glyf, .loca = loca, .count = font_u16(maxp, 4), .long_offsets = long_offsets};
    if (glyphs.count >= ends)
        glyphs.count = ends ? (uint32_t)ends - 1 : 0;
    return glyphs;
}

static size_t find_offset(const font_glyphs *glyphs, uint32_t glyph)
{
    return glyphs->long_offsets ? font_u32(glyphs->loca, 4 * (size_t)glyph)
                                : 2 * (size_t)font_u16(glyphs->loca, 2 * (size_t)glyph);
}

/* Finds the bytes of a glyph. One that is missing or lies outside has none. */
static font_bytes find_glyph(const font_glyphs *glyphs, uint32_t glyph)
{
    if (glyph >= glyphs->count)
        return (font_bytes){0};
    const size_t begin = find_offset(glyphs, glyph), end = find_offset(glyphs, glyph + 1);
    return begin < end ? font_slice(glyphs->glyf, begin, end - begin) : (font_bytes){0};
}

typedef struct glyph_count {
    uint32_t waiting[FONT_MOST_COMPONENTS]; /* glyphs to be looked at */
    uint32_t waiting_count;
    uint32_t component_count, point_count; /* counts so far */
} glyph_count;

static const char *add_component(glyph_count *count, uint32_t glyph)
{
    if (count->component_count == FONT_MOST_COMPONENTS)
        return too_many_components;
    count->component_count++;
    count->waiting[count->waiting_count++] = glyph;
    return NULL;
}

static size_t component_bytes(uint32_t flags)
{
    const size_t arguments = flags & ARGUMENTS_ARE_WORDS ? 4 : 2;
    const size_t scales = flags & HAS_SCALE ? 2 : flags & HAS_TWO_SCALES ? 4 : flags & HAS_MATRIX ? 8 : 0;
    return 4 + arguments + scales;
}

static const char *add_components(glyph_count *count, font_bytes glyph)
{
    uint32_t flags = MORE_COMPONENTS;
    for (size_t at = HEADER_BYTES; flags & MORE_COMPONENTS && font_has(glyph, at, 4); at += component_bytes(flags)) {
        flags = font_u16(glyph, at);
        if (flags & GLYPH_HAS_24_BITS)
            return broken;
        const char *wrong = add_component(count, font_u16(glyph, at + 2));
        if (wrong)
            return wrong;
    }
    return NULL;
}

static const char *add_glyph(glyph_count *count, font_bytes glyph)
{
    const int contours = font_i16(glyph, 0);
    if (glyph.count < HEADER_BYTES || contours == 0)
        return NULL;
    if (contours < -1)
        return broken;
    if (contours == -1)
        return add_components(count, glyph);
    count->point_count += font_u16(glyph, HEADER_BYTES + 2 * ((size_t)contours - 1)) + 1u;
    return count->point_count <= FONT_MOST_POINTS ? NULL : too_many_points;
}

const char *font_glyphs_check(const font_glyphs *glyphs, uint32_t glyph)
{
    glyph_count count;
    count.waiting_count = count.component_count = count.point_count = 0;
    const char *wrong = add_glyph(&count, find_glyph(glyphs, glyph));
    while (!wrong && count.waiting_count > 0)
        wrong = add_glyph(&count, find_glyph(glyphs, count.waiting[--count.waiting_count]));
    return wrong;
}
