/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Broken, hostile and huge documents. Each ends soon, with a picture or with one clear error that names its line. Some
 * faults are forgiven. */
#include "svg/xml/builder.h"

static void test_not_svg(void **state)
{
    (void)state;
    FAILS("", 0, "empty");
    FAILS(" \n\t ", 0, "empty");
    FAILS("\xef\xbb\xbf", 0, "empty");
    FAILS("hello", 1, "malformed XML");
    FAILS("\n\n<page/>", 3, "<page>");
    FAILS("\n\n<html/>", 0, "not an SVG but HTML");
    FAILS("\xef\xbb\xbf\n<!DOCTYPE html><p>", 0, "not an SVG but HTML");
    FAILS("<svg xmlns='http://www.w3.org/1999/xhtml'/>", 1, "name space http://www.w3.org/1999/xhtml, not of SVG's");
    FAILS("<x:svg/>", 1, "<x:svg>, whose prefix is not declared");
    FAILS(SVG_OPEN "\n<g>\0</g></svg>", 2, "malformed XML");
    FAILS("\0\0\0\0\0\0", 1, "malformed XML");
    FAILS(SVG_OPEN "\n<text>\xff\xfe</text></svg>", 2, "UTF-8), at byte 0xFF");
    FAILS(SVG_OPEN "\n<text>a & b</text></svg>", 2, "at \"&\"");
}

static void test_truncated(void **state)
{
    (void)state;
    FAILS(SVG_OPEN "\n<g>\n", 2, "begins in line 2");
    FAILS(SVG_OPEN "\n<g width='5", 2, "malformed XML");
    FAILS(SVG_OPEN "\n</g></svg>", 2, "mismatched end tag: what begins in line 1");
    FAILS(SVG_OPEN "</svg>\n<svg/>", 2, "junk after document element at \"<svg\"");
    FAILS(SVG_OPEN "<g id='a' id='b'/></svg>", 1, "duplicate attribute at \"id\"");
    const char *document = SVG_OPEN "<g><rect width='1' height='1' fill='url(#a) red'/></g></svg>";
    for (size_t count = 1; count < strlen(document); count++)
        assert_fails(document, count, 1, "");
}

static void test_sizes(void **state)
{
    (void)state;
    FAILS("<svg width='0' height='5'/>", 1, "nothing to draw");
    FAILS("\n<svg width='1e300' height='1e308in'/>", 2, "nothing to draw");
}

static void test_forgiven(void **state)
{
    (void)state;
    const char *rect = "fill nonzero #000000 [] M0 0L1 0L1 1L0 1Z\n";
    assert_document("\xef\xbb\xbf \n<?xml version='1.0'?>" SVG_OPEN SHAPE "</svg>\n", rect);
    assert_document("<svg>" SHAPE "</svg>", rect);
    assert_document(
        "<svg><defs><rect id='a' width='1' height='1'/></defs><use xlink:href='#a' inkscape:label='x'/><sodipodi:view/></svg>",
        rect);
    assert_document(
        "<!DOCTYPE svg PUBLIC '-//W3C//DTD SVG 1.1//EN' 'http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd'><svg>" SHAPE
        "</svg>",
        rect);
    assert_document(
        "<s:svg xmlns:s='http://www.w3.org/2000/svg'><s:rect width='1' height='1'/><rect width='2' height='2'/></s:svg>",
        "fill nonzero #000000 [] M0 0L1 0L1 1L0 1Z\nfill nonzero #000000 [] M0 0L2 0L2 2L0 2Z\n");
    assert_document("<svg><a title='a>b'>" SHAPE "</a><!-- <rect> --><![CDATA[<rect>]]></svg>", rect);
}

static void test_name_spaces(void **state)
{
    (void)state;
    const char *rect = "fill nonzero #000000 [] M0 0L1 0L1 1L0 1Z\n",
               *link = "<defs><rect id='a' width='1' height='1'/></defs>";
    char document[1000];
    static const char *const drawn[] = {
        "<q:use xmlns:q='http://www.w3.org/2000/svg' href='#a'/>",
        "<use xmlns:q='http://www.w3.org/1999/xlink' q:href='#a'/>",
        "<g xmlns:xlink='urn:other'><g/></g><use xlink:href='#a'/>",
        "<g xmlns:xlink='urn:other'><g xmlns:xlink='http://www.w3.org/1999/xlink'><use xlink:href='#a'/></g><use xlink:href='#a'/></g>",
        "<x xmlns='urn:other'><use href='#a'/></x><use href='#a'/>",
        "<g xmlns=''><use href='#a'/></g>",
        "<g xmlns:svg=''><svg:use href='#a'/></g>",
        "<a:b:use xmlns:a='http://www.w3.org/2000/svg' href='#a'/><use href='#a' :href='#b' href:='#b'/>",
    };
    for (size_t i = 0; i < sizeof drawn / sizeof drawn[0]; i++) {
        snprintf(document, sizeof document, SVG_OPEN "%s%s</svg>", link, drawn[i]);
        assert_document(document, rect);
    }
    assert_document("<!DOCTYPE svg [<!ATTLIST svg xmlns CDATA #FIXED 'http://www.w3.org/2000/svg' xmlns:s CDATA #FIXED "
                    "'http://www.w3.org/2000/svg'>]><svg><s:rect width='1' height='1'/></svg>",
                    rect);
}

