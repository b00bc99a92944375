#include "svg/style/css_selector_parts.h"

#define DEEPEST_LIST 16u    /* of lists within lists: :not(:is(...)) */
#define MOST_COMPOUNDS 256u /* of one selector */

typedef enum state { STATE_GOOD, STATE_BAD, STATE_MEMORY } state;

typedef struct parser {
    css_names *names;
    const css_spaces *spaces;
    const css_nest *nest;
    text rest;
    css_token token; /* the next one */
    unsigned depth;
    bool nest_named; /* & occurs in the current selector */
} parser;

static void advance(parser *parser)
{
    parser->token = css_token_next(&parser->rest);
}

static void skip_space(parser *parser)
{
    while (parser->token.kind == CSS_SPACE)
        advance(parser);
}

static state intern_token(parser *parser, uint32_t *name)
{
    text decoded;
    if (!css_token_decode(&parser->token, &parser->names->arena, &decoded))
        return STATE_MEMORY;
    *name = css_name_intern(parser->names, decoded);
    return *name ? STATE_GOOD : STATE_MEMORY;
}

static state parse_list(parser *parser, css_selector **list);

/* Finds the name space of the prefix that is the current token. */
static state find_prefix(parser *parser, uint32_t *space)
{
    uint32_t name;
    state result = intern_token(parser, &name);
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
static state keep_token(parser *parser, text *kept)
{
    if (!css_token_decode(&parser->token, &parser->names->arena, kept))
        return STATE_MEMORY;
    char *copy = arena_copy(&parser->names->arena, kept->bytes, kept->count);
    kept->bytes = copy;
    return copy ? STATE_GOOD : STATE_MEMORY;
}

/* Computes the value's borders, so that values of attributes are searched in linear time. */
static state add_borders(parser *parser, css_simple *simple)
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
static state parse_attribute(parser *parser, css_simple *simple)
{
    advance(parser);
    skip_space(parser);
    if (css_token_is(&parser->token, '*') || css_token_is(&parser->token, '|')) {
        simple->any_prefix = css_token_is(&parser->token, '*');
        if (simple->any_prefix)
            advance(parser);
        if (!css_token_is(&parser->token, '|'))
            return STATE_BAD;
        advance(parser);
    }
    if (parser->token.kind != CSS_IDENT)
        return STATE_BAD;
    css_token name = parser->token;
    state result = intern_token(parser, &simple->name);
    advance(parser);
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
        advance(parser);
        result = intern_token(parser, &simple->name);
        advance(parser);
    }
    skip_space(parser);
    if (result != STATE_GOOD || css_token_is(&parser->token, ']'))
        return result;
    if (parser->token.kind != CSS_DELIMITER || !memchr("=~|^$*", parser->token.raw.bytes[0], 6))
        return STATE_BAD;
    simple->operator= parser->token.raw.bytes[0];
    advance(parser);
    if (simple->operator!= '=') {
        if (!css_token_is(&parser->token, '='))
            return STATE_BAD;
        advance(parser);
    }
    skip_space(parser);
    if (parser->token.kind != CSS_IDENT && parser->token.kind != CSS_STRING)
        return STATE_BAD;
    result = keep_token(parser, &simple->value);
    advance(parser);
    skip_space(parser);
    if (parser->token.kind == CSS_IDENT) {
        simple->ignore_case = text_equal_ignoring_case(parser->token.value, TEXT("i"));
        if (!simple->ignore_case && !text_equal_ignoring_case(parser->token.value, TEXT("s")))
            return STATE_BAD;
        advance(parser);
        skip_space(parser);
    }
    if (result == STATE_GOOD && simple->operator== '*')
        result = add_borders(parser, simple);
    return result != STATE_GOOD ? result : css_token_is(&parser->token, ']') ? STATE_GOOD : STATE_BAD;
}

static state parse_inner_list(parser *outer, text inside, css_selector **list)
{
    parser inner = {
        .names = outer->names, .spaces = outer->spaces, .nest = outer->nest, .rest = inside, .depth = outer->depth + 1};
    if (inner.depth > DEEPEST_LIST)
        return STATE_BAD;
    advance(&inner);
    state result = parse_list(&inner, list);
    outer->nest_named = outer->nest_named || inner.nest_named;
    return result;
}

