/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "svg/style/font_alternates.h"

#include <stdio.h>
#include <string.h>

#include "svg/css/css_family.h"
#include "svg/css/css_token.h"
#include "svg/style/family_key.h"
#include "svg/style/value.h"

#define MOST_NUMBER 99u /* of a feature whose tag has two digits */

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

static size_t write_key(size_t function, const char *family, text name, char key[FAMILY_KEY_BYTES])
{
    return family_key_write((char)('a' + (int)function), family, name, key);
}

static const svg_feature_value *find_value(const svg_document *document, text key)
{
    const svg_feature_value *found = NULL;
    const uint64_t hash = hash_bytes(key.bytes, key.count);
    for (hash_walk walk = hash_find(&document->feature_value_table, hash); hash_found(&walk); hash_next(&walk))
        if (text_equal(document->feature_values.items[walk.value].key, key))
            found = &document->feature_values.items[walk.value]; /* the last one counts */
    return found;
}

static bool add_value(svg_document *document, text key, text numbers)
{
    const char *key_copy = arena_copy(&document->arena, key.bytes, key.count);
    const char *copy = arena_copy(&document->arena, numbers.bytes, numbers.count);
    if (!key_copy || !copy || !array_reserve(&document->feature_values, 1) ||
        !hash_insert(&document->feature_value_table, hash_bytes(key.bytes, key.count),
                     (uint32_t)document->feature_values.count))
        return false;
    *array_push(&document->feature_values) = (svg_feature_value){{key_copy, key.count}, {copy, numbers.count}};
    return true;
}

/* Takes a declaration `name: 1 2` for each family of a list. */
static bool take_name(svg_document *document, size_t function, text families, text name, text numbers)
{
    while (families.count) {
        char key[FAMILY_KEY_BYTES];
        const char *family = css_family_read(text_trim(css_take_part(&families)), &document->arena);
        if (!family)
            return false;
        const size_t count = write_key(function, family, name, key);
        if (count && !svg_budget_charge(document->budget, SVG_LIMIT_rules, 1))
            return true;
        if (count && !add_value(document, (text){key, count}, numbers))
            return false;
    }
    return true;
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

/* Reads a whole number below 65,536. */
static bool take_number(text *rest, uint32_t *number)
{
    const css_token token = css_token_next_part(rest);
    *number = 0;
    for (size_t i = 0; token.kind == CSS_NUMBER && i < token.raw.count; i++) {
        const char c = token.raw.bytes[i];
        if (c < '0' || c > '9' || *number > 6553)
            return false;
        *number = 10 * *number + (uint32_t)(c - '0');
    }
    return token.kind == CSS_NUMBER;
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
    if (!take_number(&numbers, &number))
        return;
    if (!prefix) {
        for (const char *tag = functions[function].features; *tag; tag += 4)
            lister->function(lister->user, tag_of(tag), number);
    } else if (prefix[0] == 'c') { /* a second number chooses one of several */
        list_numbered(lister, prefix, number, take_number(&numbers, &second) ? second : 1);
    } else {
        do
            list_numbered(lister, prefix, number, 1);
        while (take_number(&numbers, &number));
    }
}

static const svg_feature_value *find_name(const svg_document *document, size_t function, const char *const *families,
                                          size_t family_count, text name)
{
    const svg_feature_value *found = NULL;
    for (size_t i = 0; i < family_count && !found; i++) {
        char key[FAMILY_KEY_BYTES];
        const size_t count = write_key(function, families[i], name, key);
        found = count ? find_value(document, (text){key, count}) : NULL;
    }
    return found;
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
            const svg_feature_value *found =
                token.kind == CSS_IDENT ? find_name(document, which, families, family_count, token.value) : NULL;
            if (found)
                list_value(&lister, which, found->numbers);
        }
    }
}
