/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Decoders whose text can grow, each with its worst input. Their buffers have exactly the size that they ask for, so
 * under the address sanitizer one byte too many ends the test. Without it, counts are compared. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "svg/css/css_token.h"
#include "svg/style/declaration.h"
#include "svg/xml/reader.h"
#include "svg/style/reference.h"
#include "svg/xml/resource.h"

#define REPLACEMENT "\xef\xbf\xbd"

/* Arenas give a piece that is large enough a block of its own, of exactly its size. */
#define LARGE ((size_t)100000)

static char *repeat(const char *piece, size_t times)
{
    size_t length = strlen(piece);
    char *bytes = malloc(length * times + 1);
    assert_non_null(bytes);
    for (size_t i = 0; i < times; i++)
        memcpy(bytes + i * length, piece, length);
    bytes[length * times] = 0;
    return bytes;
}

static text text_of(const char *bytes)
{
    return (text){bytes, strlen(bytes)};
}

static void assert_repeats(text value, const char *piece, size_t times)
{
    char *expected = repeat(piece, times);
    assert_int_equal(value.count, strlen(expected));
    assert_memory_equal(value.bytes, expected, value.count);
    free(expected);
}

/* ---- Escapes of CSS ---- */

static size_t decode_exactly(text escaped)
{
    char *out = malloc(CSS_DECODED_MOST(escaped.count)), *in = malloc(escaped.count + !escaped.count);
    assert_true(out && in);
    if (escaped.count)
        memcpy(in, escaped.bytes, escaped.count);
    size_t count = css_decode((text){in, escaped.count}, out);
    free(out);
    free(in);
    return count;
}

/* All texts of up to six of the characters that make a difference: none exceeds the bound, and one reaches it. */
static void test_bound_of_escapes(void **state)
{
    (void)state;
    static const char characters[] = {'\\', '0', '8', 'f', 'x', ' ', '\n', '\r', '\xc3'};
    const size_t kinds = sizeof characters;
    size_t texts = 1;
    for (size_t length = 0; length <= 6; length++, texts *= kinds) {
        size_t most = 0;
        for (size_t number = 0; number < texts; number++) {
            char escaped[6];
            for (size_t i = 0, rest = number; i < length; i++, rest /= kinds)
                escaped[i] = characters[rest % kinds];
            size_t count = decode_exactly((text){escaped, length});
            most = count > most ? count : most;
        }
        assert_true(most <= CSS_DECODED_MOST(length));
        if (length)
            assert_int_equal(most, CSS_DECODED_MOST(length));
    }
}

static void test_escapes_of_tokens(void **state)
{
    (void)state;
    static const char *const ends[] = {"", "\\"};
    for (size_t i = 0; i < 2; i++) {
        char *zeros = repeat("\\0", LARGE), *name = malloc(2 * LARGE + 2);
        assert_non_null(name);
        snprintf(name, 2 * LARGE + 2, "%s%s", zeros, ends[i]);
        arena arena = {0};
        text rest = text_of(name), decoded;
        css_token token = css_token_next(&rest);
        assert_true(token.escaped && rest.count == 0);
        assert_true(css_token_decode(&token, &arena, &decoded));
        assert_repeats(decoded, REPLACEMENT, LARGE + i);
        arena_free(&arena);
        free(name);
        free(zeros);
    }
}

/* Names grow, and open brackets and urls are closed. */
static void test_plain_values(void **state)
{
    (void)state;
    char *zeros = repeat("\\0", LARGE), *brackets = repeat("(", 300), *value = malloc(2 * LARGE + 400);
    assert_non_null(value);
    static const char *const ends[] = {"", "\\", "url(", "url(a\\"};
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        arena arena = {0};
        text plain;
        snprintf(value, 2 * LARGE + 400, "%s %s%s", zeros, brackets, ends[i]);
        assert_true(css_plain(text_of(value), &arena, &plain));
        assert_repeats((text){plain.bytes, 3 * LARGE}, REPLACEMENT, LARGE);
        assert_true(plain.count > 3 * LARGE + 300 + strlen(ends[i]));
        assert_int_equal(plain.bytes[plain.count - 1], ')');
        arena_free(&arena);
    }
    free(value);
    free(brackets);
    free(zeros);
}

