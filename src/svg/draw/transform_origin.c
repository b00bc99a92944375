/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "svg/draw/transform_origin.h"

#include "base/transform.h"
#include "svg/css/css_token.h"

typedef struct origin_word {
    text length; /* empty: it is a percentage */
    double percent;
    bool horizontal, vertical; /* it may belong to this axis */
} origin_word;

static void parse_word(text word, origin_word *result)
{
    static const struct {
        text name;
        double percent;
        bool horizontal, vertical;
    } keywords[] = {
        {TEXT_LITERAL("left"), 0, true, false},   {TEXT_LITERAL("right"), 100, true, false},
        {TEXT_LITERAL("top"), 0, false, true},    {TEXT_LITERAL("bottom"), 100, false, true},
        {TEXT_LITERAL("center"), 50, true, true},
    };
    for (size_t i = 0; i < sizeof keywords / sizeof keywords[0]; i++)
        if (text_equal_ignoring_case(word, keywords[i].name)) {
            *result = (origin_word){{NULL, 0}, keywords[i].percent, keywords[i].horizontal, keywords[i].vertical};
            return;
        }
    *result = (origin_word){word, 0, true, true};
}

static bool resolve_word(const origin_word *word, double dpi, svg_axis axis, const svg_metrics *metrics, double *pixels)
{
    *pixels = svg_length_resolve((svg_length){word->percent, SVG_UNIT_PERCENT}, axis, metrics);
    return word->length.count == 0 || svg_length_parse_pixels(word->length, dpi, axis, metrics, pixels);
}

/* Reads one to three words: across, down and depth, which has no effect here. Keywords may come in the other order. */
static bool parse_origin(text value, double dpi, const svg_metrics *metrics, double *x, double *y)
{
    origin_word words[3];
    size_t count = 0;
    value = text_trim(value);
    while (value.count) {
        if (count == 3)
            return false;
        parse_word(css_take_word(&value), &words[count++]);
    }
    if (count == 0)
        return false;
    if (count == 1)
        words[1] = (origin_word){{NULL, 0}, 50, true, true};
    bool swapped = !words[0].horizontal || !words[1].vertical;
    if (swapped && (!words[0].vertical || !words[1].horizontal))
        return false;
    double depth = 0;
    return resolve_word(&words[swapped], dpi, SVG_AXIS_X, metrics, x) &&
           resolve_word(&words[!swapped], dpi, SVG_AXIS_Y, metrics, y) &&
           (count < 3 || resolve_word(&words[2], dpi, SVG_AXIS_X, metrics, &depth));
}

pietra_transform svg_transform_about_origin(const svg_document *document, uint32_t node, const svg_metrics *metrics,
                                            pietra_transform transform)
{
    text origin = svg_attribute_text(document, node, SVG_TRANSFORM_ORIGIN);
    double x, y;
    if (!parse_origin(origin, document->units.dpi, metrics, &x, &y)) {
        if (node != 0)
            return transform;
        x = svg_length_resolve((svg_length){50, SVG_UNIT_PERCENT}, SVG_AXIS_X, metrics);
        y = svg_length_resolve((svg_length){50, SVG_UNIT_PERCENT}, SVG_AXIS_Y, metrics);
    }
    return transform_multiply(transform_multiply(transform_translate(x, y), transform), transform_translate(-x, -y));
}
