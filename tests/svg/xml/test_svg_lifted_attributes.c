/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Path data that is lifted out of a document before it is parsed as XML gives the same scene, the same errors and the
 * same lines. With a DTD's internal subset nothing is lifted, so each document is read twice, once behind an empty
 * one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pietra/pietra.h"
#include "svg/xml/lifted_attributes.h"

#define SUBSET "<!DOCTYPE svg []>"
#define LONG_DATA "M10 10L20.5 10 20.5 30Q40 40 50-5C1 2 3 4 5 6zM-7.25.5h3v-3A5 3 0 1 0 9 9L.5.5-1e1 3"
#define FILLER "<g><rect width='3' height='4' fill='#123456'/></g>\n"

typedef struct outcome {
    pietra_result result;
    pietra_error error;
    pietra_stream *stream;
    char warnings[2000];
    atomic_size_t discarded; /* in bytes */
} outcome;

static void note_warning(void *user, uint32_t line, const char *message)
{
    outcome *o = user;
    size_t count = strlen(o->warnings);
    snprintf(o->warnings + count, sizeof o->warnings - count, "%u: %s\n", line, message);
}

/* Content that may be given up is not used any more. */
static void spoil(void *user, const void *bytes, size_t count)
{
    outcome *o = user;
    memset((char *)bytes, '#', count);
    atomic_fetch_add(&o->discarded, count);
}

static outcome read_document(const char *document, size_t count, uint32_t threads)
{
    outcome o = {0};
    pietra_svg_options options = {
        .threads = threads, .warning = note_warning, .warning_user = &o, .discard = spoil, .release_user = &o};
    pietra_scene *scene = pietra_scene_create();
    char *bytes = malloc(count);
    assert_non_null(bytes);
    memcpy(bytes, document, count);
    double width, height;
    o.result = pietra_scene_load_svg(scene, bytes, count, &options, &o.error, &width, &height);
    if (o.result == PIETRA_OK)
        assert_int_equal(pietra_stream_encode(scene, NULL, &o.stream), PIETRA_OK);
    pietra_scene_destroy(scene);
    free(bytes);
    return o;
}

static void assert_same_outcome(const char *content, const outcome *a, const outcome *b)
{
    size_t a_count, b_count;
    if (a->result != b->result || a->error.line != b->error.line || strcmp(a->error.message, b->error.message) != 0)
        fail_msg("%.3000s\ngave %u: %s\nand %u: %s", content, a->error.line, a->error.message, b->error.line,
                 b->error.message);
    assert_string_equal(a->warnings, b->warnings);
    if (a->result != PIETRA_OK)
        return;
    const void *a_bytes = pietra_stream_bytes(a->stream, &a_count), *b_bytes = pietra_stream_bytes(b->stream, &b_count);
    if (a_count != b_count || memcmp(a_bytes, b_bytes, a_count) != 0)
        fail_msg("%.3000s\ngave two scenes", content);
}

/* Reads content inside an svg element, repeated until it is large enough. */
static void check(const char *content, size_t times, bool lifts)
{
    const char *open =
        "<svg xmlns='http://www.w3.org/2000/svg' xmlns:s='http://www.w3.org/2000/svg' xmlns:x='urn:x' width='99' height='99'>\n";
    size_t capacity = strlen(SUBSET) + strlen(open) + strlen(content) * times +
                      40 * strlen("<path d='" LONG_DATA LONG_DATA "'/>") * 8 + 100;
    char *bytes = malloc(capacity), *at = bytes + sprintf(bytes, SUBSET "%s", open);
    for (size_t i = 0; i < 320; i++)
        at += sprintf(at, "<path d='" LONG_DATA LONG_DATA "'/>");
    for (size_t i = 0; i < times; i++)
        at += sprintf(at, "%s", content);
    at += sprintf(at, "</svg>");
    const char *plain = bytes + strlen(SUBSET);
    svg_lifted_attributes table = {0};
    assert_true(svg_lifted_take(&table, text_from(bytes, at)) && !table.rest);
    svg_lifted_free(&table);
    table = (svg_lifted_attributes){0};
    assert_true(svg_lifted_take(&table, text_from(plain, at)) && table.rest);
    assert_int_equal(table.values.count, 320 + (lifts ? times : 0));
    size_t lift_bytes = table.value_bytes;
    svg_lifted_free(&table);
    outcome whole = read_document(bytes, (size_t)(at - bytes), 1);
    for (uint32_t threads = 1; threads < 6; threads += 2) {
        outcome lifted = read_document(plain, (size_t)(at - plain), threads);
        assert_same_outcome(content, &whole, &lifted);
        assert_true(whole.discarded == 0 && (whole.result != PIETRA_OK || lifted.discarded >= lift_bytes));
        pietra_stream_destroy(lifted.stream);
    }
    pietra_stream_destroy(whole.stream);
    free(bytes);
}

