/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "svg/style/css_selector_parser.h"

#define MOST_COMPOUNDS 256u /* a selector's most */

static css_state intern_token(css_selector_parser *parser, uint32_t *name)
{
    text decoded;
    if (!css_token_decode(&parser->token, &parser->names->arena, &decoded))
        return STATE_MEMORY;
    *name = css_name_intern(parser->names, decoded);
    return *name ? STATE_GOOD : STATE_MEMORY;
}

/* Finds the name space of the prefix that is the current token. */
static css_state find_prefix(css_selector_parser *parser, uint32_t *space)
{
    uint32_t name;
    css_state result = intern_token(parser, &name);
    *space = CSS_ANY_SPACE;
    if (result != STATE_GOOD)
        return result;
    for (size_t i = parser->spaces->prefixes.count; i > 0; i--)
        if (parser->spaces->prefixes.items[i - 1].name == name) {
            *space = parser->spaces->prefixes.items[i - 1].space;
            return STATE_GOOD;
        }
    return STATE_BAD;
}

/* Copies the token's text, because the selector outlives the style sheet's text. */
static css_state keep_token(css_selector_parser *parser, text *kept)
{
    if (!css_token_decode(&parser->token, &parser->names->arena, kept))
        return STATE_MEMORY;
    char *copy = arena_copy(&parser->names->arena, kept->bytes, kept->count);
    kept->bytes = copy;
    return copy ? STATE_GOOD : STATE_MEMORY;
}

css_simple *css_selector_add_simple(css_selector_parser *parser, css_simple **first, simple_kind kind)
{
    css_simple *simple = ARENA_NEW(&parser->names->arena, css_simple);
    if (simple) {
        simple->kind = (uint8_t)kind;
        simple->next = *first;
        *first = simple;
    }
    return simple;
}

/* Computes the value's borders, so that values of attributes are searched in linear time. */
static css_state add_borders(css_selector_parser *parser, css_simple *simple)
{
    uint32_t *borders =
        arena_alloc(&parser->names->arena, (simple->value.count + 1) * sizeof *borders, sizeof *borders);
    if (!borders)
        return STATE_MEMORY;
    css_borders(simple->value, simple->ignore_case, borders);
    simple->borders = borders;
    return STATE_GOOD;
}

/* Parses an attribute selector, from the [ on. */
static css_state parse_attribute(css_selector_parser *parser, css_simple *simple)
{
    css_selector_advance(parser);
    css_selector_skip_space(parser);
    if (css_token_is(&parser->token, '*') || css_token_is(&parser->token, '|')) {
        simple->any_prefix = css_token_is(&parser->token, '*');
        if (simple->any_prefix)
            css_selector_advance(parser);
        if (!css_token_is(&parser->token, '|'))
            return STATE_BAD;
        css_selector_advance(parser);
    }
    if (parser->token.kind != CSS_IDENT)
        return STATE_BAD;
    css_token name = parser->token;
    css_state result = intern_token(parser, &simple->name);
    css_selector_advance(parser);
    text after = parser->rest;
    css_token following = css_token_next(&after);
    if (result == STATE_GOOD && css_token_is(&parser->token, '|') && following.kind == CSS_IDENT) {
        css_token bar = parser->token;
        uint32_t space;
        parser->token = name;
        if ((result = find_prefix(parser, &space)) != STATE_GOOD)
            return result;
        parser->token = bar;
        simple->any_prefix = true; /* the prefix's name space does not matter */
        css_selector_advance(parser);
        result = intern_token(parser, &simple->name);
        css_selector_advance(parser);
    }
    css_selector_skip_space(parser);
    if (result != STATE_GOOD || css_token_is(&parser->token, ']'))
        return result;
    if (parser->token.kind != CSS_DELIMITER || !memchr("=~|^$*", parser->token.raw.bytes[0], 6))
        return STATE_BAD;
    simple->operator= parser->token.raw.bytes[0];
    css_selector_advance(parser);
    if (simple->operator!= '=') {
        if (!css_token_is(&parser->token, '='))
            return STATE_BAD;
        css_selector_advance(parser);
    }
    css_selector_skip_space(parser);
    if (parser->token.kind != CSS_IDENT && parser->token.kind != CSS_STRING)
        return STATE_BAD;
    result = keep_token(parser, &simple->value);
    css_selector_advance(parser);
    css_selector_skip_space(parser);
    if (parser->token.kind == CSS_IDENT) {
        simple->ignore_case = text_equal_ignoring_case(parser->token.value, TEXT("i"));
        if (!simple->ignore_case && !text_equal_ignoring_case(parser->token.value, TEXT("s")))
            return STATE_BAD;
        css_selector_advance(parser);
        css_selector_skip_space(parser);
    }
    if (result == STATE_GOOD && simple->operator== '*')
        result = add_borders(parser, simple);
    return result != STATE_GOOD ? result : css_token_is(&parser->token, ']') ? STATE_GOOD : STATE_BAD;
}