static void add_use_bomb(builder *builder, const char *seed, int levels)
{
    add(builder, "%s<defs><g id='a0'>%s</g>\n", SVG_OPEN, seed);
    for (int i = 1; i <= levels; i++) {
        add(builder, "<g id='a%d'>", i);
        for (int j = 0; j < 10; j++)
            add(builder, "<use href='#a%d'/>", i - 1);
        add(builder, "</g>\n");
    }
    add(builder, "</defs><use href='#a%d'/></svg>", levels);
}

static void test_use_bombs(void **state)
{
    (void)state;
    builder bomb = {0}, empty = {0}, small = {0};
    if (!few_cases()) {
        add_use_bomb(&bomb, SHAPE, 10);
        assert_builder_fails(&bomb, 2, "more than 3000000 steps of reading and drawing");
    }
    add_use_bomb(&empty, "", 10);
    pietra_svg_options options = {.limits = {.steps = 100}};
    pietra_error error;
    pietra_scene scene = {.silent = true};
    double width, height;
    assert_int_equal(pietra_scene_load_svg(&scene, empty.bytes, empty.count, &options, &error, &width, &height),
                     PIETRA_ERROR_INPUT);
    assert_non_null(strstr(error.message, "more than 100 steps"));
    free(empty.bytes);
    add_use_bomb(&small, SHAPE, 4);
    assert_calls(&small, 10000);
}

/* Visiting a long path takes as long as visiting many short ones. */
static void test_long_path_bombs(void **state)
{
    (void)state;
    builder bomb = {0};
    add(&bomb, "%s<path id='p' d='M0 0", SVG_OPEN);
    add_times(&bomb, "h1v1", 50000);
    add(&bomb, "'/>\n<g id='g'>");
    add_times(&bomb, "<use href='#p'/>", 100);
    add(&bomb, "</g>");
    add_times(&bomb, "<use href='#g'/>", 200);
    add(&bomb, "</svg>");
    assert_bomb_fails(&bomb, 1);
}

static void test_clip_and_gradient_bombs(void **state)
{
    (void)state;
    builder clips = {0}, chain = {0};
    add(&clips, "%s<clipPath id='a0'>" SHAPE "</clipPath>", SVG_OPEN);
    for (int i = 1; i < 11; i++) {
        add(&clips, "<clipPath id='a%d'>", i);
        for (int j = 0; j < 10; j++)
            add(&clips, "<rect width='9' height='9' clip-path='url(#a%d)'/>", i - 1);
        add(&clips, "</clipPath>");
    }
    add(&clips, "<rect width='5' height='5' clip-path='url(#a10)'/></svg>");
    assert_bomb_fails(&clips, 1);
    add(&chain, "%s<linearGradient id='a0'/>", SVG_OPEN);
    for (int i = 1; i < 20000; i++)
        add(&chain, "<linearGradient id='a%d' href='#a%d'/><rect width='9' height='9' fill='url(#a%d)'/>", i, i - 1, i);
    add(&chain, "</svg>");
    assert_bomb_fails(&chain, 1);
}

static void test_deep_nests(void **state)
{
    (void)state;
    const size_t depth = few_cases() ? 50000 : 200000;
    builder plain = {0}, styled = {0}, uses = {0}, clipped = {0}, clip_chain = {0};
    add(&plain, SVG_OPEN);
    add_times(&plain, "<g>", depth);
    add(&plain, SHAPE);
    add_times(&plain, "</g>", depth);
    add(&plain, "</svg>");
    assert_calls(&plain, 1);
    add(&styled, SVG_OPEN);
    add_times(&styled, "<g fill='red' transform='rotate(1)'>", depth);
    add(&styled, SHAPE);
    add_times(&styled, "</g>", depth);
    add(&styled, "</svg>");
    assert_calls(&styled, 1);
    add(&uses, SVG_OPEN "<g id='a'/>");
    add_times(&uses, "<g><use href='#a'/>", depth);
    add(&uses, SHAPE);
    add_times(&uses, "</g>", depth);
    add(&uses, "</svg>");
    assert_calls(&uses, 1);
    add(&clipped, SVG_OPEN "<clipPath id='c'><circle r='9'/></clipPath>");
    add_times(&clipped, "<g clip-path='url(#c)'>", 60000);
    add(&clipped, SHAPE);
    add_times(&clipped, "</g>", 60000);
    add(&clipped, "</svg>");
    assert_calls(&clipped, 120001);
    add(&clip_chain, SVG_OPEN "<clipPath id='a0'><circle r='9'/></clipPath>");
    for (int i = 1; i < 20000; i++)
        add(&clip_chain, "<clipPath id='a%d' clip-path='url(#a%d)'><circle r='9'/></clipPath>", i, i - 1);
    add(&clip_chain, "<g clip-path='url(#a19999)'>" SHAPE "</g></svg>");
    assert_calls(&clip_chain, 40001);
}

