/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* @font-face: which font a text is set in, and what is said of fonts that are bad.
 *
 * The letter B of `cubic.otf`, the only font of the caller, has a cubic curve; that of `shapes` has a quadratic one. */
#define _DEFAULT_SOURCE /* for mkdtemp and truncate */

#include "svg/record.h"

#include <unistd.h>

#include "pietra/pietra_text.h"

#define FOLDER PIETRA_SOURCE_DIR "/tests/font/fonts"
#define MOST_WARNINGS 8

typedef struct warnings {
    char lines[MOST_WARNINGS][300];
    unsigned numbers[MOST_WARNINGS];
    size_t count;
} warnings;

static void take_warning(void *user, unsigned line, const char *message)
{
    warnings *taken = user;
    assert_true(taken->count < MOST_WARNINGS);
    taken->numbers[taken->count] = line;
    snprintf(taken->lines[taken->count++], sizeof taken->lines[0], "%s", message);
}

static char *read_file(const char *name, size_t *count)
{
    char path[500];
    snprintf(path, sizeof path, FOLDER "/%s", name);
    FILE *file = fopen(path, "rb");
    char *bytes = malloc(10000);
    assert_true(file && bytes);
    *count = fread(bytes, 1, 10000, file);
    assert_true(*count > 0 && *count < 10000);
    fclose(file);
    return bytes;
}

/* Writes a data URL of the first bytes of a file, in url(). */
static const char *data_url(const char *name, size_t most, char *to)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    size_t count;
    char *bytes = read_file(name, &count), *at = to + sprintf(to, "url(data:font/ttf;base64,");
    count = count < most ? count : most;
    for (size_t i = 0; i < count; i += 3) {
        uint32_t three = 0;
        for (size_t k = 0; k < 3; k++)
            three = three << 8 | (i + k < count ? (uint8_t)bytes[i + k] : 0u);
        for (int shift = 18; shift >= 0; shift -= 6)
            *at++ = digits[three >> shift & 63];
    }
    for (size_t i = count % 3 ? 3 - count % 3 : 0; i > 0; i--)
        at[-(ptrdiff_t)i] = '=';
    strcpy(at, ")");
    free(bytes);
    return to;
}

/* Sets a text and returns the letter of the first curve of each outline. */
static const char *curves_of(const char *style, const char *text, pietra_fonts *fonts, const char *folder,
                             warnings *taken)
{
    static char curves[100];
    static char document[60000];
    pietra_scene scene = {0};
    pietra_error error = {0};
    size_t count = 0;
    snprintf(document, sizeof document, "<svg xmlns='http://www.w3.org/2000/svg'>\n<style>%s</style>%s</svg>", style,
             text);
    const pietra_svg_options options = {
        .fonts = fonts, .warning = take_warning, .warning_user = taken, .resources_directory = folder};
    taken->count = 0;
    assert_int_equal(pietra_scene_load_svg(&scene, document, strlen(document), &options, &error, NULL, NULL),
                     PIETRA_OK);
    for (size_t i = 0, met = 1; i < scene.count && count + 1 < sizeof curves; i++)
        if (scene.log[i] == 'M') {
            met = 0;
        } else if (!met && (scene.log[i] == 'Q' || scene.log[i] == 'C')) {
            curves[count++] = scene.log[i];
            met = 1;
        }
    curves[count] = '\0';
    free(scene.log);
    return curves;
}

#define TEXT_OF(attributes, letters) "<text font-size='10' y='10' " attributes ">" letters "</text>"

/* Asserts the curves of a text in family W, without a warning. */
static void assert_curves(pietra_fonts *fonts, const char *style, const char *text, const char *curves)
{
    warnings taken;
    const char *const found = curves_of(style, text, fonts, FOLDER, &taken);
    if (strcmp(found, curves) != 0 || taken.count > 0)
        fail_msg("%s instead of %s: %.200s %s", found, curves, style, taken.count ? taken.lines[0] : "");
}

