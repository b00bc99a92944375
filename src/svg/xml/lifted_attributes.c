/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "svg/xml/lifted_attributes.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define SMALLEST_DOCUMENT ((size_t)16 << 10)
#define SMALLEST_VALUE 64u
#define MOST_ATTRIBUTES 24u              /* in a plain tag */
#define WORKER_BYTES ((size_t)128 << 10) /* bytes of path data that are worth a thread */
#define BATCHES 32u                      /* batches of path data for each worker */

/* ---- Finding plain tags ---- */

typedef struct tag_lexer {
    svg_lifted_attributes *table;
    const char *at, *end;
    bool out_of_memory;
    bool sheets, trefs; /* a style element or a tref occurs, or may occur */
} tag_lexer;

enum {
    BYTE_NAME = 1,       /* may stand in a plain name */
    BYTE_NAME_START = 2, /* may begin a plain name */
    BYTE_BLANK = 4,      /* the XML library makes a space of it in a value */
    BYTE_ODD = 8,        /* a value cannot contain it, or it does not stand for itself there */
};

#define LETTER (BYTE_NAME | BYTE_NAME_START)
#define FOUR(kind) kind, kind, kind, kind
#define SIXTEEN(kind) FOUR(kind), FOUR(kind), FOUR(kind), FOUR(kind)
#define ODD_HALF SIXTEEN(BYTE_ODD), SIXTEEN(BYTE_ODD), SIXTEEN(BYTE_ODD), SIXTEEN(BYTE_ODD)

static const uint8_t byte_kinds[256] = {
    [0] = FOUR(BYTE_ODD),
    FOUR(BYTE_ODD),
    BYTE_ODD,
    BYTE_BLANK,
    BYTE_BLANK,
    BYTE_ODD,
    BYTE_ODD,
    BYTE_BLANK,
    BYTE_ODD,
    BYTE_ODD,
    [0x10] = SIXTEEN(BYTE_ODD),
    ['&'] = BYTE_ODD,
    ['-'] = BYTE_NAME,
    BYTE_NAME,
    ['0'] = FOUR(BYTE_NAME),
    FOUR(BYTE_NAME),
    BYTE_NAME,
    BYTE_NAME,
    LETTER,
    ['<'] = BYTE_ODD,
    ['A'] = SIXTEEN(LETTER),
    FOUR(LETTER),
    FOUR(LETTER),
    LETTER,
    LETTER,
    ['_'] = LETTER,
    ['a'] = SIXTEEN(LETTER),
    FOUR(LETTER),
    FOUR(LETTER),
    LETTER,
    LETTER,
    [0x7f] = BYTE_ODD,
    ODD_HALF,
    ODD_HALF,
};

/* Returns whether XML counts the character as white space. Form feeds are none. */
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

/* Reads a name. Names that are not in ASCII are not read. */
static text read_name(const char *at, const char *end)
{
    const char *begin = at;
    if (at < end && byte_kinds[(uint8_t)*at] & BYTE_NAME_START)
        while (at < end && byte_kinds[(uint8_t)*at] & BYTE_NAME)
            at++;
    return text_from(begin, at);
}

/* Moves behind the next `mark`. False: there is none. */
static bool skip_past(tag_lexer *lexer, text mark)
{
    const char *at = lexer->at;
    while ((at = memchr(at, mark.bytes[0], (size_t)(lexer->end - at)))) {
        if (text_starts_with(text_from(at, lexer->end), mark)) {
            lexer->at = at + mark.count;
            return true;
        }
        at++;
    }
    return false;
}

/* Returns whether the XML library would hand on the value unchanged. If `blanks` is true, it may turn blanks into
 * spaces. */
