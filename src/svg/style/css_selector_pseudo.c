/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Pseudo-classes (Selectors 4, sections 4 and 6 to 14). */
#include "svg/style/css_selector_parser.h"

#define DEEPEST_LIST 16u /* how deep lists may nest: :not(:is(...)) */

static css_state parse_inner_list(css_selector_parser *outer, text inside, bool of_has, css_selector **list)
{
    css_selector_parser inner = {.names = outer->names,
                                 .spaces = outer->spaces,
                                 .nest = outer->nest,
                                 .rest = inside,
                                 .in_has = outer->in_has || of_has,
                                 .of_has = of_has,
                                 .depth = outer->depth + 1};
    if (inner.depth > DEEPEST_LIST)
        return STATE_BAD;
    css_selector_advance(&inner);
    css_state result = css_selector_parse_list(&inner, list);
    outer->nest_named = outer->nest_named || inner.nest_named;
    return result;
}

static css_state parse_strict_list(css_selector_parser *outer, text inside, css_simple *simple)
{
    css_selector *list = NULL;
    css_state result = parse_inner_list(outer, inside, false, &list);
    simple->list = list;
    return result;
}

/* Parses a forgiving list (Selectors 4, section 18). Invalid selectors are left out. A list without any other matches
 * nothing. */
static css_state parse_forgiving_list(css_selector_parser *outer, text inside, css_simple *simple)
{
    css_selector *first = NULL, **place = &first;
    while (inside.count) {
        css_selector *part = NULL;
        css_state result = parse_inner_list(outer, css_take_part(&inside), false, &part);
        if (result == STATE_MEMORY)
            return result;
        if (result == STATE_GOOD) {
            *place = part;
            place = &part->next;
        }
    }
    simple->list = first;
    return STATE_GOOD;
}

/* Parses the list of :has(), whose selectors are relative to the element (Selectors 4, section 4.5). */
static css_state parse_has(css_selector_parser *outer, text inside, css_simple *simple)
{
    css_selector *list = NULL;
    size_t count = 0;
    css_state result = outer->in_has ? STATE_BAD : parse_inner_list(outer, inside, true, &list);
    simple->list = list;
    if (result != STATE_GOOD)
        return result;
    for (const css_selector *selector = list; selector; selector = selector->next)
        count++;
    simple->known = ARENA_NEW_ARRAY(&outer->names->arena, css_known, count);
    return simple->known ? STATE_GOOD : STATE_MEMORY;
}

/* Parses the ranges of :lang(), which are names or strings. */
static css_state parse_languages(css_selector_parser *parser, text inside, css_simple *simple)
{
    text *ranges = ARENA_NEW_ARRAY(&parser->names->arena, text, text_count(inside, ',') + 1);
    if (!ranges)
        return STATE_MEMORY;
    simple->ranges = ranges;
    for (;;) {
        css_token range = css_token_next_part(&inside), behind = css_token_next_part(&inside);
        if (range.kind != CSS_IDENT && range.kind != CSS_STRING)
            return STATE_BAD;
        text decoded;
        const char *copy = css_token_decode(&range, &parser->names->arena, &decoded)
                               ? arena_copy(&parser->names->arena, decoded.bytes, decoded.count)
                               : NULL;
        if (!copy)
            return STATE_MEMORY;
        ranges[simple->b++] = (text){copy, decoded.count};
        if (behind.kind != CSS_COMMA)
            return behind.kind == CSS_END ? STATE_GOOD : STATE_BAD;
    }
}

static css_state parse_nth(css_selector_parser *parser, text inside, css_simple *simple)
{
    const char *at = inside.bytes, *end = at + inside.count;
    if (!css_nth_scan(&at, end, simple))
        return STATE_BAD;
    text of = text_trim(text_from(at, end));
    if (of.count == 0)
        return STATE_GOOD;
    if (of.count < 3 || at == end || !text_is_space(*at) || !text_equal_ignoring_case((text){of.bytes, 2}, TEXT("of")))
        return STATE_BAD;
    if (simple->kind != SIMPLE_NTH && simple->kind != SIMPLE_NTH_LAST)
        return STATE_BAD;
    return parse_strict_list(parser, text_from(of.bytes + 2, of.bytes + of.count), simple);
}

typedef struct pseudo_entry {
    text name;
    uint8_t kind;
    int32_t b; /* `b` of the kinds NTH */
} pseudo_entry;

static const pseudo_entry functions[] = {
    {TEXT_LITERAL("nth-child"), SIMPLE_NTH, 0},
    {TEXT_LITERAL("nth-last-child"), SIMPLE_NTH_LAST, 0},
    {TEXT_LITERAL("nth-of-type"), SIMPLE_NTH_OF_TYPE, 0},
    {TEXT_LITERAL("nth-last-of-type"), SIMPLE_NTH_LAST_OF_TYPE, 0},
    {TEXT_LITERAL("is"), SIMPLE_IS, 0},
    {TEXT_LITERAL("matches"), SIMPLE_IS, 0},
    {TEXT_LITERAL("where"), SIMPLE_WHERE, 0},
    {TEXT_LITERAL("not"), SIMPLE_NOT, 0},
    {TEXT_LITERAL("has"), SIMPLE_HAS, 0},
    {TEXT_LITERAL("lang"), SIMPLE_LANG, 0},
    {TEXT_LITERAL("dir"), SIMPLE_NEVER, 0},
};

