/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Any UTF-16, as a paragraph: its order, its clusters, its glyphs; and as a text that a program lays out: its lines,
 * carets, boxes. The first two bytes choose direction, font and options. */
#include <stdlib.h>
#include <string.h>

#include "text/shape_units.h"
#include "text/utf16.h"

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

/* Halves of pairs become three bytes that are not well formed, and so are texts to be laid out, too. */
static size_t write_utf8(const uint16_t *units, size_t count, char *utf8)
{
    size_t bytes = 0;
    for (size_t i = 0; i < count;) {
        uint32_t c;
        i += utf16_decode(units, count, i, &c);
        if (c < 0x80) {
            utf8[bytes++] = (char)c;
        } else if (c < 0x800) {
            utf8[bytes++] = (char)(0xc0 | c >> 6);
            utf8[bytes++] = (char)(0x80 | (c & 63));
        } else {
            if (c >= 0x10000)
                utf8[bytes++] = (char)(0xf0 | c >> 18);
            utf8[bytes++] = (char)(c >= 0x10000 ? 0x80 | (c >> 12 & 63) : 0xe0 | c >> 12);
            utf8[bytes++] = (char)(0x80 | (c >> 6 & 63));
            utf8[bytes++] = (char)(0x80 | (c & 63));
        }
    }
    return bytes;
}

static void count_box(void *user, const pietra_box *box)
{
    if (!(box->x0 <= box->x1 && box->y0 <= box->y1))
        abort();
    ++*(size_t *)user;
}

/* Lines cover the text; carets stand in its box's height; the character at a point lies where it says. */
static void check_text(const pietra_text *text, size_t byte_count)
{
    const pietra_text_line *lines;
    const size_t count = pietra_text_lines(text, &lines);
    size_t end = 0, boxes = 0;
    for (size_t i = 0; i < count; i++) {
        if (lines[i].begin != end || lines[i].end < end)
            abort();
        end = lines[i].end;
    }
    if (end != byte_count)
        abort();
    for (size_t byte = 0, next; byte < byte_count; byte = next) {
        pietra_text_caret caret;
        pietra_text_hit hit;
        next = pietra_text_next(text, byte, false);
        if (next <= byte || pietra_text_next(text, next, true) > byte)
            abort();
        if (!pietra_text_find_caret(text, byte, byte % 2, &caret) || caret.line >= count ||
            !pietra_text_find(text, caret.x0 + 1, caret.y0, &hit) || hit.line >= count || hit.end > byte_count ||
            hit.caret > byte_count)
            abort();
    }
    pietra_text_boxes(text, byte_count / 3, byte_count, count_box, &boxes);
}

static void lay_out(const uint8_t *data, const pietra_font_query *font, const uint16_t *units, size_t count)
{
    static char utf8[4 * MOST_UNITS];
    const size_t bytes = write_utf8(units, count, utf8);
    const uint8_t chosen = data[1];
    const pietra_text_span spans[] = {{.byte_count = chosen, .font = *font, .size = 10, .letter_spacing = chosen % 3},
                                      {.font = *font, .size = 20, .rise = chosen % 7, .line_height = chosen % 5}};
    const pietra_text_options options = {.width = chosen % 4 * 50,
                                         .wrap = chosen / 4 % 3,
                                         .align = chosen / 8 % 6,
                                         .direction = data[0] % 3,
                                         .vertical = chosen / 16 % 2,
                                         .most_lines = chosen / 32 % 4,
                                         .ellipsis = chosen / 64 % 2 ? "\xe2\x80\xa6" : NULL,
                                         .snap_baselines = chosen / 128};
    pietra_text *text = NULL;
    if (pietra_text_shape(make_fonts(), utf8, bytes, spans, 2, &options, NULL, &text) != PIETRA_OK)
        abort();
    check_text(text, bytes);
    pietra_path *path = pietra_path_create();
    if (!path || pietra_text_outline(text, 0, bytes, path, NULL) != PIETRA_OK)
        abort();
    pietra_path_destroy(path);
    pietra_text_destroy(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const families[] = {"Pietra Shaping", "Pietra Variable", "Pietra Cubic"};
    uint16_t units[MOST_UNITS];
    shaped_text shaped = {0};
    if (size < 2)
        return 0;
    const text_style style = {
        .font = {.families = &families[data[0] / 4 % 3], .family_count = 1, .weight = 400 + data[0]},
        .direction = data[0] % 3,
    };
    const size_t count = read_units(data + 2, size - 2, units);
    if (shape_units(make_fonts(), &style, units, count, &shaped))
        abort();
    check(&shaped, count);
    shaped_text_free(&shaped);
    lay_out(data, &style.font, units, count);
    return 0;
}