static css_state add_space(css_selector_parser *parser, css_simple **first, uint32_t space)
{
    if (space == CSS_ANY_SPACE)
        return STATE_GOOD;
    css_simple *simple = css_selector_add_simple(parser, first, SIMPLE_SPACE);
    if (simple)
        simple->name = space;
    return simple ? STATE_GOOD : STATE_MEMORY;
}

/* Parses the name space before a type, and its bar. *given tells that there is one. */
static css_state parse_space(css_selector_parser *parser, uint32_t *space, bool *given)
{
    text after = parser->rest;
    css_token following = css_token_next(&after);
    bool bar = css_token_is(&parser->token, '|'), any = css_token_is(&parser->token, '*');
    css_state result = STATE_GOOD;
    *given = bar || css_token_is(&following, '|');
    if (!*given)
        return STATE_GOOD;
    if (bar || any)
        *space = bar ? CSS_NO_SPACE : CSS_ANY_SPACE;
    else
        result = find_prefix(parser, space);
    if (!bar)
        css_selector_advance(parser);
    css_selector_advance(parser);
    return result;
}

/* Parses a type or *, perhaps with a name space. *some tells that there is one. */
static css_state parse_type(css_selector_parser *parser, css_simple **first, bool *some)
{
    uint32_t space = parser->spaces->standard;
    bool given = false;
    if (!css_token_is(&parser->token, '*') && !css_token_is(&parser->token, '|') && parser->token.kind != CSS_IDENT)
        /* Inside :is() and the like, the standard name space does not apply. */
        return parser->depth == 0 ? add_space(parser, first, space) : STATE_GOOD;
    css_state result = parse_space(parser, &space, &given);
    bool any = css_token_is(&parser->token, '*');
    if (result != STATE_GOOD || (!any && parser->token.kind != CSS_IDENT))
        return result != STATE_GOOD ? result : STATE_BAD;
    *some = true;
    if (!any) {
        css_simple *simple = css_selector_add_simple(parser, first, SIMPLE_TYPE);
        result = simple ? intern_token(parser, &simple->name) : STATE_MEMORY;
    }
    css_selector_advance(parser);
    return result == STATE_GOOD ? add_space(parser, first, space) : result;
}

/* Adds the nesting selector (CSS Nesting, 4), which counts as the list of the rule around this one. */
static css_state add_nest(css_selector_parser *parser, css_simple **first)
{
    css_simple *simple = css_selector_add_simple(parser, first, parser->nest->list ? SIMPLE_NEST : SIMPLE_SCOPE);
    if (simple) {
        simple->list = parser->nest->list;
        simple->name = parser->nest->specificity;
        simple->b = (int32_t)parser->nest->deepest;
    }
    parser->nest_named = true;
    return simple ? STATE_GOOD : STATE_MEMORY;
}

/* & may stand before a type. */
static css_state parse_beginning(css_selector_parser *parser, css_simple **first, bool *some)
{
    css_state result = STATE_GOOD;
    while (result == STATE_GOOD && css_token_is(&parser->token, '&')) {
        result = add_nest(parser, first);
        css_selector_advance(parser);
        *some = true;
    }
    return result == STATE_GOOD ? parse_type(parser, first, some) : result;
}

static css_state parse_compound(css_selector_parser *parser, css_compound *compound)
{
    css_simple *first = NULL, *simple;
    bool some = false;
    css_state result = parse_beginning(parser, &first, &some);
    while (result == STATE_GOOD) {
        if (css_token_is(&parser->token, '.')) {
            css_selector_advance(parser);
            if (parser->token.kind != CSS_IDENT)
                return STATE_BAD;
            simple = css_selector_add_simple(parser, &first, SIMPLE_CLASS);
            result = simple ? intern_token(parser, &simple->name) : STATE_MEMORY;
            css_selector_advance(parser);
        } else if (parser->token.kind == CSS_HASH && parser->token.names) {
            simple = css_selector_add_simple(parser, &first, SIMPLE_ID);
            result = simple ? intern_token(parser, &simple->name) : STATE_MEMORY;
            css_selector_advance(parser);
        } else if (css_token_is(&parser->token, '[')) {
            simple = css_selector_add_simple(parser, &first, SIMPLE_ATTRIBUTE);
            result = simple ? parse_attribute(parser, simple) : STATE_MEMORY;
            css_selector_advance(parser);
        } else if (parser->token.kind == CSS_COLON) {
            result = css_selector_parse_pseudo(parser, &first);
        } else if (css_token_is(&parser->token, '&')) {
            result = add_nest(parser, &first);
            css_selector_advance(parser);
        } else {
            break;
        }
        some = true;
    }
    compound->first = first;
    return result == STATE_GOOD && !some ? STATE_BAD : result;
}

