/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Warnings: which documents cause one, and that text from a document does no harm in them. */
#include "base/utf8.h"
#include "svg/tree/warnings.h"
#include "svg/xml/builder.h"

static void count_warning(void *user, uint32_t line, const char *message)
{
    char *log = user;
    snprintf(log + strlen(log), 1000 - strlen(log), "%u %s\n", line, message);
}

static void test_warnings(void **state)
{
    (void)state;
    static const char document[] =
        "<svg>\n<text/><text/>\n<foo/><foo/>\n<rect width='1' height='1' filter='url(f.svg#f)'/><g mask='url(#m)'/>\n"
        "<style/><image/><defs><foreignObject/></defs></svg>";
    char log[1000] = "";
    pietra_svg_options options = {.warning = count_warning, .warning_user = log};
    pietra_scene scene = {.silent = true};
    double width, height;
    assert_int_equal(pietra_scene_load_svg(&scene, document, sizeof document - 1, &options, NULL, &width, &height),
                     PIETRA_OK);
    assert_string_equal(
        log, "3 <foo> is not known and left out\n4 filters of other files are left out\n2 <text> is left out\n");
}

/* Documents in images share one amount of bytes to which entities may expand, so they cannot use it up repeatedly. */
static void test_entities_of_images(void **state)
{
    (void)state;
    builder inner = {0}, outer = {0};
    char log[1000] = "";
    pietra_svg_options options = {.warning = count_warning, .warning_user = log};
    pietra_scene scene = {.silent = true};
    add(&inner, "<!DOCTYPE svg [<!ENTITY a '%0900d'>]>" SVG_OPEN SHAPE "<desc>", 0);
    add_times(&inner, "&a;", 1000);
    add(&inner, "</desc></svg>");
    add(&outer, SVG_OPEN "<image width='9' height='9' href=\"data:image/svg+xml,");
    for (size_t i = 0; i < inner.count; i++)
        add(&outer, "%%%02x", (uint8_t)inner.bytes[i]);
    add(&outer, "\"/></svg>");
    assert_int_equal(pietra_scene_load_svg(&scene, outer.bytes, outer.count, &options, NULL, NULL, NULL), PIETRA_OK);
    assert_non_null(strstr(log, "limit \"entity_bytes\""));
    free(outer.bytes);
    assert_calls(&inner, 1);
}

static void test_warnings_of_properties(void **state)
{
    (void)state;
    static const char plain[] = "<svg><path/>\n<path style='stroke-linejoin:miter-clip;mask:image-set(\"a\" 1x)'/>"
                                "<path mask='url(#a), url(#b)'/></svg>";
    static const char styled[] =
        "<svg>\n<style>path{mask:url(#a) exclude, url(#b)}</style><path style='mask:url(#a) intersect, none, url(#b)'/>\n"
        "<path style='mask-mode:alpha'/></svg>";
    static const char left_out[] =
        "of a mask other images are left out, and layers that are subtracted or put together in several ways\n";
    char log[1000] = "";
    pietra_svg_options options = {.warning = count_warning, .warning_user = log};
    pietra_scene scene = {.silent = true};
    assert_int_equal(pietra_scene_load_svg(&scene, plain, sizeof plain - 1, &options, NULL, NULL, NULL), PIETRA_OK);
    assert_true(log[0] == '2' && log[1] == ' ');
    assert_string_equal(log + 2, left_out);
    log[0] = '\0';
    assert_int_equal(pietra_scene_load_svg(&scene, styled, sizeof styled - 1, &options, NULL, NULL, NULL), PIETRA_OK);
    assert_true(log[0] == '2' && log[1] == ' ');
    assert_string_equal(log + 2, left_out);
}

