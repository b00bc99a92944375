#include "svg/css_selector.h"

#define DEEPEST_LIST 16u      /* of lists in lists: :not(:is(...)) */
#define MOST_COMPOUNDS 256u   /* of one selector */

typedef enum simple_kind {
    SIMPLE_TYPE,
    SIMPLE_CLASS,
    SIMPLE_ID,
    SIMPLE_ATTRIBUTE,
    SIMPLE_NEVER,
    SIMPLE_ROOT,
    SIMPLE_EMPTY,
    SIMPLE_LINK,
    SIMPLE_NTH,               /* a n + b, from the first child on; of list's if there is one */
    SIMPLE_NTH_LAST,
    SIMPLE_NTH_OF_TYPE,
    SIMPLE_NTH_LAST_OF_TYPE,
    SIMPLE_IS,
    SIMPLE_WHERE,
    SIMPLE_NOT,
} simple_kind;

struct css_simple {
    const css_simple *next;
    uint8_t kind;             /* simple_kind */
    char operator;            /* of ATTRIBUTE: 0, = ~ | ^ $ * */
    bool ignore_case;
    bool any_prefix;
    uint32_t name;
    int32_t a, b;
    text value;
    const css_selector *list;
};

struct css_compound {
    const css_simple *first;
    const css_compound *left;
    char combinator;          /* to the left: blank > + ~ */
};

/* ---- Parsing ---- */

typedef enum state { STATE_GOOD, STATE_BAD, STATE_MEMORY } state;

