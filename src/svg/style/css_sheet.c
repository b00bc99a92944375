#include "svg/style/css_sheet_parser.h"

/* Moves to the line of a place that does not lie before the last one. A sheet without marks has one line. */
static void find_line(css_sheet_parser *parser, const char *at)
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
    const css_sheet_parser *parser = user;
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

static bool add_rule(css_sheet_parser *parser, text prelude, text body)
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

static void warn_of_end(const css_sheet_parser *parser)
{
    svg_warn(parser->sheets->warnings, parser->line, "a style sheet ends within a rule: a bracket is not closed");
}

text css_sheet_take_prelude(const css_sheet_parser *parser, text *rest, bool at_rule, text *body)
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

bool css_sheet_parse_rules(css_sheet_parser *parser, text rest)
{
    svg_budget *budget = parser->sheets->document->budget;
    while (rest.count) {
        text before = rest, body;
        css_token token = css_token_next(&rest);
        if (token.kind == CSS_SPACE || token.kind == CSS_COMMENT_MARK || token.kind == CSS_END)
            continue;
        find_line(parser, token.raw.bytes);
        if (token.kind == CSS_AT) {
            if (!css_sheet_parse_at_rule(parser, token.value, &rest))
                return false;
            continue;
        }
        parser->begun = true;
        text prelude = css_sheet_take_prelude(parser, &before, false, &body);
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
    css_sheet_parser parser = {.sheets = sheets,
                               .bytes = sheet->bytes,
                               .marks = sheet->mark_count > 0 ? marks + sheet->first_mark : NULL,
                               .mark_count = sheet->mark_count,
                               .line = sheet->line,
                               .spaces = {.standard = CSS_ANY_SPACE}};
    bool good = css_sheet_parse_rules(&parser, (text){sheet->bytes, sheet->count});
    array_free(&parser.spaces.prefixes);
    return good;
}

void css_sheets_free(css_sheets *sheets)
{
    array_free(&sheets->values);
    array_free(&sheets->blocks);
    array_free(&sheets->rules);
}
