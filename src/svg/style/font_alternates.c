/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "svg/style/font_alternates.h"

#include <stdio.h>
#include <string.h>

#include "svg/css/css_token.h"
#include "svg/style/family_names.h"
#include "svg/style/value.h"

#define MOST_VALUE 6553u /* of a feature, without its last digit */
#define MOST_NUMBER 99u  /* of a feature whose tag has two digits */

/* The functions of font-variant-alternates; rules have the same names. */
static const struct {
    text name;
    const char *features; /* tags; NULL: the numbers are part of them */
    const char *prefix;   /* their first two letters then */
} functions[] = {
    {TEXT_LITERAL("stylistic"), "salt", NULL}, {TEXT_LITERAL("swash"), "swshcswh", NULL},
    {TEXT_LITERAL("ornaments"), "ornm", NULL}, {TEXT_LITERAL("annotation"), "nalt", NULL},
    {TEXT_LITERAL("styleset"), NULL, "ss"},    {TEXT_LITERAL("character-variant"), NULL, "cv"},
};
#define FUNCTION_COUNT (sizeof functions / sizeof functions[0])

static size_t find_function(text name)
{
    size_t i = 0;
    while (i < FUNCTION_COUNT && !text_equal_ignoring_case(name, functions[i].name))
        i++;
    return i;
}

bool svg_font_alternates_is(text word)
{
    const css_token token = css_token_next(&word);
    return (token.kind == CSS_IDENT && text_equal_ignoring_case(token.value, TEXT("historical-forms"))) ||
           (token.kind == CSS_FUNCTION && find_function(token.value) < FUNCTION_COUNT);
}

svg_parsed svg_parse_font_alternates(svg_document *document, text value, svg_declaration *declaration)
{
    text rest = value;
    declaration->form = SVG_FORM_KEYWORD;
    if (text_equal_ignoring_case(value, TEXT("normal")))
        return SVG_PARSED_GOOD;
    if (value.count == 0)
        return SVG_PARSED_BAD;
    while (rest.count)
        if (!svg_font_alternates_is(css_take_word(&rest)))
            return SVG_PARSED_BAD;
    return svg_parse_string(document, value, declaration);
}

/* ---- Rules ---- */

/* The kinds of names are the functions. */
static char kind_of(size_t function)
{
    return (char)('a' + (int)function);
}

/* Takes a declaration `name: 1 2` for each family of a list. */
static bool take_name(svg_document *document, size_t function, text families, text name, text numbers)
{
    text *kept = arena_alloc(&document->arena, sizeof *kept, _Alignof(text));
    const char *copy = arena_copy(&document->arena, numbers.bytes, numbers.count);
    if (!kept || !copy)
        return false;
    *kept = (text){copy, numbers.count};
    return family_names_add(document, kind_of(function), families, name, kept);
}

static bool read_block(svg_document *document, size_t function, text families, text block)
{
    while (block.count) {
        const css_token name = css_token_next_part(&block), colon = css_token_next_part(&block);
        const char *begin = block.bytes;
        css_token token = colon;
        while (token.kind != CSS_SEMICOLON && token.kind != CSS_END)
            token = css_token_next(&block);
        const char *end = token.kind == CSS_END ? block.bytes + block.count : token.raw.bytes;
        if (name.kind == CSS_IDENT && colon.kind == CSS_COLON &&
            !take_name(document, function, families, name.value, text_trim(text_from(begin, end))))
            return false;
    }
    return true;
}

bool svg_font_alternates_read(svg_document *document, text families, text body)
{
    while (body.count) {
        const css_token at = css_token_next_part(&body);
        css_token token = at;
        while (!css_token_is(&token, '{') && token.kind != CSS_SEMICOLON && token.kind != CSS_END)
            token = css_token_next(&body);
        if (!css_token_is(&token, '{'))
            continue;
        const char *begin = body.bytes;
        const bool closed = css_token_skip_block(&body, '{');
        const char *end = body.bytes - (closed ? 1 : 0);
        const size_t function = at.kind == CSS_AT ? find_function(at.value) : FUNCTION_COUNT;
        if (function < FUNCTION_COUNT && !read_block(document, function, families, text_from(begin, end)))
            return false;
    }
    return true;
}

/* ---- Features ---- */

typedef struct lister {
    svg_feature_function *function;
    void *user;
} lister;

static uint32_t tag_of(const char *four)
{
    return (uint32_t)(uint8_t)four[0] << 24 | (uint32_t)(uint8_t)four[1] << 16 | (uint32_t)(uint8_t)four[2] << 8 |
           (uint8_t)four[3];
}

static void list_numbered(const lister *lister, const char *prefix, uint32_t number, uint32_t value)
{
    char tag[12];
    if (number == 0 || number > MOST_NUMBER)
        return;
    snprintf(tag, sizeof tag, "%s%02u", prefix, (unsigned)number);
    lister->function(lister->user, tag_of(tag), value);
}

static void list_value(const lister *lister, size_t function, text numbers)
{
    uint32_t number, second;
    const char *prefix = functions[function].prefix;
    if (!family_number_take(&numbers, MOST_VALUE, &number))
        return;
    if (!prefix) {
        for (const char *tag = functions[function].features; *tag; tag += 4)
            lister->function(lister->user, tag_of(tag), number);
    } else if (prefix[0] == 'c') { /* a second number chooses one of several */
        list_numbered(lister, prefix, number, family_number_take(&numbers, MOST_VALUE, &second) ? second : 1);
    } else {
        do
            list_numbered(lister, prefix, number, 1);
        while (family_number_take(&numbers, MOST_VALUE, &number));
    }
}

void svg_font_alternates_list(const svg_document *document, text value, const char *const *families,
                              size_t family_count, svg_feature_function *function, void *user)
{
    const lister lister = {function, user};
    while (value.count) {
        text word = css_take_word(&value);
        css_token token = css_token_next(&word);
        if (token.kind == CSS_IDENT && text_equal_ignoring_case(token.value, TEXT("historical-forms")))
            function(user, tag_of("hist"), 1);
        const size_t which = token.kind == CSS_FUNCTION ? find_function(token.value) : FUNCTION_COUNT;
        while (which < FUNCTION_COUNT && token.kind != CSS_END) {
            token = css_token_next_part(&word);
            const text *found = token.kind == CSS_IDENT
                                    ? family_names_find(document, kind_of(which), families, family_count, token.value)
                                    : NULL;
            if (found)
                list_value(&lister, which, *found);
        }
    }
}