static bool is_plain(text value, bool blanks)
{
    uint8_t odd = 0, blank = 0;
    const uint8_t *at = (const uint8_t *)value.bytes, *end = at + value.count;
    for (; end - at >= 64; at += 64)
        for (int i = 0; i < 64; i++) {
            const uint8_t is_blank = (uint8_t)((at[i] == '\n') | (at[i] == '\r') | (at[i] == '\t'));
            odd |= (uint8_t)(((uint8_t)(at[i] - 0x20) > 0x5e) & !is_blank) | (uint8_t)((at[i] == '<') | (at[i] == '&'));
            blank |= is_blank;
        }
    for (; at < end; at++) {
        odd |= byte_kinds[*at] & BYTE_ODD;
        blank |= byte_kinds[*at] & BYTE_BLANK;
    }
    return !odd && (blanks || !blank);
}

/* Returns the attribute that holds the path data of elements with this name, whatever their prefix. Empty: they have
 * none. */
static text data_attribute(text name, svg_path_syntax *syntax)
{
    size_t colon = text_find(name, ':');
    if (colon < name.count)
        name = text_from(name.bytes + colon + 1, name.bytes + name.count);
    *syntax = text_equal(name, TEXT("path"))      ? SVG_PATH_DATA
              : text_equal(name, TEXT("polygon")) ? SVG_PATH_POLYGON
                                                  : SVG_PATH_POLYLINE;
    if (*syntax == SVG_PATH_DATA)
        return TEXT("d");
    return *syntax == SVG_PATH_POLYGON || text_equal(name, TEXT("polyline")) ? TEXT("points") : TEXT("");
}

/* A start tag that is being read. */
typedef struct lexed_tag {
    text names[MOST_ATTRIBUTES];
    size_t count;
    text wanted; /* name of the attribute with path data */
    svg_path_syntax syntax;
    text data; /* path data that is long enough to be lifted; bytes is NULL: there is none */
} lexed_tag;

static bool is_new(const lexed_tag *tag, text name)
{
    for (size_t i = 0; i < tag->count; i++)
        if (text_equal(tag->names[i], name))
            return false;
    return true;
}

/* Reads an attribute, from its name on, and returns its end. NULL: it is not plain. */
static const char *lex_attribute(lexed_tag *tag, const char *at, const char *end)
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

static bool add_tag(tag_lexer *lexer, const lexed_tag *tag, text attributes)
{
    svg_lifted_attributes *table = lexer->table;
    svg_lifted_tag *added = array_push(&table->tags);
    svg_lifted_path *value = added && tag->data.bytes ? array_push(&table->values) : NULL;
    lexer->out_of_memory = !added || (tag->data.bytes && !value);
    if (lexer->out_of_memory)
        return false;
    *added = (svg_lifted_tag){.attributes = attributes, .value = value ? table->values.count - 1 : SVG_LIFTED_NO_VALUE};
    if (value)
        *value = (svg_lifted_path){.value = tag->data, .node = SVG_NO_NODE, .syntax = tag->syntax};
    table->value_bytes += tag->data.count;
    table->tag_bytes += attributes.count;
    return true;
}

/* Moves to the end of a start tag that is not plain. False: it is not well-formed. */
static bool skip_tag(tag_lexer *lexer)
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

