/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Gradients: documents, and the calls that they must give. */
#include "svg/expect.h"

#define STOPS "<stop stop-color='red'/><stop offset='1' stop-color='blue'/>"
#define RED_BLUE " 0#ff0000 1#0000ff)"
#define RECT "<rect x='10' y='20' width='40' height='80' fill='url(#g)'/>"
#define PATH " [] M10 20L50 20L50 100L10 100Z\n"
/* Leads from the unit square to the rectangle. */
#define BOX " pad [40 0 0 80 10 20]"

static void test_linear(void **state)
{
    (void)state;
    assert_content("<linearGradient id='g'>" STOPS "</linearGradient>" RECT,
                   "fill nonzero linear(0 0 1 0" BOX RED_BLUE PATH);
    assert_content(RECT "<linearGradient id='g' x1='25%' y1='.5' x2='1' y2='50%' spreadMethod='reflect'>" STOPS
                        "</linearGradient>",
                   "fill nonzero linear(0.25 0.5 1 0.5 reflect [40 0 0 80 10 20]" RED_BLUE PATH);
    assert_content(
        RECT
        "<linearGradient id='g' gradientUnits='userSpaceOnUse' x1='10%' y1='1em' x2='5' font-size='7' spreadMethod='repeat'>" STOPS
        "</linearGradient>",
        "fill nonzero linear(10 7 5 0 repeat []" RED_BLUE PATH);
    assert_content(RECT
                   "<linearGradient id='g' gradientUnits='userSpaceOnUse' gradientTransform='translate(3,4)'>" STOPS
                   "</linearGradient>",
                   "fill nonzero linear(0 0 100 0 pad [1 0 0 1 3 4]" RED_BLUE PATH);
    assert_content(
        RECT
        "<linearGradient id='g' gradientTransform='translate(.5) rotate(90)' gradientUnits='x' spreadMethod='x'>" STOPS
        "</linearGradient>",
        "fill nonzero linear(0 0 1 0 pad [0 80 -40 0 30 20]" RED_BLUE PATH);
}

static void test_radial(void **state)
{
    (void)state;
    assert_content("<radialGradient id='g'>" STOPS "</radialGradient>" RECT,
                   "fill nonzero radial(0.5 0.5 0 0.5 0.5 0.5" BOX RED_BLUE PATH);
    assert_content("<radialGradient id='g' cx='.3' fy='.6' fr='10%' r='.4'>" STOPS "</radialGradient>" RECT,
                   "fill nonzero radial(0.3 0.6 0.1 0.3 0.5 0.4" BOX RED_BLUE PATH);
    assert_content("<radialGradient id='g' gradientUnits='userSpaceOnUse' cx='30%' fx='9' r='50%'>" STOPS
                   "</radialGradient>" RECT,
                   "fill nonzero radial(9 50 0 30 50 50 pad []" RED_BLUE PATH);
    assert_content("<radialGradient id='g' r='0'>" STOPS "</radialGradient>" RECT, "fill nonzero #0000ff" PATH);
}

static void test_stops(void **state)
{
    (void)state;
    assert_content(RECT "<linearGradient id='g'/>", "");
    assert_content("<linearGradient id='g'/><rect width='1' height='1' fill='url(#g) lime'/>",
                   "fill nonzero #00ff00 [] M0 0L1 0L1 1L0 1Z\n");
    assert_content(RECT "<linearGradient id='g'><stop stop-color='lime' stop-opacity='.5'/></linearGradient>",
                   "fill nonzero #00ff00/0.5" PATH);
    assert_content(
        RECT
        "<linearGradient id='g'><stop offset='50%'/><stop offset='.25' style='stop-color:red'/><stop offset='7'/></linearGradient>",
        "fill nonzero linear(0 0 1 0" BOX " 0.5#000000 0.5#ff0000 1#000000)" PATH);
    assert_content(
        RECT
        "<linearGradient id='g'><stop offset='-1'/><stop offset='x' stop-color='qwe'/><stop offset='1'/></linearGradient>",
        "fill nonzero linear(0 0 1 0" BOX " 0#000000 0#000000 1#000000)" PATH);
    assert_content(
        RECT
        "<g color='lime' stop-color='red'><linearGradient id='g' stop-color='blue'><stop stop-color='currentColor'/>"
        "<stop color='white' stop-color='currentColor' offset='.5'/><stop offset='1' stop-color='inherit'/></linearGradient></g>",
        "fill nonzero linear(0 0 1 0" BOX " 0#00ff00 0.5#ffffff 1#0000ff)" PATH);
    assert_content("<g opacity='.5'>" RECT "</g><linearGradient id='g' x2='0'>" STOPS "</linearGradient>",
                   "fill nonzero #0000ff-0.5" PATH);
}

