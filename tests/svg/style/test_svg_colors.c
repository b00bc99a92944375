/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Colours of CSS: by name, by number, in colour spaces, mixed and relative. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "svg/css/color.h"
#include "svg/css/color_names.h"

static void assert_color(const char *string, double r, double g, double b, double a)
{
    pietra_color color;
    if (!pietra_color_parse(string, &color))
        fail_msg("%s is no colour", string);
    if (color.r != (float)r || color.g != (float)g || color.b != (float)b || color.a != (float)a)
        fail_msg("%s gave %g %g %g %g", string, color.r, color.g, color.b, color.a);
}

/* Compares to the nearest level. */
static void assert_near_color(const char *string, int r, int g, int b)
{
    pietra_color color;
    if (!pietra_color_parse(string, &color))
        fail_msg("%s is no colour", string);
    if (lround(color.r * 255) != r || lround(color.g * 255) != g || lround(color.b * 255) != b)
        fail_msg("%s gave %g %g %g", string, color.r * 255, color.g * 255, color.b * 255);
}

static void assert_no_color(const char *string)
{
    pietra_color color = {5, 5, 5, 5};
    if (pietra_color_parse(string, &color))
        fail_msg("%s is a colour", string);
    assert_true(color.r == 5);
}

static void test_hexadecimal_colors(void **state)
{
    (void)state;
    assert_color("#f80", 1, 136 / 255.0, 0, 1);
    assert_color("#F80a", 1, 136 / 255.0, 0, 170 / 255.0);
    assert_color("  #0080fF\n", 0, 128 / 255.0, 1, 1);
    assert_color("#00000000", 0, 0, 0, 0);
    assert_no_color("#");
    assert_no_color("#ff");
    assert_no_color("#fffff");
    assert_no_color("#fffffff");
    assert_no_color("#ggg");
    assert_no_color("#fff f");
}

static void test_named_colors(void **state)
{
    (void)state;
#define CHECK(name, rgb) assert_color(name, (rgb >> 16) / 255.0, (rgb >> 8 & 255) / 255.0, (rgb & 255) / 255.0, 1);
    SVG_COLOR_NAMES(CHECK)
#undef CHECK
    assert_color("LightGoldenRodYellow", 250 / 255.0, 250 / 255.0, 210 / 255.0, 1);
    assert_color("transparent", 0, 0, 0, 0);
    assert_no_color("currentColor");
    assert_no_color("redd");
    assert_no_color("re");
    assert_no_color("");
    assert_no_color("red red");
}

static void test_color_functions(void **state)
{
    (void)state;
    assert_color("rgb(255,0,51)", 1, 0, 0.2, 1);
    assert_color("RGB( 255 , 0 , 51 )", 1, 0, 0.2, 1);
    assert_color("rgb(300, -5, 127.5)", 1, 0, 0.5, 1);
    assert_color("rgb(100%, 50%, 200%)", 1, 0.5, 1, 1);
    assert_color("rgba(255,0,0,.25)", 1, 0, 0, 0.25);
    assert_color("rgb(255 0 0 / 25%)", 1, 0, 0, 0.25);
    assert_color("rgba(255,0,0,7)", 1, 0, 0, 1);
    assert_color("hsl(0, 100%, 50%)", 1, 0, 0, 1);
    assert_color("hsl(120, 100%, 25%)", 0, 0.5, 0, 1);
    assert_color("hsl(-120deg 100% 50% / 0.5)", 0, 0, 1, 0.5);
    assert_color("hsla(480, 100%, 50%, 1)", 0, 1, 0, 1);
    assert_color("hsl(0.5turn, 100%, 50%)", 0, 1, 1, 1);
    assert_color("hsl(60, 0%, 50%)", 0.5, 0.5, 0.5, 1);
    assert_color("hsl(120 100 25)", 0, 0.5, 0, 1);
    assert_color("rgb(0 50% none / none)", 0, 0.5, 0, 0);
    assert_no_color("rgb(0, none, 0)");
    assert_no_color("rgb(1,2)");
    assert_no_color("rgb(1,2,3,4,5)");
    assert_no_color("rgb(1,50%,3)");
    assert_no_color("rgb(1 2,3)");
    assert_no_color("rgb(1 2 3 4)");
    assert_no_color("rgb(1,2,3/4)");
    assert_no_color("rgb(1,2,3");
    assert_no_color("hsl(1,2,3)");
    assert_no_color("hsl(1%,2%,3%)");
    assert_no_color("rgb(1deg,2,3)");
    assert_no_color("cmyk(1,2,3,4)");
}