static bool at_combinator(const css_selector_parser *parser)
{
    return css_token_is(&parser->token, '>') || css_token_is(&parser->token, '+') || css_token_is(&parser->token, '~');
}

/* Takes the combinator behind a compound. A combinator of 0: the selector ends. */
static css_state take_combinator(css_selector_parser *parser, char *combinator)
{
    bool blank = parser->token.kind == CSS_SPACE;
    css_selector_skip_space(parser);
    *combinator = at_combinator(parser) ? parser->token.raw.bytes[0] : blank ? ' ' : 0;
    if (parser->token.kind == CSS_END || parser->token.kind == CSS_COMMA)
        *combinator = 0;
    else if (!*combinator)
        return STATE_BAD;
    if (at_combinator(parser))
        css_selector_advance(parser);
    return STATE_GOOD;
}

/* Makes the compound to which a relative selector is relative. */
static css_compound *make_anchor(css_selector_parser *parser)
{
    css_compound *anchor = ARENA_NEW(&parser->names->arena, css_compound);
    css_simple *first = NULL;
    if (!anchor || (parser->of_has ? !css_selector_add_simple(parser, &first, SIMPLE_ANCHOR)
                                   : add_nest(parser, &first) != STATE_GOOD))
        return NULL;
    anchor->first = first;
    return anchor;
}

/* Reads compounds, of which *leftmost becomes the first that was written. */
static css_state parse_compounds(css_selector_parser *parser, const css_compound *left, char combinator,
                                 css_compound **leftmost, css_selector *selector)
{
    for (unsigned count = 0; count < MOST_COMPOUNDS; count++) {
        css_compound *compound = ARENA_NEW(&parser->names->arena, css_compound);
        if (!compound)
            return STATE_MEMORY;
        compound->left = left;
        compound->combinator = combinator;
        css_selector_skip_space(parser);
        css_state result = parse_compound(parser, compound);
        if (result == STATE_GOOD)
            result = take_combinator(parser, &combinator);
        selector->right = left = compound;
        *leftmost = count ? *leftmost : compound;
        if (result != STATE_GOOD || !combinator)
            return result;
    }
    return STATE_BAD;
}

/* Parses a selector. Within a style rule it is relative: what does not mention & lies below what & stands for. In
 * :has() it always is. */
static css_state parse_selector(css_selector_parser *parser, css_selector *selector)
{
    const bool nested = parser->nest->list && parser->depth == 0;
    css_compound *anchor = NULL, *leftmost = NULL;
    char combinator = 0;
    css_selector_skip_space(parser);
    if ((nested || parser->of_has) && at_combinator(parser)) {
        anchor = make_anchor(parser);
        if (!anchor)
            return STATE_MEMORY;
        (void)take_combinator(parser, &combinator);
    }
    parser->nest_named = parser->nest_named && parser->depth > 0;
    css_state result = parse_compounds(parser, anchor, combinator, &leftmost, selector);
    if (result == STATE_GOOD && !anchor && (parser->of_has || (nested && !parser->nest_named))) {
        leftmost->left = make_anchor(parser);
        leftmost->combinator = ' ';
        result = leftmost->left ? STATE_GOOD : STATE_MEMORY;
    }
    return result != STATE_GOOD ? result : css_selector_finish(selector) ? STATE_GOOD : STATE_BAD;
}

css_state css_selector_parse_list(css_selector_parser *parser, css_selector **list)
{
    css_selector **place = list;
    for (;;) {
        css_selector *selector = ARENA_NEW(&parser->names->arena, css_selector);
        if (!selector)
            return STATE_MEMORY;
        css_state result = parse_selector(parser, selector);
        if (result != STATE_GOOD)
            return result;
        *place = selector;
        place = &selector->next;
        if (parser->token.kind == CSS_END)
            return STATE_GOOD;
        css_selector_advance(parser);
    }
}

bool css_selector_parse(css_names *names, const css_spaces *spaces, const css_nest *nest, text list_text,
                        css_selector **list)
{
    css_selector_parser parser = {.names = names, .spaces = spaces, .nest = nest, .rest = list_text};
    *list = NULL;
    css_selector_advance(&parser);
    css_state result = css_selector_parse_list(&parser, list);
    if (result != STATE_GOOD)
        *list = NULL;
    return result != STATE_MEMORY;
}