static void test_references(void **state)
{
    (void)state;
    assert_content(
        RECT
        "<linearGradient id='g' x2='.5' href='#h'/><linearGradient id='h' x1='.1' x2='.9' href='#i' spreadMethod='reflect'/>"
        "<radialGradient id='i' cx='.7' gradientUnits='userSpaceOnUse' spreadMethod='repeat'>" STOPS
        "</radialGradient>",
        "fill nonzero linear(0.1 0 0.5 0 reflect []" RED_BLUE PATH);
    assert_content(RECT "<linearGradient id='g' href='#h'/><linearGradient id='h' x1='.1' href='#g'>" STOPS
                        "</linearGradient>",
                   "fill nonzero linear(0.1 0 1 0" BOX RED_BLUE PATH);
    assert_content(RECT "<linearGradient id='g' href='#g'>" STOPS "</linearGradient>",
                   "fill nonzero linear(0 0 1 0" BOX RED_BLUE PATH);
    assert_content(RECT "<linearGradient id='g' href='#r'>" STOPS
                        "</linearGradient><defs><rect id='r' x1='.7'/></defs>",
                   "fill nonzero linear(0 0 1 0" BOX RED_BLUE PATH);
    /* Of two loops through the same gradient, each begins where it is entered. */
    assert_content("<linearGradient id='g' x1='.1' href='#h'>" STOPS
                   "</linearGradient><linearGradient id='h' x1='.2' href='#g'/>" RECT
                   "<rect width='1' height='1' fill='url(#h)'/>",
                   "fill nonzero linear(0.1 0 1 0" BOX RED_BLUE PATH "fill nonzero linear(0.2 0 1 0 pad []" RED_BLUE
                   " [] M0 0L1 0L1 1L0 1Z\n");
}

static void test_errors(void **state)
{
    (void)state;
    assert_content(RECT "<linearGradient id='g' gradientTransform='scale(0)'>" STOPS "</linearGradient>", "");
    /* The box of a line has no area. */
    assert_content(
        "<line x2='5' stroke='url(#g) lime'/><line x2='5' stroke='url(#g)'/><path d='M0 0V9' stroke='url(#s) lime'/>"
        "<linearGradient id='g'>" STOPS
        "</linearGradient><linearGradient id='s'><stop stop-color='red'/></linearGradient>",
        "stroke 1 butt miter 4 () 0 #00ff00 [] M0 0L5 0\n"
        "fill nonzero #000000 [] M0 0L0 9\n"
        "stroke 1 butt miter 4 () 0 #ff0000 [] M0 0L0 9\n");
    assert_content("<rect width='1' height='1' fill='url(#p) lime'/><pattern id='p'/>", "");
}

#define DOTS "<pattern id='p' width='2' height='2' patternUnits='userSpaceOnUse'><circle r='1'/></pattern>"

/* A pattern draws no cell for a shape beside the picture, above it or below it. */
static void test_pattern_out_of_sight(void **state)
{
    (void)state;
    assert_content(DOTS "<rect x='-50' y='10' width='9' height='9' fill='url(#p)'/>", "");
    assert_content(DOTS "<rect x='10' y='-50' width='9' height='9' fill='url(#p)'/>", "");
    assert_content(DOTS "<rect x='1000' y='10' width='9' height='9' fill='url(#p)'/>", "");
    assert_content(DOTS "<rect x='10' y='1000' width='9' height='9' fill='url(#p)'/>", "");
}

/* The fill of a mask's source by a gradient over a rectangle of 40 x 20 at 10, 20. */
static void assert_mask_gradient(const char *gradient, const char *paint)
{
    char content[500], expected[500];
    snprintf(content, sizeof content, "<rect x='10' y='20' width='40' height='20' style='color:#00f8;mask-image:%s'/>",
             gradient);
    snprintf(expected, sizeof expected,
             "begin_mask_source 0\nfill nonzero %s [] M10 20L50 20L50 40L10 40Z\nend_mask_source\n"
             "fill nonzero #000000 [] M10 20L50 20L50 40L10 40Z\nend_mask\n",
             paint);
    assert_content(content, expected);
}