typedef struct heard {
    size_t count;
    char name[200];
} heard;

static bool hear(void *user, text name, text value, bool important)
{
    heard *heard = user;
    (void)important;
    assert_true(text_equal(value, TEXT("red")));
    assert_true(name.count < sizeof heard->name);
    memcpy(heard->name, name.bytes, name.count);
    heard->name[name.count] = 0;
    heard->count++;
    return true;
}

static void assert_name(const char *list, text expected)
{
    heard got = {0};
    assert_true(svg_declaration_list_walk(text_of(list), hear, &got));
    assert_int_equal(got.count, expected.count ? 1 : 0);
    assert_true(text_equal(text_of(got.name), expected));
}

/* The reader of declarations decodes names on the stack. At most 64 bytes become 97. */
static void test_names_of_declarations(void **state)
{
    (void)state;
    char *zeros = repeat("\\0", 32), *grown = repeat(REPLACEMENT, 32), list[100], expected[100];
    snprintf(list, sizeof list, "%s:red", zeros);
    assert_name(list, text_of(grown));
    snprintf(list, sizeof list, "%sX:red", zeros); /* too long */
    assert_name(list, TEXT(""));
    snprintf(list, sizeof list, "%.62sX\\:red", zeros);
    snprintf(expected, sizeof expected, "%.93sx" REPLACEMENT, grown);
    assert_int_equal(strlen(expected), CSS_DECODED_MOST(64));
    assert_name(list, text_of(expected));
    free(grown);
    free(zeros);
}

static void test_ids_in_urls(void **state)
{
    (void)state;
    static const char *const forms[] = {"url(#%s)", "url('#%s')", "url( #%s )"};
    char *zeros = repeat("\\0", LARGE), *value = malloc(2 * LARGE + 100);
    assert_non_null(value);
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        svg_document document = {.units = {.dpi = 96}};
        text id, rest;
        snprintf(value, 2 * LARGE + 100, forms[i], zeros);
        rest = text_of(value);
        assert_true(svg_reference_scan(&document, &rest, &id));
        assert_repeats(id, REPLACEMENT, LARGE);
        svg_document_free(&document);
    }
    free(value);
    free(zeros);
}

/* ---- Addresses ---- */

/* No address takes more bytes than before: what cannot be decoded stays as it is, or is left out. */
static void test_addresses(void **state)
{
    (void)state;
    static const char *const pieces[] = {"%", "%4", "%41", "%zz", "\xc3\xa9", "a"};
    static const size_t decoded[] = {1, 2, 1, 3, 2, 1};
    for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++) {
        char *source = repeat(pieces[i], LARGE), *exact = malloc(strlen(source));
        assert_non_null(exact);
        memcpy(exact, source, strlen(source));
        svg_bytes bytes = {0};
        assert_true(svg_resource_decode((text){exact, strlen(source)}, &bytes));
        assert_int_equal(bytes.count, decoded[i] * LARGE);
        assert_true(bytes.count <= bytes.capacity);
        array_free(&bytes);
        free(exact);
        free(source);
    }
}

static void test_base64(void **state)
{
    (void)state;
    static const size_t decoded[] = {0, 0, 1, 2, 3, 3, 4, 5, 6};
    for (size_t digits = 1; digits <= 8; digits++) {
        const char *kinds[] = {"%.*s", "%%2F%.*s", " \n%.*s=A"};
        for (size_t i = 0; i < 3; i++) {
            char data[40], format[40];
            svg_bytes bytes = {0};
            snprintf(format, sizeof format, "data:;base64,%s", kinds[i]);
            snprintf(data, sizeof data, format, (int)digits, "////////");
            assert_int_equal(svg_resource_fetch(text_of(data), NULL, NULL, &bytes), SVG_FETCHED);
            assert_int_equal(bytes.count, i == 1 ? (digits + 1) * 6 / 8 : decoded[digits]);
            array_free(&bytes);
        }
    }
}

/* ---- XML ---- */

