/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Names, lengths, transforms and path data: the parts of attributes. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/transform.h"
#include "svg/css/length.h"
#include "svg/tree/names.h"
#include "svg/tree/path_data.h"
#include "svg/css/transform_list.h"

static void test_names_are_found(void **state)
{
    (void)state;
    for (unsigned i = 0; i < SVG_NAME_COUNT; i++)
        assert_int_equal(svg_name_find(svg_name_text((svg_name)i)), i == SVG_ROTATE_LIST    ? SVG_ROTATE
                                                                    : i == SVG_SCALE_NUMBER ? SVG_SCALE
                                                                                            : i);
    for (unsigned i = 0; i < SVG_PROPERTY_COUNT; i++)
        assert_int_equal(svg_name_find_property(svg_name_text((svg_name)i)), i);
    assert_int_equal(svg_name_find_property(TEXT("x1")), SVG_UNKNOWN);
    assert_int_equal(svg_name_find(TEXT("clippath")), SVG_UNKNOWN);
    assert_int_equal(svg_name_find(TEXT("")), SVG_UNKNOWN);
    assert_int_equal(svg_name_find(TEXT("y3")), SVG_UNKNOWN);
}

static void assert_length(const char *string, double number, svg_unit unit)
{
    svg_length length;
    assert_true(svg_length_parse((text){string, strlen(string)}, 96, &length));
    assert_float_equal(length.number, number, 1e-12);
    assert_int_equal(length.unit, unit);
}

static void test_lengths(void **state)
{
    (void)state;
    svg_length length;
    assert_length("10", 10, SVG_UNIT_PX);
    assert_length(" -1.5px ", -1.5, SVG_UNIT_PX);
    assert_length("1in", 96, SVG_UNIT_PX);
    assert_length("2.54cm", 96, SVG_UNIT_PX);
    assert_length("25.4MM", 96, SVG_UNIT_PX);
    assert_length("72pt", 96, SVG_UNIT_PX);
    assert_length("6pc", 96, SVG_UNIT_PX);
    assert_length("1em", 1, SVG_UNIT_EM);
    assert_length("1e1em", 10, SVG_UNIT_EM);
    assert_length("50%", 50, SVG_UNIT_PERCENT);
    assert_false(svg_length_parse(TEXT("10 px"), 96, &length));
    assert_false(svg_length_parse(TEXT("10parsec"), 96, &length));
    assert_false(svg_length_parse(TEXT("px"), 96, &length));
    assert_false(svg_length_parse(TEXT("1e999"), 96, &length));
    assert_false(svg_length_parse(TEXT(""), 96, &length));
    const svg_metrics metrics = {20, 16, 30, 40, 800, 600, NULL};
    assert_true(svg_length_resolve((svg_length){50, SVG_UNIT_PERCENT}, SVG_AXIS_X, &metrics) == 15);
    assert_true(svg_length_resolve((svg_length){50, SVG_UNIT_PERCENT}, SVG_AXIS_Y, &metrics) == 20);
    assert_float_equal(svg_length_resolve((svg_length){100, SVG_UNIT_PERCENT}, SVG_AXIS_DIAGONAL, &metrics),
                       35.35533905932738, 1e-12);
    assert_true(svg_length_resolve((svg_length){2, SVG_UNIT_EM}, SVG_AXIS_X, &metrics) == 40);
    assert_true(svg_length_resolve((svg_length){2, SVG_UNIT_EX}, SVG_AXIS_X, &metrics) == 20);
    assert_true(svg_length_resolve((svg_length){2, SVG_UNIT_REM}, SVG_AXIS_X, &metrics) == 32);
    assert_true(svg_length_resolve((svg_length){2, SVG_UNIT_VMAX}, SVG_AXIS_X, &metrics) == 16);
}

static void assert_transform(const char *string, double a, double b, double c, double d, double e, double f)
{
    pietra_transform t;
    if (!svg_transform_parse((text){string, strlen(string)}, false, 96, NULL, &t))
        fail_msg("%s is no transform", string);
    const double difference =
        fabs(t.a - a) + fabs(t.b - b) + fabs(t.c - c) + fabs(t.d - d) + fabs(t.e - e) + fabs(t.f - f);
    if (!(difference < 1e-9))
        fail_msg("%s gave %g %g %g %g %g %g", string, t.a, t.b, t.c, t.d, t.e, t.f);
}

static void assert_no_transform(const char *string)
{
    pietra_transform t;
    if (svg_transform_parse((text){string, strlen(string)}, false, 96, NULL, &t))
        fail_msg("%s is a transform", string);
}