/* Reads a start tag behind its '<'. A tag that is not plain is left to the XML library. */
static bool lex_tag(tag_lexer *lexer)
{
    const char *end = lexer->end;
    const text name = read_name(lexer->at, end);
    const char *begin = lexer->at + name.count, *at = begin;
    lexed_tag tag;
    tag.count = 0;
    tag.data = (text){0};
    tag.wanted = data_attribute(name, &tag.syntax);
    /* Otherwise the name is missing or not in ASCII. */
    const bool is_whole = begin < end && (is_space(*begin) || *begin == '/' || *begin == '>');
    lexer->sheets = lexer->sheets || !is_whole || (name.count >= 5 && memcmp(begin - 5, "style", 5) == 0);
    lexer->trefs = lexer->trefs || !is_whole || (name.count >= 4 && memcmp(begin - 4, "tref", 4) == 0);
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

/* Skips a document type. One with an internal subset fails, because entities may then hold anything, even tags. */
static bool lex_document_type(tag_lexer *lexer)
{
    while (lexer->at < lexer->end && *lexer->at != '[' && *lexer->at != '>') {
        const char c = *lexer->at++;
        const char *close =
            c == '"' || c == '\'' ? memchr(lexer->at, c, (size_t)(lexer->end - lexer->at)) : lexer->at - 1;
        if (!close)
            return false;
        lexer->at = close + 1;
    }
    return lexer->at < lexer->end && *lexer->at++ == '>';
}

/* Skips a declaration behind "<!". */
static bool lex_declaration(tag_lexer *lexer)
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

/* Reads the whole document. False: it read only a part of it. */
static bool lex_document(tag_lexer *lexer)
{
    bool good = true;
    while (good && (lexer->at = memchr(lexer->at, '<', (size_t)(lexer->end - lexer->at))) && ++lexer->at < lexer->end) {
        switch (*lexer->at) {
        case '!':
            lexer->at++;
            good = lex_declaration(lexer);
            break;
        case '?':
            lexer->sheets =
                lexer->sheets || text_starts_with(text_from(lexer->at, lexer->end), TEXT("?xml-stylesheet"));
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

/* Keeps the line ends of attributes that are taken out, so that lines are counted correctly. */
static char *write_line_ends(char *out, text attributes)
{
    const char *at = attributes.bytes, *end = at + attributes.count;
    while ((at = memchr(at, '\n', (size_t)(end - at)))) {
        *out++ = '\n';
        at++;
    }
    return out;
}

static size_t count_line_ends(const svg_lifted_attributes *table)
{
    size_t count = 0;
    for (size_t i = 0; i < table->tags.count; i++) {
        text value = table->tags.items[i].attributes;
        for (const char *at = value.bytes, *end = at + value.count; (at = memchr(at, '\n', (size_t)(end - at))); at++)
            count++;
    }
    return count;
}

static bool write_rest(svg_lifted_attributes *table, text document)
{
    const char *at = document.bytes;
    char *out = table->rest = memory_alloc(document.count - table->tag_bytes + count_line_ends(table));
    if (!out)
        return false;
    for (size_t i = 0; i < table->tags.count; i++) {
        svg_lifted_tag *tag = &table->tags.items[i];
        const size_t before = (size_t)(tag->attributes.bytes - at);
        memcpy(out, at, before);
        out += before;
        tag->offset = (size_t)(out - table->rest);
        out = write_line_ends(out, tag->attributes);
        at = tag->attributes.bytes + tag->attributes.count;
    }
    size_t tail = (size_t)(document.bytes + document.count - at);
    memcpy(out, at, tail);
    table->rest_count = (size_t)(out + tail - table->rest);
    return true;
}

bool svg_lifted_take(svg_lifted_attributes *table, text document)
{
    tag_lexer lexer = {.table = table, .at = document.bytes, .end = document.bytes + document.count};
    if (document.count < SMALLEST_DOCUMENT)
        return true;
    const bool whole = lex_document(&lexer);
    table->is_lexed = true;
    table->has_trefs = !whole || lexer.trefs;
    table->is_read_once = whole && !lexer.sheets;
    if (lexer.out_of_memory)
        return false;
    if (table->tag_bytes >= document.count / 4)
        return write_rest(table, document);
    /* So little was lifted that copying the rest would not pay. */
    table->values.count = table->tags.count = table->value_bytes = table->tag_bytes = 0;
    return true;
}

bool svg_lifted_next(const svg_lifted_attributes *table, size_t begin, size_t end, size_t *next,
                     const svg_lifted_tag **tag)
{
    *tag = NULL;
    if (*next == table->tags.count || table->tags.items[*next].offset >= end)
        return true;
    *tag = &table->tags.items[*next];
    ++*next;
    /* Only a name stands between the '<' and the offset. */
    return (*tag)->offset > begin &&
           read_name(table->rest + begin + 1, table->rest + end).count == (*tag)->offset - begin - 1;
}

bool svg_lifted_attribute(text *attributes, text *name, text *value)
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

void svg_lifted_free(svg_lifted_attributes *table)
{
    for (uint32_t i = 0; table->pools && i < table->worker_count; i++)
        svg_path_pool_free(&table->pools[i]);
    free(table->pools);
    free(table->batches);
    free(table->rest);
    array_free(&table->values);
    array_free(&table->tags);
}

/* ---- Reading them ---- */

bool svg_lifted_prepare(svg_lifted_attributes *table, uint32_t threads, uint64_t most_numbers)
{
    size_t worth = 1 + table->value_bytes / WORKER_BYTES;
    table->worker_count = threads < worth ? threads : (uint32_t)worth;
    table->batch = table->values.count / (table->worker_count * BATCHES) + 1;
    table->pools = calloc(table->worker_count, sizeof *table->pools);
    table->batches = calloc(table->values.count / table->batch + 1, sizeof *table->batches);
    for (uint32_t i = 0; table->pools && i < table->worker_count; i++)
        table->pools[i].most_numbers = most_numbers;
    return table->pools && table->batches;
}

enum { BATCH_READ = 1, BATCH_PASSED = 2 };

/* Gives up the bytes of a batch, and those between its values, once both users are done with them. */
static void finish_batch(svg_lifted_attributes *table, size_t batch, uint8_t by)
{
    const size_t begin = batch * table->batch,
                 end = begin + table->batch < table->values.count ? begin + table->batch : table->values.count;
    uint8_t before = atomic_fetch_or_explicit(&table->batches[batch], by, memory_order_acq_rel);
    if (!table->discard || begin == end || (before | by) != (BATCH_READ | BATCH_PASSED))
        return;
    const char *first = table->values.items[begin].value.bytes;
    text last = table->values.items[end - 1].value;
    table->discard(table->discard_user, first, (size_t)(last.bytes + last.count - first));
}

static void pass_batches(svg_lifted_attributes *table, size_t count)
{
    while (table->passed < count)
        finish_batch(table, table->passed++, BATCH_PASSED);
}

void svg_lifted_reach(svg_lifted_attributes *table, size_t value)
{
    if (table->is_read_once)
        pass_batches(table, value / table->batch);
}

void svg_lifted_reach_end(svg_lifted_attributes *table)
{
    pass_batches(table, table->values.count / table->batch + 1);
}

void svg_lifted_work(svg_lifted_attributes *table, uint32_t worker)
{
    const size_t count = table->values.count;
    for (;;) {
        size_t begin = atomic_fetch_add_explicit(&table->next, table->batch, memory_order_relaxed);
        size_t end = begin < count && count - begin > table->batch ? begin + table->batch : count;
        if (begin >= count || atomic_load_explicit(&table->failed, memory_order_relaxed))
            return;
        for (size_t i = begin; i < end; i++) {
            svg_lifted_path *lifted = &table->values.items[i];
            if (!svg_path_read(&table->pools[worker], lifted->value, lifted->syntax, &lifted->path))
                atomic_store_explicit(&table->failed, true, memory_order_relaxed);
        }
        finish_batch(table, begin / table->batch, BATCH_READ);
    }
}

bool svg_lifted_hand_over(svg_lifted_attributes *table, svg_document *document)
{
    if (atomic_load_explicit(&table->failed, memory_order_relaxed))
        return false;
    for (uint32_t i = 0; i < table->worker_count; i++) {
        arena_join(&document->paths.arena, &table->pools[i].arena);
        document->paths.number_count += table->pools[i].number_count;
    }
    for (size_t i = 0; i < table->values.count; i++) {
        const svg_lifted_path *lifted = &table->values.items[i];
        svg_node *node = lifted->node != SVG_NO_NODE ? &document->nodes.items[lifted->node] : NULL;
        if (node && !node->path_styled && !svg_path_pool_add_read(&document->paths, &lifted->path, &node->path))
            return false;
    }
    return true;
}
