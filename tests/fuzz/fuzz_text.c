/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Any UTF-16, as a paragraph: its order, its clusters, its glyphs. The first byte chooses direction and font. */
#include <stdlib.h>
#include <string.h>

#include "text/shape.h"

#define MOST_UNITS 4096u

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static pietra_fonts *make_fonts(void)
{
    static pietra_fonts *fonts;
    if (!fonts) {
        fonts = pietra_fonts_create();
        if (!fonts || pietra_fonts_add_directory(fonts, "tests/font/fonts", NULL) != PIETRA_OK)
            abort();
    }
    return fonts;
}

/* Bytes below 128 stand for themselves and for hard characters in turn; others make units of two bytes. */
static size_t read_units(const uint8_t *data, size_t size, uint16_t *units)
{
    static const uint16_t hard[] = {0x5d0,  0x5d1,  0x627,  0x660,  0x301,  0x200d, 0xfe0f, 0x202a, 0x202b, 0x202c,
                                    0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069, 0xd83d, 0xde00, 0x2600, 0x915,
                                    0x94d,  0x1100, 0x1161, 0x3008, 0x2029, 0xfe0e, 0x344,  0xc1};
    size_t count = 0;
    for (size_t i = 0; i < size && count < MOST_UNITS; i++) {
        if (data[i] >= 128 && i + 1 < size) {
            units[count++] = (uint16_t)(data[i] << 8 | data[i + 1]);
            i++;
        } else if (data[i] < 32) {
            units[count++] = hard[data[i] % (sizeof hard / sizeof hard[0])];
        } else {
            units[count++] = data[i];
        }
    }
    return count;
}

static void check(const shaped_text *shaped, size_t count)
{
    size_t end = 0, glyphs = 0;
    for (size_t i = 0; i < shaped->runs.count; i++) {
        const text_run *run = &shaped->runs.items[i];
        if (run->begin != end || run->end <= run->begin || shaped->order.items[i] >= shaped->runs.count)
            abort();
        for (uint32_t k = 0; k < run->glyph_count; k++) {
            const text_glyph *glyph = &shaped->glyphs.items[run->first_glyph + k];
            if (glyph->unit < run->begin || glyph->unit >= run->end)
                abort();
        }
        end = run->end;
        glyphs += run->glyph_count;
    }
    if (end != count || glyphs != shaped->glyphs.count)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const families[] = {"Pietra Shaping", "Pietra Variable", "Pietra Cubic"};
    uint16_t units[MOST_UNITS];
    shaped_text shaped = {0};
    if (size == 0)
        return 0;
    const text_style style = {
        .font = {.families = &families[data[0] / 4 % 3], .family_count = 1, .weight = 400 + data[0]},
        .direction = data[0] % 3,
    };
    const size_t count = read_units(data + 1, size - 1, units);
    if (text_shape(make_fonts(), &style, units, count, &shaped))
        abort();
    check(&shaped, count);
    shaped_text_free(&shaped);
    return 0;
}