static void test_transforms(void **state)
{
    (void)state;
    assert_transform("", 1, 0, 0, 1, 0, 0);
    assert_transform("none", 1, 0, 0, 1, 0, 0);
    assert_transform("matrix(1 2,3,4 , 5-6)", 1, 2, 3, 4, 5, -6);
    assert_transform("translate(5)", 1, 0, 0, 1, 5, 0);
    assert_transform("translate(5,6)scale(2)", 2, 0, 0, 2, 5, 6);
    assert_transform("scale(2 3) , translate ( 1 1 )", 2, 0, 0, 3, 2, 3);
    assert_transform("rotate(90)", 0, 1, -1, 0, 0, 0);
    assert_transform("rotate(-90 10 20)", 0, -1, 1, 0, -10, 30);
    assert_transform("rotate(720)", 1, 0, 0, 1, 0, 0);
    assert_transform("skewX(45)", 1, 0, 1, 1, 0, 0);
    assert_transform("skewY(45)", 1, 1, 0, 1, 0, 0);
    assert_no_transform("rotate(0.25turn)");
    assert_no_transform("translateX(1)");
    assert_no_transform("translate(3px, 4px)");
    assert_no_transform("scale(calc(2))");
    assert_no_transform("Scale(2)");
    assert_no_transform("(1)");
    assert_no_transform("qwe");
    assert_no_transform("scale(1");
    assert_no_transform("scale()");
    assert_no_transform("matrix(1 2 3 4 5)");
    assert_no_transform("rotate(1 2)");
    assert_no_transform("translate(1e999)");
    assert_no_transform("translate(1em)");
    assert_no_transform("scale(2px)");
    assert_no_transform("scale(50%)");
    pietra_transform turn = transform_rotate(270);
    assert_true(turn.a == 0 && turn.b == -1 && turn.c == 1 && turn.d == 0);
}

static void test_css_scales(void **state)
{
    (void)state;
    static const struct {
        const char *string;
        double x, y;
    } good[] = {{"scale(120%)", 1.2, 1.2},
                {"scaleX(50%)", 0.5, 1},
                {"SCALE(2, -25%)", 2, -0.25},
                {"scaley(calc(1 + 1))", 1, 2}};
    static const char *const bad[] = {"scale(%)", "scale(5 %)", "scale(5px)", "rotate(5%)", "matrix(1% 0 0 1 0 0)"};
    pietra_transform t;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        assert_true(svg_transform_parse((text){good[i].string, strlen(good[i].string)}, true, 96, NULL, &t));
        assert_true(fabs(t.a - good[i].x) + fabs(t.d - good[i].y) < 1e-9);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_false(svg_transform_parse((text){bad[i], strlen(bad[i])}, true, 96, NULL, &t));
}

#define VERB_LETTERS "ZLQCMA"

/* Asserts a path's verbs, as letters, and its numbers. */
static void assert_path(const char *data, const char *verbs, size_t count, const double *numbers)
{
    svg_path_pool pool = {0};
    uint32_t index;
    assert_true(svg_path_pool_add(&pool, (text){data, strlen(data)}, SVG_PATH_DATA, &index));
    if (*verbs == '\0') {
        assert_int_equal(index, SVG_NO_PATH);
    } else {
        assert_int_equal(index, 0);
        const svg_path *path = pool.paths.items;
        if (path->verb_count != strlen(verbs))
            fail_msg("%s: %zu verbs", data, path->verb_count);
        for (size_t i = 0; i < path->verb_count; i++)
            assert_int_equal(VERB_LETTERS[path->verbs[i]], verbs[i]);
        assert_int_equal(path->number_count, count);
        for (size_t i = 0; i < count; i++)
            if (path->numbers[i] != numbers[i])
                fail_msg("%s: number %zu is %g, not %g", data, i, path->numbers[i], numbers[i]);
    }
    svg_path_pool_free(&pool);
}

#define PATH(data, verbs, ...) \
    assert_path(data, verbs, sizeof((double[]){__VA_ARGS__}) / sizeof(double), (double[]){__VA_ARGS__})