static void test_mixed_colors(void **state)
{
    (void)state;
    assert_near_color("color-mix(in srgb, red, blue)", 128, 0, 128);
    assert_near_color("color-mix(in srgb, red 25%, blue)", 64, 0, 191);
    assert_near_color("color-mix(in srgb, calc(5 * 5%) red, blue)", 64, 0, 191);
    assert_near_color("color-mix(in oklab, red, blue)", 140, 83, 162);
    assert_near_color("color-mix(red, blue)", 140, 83, 162);
    assert_near_color("color-mix(in hsl, red, lime)", 255, 255, 0);
    assert_near_color("color-mix(in hsl longer hue, red, lime)", 0, 0, 255);
    assert_near_color("color-mix(in hsl increasing hue, lime, red)", 0, 0, 255);
    assert_near_color("color-mix(in hsl decreasing hue, lime, red)", 255, 255, 0);
    assert_near_color("color-mix(in hsl, white, blue)", 159, 159, 223); /* a grey has no hue */
    assert_near_color("color-mix(in lch, black, white)", 119, 119, 119);
    assert_near_color("color-mix(in xyz, red, red)", 255, 0, 0);
    assert_near_color("color-mix(in rec2020, lime, lime)", 0, 255, 0);
    assert_near_color("color-mix(in prophoto-rgb, blue, blue)", 0, 0, 255);
    assert_near_color("color-mix(in hwb, color-mix(in srgb, red, red), red)", 255, 0, 0);
    assert_color("color-mix(in srgb, red, transparent)", 1, 0, 0, 0.5);
    assert_color("color-mix(in srgb, red 20%, red 20%)", 1, 0, 0, 0.4);
    assert_no_color("color-mix(in srgb, red 0%, blue 0%)");
    assert_no_color("color-mix(in srgb, red -1%, blue)");
    assert_no_color("color-mix(in nowhere, red, blue)");
    assert_no_color("color-mix(in srgb longer hue, red, blue)");
    assert_no_color("color-mix(in srgb, red)");
    assert_no_color("color-mix(in srgb, red, blue");
}

static void test_relative_colors(void **state)
{
    (void)state;
    assert_near_color("rgb(from #336699 b g r)", 0x99, 0x66, 0x33);
    assert_near_color("rgb(from #336699 r 0 50%)", 0x33, 0, 128);
    assert_near_color("hsl(from red h s calc(l / 2))", 128, 0, 0);
    assert_near_color("hsl(from red calc(h + 120) s l)", 0, 255, 0);
    assert_near_color("hwb(from rebeccapurple h w b)", 0x66, 0x33, 0x99);
    assert_near_color("lab(from rebeccapurple l a b)", 0x66, 0x33, 0x99);
    assert_near_color("lch(from rebeccapurple l c h)", 0x66, 0x33, 0x99);
    assert_near_color("oklab(from rebeccapurple l a b)", 0x66, 0x33, 0x99);
    assert_near_color("oklch(from rebeccapurple l c h)", 0x66, 0x33, 0x99);
    assert_near_color("color(from rebeccapurple a98-rgb r g b)", 0x66, 0x33, 0x99);
    assert_near_color("color(from rebeccapurple xyz-d50 x y z)", 0x66, 0x33, 0x99);
    assert_near_color("rgb(from color(display-p3 0 1 0) r g b)", 0, 255, 0);
    assert_color("rgb(from rgb(255 0 0 / 0.5) r g b)", 1, 0, 0, 0.5);
    assert_color("rgb(from rgb(255 0 0 / 0.5) r g b / calc(alpha / 2))", 1, 0, 0, 0.25);
    assert_no_color("rgb(from red r g)");
    assert_no_color("rgb(from red r g q)");
    assert_no_color("rgb(from red, r, g, b)");
    assert_no_color("rgb(from r g b)");
    assert_no_color("rgb(from red r g b");
    assert_no_color("color(from red r g b)");
    char deep[4000] = "", *at = deep;
    for (int i = 0; i < 300; i++, at += strlen(at))
        strcpy(at, "rgb(from ");
    assert_no_color(deep);
}

