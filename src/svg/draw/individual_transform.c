/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "svg/draw/individual_transform.h"

#include <math.h>

#include "base/number.h"
#include "base/transform.h"
#include "svg/css/css_token.h"

#define MOST_WORDS 4

/* Splits a value into words, at blanks outside parentheses. Returns their number; 0: there are none, too many, or only
 * the word `none`. */
static int split(text value, text words[MOST_WORDS])
{
    int count = 0;
    value = text_trim(value);
    while (value.count) {
        if (count == MOST_WORDS)
            return 0;
        words[count++] = css_take_word(&value);
    }
    return count == 1 && text_equal_ignoring_case(words[0], TEXT("none")) ? 0 : count;
}

/* A number without a unit is no length, unless it is 0. */
static bool read_length(text word, double dpi, svg_axis axis, const svg_metrics *metrics, double *pixels)
{
    char last = word.bytes[word.count - 1];
    bool bare = (last >= '0' && last <= '9') || last == '.';
    return svg_length_parse_pixels(word, dpi, axis, metrics, pixels) && (!bare || *pixels == 0);
}

/* Reads the distances across, down and towards the eye. The last has no effect here. */
static pietra_transform translation(const svg_document *document, text value, const svg_metrics *metrics)
{
    text words[MOST_WORDS];
    double lengths[3] = {0, 0, 0};
    int count = split(value, words);
    if (count > 3)
        return TRANSFORM_IDENTITY;
    for (int i = 0; i < count; i++)
        if (!read_length(words[i], document->units.dpi, i == 1 ? SVG_AXIS_Y : SVG_AXIS_X, metrics, &lengths[i]))
            return TRANSFORM_IDENTITY;
    return transform_translate(lengths[0], lengths[1]);
}

static bool read_number(text word, double *number)
{
    const char *at = word.bytes, *end = at + word.count;
    svg_calc_kind kind;
    if (svg_calc_scan_value(&at, end, number, &kind)) {
        *number = kind == SVG_CALC_PERCENT ? *number / 100 : *number;
        return kind != SVG_CALC_ANGLE && at == end;
    }
    bool good = number_scan(&at, end, number) && isfinite(*number);
    if (good && at < end && *at == '%') {
        *number /= 100;
        at++;
    }
    return good && at == end;
}

static pietra_transform scaling(text value)
{
    text words[MOST_WORDS];
    double numbers[3] = {1, 1, 1};
    int count = split(value, words);
    if (count > 3)
        return TRANSFORM_IDENTITY;
    for (int i = 0; i < count; i++)
        if (!read_number(words[i], &numbers[i]))
            return TRANSFORM_IDENTITY;
    return transform_scale(numbers[0], count == 1 ? numbers[0] : numbers[1]);
}

/* Reads an angle. An axis before or behind it can only be the one towards the eye. */
static pietra_transform rotation(text value)
{
    text words[MOST_WORDS];
    int count = split(value, words), angle = 0;
    double numbers[3] = {0, 0, 1}, degrees;
    if (count == 2) {
        angle = text_equal_ignoring_case(words[0], TEXT("z"));
        if (!text_equal_ignoring_case(words[!angle], TEXT("z")))
            return TRANSFORM_IDENTITY;
    } else if (count == 4) {
        bool last = read_number(words[0], &numbers[0]) && read_number(words[1], &numbers[1]) &&
                    read_number(words[2], &numbers[2]);
        angle = last ? 3 : 0;
        if (!last && !(read_number(words[1], &numbers[0]) && read_number(words[2], &numbers[1]) &&
                       read_number(words[3], &numbers[2])))
            return TRANSFORM_IDENTITY;
        if (numbers[0] != 0 || numbers[1] != 0 || numbers[2] == 0)
            return TRANSFORM_IDENTITY;
    } else if (count != 1) {
        return TRANSFORM_IDENTITY;
    }
    text word = words[angle];
    char last = word.bytes[word.count - 1];
    if (!svg_angle_parse(word, &degrees) || (last >= '0' && last <= '9' && degrees != 0))
        return TRANSFORM_IDENTITY;
    return transform_rotate(numbers[2] < 0 ? -degrees : degrees);
}

pietra_transform svg_individual_transform(const svg_document *document, uint32_t node, const svg_metrics *metrics)
{
    pietra_transform moved = translation(document, svg_attribute_text(document, node, SVG_TRANSLATE), metrics);
    moved = transform_multiply(moved, rotation(svg_attribute_text(document, node, SVG_ROTATE)));
    return transform_multiply(moved, scaling(svg_attribute_text(document, node, SVG_SCALE)));
}
