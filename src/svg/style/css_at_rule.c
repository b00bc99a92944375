/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "svg/css/css_wide.h"
#include "svg/style/css_sheet_parser.h"
#include "svg/style/css_supports.h"
#include "svg/style/font_alternates.h"
#include "svg/style/font_face.h"
#include "svg/style/font_palette.h"

static bool intern_decoded(css_names *names, const css_token *token, uint32_t *name)
{
    text decoded;
    *name = css_token_decode(token, &names->arena, &decoded) ? css_name_intern(names, decoded) : 0;
    return *name != 0;
}

/* Reads @namespace (CSS Namespaces 3). An invalid one declares nothing. False: out of memory. */
static bool declare_space(css_sheet_parser *parser, text prelude)
{
    css_names *names = &parser->sheets->tree->names;
    css_token prefix = {.kind = CSS_END}, address = css_token_next_part(&prelude);
    if (address.kind == CSS_IDENT) {
        prefix = address;
        address = css_token_next_part(&prelude);
    }
    if (address.kind == CSS_FUNCTION && text_equal_ignoring_case(address.value, TEXT("url"))) {
        address = css_token_next_part(&prelude);
        css_token close = css_token_next_part(&prelude);
        if (!css_token_is(&close, ')'))
            return true;
    }
    if ((address.kind != CSS_STRING && address.kind != CSS_URL) || text_trim(prelude).count)
        return true;
    css_prefix declared = {0, CSS_NO_SPACE};
    if (text_equal(address.value, TEXT(SVG_NAMESPACE)))
        declared.space = CSS_SVG_SPACE;
    else if (address.value.count && !intern_decoded(names, &address, &declared.space))
        return false;
    if (prefix.kind != CSS_IDENT) {
        parser->spaces.standard = declared.space;
        return true;
    }
    css_prefix *added = intern_decoded(names, &prefix, &declared.name) ? array_push(&parser->spaces.prefixes) : NULL;
    if (added)
        *added = declared;
    return added != NULL;
}

/* Returns whether @property gives its custom property a value, or keeps it from being inherited. */
static bool changes_values(text body)
{
    return css_sheet_mentions(body, TEXT("initial-value")) || css_sheet_mentions(body, TEXT("false"));
}

/* Warns of a rule that may change a picture that stands still. Pages and animations do not, and the words of
 * vendors are not meant for us. */
static void warn_of_at_rule(const css_sheet_parser *parser, text name, text body)
{
    static const text silent[] = {
        TEXT_LITERAL("keyframes"),       TEXT_LITERAL("page"),
        TEXT_LITERAL("counter-style"),   TEXT_LITERAL("starting-style"),
        TEXT_LITERAL("view-transition"), TEXT_LITERAL("position-try"),
    };
    if (text_equal_ignoring_case(name, TEXT("property")) && !changes_values(body))
        return;
    for (size_t i = 0; i < sizeof silent / sizeof silent[0]; i++)
        if (name.count == 0 || name.bytes[0] == '-' || text_equal_ignoring_case(name, silent[i]))
            return;
    svg_warn(parser->sheets->warnings, parser->line, "the rules of @%.*s are left out", TEXT_PRINT(name));
}

bool css_sheet_take_layer(css_sheet_parser *parser, text *rest, css_token *token, uint32_t *layer, bool *good)
{
    css_sheets *sheets = parser->sheets;
    *layer = parser->layer;
    *good = true;
    for (;;) {
        uint32_t name;
        *good = token->kind == CSS_IDENT && css_wide_of(token->value) == CSS_WIDE_NONE;
        if (!*good || !svg_budget_charge(sheets->document->budget, SVG_LIMIT_rules, 1))
            return true;
        if (!intern_decoded(&sheets->tree->names, token, &name) ||
            !css_layer_find(&sheets->layers, *layer, name, layer))
            return false;
        *token = css_token_next(rest);
        if (!css_token_is(token, '.'))
            return true;
        *token = css_token_next(rest);
    }
}