static void test_what_is_lifted(void **state)
{
    (void)state;
    check("<path d='" LONG_DATA "' fill='red'/>", 5, true);
    check("<path fill=\"red\" d = \n\"" LONG_DATA "\"></path>", 1, true);
    check("<path d='" LONG_DATA "\n" LONG_DATA "\r\n" LONG_DATA "\t'\n\n/>\n<unknown/>", 1, true);
    check("<polygon points='1 2 3 4,5 6,7,8,9,10,11,12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29'/>", 1, true);
    check(
        "<polyline points='1 2 3 4,5 6,7,8,9,10,11,12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29' stroke='red'/>",
        1, true);
    check("<s:path d='" LONG_DATA "'/>", 1, true);
    check("<x:path d='" LONG_DATA "'/><path d='M0 0H5V5'/>", 1, true);
    check("<path d='" LONG_DATA " & no more'/>", 1, false);
    check("<path d='" LONG_DATA " this is an error'/>", 1, true);
    check("<path d='this is nothing, and rather a lot of it, so that it is lifted too'/>", 1, true);
    check("<path title='>' d='" LONG_DATA "' x='/>'/>", 1, true);
    check("<defs><path id='a' d='" LONG_DATA "'/></defs><use href='#a' x='5'/><use href='#a' fill='blue'/>", 3, true);
    check("<path d='" LONG_DATA "'/>", 9000, true);
    check("<rect width='5' height = \"7\"\n\n fill='red'\t><title>a</title></rect>\n<unknown a=''/>\n<b/>", 5, false);
    check("<y:path xmlns:y='http://www.w3.org/2000/svg' d='" LONG_DATA
          "'><y:g xmlns:y='urn:y'/></y:path><y:path d='M0 0H9V9'/>",
          2, true);
    check("<g\n\n style='fill:#00ff00' id='g' title='>'\n/><use href='#g'\n x='5'></use ><circle r='3'\n/>\n<unknown/>",
          3, false);
}

static void test_what_stays(void **state)
{
    (void)state;
    check("<path d='" LONG_DATA "' id='\xc3\xa4'/>", 1, false);
    check("<path d='" LONG_DATA "' id='&lt;' class='a\nb'/>", 1, false);
    check("<path d='" LONG_DATA "' id='a\nb'/>", 1, false);
    check("<path\fd='" LONG_DATA "'/>", 1, false);
    check(
        "<path d='" LONG_DATA
        "' a1='' a2='' a3='' a4='' a5='' a6='' a7='' a8='' a9='' b1='' b2='' b3='' b4='' b5='' b6='' b7='' b8='' b9='' "
        "c1='' c2='' c3='' c4='' c5='' c6='' c7='' c8='' c9=''/>",
        1, false);
    check("<path points='" LONG_DATA "' d='M1 2H9V9'/>", 1, false);
    check("<rect d='" LONG_DATA "' width='5' height='5'/>", 1, false);
    check("<path x:d='" LONG_DATA "' d='M1 2H9V9'/>", 1, false);
    check("<!-- <path d='" LONG_DATA "'/> --><path d='M1 2H9V9'/>", 1, false);
    check("<!-- a > b \" ' --><path d='M1 2H9V9'/>", 1, false);
    check("<desc><![CDATA[<path d='" LONG_DATA "'/>]]></desc><path d='M1 2H9V9'/>", 1, false);
    check("<?pi <path d='" LONG_DATA "'/>?><path d='M1 2H9V9'/>", 1, false);
    check("<desc> d='" LONG_DATA "' </desc><path d='M1 2H9V9'/>", 1, false);
    check("<path d='" LONG_DATA " &#32; H9'/>", 1, false);
    check("<path d='" LONG_DATA " \xc3\xa4'/>", 1, false);
}