/* A mask is cut where a layer that would show, or would be put together with one that shows, is left out. */
static void test_warnings_of_masks(void **state)
{
    (void)state;
    static const struct {
        const char *value;
        bool cut;
    } cases[] = {
        {"url(#a), linear-gradient(red,blue)", false},
        {"linear-gradient(red,blue), url(#a)", false},
        {"repeating-conic-gradient(red,blue), url(#a)", true},
        {"image-set(url(a) 1x)", true},
        {"linear-gradient(red,blue) center / cover no-repeat border-box", false},
        {"linear-gradient(red,blue) 3px 0 / 50% fill-box", false},
        {"linear-gradient(red,blue) exclude, url(#a), url(#b)", true},
        {"url(#a), url(#b) top", false},
        {"url(#a), url(#b) exclude, url(#c)", true},
        {"url(#a), none top, url(#b)", false},
        {"url(#a) exclude", false},
        {"linear-gradient(var(--x),blue)", false},
        {"url(a.png)", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char document[200], log[1000] = "";
        pietra_svg_options options = {.warning = count_warning, .warning_user = log};
        pietra_scene scene = {.silent = true};
        snprintf(document, sizeof document, "<svg><g mask='%s'/></svg>", cases[i].value);
        assert_int_equal(pietra_scene_load_svg(&scene, document, strlen(document), &options, NULL, NULL, NULL),
                         PIETRA_OK);
        if ((strstr(log, "of a mask other") != NULL) != cases[i].cut)
            fail_msg("%s: %s", cases[i].value, log);
    }
}

static void log_warnings(const char *document, char *log)
{
    pietra_svg_options options = {.warning = count_warning, .warning_user = log};
    pietra_scene scene = {.silent = true};
    log[0] = '\0';
    assert_int_equal(pietra_scene_load_svg(&scene, document, strlen(document), &options, NULL, NULL, NULL), PIETRA_OK);
}

/* Whatever of a style sheet is left out is said, with the line of its rule. */
static void test_warnings_of_sheets(void **state)
{
    (void)state;
    static const struct {
        const char *rule, *warning;
    } cases[] = {
        {"@supports (fill: red){@foo{}}", "the rules of @foo are left out"},
        {"@layer x{\n@supports (fill: red){@foo{}}}", "10 the rules of @foo are left out"},
        {"a{fill:red;\n/*\n*/b:foo{}}", "11 the rules of a selector that is not understood are left out: b:foo"},
        {"a{fill:red;\nb{}\nbackground-image:url(x)}", "the property background-image is left out"},
        {"@container (width>1px){a{}}", "the rules of @container are left out"},
        {"a{mask-image:repeating-conic-gradient(red,blue)}", "of a mask other images are left out"},
        {"a{backdrop-filter:blur(2px) url(#b)}", "url() of the property backdrop-filter is left out"},
        {"a{all:revert-layer}", "revert-layer is left out"},
        {"svg{background:linear-gradient(red,blue)}", "of a background all but a colour is left out"},
        {"svg{background:red url(x.png)}", "of a background all but a colour is left out"},
        {"a{animation:x 1s}", "the property animation is left out"},
        {":dir(ltr){fill:red}", "selectors of a direction match nothing: :dir(ltr)"},
        {"a:has(b:has(c)){fill:red}", "the rules of a selector that is not understood are left out: a:has(b:has(c))"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char document[400], log[1000], wanted[200];
        snprintf(document, sizeof document,
                 "<svg>\n<style>\n\nb{\nfill:red}<!--\n--> /*\n*/\n<![CDATA[\n%s]]></style></svg>", cases[i].rule);
        log_warnings(document, log);
        const bool has_line = cases[i].warning[0] >= '0' && cases[i].warning[0] <= '9';
        snprintf(wanted, sizeof wanted, "%s%s", has_line ? "" : "9 ", cases[i].warning);
        if (strncmp(log, wanted, strlen(wanted)) != 0 || strchr(log, '\n') != log + strlen(log) - 1)
            fail_msg("%s: %s", cases[i].rule, log);
    }
}

/* Every row of property.def that is about what is left out leads to a warning, where something is left out. */
static void test_warnings_of_left_out_properties(void **state)
{
    (void)state;
    static const struct {
        const char *name, *value, *harmless;
    } rows[] = {
#define PROPERTY(id, name, kind, inheritance, parser, field, initial, state, note) {#id, name, NULL},
#define NODE_PROPERTY(id, name, kind, reader, state, note) {#id, name, NULL},
#define LEFT_OUT_WORD(id, word) {#id, NULL, word},
#define REPORTED(name, kind, harmless, note) {name, "", harmless},
#include "svg/tree/property.def"
    };
    const char *property = "";
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char document[300], log[1000], wanted[200];
        const bool word = !rows[i].value;
        if (!word && !rows[i].harmless) {
            property = rows[i].value;
            continue;
        }
        snprintf(document, sizeof document, "<svg>\n<g style='%s:%s'/></svg>", word ? property : rows[i].name,
                 word ? rows[i].harmless : "3");
        snprintf(wanted, sizeof wanted, "2 %s%s%s is left out\n", word ? rows[i].harmless : "the property ",
                 word ? " of the property " : "", word ? property : rows[i].name);
        log_warnings(document, log);
        if (strcmp(log, wanted) != 0)
            fail_msg("%s: \"%s\", not \"%s\"", document, log, wanted);
        snprintf(document, sizeof document, "<svg>\n<g style='%s:%.*s'/></svg>", word ? property : rows[i].name,
                 word ? 6 : (int)strcspn(rows[i].harmless, "|"), word ? "revert" : rows[i].harmless);
        log_warnings(document, log);
        if (log[0])
            fail_msg("%s: %s", document, log);
    }
}

/* What of elements, attributes and values is left out is said, too. */
static void test_warnings_of_documents(void **state)
{
    (void)state;
    static const struct {
        const char *document, *warning;
    } cases[] = {
        {"<animate/>", "<animate> is not known and left out"},
        {"<use href='#none'/>", "a <use> is left out: there is no element #none"},
        {"<rect width='4' height='4' filter='url(#none)'/>", "an element is left out: there is no filter #none"},
        {"<g onload='x()'/>", "scripts are not run"},
        {"<g xml:base='x'/>", "xml:base is left out"},
        {"<g clip='rect(0,0,0,0)'/>", "the property clip is left out"},
        {"<g glyph-orientation-vertical='90'/>", "the property glyph-orientation-vertical is left out"},
        {"<textPath method='stretch'/>", "method=\"stretch\" of <textPath> is left out"},
        {"<textPath href='x.svg#p'/>", "what <textPath> takes from another file is left out"},
        {"<tref href='x.svg#p'/>", "what <tref> takes from another file is left out"},
        {"<pattern href='x.svg#p'/>", "what <pattern> takes from another file is left out"},
        {"<linearGradient href='x.svg#p'/>", "what <linearGradient> takes from another file is left out"},
        {"<radialGradient href=' x.svg#p'/>", "what <radialGradient> takes from another file is left out"},
        {"<g fill='url(x.svg#g)'/>", "paints, clips and markers of other files are left out"},
        {"<g stroke='url( \"x.svg#g\") red'/>", "paints, clips and markers of other files are left out"},
        {"<g filter='blur(1px) url(x.svg#g)'/>", "filters of other files are left out"},
        {"<filter href='x.svg#p'/>", "what <filter> takes from another file is left out"},
        {"<filter id='f'><feOffset in='BackgroundImage'/></filter><path d='M0 0h9v9z' filter='url(#f)'/>",
         "BackgroundImage as the input of a filter is left out"},
        {"<g clip-path='url(x.svg#g)'/>", "paints, clips and markers of other files are left out"},
        {"<g style='marker:url(x.svg#g)'/>", "paints, clips and markers of other files are left out"},
        {"<rect width='1' height='1' style='mask:url(x.svg#m)'/>",
         "an image is left out: only files below the resources directory are read, if that is asked for"},
        {"<rect width='1' height='1' mask='url(data:image/svg+xml,%3Csvg>%3Cmask%20id=%22m%22/>%3C/svg>#m)'/>",
         "masks of other documents are left out"},
        {"<g style='fill:attr(x)'/>", "values with attr() are left out"},
        {"<g style='opacity:calc(1 - sin(1))'/>", "values with sin() are left out"},
        {"<g style='fill:--f(1)'/>", "values with --f() are left out"},
        {"<g style='color-scheme:only dark'/>", "a dark canvas and dark system colours are left out"},
        {"<g style='rotate:x 30deg'/>", "rotations out of the plane are left out"},
        {"<g style='rotate:0 1 0 30deg'/>", "rotations out of the plane are left out"},
        {"<g kerning='2'/>", "of the property kerning lengths other than 0 are left out"},
        {"<g style='font-language-override:\"XYZ\"'/>",
         "tags of the property font-language-override that OpenType does not register are left out"},
        {"<style>@property --x{syntax:'*';inherits:false}</style>", "the rules of @property are left out"},
        {"<style>a::first-letter{fill:red}</style>",
         "selectors of a first letter or line match nothing: a::first-letter"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char document[400], log[1000], wanted[200];
        snprintf(document, sizeof document, "<svg>\n%s</svg>", cases[i].document);
        snprintf(wanted, sizeof wanted, "2 %s\n", cases[i].warning);
        log_warnings(document, log);
        if (strcmp(log, wanted) != 0)
            fail_msg("%s: %s", document, log);
    }
}

/* Documents in images have lines of their own, which say nothing to who reads the outermost one. */
static void test_warnings_of_images(void **state)
{
    (void)state;
    char log[1000];
    log_warnings(
        "<svg>\n\n<image width='9' height='9' href='data:image/svg+xml,%3Csvg>%3Cfoo/>%3C/svg>'/>\n<bar/></svg>", log);
    assert_string_equal(log, "4 <bar> is not known and left out\n3 <foo> is not known and left out\n");
}

/* Names can be invented without end, so warnings end somewhere, but not in silence. */
static void count_lines(void *user, uint32_t line, const char *message)
{
    unsigned *count = user;
    ++*count;
    if (line == 0)
        assert_string_equal(message, "more is left out than is shown here");
    assert_true((line == 0) == (*count == 201));
}

static void test_warnings_end(void **state)
{
    (void)state;
    char document[5000] = "<svg>";
    unsigned count = 0;
    pietra_svg_options options = {.warning = count_lines, .warning_user = &count};
    pietra_scene scene = {.silent = true};
    for (int i = 0; i < 300; i++)
        snprintf(document + strlen(document), 20, "<x%d/>", i);
    strcat(document, "</svg>");
    assert_int_equal(pietra_scene_load_svg(&scene, document, strlen(document), &options, NULL, NULL, NULL), PIETRA_OK);
    assert_int_equal(count, 201);
}

/* What changes no picture, and what is written for other programs, is not reported. */
static void test_no_warnings(void **state)
{
    (void)state;
    static const char *const silent[] = {
        "<style>@font-face{src:url(x)}@keyframes x{}@-moz-document x{a{}}@page{}@layer a,b;@charset 'x';</style>",
        "<style>@supports (a:b){@foo{}}@supports (mask:url(#a) top){a{}}@supports selector(:foo){}a{&amp;:hover{}}</style>",
        "<g style='&amp;:hover{fill:red}'/><style>@property --x{syntax:'*'}@layer x{a{b{}}}</style>",
        "<style>a{-inkscape-stroke:none;-webkit-mask:linear-gradient(red,blue);-moz-animation:x}</style>",
        "<style>a{font-language-override:normal;font-language-override:'SRB '}</style>",
        "<style>a{animation:none;background:rgb(1,2,3);backdrop-filter:none;backdrop-filter:blur(2px);unheard:of}</style>",
        "<style>a{mask-image:radial-gradient(red,blue);mask-size:cover;mask-position:0 50%;mask-repeat:space}</style>",
        "<style>a:has(b),:lang(de){all:unset}</style>",
        "<x:y xmlns:x='urn:x' style='animation:x'/><style/><x:y xmlns:x='urn:x' style='animation:x'/>",
        "<x:y xmlns:x='urn:x' mask='url(a) top' clip='x' onload='y' xml:base='z' style='transform:rotateX(1deg)'/>",
        "<g fill='url(#a) red' stroke='url( \"#a\")' style='rotate:0 0 1 30deg;scale:1 1 2;color-scheme:light dark'/>",
        "<linearGradient xlink:href='#a'/><textPath method='align' spacing='auto'/><g kerning='0.0' clip='auto'/>",
        "<g text-shadow='x' zoom='2' onclick='x' style='cursor:pointer;pointer-events:none;will-change:opacity'/>",
        "<style>@property --x{syntax:'*';inherits:true}a::before{content:'x'}</style>",
        "<x:y xmlns:x='urn:x' style='animation:x'/><sodipodi:namedview/><g xmlns:i='urn:i' i:pgf='x'/>",
    };
    for (size_t i = 0; i < sizeof silent / sizeof silent[0]; i++) {
        char document[400], log[1000];
        snprintf(document, sizeof document, "<svg>%s</svg>", silent[i]);
        log_warnings(document, log);
        if (log[0])
            fail_msg("%s: %s", silent[i], log);
    }
}

static void test_warnings_of_brackets(void **state)
{
    (void)state;
    static const char *const open[] = {"a{", "a", "a{fill:rgb(0}", "@media screen{a{fill:red}", "a{fill:red}b{"};
    static const char *const closed[] = {"", "a{}", "@import 'x'", "/* {", "a{fill:rgb(0)}"};
    for (size_t i = 0; i < 10; i++) {
        char document[200], log[1000] = "";
        pietra_svg_options options = {.warning = count_warning, .warning_user = log};
        pietra_scene scene = {.silent = true};
        snprintf(document, sizeof document, "<svg><style>%s</style></svg>", i < 5 ? open[i] : closed[i - 5]);
        assert_int_equal(pietra_scene_load_svg(&scene, document, strlen(document), &options, NULL, NULL, NULL),
                         PIETRA_OK);
        if ((strstr(log, "a bracket is not closed") != NULL) != (i < 5))
            fail_msg("%s: %s", document, log);
    }
}

static void test_warnings_are_one_line(void **state)
{
    (void)state;
    static const char document[] = "<svg><style>rect\n!x{fill:red}</style><rect width='1' height='1'/></svg>";
    char log[1000] = "";
    pietra_svg_options options = {.warning = count_warning, .warning_user = log};
    pietra_scene scene = {.silent = true};
    assert_int_equal(pietra_scene_load_svg(&scene, document, sizeof document - 1, &options, NULL, NULL, NULL),
                     PIETRA_OK);
    assert_ptr_equal(strchr(log, '\n'), log + strlen(log) - 1);
}

static void test_warnings_harm_no_terminal(void **state)
{
    (void)state;
    static const char document[] =
        "<svg><style>!\xc2\x9b\xe2\x80\xae\x7f{fill:red}</style><rect width='1' height='1'/></svg>";
    char log[1000] = "";
    pietra_svg_options options = {.warning = count_warning, .warning_user = log};
    pietra_scene scene = {.silent = true};
    assert_int_equal(pietra_scene_load_svg(&scene, document, sizeof document - 1, &options, NULL, NULL, NULL),
                     PIETRA_OK);
    assert_string_equal(log, "1 the rules of a selector that is not understood are left out: !   \n");
}

/* Characters of two to four bytes are reported whole or not at all, wherever the end falls in them. */
static void test_warnings_end_in_whole_characters(void **state)
{
    (void)state;
    static const char *const characters[] = {"\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x98\x80"};
    for (size_t i = 0; i < 12; i++) {
        char long_name[400] = "abcd", log[1000] = "";
        svg_warnings warnings = {.function = count_warning, .user = log};
        long_name[i % 4] = '\0';
        while (strlen(long_name) < 300)
            strcat(long_name, characters[i / 4]);
        svg_warn(&warnings, 7, "%s", long_name);
        size_t told = strlen(log) - 3; /* without the line, a blank and a line feed */
        assert_in_range(told, 196, 199);
        assert_memory_equal(log + 2, long_name, told);
        assert_true(utf8_is_valid(long_name, told));
        svg_warnings_free(&warnings);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_warnings),
        cmocka_unit_test(test_entities_of_images),
        cmocka_unit_test(test_warnings_of_properties),
        cmocka_unit_test(test_warnings_of_masks),
        cmocka_unit_test(test_warnings_of_sheets),
        cmocka_unit_test(test_warnings_of_left_out_properties),
        cmocka_unit_test(test_warnings_of_documents),
        cmocka_unit_test(test_warnings_of_images),
        cmocka_unit_test(test_warnings_end),
        cmocka_unit_test(test_no_warnings),
        cmocka_unit_test(test_warnings_of_brackets),
        cmocka_unit_test(test_warnings_are_one_line),
        cmocka_unit_test(test_warnings_harm_no_terminal),
        cmocka_unit_test(test_warnings_end_in_whole_characters),
    };
    return cmocka_run_group_tests_name("svg warnings", tests, NULL, NULL);
}
