/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* clip-path: documents, and the calls that they must give. */
#include "svg/expect.h"

#define A "<rect width='1' height='1'/>"
#define B "<rect width='2' height='2'/>"
#define CLIPPED "<rect width='9' height='9' clip-path='url(#c)'/>"
#define PATH_A " [] M0 0L1 0L1 1L0 1Z\n"
#define PATH_B " [] M0 0L2 0L2 2L0 2Z\n"
#define PATH_9 " [] M0 0L9 0L9 9L0 9Z\n"
#define FILL "fill nonzero #000000"

static void test_one_path(void **state)
{
    (void)state;
    const char *expected = "begin_clip nonzero" PATH_A FILL PATH_9 "end_clip\n";
    assert_content("<clipPath id='c'>" A "</clipPath>" CLIPPED, expected);
    assert_content("<clipPath id='c'><title/>" A "<g>" B "</g></clipPath>" CLIPPED, expected);
    assert_content(
        "<defs><rect id='a' width='1' height='1'/></defs><clipPath id='c'><use href='#a'/></clipPath>" CLIPPED,
        expected);
    assert_content("<clipPath id='c' display='none'>" A "</clipPath>" CLIPPED, expected);
    assert_content("<clipPath id='c' clip-rule='evenodd'><g/>" A "</clipPath>" CLIPPED,
                   "begin_clip evenodd" PATH_A FILL PATH_9 "end_clip\n");
    assert_content(
        "<clipPath id='c' transform='translate(3,4)'>"
        "<rect width='1' height='1' transform='scale(2)' stroke='red' opacity='.1'/></clipPath><g transform='scale(3)'>" CLIPPED
        "</g>",
        "begin_clip nonzero [6 0 0 6 9 12] M0 0L1 0L1 1L0 1Z\nfill nonzero #000000 [3 0 0 3 0 0] M0 0L9 0L9 9L0 9Z\nend_clip\n");
    assert_content(
        "<defs><rect id='a' width='1' height='1' transform='scale(2)' clip-rule='nonzero'/></defs><clipPath id='c'>"
        "<use href='#a' x='5' transform='translate(1,2)' clip-rule='evenodd'/></clipPath>" CLIPPED,
        "begin_clip nonzero [2 0 0 2 6 2] M0 0L1 0L1 1L0 1Z\n" FILL PATH_9 "end_clip\n");
}

static void test_references(void **state)
{
    (void)state;
    assert_content(CLIPPED, FILL PATH_9);
    assert_content(CLIPPED "<defs><g id='c'>" A "</g></defs>", FILL PATH_9);
    assert_content(
        "<rect width='9' height='9' clip-path='url(x.svg#c)'/><rect width='9' height='9' clip-path='blob()'/>",
        FILL PATH_9 FILL PATH_9);
    assert_content(CLIPPED "<clipPath id='c'/>", "");
    assert_content(CLIPPED "<clipPath id='c'><g>" A "</g><text>x</text></clipPath>", "");
    assert_content(CLIPPED "<clipPath id='c' visibility='hidden'>" A "</clipPath>", "");
    assert_content(CLIPPED "<clipPath id='c'><rect width='1' height='1' display='none'/></clipPath>", "");
    assert_content(CLIPPED "<clipPath id='c'><rect width='1' height='0'/></clipPath>", "");
    assert_content(CLIPPED "<clipPath id='c' transform='scale(0)'>" A "</clipPath>", "");
    assert_content(CLIPPED "<clipPath id='c'><use href='#s'/></clipPath><symbol id='s'>" A "</symbol>", "");
    assert_content(CLIPPED "<clipPath id='c'><use href='#s'/></clipPath><defs><g id='s'>" A "</g></defs>", "");
}

#define CLIPPED_AT(position) "<rect width='9' height='9' clip-path='fill-box circle(1px at " position ")'/>"

static void assert_clipped_at(const char *content, double x, double y)
{
    const double k = 0.55228474983; /* where a quarter of the circle has its control points */
    char expected[500];
    snprintf(expected, sizeof expected,
             "begin_clip nonzero [] M%g %gC%g %g %g %g %g %gC%g %g %g %g %g %gC%g %g %g %g %g %gC%g %g %g %g %g %gZ\n"
             "%send_clip\n",
             x + 1, y, x + 1, y + k, x + k, y + 1, x, y + 1, x - k, y + 1, x - 1, y + k, x - 1, y, x - 1, y - k, x - k,
             y - 1, x, y - 1, x + k, y - 1, x + 1, y - k, x + 1, y, FILL PATH_9);
    assert_content(content, expected);
}

