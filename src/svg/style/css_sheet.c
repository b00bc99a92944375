#include "svg/style/css_sheet.h"

#include "svg/style/font_face.h"

#define DEEPEST_RULE 16u /* of @media within @media */

typedef struct sheet_parser {
    css_sheets *sheets;
    const char *bytes;          /* of the sheet */
    const css_line_mark *marks; /* those that are still to come */
    size_t mark_count;
    const char *counted; /* the place of which `line` is the line */
    uint32_t line;       /* of the current rule */
    unsigned depth;
    css_spaces spaces;
    bool begun; /* a rule was read, before which name spaces must be declared */
} sheet_parser;

/* Moves to the line of a place that does not lie before the last one. A sheet without marks has one line. */
static void find_line(sheet_parser *parser, const char *at)
{
    while (parser->mark_count > 0 && parser->bytes + parser->marks->offset <= at) {
        parser->counted = parser->bytes + parser->marks->offset;
        parser->line = parser->marks->line;
        parser->marks++;
        parser->mark_count--;
    }
    if (parser->counted)
        parser->line += (uint32_t)text_count(text_from(parser->counted, at), '\n');
    parser->counted = parser->counted ? at : NULL;
}

static bool add_value(void *user, text name, text value, bool important)
{
    const sheet_parser *parser = user;
    css_sheets *sheets = parser->sheets;
    if (!svg_budget_charge(sheets->document->budget, SVG_LIMIT_rules, 1))
        return true;
    return svg_property_collect(sheets->document, sheets->warnings, parser->line, name, value, important,
                                &sheets->values);
}

static bool mentions(text whole, text part)
{
    for (size_t i = 0; i + part.count <= whole.count; i++)
        if (text_equal_ignoring_case((text){whole.bytes + i, part.count}, part))
            return true;
    return false;
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
    if (mentions(prelude, TEXT(":lang(")) || mentions(prelude, TEXT(":dir(")))
        svg_warn(sheets->warnings, parser->line, "selectors of a language or a direction match nothing: %.*s",
                 TEXT_PRINT(text_trim(prelude)));
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

/* Warns of a rule that may change a picture that stands still. Pages and animations do not, and the words of
 * vendors are not meant for us. */
static void warn_of_at_rule(const sheet_parser *parser, text name)
{
    static const text silent[] = {
        TEXT_LITERAL("media"),         TEXT_LITERAL("namespace"),           TEXT_LITERAL("import"),
        TEXT_LITERAL("charset"),       TEXT_LITERAL("font-face"),           TEXT_LITERAL("font-feature-values"),
        TEXT_LITERAL("keyframes"),     TEXT_LITERAL("font-palette-values"), TEXT_LITERAL("page"),
        TEXT_LITERAL("counter-style"), TEXT_LITERAL("starting-style"),      TEXT_LITERAL("view-transition"),
    };
    for (size_t i = 0; i < sizeof silent / sizeof silent[0]; i++)
        if (name.count == 0 || name.bytes[0] == '-' || text_equal_ignoring_case(name, silent[i]))
            return;
    svg_warn(parser->sheets->warnings, parser->line, "the rules of @%.*s are left out", TEXT_PRINT(name));
}

static bool parse_at_rule(sheet_parser *parser, text name, text *rest)
{
    text body, prelude = take_prelude(parser, rest, true, &body);
    if (body.bytes)
        warn_of_at_rule(parser, name);
    if (text_equal_ignoring_case(name, TEXT("import")))
        svg_warn(parser->sheets->warnings, parser->line, "style sheets that @import names are left out");
    bool import = text_equal_ignoring_case(name, TEXT("import")) || text_equal_ignoring_case(name, TEXT("charset"));
    if (text_equal_ignoring_case(name, TEXT("namespace")))
        return parser->begun || body.bytes || declare_space(parser, prelude);
    parser->begun = parser->begun || !import;
    if (body.bytes && text_equal_ignoring_case(name, TEXT("font-face")))
        return !svg_budget_charge(parser->sheets->document->budget, SVG_LIMIT_rules, 1 + body.count / 100) ||
               svg_font_face_read(parser->sheets->document, parser->sheets->warnings, parser->line, body);
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
        find_line(parser, token.raw.bytes);
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

bool css_sheet_add(css_sheets *sheets, const css_sheet_text *sheet, const css_line_mark *marks)
{
    sheet_parser parser = {.sheets = sheets,
                           .bytes = sheet->bytes,
                           .marks = sheet->mark_count > 0 ? marks + sheet->first_mark : NULL,
                           .mark_count = sheet->mark_count,
                           .line = sheet->line,
                           .spaces = {.standard = CSS_ANY_SPACE}};
    bool good = parse_rules(&parser, (text){sheet->bytes, sheet->count});
    array_free(&parser.spaces.prefixes);
    return good;
}

void css_sheets_free(css_sheets *sheets)
{
    array_free(&sheets->values);
    array_free(&sheets->blocks);
    array_free(&sheets->rules);
}
