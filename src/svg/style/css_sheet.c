/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "svg/style/css_sheet_parser.h"

/* Moves to the line of a place that does not lie before the last one. A sheet without marks has one line. */
static void find_line(css_sheet_parser *parser, const char *at)
{
    while (parser->mark_count > 0 && parser->bytes + parser->marks->offset <= at) {
        parser->counted = parser->bytes + parser->marks->offset;
        parser->counted_line = parser->marks->line;
        parser->marks++;
        parser->mark_count--;
    }
    if (parser->counted)
        parser->counted_line += (uint32_t)text_count(text_from(parser->counted, at), '\n');
    parser->counted = parser->counted ? at : NULL;
    parser->line = parser->counted_line;
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

bool css_sheet_mentions(text whole, text part)
{
    for (size_t i = 0; i + part.count <= whole.count; i++)
        if (text_equal_ignoring_case((text){whole.bytes + i, part.count}, part))
            return true;
    return false;
}

static bool add_rule(css_sheet_parser *parser, text prelude, text body);

/* Reads a rule, or an at-rule, off the text. False: out of memory. */
static bool parse_rule(css_sheet_parser *parser, text *rest)
{
    svg_budget *budget = parser->sheets->document->budget;
    text behind = *rest, body;
    css_token token = css_token_next(&behind);
    if (token.kind == CSS_SPACE || token.kind == CSS_COMMENT_MARK || token.kind == CSS_END) {
        *rest = behind;
        return true;
    }
    find_line(parser, token.raw.bytes);
    if (token.kind == CSS_AT) {
        *rest = behind;
        return css_sheet_parse_at_rule(parser, token.value, rest);
    }
    parser->begun = true;
    text prelude = css_sheet_take_prelude(parser, rest, false, &body);
    /* Each part of a selector takes 100 to 200 bytes of memory, but may be only two bytes of text. */
    if (!body.bytes || !svg_budget_charge(budget, SVG_LIMIT_rules, 1 + prelude.count / 2))
        return true;
    return add_rule(parser, prelude, body);
}

/* Makes rules of the declarations that were read since the last block. */
static bool end_block(css_sheet_parser *parser)
{
    css_sheets *sheets = parser->sheets;
    const size_t first = parser->first_value;
    parser->first_value = sheets->values.count;
    if (first == sheets->values.count)
        return true;
    if (parser->goes_on && !svg_budget_charge(sheets->document->budget, SVG_LIMIT_rules, parser->nest.count))
        return true;
    parser->goes_on = true;
    css_block *added = array_push(&sheets->blocks);
    if (!added)
        return false;
    *added = (css_block){(uint32_t)first, (uint32_t)(sheets->values.count - first), parser->layer};
    for (const css_selector *selector = parser->nest.list; selector; selector = selector->next) {
        css_rule *rule = array_push(&sheets->rules);
        if (!rule)
            return false;
        *rule = (css_rule){selector, (uint32_t)sheets->blocks.count - 1, (uint32_t)sheets->rules.count};
    }
    return true;
}

/* Takes a declaration of a style rule, or a rule within it. Declarations behind that count as rules of their own, which
 * come after it (CSS Nesting, 3.3). */
static bool take_item(void *user, text name, text value, bool important)
{
    css_sheet_parser *parser = user;
    css_sheets *sheets = parser->sheets;
    const uint32_t line = parser->line;
    if (name.count == 0) {
        bool good = end_block(parser) && parse_rule(parser, &value);
        parser->line = line;
        return good;
    }
    if (!svg_budget_charge(sheets->document->budget, SVG_LIMIT_rules, 1))
        return true;
    return svg_property_collect(sheets->document, sheets->warnings, line, name, value, important, &sheets->values);
}

static bool parse_style_block(css_sheet_parser *parser, text body)
{
    parser->first_value = parser->sheets->values.count;
    bool good = svg_declaration_list_walk(body, take_item, parser) && end_block(parser);
    parser->first_value = parser->sheets->values.count;
    return good;
}

static bool parse_rules(css_sheet_parser *parser, text rest)
{
    bool good = true;
    while (rest.count && good)
        good = parse_rule(parser, &rest);
    return good;
}

bool css_sheet_parse_block(css_sheet_parser *parser, text body)
{
    if (parser->depth == CSS_DEEPEST_RULE) {
        svg_warn(parser->sheets->warnings, parser->line, "rules are left out that lie within more than %u others",
                 CSS_DEEPEST_RULE);
        return true;
    }
    /* A text is read once more for each rule around it. */
    svg_budget_spend(parser->sheets->document->budget, SVG_STEP_style_byte, body.count);
    parser->depth++;
    bool good = parser->nest.list ? parse_style_block(parser, body) : parse_rules(parser, body);
    parser->depth--;
    return good;
}

static bool add_rule(css_sheet_parser *parser, text prelude, text body)
{
    css_sheets *sheets = parser->sheets;
    css_selector *list;
    if (!css_selector_parse(&sheets->tree->names, &parser->spaces, &parser->nest, text_trim(prelude), &list))
        return false;
    if (!list) {
        svg_warn(sheets->warnings, parser->line, "the rules of a selector that is not understood are left out: %.*s",
                 TEXT_PRINT(text_trim(prelude)));
        return true;
    }
    if (css_sheet_mentions(prelude, TEXT(":dir(")))
        svg_warn(sheets->warnings, parser->line, "selectors of a direction match nothing: %.*s",
                 TEXT_PRINT(text_trim(prelude)));
    if (css_sheet_mentions(prelude, TEXT(":first-letter")) || css_sheet_mentions(prelude, TEXT(":first-line")))
        svg_warn(sheets->warnings, parser->line, "selectors of a first letter or line match nothing: %.*s",
                 TEXT_PRINT(text_trim(prelude)));
    const css_nest around = parser->nest;
    const bool went_on = parser->goes_on;
    parser->nest = css_nest_of(list);
    parser->goes_on = false;
    bool good = css_sheet_parse_block(parser, body);
    parser->nest = around;
    parser->goes_on = went_on;
    return good;
}

bool css_sheet_parse(css_sheet_parser *parser, text sheet)
{
    const text mark = TEXT("\xef\xbb\xbf"); /* byte order mark */
    if (text_starts_with(sheet, mark))
        sheet = text_from(sheet.bytes + mark.count, sheet.bytes + sheet.count);
    bool good = parse_rules(parser, sheet);
    array_free(&parser->spaces.prefixes);
    return good;
}

bool css_sheet_add(css_sheets *sheets, const css_sheet_text *sheet, const css_line_mark *marks)
{
    css_sheet_parser parser = {.sheets = sheets,
                               .bytes = sheet->bytes,
                               .marks = sheet->mark_count > 0 ? marks + sheet->first_mark : NULL,
                               .mark_count = sheet->mark_count,
                               .counted_line = sheet->line,
                               .spaces = {.standard = CSS_ANY_SPACE},
                               .origin = sheet->origin};
    return css_sheet_parse(&parser, (text){sheet->bytes, sheet->count});
}

void css_sheets_free(css_sheets *sheets)
{
    array_free(&sheets->values);
    array_free(&sheets->blocks);
    array_free(&sheets->rules);
    css_layers_free(&sheets->layers);
}