static void test_color_spaces(void **state)
{
    (void)state;
    assert_near_color("hwb(120 0% 0%)", 0, 255, 0);
    assert_near_color("hwb(90deg 20 40)", 102, 153, 51);
    assert_near_color("hwb(0 80% 80%)", 128, 128, 128);
    assert_near_color("lab(46.2775% -47.5621 48.5837)", 0, 128, 0);
    assert_near_color("lab(100 0 0)", 255, 255, 255);
    assert_near_color("lch(46.2775% 67.9892 134.3912)", 0, 128, 0);
    assert_near_color("oklab(51.975% -0.1403 0.10768)", 0, 128, 0);
    assert_near_color("oklch(0.51975 0.17686 142.495)", 0, 128, 0);
    assert_near_color("color(srgb 1 50% 0)", 255, 128, 0);
    assert_near_color("color(srgb-linear 0 0.21586 0)", 0, 128, 0);
    assert_near_color("color(display-p3 0.21604 0.49418 0.13151)", 0, 128, 0);
    assert_near_color("color(display-p3 0 1 0)", 0, 255, 0);
    assert_near_color("color(a98-rgb 0.281363 0.498012 0.116746)", 0, 128, 0);
    assert_near_color("color(prophoto-rgb 0.230479 0.395789 0.129968)", 0, 128, 0);
    assert_near_color("color(rec2020 0.235202 0.431704 0.085432)", 0, 128, 0);
    assert_near_color("color(xyz 0.07719 0.15438 0.02573)", 0, 128, 0);
    assert_near_color("color(xyz-d50 0.08312 0.154746 0.020961)", 0, 128, 0);
    assert_near_color("hsl(calc(120) 100% 25%)", 0, 128, 0);
    assert_near_color("hsl(calc(60deg + 60deg) 100% calc(20% + 5%))", 0, 128, 0);
    assert_near_color("rgb(0 calc(128) 0)", 0, 128, 0);
    assert_near_color("rgb(0, max(3, 128), 0)", 0, 128, 0);
    assert_near_color("rgb(0 128 0 / calc(1))", 0, 128, 0);
    assert_no_color("rgb(0 calc(1px) 0)");
    assert_no_color("rgb(0 calc(128deg) 0)");
    assert_no_color("rgb(0 calc(128 0)");
    assert_near_color("light-dark(red, blue)", 255, 0, 0);
    assert_near_color("CanvasText", 0, 0, 0);
    assert_near_color("Mark", 255, 255, 0);
    assert_near_color("ActiveText", 255, 0, 0);
    assert_near_color("LinkText", 0, 0, 238);
    assert_near_color("VisitedText", 85, 26, 139);
    assert_near_color("Highlight", 181, 213, 255);
    assert_near_color("SelectedItem", 0, 96, 223);
    assert_near_color("GrayText", 128, 128, 128);
    assert_no_color("color(what 1 1 1)");
    assert_no_color("lab(1, 2, 3)");
    assert_no_color("light-dark(red)");
    assert_no_color("light-dark(red, light-dark(red, blue))");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hexadecimal_colors), cmocka_unit_test(test_named_colors),
        cmocka_unit_test(test_color_functions),    cmocka_unit_test(test_mixed_colors),
        cmocka_unit_test(test_relative_colors),    cmocka_unit_test(test_color_spaces),
    };
    return cmocka_run_group_tests_name("svg colors", tests, NULL, NULL);
}
