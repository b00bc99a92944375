#include "svg/xml/lift.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define SMALLEST_DOCUMENT ((size_t)16 << 10)
#define SMALLEST_VALUE 64u
#define MOST_ATTRIBUTES 24u              /* of a plain tag */
#define WORKER_BYTES ((size_t)128 << 10) /* of values, that pay for a thread */
#define BATCHES 32u                      /* of values, for each worker */

/* ---- Finding plain tags ---- */

typedef struct lift_lexer {
    svg_lift *lift;
    const char *at, *end;
    bool out_of_memory, sheets;
} lift_lexer;

enum {
    BYTE_NAME = 1,            /* may stand in a plain name, */
    BYTE_NAME_START = 2,      /* may begin one */
    BYTE_BLANK = 4,           /* becomes a space in a value */
    BYTE_ODD = 8,             /* does not stand for itself in a value, or may not stand there */
};

#define LETTER (BYTE_NAME | BYTE_NAME_START)
#define FOUR(kind) kind, kind, kind, kind
#define SIXTEEN(kind) FOUR(kind), FOUR(kind), FOUR(kind), FOUR(kind)
#define ODD_HALF SIXTEEN(BYTE_ODD), SIXTEEN(BYTE_ODD), SIXTEEN(BYTE_ODD), SIXTEEN(BYTE_ODD)

static const unsigned char byte_kinds[256] = {
    [0] = FOUR(BYTE_ODD), FOUR(BYTE_ODD), BYTE_ODD, BYTE_BLANK, BYTE_BLANK, BYTE_ODD, BYTE_ODD, BYTE_BLANK, BYTE_ODD, BYTE_ODD,
    [0x10] = SIXTEEN(BYTE_ODD),
    ['&'] = BYTE_ODD,
    ['-'] = BYTE_NAME, BYTE_NAME,
    ['0'] = FOUR(BYTE_NAME), FOUR(BYTE_NAME), BYTE_NAME, BYTE_NAME, LETTER,
    ['<'] = BYTE_ODD,
    ['A'] = SIXTEEN(LETTER), FOUR(LETTER), FOUR(LETTER), LETTER, LETTER,
    ['_'] = LETTER,
    ['a'] = SIXTEEN(LETTER), FOUR(LETTER), FOUR(LETTER), LETTER, LETTER,
    [0x7f] = BYTE_ODD, ODD_HALF, ODD_HALF,
};

