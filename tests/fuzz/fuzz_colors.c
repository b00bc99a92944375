/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Any bytes as the table COLR of a font: all its glyphs are drawn, at the default and at a variation. */
#include <stdlib.h>

#include "font/build_font.h"
#include "font/draw_pictures.h"

#define MOST_SEGMENTS 100000u
#define GLYPHS 64u

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void draw(const uint8_t *data, size_t size, float weight)
{
    const pietra_font_variation variation = {PIETRA_FONT_TAG('w', 'g', 'h', 't'), weight};
    static const uint16_t fvar[] = {1, 0, 16, 2, 1, 20, 0, 8, 0x7767, 0x6874, 100, 0, 100, 0, 900, 0, 0, 256};
    const uint32_t tag = FONT_TAG('C', 'O', 'L', 'R');
    font_builder builder = {0};
    pietra_font *font;
    take_tables(&builder, "paints.ttf", tag);
    put_bytes(begin_table(&builder, tag), data, size);
    byte_array *axes = begin_table(&builder, FONT_TAG('f', 'v', 'a', 'r'));
    for (size_t i = 0; i < sizeof fvar / sizeof fvar[0]; i++)
        put_u16(axes, fvar[i]);
    font_source *source = finish_font(&builder);
    if (font_create(source, 0, &variation, 1, &font))
        abort();
    font_source_release(source);
    for (uint32_t i = 0; i < GLYPHS && picture_may_be(font); i++) {
        const drawn_picture drawn = draw_picture(font, i, MOST_SEGMENTS);
        if (drawn.result != PIETRA_OK && drawn.segment_count <= MOST_SEGMENTS)
            abort();
    }
    pietra_font_destroy(font);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    draw(data, size, 100);
    draw(data, size, 500);
    return 0;
}
