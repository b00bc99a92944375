/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "svg/css/css_media.h"

#include "base/number.h"
#include "svg/css/length.h"

#define DEEPEST_CONDITION 16u

/* Kleene's three-valued logic: a condition that is not understood is neither true nor false. */
typedef enum truth { TRUTH_FALSE, TRUTH_UNKNOWN, TRUTH_TRUE } truth;

typedef struct query {
    text rest;
    css_token token; /* the next one that is not space */
    const css_medium *medium;
    unsigned depth;
} query;

static void advance(query *query)
{
    query->token = css_token_next_part(&query->rest);
}

static bool at_word(const query *query, text word)
{
    return query->token.kind == CSS_IDENT && text_equal_ignoring_case(query->token.value, word);
}

static truth truth_of(bool value)
{
    return value ? TRUTH_TRUE : TRUTH_FALSE;
}

/* Ways in which our value may compare with another. They can be combined. */
enum { ORDER_LESS = 1, ORDER_EQUAL = 2, ORDER_GREATER = 4 };

static truth compare(double ours, double other, unsigned order)
{
    return truth_of((order & (ours < other ? ORDER_LESS : ours > other ? ORDER_GREATER : ORDER_EQUAL)) != 0);
}

/* Reads a number, a length or a ratio. */
static bool parse_number(query *query, double *value)
{
    if (query->token.kind != CSS_NUMBER)
        return false;
    const char *at = query->token.value.bytes, *end = at + query->token.value.count;
    text unit;
    double number;
    if (!number_parse(&at, end, &number))
        return false;
    unit = text_from(at, end);
    if (text_equal_ignoring_case(unit, TEXT("dpi"))) {
        *value = number / 96;
    } else if (text_equal_ignoring_case(unit, TEXT("dppx")) || text_equal_ignoring_case(unit, TEXT("x"))) {
        *value = number;
    } else if (text_equal_ignoring_case(unit, TEXT("dpcm"))) {
        *value = number * 2.54 / 96;
    } else {
        svg_length length;
        if (!svg_length_parse(query->token.value, query->medium->dpi, &length) || svg_length_has_percentage(length))
            return false;
        *value = svg_length_resolve(length, SVG_AXIS_X,
                                    &(svg_metrics){16, 16, 0, 0, query->medium->width, query->medium->height, NULL});
    }
    advance(query);
    if (css_token_is(&query->token, '/')) {
        double divisor;
        advance(query);
        if (!parse_number(query, &divisor) || divisor == 0)
            return false;
        *value /= divisor;
    }
    return true;
}

static truth ask_range(const css_medium *medium, text name, double value, unsigned order)
{
    bool known = medium->width > 0 && medium->height > 0;
    bool width = text_equal_ignoring_case(name, TEXT("width")) || text_equal_ignoring_case(name, TEXT("device-width"));
    bool height =
        text_equal_ignoring_case(name, TEXT("height")) || text_equal_ignoring_case(name, TEXT("device-height"));
    if (width || height)
        return known ? compare(width ? medium->width : medium->height, value, order) : TRUTH_FALSE;
    if (text_equal_ignoring_case(name, TEXT("aspect-ratio")) ||
        text_equal_ignoring_case(name, TEXT("device-aspect-ratio")))
        return known ? compare(medium->width / medium->height, value, order) : TRUTH_FALSE;
    if (text_equal_ignoring_case(name, TEXT("resolution")) ||
        text_equal_ignoring_case(name, TEXT("device-pixel-ratio")))
        return compare(1, value, order);
    if (text_equal_ignoring_case(name, TEXT("color")))
        return compare(8, value, order);
    if (text_equal_ignoring_case(name, TEXT("color-index")) || text_equal_ignoring_case(name, TEXT("monochrome")) ||
        text_equal_ignoring_case(name, TEXT("grid")))
        return compare(0, value, order);
    return TRUTH_UNKNOWN;
}

typedef struct feature {
    text name, ours;
} feature;

