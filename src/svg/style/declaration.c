/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "svg/style/declaration.h"

#include <assert.h>

#include "svg/css/color.h"
#include "svg/css/css_token.h"
#include "svg/css/css_wide.h"
#include "svg/style/variable.h"
#include "svg/tree/document.h"

svg_name svg_property_meant(svg_name property)
{
    switch (property) {
#define ALIAS(id, name, kind, of, state, note) \
    case SVG_##id: \
        return SVG_##of;
#include "svg/tree/property.def"
    default:
        return property;
    }
}

bool svg_property_is_inherited(svg_name property)
{
    enum { inherited = true, noninherited = false };
    switch (property) {
#define PROPERTY(id, name, kind, inheritance, parser, field, initial, state, note) \
    case SVG_##id: \
        return inheritance;
#include "svg/tree/property.def"
    default:
        return true;
    }
}

static svg_parsed parse_value(svg_document *document, text value, svg_declaration *declaration)
{
    switch ((svg_name)declaration->property) {
#define PROPERTY(id, name, kind, inheritance, parser, field, initial, state, note) \
    case SVG_##id: \
        return svg_parse_##parser(document, value, declaration);
#include "svg/tree/property.def"
    default:
        return SVG_PARSED_BAD;
    }
}

/* Returns whether an invalid value becomes valid once currentColor is known, because it has a colour made from it. */
static bool waits_for_color(svg_document *document, text value, svg_declaration *declaration)
{
    static const pietra_color any = {0, 0, 0, 1};
    svg_declaration tried = {.property = declaration->property};
    if (document->current_color || !svg_color_mentions_current(value))
        return false;
    document->current_color = &any;
    bool good = parse_value(document, value, &tried) == SVG_PARSED_GOOD;
    document->current_color = NULL;
    return good;
}

/* A value with var() is read after that is replaced. One that is not valid may be so once currentColor is known. Such
 * values are also read at once, so that the document knows which properties occur. */
static svg_parsed parse_or_defer(svg_document *document, text value, svg_declaration *declaration)
{
    svg_parsed parsed = parse_value(document, value, declaration);
    bool deferred =
        css_has_variable(value) || (parsed == SVG_PARSED_BAD && waits_for_color(document, value, declaration));
    if (!deferred || parsed == SVG_PARSED_OUT_OF_MEMORY)
        return parsed;
    return svg_variable_defer(document, value, declaration) ? SVG_PARSED_GOOD : SVG_PARSED_OUT_OF_MEMORY;
}

static bool is_plain(text value)
{
    size_t depth = 0;
    for (size_t i = 0; i < value.count; i++) {
        if (value.bytes[i] == '\\')
            return false;
        depth += value.bytes[i] == '(';
        depth -= value.bytes[i] == ')' && depth;
    }
    return depth == 0;
}

svg_parsed svg_declaration_parse(svg_document *document, svg_name property, text value, svg_declaration *declaration)
{
    assert(property < SVG_PROPERTY_COUNT);
    memset(declaration, 0, sizeof *declaration);
    property = svg_property_meant(property);
    declaration->property = (uint16_t)property;
    value = text_trim(value);
    if (!is_plain(value) && !css_plain(value, &document->scratch, &value))
        return SVG_PARSED_OUT_OF_MEMORY;
    const css_wide wide = css_wide_of(value);
    /* The reader's own style only sets overflow. For all other properties, `revert` means `unset`. */
    if (wide == CSS_WIDE_REVERT && property == SVG_OVERFLOW)
        *declaration =
            (svg_declaration){.property = SVG_OVERFLOW, .form = SVG_FORM_KEYWORD, .keyword = SVG_OVERFLOW_UNSAID};
    else if (wide == CSS_WIDE_NONE || wide == CSS_WIDE_REVERT_LAYER)
        return parse_or_defer(document, value, declaration);
    else if (wide == CSS_WIDE_INHERIT || (wide != CSS_WIDE_INITIAL && svg_property_is_inherited(property)))
        declaration->form = SVG_FORM_INHERIT;
    else
        declaration->form = SVG_FORM_INITIAL;
    return SVG_PARSED_GOOD;
}
