/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "svg/css/css_token.h"

#include <string.h>

static bool is_name_start(char c)
{
    return text_is_letter(c) || c == '_' || (uint8_t)c >= 0x80;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_escape(const char *at, const char *end)
{
    return at < end && *at == '\\' && (at + 1 == end || (at[1] != '\n' && at[1] != '\f' && at[1] != '\r'));
}

static bool starts_name(const char *at, const char *end)
{
    if (at < end && *at == '-')
        return at + 1 < end && (at[1] == '-' || is_name_start(at[1]) || is_escape(at + 1, end));
    return at < end && (is_name_start(*at) || is_escape(at, end));
}

static bool starts_number(const char *at, const char *end)
{
    if (at < end && (*at == '+' || *at == '-'))
        at++;
    if (at < end && *at == '.')
        at++;
    return at < end && is_digit(*at);
}

/* Skips what follows a backslash: a character, or up to six hexadecimal digits and one blank. */
static const char *skip_escape(const char *at, const char *end)
{
    int digits = 0;
    for (at++; at < end && digits < 6; at++, digits++) {
        char lower = text_lower(*at);
        if (!is_digit(*at) && !(lower >= 'a' && lower <= 'f'))
            break;
    }
    if (digits == 0)
        return at < end ? at + 1 : end;
    if (at + 1 < end && at[0] == '\r' && at[1] == '\n')
        return at + 2;
    return at < end && text_is_space(*at) ? at + 1 : at;
}

static const char *skip_name(const char *at, const char *end, bool *escaped)
{
    for (;;) {
        if (at < end && css_token_is_name(*at)) {
            at++;
        } else if (is_escape(at, end)) {
            *escaped = true;
            at = skip_escape(at, end);
        } else {
            return at;
        }
    }
}

static const char *skip_digits(const char *at, const char *end)
{
    while (at < end && is_digit(*at))
        at++;
    return at;
}

static const char *skip_number(const char *at, const char *end)
{
    if (*at == '+' || *at == '-')
        at++;
    at = skip_digits(at, end);
    if (at + 1 < end && *at == '.' && is_digit(at[1]))
        at = skip_digits(at + 1, end);
    if (at < end && text_lower(*at) == 'e') {
        const char *exponent = at + 1;
        if (exponent < end && (*exponent == '+' || *exponent == '-'))
            exponent++;
        if (exponent < end && is_digit(*exponent))
            at = skip_digits(exponent, end);
    }
    bool escaped = false;
    if (at < end && *at == '%')
        return at + 1;
    return starts_name(at, end) ? skip_name(at, end, &escaped) : at;
}

static const char *skip_comment(const char *at, const char *end)
{
    for (at += 2; at + 1 < end; at++)
        if (at[0] == '*' && at[1] == '/')
            return at + 2;
    return end;
}

static const char *skip_space(const char *at, const char *end)
{
    for (;;)
        if (at < end && text_is_space(*at))
            at++;
        else if (at + 1 < end && at[0] == '/' && at[1] == '*')
            at = skip_comment(at, end);
        else
            return at;
}

static const char *take_string(const char *at, const char *end, css_token *token)
{
    const char *begin = at + 1;
    char quote = *at;
    for (at = begin; at < end && *at != quote; at++) {
        if (*at == '\n' || *at == '\r' || *at == '\f') {
            token->kind = CSS_BAD;
            return at;
        }
        if (*at == '\\') {
            token->escaped = true;
            at += at + 1 < end;
        }
    }
    token->kind = CSS_STRING;
    token->value = text_from(begin, at);
    return at < end ? at + 1 : end;
}

/* Takes what follows `url(` if no quote does. */
static const char *take_url(const char *at, const char *end, css_token *token)
{
    while (at < end && text_is_space(*at))
        at++;
    const char *begin = at;
    token->kind = CSS_URL;
    for (; at < end && *at != ')'; at++) {
        if (*at == '"' || *at == '\'' || *at == '(' || (*at == '\\' && !is_escape(at, end)))
            token->kind = CSS_BAD;
        if (*at == '\\') {
            token->escaped = true;
            at += at + 1 < end;
        }
    }
    token->value = text_trim(text_from(begin, at));
    for (size_t i = 0; i < token->value.count; i++)
        if (text_is_space(token->value.bytes[i]) && !token->escaped)
            token->kind = CSS_BAD;
    return at < end ? at + 1 : end;
}

static const char *take_name(const char *at, const char *end, css_token *token)
{
    const char *stop = skip_name(at, end, &token->escaped);
    token->kind = CSS_IDENT;
    token->value = text_from(at, stop);
    if (stop == end || *stop != '(')
        return stop;
    token->kind = CSS_FUNCTION;
    at = stop + 1;
    if (!text_equal_ignoring_case(token->value, TEXT("url")))
        return at;
    while (at < end && text_is_space(*at))
        at++;
    return at < end && (*at == '"' || *at == '\'') ? stop + 1 : take_url(stop + 1, end, token);
}

static const char *take_mark(const char *at, const char *end, css_token *token)
{
    static const text marks[2] = {TEXT_LITERAL("<!--"), TEXT_LITERAL("-->")};
    for (int i = 0; i < 2; i++)
        if (text_starts_with(text_from(at, end), marks[i])) {
            token->kind = CSS_COMMENT_MARK;
            return at + marks[i].count;
        }
    return NULL;
}

static const char *take_single(const char *at, css_token *token)
{
    switch (*at) {
    case ':':
        token->kind = CSS_COLON;
        break;
    case ';':
        token->kind = CSS_SEMICOLON;
        break;
    case ',':
        token->kind = CSS_COMMA;
        break;
    case '(':
    case '[':
    case '{':
        token->kind = CSS_OPEN;
        break;
    case ')':
    case ']':
    case '}':
        token->kind = CSS_CLOSE;
        break;
    default:
        token->kind = CSS_DELIMITER;
        break;
    }
    return at + 1;
}

static const char *take(const char *at, const char *end, css_token *token)
{
    const char *stop = skip_space(at, end);
    if (stop > at) {
        token->kind = CSS_SPACE;
        return stop;
    }
    if (*at == '"' || *at == '\'')
        return take_string(at, end, token);
    if (*at == '#' && at + 1 < end && (css_token_is_name(at[1]) || is_escape(at + 1, end))) {
        stop = skip_name(at + 1, end, &token->escaped);
        token->kind = CSS_HASH;
        token->names = starts_name(at + 1, end);
        token->value = text_from(at + 1, stop);
        return stop;
    }
    if (*at == '@' && starts_name(at + 1, end)) {
        stop = skip_name(at + 1, end, &token->escaped);
        token->kind = CSS_AT;
        token->value = text_from(at + 1, stop);
        return stop;
    }
    if (starts_number(at, end)) {
        stop = skip_number(at, end);
        token->kind = CSS_NUMBER;
        token->value = text_from(at, stop);
        return stop;
    }
    stop = *at == '<' || *at == '-' ? take_mark(at, end, token) : NULL;
    if (stop)
        return stop;
    return starts_name(at, end) ? take_name(at, end, token) : take_single(at, token);
}

/* Comments separate tokens but are not blanks. */
static const char *skip_comments(const char *at, const char *end)
{
    while (at + 1 < end && at[0] == '/' && at[1] == '*')
        at = skip_comment(at, end);
    return at;
}

css_token css_token_next(text *rest)
{
    css_token token = {.kind = CSS_END};
    if (rest->count == 0)
        return token;
    const char *end = rest->bytes + rest->count, *at = skip_comments(rest->bytes, end),
               *stop = at < end ? take(at, end, &token) : end;
    token.raw = text_from(at, stop);
    *rest = text_from(stop, end);
    return token;
}

static size_t encode_utf8(uint32_t code, char *out)
{
    if (code == 0 || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
        code = 0xfffd;
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    size_t more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    static const uint8_t leads[4] = {0, 0xc0, 0xe0, 0xf0};
    out[0] = (char)(leads[more] | code >> (6 * more));
    for (size_t i = 1; i <= more; i++)
        out[i] = (char)(0x80 | (code >> (6 * (more - i)) & 0x3f));
    return more + 1;
}

static unsigned digit_of(char c)
{
    return is_digit(c) ? (unsigned)(c - '0') : (unsigned)(text_lower(c) - 'a') + 10;
}

size_t css_decode(text escaped, char *out)
{
    size_t count = 0;
    const char *at = escaped.bytes, *end = at + escaped.count;
    while (at < end) {
        if (*at != '\\') {
            out[count++] = *at++;
            continue;
        }
        const char *stop = skip_escape(at, end), *first = at + 1;
        char lower = first < end ? text_lower(*first) : 0;
        if (first == end) {
            count += encode_utf8(0, out + count);
        } else if (is_digit(*first) || (lower >= 'a' && lower <= 'f')) {
            uint32_t code = 0;
            for (const char *c = first; c < stop && !text_is_space(*c); c++)
                code = code * 16 + digit_of(*c);
            count += encode_utf8(code, out + count);
            /* a line end that is escaped inside a string stands for nothing */
        } else if (*first != '\n' && *first != '\r' && *first != '\f') {
            out[count++] = *first;
        }
        at = stop;
    }
    return count;
}

css_token css_token_next_part(text *rest)
{
    css_token token;
    do
        token = css_token_next(rest);
    while (token.kind == CSS_SPACE);
    return token;
}

bool css_token_decode(const css_token *token, arena *arena, text *decoded)
{
    *decoded = token->value;
    if (!token->escaped)
        return true;
    char *out = arena_alloc(arena, CSS_DECODED_MOST(token->value.count), 1);
    if (!out)
        return false;
    *decoded = (text){out, css_decode(token->value, out)};
    return true;
}

static char closing(char open)
{
    return open == '[' ? ']' : open == '{' ? '}' : ')';
}

bool css_token_skip_block(text *rest, char open)
{
    char wanted[CSS_DEEPEST_NEST];
    size_t depth = 1;
    wanted[0] = closing(open);
    while (rest->count && depth) {
        css_token token = css_token_next(rest);
        if (token.kind == CSS_CLOSE && token.raw.bytes[0] == wanted[depth - 1])
            depth--;
        if (token.kind != CSS_OPEN && token.kind != CSS_FUNCTION)
            continue;
        if (depth == CSS_DEEPEST_NEST) {
            *rest = text_from(rest->bytes + rest->count,
                              rest->bytes + rest->count); /* callers measure the distance from where rest stood */
            return false;
        }
        wanted[depth++] = closing(token.kind == CSS_OPEN ? token.raw.bytes[0] : '(');
    }
    return depth == 0;
}

/* Returns whether the name needs no escapes. */
static bool is_plain_name(const char *at, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!css_token_is_name(at[i]))
            return false;
    return true;
}

static size_t write_plain(const css_token *token, char *out)
{
    bool function = token->kind == CSS_FUNCTION;
    if (token->escaped && (function || token->kind == CSS_IDENT)) {
        size_t count = css_decode(token->value, out);
        if (is_plain_name(out, count)) {
            if (function)
                out[count++] = '(';
            return count;
        }
    }
    memcpy(out, token->raw.bytes, token->raw.count);
    return token->raw.count;
}

bool css_plain(text value, arena *arena, text *plain)
{
    char open[CSS_DEEPEST_NEST];
    size_t depth = 0, count = 0;
    /* Only the last token can end with a lone backslash. So all tokens together stay within the bound for the whole
     * value. */
    char *out = arena_alloc(arena, CSS_DECODED_MOST(value.count) + CSS_DEEPEST_NEST, 1);
    if (!out)
        return false;
    for (css_token token = css_token_next(&value); token.kind != CSS_END; token = css_token_next(&value)) {
        count += write_plain(&token, out + count);
        if (token.kind == CSS_URL && out[count - 1] != ')')
            out[count++] = ')'; /* this is the last token */
        else if ((token.kind == CSS_FUNCTION || token.kind == CSS_OPEN) && depth < CSS_DEEPEST_NEST - 1)
            open[depth++] = closing(token.raw.bytes[token.raw.count - 1]);
        else if (token.kind == CSS_CLOSE && depth && token.raw.bytes[0] == open[depth - 1])
            depth--;
    }
    while (depth)
        out[count++] = open[--depth];
    *plain = (text){out, count};
    return true;
}

static bool mentions_variable(text value)
{
    for (size_t i = 0; i + 4 <= value.count; i++)
        if (text_equal_ignoring_case((text){value.bytes + i, 4}, TEXT("var(")))
            return true;
    return false;
}

bool css_has_variable(text value)
{
    if (!mentions_variable(value))
        return false;
    for (css_token token = css_token_next(&value); token.kind != CSS_END; token = css_token_next(&value))
        if (token.kind == CSS_FUNCTION && text_equal_ignoring_case(token.value, TEXT("var")))
            return true;
    return false;
}

text css_take_word(text *rest)
{
    size_t length = 0, depth = 0;
    for (; length < rest->count && (depth || !text_is_space(rest->bytes[length])); length++) {
        depth += rest->bytes[length] == '(';
        depth -= rest->bytes[length] == ')' && depth;
    }
    text word = {rest->bytes, length};
    *rest = text_trim(text_from(rest->bytes + length, rest->bytes + rest->count));
    return word;
}

text css_take_part(text *rest)
{
    const char *begin = rest->bytes, *end;
    css_token token;
    do {
        end = rest->bytes;
        token = css_token_next(rest);
        if (token.kind == CSS_OPEN || token.kind == CSS_FUNCTION)
            css_token_skip_block(rest, token.kind == CSS_OPEN ? token.raw.bytes[0] : '(');
    } while (token.kind != CSS_END && token.kind != CSS_COMMA);
    return text_from(begin, end);
}
