/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "svg/style/filter_value.h"

#include <math.h>

#include "base/number.h"
#include "svg/css/color.h"
#include "svg/css/css_token.h"
#include "svg/style/reference.h"
#include "svg/tree/document.h"

/* Takes the next url() or function, and the blanks before it. False: nothing is left, or something else stands there.
 * `arguments` is what stands in the brackets of a function. */
static bool take_part(text *rest, text *whole, text *name, text *arguments)
{
    const css_token token = css_token_next_part(rest);
    const char *inside = rest->bytes;
    if (token.kind != CSS_URL && token.kind != CSS_FUNCTION)
        return false;
    const bool url = token.kind == CSS_URL;
    bool closed = true;
    if (!url)
        closed = css_token_skip_block(rest, '(');
    *whole = text_from(token.raw.bytes, rest->bytes);
    *name = url ? TEXT("url") : token.value;
    *arguments = url ? TEXT("") : text_trim(text_from(inside, rest->bytes - closed));
    return true;
}

bool svg_filter_value_leads_elsewhere(text value)
{
    text whole, name, arguments;
    while (take_part(&value, &whole, &name, &arguments))
        if (svg_reference_leads_elsewhere(whole))
            return true;
    return false;
}

bool svg_filter_value_has_url(text value)
{
    text whole, name, arguments;
    while (take_part(&value, &whole, &name, &arguments))
        if (text_equal_ignoring_case(name, TEXT("url")))
            return true;
    return false;
}