static int make_fonts(void **state)
{
    pietra_fonts *fonts = pietra_fonts_create();
    *state = fonts;
    return !fonts || pietra_fonts_add_file(fonts, FOLDER "/cubic.otf", NULL) != PIETRA_OK;
}

static int drop_fonts(void **state)
{
    pietra_fonts_destroy(*state);
    return 0;
}

static void test_sources(void **state)
{
    static const char *const files[] = {"shapes.ttf", "shapes.woff", "shapes.woff2"};
    char url[5000], style[9000];
    assert_curves(*state, "", TEXT_OF("font-family='W'", "B"), "C");
    for (size_t i = 0; i < 3; i++) {
        data_url(files[i], SIZE_MAX, url);
        snprintf(style, sizeof style, "@font-face{font-family:W;src:%s}", url);
        assert_curves(*state, style, TEXT_OF("font-family='W'", "B"), "Q");
        assert_curves(*state, style, TEXT_OF("font-family='w'", "B"), "Q");
        assert_curves(*state, style, TEXT_OF("font-family='X, W'", "B"), "Q");
        assert_curves(*state, style, TEXT_OF("", "B"), "C");
        snprintf(style, sizeof style, "@font-face{font-family:W;src:url('%s')}", files[i]);
        assert_curves(*state, style, TEXT_OF("font-family='W'", "B"), "Q");
    }
    assert_curves(*state, "@font-face{font-family:'W';src:local('Pietra Cubic'),url(shapes.ttf)}",
                  TEXT_OF("font-family='W'", "B"), "C");
    assert_curves(*state, "@font-face{font-family:'W';src:local(PietraCubic-Regular),url(shapes.ttf)}",
                  TEXT_OF("font-family='W'", "B"), "C");
    assert_curves(*state, "@font-face{font-family:'W';src:local('Pietra Cubic Bold'),url(shapes.ttf)}",
                  TEXT_OF("font-family='W'", "B"), "Q");
    assert_curves(*state,
                  "@font-face{font-family:W;src:url(none.eot) format('embedded-opentype'),"
                  "url(none.ttf) tech(incremental), url(shapes.woff2) format(woff2) tech(variations)}",
                  TEXT_OF("font-family='W'", "B"), "Q");
    assert_curves(*state, "@font-face{src:url(shapes.ttf)}@font-face{font-family:W}", TEXT_OF("font-family='W'", "B"),
                  "C");
    assert_curves(*state, "@media print{@font-face{font-family:W;src:url(shapes.ttf)}}",
                  TEXT_OF("font-family='W'", "B"), "C");
    assert_curves(*state,
                  "@font-face{font-family:W;src:local('Pietra Cubic')}@font-face{font-family:W;src:url(shapes.ttf)}",
                  TEXT_OF("font-family='W'", "B"), "Q");
}

static void test_bad_sources(void **state)
{
    char cut[5000], style[9000];
    warnings taken;
    data_url("shapes.woff2", 100, cut);
    snprintf(style, sizeof style, "\n@font-face{font-family:W;src:%s, url(shapes.ttf)}", cut);
    assert_string_equal(curves_of(style, TEXT_OF("font-family='W'", "BB"), *state, FOLDER, &taken), "QQ");
    assert_int_equal(taken.count, 1);
    assert_int_equal(taken.numbers[0], 3);
    assert_non_null(strstr(taken.lines[0], "a font of \"W\" is passed over: "));
    /* Nothing is left of the family, so the next one is taken. */
    snprintf(style, sizeof style, "@font-face{font-family:W;src:%s}", cut);
    assert_string_equal(curves_of(style, TEXT_OF("font-family='W'", "BB"), *state, FOLDER, &taken), "CC");
    assert_int_equal(taken.count, 1);
    /* A font for which no text asks is not fetched. */
    assert_string_equal(curves_of(style, TEXT_OF("", "B"), *state, FOLDER, &taken), "C");
    assert_int_equal(taken.count, 0);
    /* Files are read only if that is allowed, and below the folder. */
    const char *const file = "@font-face{font-family:W;src:url(shapes.ttf)}";
    assert_string_equal(curves_of(file, TEXT_OF("font-family='W'", "B"), *state, NULL, &taken), "C");
    assert_int_equal(taken.count, 1);
    assert_non_null(strstr(taken.lines[0], "only files below the resources directory are read"));
    assert_string_equal(curves_of("@font-face{font-family:W;src:url(../fonts/../build_font.c)}",
                                  TEXT_OF("font-family='W'", "B"), *state, FOLDER, &taken),
                        "C");
    assert_int_equal(taken.count, 1);
    assert_string_equal(curves_of("@font-face{font-family:W;src:url(http://x.org/a.ttf)}",
                                  TEXT_OF("font-family='W'", "B"), *state, FOLDER, &taken),
                        "C");
    assert_int_equal(taken.count, 1);
}