static void test_path_commands(void **state)
{
    (void)state;
    PATH("M1 2L3 4", "ML", 1, 2, 3, 4);
    PATH("  m 1,2 l 3,4 z", "MLZ", 1, 2, 4, 6);
    PATH("M1 2 3 4 5 6", "MLL", 1, 2, 3, 4, 5, 6);
    PATH("m1 2 3 4 m 1 1 1 1", "MLML", 1, 2, 4, 6, 5, 7, 6, 8);
    PATH("M1 1h2v3H4V5", "MLLLL", 1, 1, 3, 1, 3, 4, 4, 4, 4, 5);
    PATH("M1 1h1 2 3", "MLLL", 1, 1, 2, 1, 4, 1, 7, 1);
    PATH("M0 0C1 2 3 4 5 6S9 10 11 12", "MCC", 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12);
    PATH("M1 1c1 2 3 4 5 6s1 1 2 2", "MCC", 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 7, 8, 8, 9);
    PATH("M1 1S2 2 3 3", "MC", 1, 1, 1, 1, 2, 2, 3, 3);
    PATH("M0 0Q1 2 3 4T5 6T7 8", "MQQQ", 0, 0, 1, 2, 3, 4, 5, 6, 5, 6, 5, 6, 7, 8);
    PATH("M1 1T2 2", "MQ", 1, 1, 1, 1, 2, 2);
    PATH("M0 0Q1 2 3 4S5 6 7 8", "MQC", 0, 0, 1, 2, 3, 4, 3, 4, 5, 6, 7, 8);
    PATH("M0 0C1 2 3 4 5 6T7 8", "MCQ", 0, 0, 1, 2, 3, 4, 5, 6, 5, 6, 7, 8);
    PATH("M1 2zl3 4", "MZL", 1, 2, 4, 6);
    PATH("M1 2L5 5zm1 1l1 1", "MLZML", 1, 2, 5, 5, 2, 3, 3, 4);
    PATH("M0 0A1 2 30 0 1 5 6", "MA", 0, 0, 1, 2, 30, 0, 1, 5, 6);
    PATH("M1 1a1 2 30 015 6 1 2 30 10-5-6", "MAA", 1, 1, 1, 2, 30, 0, 1, 6, 7, 1, 2, 30, 1, 0, 1, 1);
    PATH("M.5.5-.5-.5+1e1.5", "MLL", .5, .5, -.5, -.5, 10, .5);
    PATH("M10-20", "", 0);
    PATH("M10 20z", "MZ", 10, 20);
}

static void test_path_errors(void **state)
{
    (void)state;
    PATH("", "", 0);
    PATH("L1 2", "", 0);
    PATH("1 2", "", 0);
    PATH("M1 2L3 4L5", "ML", 1, 2, 3, 4);
    PATH("M1 2L3 4 5 L7 8", "ML", 1, 2, 3, 4);
    PATH("M1 2L3 4X5 6", "ML", 1, 2, 3, 4);
    PATH("M1 2L3,,4", "", 0);
    PATH("M1 2L3 4,L5 6", "MLL", 1, 2, 3, 4, 5, 6);
    PATH("M0 0L1 1A1 2 30 2 1 5 6", "ML", 0, 0, 1, 1);
    PATH("M0 0L1 1A1 2 30 -1 1 5 6", "ML", 0, 0, 1, 1);
    PATH("M0 0L1 1L1e999 0L2 2", "ML", 0, 0, 1, 1);
    PATH("M0 0L1e308 0l1e308 0", "ML", 0, 0, 1e308, 0);
    PATH("M0 0L1 1z5 5", "MLZ", 0, 0, 1, 1);
}

static void assert_points(const char *points, bool closed, const char *verbs, size_t count, const double *numbers)
{
    svg_path_pool pool = {0};
    uint32_t index;
    assert_true(svg_path_pool_add(&pool, (text){points, strlen(points)}, closed ? SVG_PATH_POLYGON : SVG_PATH_POLYLINE,
                                  &index));
    assert_int_equal(index, *verbs ? 0 : SVG_NO_PATH);
    assert_int_equal(pool.paths.count, *verbs ? 1 : 0);
    for (size_t i = 0; i < strlen(verbs); i++)
        assert_int_equal(VERB_LETTERS[pool.paths.items[0].verbs[i]], verbs[i]);
    if (*verbs)
        assert_int_equal(pool.paths.items[0].verb_count, strlen(verbs));
    for (size_t i = 0; *verbs && i < count; i++)
        assert_true(pool.paths.items[0].numbers[i] == numbers[i]);
    svg_path_pool_free(&pool);
}

static void test_points(void **state)
{
    (void)state;
    const double numbers[] = {1, 2, 3, 4};
    assert_points("1,2 3,4", false, "ML", 4, numbers);
    assert_points(" 1 2,3 4 ", true, "MLZ", 4, numbers);
    assert_points("1 2 3 4 5", true, "MLZ", 4, numbers);
    assert_points("1 2 3 4 x 5 6", false, "ML", 4, numbers);
    assert_points("1 2", false, "", 0, numbers);
    assert_points("", true, "", 0, numbers);
}