static void test_faults(void **state)
{
    (void)state;
    check("\n<path d='" LONG_DATA "' d=''/>", 1, false);
    check("\n<path d='" LONG_DATA "' d='" LONG_DATA "'/>", 1, false);
    check("\n<path d='" LONG_DATA " < '/>", 1, false);
    check("\n<path d='" LONG_DATA " \x01 '/>", 1, false);
    check("\n<path d='" LONG_DATA "\n'>", 1, true);
    check("\n<path d='" LONG_DATA "\n'/></g>", 1, true);
    check("\n<path d=" LONG_DATA "/>", 1, false);
    check("\n<path d='" LONG_DATA "/>", 1, false);
    check("\n<path d '" LONG_DATA "'/>", 1, false);
    check("\n<path\n d='" LONG_DATA "' fill/>", 1, false);
    check("\n<path d='" LONG_DATA "'fill='red'/>", 1, false);
    check("\n<!-- -- --><path d='" LONG_DATA "'/>", 1, true);
    check("\n< path d='" LONG_DATA "'/>", 1, false);
    check("\n<path/ d='" LONG_DATA "'/>", 1, false);
}

static void test_style_sheets(void **state)
{
    (void)state;
    check("<style>path[d] { fill: red } polygon { d: none }</style><path d='" LONG_DATA "'/>", 1, true);
    check("<\xc3\xa4:style xmlns:\xc3\xa4='http://www.w3.org/2000/svg'>path { fill: red }</\xc3\xa4:style>", 1, false);
    check("<x:style xmlns:x='http://www.w3.org/1999/xhtml'>path { fill: red }</x:style><path d='" LONG_DATA "'/>", 1,
          true);
    check("<path d='" LONG_DATA "'/><style>path[d^='M10 10L20.5'] { fill: red }</style>", 2000, true);
    check("<style>path[d^='M10 10L20.5'] { fill: red }</style>", 1, false);
}

/* The parser's tags are not where something was lifted. */
static void test_astray(void **state)
{
    (void)state;
    char document[40000], *at = document + sprintf(document, "<svg>");
    svg_lifted_attributes table = {0};
    const svg_lifted_tag *tag;
    for (int i = 0; i < 500; i++)
        at += sprintf(at, "<g a='12345678901234567890' b='1234567890123456789012345'/>");
    at += sprintf(at, "</svg>");
    assert_true(svg_lifted_take(&table, text_from(document, at)) && table.rest);
    size_t next = 0;
    assert_true(svg_lifted_next(&table, 0, 5, &next, &tag) && !tag && next == 0);
    assert_true(svg_lifted_next(&table, 5, 9, &next, &tag) && tag == &table.tags.items[0] && next == 1);
    assert_false(svg_lifted_next(&table, 5, 13, &next, &tag));
    next = 1;
    assert_false(svg_lifted_next(&table, 13, 17, &next, &tag));
    svg_lifted_free(&table);
}

static void free_document(void *user, const void *bytes)
{
    char **document = user;
    assert_ptr_equal(bytes, *document);
    memset(*document, 'x', strlen(*document));
    free(*document);
    *document = NULL;
}