static void test_gradients_as_masks(void **state)
{
    (void)state;
    assert_mask_gradient("linear-gradient(red, lime)", "linear(30 20 30 40 pad [0 0 0 0 0 0] 0#ff0000 1#00ff00)");
    assert_mask_gradient("linear-gradient(to right, red, lime)",
                         "linear(10 30 50 30 pad [0 0 0 0 0 0] 0#ff0000 1#00ff00)");
    assert_mask_gradient("linear-gradient(to top left, red, lime)",
                         "linear(38 46 22 14 pad [0 0 0 0 0 0] 0#ff0000 1#00ff00)");
    assert_mask_gradient("linear-gradient(0.25turn, red, lime)",
                         "linear(10 30 50 30 pad [0 0 0 0 0 0] 0#ff0000 1#00ff00)");
    assert_mask_gradient("linear-gradient(45deg, red, currentcolor 50% 75%, lime)",
                         "linear(15 45 45 15 pad [0 0 0 0 0 0] 0#ff0000 0.5#0000ff/0.533 0.75#0000ff/0.533 1#00ff00)");
    assert_mask_gradient("linear-gradient(red -50%, lime, blue 5px, red, lime 200%)",
                         "linear(30 10 30 60 pad [0 0 0 0 0 0] 0#ff0000 0.15#00ff00 0.3#0000ff 0.65#ff0000 1#00ff00)");
    assert_mask_gradient("linear-gradient(red 50%, lime 25%)",
                         "linear(30 20 30 40 pad [0 0 0 0 0 0] 0.5#ff0000 0.5#00ff00)");
    assert_mask_gradient("radial-gradient(red, lime)",
                         "radial(0 0 0 0 0 1 pad [28.2843 0 0 14.1421 30 30] 0#ff0000 1#00ff00)");
    assert_mask_gradient("radial-gradient(circle, red, lime)",
                         "radial(0 0 0 0 0 1 pad [22.3607 0 0 22.3607 30 30] 0#ff0000 1#00ff00)");
    assert_mask_gradient("radial-gradient(5px at left 10px, red, lime 10px)",
                         "radial(0 0 0 0 0 2 pad [5 0 0 5 10 30] 0#ff0000 1#00ff00)");
    assert_mask_gradient("radial-gradient(closest-side circle at 25% bottom, red, lime)", "#00ff00");
    assert_mask_gradient("radial-gradient(10px 50%, red -100%, lime 100%)",
                         "radial(0 0 0 0 0 1 pad [10 0 0 10 30 30] 0#808000 1#00ff00)");
    assert_mask_gradient("conic-gradient(red, lime)", "sweep(0 0 0 360 pad [0 -1 1 0 30 30] 0#ff0000 1#00ff00)");
    assert_mask_gradient("conic-gradient(from 90deg at left 25%, red 25% 90deg, lime 0.5turn, blue)",
                         "sweep(0 0 0 360 pad [1 0 0 1 10 25] 0.25#ff0000 0.25#ff0000 0.5#00ff00 1#0000ff)");
    assert_mask_gradient("conic-gradient(at 10px 5px, red -90deg, lime 450deg)",
                         "sweep(0 0 -90 450 pad [0 -1 1 0 20 25] 0#ff0000 1#00ff00)");
    assert_mask_gradient("conic-gradient(from 0, red, lime 0 100%)",
                         "sweep(0 0 0 360 pad [0 -1 1 0 30 30] 0#ff0000 0#00ff00 1#00ff00)");
}

/* What is no gradient that is known gives no mask. */
static void test_bad_gradients(void **state)
{
    static const char *const bad[] = {
        "conic-gradient(from, red, lime)",         "conic-gradient(from 9px, red, lime)",
        "conic-gradient(red 9px, lime)",           "conic-gradient(from 9deg left, red, lime)",
        "conic-gradient(at, red, lime)",           "conic-gradient(red)",
        "conic-gradient(red 1deg 2deg 3deg, lime)"};
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char content[500];
        snprintf(content, sizeof content, "<rect x='1' y='2' width='3' height='4' style='mask-image:%s'/>", bad[i]);
        assert_content(content, "fill nonzero #000000 [] M1 2L4 2L4 6L1 6Z\n");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_linear),        cmocka_unit_test(test_radial),
        cmocka_unit_test(test_stops),         cmocka_unit_test(test_references),
        cmocka_unit_test(test_errors),        cmocka_unit_test(test_gradients_as_masks),
        cmocka_unit_test(test_bad_gradients), cmocka_unit_test(test_pattern_out_of_sight),
    };
    return cmocka_run_group_tests_name("svg paint servers", tests, NULL, NULL);
}