/* A map that doubles x makes a quarter circle of radius 1 a quarter of an ellipse. Its box is the mapped box. */
static void test_arc_under_transform(void **state)
{
    (void)state;
    svg_path_pool pool = {0};
    uint32_t index;
    pietra_path *path = pietra_path_create();
    pietra_box box;
    assert_true(svg_path_pool_add(&pool, TEXT("M-1 0A1 1 0 0 1 1 0"), SVG_PATH_DATA, &index));
    svg_path_emit(&pool, index, &(pietra_transform){2, 0, 0, 1, 0, 0}, path);
    assert_true(pietra_path_bounds(path, &box));
    assert_float_equal(box.x0, -2, 1e-3);
    assert_float_equal(box.y0, -1, 1e-3);
    assert_float_equal(box.x1, 2, 1e-3);
    assert_float_equal(box.y1, 0, 1e-3);
    pietra_path_reset(path);
    svg_path_emit(&pool, index, &(pietra_transform){0, 3, 2, 0, 0, 0}, path); /* mirrored: x' = 2y, y' = 3x */
    assert_true(pietra_path_bounds(path, &box));
    assert_float_equal(box.x0, -2, 1e-3);
    assert_float_equal(box.y0, -3, 1e-3);
    assert_float_equal(box.x1, 0, 1e-3);
    assert_float_equal(box.y1, 3, 1e-3);
    /* Turned by 45 degrees, the half circle reaches its full radius up and to the left. */
    pietra_path_reset(path);
    pietra_transform turn = transform_rotate(-45);
    svg_path_emit(&pool, index, &turn, path);
    assert_true(pietra_path_bounds(path, &box));
    assert_float_equal(box.x0, -1, 1e-3);
    assert_float_equal(box.y0, -1, 1e-3);
    assert_float_equal(box.x1, sqrt(0.5), 1e-3);
    assert_float_equal(box.y1, sqrt(0.5), 1e-3);
    pietra_path_destroy(path);
    svg_path_pool_free(&pool);
}

static void assert_calc(const char *string, double number, svg_unit unit)
{
    svg_length length;
    if (!svg_length_parse((text){string, strlen(string)}, 96, &length))
        fail_msg("%s is no length", string);
    assert_true(fabs(length.number - number) < 1e-9);
    assert_int_equal(length.unit, unit);
}

/* Asserts a length in a viewport 200 wide, in a font of 12, in a window 400 wide. */
static void assert_sum(const char *string, double pixels)
{
    svg_length length, again;
    svg_metrics metrics = {12, 16, 200, 100, 400, 300, NULL};
    if (!svg_length_parse((text){string, strlen(string)}, 96, &length))
        fail_msg("%s is no length", string);
    assert_true(fabs(svg_length_resolve(length, SVG_AXIS_X, &metrics) - pixels) < 1e-5);
    assert_true((uint8_t)length.unit == length.unit);
    again = svg_length_with_font(length, 12);
    metrics.font_size = 99;
    assert_true(fabs(svg_length_resolve(again, SVG_AXIS_X, &metrics) - pixels) < 1e-5);
}

static void test_relative_transforms(void **state)
{
    (void)state;
    const svg_metrics metrics = {12, 16, 200, 100, 400, 300, NULL};
    static const struct {
        const char *text;
        double e, f;
    } cases[] = {{"translate(50%, 10%)", 100, 10},
                 {"translateY(10%)", 0, 10},
                 {"translateX(calc(10% - 1em))", 8, 0},
                 {"translate(1rem)", 16, 0},
                 {"rotate(180deg) translate(10%, 10%)", -20, -10}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        pietra_transform t;
        text value = {cases[i].text, strlen(cases[i].text)};
        assert_false(svg_transform_parse(value, true, 96, NULL, &t));
        assert_true(svg_transform_parse(value, true, 96, &metrics, &t));
        assert_true(fabs(t.e - cases[i].e) < 1e-5 && fabs(t.f - cases[i].f) < 1e-5);
    }
    assert_no_transform("skew(1, 2px)");
}

