/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <stdlib.h>
#include <string.h>

#include "svg/style/css_sheet_parser.h"
#include "svg/style/css_supports.h"

#define DEEPEST_IMPORT 32u

/* The parts of @import (CSS Cascade 5, 2). */
typedef struct import {
    text reference;
    text media;
    uint32_t layer;
    bool is_supported;
} import;

static text take_inside(text *rest)
{
    const char *begin = rest->bytes;
    const bool closed = css_token_skip_block(rest, '(');
    return text_from(begin, rest->bytes - closed);
}

/* Takes the address. *good is false if there is none. False: out of memory. */
static bool take_reference(css_sheet_parser *parser, text *rest, text *reference, bool *good)
{
    css_token token = css_token_next_part(rest);
    if (token.kind == CSS_FUNCTION && text_equal_ignoring_case(token.value, TEXT("url"))) {
        text inside = take_inside(rest);
        token = css_token_next_part(&inside);
    }
    *good = token.kind == CSS_STRING || token.kind == CSS_URL;
    return !*good || css_token_decode(&token, &parser->sheets->tree->names.arena, reference);
}

/* Takes `layer` or layer(name), if the rest begins with it. False: out of memory. */
static bool take_import_layer(css_sheet_parser *parser, text *rest, uint32_t *layer)
{
    css_sheets *sheets = parser->sheets;
    text behind = *rest;
    css_token token = css_token_next_part(&behind);
    bool good = true;
    *layer = parser->layer;
    if ((token.kind != CSS_IDENT && token.kind != CSS_FUNCTION) ||
        !text_equal_ignoring_case(token.value, TEXT("layer")))
        return true;
    if (token.kind == CSS_IDENT) {
        *rest = behind;
        return css_layer_find(&sheets->layers, parser->layer, 0, layer);
    }
    text inside = take_inside(&behind);
    token = css_token_next_part(&inside);
    uint32_t named;
    if (!css_sheet_take_layer(parser, &inside, &token, &named, &good))
        return false;
    if (token.kind == CSS_SPACE)
        token = css_token_next_part(&inside);
    if (good && token.kind == CSS_END) {
        *layer = named;
        *rest = behind;
    }
    return true;
}

static bool take_supports(css_sheet_parser *parser, text *rest)
{
    text behind = *rest;
    css_token token = css_token_next_part(&behind);
    if (token.kind != CSS_FUNCTION || !text_equal_ignoring_case(token.value, TEXT("supports")))
        return true;
    text inside = take_inside(&behind);
    *rest = behind;
    return css_supports_hold_inside(parser->sheets->document, &parser->sheets->tree->names, &parser->spaces, inside);
}

/* Returns whether the file is being read already, or lies too deep. */
static bool is_loop(const css_sheet_parser *parser, const char *path)
{
    unsigned depth = 0;
    for (; parser; parser = parser->importer)
        if (++depth > DEEPEST_IMPORT || (path && parser->origin.path && strcmp(parser->origin.path, path) == 0))
            return true;
    return false;
}

static bool read_sheet(css_sheet_parser *outer, const css_imported *imported, uint32_t layer)
{
    css_sheet_parser parser = {.sheets = outer->sheets,
                               .bytes = imported->bytes,
                               .counted_line = outer->line,
                               .line = outer->line,
                               .layer = layer,
                               .spaces = {.standard = CSS_ANY_SPACE},
                               .origin = imported->origin,
                               .importer = outer};
    return css_sheet_parse(&parser, (text){imported->bytes, imported->count});
}

/* What is fetched counts before it is looked at, so that loops are bounded too. */
static bool fetch(css_sheet_parser *parser, const import *import)
{
    css_sheets *sheets = parser->sheets;
    svg_budget *budget = sheets->document->budget;
    css_imported imported = {.reason = "too many files are used (limit \"used_files\")"};
    sheets->imports_too_much = sheets->imports_too_much || !svg_budget_take(budget, SVG_LIMIT_used_files, 1);
    if (!sheets->imports_too_much &&
        !sheets->importer.function(sheets->importer.user, import->reference, parser->origin.base, &imported))
        return false;
    if (imported.bytes && !svg_budget_take(budget, SVG_LIMIT_used_bytes, imported.count)) {
        imported.reason = "the files that are used are too large (limit \"used_bytes\")";
        sheets->imports_too_much = true;
    } else if (imported.bytes) {
        imported.reason = is_loop(parser, imported.origin.path) ? "it imports itself, or lies too deep" : NULL;
    }
    bool good = imported.reason || read_sheet(parser, &imported, import->layer);
    if (imported.reason)
        svg_warn(sheets->warnings, parser->line, "a style sheet that @import names is left out: %s", imported.reason);
    free(imported.bytes);
    return good;
}

bool css_sheet_import(css_sheet_parser *parser, text prelude)
{
import import;
    bool good;
    if (!svg_budget_charge(parser->sheets->document->budget, SVG_LIMIT_rules, 1))
        return true;
    if (!take_reference(parser, &prelude, &import.reference, &good))
        return false;
    if (!good)
        return true;
    if (!take_import_layer(parser, &prelude, &import.layer))
        return false;
    import.is_supported = take_supports(parser, &prelude);
    import.media = prelude;
    return !import.is_supported || !css_media_hold(import.media, &parser->sheets->medium) || fetch(parser, &import);
}
