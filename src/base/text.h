/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A stretch of text: a pointer to bytes that somebody else owns, and their count. No NUL ends it. Zero bytes are the
 * empty text. */
#ifndef PIETRA_BASE_TEXT_H
#define PIETRA_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

typedef struct text {
    const char *bytes;
    size_t count;
} text;

/* TEXT("literal") in an expression, TEXT_LITERAL("literal") in an initializer. */
#define TEXT_LITERAL(literal) \
    { \
        (literal), sizeof(literal) - 1 \
    }
#define TEXT(literal) ((text)TEXT_LITERAL(literal))
/* For printf("%.*s", TEXT_PRINT(t)): prints at most 80 bytes, in whole characters. */
#define TEXT_PRINT(t) text_print_count(t), (t).bytes

static inline bool text_equal(text a, text b)
{
    return a.count == b.count && (a.count == 0 || memcmp(a.bytes, b.bytes, a.count) == 0);
}

static inline text text_from(const char *begin, const char *end)
{
    return (text){begin, (size_t)(end - begin)};
}

static inline text text_of_string(const char *terminated)
{
    return (text){terminated, strlen(terminated)};
}

static inline bool text_is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
}

static inline char text_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

static inline bool text_is_letter(char c)
{
    return text_lower(c) >= 'a' && text_lower(c) <= 'z';
}

/* Returns where the white space at the beginning ends. */
static inline const char *text_skip_space(const char *at, const char *end)
{
    while (at < end && text_is_space(*at))
        at++;
    return at;
}

/* Returns how many bytes TEXT_PRINT prints. */
int text_print_count(text a);
/* Compares without regard to the case of ASCII letters. */
bool text_equal_ignoring_case(text a, text b);
bool text_starts_with(text a, text prefix);
/* Removes white space (blank, tab, line feed, carriage return, form feed) at both ends. */
text text_trim(text a);
/* Returns the offset of the first `c`, or a.count if there is none. */
size_t text_find(text a, char c);

/* Returns how often a character occurs in a text. */
static inline size_t text_count(text t, char wanted)
{
    size_t count = 0;
    for (size_t i = 0; i < t.count; i++)
        count += t.bytes[i] == wanted;
    return count;
}

#endif