/* Asserts that the document has an element whose id is the piece, repeated `times` times. */
static void assert_id(const void *bytes, size_t count, const char *piece, size_t times)
{
    const pietra_svg_limits standard = {0};
    svg_budget budget;
    char *exact = malloc(count), *id = repeat(piece, times);
    svg_document document = {.budget = &budget, .units = {.dpi = 96}};
    svg_warnings warnings = {0};
    pietra_error error = {0};
    const svg_read_options options = {.threads = 1};
    assert_non_null(exact);
    memcpy(exact, bytes, count);
    svg_budget_init(&budget, &standard);
    if (svg_read((text){exact, count}, &options, &warnings, &document, &error) != PIETRA_OK)
        fail_msg("line %u: %s", error.line, error.message);
    assert_int_equal(svg_document_find(&document, 0, text_of(id)), 1);
    svg_document_free(&document);
    free(exact);
    free(id);
}

#define OPEN "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'>"

static void assert_written_id(const char *head, const char *written, const char *piece, size_t times)
{
    char *id = repeat(written, times), *document = malloc(strlen(head) + strlen(id) + 200);
    assert_non_null(document);
    size_t count = (size_t)sprintf(document, "%s" OPEN "<g id='%s'/></svg>", head, id);
    assert_id(document, count, piece, times);
    free(document);
    free(id);
}

static void test_entities(void **state)
{
    (void)state;
    static const struct {
        const char *written, *piece;
    } entities[] = {{"&#0233;", "\xc3\xa9"},
                    {"&#xffFD;", REPLACEMENT},
                    {"&#x10FFFF;", "\xf4\x8f\xbf\xbf"},
                    {"&lt;", "<"},
                    {"&amp;", "&"}};
    for (size_t i = 0; i < sizeof entities / sizeof entities[0]; i++)
        assert_written_id("", entities[i].written, entities[i].piece, 30000);
    /* Three bytes become 120. */
    assert_written_id(
        "<!DOCTYPE svg [<!ENTITY a '0123456789012345678901234567890123456789'><!ENTITY b '&a;&a;&a;'>]>", "&b;",
        "012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789",
        3000);
}

/* Each byte of Latin-1 can become two. */
static void test_latin_1(void **state)
{
    (void)state;
    assert_written_id("<?xml version='1.0' encoding='ISO-8859-1'?>", "\xe9", "\xc3\xa9", LARGE);
    assert_written_id("<?xml version='1.0' encoding='windows-1252'?>", "\x80", "\xe2\x82\xac", LARGE);
}

/* Two bytes of UTF-16 become three. */
static void test_utf_16(void **state)
{
    (void)state;
    static const char begin[] = OPEN "<g id='", end[] = "'/></svg>";
    uint8_t *document = malloc(2 * (sizeof begin + sizeof end + LARGE));
    assert_non_null(document);
    for (int big = 0; big < 2; big++) {
        size_t count = 0;
        const size_t units = 1 + strlen(begin) + LARGE + strlen(end);
        for (size_t i = 0; i < units; i++) {
            unsigned unit = i == 0                       ? 0xfeff
                            : i <= strlen(begin)         ? (uint8_t)begin[i - 1]
                            : i <= strlen(begin) + LARGE ? 0xfffd
                                                         : (uint8_t)end[i - 1 - strlen(begin) - LARGE];
            document[count++] = (uint8_t)(big ? unit >> 8 : unit & 0xff);
            document[count++] = (uint8_t)(big ? unit & 0xff : unit >> 8);
        }
        assert_id(document, count, REPLACEMENT, LARGE);
    }
    free(document);
}

/* Path data that is lifted out of a document leaves its line ends behind, even if it consists of nothing else. */
static void test_lifted_line_ends(void **state)
{
    (void)state;
    char *ends = repeat("\n", LARGE), *document = malloc(LARGE + 400);
    assert_non_null(document);
    size_t count = (size_t)sprintf(document, OPEN "<g id='a'/><path d='%s'/></svg>", ends);
    assert_id(document, count, "a", 1);
    free(document);
    free(ends);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bound_of_escapes), cmocka_unit_test(test_escapes_of_tokens),
        cmocka_unit_test(test_plain_values),     cmocka_unit_test(test_names_of_declarations),
        cmocka_unit_test(test_ids_in_urls),      cmocka_unit_test(test_addresses),
        cmocka_unit_test(test_base64),           cmocka_unit_test(test_entities),
        cmocka_unit_test(test_latin_1),          cmocka_unit_test(test_utf_16),
        cmocka_unit_test(test_lifted_line_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