/* In a position of two words a length follows the first, the second, or both. */
static void test_positions(void **state)
{
    (void)state;
    assert_clipped_at(CLIPPED_AT("right bottom"), 9, 9);
    assert_clipped_at(CLIPPED_AT("right 2px bottom"), 7, 9);
    assert_clipped_at(CLIPPED_AT("right bottom 3px"), 9, 6);
    assert_clipped_at(CLIPPED_AT("bottom 3px right"), 9, 6);
    assert_clipped_at(CLIPPED_AT("right 2px bottom 3px"), 7, 6);
    assert_content(CLIPPED_AT("right 2px 3px bottom"), FILL PATH_9);
    assert_content(CLIPPED_AT("right bottom 2px 3px"), FILL PATH_9);
    assert_content(CLIPPED_AT("right 2px 3px"), FILL PATH_9);
}

static void test_several_children(void **state)
{
    (void)state;
    assert_content(
        "<clipPath id='c'>" A "<rect width='2' height='2' clip-rule='evenodd' fill='none'/></clipPath>" CLIPPED,
        "begin_clip_source\n" FILL PATH_A "fill evenodd #000000" PATH_B "end_clip_source\n" FILL PATH_9 "end_clip\n");
    assert_content("<clipPath id='c'>" A "<text/><g>" A "</g><use href='#u' x='5'/></clipPath>" CLIPPED
                   "<defs><rect id='u' width='2' height='2'/></defs>",
                   "begin_clip_source\n" FILL PATH_A FILL
                   " [1 0 0 1 5 0] M0 0L2 0L2 2L0 2Z\nend_clip_source\n" FILL PATH_9 "end_clip\n");
    assert_content("<clipPath id='c'>" A
                   "<rect width='2' height='2' visibility='hidden'/></clipPath><g clip-path='url(#c)'>" A B "</g>",
                   "begin_clip_source\n" FILL PATH_A "end_clip_source\n" FILL PATH_A FILL PATH_B "end_clip\n");
}

static void test_nested(void **state)
{
    (void)state;
    assert_content("<clipPath id='c' clip-path='url(#d)'>" A "</clipPath><clipPath id='d'>" B "</clipPath>" CLIPPED,
                   "begin_clip nonzero" PATH_A "begin_clip nonzero" PATH_B FILL PATH_9 "end_clip\nend_clip\n");
    assert_content("<clipPath id='c' clip-path='url(#d)'>" A "</clipPath><clipPath id='d'/>" CLIPPED,
                   "begin_clip nonzero" PATH_A "end_clip\n");
    assert_content("<clipPath id='c'><rect width='1' height='1' clip-path='url(#d)'/></clipPath><clipPath id='d'>" B
                   "</clipPath>" CLIPPED,
                   "begin_clip_source\nbegin_clip nonzero" PATH_B FILL PATH_A "end_clip\nend_clip_source\n" FILL PATH_9
                   "end_clip\n");
    assert_content("<clipPath id='c'>" A "</clipPath><g clip-path='url(#c)'>" CLIPPED "</g>",
                   "begin_clip nonzero" PATH_A "begin_clip nonzero" PATH_A FILL PATH_9 "end_clip\nend_clip\n");
}

static void test_loops(void **state)
{
    (void)state;
    /* The reference that closes the loop is an error: there is no clip. */
    assert_content("<clipPath id='c' clip-path='url(#c)'>" A "</clipPath>" CLIPPED,
                   "begin_clip nonzero" PATH_A FILL PATH_9 "end_clip\n");
    assert_content("<clipPath id='c' clip-path='url(#d)'>" A "</clipPath><clipPath id='d' clip-path='url(#c)'>" B
                   "</clipPath>" CLIPPED,
                   "begin_clip nonzero" PATH_A "begin_clip nonzero" PATH_B FILL PATH_9 "end_clip\nend_clip\n");
    assert_content("<clipPath id='c'><rect width='1' height='1' clip-path='url(#c)'/></clipPath>" CLIPPED,
                   "begin_clip nonzero" PATH_A FILL PATH_9 "end_clip\n");
    assert_content("<clipPath id='c'>" A "<rect width='1' height='1' clip-path='url(#d)'/></clipPath>"
                   "<clipPath id='d'>" B "<rect width='2' height='2' clip-path='url(#c)'/></clipPath>" CLIPPED CLIPPED,
                   "begin_clip_source\n" FILL PATH_A "begin_clip_source\n" FILL PATH_B FILL PATH_B
                   "end_clip_source\n" FILL PATH_A "end_clip\nend_clip_source\n" FILL PATH_9 "end_clip\n"
                   "begin_clip_source\n" FILL PATH_A "begin_clip_source\n" FILL PATH_B FILL PATH_B
                   "end_clip_source\n" FILL PATH_A "end_clip\nend_clip_source\n" FILL PATH_9 "end_clip\n");
}