typedef struct parser {
    css_names *names;
    text rest;
    css_token token;          /* the next one */
    unsigned depth;
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

/* Text that stays: style sheets do not outlive their reading. */
static state keep_token(parser *parser, text *kept)
{
    if (!css_token_decode(&parser->token, &parser->names->arena, kept))
        return STATE_MEMORY;
    char *copy = arena_copy(&parser->names->arena, kept->bytes, kept->count);
    kept->bytes = copy;
    return copy ? STATE_GOOD : STATE_MEMORY;
}

/* Behind the [. */
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
    state result = intern_token(parser, &simple->name);
    advance(parser);
    text after = parser->rest;
    css_token following = css_token_next(&after);
    if (result == STATE_GOOD && css_token_is(&parser->token, '|') && following.kind == CSS_IDENT) {
        simple->any_prefix = true; /* which name space the prefix stands for is not asked */
        advance(parser);
        result = intern_token(parser, &simple->name);
        advance(parser);
    }
    skip_space(parser);
    if (result != STATE_GOOD || css_token_is(&parser->token, ']'))
        return result;
    if (parser->token.kind != CSS_DELIMITER || !memchr("=~|^$*", parser->token.raw.bytes[0], 6))
        return STATE_BAD;
    simple->operator = parser->token.raw.bytes[0];
    advance(parser);
    if (simple->operator != '=') {
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
    return result != STATE_GOOD ? result : css_token_is(&parser->token, ']') ? STATE_GOOD : STATE_BAD;
}

static bool scan_integer(const char **at, const char *end, int32_t *value)
{
    const char *begin = *at;
    bool negative = *at < end && **at == '-';
    if (*at < end && (**at == '-' || **at == '+'))
        ++*at;
    const char *digits = *at;
    int64_t number = 0;
    for (; *at < end && **at >= '0' && **at <= '9'; ++*at)
        number = number < 1000000000 ? number * 10 + (**at - '0') : number;
    if (*at == digits) {
        *at = begin;
        return false;
    }
    *value = (int32_t)(negative ? -number : number);
    return true;
}

static const char *skip_blanks(const char *at, const char *end)
{
    while (at < end && text_is_space(*at))
        at++;
    return at;
}

/* odd, even, 3, -n+2, 2n + 1: *at stands behind it. */
static bool scan_nth(const char **at, const char *end, css_simple *simple)
{
    static const struct {
        text name;
        int32_t a, b;
    } words[] = { { TEXT_LITERAL("odd"), 2, 1 }, { TEXT_LITERAL("even"), 2, 0 } };
    *at = skip_blanks(*at, end);
    for (int i = 0; i < 2; i++)
        if ((size_t)(end - *at) >= words[i].name.count && text_equal_ignoring_case((text){ *at, words[i].name.count }, words[i].name)) {
            simple->a = words[i].a;
            simple->b = words[i].b;
            *at += words[i].name.count;
            return true;
        }
    int32_t number = 1;
    bool some = scan_integer(at, end, &number);
    if (!some && *at < end && (**at == '-' || **at == '+'))
        number = *(*at)++ == '-' ? -1 : 1;
    if (*at == end || text_lower(**at) != 'n') {
        simple->b = number;
        return some;
    }
    ++*at;
    simple->a = number;
    simple->b = 0;
    const char *after = skip_blanks(*at, end);
    if (after == end || (*after != '+' && *after != '-'))
        return true;
    bool negative = *after == '-';
    after = skip_blanks(after + 1, end);
    if (after == end || *after < '0' || *after > '9' || !scan_integer(&after, end, &simple->b))
        return false;
    simple->b = negative ? -simple->b : simple->b;
    *at = after;
    return true;
}

static state parse_inner_list(parser *outer, text inside, css_simple *simple)
{
    parser inner = { .names = outer->names, .rest = inside, .depth = outer->depth + 1 };
    css_selector *list = NULL;
    if (inner.depth > DEEPEST_LIST)
        return STATE_BAD;
    advance(&inner);
    state result = parse_list(&inner, &list);
    simple->list = list;
    return result;
}

static state parse_nth(parser *parser, text inside, css_simple *simple)
{
    const char *at = inside.bytes, *end = at + inside.count;
    if (!scan_nth(&at, end, simple))
        return STATE_BAD;
    text of = text_trim(text_from(at, end));
    if (of.count == 0)
        return STATE_GOOD;
    if (of.count < 3 || at == end || !text_is_space(*at) || !text_equal_ignoring_case((text){ of.bytes, 2 }, TEXT("of")))
        return STATE_BAD;
    if (simple->kind != SIMPLE_NTH && simple->kind != SIMPLE_NTH_LAST)
        return STATE_BAD;
    return parse_inner_list(parser, text_from(of.bytes + 2, of.bytes + of.count), simple);
}

typedef struct pseudo_entry {
    text name;
    uint8_t kind;
    int32_t b;                /* of NTH: 1 */
} pseudo_entry;

static const pseudo_entry functions[] = {
    { TEXT_LITERAL("nth-child"), SIMPLE_NTH, 0 },
    { TEXT_LITERAL("nth-last-child"), SIMPLE_NTH_LAST, 0 },
    { TEXT_LITERAL("nth-of-type"), SIMPLE_NTH_OF_TYPE, 0 },
    { TEXT_LITERAL("nth-last-of-type"), SIMPLE_NTH_LAST_OF_TYPE, 0 },
    { TEXT_LITERAL("is"), SIMPLE_IS, 0 },
    { TEXT_LITERAL("matches"), SIMPLE_IS, 0 },
    { TEXT_LITERAL("where"), SIMPLE_WHERE, 0 },
    { TEXT_LITERAL("not"), SIMPLE_NOT, 0 },
    { TEXT_LITERAL("lang"), SIMPLE_NEVER, 0 },
    { TEXT_LITERAL("dir"), SIMPLE_NEVER, 0 },
};

static const pseudo_entry words[] = {
    { TEXT_LITERAL("root"), SIMPLE_ROOT, 0 },
    { TEXT_LITERAL("scope"), SIMPLE_ROOT, 0 },
    { TEXT_LITERAL("empty"), SIMPLE_EMPTY, 0 },
    { TEXT_LITERAL("link"), SIMPLE_LINK, 0 },
    { TEXT_LITERAL("any-link"), SIMPLE_LINK, 0 },
    { TEXT_LITERAL("first-child"), SIMPLE_NTH, 1 },
    { TEXT_LITERAL("last-child"), SIMPLE_NTH_LAST, 1 },
    { TEXT_LITERAL("first-of-type"), SIMPLE_NTH_OF_TYPE, 1 },
    { TEXT_LITERAL("last-of-type"), SIMPLE_NTH_LAST_OF_TYPE, 1 },
    { TEXT_LITERAL("hover"), SIMPLE_NEVER, 0 },
    { TEXT_LITERAL("active"), SIMPLE_NEVER, 0 },
    { TEXT_LITERAL("focus"), SIMPLE_NEVER, 0 },
    { TEXT_LITERAL("focus-within"), SIMPLE_NEVER, 0 },
    { TEXT_LITERAL("focus-visible"), SIMPLE_NEVER, 0 },
    { TEXT_LITERAL("visited"), SIMPLE_NEVER, 0 },
    { TEXT_LITERAL("target"), SIMPLE_NEVER, 0 },
    { TEXT_LITERAL("enabled"), SIMPLE_NEVER, 0 },
    { TEXT_LITERAL("disabled"), SIMPLE_NEVER, 0 },
    { TEXT_LITERAL("checked"), SIMPLE_NEVER, 0 },
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
    case SIMPLE_NOT:
        return parse_inner_list(parser, inside, simple);
    default:
        return parse_nth(parser, inside, simple);
    }
}

