/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Properties of text whose values meet: shorthands and their longhands.
 *
 * In the font A and B have a ligature, which has no curve; B alone has one. */
#include "svg/record.h"

#include "pietra/pietra_text.h"

static int make_fonts(void **state)
{
    pietra_fonts *fonts = pietra_fonts_create();
    *state = fonts;
    return !fonts || pietra_fonts_add_file(fonts, PIETRA_SOURCE_DIR "/tests/font/fonts/shaping.ttf", NULL) != PIETRA_OK;
}

static int drop_fonts(void **state)
{
    pietra_fonts_destroy(*state);
    return 0;
}

/* Returns what drawing a text in elements of these styles gives. The caller frees it. */
static char *draw(pietra_fonts *fonts, const char *outer, const char *inner, const char *letters)
{
    char document[1000];
    pietra_scene scene = {0};
    const pietra_svg_options options = {.fonts = fonts};
    pietra_error error;
    record_text(&scene, "%s", "");
    snprintf(document, sizeof document,
             "<svg xmlns='http://www.w3.org/2000/svg'><g style='%s'><text y='10' style='%s'>%s</text></g></svg>", outer,
             inner, letters);
    if (pietra_scene_load_svg(&scene, document, strlen(document), &options, &error, NULL, NULL) != PIETRA_OK)
        fail_msg("%s", error.message);
    return scene.log;
}

static bool has_ligature(pietra_fonts *fonts, const char *outer, const char *inner)
{
    char *log = draw(fonts, outer, inner, "AB");
    const bool has = !strchr(log, 'Q');
    free(log);
    return has;
}

static void test_variants(void **state)
{
    static const struct {
        const char *outer, *inner;
        bool ligature;
    } cases[] = {
        {"", "", true},
        {"", "font-variant: no-common-ligatures", false},
        {"font-variant: no-common-ligatures", "", false},
        {"font-variant-ligatures: no-common-ligatures", "font-variant-numeric: tabular-nums", false},
        {"font-variant-ligatures: no-common-ligatures", "font-variant-caps: small-caps", false},
        {"font-variant-ligatures: no-common-ligatures", "font-variant: small-caps", true},
        {"font-variant-ligatures: none", "font-variant-ligatures: normal", true},
        {"font-variant-ligatures: none", "font-variant: initial", true},
        {"font-variant-ligatures: none", "font-variant: inherit", false},
        {"font-variant: none", "font: 10px serif", true},
        {"font-variant: none", "font-variant-caps: no-common-ligatures", false},
        {"", "font-variant-caps: no-common-ligatures", true},
        {"", "font-variant-numeric: no-common-ligatures", true},
        {"", "font-variant: no-common-ligatures foo", true},
        {"", "font-variant: none; font-variant-numeric: ordinal", false},
        {"", "font-variant-ligatures: none; font-variant: ordinal", true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        if (has_ligature(*state, cases[i].outer, cases[i].inner) != cases[i].ligature)
            fail_msg("'%s' and '%s': %s", cases[i].outer, cases[i].inner, cases[i].ligature ? "none" : "a ligature");
}

static size_t count_of(pietra_fonts *fonts, const char *outer, const char *inner, const char *what)
{
    char *log = draw(fonts, outer, inner, "A");
    size_t count = 0;
    for (const char *at = strstr(log, what); at; at = strstr(at + 1, what))
        count++;
    free(log);
    return count;
}

static void test_decorations(void **state)
{
    /* The letter and its line are a contour each, and a second line is one more. */
    assert_int_equal(count_of(*state, "", "text-decoration: underline", "M"), 2);
    assert_int_equal(count_of(*state, "", "text-decoration: underline double", "M"), 3);
    assert_int_equal(count_of(*state, "", "text-decoration: underline; text-decoration-style: double", "M"), 3);
    assert_int_equal(count_of(*state, "", "text-decoration-style: double; text-decoration: underline", "M"), 2);
    assert_int_equal(count_of(*state, "", "text-decoration-style: double; text-decoration-line: underline", "M"), 3);
    assert_int_equal(count_of(*state, "text-decoration: underline double", "", "M"), 3);
    assert_int_equal(count_of(*state, "text-decoration: underline double", "text-decoration: none", "M"), 3);
    assert_int_equal(count_of(*state, "", "text-decoration: underline red", "#ff0000"), 1);
    assert_int_equal(count_of(*state, "", "fill: lime; text-decoration: underline", "#00ff00"), 2);
    assert_int_equal(count_of(*state, "", "text-decoration: underline 0px", "M"), 1);
    assert_int_equal(count_of(*state, "", "text-decoration: underline; text-underline-offset: 77px", "M0 87L"), 1);
    assert_int_equal(count_of(*state, "text-underline-offset: 77px", "text-decoration: underline 25%", " 91L"), 1);
    /* Too many dots are a line, and no dots a dot. */
    assert_int_equal(count_of(*state, "", "text-decoration: underline dotted 1e-7px", "M"), 2);
    assert_int_equal(count_of(*state, "", "text-decoration: underline dotted 999px", "M"), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_variants), cmocka_unit_test(test_decorations)};
    return cmocka_run_group_tests(tests, make_fonts, drop_fonts);
}
