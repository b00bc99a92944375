/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "text/missing.h"

#include <math.h>

#include "base/transform.h"
#include "font/fonts.h"

static bool is_blank(uint32_t character)
{
    return character <= ' ' || character == 0x1680 || font_need_of(character) == FONT_NEEDS_BLANK;
}

/* Characters that are mostly not shown take no space here. */
double missing_advance(uint32_t character, bool upright)
{
    return is_blank(character)            ? 0.25
           : !font_needs_glyph(character) ? 0
           : upright                      ? 1
           : character > 0xffff           ? 0.75
                                          : 0.55;
}

/* The strokes of a digit: the seven of a pocket calculator. Bit 0 is the one at the top, then
 * clockwise; bit 6 is the one in the middle. */
static const uint8_t digit_strokes[16] = {0x3f, 0x06, 0x5b, 0x4f, 0x66, 0x6d, 0x7d, 0x07,
                                          0x7f, 0x6f, 0x77, 0x7c, 0x39, 0x5e, 0x79, 0x71};

void text_append_rect(pietra_path *path, pietra_transform space, double x, double y, double width, double height,
                      bool backward)
{
    double points[8] = {x, y, x + width, y, x + width, y + height, x, y + height};
    if (backward) {
        points[2] = x, points[3] = y + height;
        points[6] = x + width, points[7] = y;
    }
    for (int i = 0; i < 8; i += 2)
        transform_point(space, &points[i], &points[i + 1]);
    for (int i = 0; i < 8; i++)
        if (!isfinite(points[i]))
            return;
    static const uint8_t verbs[] = {PIETRA_VERB_MOVE, PIETRA_VERB_LINE, PIETRA_VERB_LINE, PIETRA_VERB_LINE,
                                    PIETRA_VERB_CLOSE};
    pietra_path_append(path, verbs, sizeof verbs, points);
}

/* Draws a digit in a box of this width, half as wide as high. */
static void add_digit(pietra_path *path, pietra_transform space, unsigned digit, double x, double y, double width)
{
    const double height = 2 * width, pen = width / 5, half = (height + pen) / 2;
    const double rects[7][4] = {
        {0, 0, width, pen},
        {width - pen, 0, pen, half},
        {width - pen, half - pen, pen, half},
        {0, height - pen, width, pen},
        {0, half - pen, pen, half},
        {0, 0, pen, half},
        {0, half - pen, width, pen},
    };
    for (unsigned i = 0; i < 7; i++)
        if (digit_strokes[digit] >> i & 1)
            text_append_rect(path, space, x + rects[i][0], y + rects[i][1], rects[i][2], rects[i][3], false);
}

/* Appends the number in hexadecimal digits: two rows of two, or of three. */
void missing_append(pietra_path *path, uint32_t character, double size, bool upright, pietra_transform space)
{
    const unsigned columns = character > 0xffff ? 3 : 2;
    const double unit = size / 20, digit = 3 * unit, step = 4 * unit;
    const double width = columns * step + 2 * unit, height = 17 * unit, top = -15 * unit;
    if (is_blank(character) || !font_needs_glyph(character))
        return;
    if (upright)
        space = transform_multiply(space, transform_translate(-width / 2, size * 0.9));
    text_append_rect(path, space, unit / 2, top, width, height, false);
    text_append_rect(path, space, unit, top + unit / 2, width - unit, height - unit, true);
    for (unsigned i = 0; i < 2 * columns; i++) {
        const unsigned value = character >> 4 * (2 * columns - 1 - i) & 15;
        add_digit(path, space, value, 2 * unit + i % columns * step, top + 2 * unit + i / columns * 7 * unit, digit);
    }
}