#define OBJECT_UNITS "<clipPath id='c' clipPathUnits='objectBoundingBox'><rect width='1' height='.5'/></clipPath>"

static void test_object_units(void **state)
{
    (void)state;
    assert_content(OBJECT_UNITS "<rect x='10' y='20' width='30' height='40' clip-path='url(#c)' transform='scale(2)'/>",
                   "begin_clip nonzero [60 0 0 80 20 40] M0 0L1 0L1 0.5L0 0.5Z\n"
                   "fill nonzero #000000 [2 0 0 2 0 0] M10 20L40 20L40 60L10 60Z\nend_clip\n");
    assert_content(OBJECT_UNITS "<line x2='9' stroke='red' clip-path='url(#c)'/>", "");
    assert_content(OBJECT_UNITS "<g clip-path='url(#c)'/>", "");
    /* A group's box follows transforms and `use`. It leaves out what is not displayed, and includes what is hidden or
     * not painted. */
    assert_content(
        OBJECT_UNITS "<g clip-path='url(#c)'><rect x='10' width='10' height='10' fill='none'/>"
                     "<g transform='translate(0,50) scale(2)'><circle r='5' visibility='hidden'/></g>"
                     "<rect width='99' height='99' display='none'/><use href='#u' x='20'/></g>"
                     "<defs><path id='u' d='M0 0H10V10'/></defs>",
        "begin_clip nonzero [40 0 0 60 -10 0] M0 0L1 0L1 0.5L0 0.5Z\nfill nonzero #000000 [1 0 0 1 20 0] M0 0L10 0L10 10\nend_clip\n");
}

/* Under a rotation the box is that of the turned shapes, not of their turned boxes. */
static void test_object_units_exactly(void **state)
{
    (void)state;
    assert_content(
        OBJECT_UNITS "<g clip-path='url(#c)'><g transform='rotate(45)'><g transform='translate(1)'>"
                     "<path d='M-1 0L0 1L1 0L0 -1Z'/></g></g></g>",
        "begin_clip nonzero [1.41421 0 0 1.41421 0 0] M0 0L1 0L1 0.5L0 0.5Z\n"
        "fill nonzero #000000 [0.707107 0.707107 -0.707107 0.707107 0.707107 0.707107] M-1 0L0 1L1 0L0 -1Z\nend_clip\n");
}

/* Each group's box includes everything below it. If boxes were not kept, the work would grow with the square of the
 * depth. */
static void test_object_units_deep(void **state)
{
    (void)state;
    const size_t depth = 20000;
    static const char group[] = "<g clip-path='url(#c)' transform='translate(1)'>";
    char *document = malloc(depth * (sizeof group + 4) + 1000), *at = document;
    assert_non_null(document);
    at += sprintf(at, "%s", SVG_OPEN OBJECT_UNITS);
    for (size_t i = 0; i < depth; i++)
        at += sprintf(at, "%s", group);
    at += sprintf(at, "<rect width='5' height='5'/>");
    for (size_t i = 0; i < depth; i++)
        at += sprintf(at, "</g>");
    at += sprintf(at, "</svg>");
    assert_int_equal(load_silently(document, (size_t)(at - document)), 2 * depth + 1);
    free(document);
}

static void test_order(void **state)
{
    (void)state;
    assert_content("<clipPath id='c'>" A "</clipPath><g clip-path='url(#c)' opacity='.5'>" A B "</g>",
                   "begin_clip nonzero" PATH_A "begin_group 0.5\n" FILL PATH_A FILL PATH_B "end_group\nend_clip\n");
    assert_content(
        "<clipPath id='c'>" A "</clipPath><svg width='5' height='6' clip-path='url(#c)' opacity='.5'>" A B "</svg>",
        "begin_clip nonzero" PATH_A "begin_group 0.5\nbegin_clip nonzero [] M0 0L5 0L5 6L0 6Z\n" FILL PATH_A FILL PATH_B
        "end_clip\nend_group\nend_clip\n");
    assert_content("<clipPath id='c'>" A "</clipPath><rect width='9' height='9' clip-path='url(#c)' opacity='.5'/>",
                   "begin_clip nonzero" PATH_A FILL "-0.5" PATH_9 "end_clip\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_path),
        cmocka_unit_test(test_references),
        cmocka_unit_test(test_positions),
        cmocka_unit_test(test_several_children),
        cmocka_unit_test(test_nested),
        cmocka_unit_test(test_loops),
        cmocka_unit_test(test_object_units),
        cmocka_unit_test(test_object_units_exactly),
        cmocka_unit_test(test_object_units_deep),
        cmocka_unit_test(test_order),
    };
    return cmocka_run_group_tests_name("svg clips", tests, NULL, NULL);
}