static void test_unicode_range(void **state)
{
#define RANGED(range) "@font-face{font-family:W;src:url(shapes.ttf);unicode-range:" range "}"
    assert_curves(*state, RANGED("U+42"), TEXT_OF("font-family='W'", "B"), "Q");
    assert_curves(*state, RANGED("u+41-43"), TEXT_OF("font-family='W'", "B"), "Q");
    assert_curves(*state, RANGED("U+0, U+4?"), TEXT_OF("font-family='W'", "B"), "Q");
    assert_curves(*state, RANGED("U+??"), TEXT_OF("font-family='W'", "B"), "Q");
    assert_curves(*state, RANGED("U+41, U+43-10FFFF"), TEXT_OF("font-family='W'", "B"), "C");
    assert_curves(*state, RANGED("U+20-41"), TEXT_OF("font-family='W'", "B"), "C");
    /* One in error is left out: the font is for all characters. */
    assert_curves(*state, RANGED("U+41, 42"), TEXT_OF("font-family='W'", "B"), "Q");
    assert_curves(*state, RANGED("U+4?-50"), TEXT_OF("font-family='W'", "B"), "Q");
    assert_curves(*state, RANGED("U+50-41"), TEXT_OF("font-family='W'", "B"), "Q");
    /* U+1F600 has the shape of B. */
    assert_curves(*state, RANGED("U+1F600"), TEXT_OF("font-family='W'", "B&#x1f600;B"), "CQC");
}

static void test_styles(void **state)
{
#define STYLED(descriptors) "@font-face{font-family:W;src:url(shapes.ttf);" descriptors "}"
#define CUBIC "@font-face{font-family:W;src:local('Pietra Cubic');"
    assert_curves(*state, CUBIC "}" STYLED("font-weight:bold"), TEXT_OF("font-family='W'", "B"), "C");
    assert_curves(*state, CUBIC "}" STYLED("font-weight:bold"), TEXT_OF("font-family='W' font-weight='700'", "B"), "Q");
    assert_curves(*state, CUBIC "font-weight:100 300}" STYLED("font-weight:900 600"),
                  TEXT_OF("font-family='W' font-weight='250'", "B"), "C");
    assert_curves(*state, CUBIC "font-weight:100 300}" STYLED("font-weight:900 600"),
                  TEXT_OF("font-family='W' font-weight='800'", "B"), "Q");
    assert_curves(*state, CUBIC "}" STYLED("font-style:italic"), TEXT_OF("font-family='W' font-style='italic'", "B"),
                  "Q");
    assert_curves(*state, CUBIC "}" STYLED("font-style:oblique 10deg 20deg"),
                  TEXT_OF("font-family='W' style='font-style:oblique 15deg'", "B"), "Q");
    assert_curves(*state, CUBIC "}" STYLED("font-stretch:50% 75%"),
                  TEXT_OF("font-family='W' font-stretch='condensed'", "B"), "Q");
    assert_curves(*state, CUBIC "}" STYLED("font-stretch:50% 75%"), TEXT_OF("font-family='W'", "B"), "C");
    warnings taken;
    curves_of(STYLED("size-adjust:90%;font-display:swap"), TEXT_OF("font-family='W'", "B"), *state, FOLDER, &taken);
    assert_int_equal(taken.count, 1);
    assert_string_equal(taken.lines[0], "size-adjust of @font-face is left out");
}