static void test_long_attributes(void **state)
{
    (void)state;
    builder path = {0}, id = {0}, style = {0}, transform = {0};
    add(&path, SVG_OPEN "<path d='M0 0");
    add_times(&path, "L10 10", 2700000);
    add(&path, "'/></svg>");
    assert_calls(&path, 1);
    add(&id, SVG_OPEN "<g id='");
    add_times(&id, "0123456789abcdef", 1000000);
    add(&id, "'>" SHAPE "</g></svg>");
    assert_calls(&id, 1);
    add(&style, SVG_OPEN "<rect width='1' height='1' style='");
    add_times(&style, "fill:red;", 1700000);
    add(&style, "'/></svg>");
    assert_calls(&style, 1);
    add(&transform, SVG_OPEN "<rect width='1' height='1' transform='");
    add_times(&transform, "scale(1)", 2000000);
    add(&transform, "'/></svg>");
    assert_calls(&transform, 1);
}

static void test_crowded_tags(void **state)
{
    (void)state;
    builder attributes = {0}, spaces = {0}, defaults = {0};
    add(&attributes, SVG_OPEN "\n<g");
    for (int i = 0; i < 100000; i++)
        add(&attributes, " a%d=''", i);
    add(&attributes, "/></svg>");
    assert_builder_fails(&attributes, 2, "attributes");
    add(&spaces, SVG_OPEN);
    for (int i = 0; i < 50000; i++)
        add(&spaces, "<g xmlns:a%d='urn:%d'>", i, i);
    add_times(&spaces, "</g>", 50000);
    add(&spaces, "</svg>");
    assert_builder_fails(&spaces, 1, "name spaces");
    add(&defaults, "<!DOCTYPE svg [<!ATTLIST g");
    for (int i = 0; i < 3000; i++)
        add(&defaults, " a%d CDATA 'x'", i);
    add(&defaults, ">]>" SVG_OPEN);
    add_times(&defaults, "<g/>", 200000);
    add(&defaults, "</svg>");
    builder declared = {0};
    add(&declared, "<!DOCTYPE svg [\n<!ATTLIST g");
    for (int i = 0; i < 50000; i++)
        add(&declared, " a%d CDATA 'x'", i);
    add(&declared, ">]>" SVG_OPEN "<g/></svg>");
    assert_builder_fails(&declared, 2, "attributes of one element");
    assert_builder_fails(&defaults, 1, "default values");
}

/* A number that overflows spoils its own attribute, its element, or the rest of its path. */
static void test_numbers(void **state)
{
    (void)state;
    assert_content("<rect width='NaN' height='inf'/><rect width='1e999' height='1'/><circle r='1e308' cx='1e308'/>",
                   "");
    assert_content("<g transform='scale(1e200)'><g transform='scale(1e200)'>" SHAPE "</g></g>", "");
    assert_content("<path d='M0 0L1e999 0L1 1'/>", "");
    assert_content("<rect x='1e9' width='1e38' height='1'/>",
                   "fill nonzero #000000 [] M1e+09 0L1e+38 0L1e+38 1L1e+09 1Z\n");
    assert_content("<line x2='1e9' stroke='red' stroke-dasharray='1e-4'/>",
                   "stroke 1 butt miter 4 (0.0001) 0 #ff0000 [] M0 0L1e+09 0\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_not_svg),         cmocka_unit_test(test_truncated),
        cmocka_unit_test(test_sizes),           cmocka_unit_test(test_forgiven),
        cmocka_unit_test(test_name_spaces),     cmocka_unit_test(test_use_bombs),
        cmocka_unit_test(test_long_path_bombs), cmocka_unit_test(test_clip_and_gradient_bombs),
        cmocka_unit_test(test_deep_nests),      cmocka_unit_test(test_long_attributes),
        cmocka_unit_test(test_crowded_tags),    cmocka_unit_test(test_numbers),
    };
    return cmocka_run_group_tests_name("svg bad input", tests, NULL, NULL);
}