static void test_calc(void **state)
{
    (void)state;
    svg_length length;
    static const char *const bad[] = {"calc()",          "calc(1px",        "calc(1px + 2% + 1em)", "calc(1px+2px)",
                                      "calc(1px * 2px)", "calc(1 / 0)",     "calc(1px / 1px)",      "calc(1 + 1px)",
                                      "calc(1px) 2",     "calc(a)",         "calc (1px)",           "min(1px, 1em)",
                                      "max()",           "clamp(1px, 2px)", "max(1, 1px)",          "calc(1deg)",
                                      "calc(1px, 2px)"};
    assert_calc("calc(1px + 2px * 3)", 7, SVG_UNIT_PX);
    assert_calc("CALC( (1px + 2px) * 3 )", 9, SVG_UNIT_PX);
    assert_calc("calc(100% / 3 * 3 - 50%)", 50, SVG_UNIT_PERCENT);
    assert_calc("calc(1in - calc(6pt * 2))", 80, SVG_UNIT_PX);
    assert_calc("calc(2 * 1.5em)", 3, SVG_UNIT_EM);
    assert_calc("calc(0px + 2em)", 2, SVG_UNIT_EM);
    assert_calc("calc(-2 * -3)", 6, SVG_UNIT_PX);
    assert_calc("calc(2px + 5% - 2px)", 5, SVG_UNIT_PERCENT);
    assert_sum("calc(100% - 10px)", 190);
    assert_sum("calc(5px + 2em)", 29);
    assert_sum("calc((1em + 10%) * 2)", 64);
    assert_sum("calc(10vw / 2 - (0px - 1em))", 32);
    assert_sum("calc(1px - 50%)", -99);
    assert_calc("min(3px, 1px * 2, 5px)", 2, SVG_UNIT_PX);
    assert_calc("max(3em, 2em)", 3, SVG_UNIT_EM);
    assert_calc("clamp(10%, 5%, 20%)", 10, SVG_UNIT_PERCENT);
    assert_calc("calc(2 * clamp(1px, 9px, 4px))", 8, SVG_UNIT_PX);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        if (svg_length_parse((text){bad[i], strlen(bad[i])}, 96, &length))
            fail_msg("%s is a length", bad[i]);
}

/* Asserts an expression in the same surroundings: as a length that is kept, and when evaluated at once. */
static void assert_expression(svg_units *units, const char *string, double pixels)
{
    const svg_metrics metrics = {12, 16, 200, 100, 400, 300, units};
    text value = {string, strlen(string)};
    svg_length length;
    double at_once;
    if (!svg_length_parse_any(value, units, &length))
        fail_msg("%s is no length", string);
    assert_true(fabs(svg_length_resolve(length, SVG_AXIS_X, &metrics) - pixels) < 1e-5);
    assert_true((uint8_t)length.unit == length.unit);
    assert_true(svg_length_parse_pixels(value, 96, SVG_AXIS_X, &metrics, &at_once));
    assert_true(fabs(at_once - pixels) < 1e-5);
}

static void test_expressions(void **state)
{
    (void)state;
    svg_units units = {.dpi = 96};
    svg_length first, second;
    char longer[1100];
    assert_expression(&units, "calc(1px + 2% + 1em)", 17);
    assert_expression(&units, " calc(1px + 2% + 1em + 1vw - 1vh) ", 18);
    assert_expression(&units, "min(100%, 150px)", 150);
    assert_expression(&units, "max(100%, 150px)", 200);
    assert_expression(&units, "clamp(1em, 2%, 5vw)", 12);
    assert_expression(&units, "calc(2 * min(1em, 1in) + max(1px, 0%))", 25);
    assert_expression(&units, "calc(1px + 1px)", 2);
    assert_true(svg_length_parse_any(TEXT("min(1em, 1px)"), &units, &first) &&
                svg_length_parse_any(TEXT("min(1em, 1px)"), &units, &second));
    assert_true(first.number == second.number && first.unit == SVG_UNIT_EXPRESSION);
    static const char *const bad[] = {"calc(1px + 2% + 1)", "min(1px, 1em",   "min(1px, 1)",
                                      "calc(1px * 1em)",    "max(1px, 1deg)", "min(1em, 1px) 2"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        if (svg_length_parse_any((text){bad[i], strlen(bad[i])}, &units, &first))
            fail_msg("%s is a length", bad[i]);
    memset(longer, ' ', sizeof longer);
    memcpy(longer, "min(1em,", 8);
    memcpy(longer + sizeof longer - 4, "1px)", 4);
    assert_false(svg_length_parse_any((text){longer, sizeof longer}, &units, &first));
    css_names_free(&units.expressions);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names_are_found),
        cmocka_unit_test(test_calc),
        cmocka_unit_test(test_expressions),
        cmocka_unit_test(test_relative_transforms),
        cmocka_unit_test(test_lengths),
        cmocka_unit_test(test_transforms),
        cmocka_unit_test(test_css_scales),
        cmocka_unit_test(test_path_commands),
        cmocka_unit_test(test_path_errors),
        cmocka_unit_test(test_points),
        cmocka_unit_test(test_arc_under_transform),
    };
    return cmocka_run_group_tests_name("svg values", tests, NULL, NULL);
}
