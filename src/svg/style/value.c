/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "svg/style/value.h"

#include <math.h>

#include "base/number.h"
#include "svg/css/color.h"
#include "svg/css/css_token.h"
#include "svg/style/css_shape.h"
#include "svg/style/reference.h"
#include "svg/style/style.h"
#include "svg/tree/document.h"

svg_parsed svg_parse_keyword(svg_document *document, text value, svg_declaration *declaration)
{
    static const struct {
        uint16_t property;
        uint8_t keyword;
        text word;
    } keywords[] = {
#define KEYWORD(id, word, value) {SVG_##id, value, TEXT_LITERAL(word)},
#include "svg/tree/property.def"
    };
    (void)document;
    for (size_t i = 0; i < sizeof keywords / sizeof keywords[0]; i++)
        if (keywords[i].property == declaration->property && text_equal_ignoring_case(value, keywords[i].word)) {
            declaration->form = SVG_FORM_KEYWORD;
            declaration->keyword = keywords[i].keyword;
            return SVG_PARSED_GOOD;
        }
    return SVG_PARSED_BAD;
}

/* Reads a keyword that can make something blend. Only in a document with one does the walk look for blending. */
svg_parsed svg_parse_blending_keyword(svg_document *document, text value, svg_declaration *declaration)
{
    document->blends = true;
    return svg_parse_keyword(document, value, declaration);
}

svg_parsed svg_parse_box_keyword(svg_document *document, text value, svg_declaration *declaration)
{
    document->stroke_boxes = true;
    return svg_parse_keyword(document, value, declaration);
}

/* Reads `none` or any other value. How CSS lays out boxes does not matter for SVG. */
svg_parsed svg_parse_display(svg_document *document, text value, svg_declaration *declaration)
{
    (void)document;
    declaration->form = SVG_FORM_KEYWORD;
    declaration->keyword = text_equal_ignoring_case(value, TEXT("none")) ? SVG_DISPLAY_NONE : SVG_DISPLAY_INLINE;
    return SVG_PARSED_GOOD;
}

/* Reads a number or a percentage, and limits it to 0 and 1. */
svg_parsed svg_parse_opacity(svg_document *document, text value, svg_declaration *declaration)
{
    const char *at = value.bytes, *end = at + value.count;
    double number;
    svg_length length;
    bool plain;
    (void)document;
    if (svg_calc_scan(&at, end, 0, &length, &plain) && (plain || length.unit == SVG_UNIT_PERCENT))
        number = plain ? length.number : length.number / 100;
    else if (!number_scan(&at, end, &number))
        return SVG_PARSED_BAD;
    if (at < end && *at == '%') {
        number /= 100;
        at++;
    }
    if (at != end)
        return SVG_PARSED_BAD;
    declaration->form = SVG_FORM_NUMBER;
    declaration->number = number < 0 ? 0 : number > 1 ? 1 : number;
    return SVG_PARSED_GOOD;
}

/* A miter is never shorter than the stroke's width, so a limit below 1 is as good as 1 (SVG 2, 13.5.5). */
svg_parsed svg_parse_miter_limit(svg_document *document, text value, svg_declaration *declaration)
{
    const char *at = value.bytes, *end = at + value.count;
    double number;
    (void)document;
    if (!number_scan(&at, end, &number) || at != end || !(number >= 0) || !isfinite(number))
        return SVG_PARSED_BAD;
    declaration->form = SVG_FORM_NUMBER;
    declaration->number = fmax(number, 1);
    return SVG_PARSED_GOOD;
}

svg_parsed svg_parse_signed_length(svg_document *document, text value, svg_declaration *declaration)
{
    svg_length length;
    if (!svg_length_parse_any(value, &document->units, &length))
        return SVG_PARSED_BAD;
    declaration->form = SVG_FORM_LENGTH;
    declaration->keyword = (uint8_t)length.unit;
    declaration->number = length.number;
    return SVG_PARSED_GOOD;
}

svg_parsed svg_parse_length(svg_document *document, text value, svg_declaration *declaration)
{
    svg_parsed parsed = svg_parse_signed_length(document, value, declaration);
    bool negative = svg_length_is_negative((svg_length){declaration->number, (svg_unit)declaration->keyword});
    return parsed == SVG_PARSED_GOOD && negative ? SVG_PARSED_BAD : parsed;
}

/* Absolute sizes are parts of the initial size. Each is 1.2 times the one before it, as CSS 2 has it, to which SVG 1.1
 * refers, and as those do who draw SVG beside browsers. CSS Fonts 4 (2.5) only recommends parts, and browsers have
 * tables of their own. The last one is CSS Fonts 4's alone. */
