/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "svg/style/css_supports.h"

#include "svg/style/property.h"

#define DEEPEST_CONDITION 16u

typedef struct asker {
    svg_document *document;
    css_names *names;
    const css_spaces *spaces;
} asker;

/* A condition that is being read. */
typedef struct condition {
    asker *asker;
    text rest;
    css_token token; /* the next one that is not space */
    unsigned depth;
    bool is_bad;
} condition;

static void advance(condition *condition)
{
    condition->token = css_token_next_part(&condition->rest);
}

static bool at_word(const condition *condition, text word)
{
    return condition->token.kind == CSS_IDENT && text_equal_ignoring_case(condition->token.value, word);
}

/* Declarations that were read for a condition. */
typedef struct trial {
    svg_document *document;
    svg_property_values values;
    unsigned count;
    bool is_read; /* the last one */
} trial;

/* What a warning says is not supported. */
static void note_warning(void *user, uint32_t line, const char *message)
{
    (void)line, (void)message;
    *(bool *)user = true;
}

static bool try_declaration(void *user, text name, text value, bool important)
{
    trial *trial = user;
    bool is_cut = false;
    svg_warnings warnings = {.function = note_warning, .user = &is_cut};
    trial->count++;
    trial->values.count = 0;
    bool good = svg_property_collect(trial->document, &warnings, 0, name, value, important, &trial->values);
    svg_warnings_free(&warnings);
    trial->is_read = name.count && trial->values.count > 0 && !is_cut;
    return good;
}

static bool ask_declaration(const asker *asker, text declaration)
{
    trial trial = {.document = asker->document};
    if (!svg_declaration_list_walk(declaration, try_declaration, &trial))
        svg_budget_lack_memory(asker->document->budget);
    array_free(&trial.values);
    return trial.count == 1 && trial.is_read;
}

static bool ask_selector(const asker *asker, text selector)
{
    const css_nest none = {NULL, 0, 0, 0};
    css_selector *list;
    svg_budget_charge(asker->document->budget, SVG_LIMIT_rules, 1 + selector.count / 2);
    if (!css_selector_parse(asker->names, asker->spaces, &none, text_trim(selector), &list))
        svg_budget_lack_memory(asker->document->budget);
    return list && !list->next;
}

static bool parse_condition(condition *condition);

static bool is_declaration(text inside)
{
    css_token name = css_token_next_part(&inside), colon = css_token_next_part(&inside);
    return name.kind == CSS_IDENT && colon.kind == CSS_COLON;
}

/* Asks what stands in parentheses. What is no condition there does not hold. */
static bool ask_inside(asker *asker, text inside, unsigned depth)
{
    if (is_declaration(inside))
        return ask_declaration(asker, inside);
    condition nested = {.asker = asker, .rest = inside, .depth = depth};
    if (depth > DEEPEST_CONDITION)
        return false;
    svg_budget_spend(asker->document->budget, SVG_STEP_style_byte, inside.count);
    advance(&nested);
    bool holds = parse_condition(&nested);
    return holds && !nested.is_bad && nested.token.kind == CSS_END;
}

static bool parse_in_parentheses(condition *condition)
{
    const css_token open = condition->token;
    if (open.kind != CSS_FUNCTION && !css_token_is(&open, '(')) {
        condition->is_bad = true;
        return false;
    }
    const char *begin = condition->rest.bytes;
    bool closed = css_token_skip_block(&condition->rest, '(');
    text inside = text_from(begin, condition->rest.bytes - closed);
    advance(condition);
    if (open.kind != CSS_FUNCTION)
        return ask_inside(condition->asker, inside, condition->depth + 1);
    return text_equal_ignoring_case(open.value, TEXT("selector")) && ask_selector(condition->asker, inside);
}

static bool parse_condition(condition *condition)
{
    if (at_word(condition, TEXT("not"))) {
        advance(condition);
        return !parse_in_parentheses(condition);
    }
    bool holds = parse_in_parentheses(condition);
    const bool all = at_word(condition, TEXT("and"));
    while (!condition->is_bad && at_word(condition, all ? TEXT("and") : TEXT("or"))) {
        advance(condition);
        bool next = parse_in_parentheses(condition);
        holds = all ? holds && next : holds || next;
    }
    return holds;
}

bool css_supports_hold(svg_document *document, css_names *names, const css_spaces *spaces, text question)
{
    asker asker = {document, names, spaces};
    condition condition = {.asker = &asker, .rest = question};
    svg_budget_spend(document->budget, SVG_STEP_style_byte, question.count);
    advance(&condition);
    bool holds = parse_condition(&condition);
    return holds && !condition.is_bad && condition.token.kind == CSS_END;
}

bool css_supports_hold_inside(svg_document *document, css_names *names, const css_spaces *spaces, text question)
{
    asker asker = {document, names, spaces};
    return ask_inside(&asker, question, 0);
}