/* Behind the colon. */
static state parse_pseudo(parser *parser, css_simple **first)
{
    advance(parser);
    if (parser->token.kind == CSS_COLON) { /* a pseudo-element: nothing that is drawn */
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
    bool only_child = text_equal_ignoring_case(name, TEXT("only-child")), only_of_type = text_equal_ignoring_case(name, TEXT("only-of-type"));
    if (!entry && !only_child && !only_of_type)
        return STATE_BAD;
    advance(parser);
    css_simple *simple = add_simple(parser, first, entry ? (simple_kind)entry->kind : only_child ? SIMPLE_NTH : SIMPLE_NTH_OF_TYPE);
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

/* A type or *, with a name space before it or without. *some: there is one. */
static state parse_type(parser *parser, css_simple **first, bool *some)
{
    for (int part = 0; part < 2; part++) {
        bool any = css_token_is(&parser->token, '*'), bar = css_token_is(&parser->token, '|');
        if (!any && !bar && parser->token.kind != CSS_IDENT) {
            return part == 0 ? STATE_GOOD : STATE_BAD;
        }
        text after = parser->rest;
        css_token following = css_token_next(&after);
        if (part == 0 && bar) {
            advance(parser);
            continue;
        }
        if (part == 0 && css_token_is(&following, '|')) { /* any name space will do */
            advance(parser);
            advance(parser);
            continue;
        }
        if (bar)
            return STATE_BAD;
        *some = true;
        state result = STATE_GOOD;
        if (!any) {
            css_simple *simple = add_simple(parser, first, SIMPLE_TYPE);
            result = simple ? intern_token(parser, &simple->name) : STATE_MEMORY;
        }
        advance(parser);
        return result;
    }
    return STATE_BAD;
}

static state parse_compound(parser *parser, css_compound *compound)
{
    css_simple *first = NULL, *simple;
    bool some = false;
    state result = parse_type(parser, &first, &some);
    while (result == STATE_GOOD) {
        if (css_token_is(&parser->token, '.')) {
            advance(parser);
            if (parser->token.kind != CSS_IDENT)
                return STATE_BAD;
            simple = add_simple(parser, &first, SIMPLE_CLASS);
            result = simple ? intern_token(parser, &simple->name) : STATE_MEMORY;
            advance(parser);
        } else if (parser->token.kind == CSS_HASH) {
            simple = add_simple(parser, &first, SIMPLE_ID);
            result = simple ? intern_token(parser, &simple->name) : STATE_MEMORY;
            advance(parser);
        } else if (css_token_is(&parser->token, '[')) {
            simple = add_simple(parser, &first, SIMPLE_ATTRIBUTE);
            result = simple ? parse_attribute(parser, simple) : STATE_MEMORY;
            advance(parser);
        } else if (parser->token.kind == CSS_COLON) {
            result = parse_pseudo(parser, &first);
        } else {
            break;
        }
        some = true;
    }
    compound->first = first;
    return result == STATE_GOOD && !some ? STATE_BAD : result;
}

#define ID_SPECIFICITY (1u << 22)
#define CLASS_SPECIFICITY (1u << 11)
#define TYPE_SPECIFICITY 1u

static uint32_t add_specificity(uint32_t x, uint32_t y)
{
    uint32_t ids = (x >> 22) + (y >> 22), classes = (x >> 11 & 2047) + (y >> 11 & 2047), types = (x & 2047) + (y & 2047);
    return (ids > 1023 ? 1023 : ids) << 22 | (classes > 2047 ? 2047 : classes) << 11 | (types > 2047 ? 2047 : types);
}

static uint32_t list_specificity(const css_selector *list)
{
    uint32_t most = 0;
    for (; list; list = list->next)
        most = list->specificity > most ? list->specificity : most;
    return most;
}

static uint32_t simple_specificity(const css_simple *simple)
{
    switch ((simple_kind)simple->kind) {
    case SIMPLE_ID:
        return ID_SPECIFICITY;
    case SIMPLE_TYPE:
        return TYPE_SPECIFICITY;
    case SIMPLE_WHERE:
        return 0;
    case SIMPLE_IS:
    case SIMPLE_NOT:
        return list_specificity(simple->list);
    default:
        return add_specificity(CLASS_SPECIFICITY, list_specificity(simple->list));
    }
}

static void take_key(const css_simple *simple, uint8_t *kind, uint32_t *key)
{
    *kind = CSS_KEY_ANY;
    *key = 0;
    for (; simple; simple = simple->next) {
        uint8_t here = simple->kind == SIMPLE_ID      ? CSS_KEY_ID
                       : simple->kind == SIMPLE_CLASS ? CSS_KEY_CLASS
                       : simple->kind == SIMPLE_TYPE  ? CSS_KEY_TYPE
                                                      : CSS_KEY_ANY;
        if (here > *kind) {
            *kind = here;
            *key = simple->name;
        }
    }
}

/* Specificity, the key of the index, and names that ancestors must have. */
static void finish_selector(css_selector *selector)
{
    bool above = false;
    take_key(selector->right->first, &selector->key_kind, &selector->key);
    for (const css_compound *compound = selector->right; compound; compound = compound->left) {
        for (const css_simple *simple = compound->first; simple; simple = simple->next)
            selector->specificity = add_specificity(selector->specificity, simple_specificity(simple));
        uint8_t kind;
        uint32_t key;
        take_key(compound->first, &kind, &key);
        if (above && kind != CSS_KEY_ANY && selector->required_count < CSS_MOST_REQUIRED)
            selector->required[selector->required_count++] = key;
        above = compound->combinator == ' ' || compound->combinator == '>';
    }
}

static state parse_selector(parser *parser, css_selector *selector)
{
    const css_compound *left = NULL;
    char combinator = 0;
    for (unsigned count = 0; count < MOST_COMPOUNDS; count++) {
        css_compound *compound = ARENA_NEW(&parser->names->arena, css_compound);
        if (!compound)
            return STATE_MEMORY;
        compound->left = left;
        compound->combinator = combinator;
        skip_space(parser);
        state result = parse_compound(parser, compound);
        if (result != STATE_GOOD)
            return result;
        selector->right = left = compound;
        bool blank = parser->token.kind == CSS_SPACE;
        skip_space(parser);
        if (parser->token.kind == CSS_END || parser->token.kind == CSS_COMMA) {
            finish_selector(selector);
            return STATE_GOOD;
        }
        combinator = ' ';
        if (css_token_is(&parser->token, '>') || css_token_is(&parser->token, '+') || css_token_is(&parser->token, '~')) {
            combinator = parser->token.raw.bytes[0];
            advance(parser);
        } else if (!blank) {
            return STATE_BAD;
        }
    }
    return STATE_BAD;
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

bool css_selector_parse(css_names *names, text list_text, css_selector **list)
{
    parser parser = { .names = names, .rest = list_text };
    *list = NULL;
    advance(&parser);
    state result = parse_list(&parser, list);
    if (result != STATE_GOOD)
        *list = NULL;
    return result != STATE_MEMORY;
}

/* ---- Matching ---- */

/* Of a complex selector: also how far a failure reaches, so that what cannot help is not tried. */
typedef enum match { MATCH_YES, MATCH_NO_HERE, MATCH_NO_SIBLING, MATCH_NO_ANCESTOR } match;

static match match_complex(css_tree *tree, const css_compound *compound, uint32_t node);

static bool match_list(css_tree *tree, const css_selector *list, uint32_t node)
{
    for (; list; list = list->next)
        if (match_complex(tree, list->right, node) == MATCH_YES)
            return true;
    return false;
}

static bool equal_text(text a, text b, bool ignore_case)
{
    if (!ignore_case)
        return text_equal(a, b);
    if (a.count != b.count)
        return false;
    for (size_t i = 0; i < a.count; i++)
        if (text_lower(a.bytes[i]) != text_lower(b.bytes[i]))
            return false;
    return true;
}

static bool has_word(text list, text word, bool ignore_case)
{
    while (word.count && list.count) {
        size_t begin = 0, end;
        while (begin < list.count && text_is_space(list.bytes[begin]))
            begin++;
        for (end = begin; end < list.count && !text_is_space(list.bytes[end]);)
            end++;
        if (equal_text((text){ list.bytes + begin, end - begin }, word, ignore_case))
            return true;
        list = text_from(list.bytes + end, list.bytes + list.count);
    }
    return false;
}

static bool match_value(const css_simple *simple, text value)
{
    text wanted = simple->value;
    bool fits = wanted.count && wanted.count <= value.count;
    switch (simple->operator) {
    case 0:
        return true;
    case '=':
        return equal_text(value, wanted, simple->ignore_case);
    case '~':
        return has_word(value, wanted, simple->ignore_case);
    case '|':
        return equal_text(value, wanted, simple->ignore_case) ||
               (wanted.count < value.count && value.bytes[wanted.count] == '-' &&
                equal_text((text){ value.bytes, wanted.count }, wanted, simple->ignore_case));
    case '^':
        return fits && equal_text((text){ value.bytes, wanted.count }, wanted, simple->ignore_case);
    case '$':
        return fits && equal_text((text){ value.bytes + value.count - wanted.count, wanted.count }, wanted, simple->ignore_case);
    default:
        for (size_t i = 0; fits && i + wanted.count <= value.count; i++)
            if (equal_text((text){ value.bytes + i, wanted.count }, wanted, simple->ignore_case))
                return true;
        return false;
    }
}

static bool match_attribute(css_tree *tree, const css_simple *simple, const css_element *element)
{
    for (uint32_t i = 0; i < element->attribute_count; i++) {
        const css_attribute *attribute = &tree->attributes.items[element->attribute_begin + i];
        bool named = attribute->name == simple->name || (simple->any_prefix && attribute->name == (simple->name | CSS_PREFIXED));
        tree->steps += 1 + attribute->value.count / 16;
        if (named && match_value(simple, attribute->value))
            return true;
    }
    return false;
}

static uint32_t next_sibling(const css_tree *tree, uint32_t node)
{
    const svg_node *nodes = tree->document->nodes.items;
    uint32_t parent = nodes[node].parent, end = nodes[node].end;
    return parent == SVG_NO_NODE || end >= nodes[parent].end ? SVG_NO_NODE : end;
}

/* The place of a node among those siblings that count, from 1. */
static int64_t find_position(css_tree *tree, const css_simple *simple, uint32_t node)
{
    const css_element *elements = tree->elements.items;
    bool last = simple->kind == SIMPLE_NTH_LAST || simple->kind == SIMPLE_NTH_LAST_OF_TYPE;
    bool of_type = simple->kind == SIMPLE_NTH_OF_TYPE || simple->kind == SIMPLE_NTH_LAST_OF_TYPE;
    if (simple->kind == SIMPLE_NTH && !simple->list)
        return elements[node].position;
    if (last && !simple->list && !of_type && simple->a == 0 && simple->b == 1)
        return next_sibling(tree, node) == SVG_NO_NODE ? 1 : 2;
    int64_t position = 1;
    uint32_t sibling = node;
    while ((sibling = last ? next_sibling(tree, sibling) : elements[sibling].previous) != SVG_NO_NODE) {
        tree->steps++;
        position += of_type ? elements[sibling].type == elements[node].type : !simple->list || match_list(tree, simple->list, sibling);
    }
    return position;
}

static bool match_nth(css_tree *tree, const css_simple *simple, uint32_t node)
{
    if (simple->list && !match_list(tree, simple->list, node))
        return false;
    int64_t from = find_position(tree, simple, node) - simple->b;
    return simple->a == 0 ? from == 0 : from % simple->a == 0 && from / simple->a >= 0;
}

static bool match_simple(css_tree *tree, const css_simple *simple, uint32_t node)
{
    const css_element *element = &tree->elements.items[node];
    tree->steps++;
    switch ((simple_kind)simple->kind) {
    case SIMPLE_TYPE:
        return element->type == simple->name;
    case SIMPLE_CLASS:
        for (uint32_t i = 0; i < element->class_count; i++)
            if (tree->classes.items[element->class_begin + i] == simple->name)
                return true;
        return false;
    case SIMPLE_ID:
        return element->id == simple->name;
    case SIMPLE_ATTRIBUTE:
        return match_attribute(tree, simple, element);
    case SIMPLE_NEVER:
        return false;
    case SIMPLE_ROOT:
        return node == 0;
    case SIMPLE_EMPTY:
        return tree->document->nodes.items[node].end == node + 1 && !element->has_text;
    case SIMPLE_LINK:
        return tree->document->nodes.items[node].element == SVG_A && (svg_attribute_find(tree->document, node, SVG_HREF) ||
                                                                      svg_attribute_find(tree->document, node, SVG_XLINK_HREF));
    case SIMPLE_IS:
    case SIMPLE_WHERE:
        return match_list(tree, simple->list, node);
    case SIMPLE_NOT:
        return !match_list(tree, simple->list, node);
    default:
        return match_nth(tree, simple, node);
    }
}

static match match_left(css_tree *tree, const css_compound *compound, uint32_t node)
{
    bool ancestors = compound->combinator == ' ' || compound->combinator == '>';
    bool many = compound->combinator == ' ' || compound->combinator == '~';
    match none = ancestors ? MATCH_NO_ANCESTOR : MATCH_NO_SIBLING;
    do {
        node = ancestors ? tree->document->nodes.items[node].parent : tree->elements.items[node].previous;
        if (node == SVG_NO_NODE)
            return none;
        match result = match_complex(tree, compound->left, node);
        if (result == MATCH_YES || result == MATCH_NO_ANCESTOR || (!ancestors && result == MATCH_NO_SIBLING))
            return result;
        if (!many)
            return ancestors ? MATCH_NO_SIBLING : MATCH_NO_HERE;
    } while (true);
}

static match match_complex(css_tree *tree, const css_compound *compound, uint32_t node)
{
    for (const css_simple *simple = compound->first; simple; simple = simple->next)
        if (!match_simple(tree, simple, node))
            return MATCH_NO_HERE;
    return compound->left ? match_left(tree, compound, node) : MATCH_YES;
}

bool css_selector_match(css_tree *tree, const css_selector *selector, uint32_t node)
{
    tree->steps++;
    return match_complex(tree, selector->right, node) == MATCH_YES;
}