/* Of XML, which has no form feed. */
static bool is_space(char c)
{
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

static const char *skip_space(const char *at, const char *end)
{
    while (at < end && is_space(*at))
        at++;
    return at;
}

/* In ASCII. */
static text read_name(const char *at, const char *end)
{
    const char *begin = at;
    if (at < end && byte_kinds[(unsigned char)*at] & BYTE_NAME_START)
        while (at < end && byte_kinds[(unsigned char)*at] & BYTE_NAME)
            at++;
    return text_from(begin, at);
}

/* False: there is none. */
static bool skip_past(lift_lexer *lexer, text mark)
{
    const char *at = lexer->at;
    while ((at = memchr(at, mark.bytes[0], (size_t)(lexer->end - at))) != NULL) {
        if (text_starts_with(text_from(at, lexer->end), mark)) {
            lexer->at = at + mark.count;
            return true;
        }
        at++;
    }
    return false;
}

/* Whether the XML library would hand on the value as it is; with `blanks`, but for blanks that it makes spaces of. */
static bool is_plain(text value, bool blanks)
{
    unsigned char odd = 0, blank = 0;
    const unsigned char *at = (const unsigned char *)value.bytes, *end = at + value.count;
    for (; end - at >= 64; at += 64)
        for (int i = 0; i < 64; i++) {
            const unsigned char is_blank = (unsigned char)((at[i] == '\n') | (at[i] == '\r') | (at[i] == '\t'));
            odd |= (unsigned char)(((unsigned char)(at[i] - 0x20) > 0x5e) & !is_blank) | (unsigned char)((at[i] == '<') | (at[i] == '&'));
            blank |= is_blank;
        }
    for (; at < end; at++) {
        odd |= byte_kinds[*at] & BYTE_ODD;
        blank |= byte_kinds[*at] & BYTE_BLANK;
    }
    return !odd && (blanks || !blank);
}

/* The attribute that holds the path data of an element of this name, whatever its prefix. Empty: none does. */
static text data_attribute(text name, svg_path_syntax *syntax)
{
    size_t colon = text_find(name, ':');
    if (colon < name.count)
        name = text_from(name.bytes + colon + 1, name.bytes + name.count);
    *syntax = text_equal(name, TEXT("path")) ? SVG_PATH_DATA : text_equal(name, TEXT("polygon")) ? SVG_PATH_POLYGON : SVG_PATH_POLYLINE;
    if (*syntax == SVG_PATH_DATA)
        return TEXT("d");
    return *syntax == SVG_PATH_POLYGON || text_equal(name, TEXT("polyline")) ? TEXT("points") : TEXT("");
}

/* A start tag that is being looked at. */
typedef struct lift_tag {
    text names[MOST_ATTRIBUTES];
    size_t count;
    text wanted;              /* name of the attribute with path data */
    svg_path_syntax syntax;
    text data;                /* long path data; no bytes: none */
} lift_tag;

static bool is_new(const lift_tag *tag, text name)
{
    for (size_t i = 0; i < tag->count; i++)
        if (text_equal(tag->names[i], name))
            return false;
    return true;
}

/* Behind the blanks before an attribute. NULL: it is not plain. */
static const char *lex_attribute(lift_tag *tag, const char *at, const char *end)
{
    const text name = read_name(at, end);
    at = skip_space(at + name.count, end);
    if (name.count == 0 || at == end || *at != '=' || tag->count == MOST_ATTRIBUTES || !is_new(tag, name))
        return NULL;
    at = skip_space(at + 1, end);
    const char *close = at < end && (*at == '"' || *at == '\'') ? memchr(at + 1, *at, (size_t)(end - at) - 1) : NULL;
    const text value = close ? text_from(at + 1, close) : TEXT("");
    const bool is_data = text_equal(name, tag->wanted);
    if (!close || !is_plain(value, is_data))
        return NULL;
    tag->names[tag->count++] = name;
    if (is_data && value.count >= SMALLEST_VALUE)
        tag->data = value;
    return close + 1;
}

static bool add_tag(lift_lexer *lexer, const lift_tag *tag, text attributes)
{
    svg_lift *lift = lexer->lift;
    svg_lifted_tag *added = array_push(&lift->tags);
    svg_lifted *value = added && tag->data.bytes ? array_push(&lift->values) : NULL;
    lexer->out_of_memory = !added || (tag->data.bytes && !value);
    if (lexer->out_of_memory)
        return false;
    *added = (svg_lifted_tag){ .attributes = attributes, .value = value ? lift->values.count - 1 : SVG_LIFT_NO_VALUE };
    if (value)
        *value = (svg_lifted){ .value = tag->data, .node = SVG_NO_NODE, .syntax = tag->syntax };
    lift->value_bytes += tag->data.count;
    lift->tag_bytes += attributes.count;
    return true;
}

/* Moves behind a start tag that is not plain. False: not well-formed. */
static bool skip_tag(lift_lexer *lexer)
{
    for (; lexer->at < lexer->end && *lexer->at != '>'; lexer->at++) {
        if (*lexer->at != '"' && *lexer->at != '\'')
            continue;
        lexer->at = memchr(lexer->at + 1, *lexer->at, (size_t)(lexer->end - lexer->at) - 1);
        if (!lexer->at)
            return false;
    }
    return lexer->at < lexer->end;
}

/* Behind the '<' of a start tag. What is not plain is left to the XML library. */
static bool lex_tag(lift_lexer *lexer)
{
    const char *end = lexer->end;
    const text name = read_name(lexer->at, end);
    const char *begin = lexer->at + name.count, *at = begin;
    lift_tag tag;
    tag.count = 0;
    tag.data = (text){ 0 };
    tag.wanted = data_attribute(name, &tag.syntax);
    const bool is_whole = begin < end && (is_space(*begin) || *begin == '/' || *begin == '>'); /* else the name is not in ASCII, or is none */
    lexer->sheets = lexer->sheets || !is_whole || (name.count >= 5 && memcmp(begin - 5, "style", 5) == 0);
    for (;;) {
        const char *next = skip_space(at, end);
        if (next == end || *next == '>' || *next == '/') {
            at = next;
            break;
        }
        next = next > at ? lex_attribute(&tag, next, end) : NULL;
        if (!next)
            return skip_tag(lexer);
        at = next;
    }
    lexer->at = at;
    return at < end && (tag.count == 0 || add_tag(lexer, &tag, text_from(begin, at)));
}

/* Behind "<!". With an internal subset entities may hold anything, tags too. */
static bool lex_document_type(lift_lexer *lexer)
{
    while (lexer->at < lexer->end && *lexer->at != '[' && *lexer->at != '>') {
        const char c = *lexer->at++;
        const char *close = c == '"' || c == '\'' ? memchr(lexer->at, c, (size_t)(lexer->end - lexer->at)) : lexer->at - 1;
        if (!close)
            return false;
        lexer->at = close + 1;
    }
    return lexer->at < lexer->end && *lexer->at++ == '>';
}

/* Behind "<!". */
static bool lex_declaration(lift_lexer *lexer)
{
    text rest = text_from(lexer->at, lexer->end);
    if (text_starts_with(rest, TEXT("--"))) {
        lexer->at += 2;
        return skip_past(lexer, TEXT("-->"));
    }
    if (text_starts_with(rest, TEXT("[CDATA[")))
        return skip_past(lexer, TEXT("]]>"));
    return lex_document_type(lexer);
}

/* False: only a part of it was looked at. */
static bool lex_document(lift_lexer *lexer)
{
    bool good = true;
    while (good && (lexer->at = memchr(lexer->at, '<', (size_t)(lexer->end - lexer->at))) != NULL && ++lexer->at < lexer->end) {
        switch (*lexer->at) {
        case '!':
            lexer->at++;
            good = lex_declaration(lexer);
            break;
        case '?':
            lexer->sheets = lexer->sheets || text_starts_with(text_from(lexer->at, lexer->end), TEXT("?xml-stylesheet"));
            good = skip_past(lexer, TEXT("?>"));
            break;
        case '/':
            good = skip_past(lexer, TEXT(">"));
            break;
        default:
            good = lex_tag(lexer);
            break;
        }
    }
    return good && !lexer->at;
}

/* What attributes leave behind: their line ends, for the numbers of lines. */
static char *write_line_ends(char *out, text attributes)
{
    const char *at = attributes.bytes, *end = at + attributes.count;
    while ((at = memchr(at, '\n', (size_t)(end - at))) != NULL) {
        *out++ = '\n';
        at++;
    }
    return out;
}

static size_t count_line_ends(const svg_lift *lift)
{
    size_t count = 0;
    for (size_t i = 0; i < lift->tags.count; i++) {
        text value = lift->tags.items[i].attributes;
        for (const char *at = value.bytes, *end = at + value.count; (at = memchr(at, '\n', (size_t)(end - at))) != NULL; at++)
            count++;
    }
    return count;
}

static bool write_rest(svg_lift *lift, text document)
{
    const char *at = document.bytes;
    char *out = lift->rest = memory_alloc(document.count - lift->tag_bytes + count_line_ends(lift));
    if (!out)
        return false;
    for (size_t i = 0; i < lift->tags.count; i++) {
        svg_lifted_tag *tag = &lift->tags.items[i];
        const size_t before = (size_t)(tag->attributes.bytes - at);
        memcpy(out, at, before);
        out += before;
        tag->offset = (size_t)(out - lift->rest);
        out = write_line_ends(out, tag->attributes);
        at = tag->attributes.bytes + tag->attributes.count;
    }
    size_t tail = (size_t)(document.bytes + document.count - at);
    memcpy(out, at, tail);
    lift->rest_count = (size_t)(out + tail - lift->rest);
    return true;
}

bool svg_lift_take(svg_lift *lift, text document)
{
    lift_lexer lexer = { .lift = lift, .at = document.bytes, .end = document.bytes + document.count };
    if (document.count < SMALLEST_DOCUMENT)
        return true;
    lift->is_read_once = lex_document(&lexer) && !lexer.sheets;
    if (lexer.out_of_memory)
        return false;
    if (lift->tag_bytes >= document.count / 4)
        return write_rest(lift, document);
    lift->values.count = lift->tags.count = lift->value_bytes = lift->tag_bytes = 0; /* it would not pay for the copy */
    return true;
}

bool svg_lift_next(const svg_lift *lift, size_t begin, size_t end, size_t *next, const svg_lifted_tag **tag)
{
    *tag = NULL;
    if (*next == lift->tags.count || lift->tags.items[*next].offset >= end)
        return true;
    *tag = &lift->tags.items[*next];
    ++*next;
    /* Behind the '<' of the tag comes its name alone. */
    return (*tag)->offset > begin && read_name(lift->rest + begin + 1, lift->rest + end).count == (*tag)->offset - begin - 1;
}

bool svg_lift_attribute(text *attributes, text *name, text *value)
{
    const char *end = attributes->bytes + attributes->count, *at = skip_space(attributes->bytes, end);
    *name = read_name(at, end);
    at = skip_space(at + name->count, end);
    at = at < end ? skip_space(at + 1, end) : end;
    const char *close = at < end ? memchr(at + 1, *at, (size_t)(end - at) - 1) : NULL;
    if (!close)
        return false;
    *value = text_from(at + 1, close);
    *attributes = text_from(close + 1, end);
    return true;
}

void svg_lift_free(svg_lift *lift)
{
    for (uint32_t i = 0; lift->pools && i < lift->worker_count; i++)
        svg_path_pool_free(&lift->pools[i]);
    free(lift->pools);
    free(lift->batches);
    free(lift->rest);
    array_free(&lift->values);
    array_free(&lift->tags);
}

/* ---- Reading them ---- */

bool svg_lift_prepare(svg_lift *lift, uint32_t threads)
{
    size_t worth = 1 + lift->value_bytes / WORKER_BYTES;
    lift->worker_count = threads < worth ? threads : (uint32_t)worth;
    lift->batch = lift->values.count / (lift->worker_count * BATCHES) + 1;
    lift->pools = calloc(lift->worker_count, sizeof *lift->pools);
    lift->batches = calloc(lift->values.count / lift->batch + 1, sizeof *lift->batches);
    return lift->pools && lift->batches;
}

enum { BATCH_READ = 1, BATCH_PASSED = 2 };

/* Whoever is the last to need a batch's bytes gives them back; what lies between its values too. */
static void finish_batch(svg_lift *lift, size_t batch, unsigned char by)
{
    const size_t begin = batch * lift->batch, end = begin + lift->batch < lift->values.count ? begin + lift->batch : lift->values.count;
    unsigned char before = atomic_fetch_or_explicit(&lift->batches[batch], by, memory_order_acq_rel);
    if (!lift->discard || begin == end || (before | by) != (BATCH_READ | BATCH_PASSED))
        return;
    const char *first = lift->values.items[begin].value.bytes;
    text last = lift->values.items[end - 1].value;
    lift->discard(lift->discard_user, first, (size_t)(last.bytes + last.count - first));
}

static void pass_batches(svg_lift *lift, size_t count)
{
    while (lift->passed < count)
        finish_batch(lift, lift->passed++, BATCH_PASSED);
}

void svg_lift_reach(svg_lift *lift, size_t value)
{
    if (lift->is_read_once)
        pass_batches(lift, value / lift->batch);
}

void svg_lift_reach_end(svg_lift *lift)
{
    pass_batches(lift, lift->values.count / lift->batch + 1);
}

void svg_lift_work(svg_lift *lift, uint32_t worker)
{
    const size_t count = lift->values.count;
    for (;;) {
        size_t begin = atomic_fetch_add_explicit(&lift->next, lift->batch, memory_order_relaxed);
        size_t end = begin < count && count - begin > lift->batch ? begin + lift->batch : count;
        if (begin >= count || atomic_load_explicit(&lift->failed, memory_order_relaxed))
            return;
        for (size_t i = begin; i < end; i++) {
            svg_lifted *lifted = &lift->values.items[i];
            if (!svg_path_read(&lift->pools[worker], lifted->value, lifted->syntax, &lifted->path))
                atomic_store_explicit(&lift->failed, true, memory_order_relaxed);
        }
        finish_batch(lift, begin / lift->batch, BATCH_READ);
    }
}

bool svg_lift_hand_over(svg_lift *lift, svg_document *document)
{
    if (atomic_load_explicit(&lift->failed, memory_order_relaxed))
        return false;
    for (uint32_t i = 0; i < lift->worker_count; i++)
        arena_join(&document->paths.arena, &lift->pools[i].arena);
    for (size_t i = 0; i < lift->values.count; i++) {
        const svg_lifted *lifted = &lift->values.items[i];
        svg_node *node = lifted->node != SVG_NO_NODE ? &document->nodes.items[lifted->node] : NULL;
        if (node && !node->path_styled && !svg_path_pool_add_read(&document->paths, &lifted->path, &node->path))
            return false;
    }
    return true;
}