svg_parsed svg_parse_font_size(svg_document *document, text value, svg_declaration *declaration)
{
    static const struct {
        text name;
        double factor;
    } sizes[] = {
        {TEXT_LITERAL("xx-small"), 1 / 1.728}, {TEXT_LITERAL("x-small"), 1 / 1.44}, {TEXT_LITERAL("small"), 1 / 1.2},
        {TEXT_LITERAL("medium"), 1},           {TEXT_LITERAL("large"), 1.2},        {TEXT_LITERAL("x-large"), 1.44},
        {TEXT_LITERAL("xx-large"), 1.728},     {TEXT_LITERAL("xxx-large"), 3},
    };
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        if (text_equal_ignoring_case(value, sizes[i].name)) {
            declaration->form = SVG_FORM_LENGTH;
            declaration->keyword = SVG_UNIT_PX;
            declaration->number = sizes[i].factor * svg_initial_font_size(document);
            return SVG_PARSED_GOOD;
        }
    if (text_equal_ignoring_case(value, TEXT("smaller")) || text_equal_ignoring_case(value, TEXT("larger"))) {
        declaration->form = SVG_FORM_KEYWORD;
        declaration->keyword = text_lower(value.bytes[0]) == 's' ? SVG_FONT_SMALLER : SVG_FONT_LARGER;
        return SVG_PARSED_GOOD;
    }
    return svg_parse_length(document, value, declaration);
}

/* Reads lengths separated by commas or blanks, none of them negative. `none` is the empty list. */
svg_parsed svg_parse_dashes(svg_document *document, text value, svg_declaration *declaration)
{
    const char *at = value.bytes, *end = at + value.count;
    size_t before = document->lengths.count;
    declaration->form = SVG_FORM_LENGTHS;
    declaration->reference = (uint32_t)before;
    if (text_equal_ignoring_case(value, TEXT("none")))
        at = end;
    while (at < end) {
        svg_length length;
        if (!svg_length_scan_any(&at, end, &document->units, &length) || svg_length_is_negative(length))
            goto fail;
        if (!svg_budget_charge(document->budget, SVG_LIMIT_lengths, 1))
            goto fail;
        svg_length *added = array_push(&document->lengths);
        if (!added)
            return SVG_PARSED_OUT_OF_MEMORY;
        *added = length;
        at = text_skip_space(at, end);
        bool comma = at < end && *at == ',';
        if (comma)
            at++;
        at = text_skip_space(at, end);
        if (comma && at == end)
            goto fail;
    }
    declaration->count = (uint32_t)(document->lengths.count - before);
    if (declaration->count == 0)
        declaration->reference = 0;
    return value.count ? SVG_PARSED_GOOD : SVG_PARSED_BAD;
fail:
    document->lengths.count = before;
    return SVG_PARSED_BAD;
}

static void set_dark(svg_declaration *declaration, pietra_color dark)
{
    const float channels[4] = {dark.r, dark.g, dark.b, dark.a};
    uint16_t words[4];
    for (int i = 0; i < 4; i++)
        words[i] = (uint16_t)lrintf(channels[i] * 65535);
    memcpy(&declaration->number, words, sizeof declaration->number);
    declaration->count = 1;
}

/* Reads none, currentColor or a colour. An ICC colour behind it (SVG 1.1) is skipped. */
static bool parse_simple_paint(const svg_document *document, text value, uint8_t *form, svg_declaration *declaration)
{
    pietra_color dark;
    if (text_equal_ignoring_case(value, TEXT("none"))) {
        *form = SVG_PAINT_NONE;
        return true;
    }
    if (text_equal_ignoring_case(value, TEXT("currentcolor"))) {
        *form = SVG_PAINT_CURRENT_COLOR;
        return true;
    }
    if (!svg_color_parse(&value, document->current_color, &declaration->color, &dark))
        return false;
    if (memcmp(&dark, &declaration->color, sizeof dark) != 0)
        set_dark(declaration, dark);
    *form = SVG_PAINT_COLOR;
    value = text_trim(value);
    return value.count == 0 || text_starts_with(value, TEXT("icc-color("));
}

svg_parsed svg_parse_paint(svg_document *document, text value, svg_declaration *declaration)
{
    text id;
    declaration->form = SVG_FORM_PAINT;
    declaration->fallback = SVG_PAINT_ABSENT;
    bool context_fill = text_equal_ignoring_case(value, TEXT("context-fill"));
    if (context_fill || text_equal_ignoring_case(value, TEXT("context-stroke"))) {
        declaration->keyword = context_fill ? SVG_PAINT_CONTEXT_FILL : SVG_PAINT_CONTEXT_STROKE;
        document->uses_context = true;
        return SVG_PARSED_GOOD;
    }
    if (!svg_reference_scan(document, &value, &id))
        return parse_simple_paint(document, value, &declaration->keyword, declaration) ? SVG_PARSED_GOOD
                                                                                       : SVG_PARSED_BAD;
    declaration->keyword = SVG_PAINT_LINK;
    value = text_trim(value);
    uint8_t fallback = SVG_PAINT_ABSENT;
    if (value.count && !parse_simple_paint(document, value, &fallback, declaration))
        return SVG_PARSED_BAD;
    declaration->fallback = fallback;
    return svg_document_add_link(document, id, &declaration->reference) ? SVG_PARSED_GOOD : SVG_PARSED_OUT_OF_MEMORY;
}