static const feature features[] = {
    {TEXT_LITERAL("prefers-color-scheme"), TEXT_LITERAL("light")},
    {TEXT_LITERAL("prefers-reduced-motion"), TEXT_LITERAL("reduce")},
    {TEXT_LITERAL("prefers-contrast"), TEXT_LITERAL("no-preference")},
    {TEXT_LITERAL("forced-colors"), TEXT_LITERAL("none")},
    {TEXT_LITERAL("inverted-colors"), TEXT_LITERAL("none")},
    {TEXT_LITERAL("hover"), TEXT_LITERAL("none")},
    {TEXT_LITERAL("any-hover"), TEXT_LITERAL("none")},
    {TEXT_LITERAL("pointer"), TEXT_LITERAL("none")},
    {TEXT_LITERAL("any-pointer"), TEXT_LITERAL("none")},
    {TEXT_LITERAL("update"), TEXT_LITERAL("none")},
    {TEXT_LITERAL("scripting"), TEXT_LITERAL("none")},
    {TEXT_LITERAL("color-gamut"), TEXT_LITERAL("srgb")},
    {TEXT_LITERAL("display-mode"), TEXT_LITERAL("browser")},
};

static truth ask_word(const css_medium *medium, text name, text value)
{
    if (text_equal_ignoring_case(name, TEXT("orientation")))
        return truth_of(
            text_equal_ignoring_case(value, medium->height >= medium->width ? TEXT("portrait") : TEXT("landscape")));
    for (size_t i = 0; i < sizeof features / sizeof features[0]; i++)
        if (text_equal_ignoring_case(name, features[i].name))
            return truth_of(text_equal_ignoring_case(value, features[i].ours));
    return TRUTH_UNKNOWN;
}

/* A feature without a value is true if it is neither 0 nor none. */
static truth ask_alone(const css_medium *medium, text name)
{
    truth answer = ask_range(medium, name, 0, ORDER_EQUAL);
    if (answer != TRUTH_UNKNOWN)
        return truth_of(answer == TRUTH_FALSE);
    if (text_equal_ignoring_case(name, TEXT("orientation")))
        return TRUTH_TRUE;
    for (size_t i = 0; i < sizeof features / sizeof features[0]; i++)
        if (text_equal_ignoring_case(name, features[i].name))
            return truth_of(!text_equal(features[i].ours, TEXT("none")) &&
                            !text_equal(features[i].ours, TEXT("no-preference")));
    return TRUTH_UNKNOWN;
}

/* Takes < <= > >= or =. The two characters of <= and >= have no blank between them. */
static bool take_order(query *query, unsigned *order)
{
    if (!css_token_is(&query->token, '<') && !css_token_is(&query->token, '>') && !css_token_is(&query->token, '='))
        return false;
    char sign = query->token.raw.bytes[0];
    *order = sign == '<' ? ORDER_LESS : sign == '>' ? ORDER_GREATER : ORDER_EQUAL;
    if (sign != '=' && text_starts_with(query->rest, TEXT("="))) {
        *order |= ORDER_EQUAL;
        advance(query);
    }
    advance(query);
    return true;
}

static unsigned reverse(unsigned order)
{
    return (order & ORDER_EQUAL) | (order & ORDER_LESS ? ORDER_GREATER : 0) | (order & ORDER_GREATER ? ORDER_LESS : 0);
}

/* Reads a range such as 400px < width <= 700px. */
static truth parse_reversed_range(query *query)
{
    double value;
    unsigned order, second_order;
    if (!parse_number(query, &value) || !take_order(query, &order) || query->token.kind != CSS_IDENT)
        return TRUTH_UNKNOWN;
    text name = query->token.value;
    truth first = ask_range(query->medium, name, value, reverse(order));
    advance(query);
    if (css_token_is(&query->token, ')'))
        return first;
    bool same_way = take_order(query, &second_order) && ((order ^ second_order) & ~(unsigned)ORDER_EQUAL) == 0 &&
                    order != ORDER_EQUAL;
    if (!same_way || !parse_number(query, &value))
        return TRUTH_UNKNOWN;
    truth second = ask_range(query->medium, name, value, second_order);
    return first < second ? first : second;
}

/* Reads a feature, from behind the opening parenthesis up to the closing one. */
static truth parse_feature(query *query)
{
    if (query->token.kind == CSS_NUMBER)
        return parse_reversed_range(query);
    if (query->token.kind != CSS_IDENT)
        return TRUTH_UNKNOWN;
    text name = query->token.value;
    unsigned order = ORDER_EQUAL;
    double value;
    advance(query);
    if (css_token_is(&query->token, ')'))
        return ask_alone(query->medium, name);
    if (take_order(query, &order))
        return parse_number(query, &value) ? ask_range(query->medium, name, value, order) : TRUTH_UNKNOWN;
    if (query->token.kind != CSS_COLON)
        return TRUTH_UNKNOWN;
    advance(query);
    if (query->token.kind == CSS_IDENT) {
        text word = query->token.value;
        advance(query);
        return ask_word(query->medium, name, word);
    }
    const text webkit = TEXT("-webkit-");
    if (name.count > webkit.count && text_equal_ignoring_case((text){name.bytes, webkit.count}, webkit))
        name = text_from(name.bytes + webkit.count, name.bytes + name.count);
    bool prefixed = name.count > 4 && name.bytes[3] == '-';
    if (prefixed && text_equal_ignoring_case((text){name.bytes, 3}, TEXT("min")))
        order |= ORDER_GREATER;
    else if (prefixed && text_equal_ignoring_case((text){name.bytes, 3}, TEXT("max")))
        order |= ORDER_LESS;
    if (order != ORDER_EQUAL)
        name = text_from(name.bytes + 4, name.bytes + name.count);
    return parse_number(query, &value) ? ask_range(query->medium, name, value, order) : TRUTH_UNKNOWN;
}