/* A variable font stands where the text asks, within what the rule states. */
static void test_axes(void **state)
{
    static const struct {
        const char *descriptor, *weight;
        bool bold;
    } cases[] = {
        {"", "400", false}, {"", "900", true}, {"font-weight:400", "900", false}, {"font-weight:100 900", "900", true}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char style[300], text[200];
        warnings taken;
        pietra_scene scene = {0};
        snprintf(style, sizeof style, "@font-face{font-family:W;src:url(variable.ttf);%s}", cases[i].descriptor);
        snprintf(text, sizeof text, "<text font-family='W' font-size='1000' font-weight='%s'>A</text>",
                 cases[i].weight);
        char document[700];
        snprintf(document, sizeof document, "<svg xmlns='http://www.w3.org/2000/svg'><style>%s</style>%s</svg>", style,
                 text);
        const pietra_svg_options options = {
            .fonts = *state, .warning = take_warning, .warning_user = &taken, .resources_directory = FOLDER};
        taken.count = 0;
        assert_int_equal(pietra_scene_load_svg(&scene, document, strlen(document), &options, NULL, NULL, NULL),
                         PIETRA_OK);
        assert_int_equal(taken.count, 0);
        /* The point at x = 580 moves by 101, or a little where weight is imitated. */
        assert_int_equal(strstr(scene.log, "681 ") != NULL, cases[i].bold);
        free(scene.log);
    }
}

static void test_limits(void **state)
{
    char style[9000] = "", text[9000] = "<text>";
    for (int i = 0; i < 65; i++) {
        sprintf(style + strlen(style), "@font-face{font-family:W%d;src:url(shapes.ttf)}", i);
        sprintf(text + strlen(text), "<tspan font-family='W%d'>B</tspan>", i);
    }
    strcat(text, "</text>");
    static char document[20000];
    pietra_scene scene = {0};
    pietra_error error;
    snprintf(document, sizeof document, "<svg xmlns='http://www.w3.org/2000/svg'><style>%s</style>%s</svg>", style,
             text);
    pietra_svg_options options = {.fonts = *state, .resources_directory = FOLDER};
    assert_int_equal(pietra_scene_load_svg(&scene, document, strlen(document), &options, &error, NULL, NULL),
                     PIETRA_ERROR_INPUT);
    assert_non_null(strstr(error.message, "more than 64 fonts"));
    options.limits.fonts = 65;
    assert_int_equal(pietra_scene_load_svg(&scene, document, strlen(document), &options, &error, NULL, NULL),
                     PIETRA_OK);
    pietra_scene other = {0};
    options.limits.font_bytes = 5000;
    assert_int_equal(pietra_scene_load_svg(&other, document, strlen(document), &options, &error, NULL, NULL),
                     PIETRA_ERROR_INPUT);
    assert_non_null(strstr(error.message, "more than 5000 bytes of all these fonts"));
    free(scene.log);
    free(other.log);
}

/* A file that is too large for a font is not read: this one takes no room on the disk. */
static void test_large_file(void **state)
{
    char folder[] = "/tmp/pietra-fonts-XXXXXX", path[100];
    warnings taken;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/large.ttf", folder);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(truncate(path, (off_t)1 << 30), 0);
    assert_string_equal(curves_of("@font-face{font-family:W;src:url(large.ttf)}", TEXT_OF("font-family='W'", "B"),
                                  *state, folder, &taken),
                        "C");
    assert_int_equal(taken.count, 1);
    assert_string_equal(taken.lines[0], "a font of \"W\" is passed over: it is too large for a font");
    remove(path);
    rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sources),    cmocka_unit_test(test_bad_sources), cmocka_unit_test(test_unicode_range),
        cmocka_unit_test(test_styles),     cmocka_unit_test(test_axes),        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_large_file),
    };
    return cmocka_run_group_tests(tests, make_fonts, drop_fonts);
}