svg_parsed svg_parse_color(svg_document *document, text value, svg_declaration *declaration)
{
    declaration->form = SVG_FORM_PAINT;
    declaration->fallback = SVG_PAINT_ABSENT;
    bool good = parse_simple_paint(document, value, &declaration->keyword, declaration) &&
                declaration->keyword != SVG_PAINT_NONE;
    return good ? SVG_PARSED_GOOD : SVG_PARSED_BAD;
}

/* In `color` itself, currentColor means inherit (CSS Color 3, section 4.4). */
svg_parsed svg_parse_current_color(svg_document *document, text value, svg_declaration *declaration)
{
    svg_parsed parsed = svg_parse_color(document, value, declaration);
    if (parsed == SVG_PARSED_GOOD && declaration->keyword == SVG_PAINT_CURRENT_COLOR)
        declaration->form = SVG_FORM_INHERIT;
    return parsed;
}

/* Reads color schemes. Our reader prefers light, so it takes dark only if light is not offered. */
svg_parsed svg_parse_color_scheme(svg_document *document, text value, svg_declaration *declaration)
{
    bool light = false, dark = false;
    (void)document;
    if (value.count == 0)
        return SVG_PARSED_BAD;
    while (value.count) {
        css_token token = css_token_next(&value);
        if (token.kind != CSS_IDENT && token.kind != CSS_SPACE)
            return SVG_PARSED_BAD;
        light = light || text_equal_ignoring_case(token.value, TEXT("light"));
        dark = dark || text_equal_ignoring_case(token.value, TEXT("dark"));
    }
    declaration->form = SVG_FORM_KEYWORD;
    declaration->keyword = dark && !light ? SVG_SCHEME_DARK : SVG_SCHEME_LIGHT;
    return SVG_PARSED_GOOD;
}

/* Reads `fill`, `stroke` and `markers` in any order. Those left out follow in that order. */
svg_parsed svg_parse_paint_order(svg_document *document, text value, svg_declaration *declaration)
{
    static const text names[SVG_PAINT_STEP_COUNT] = {TEXT_LITERAL("fill"), TEXT_LITERAL("stroke"),
                                                     TEXT_LITERAL("markers")};
    bool seen[SVG_PAINT_STEP_COUNT] = {false};
    unsigned order = 0, count = 0;
    (void)document;
    if (value.count == 0)
        return SVG_PARSED_BAD;
    if (text_equal_ignoring_case(value, TEXT("normal")))
        value.count = 0;
    while (value.count) {
        size_t length = 0, name = 0;
        while (length < value.count && !text_is_space(value.bytes[length]))
            length++;
        while (name < SVG_PAINT_STEP_COUNT && !text_equal_ignoring_case((text){value.bytes, length}, names[name]))
            name++;
        if (name == SVG_PAINT_STEP_COUNT || seen[name])
            return SVG_PARSED_BAD;
        order |= (unsigned)name << (2 * count++);
        seen[name] = true;
        value = text_trim(text_from(value.bytes + length, value.bytes + value.count));
    }
    for (unsigned name = 0; name < SVG_PAINT_STEP_COUNT; name++)
        if (!seen[name])
            order |= name << (2 * count++);
    declaration->form = SVG_FORM_KEYWORD;
    declaration->keyword = (uint8_t)order;
    return SVG_PARSED_GOOD;
}

/* Reads none or one url(). */
svg_parsed svg_parse_marker(svg_document *document, text value, svg_declaration *declaration)
{
    svg_parsed parsed = svg_parse_reference(document, value, declaration);
    return parsed == SVG_PARSED_GOOD && declaration->keyword == SVG_REFERENCE_OTHER ? SVG_PARSED_BAD : parsed;
}

svg_parsed svg_parse_clip_path(svg_document *document, text value, svg_declaration *declaration)
{
    if (!css_shape_looks_like(value))
        return svg_parse_reference(document, value, declaration);
    declaration->form = SVG_FORM_KEYWORD;
    declaration->keyword = SVG_REFERENCE_SHAPE;
    document->stroke_boxes = true;
    return svg_document_add_text(document, value, &declaration->reference) ? SVG_PARSED_GOOD : SVG_PARSED_OUT_OF_MEMORY;
}