static state parse_strict_list(parser *outer, text inside, css_simple *simple)
{
    css_selector *list = NULL;
    state result = parse_inner_list(outer, inside, &list);
    simple->list = list;
    return result;
}

/* Takes the text up to the next comma outside brackets, and the comma too. */
static text take_part(text *rest)
{
    const char *begin = rest->bytes, *stop;
    css_token token;
    do {
        stop = rest->bytes;
        token = css_token_next(rest);
        if (token.kind == CSS_OPEN || token.kind == CSS_FUNCTION)
            css_token_skip_block(rest, token.kind == CSS_OPEN ? token.raw.bytes[0] : '(');
    } while (token.kind != CSS_END && token.kind != CSS_COMMA);
    return text_from(begin, stop);
}

/* Parses a forgiving list (Selectors 4, section 18). Invalid selectors are left out. A list without any other matches
 * nothing. */
static state parse_forgiving_list(parser *outer, text inside, css_simple *simple)
{
    css_selector *first = NULL, **place = &first;
    while (inside.count) {
        css_selector *part = NULL;
        state result = parse_inner_list(outer, take_part(&inside), &part);
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

static state parse_nth(parser *parser, text inside, css_simple *simple)
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
    {TEXT_LITERAL("lang"), SIMPLE_NEVER, 0},
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

static css_simple *add_simple(parser *parser, css_simple **first, simple_kind kind)
{
    css_simple *simple = ARENA_NEW(&parser->names->arena, css_simple);
    if (simple) {
        simple->kind = (uint8_t)kind;
        simple->next = *first;
        *first = simple;
    }
    return simple;
}

static state parse_function(parser *parser, css_simple **first)
{
    const pseudo_entry *entry = find_pseudo(functions, sizeof functions / sizeof functions[0], parser->token.value);
    css_simple *simple = entry ? add_simple(parser, first, (simple_kind)entry->kind) : NULL;
    if (!simple)
        return entry ? STATE_MEMORY : STATE_BAD;
    const char *begin = parser->rest.bytes;
    css_token_skip_block(&parser->rest, '(');
    text inside = text_from(begin, parser->rest.bytes);
    if (inside.count && inside.bytes[inside.count - 1] == ')')
        inside.count--;
    advance(parser);
    switch ((simple_kind)entry->kind) {
    case SIMPLE_NEVER:
        return STATE_GOOD;
    case SIMPLE_IS:
    case SIMPLE_WHERE:
        return parse_forgiving_list(parser, inside, simple);
    case SIMPLE_NOT:
        return parse_strict_list(parser, inside, simple);
    default:
        return parse_nth(parser, inside, simple);
    }
}

/* Parses a pseudo-class, from the colon on. */
static state parse_pseudo(parser *parser, css_simple **first)
{
    advance(parser);
    if (parser->token.kind == CSS_COLON) { /* a pseudo-element, which is never drawn */
        advance(parser);
        bool function = parser->token.kind == CSS_FUNCTION;
        if (parser->token.kind != CSS_IDENT && !function)
            return STATE_BAD;
        if (function)
            css_token_skip_block(&parser->rest, '(');
        advance(parser);
        return add_simple(parser, first, SIMPLE_NEVER) ? STATE_GOOD : STATE_MEMORY;
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
    advance(parser);
    css_simple *simple = add_simple(parser, first,
                                    entry        ? (simple_kind)entry->kind
                                    : only_child ? SIMPLE_NTH
                                                 : SIMPLE_NTH_OF_TYPE);
    if (!simple)
        return STATE_MEMORY;
    simple->b = entry ? entry->b : 1;
    if (entry)
        return STATE_GOOD;
    css_simple *last = add_simple(parser, first, only_child ? SIMPLE_NTH_LAST : SIMPLE_NTH_LAST_OF_TYPE);
    if (!last)
        return STATE_MEMORY;
    last->b = 1;
    return STATE_GOOD;
}

static state add_space(parser *parser, css_simple **first, uint32_t space)
{
    if (space == CSS_ANY_SPACE)
        return STATE_GOOD;
    css_simple *simple = add_simple(parser, first, SIMPLE_SPACE);
    if (simple)
        simple->name = space;
    return simple ? STATE_GOOD : STATE_MEMORY;
}

/* Parses the name space before a type, and its bar. *given tells that there is one. */
static state parse_space(parser *parser, uint32_t *space, bool *given)
{
    text after = parser->rest;
    css_token following = css_token_next(&after);
    bool bar = css_token_is(&parser->token, '|'), any = css_token_is(&parser->token, '*');
    state result = STATE_GOOD;
    *given = bar || css_token_is(&following, '|');
    if (!*given)
        return STATE_GOOD;
    if (bar || any)
        *space = bar ? CSS_NO_SPACE : CSS_ANY_SPACE;
    else
        result = find_prefix(parser, space);
    if (!bar)
        advance(parser);
    advance(parser);
    return result;
}

/* Parses a type or *, perhaps with a name space. *some tells that there is one. */
static state parse_type(parser *parser, css_simple **first, bool *some)
{
    uint32_t space = parser->spaces->standard;
    bool given = false;
    if (!css_token_is(&parser->token, '*') && !css_token_is(&parser->token, '|') && parser->token.kind != CSS_IDENT)
        /* Inside :is() and the like, the standard name space does not apply. */
        return parser->depth == 0 ? add_space(parser, first, space) : STATE_GOOD;
    state result = parse_space(parser, &space, &given);
    bool any = css_token_is(&parser->token, '*');
    if (result != STATE_GOOD || (!any && parser->token.kind != CSS_IDENT))
        return result != STATE_GOOD ? result : STATE_BAD;
    *some = true;
    if (!any) {
        css_simple *simple = add_simple(parser, first, SIMPLE_TYPE);
        result = simple ? intern_token(parser, &simple->name) : STATE_MEMORY;
    }
    advance(parser);
    return result == STATE_GOOD ? add_space(parser, first, space) : result;
}

/* Adds the nesting selector (CSS Nesting, 4), which counts as the list of the rule around this one. */
static state add_nest(parser *parser, css_simple **first)
{
    css_simple *simple = add_simple(parser, first, parser->nest->list ? SIMPLE_NEST : SIMPLE_SCOPE);
    if (simple) {
        simple->list = parser->nest->list;
        simple->name = parser->nest->specificity;
        simple->b = (int32_t)parser->nest->deepest;
    }
    parser->nest_named = true;
    return simple ? STATE_GOOD : STATE_MEMORY;
}

/* & may stand before a type. */
static state parse_beginning(parser *parser, css_simple **first, bool *some)
{
    state result = STATE_GOOD;
    while (result == STATE_GOOD && css_token_is(&parser->token, '&')) {
        result = add_nest(parser, first);
        advance(parser);
        *some = true;
    }
    return result == STATE_GOOD ? parse_type(parser, first, some) : result;
}

static state parse_compound(parser *parser, css_compound *compound)
{
    css_simple *first = NULL, *simple;
    bool some = false;
    state result = parse_beginning(parser, &first, &some);
    while (result == STATE_GOOD) {
        if (css_token_is(&parser->token, '.')) {
            advance(parser);
            if (parser->token.kind != CSS_IDENT)
                return STATE_BAD;
            simple = add_simple(parser, &first, SIMPLE_CLASS);
            result = simple ? intern_token(parser, &simple->name) : STATE_MEMORY;
            advance(parser);
        } else if (parser->token.kind == CSS_HASH && parser->token.names) {
            simple = add_simple(parser, &first, SIMPLE_ID);
            result = simple ? intern_token(parser, &simple->name) : STATE_MEMORY;
            advance(parser);
        } else if (css_token_is(&parser->token, '[')) {
            simple = add_simple(parser, &first, SIMPLE_ATTRIBUTE);
            result = simple ? parse_attribute(parser, simple) : STATE_MEMORY;
            advance(parser);
        } else if (parser->token.kind == CSS_COLON) {
            result = parse_pseudo(parser, &first);
        } else if (css_token_is(&parser->token, '&')) {
            result = add_nest(parser, &first);
            advance(parser);
        } else {
            break;
        }
        some = true;
    }
    compound->first = first;
    return result == STATE_GOOD && !some ? STATE_BAD : result;
}

static bool at_combinator(const parser *parser)
{
    return css_token_is(&parser->token, '>') || css_token_is(&parser->token, '+') || css_token_is(&parser->token, '~');
}

/* Takes the combinator behind a compound. A combinator of 0: the selector ends. */
static state take_combinator(parser *parser, char *combinator)
{
    bool blank = parser->token.kind == CSS_SPACE;
    skip_space(parser);
    *combinator = at_combinator(parser) ? parser->token.raw.bytes[0] : blank ? ' ' : 0;
    if (parser->token.kind == CSS_END || parser->token.kind == CSS_COMMA)
        *combinator = 0;
    else if (!*combinator)
        return STATE_BAD;
    if (at_combinator(parser))
        advance(parser);
    return STATE_GOOD;
}

/* Makes the compound to which a relative selector is relative. */
static css_compound *make_anchor(parser *parser)
{
    css_compound *anchor = ARENA_NEW(&parser->names->arena, css_compound);
    css_simple *first = NULL;
    if (!anchor || add_nest(parser, &first) != STATE_GOOD)
        return NULL;
    anchor->first = first;
    return anchor;
}

/* Reads compounds, of which *leftmost becomes the first that was written. */
static state parse_compounds(parser *parser, const css_compound *left, char combinator, css_compound **leftmost,
                             css_selector *selector)
{
    for (unsigned count = 0; count < MOST_COMPOUNDS; count++) {
        css_compound *compound = ARENA_NEW(&parser->names->arena, css_compound);
        if (!compound)
            return STATE_MEMORY;
        compound->left = left;
        compound->combinator = combinator;
        skip_space(parser);
        state result = parse_compound(parser, compound);
        if (result == STATE_GOOD)
            result = take_combinator(parser, &combinator);
        selector->right = left = compound;
        *leftmost = count ? *leftmost : compound;
        if (result != STATE_GOOD || !combinator)
            return result;
    }
    return STATE_BAD;
}

/* Parses a selector. Within a style rule it is relative: what does not mention & lies below what & stands for. */
static state parse_selector(parser *parser, css_selector *selector)
{
    const bool relative = parser->nest->list && parser->depth == 0;
    css_compound *anchor = NULL, *leftmost = NULL;
    char combinator = 0;
    skip_space(parser);
    if (relative && at_combinator(parser)) {
        anchor = make_anchor(parser);
        if (!anchor)
            return STATE_MEMORY;
        (void)take_combinator(parser, &combinator);
    }
    parser->nest_named = parser->nest_named && parser->depth > 0;
    state result = parse_compounds(parser, anchor, combinator, &leftmost, selector);
    if (result == STATE_GOOD && relative && !anchor && !parser->nest_named) {
        leftmost->left = make_anchor(parser);
        leftmost->combinator = ' ';
        result = leftmost->left ? STATE_GOOD : STATE_MEMORY;
    }
    return result != STATE_GOOD ? result : css_selector_finish(selector) ? STATE_GOOD : STATE_BAD;
}

static state parse_list(parser *parser, css_selector **list)
{
    css_selector **place = list;
    for (;;) {
        css_selector *selector = ARENA_NEW(&parser->names->arena, css_selector);
        if (!selector)
            return STATE_MEMORY;
        state result = parse_selector(parser, selector);
        if (result != STATE_GOOD)
            return result;
        *place = selector;
        place = &selector->next;
        if (parser->token.kind == CSS_END)
            return STATE_GOOD;
        advance(parser);
    }
}

bool css_selector_parse(css_names *names, const css_spaces *spaces, const css_nest *nest, text list_text,
                        css_selector **list)
{
    parser parser = {.names = names, .spaces = spaces, .nest = nest, .rest = list_text};
    *list = NULL;
    advance(&parser);
    state result = parse_list(&parser, list);
    if (result != STATE_GOOD)
        *list = NULL;
    return result != STATE_MEMORY;
}