static truth parse_condition(query *query, bool or_allowed);

static truth parse_in_parentheses(query *query)
{
    if (query->token.kind == CSS_FUNCTION) {
        css_token_skip_block(&query->rest, '(');
        advance(query);
        return TRUTH_UNKNOWN;
    }
    if (!css_token_is(&query->token, '('))
        return TRUTH_UNKNOWN;
    text inside = query->rest;
    css_token_skip_block(&query->rest, '(');
    struct query nested = {
        .rest = text_from(inside.bytes, query->rest.bytes), .medium = query->medium, .depth = query->depth + 1};
    advance(&nested);
    advance(query);
    if (nested.depth > DEEPEST_CONDITION)
        return TRUTH_UNKNOWN;
    bool condition =
        css_token_is(&nested.token, '(') || at_word(&nested, TEXT("not")) || nested.token.kind == CSS_FUNCTION;
    truth result = condition ? parse_condition(&nested, true) : parse_feature(&nested);
    return css_token_is(&nested.token, ')') ? result : TRUTH_UNKNOWN;
}

static truth parse_condition(query *query, bool or_allowed)
{
    if (at_word(query, TEXT("not"))) {
        advance(query);
        return (truth)(TRUTH_TRUE - parse_in_parentheses(query));
    }
    truth result = parse_in_parentheses(query);
    bool and = at_word(query, TEXT("and"));
    while (at_word(query, and? TEXT("and") : TEXT("or")) && (and || or_allowed)) {
        advance(query);
        truth next = parse_in_parentheses(query);
        result = and == (next < result) ? next : result;
    }
    return result;
}

/* Returns whether `not` belongs to a condition, because a parenthesis follows. Before a type it belongs to the
 * query. */
static bool negates_condition(const query *query, text rest)
{
    text trimmed = text_trim(rest);
    return at_word(query, TEXT("not")) && text_find(rest, '(') < rest.count && trimmed.count > 3 &&
           text_trim(text_from(trimmed.bytes + 3, rest.bytes + rest.count)).bytes[0] == '(';
}

static bool query_holds(text rest, const css_medium *medium)
{
    query query = {.rest = rest, .medium = medium};
    advance(&query);
    if (query.token.kind != CSS_IDENT || negates_condition(&query, rest))
        return parse_condition(&query, true) == TRUTH_TRUE && query.token.kind == CSS_END;
    bool not = at_word(&query, TEXT("not"));
    if (not || at_word(&query, TEXT("only")))
        advance(&query);
    if (query.token.kind != CSS_IDENT)
        return false;
    truth result = truth_of(at_word(&query, TEXT("all")) || at_word(&query, TEXT("screen")));
    advance(&query);
    if (at_word(&query, TEXT("and"))) {
        advance(&query);
        truth condition = parse_condition(&query, false);
        result = condition < result ? condition : result;
    }
    if (query.token.kind != CSS_END)
        return false;
    return (not ? TRUTH_TRUE - result : (unsigned)result) == TRUTH_TRUE;
}

bool css_media_hold(text queries, const css_medium *medium)
{
    if (text_trim(queries).count == 0)
        return true;
    while (queries.count) {
        text rest = queries;
        const char *stop = rest.bytes;
        css_token token = css_token_next(&rest);
        for (; token.kind != CSS_END && token.kind != CSS_COMMA; token = css_token_next(&rest)) {
            if (token.kind == CSS_OPEN || token.kind == CSS_FUNCTION)
                css_token_skip_block(&rest, token.kind == CSS_OPEN ? token.raw.bytes[0] : '(');
            stop = rest.bytes;
        }
        if (query_holds(text_from(queries.bytes, stop), medium))
            return true;
        queries = rest;
    }
    return false;
}
