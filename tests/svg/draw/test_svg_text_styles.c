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
    return !fonts ||
           pietra_fonts_add_file(fonts, PIETRA_SOURCE_DIR "/tests/font/fonts/shaping.ttf", NULL) != PIETRA_OK ||
           pietra_fonts_add_file(fonts, PIETRA_SOURCE_DIR "/tests/font/fonts/capitals.ttf", NULL) != PIETRA_OK;
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

/* Counts contours and curves of an A under a style sheet. The font makes a B of it (one contour, a curve) by ss07 and
 * by the first choice of cv03, and an A with an accent (two contours) by the third one. */
static void assert_letter(pietra_fonts *fonts, const char *rules, const char *style, size_t contours, size_t curves)
{
    char document[1500];
    pietra_scene scene = {0};
    const pietra_svg_options options = {.fonts = fonts};
    pietra_error error;
    record_text(&scene, "%s", "");
    snprintf(document, sizeof document,
             "<svg xmlns='http://www.w3.org/2000/svg'><style>%s</style>"
             "<text y='10' font-family='Missing, Pietra Capitals' style=\"%s\">A</text></svg>",
             rules, style);
    if (pietra_scene_load_svg(&scene, document, strlen(document), &options, &error, NULL, NULL) != PIETRA_OK)
        fail_msg("%s", error.message);
    size_t found[2] = {0};
    for (const char *at = scene.log; *at; at++) {
        found[0] += *at == 'M';
        found[1] += *at == 'Q';
    }
    if (found[0] != contours || found[1] < curves || (curves == 0 && found[1] > 0))
        fail_msg("%s: %s: %zu contours, %zu curves", rules, style, found[0], found[1]);
    free(scene.log);
}

static void test_alternates(void **state)
{
#define RULES(block) "@font-feature-values Other, pietra capitals {" block "}"
    static const char rules[] =
        RULES("@styleset { none: 3; seven: 2 7; } @character-variant{one:3;three: 3 3} font: x; "
              "@swash { swirl: 1 } @unknown { a: 1 }");
    assert_letter(*state, rules, "", 1, 0);
    assert_letter(*state, rules, "font-variant-alternates: styleset(seven)", 1, 1);
    assert_letter(*state, rules, "font-variant-alternates: styleset(none, seven)", 1, 1);
    assert_letter(*state, rules, "font-variant-alternates: styleset(none) historical-forms", 1, 0);
    assert_letter(*state, rules, "font-variant-alternates: character-variant(one)", 1, 1);
    assert_letter(*state, rules, "font-variant-alternates: character-variant(three) swash(swirl)", 2, 0);
    assert_letter(*state, rules, "font-variant-alternates: character-variant(seven)", 1, 0);
    assert_letter(*state, rules, "font-variant-alternates: seven(seven)", 1, 0);
    assert_letter(*state, rules, "font-variant: small-caps character-variant(three)", 2, 0);
    assert_letter(*state, rules, "font-variant-alternates: styleset(seven); font-variant: small-caps", 1, 0);
    assert_letter(*state, rules, "font-variant-alternates: styleset(seven); font: 10px Pietra Capitals", 1, 0);
    assert_letter(*state, rules, "font-variant-caps: styleset(seven)", 1, 0);
    assert_letter(*state, "@font-feature-values Other { @styleset { seven: 7 } }",
                  "font-variant-alternates: styleset(seven)", 1, 0);
    assert_letter(*state, RULES("@styleset { seven: 7 } @styleset { seven: 1"),
                  "font-variant-alternates: styleset(seven)", 1, 0);
    assert_letter(*state, RULES("@styleset { seven: 7.5; a: 99999999999 } "),
                  "font-variant-alternates: styleset(seven, a)", 1, 0);
}

/* In capitals.ttf the letter A is a B in Serbian and in XYZ, which is not registered, an accent in Malayalam, and an A
 * with an accent in its reformed spelling. */
