#include "svg/style/css_sheet.h"

#define DEEPEST_RULE 16u /* of @media within @media */

typedef struct sheet_parser {
    css_sheets *sheets;
    uint32_t line;
    unsigned depth;
    css_spaces spaces;
    bool begun; /* a rule was read, before which name spaces must be declared */
} sheet_parser;

static bool add_value(void *user, text name, text value, bool important)
{
    const sheet_parser *parser = user;
    css_sheets *sheets = parser->sheets;
    if (!svg_budget_charge(sheets->document->budget, SVG_LIMIT_rules, 1))
        return true;
    return svg_property_collect(sheets->document, sheets->warnings, parser->line, name, value, important,
                                &sheets->values);
}

static bool add_rule(sheet_parser *parser, text prelude, text body)
{
    css_sheets *sheets = parser->sheets;
    css_selector *list;
    if (!css_selector_parse(&sheets->tree->names, &parser->spaces, text_trim(prelude), &list))
        return false;
    if (!list) {
        svg_warn(sheets->warnings, parser->line, "the rules of a selector that is not understood are left out: %.*s",
                 TEXT_PRINT(text_trim(prelude)));
        return true;
    }
    css_block block = {.begin = (uint32_t)sheets->values.count};
    if (!svg_declaration_list_walk(body, add_value, parser))
        return false;
    block.count = (uint32_t)sheets->values.count - block.begin;
    if (block.count == 0)
        return true;
    css_block *added = array_push(&sheets->blocks);
    if (!added)
        return false;
    *added = block;
    for (; list; list = list->next) {
        css_rule *rule = array_push(&sheets->rules);
        if (!rule)
            return false;
        *rule = (css_rule){list, (uint32_t)sheets->blocks.count - 1, (uint32_t)sheets->rules.count};
    }
    return true;
}

static void warn_of_end(const sheet_parser *parser)
{
    svg_warn(parser->sheets->warnings, parser->line, "a style sheet ends within a rule: a bracket is not closed");
}

/* Takes the prelude of a rule, up to its block or to the semicolon that ends an at-rule. The bytes of *body are NULL if
 * there is no block. */
static text take_prelude(const sheet_parser *parser, text *rest, bool at_rule, text *body)
{
    const char *begin = rest->bytes;
    *body = (text){NULL, 0};
    for (;;) {
        const char *stop = rest->bytes;
        css_token token = css_token_next(rest);
        if (token.kind == CSS_END && !at_rule)
            warn_of_end(parser);
        if (token.kind == CSS_END || (at_rule && token.kind == CSS_SEMICOLON))
            return text_from(begin, stop);
        if (css_token_is(&token, '{')) {
            const char *inside = rest->bytes;
            bool closed = css_token_skip_block(rest, '{');
            *body = text_from(inside, rest->bytes - closed);
            if (!closed)
                warn_of_end(parser);
            return text_from(begin, stop);
        }
        if (token.kind == CSS_OPEN || token.kind == CSS_FUNCTION)
            css_token_skip_block(rest, token.kind == CSS_OPEN ? token.raw.bytes[0] : '(');
    }
}

static bool parse_rules(sheet_parser *parser, text rest);

static bool intern_decoded(css_names *names, const css_token *token, uint32_t *name)
{
    text decoded;
    *name = css_token_decode(token, &names->arena, &decoded) ? css_name_intern(names, decoded) : 0;
    return *name != 0;
}

/* Reads @namespace (CSS Namespaces 3). An invalid one declares nothing. False: out of memory. */
static bool declare_space(sheet_parser *parser, text prelude)
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

static bool parse_at_rule(sheet_parser *parser, text name, text *rest)
{
    text body, prelude = take_prelude(parser, rest, true, &body);
    if (text_equal_ignoring_case(name, TEXT("import")))
        svg_warn(parser->sheets->warnings, parser->line, "style sheets that @import names are left out");
    bool import = text_equal_ignoring_case(name, TEXT("import")) || text_equal_ignoring_case(name, TEXT("charset"));
    if (text_equal_ignoring_case(name, TEXT("namespace")))
        return parser->begun || body.bytes || declare_space(parser, prelude);
    parser->begun = parser->begun || !import;
    if (!body.bytes || !text_equal_ignoring_case(name, TEXT("media")) || parser->depth == DEEPEST_RULE ||
        !css_media_hold(prelude, &parser->sheets->medium))
        return true;
    parser->depth++;
    bool good = parse_rules(parser, body);
    parser->depth--;
    return good;
}

static bool parse_rules(sheet_parser *parser, text rest)
{
    svg_budget *budget = parser->sheets->document->budget;
    while (rest.count) {
        text before = rest, body;
        css_token token = css_token_next(&rest);
        if (token.kind == CSS_SPACE || token.kind == CSS_COMMENT_MARK || token.kind == CSS_END)
            continue;
        if (token.kind == CSS_AT) {
            if (!parse_at_rule(parser, token.value, &rest))
                return false;
            continue;
        }
        parser->begun = true;
        text prelude = take_prelude(parser, &before, false, &body);
        rest = before;
        /* Each part of a selector takes 100 to 200 bytes of memory, but may be only two bytes of text. */
        if (body.bytes && !svg_budget_charge(budget, SVG_LIMIT_rules, 1 + prelude.count / 2))
            return true;
        if (body.bytes && !add_rule(parser, prelude, body))
            return false;
    }
    return true;
}

bool css_sheet_add(css_sheets *sheets, text sheet, uint32_t line)
{
    sheet_parser parser = {.sheets = sheets, .line = line, .spaces = {.standard = CSS_ANY_SPACE}};
    bool good = parse_rules(&parser, sheet);
    array_free(&parser.spaces.prefixes);
    return good;
}

void css_sheets_free(css_sheets *sheets)
{
    array_free(&sheets->values);
    array_free(&sheets->blocks);
    array_free(&sheets->rules);
}