/* The callee releases the bytes, so nothing of the scene may lie in them. */
static void test_release(void **state)
{
    (void)state;
    static const char *const documents[] = {
        "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><g id='g'><path id='p' fill='url(#a) red' d='M0 0H5V5'/></g>"
        "<linearGradient id='a'><stop stop-color='red'/></linearGradient><use href='#g' style='fill:blue'/></svg>",
        "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><style>path { fill: red }</style><path d='M0 0H5V5'/></svg>",
        "<svg broken",
        "not xml",
    };
    for (size_t i = 0; i < sizeof documents / sizeof documents[0]; i++) {
        char *document = malloc(strlen(documents[i]) + 1);
        assert_non_null(document);
        strcpy(document, documents[i]);
        pietra_scene *scene = pietra_scene_create();
        pietra_svg_options options = {.release = free_document, .release_user = &document};
        pietra_result result = pietra_scene_load_svg(scene, document, strlen(document), &options, NULL, NULL, NULL);
        assert_int_equal(result, i < 2 ? PIETRA_OK : PIETRA_ERROR_INPUT);
        assert_null(document);
        pietra_scene_destroy(scene);
    }
}

/* Bytes that are not read at all are released too. */
static void test_release_of_the_refused(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        char *document = calloc(1, 8);
        assert_non_null(document);
        pietra_scene *scene = pietra_scene_create();
        if (i == 1)
            assert_int_equal(pietra_scene_begin_group(scene, 0.5, NULL), PIETRA_OK);
        pietra_svg_options options = {.release = free_document, .release_user = &document, .dpi = i == 2 ? -1 : 0};
        assert_int_equal(pietra_scene_load_svg(i == 0 ? NULL : scene, document, 8, &options, NULL, NULL, NULL),
                         PIETRA_ERROR_INPUT);
        assert_null(document);
        pietra_scene_destroy(scene);
    }
}

/* Pieces of documents in random order. Most are not well-formed, and both ways of reading must agree on each. */
static void test_random_pieces(void **state)
{
    (void)state;
    static const char *const pieces[] = {
        "<path ",
        "<g>",
        "</g>",
        "<s:path ",
        "<polygon ",
        "d='" LONG_DATA "'",
        "d=\"" LONG_DATA "\"",
        "points='" LONG_DATA "'",
        " ",
        "\n",
        "/>",
        ">",
        "<!--",
        "-->",
        "<![CDATA[",
        "]]>",
        "'",
        "\"",
        "&amp;",
        "fill='red'",
        "</path>",
        "<?a",
        "?>",
        "<style>",
        "</style>",
        "=",
        "d=''",
        "<path d='" LONG_DATA "'/>",
        "<path d='" LONG_DATA "'/>",
        "<g>" FILLER "</g>",
        "<path d='" LONG_DATA "\n'>",
        "</path>",
    };
    uint32_t seed = 7;
    for (int round = 0; round < 3000; round++) {
        char bytes[40000],
            *at = bytes + sprintf(bytes, SUBSET
                                  "<svg xmlns='http://www.w3.org/2000/svg' xmlns:s='http://www.w3.org/2000/svg'>");
        for (size_t i = 0; i < 110; i++)
            at += sprintf(at, "<path d='" LONG_DATA LONG_DATA "'/>");
        for (int i = 0; i < 8; i++) {
            seed = seed * 1664525u + 1013904223u;
            at += sprintf(at, "%s", pieces[(uint64_t)seed * (sizeof pieces / sizeof pieces[0]) >> 32]);
        }
        at += sprintf(at, "</svg>");
        outcome whole = read_document(bytes, (size_t)(at - bytes), 1);
        outcome lifted = read_document(bytes + strlen(SUBSET), (size_t)(at - bytes) - strlen(SUBSET), 2);
        assert_same_outcome(bytes + strlen(bytes) - 500, &whole, &lifted);
        pietra_stream_destroy(whole.stream);
        pietra_stream_destroy(lifted.stream);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_lifted), cmocka_unit_test(test_what_stays),
        cmocka_unit_test(test_faults),         cmocka_unit_test(test_style_sheets),
        cmocka_unit_test(test_astray),         cmocka_unit_test(test_random_pieces),
        cmocka_unit_test(test_release),        cmocka_unit_test(test_release_of_the_refused),
    };
    return cmocka_run_group_tests_name("svg_lifted_attributes", tests, NULL, NULL);
}