static const pseudo_entry words[] = {
    {TEXT_LITERAL("root"), SIMPLE_ROOT, 0},
    {TEXT_LITERAL("scope"), SIMPLE_ROOT, 0},
    {TEXT_LITERAL("empty"), SIMPLE_EMPTY, 0},
    {TEXT_LITERAL("link"), SIMPLE_LINK, 0},
    {TEXT_LITERAL("any-link"), SIMPLE_LINK, 0},
    {TEXT_LITERAL("first-child"), SIMPLE_NTH, 1},
    {TEXT_LITERAL("last-child"), SIMPLE_NTH_LAST, 1},
    {TEXT_LITERAL("first-of-type"), SIMPLE_NTH_OF_TYPE, 1},
    {TEXT_LITERAL("last-of-type"), SIMPLE_NTH_LAST_OF_TYPE, 1},
    {TEXT_LITERAL("hover"), SIMPLE_NEVER, 0},
    {TEXT_LITERAL("active"), SIMPLE_NEVER, 0},
    {TEXT_LITERAL("focus"), SIMPLE_NEVER, 0},
    {TEXT_LITERAL("focus-within"), SIMPLE_NEVER, 0},
    {TEXT_LITERAL("focus-visible"), SIMPLE_NEVER, 0},
    {TEXT_LITERAL("visited"), SIMPLE_NEVER, 0},
    {TEXT_LITERAL("target"), SIMPLE_TARGET, 0},
    {TEXT_LITERAL("enabled"), SIMPLE_NEVER, 0},
    {TEXT_LITERAL("disabled"), SIMPLE_NEVER, 0},
    {TEXT_LITERAL("checked"), SIMPLE_NEVER, 0},
};

static const pseudo_entry *find_pseudo(const pseudo_entry *entries, size_t count, text name)
{
    for (size_t i = 0; i < count; i++)
        if (text_equal_ignoring_case(name, entries[i].name))
            return &entries[i];
    return NULL;
}

static css_state parse_function(css_selector_parser *parser, css_simple **first)
{
    const pseudo_entry *entry = find_pseudo(functions, sizeof functions / sizeof functions[0], parser->token.value);
    css_simple *simple = entry ? css_selector_add_simple(parser, first, (simple_kind)entry->kind) : NULL;
    if (!simple)
        return entry ? STATE_MEMORY : STATE_BAD;
    const char *begin = parser->rest.bytes;
    css_token_skip_block(&parser->rest, '(');
    text inside = text_from(begin, parser->rest.bytes);
    if (inside.count && inside.bytes[inside.count - 1] == ')')
        inside.count--;
    css_selector_advance(parser);
    switch ((simple_kind)entry->kind) {
    case SIMPLE_NEVER:
        return STATE_GOOD;
    case SIMPLE_IS:
    case SIMPLE_WHERE:
        return parse_forgiving_list(parser, inside, simple);
    case SIMPLE_NOT:
        return parse_strict_list(parser, inside, simple);
    case SIMPLE_HAS:
        return parse_has(parser, inside, simple);
    case SIMPLE_LANG:
        return parse_languages(parser, inside, simple);
    default:
        return parse_nth(parser, inside, simple);
    }
}

/* Parses a pseudo-class, from the colon on. */
css_state css_selector_parse_pseudo(css_selector_parser *parser, css_simple **first)
{
    css_selector_advance(parser);
    if (parser->token.kind == CSS_COLON) { /* a pseudo-element, which is never drawn */
        css_selector_advance(parser);
        bool function = parser->token.kind == CSS_FUNCTION;
        if (parser->token.kind != CSS_IDENT && !function)
            return STATE_BAD;
        if (function)
            css_token_skip_block(&parser->rest, '(');
        css_selector_advance(parser);
        return css_selector_add_simple(parser, first, SIMPLE_NEVER) ? STATE_GOOD : STATE_MEMORY;
    }
    if (parser->token.kind == CSS_FUNCTION)
        return parse_function(parser, first);
    if (parser->token.kind != CSS_IDENT)
        return STATE_BAD;
    text name = parser->token.value;
    const pseudo_entry *entry = find_pseudo(words, sizeof words / sizeof words[0], name);
    bool only_child = text_equal_ignoring_case(name, TEXT("only-child")),
         only_of_type = text_equal_ignoring_case(name, TEXT("only-of-type"));
    if (!entry && !only_child && !only_of_type)
        return STATE_BAD;
    css_selector_advance(parser);
    css_simple *simple = css_selector_add_simple(parser, first,
                                                 entry        ? (simple_kind)entry->kind
                                                 : only_child ? SIMPLE_NTH
                                                              : SIMPLE_NTH_OF_TYPE);
    if (!simple)
        return STATE_MEMORY;
    simple->b = entry ? entry->b : 1;
    if (entry)
        return STATE_GOOD;
    css_simple *last = css_selector_add_simple(parser, first, only_child ? SIMPLE_NTH_LAST : SIMPLE_NTH_LAST_OF_TYPE);
    if (!last)
        return STATE_MEMORY;
    last->b = 1;
    return STATE_GOOD;
}
