#include "svg/lift.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define SMALLEST_DOCUMENT ((size_t)16 << 10)
#define SMALLEST_VALUE 64u
#define WORKER_BYTES ((size_t)128 << 10) /* of values, that pay for a thread */
#define BATCHES 32u                      /* of values, for each worker */

/* ---- Finding values ---- */

typedef struct lift_lexer {
    svg_lift *lift;
    const char *at, *end;
    bool out_of_memory;
} lift_lexer;

static bool is_name_end(char c)
{
    return text_is_space(c) || c == '/' || c == '>' || c == '=' || c == '<' || c == '"' || c == '\'';
}

static void skip_space(lift_lexer *lexer)
{
    while (lexer->at < lexer->end && text_is_space(*lexer->at))
        lexer->at++;
}

static text read_name(lift_lexer *lexer)
{
    const char *begin = lexer->at;
    while (lexer->at < lexer->end && !is_name_end(*lexer->at))
        lexer->at++;
    return text_from(begin, lexer->at);
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

/* Whether the XML library would hand on the value as it is, blanks apart. */
static bool is_plain(text value)
{
    unsigned char odd = 0;
    const unsigned char *at = (const unsigned char *)value.bytes, *end = at + value.count;
    for (; end - at >= 64; at += 64)
        for (int i = 0; i < 64; i++)
            odd |= (unsigned char)(((unsigned char)(at[i] - 0x20) > 0x5e) & (at[i] != '\n') & (at[i] != '\r') & (at[i] != '\t')) |
                   (unsigned char)((at[i] == '<') | (at[i] == '&'));
    for (; at < end; at++)
        odd |= (unsigned char)((*at < 0x20 && *at != '\n' && *at != '\r' && *at != '\t') || *at > 0x7e || *at == '<' || *at == '&');
    return !odd;
}

static bool add_value(lift_lexer *lexer, text value, svg_path_syntax syntax)
{
    svg_lifted *added = array_push(&lexer->lift->values);
    if (!added) {
        lexer->out_of_memory = true;
        return false;
    }
    *added = (svg_lifted){ .value = value, .node = SVG_NO_NODE, .syntax = syntax };
    lexer->lift->byte_count += value.count;
    return true;
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

/* Behind the '<' of a start tag. False: not well-formed, or out of memory. */
static bool lex_tag(lift_lexer *lexer)
{
    svg_path_syntax syntax;
    text wanted = data_attribute(read_name(lexer), &syntax);
    bool lifted = false;
    for (skip_space(lexer); lexer->at < lexer->end && *lexer->at != '>'; skip_space(lexer)) {
        if (*lexer->at == '/') {
            lexer->at++;
            continue;
        }
        text name = read_name(lexer);
        skip_space(lexer);
        if (name.count == 0 || lexer->at == lexer->end || *lexer->at++ != '=')
            return false;
        skip_space(lexer);
        char quote = lexer->at < lexer->end ? *lexer->at++ : 0;
        const char *begin = lexer->at;
        const char *end = quote == '"' || quote == '\'' ? memchr(begin, quote, (size_t)(lexer->end - begin)) : NULL;
        if (!end)
            return false;
        lexer->at = end + 1;
        text value = text_from(begin, end);
        if (value.count < SMALLEST_VALUE || lifted || !text_equal(name, wanted) || !is_plain(value))
            continue;
        if (!add_value(lexer, value, syntax))
            return false;
        lifted = true;
    }
    return lexer->at < lexer->end;
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

static void lex_document(lift_lexer *lexer)
{
    bool good = true;
    while (good && (lexer->at = memchr(lexer->at, '<', (size_t)(lexer->end - lexer->at))) != NULL && ++lexer->at < lexer->end) {
        switch (*lexer->at) {
        case '!':
            lexer->at++;
            good = lex_declaration(lexer);
            break;
        case '?':
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
}

/* What a value leaves behind: its line ends, for the numbers of lines. */
static char *write_line_ends(char *out, text value)
{
    const char *at = value.bytes, *end = at + value.count;
    while ((at = memchr(at, '\n', (size_t)(end - at))) != NULL) {
        *out++ = '\n';
        at++;
    }
    return out;
}

static size_t count_line_ends(const svg_lift *lift)
{
    size_t count = 0;
    for (size_t i = 0; i < lift->values.count; i++) {
        text value = lift->values.items[i].value;
        for (const char *at = value.bytes, *end = at + value.count; (at = memchr(at, '\n', (size_t)(end - at))) != NULL; at++)
            count++;
    }
    return count;
}

static bool write_rest(svg_lift *lift, text document)
{
    const char *at = document.bytes;
    char *out = lift->rest = memory_alloc(document.count - lift->byte_count + count_line_ends(lift));
    if (!out)
        return false;
    for (size_t i = 0; i < lift->values.count; i++) {
        text value = lift->values.items[i].value;
        memcpy(out, at, (size_t)(value.bytes - at));
        out += value.bytes - at;
        lift->values.items[i].offset = (size_t)(out - lift->rest);
        out = write_line_ends(out, value);
        at = value.bytes + value.count;
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
    lex_document(&lexer);
    if (lexer.out_of_memory)
        return false;
    if (lift->byte_count >= document.count / 4)
        return write_rest(lift, document);
    lift->values.count = lift->byte_count = 0; /* it would not pay for the copy */
    return true;
}

/* The number of the attribute whose value begins here, behind the beginning of its tag. False: none does. Neither names nor what stands
 * between attributes hold quotes. */
static bool find_attribute(const char *tag, const char *value, uint32_t *attribute)
{
    *attribute = 0;
    for (const char *at = tag; at < value; at++) {
        if (*at != '"' && *at != '\'')
            continue;
        if (at + 1 == value)
            return true;
        at = memchr(at + 1, *at, (size_t)(value - at) - 1);
        if (!at)
            return false;
        ++*attribute;
    }
    return false;
}

svg_lift_found svg_lift_next(const svg_lift *lift, size_t begin, size_t end, size_t *next, uint32_t *attribute)
{
    if (*next == lift->values.count || lift->values.items[*next].offset >= end)
        return SVG_LIFT_NOTHING;
    size_t offset = lift->values.items[*next].offset;
    if (offset < begin || !find_attribute(lift->rest + begin, lift->rest + offset, attribute))
        return SVG_LIFT_ASTRAY;
    ++*next;
    return SVG_LIFT_VALUE;
}

void svg_lift_free(svg_lift *lift)
{
    for (uint32_t i = 0; lift->pools && i < lift->worker_count; i++)
        svg_path_pool_free(&lift->pools[i]);
    free(lift->pools);
    free(lift->rest);
    array_free(&lift->values);
}

/* ---- Reading them ---- */

bool svg_lift_prepare(svg_lift *lift, uint32_t threads)
{
    size_t worth = 1 + lift->byte_count / WORKER_BYTES;
    lift->worker_count = threads < worth ? threads : (uint32_t)worth;
    lift->pools = calloc(lift->worker_count, sizeof *lift->pools);
    return lift->pools != NULL;
}

/* What lies between values stands in `rest` too. Style sheets may ask for values until the rest has been read. */
static void discard_values(const svg_lift *lift, size_t begin, size_t end)
{
    const char *first = lift->values.items[begin].value.bytes;
    text last = lift->values.items[end - 1].value;
    if (lift->discard && atomic_load_explicit(&lift->rest_read, memory_order_relaxed))
        lift->discard(lift->discard_user, first, (size_t)(last.bytes + last.count - first));
}

void svg_lift_work(svg_lift *lift, uint32_t worker)
{
    size_t count = lift->values.count, batch = count / (lift->worker_count * BATCHES) + 1;
    for (;;) {
        size_t begin = atomic_fetch_add_explicit(&lift->next, batch, memory_order_relaxed);
        size_t end = begin < count && count - begin > batch ? begin + batch : count;
        if (begin >= count || atomic_load_explicit(&lift->failed, memory_order_relaxed))
            return;
        for (size_t i = begin; i < end; i++) {
            svg_lifted *lifted = &lift->values.items[i];
            if (!svg_path_read(&lift->pools[worker], lifted->value, lifted->syntax, &lifted->path))
                atomic_store_explicit(&lift->failed, true, memory_order_relaxed);
        }
        discard_values(lift, begin, end);
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
    if (lift->values.count)
        discard_values(lift, 0, lift->values.count);
    return true;
}