/* Returns whether a list consists of names of layers. If one is not valid, none is added. */
static bool are_layers(text names)
{
    css_token token = css_token_next_part(&names);
    for (;;) {
        if (token.kind != CSS_IDENT || css_wide_of(token.value) != CSS_WIDE_NONE)
            return false;
        token = css_token_next(&names);
        const bool dot = css_token_is(&token, '.');
        if (token.kind == CSS_SPACE)
            token = css_token_next_part(&names);
        if (token.kind == CSS_END)
            return true;
        if (!dot && token.kind != CSS_COMMA)
            return false;
        token = dot ? css_token_next(&names) : css_token_next_part(&names);
    }
}

/* Reads @layer with the names of layers, which has no block. */
static bool declare_layers(css_sheet_parser *parser, text names)
{
    bool good = are_layers(names), known = true;
    while (good && known) {
        uint32_t layer;
        css_token token = css_token_next_part(&names);
        known = css_sheet_take_layer(parser, &names, &token, &layer, &good);
        if (token.kind == CSS_SPACE)
            token = css_token_next_part(&names);
        good = good && token.kind == CSS_COMMA;
    }
    return known;
}

static bool parse_layer(css_sheet_parser *parser, text name, text body)
{
    const uint32_t around = parser->layer;
    bool good = true;
    if (text_trim(name).count == 0) {
        if (!svg_budget_charge(parser->sheets->document->budget, SVG_LIMIT_rules, 1))
            return true;
        if (!css_layer_find(&parser->sheets->layers, around, 0, &parser->layer))
            return false;
    } else {
        css_token token = css_token_next_part(&name);
        uint32_t layer;
        if (!css_sheet_take_layer(parser, &name, &token, &layer, &good))
            return false;
        if (token.kind == CSS_SPACE)
            token = css_token_next_part(&name);
        if (!good || token.kind != CSS_END)
            return true;
        parser->layer = layer;
    }
    good = css_sheet_parse_block(parser, body);
    parser->layer = around;
    return good;
}

bool css_sheet_parse_at_rule(css_sheet_parser *parser, text name, text *rest)
{
    css_sheets *sheets = parser->sheets;
    text body, prelude = css_sheet_take_prelude(parser, rest, true, &body);
    const bool layer = text_equal_ignoring_case(name, TEXT("layer"));
    if (text_equal_ignoring_case(name, TEXT("namespace"))) {
        parser->has_spaces = true;
        return parser->begun || body.bytes || declare_space(parser, prelude);
    }
    if (text_equal_ignoring_case(name, TEXT("charset")))
        return true;
    if (text_equal_ignoring_case(name, TEXT("import"))) {
        const bool too_late = parser->begun || parser->has_spaces || body.bytes;
        parser->has_imports = true;
        return too_late || css_sheet_import(parser, prelude);
    }
    if (layer && !body.bytes) {
        parser->begun = parser->begun || parser->has_imports;
        return parser->nest.list || declare_layers(parser, prelude);
    }
    parser->begun = true;
    if (!body.bytes)
        return true;
    if (layer)
        return parse_layer(parser, prelude, body);
    if (text_equal_ignoring_case(name, TEXT("media")))
        return !css_media_hold(prelude, &sheets->medium) || css_sheet_parse_block(parser, body);
    if (text_equal_ignoring_case(name, TEXT("supports")))
        return !css_supports_hold(sheets->document, &sheets->tree->names, &parser->spaces, prelude) ||
               css_sheet_parse_block(parser, body);
    if (text_equal_ignoring_case(name, TEXT("font-feature-values")))
        return parser->nest.list || svg_font_alternates_read(sheets->document, prelude, body);
    if (text_equal_ignoring_case(name, TEXT("font-palette-values")))
        return parser->nest.list ||
               !svg_budget_charge(sheets->document->budget, SVG_LIMIT_rules, 1 + body.count / 100) ||
               svg_font_palette_read(sheets->document, prelude, body);
    if (text_equal_ignoring_case(name, TEXT("font-face")))
        return parser->nest.list ||
               !svg_budget_charge(sheets->document->budget, SVG_LIMIT_rules, 1 + body.count / 100) ||
               svg_font_face_read(sheets->document, sheets->warnings, parser->line, body);
    warn_of_at_rule(parser, name, body);
    return true;
}