static void test_language_systems(void **state)
{
    static const struct {
        const char *style;
        size_t contours, curves;
    } cases[] = {
        {"", 1, 0},
        {"font-language-override: 'SRB'", 1, 1},
        {"font-language-override: 'S\\52 B '", 1, 1},
        {"font-language-override: 'MLR'", 2, 0},
        {"font-language-override: 'MAL'; -webkit-locale: 'sr'", 1, 0},
        {"font-language-override: 'XYZ'", 1, 0},
        {"font-language-override: 'srb'", 1, 0},
        {"font-language-override: ' SRB'", 1, 0},
        {"font-language-override: SRB", 1, 0},
        {"font-language-override: 'SRB'; font-language-override: normal", 1, 0},
        {"font-language-override: 'SRB'; font-language-override: 'XYZ'", 1, 0},
        {"font-language-override: 'SRB'; font-language-override: ''", 1, 1},
        {"font-language-override: 'SRB'; font-language-override: 'SRB  '", 1, 1},
        {"font-language-override: 'SRB'; font-language-override: 'SRB' 'SRB'", 1, 1},
        {"font-language-override: 'SRB'; font-language-override: '\303\251'", 1, 1},
        {"font-language-override: 'SRB'; font: 10px Pietra Capitals", 1, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_letter(*state, "", cases[i].style, cases[i].contours, cases[i].curves);
    /* It is inherited, and a tag that is not registered takes it away. */
    assert_letter(*state, "svg{font-language-override:'SRB'}", "", 1, 1);
    assert_letter(*state, "svg{font-language-override:'SRB'}", "font-language-override: 'XYZ'", 1, 0);
}

/* Text in a weight and slant that the font lacks differs from plain text, unless they are not to be imitated. */
static bool is_imitated(pietra_fonts *fonts, const char *style)
{
    char *log = draw(fonts, "", style, "A"), *plain = draw(fonts, "", "", "A");
    const bool imitated = strcmp(log, plain) != 0;
    free(log);
    free(plain);
    return imitated;
}

static void test_synthesis(void **state)
{
    assert_true(is_imitated(*state, "font-weight: 700"));
    assert_true(is_imitated(*state, "font-style: italic"));
    assert_false(is_imitated(*state, "font-weight: 700; font-synthesis: none"));
    assert_false(is_imitated(*state, "font-weight: 700; font-synthesis-weight: none"));
    assert_false(is_imitated(*state, "font-weight: 700; font-synthesis: style small-caps"));
    assert_true(is_imitated(*state, "font-weight: 700; font-synthesis: weight"));
    assert_true(is_imitated(*state, "font-weight: 700; font-synthesis: wait"));
    assert_false(is_imitated(*state, "font-style: oblique; font-synthesis-style: none"));
    assert_true(is_imitated(*state, "font-style: oblique; font-synthesis: none; font-synthesis: initial"));
}

static void test_line_heights(void **state)
{
    static const char *const same[] = {
        "white-space: pre; font: 20px/30px serif", "white-space: pre; font: 20px/ 1.5 serif",
        "white-space: pre; font: 20px / 150% serif", "white-space: pre; font-size: 20px; line-height: 1.5em"};
    char *expected = draw(*state, "", "white-space: pre; font-size: 20px; line-height: 30px", "A\nA");
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++) {
        char *log = draw(*state, "", same[i], "A\nA");
        assert_string_equal(log, expected);
        free(log);
    }
    char *other = draw(*state, "line-height: 30px", "white-space: pre; font: 20px serif", "A\nA");
    assert_string_not_equal(other, expected);
    free(other);
    free(expected);
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

/* A sigma that ends a word is another one. Characters that no font has are drawn as their numbers. */
static void test_sigma(void **state)
{
    char *log = draw(*state, "", "text-transform: lowercase", "\u039f\u03a3 \u03a3\u039f \u03a3");
    char *plain = draw(*state, "", "", "\u03bf\u03c2 \u03c3\u03bf \u03c3");
    assert_string_equal(log, plain);
    free(log);
    free(plain);
}

/* Loads many texts of one letter. Each has features of its own, or all have the same. */
static pietra_result load_texts(pietra_fonts *fonts, bool differ, pietra_error *error)
{
    enum { TEXTS = 2000 };
    static char document[100 * TEXTS];
    const pietra_svg_options options = {.fonts = fonts, .limits = {.steps = 200000}};
    pietra_scene scene = {.silent = true};
    size_t count = (size_t)snprintf(document, sizeof document, "<svg xmlns='http://www.w3.org/2000/svg'>");
    for (int i = 0; i < TEXTS; i++)
        count += (size_t)snprintf(document + count, sizeof document - count,
                                  "<text style='font-feature-settings: \"ss01\" %d'>A</text>", differ ? i + 1 : 1);
    count += (size_t)snprintf(document + count, sizeof document - count, "</svg>");
    const pietra_result result = pietra_scene_load_svg(&scene, document, count, &options, error, NULL, NULL);
    free(scene.log);
    return result;
}

/* HarfBuzz searches all plans that it has made for one of the same features, so each text costs the more, the more
 * there are. */
static void test_features_of_many_texts(void **state)
{
    pietra_error error = {.message = ""};
    assert_int_equal(load_texts(*state, false, &error), PIETRA_OK);
    assert_int_equal(load_texts(*state, true, &error), PIETRA_ERROR_INPUT);
    assert_non_null(strstr(error.message, "steps"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_variants),    cmocka_unit_test(test_alternates),
        cmocka_unit_test(test_synthesis),   cmocka_unit_test(test_line_heights),
        cmocka_unit_test(test_decorations), cmocka_unit_test(test_features_of_many_texts),
        cmocka_unit_test(test_sigma),       cmocka_unit_test(test_language_systems)};
    return cmocka_run_group_tests(tests, make_fonts, drop_fonts);
}