static bool is_named(text name, svg_filter_function_kind *kind)
{
    static const text names[] = {
        [SVG_FILTER_URL] = TEXT_LITERAL("url"),
        [SVG_FILTER_BLUR] = TEXT_LITERAL("blur"),
        [SVG_FILTER_BRIGHTNESS] = TEXT_LITERAL("brightness"),
        [SVG_FILTER_CONTRAST] = TEXT_LITERAL("contrast"),
        [SVG_FILTER_DROP_SHADOW] = TEXT_LITERAL("drop-shadow"),
        [SVG_FILTER_GRAYSCALE] = TEXT_LITERAL("grayscale"),
        [SVG_FILTER_HUE_ROTATE] = TEXT_LITERAL("hue-rotate"),
        [SVG_FILTER_INVERT] = TEXT_LITERAL("invert"),
        [SVG_FILTER_OPACITY] = TEXT_LITERAL("opacity"),
        [SVG_FILTER_SATURATE] = TEXT_LITERAL("saturate"),
        [SVG_FILTER_SEPIA] = TEXT_LITERAL("sepia"),
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (text_equal_ignoring_case(name, names[i])) {
            *kind = (svg_filter_function_kind)i;
            return true;
        }
    return false;
}

/* Reads a number or a percentage that is not negative. Nothing stands for 1. */
static bool read_amount(text value, double *amount)
{
    const char *at = value.bytes, *end = at + value.count;
    svg_calc_kind kind = SVG_CALC_NUMBER;
    *amount = 1;
    if (value.count == 0)
        return true;
    if (!svg_calc_scan_value(&at, end, amount, &kind) && !number_scan(&at, end, amount))
        return false;
    if (kind == SVG_CALC_PERCENT || (at < end && *at == '%')) {
        *amount /= 100;
        at += kind != SVG_CALC_PERCENT;
    }
    return at == end && kind != SVG_CALC_ANGLE && *amount >= 0 && isfinite(*amount);
}

/* Reads an angle, or 0. Nothing stands for 0. */
static bool read_angle(text value, double *degrees)
{
    const char *at = value.bytes, *end = at + value.count;
    svg_calc_kind kind;
    *degrees = 0;
    if (value.count == 0)
        return true;
    if (svg_calc_scan_value(&at, end, degrees, &kind))
        return at == end && kind == SVG_CALC_ANGLE;
    if (!number_scan(&at, end, degrees) || !isfinite(*degrees))
        return false;
    const double unit = svg_angle_unit(text_from(at, end));
    const bool zero = at == end && *degrees == 0;
    *degrees *= unit;
    return unit != 0 || zero;
}

static bool read_length(svg_document *document, text value, svg_length *length)
{
    return svg_length_parse_any(value, &document->units, length) && !svg_length_has_percentage(*length);
}

static bool read_radius(svg_document *document, text value, svg_length *radius)
{
    *radius = (svg_length){0, SVG_UNIT_PX};
    return value.count == 0 || (read_length(document, value, radius) && !svg_length_is_negative(*radius));
}

static bool read_color(const svg_document *document, text word, svg_filter_function *function)
{
    function->form = text_equal_ignoring_case(word, TEXT("currentcolor")) ? SVG_PAINT_CURRENT_COLOR : SVG_PAINT_COLOR;
    return function->form == SVG_PAINT_CURRENT_COLOR ||
           (svg_color_parse(&word, document->current_color, &function->color, &function->dark) && word.count == 0);
}

/* Reads two or three lengths, and a colour before or behind them. Without one, currentColor is meant. */
static bool read_shadow(svg_document *document, text value, svg_filter_function *function)
{
    svg_length *const lengths[] = {&function->x, &function->y, &function->radius};
    size_t count = 0;
    bool colored = false, behind = false;
    while (value.count) {
        const text word = css_take_word(&value);
        if (!behind && count < 3 && read_length(document, word, lengths[count])) {
            count++;
            continue;
        }
        if (colored || !read_color(document, word, function))
            return false;
        colored = true;
        behind = count > 0;
    }
    if (!colored)
        function->form = SVG_PAINT_CURRENT_COLOR;
    return count >= 2 && !svg_length_is_negative(function->radius);
}

static bool read_function(svg_document *document, text arguments, svg_filter_function *function)
{
    switch ((svg_filter_function_kind)function->kind) {
    case SVG_FILTER_BLUR:
        return read_radius(document, arguments, &function->radius);
    case SVG_FILTER_DROP_SHADOW:
        return read_shadow(document, arguments, function);
    case SVG_FILTER_HUE_ROTATE:
        return read_angle(arguments, &function->amount);
    default:
        return read_amount(arguments, &function->amount);
    }
}

static svg_parsed add_function(svg_document *document, text whole, text name, text arguments)
{
    svg_filter_function function = {.kind = 0};
    svg_filter_function_kind kind;
    text id;
    if (!is_named(name, &kind))
        return SVG_PARSED_BAD;
    function.kind = (uint8_t)kind;
    if (kind == SVG_FILTER_URL && svg_reference_leads_elsewhere(whole))
        return SVG_PARSED_GOOD;
    if (kind == SVG_FILTER_URL ? !svg_reference_scan(document, &whole, &id)
                               : !read_function(document, arguments, &function))
        return SVG_PARSED_BAD;
    if (kind == SVG_FILTER_URL && !svg_document_add_link(document, id, &function.link))
        return SVG_PARSED_OUT_OF_MEMORY;
    svg_filter_function *added = array_push(&document->filter_functions);
    if (!added)
        return SVG_PARSED_OUT_OF_MEMORY;
    *added = function;
    return SVG_PARSED_GOOD;
}

static svg_parsed add_functions(svg_document *document, text value)
{
    svg_parsed parsed = value.count ? SVG_PARSED_GOOD : SVG_PARSED_BAD;
    while (parsed == SVG_PARSED_GOOD && value.count) {
        text whole, name, arguments;
        if (!take_part(&value, &whole, &name, &arguments))
            return SVG_PARSED_BAD;
        parsed = add_function(document, whole, name, arguments);
        value = text_trim(value);
    }
    return parsed;
}

/* A single url() is a LINK, so that elements with the same filter share their declarations. */
svg_parsed svg_parse_filter(svg_document *document, text value, svg_declaration *declaration)
{
    const size_t before = document->filter_functions.count;
    declaration->form = SVG_FORM_KEYWORD;
    declaration->keyword = SVG_REFERENCE_NONE;
    if (text_equal_ignoring_case(value, TEXT("none")))
        return SVG_PARSED_GOOD;
    const svg_parsed parsed = add_functions(document, value);
    const size_t count = document->filter_functions.count - before;
    const svg_filter_function *functions = count ? document->filter_functions.items + before : NULL;
    if (parsed == SVG_PARSED_GOOD && count == 1 && functions->kind == SVG_FILTER_URL) {
        declaration->keyword = SVG_REFERENCE_LINK;
        declaration->reference = functions->link;
    } else if (parsed == SVG_PARSED_GOOD && count > 0) {
        declaration->keyword = SVG_REFERENCE_FUNCTIONS;
        declaration->reference = (uint32_t)before;
        declaration->count = (uint32_t)count;
        return parsed;
    }
    document->filter_functions.count = before;
    return parsed;
}
