/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Each limit of limits.def: a document at the limit is read, and one beyond it gives an error or a warning that names
 * the limit. The page docs/limits.md says the same as the list. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <libdeflate.h>

#include "base/array.h"
#include "pietra/pietra.h"

#define SVG_OPEN_TAG "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'"
#define SHAPE "<rect width='1' height='1'/>"

typedef ARRAY(char) bytes;

static void add(bytes *out, const char *piece)
{
    char *place = array_push_many(out, strlen(piece));
    assert_non_null(place);
    memcpy(place, piece, strlen(piece));
}

static void add_numbered(bytes *out, const char *format, uint64_t number)
{
    char piece[300];
    int length = snprintf(piece, sizeof piece, format, (int)number);
    assert_true(length > 0 && (size_t)length < sizeof piece);
    add(out, piece);
}

/* ---- Documents that use up a given amount ---- */

static void write_elements(bytes *out, uint64_t amount)
{
    add(out, SVG_OPEN_TAG ">");
    for (uint64_t i = 1; i < amount; i++)
        add(out, "<g/>");
    add(out, "</svg>");
}

/* `defs` and its content are not drawn, so its two elements pay for two steps: the root, and one `use` less. */
static void write_bytes(bytes *out, uint64_t amount)
{
    add(out, SVG_OPEN_TAG ">" SHAPE);
    while (out->count + strlen("</svg>") < amount)
        add(out, " ");
    add(out, "</svg>");
}

/* A pair of numbers is a point. */
static void write_numbers(bytes *out, uint64_t amount)
{
    add(out, SVG_OPEN_TAG "><polyline points='");
    for (uint64_t i = 0; i < amount; i += 2)
        add(out, "1 2 ");
    add(out, "'/></svg>");
}

/* Shapes that are shown ten times. Each time takes between one step and four. */
static void write_steps(bytes *out, uint64_t amount)
{
    add(out, SVG_OPEN_TAG "><symbol id='a'>");
    for (uint64_t i = 0; i < amount / 40; i++)
        add(out, SHAPE);
    add(out, "</symbol>");
    for (uint64_t i = 0; i < 10; i++)
        add(out, "<use href='#a'/>");
    add(out, "</svg>");
}

static void write_cells(bytes *out, uint64_t amount)
{
    uint64_t uses = 10, shapes = (amount + 13) / (uses - 1);
    add(out, SVG_OPEN_TAG "><pattern id='p' width='.5' height='.5'><circle r='1'/></pattern><symbol id='a'>");
    for (uint64_t i = 0; i < shapes; i++)
        add_numbered(out, "<rect width='%d%%' height='9' fill='url(#p)'/>", i + 1);
    add(out, "</symbol>");
    for (uint64_t i = 0; i < uses; i++)
        add_numbered(out, "<use href='#a' height='9' width='9.%d'/>", i);
    add(out, "</svg>");
}

static void write_depth(bytes *out, uint64_t amount)
{
    add(out, SVG_OPEN_TAG ">");
    for (uint64_t i = 1; i < amount; i++)
        add(out, "<g>");
    for (uint64_t i = 1; i < amount; i++)
        add(out, "</g>");
    add(out, "</svg>");
}

static void write_attributes(bytes *out, uint64_t amount)
{
    add(out, SVG_OPEN_TAG "><g ");
    for (uint64_t i = 0; i < amount; i++)
        add_numbered(out, "a%d='' ", i);
    add(out, "/>" SHAPE "</svg>");
}

static void write_namespaces(bytes *out, uint64_t amount)
{
    add(out, SVG_OPEN_TAG ">");
    for (uint64_t i = 1; i < amount; i++)
        add_numbered(out, "<g xmlns:n%d='n'>", i);
    for (uint64_t i = 1; i < amount; i++)
        add(out, "</g>");
    add(out, "</svg>");
}

/* Half of the amount, because the parser compares with the part of the document that it has read so far. */
static void write_entity_bytes(bytes *out, uint64_t amount)
{
    add_numbered(out, "<!DOCTYPE svg [<!ENTITY e '%0100d'>]>" SVG_OPEN_TAG "><desc>", 0);
    for (uint64_t i = 0; i < amount / 200; i++)
        add(out, "&e;");
    add(out, "</desc></svg>");
}

static void write_unpacked_bytes(bytes *out, uint64_t amount)
{
    bytes plain = {0};
    add(&plain, SVG_OPEN_TAG ">" SHAPE "</svg>");
    while (plain.count < amount)
        add(&plain, " ");
    struct libdeflate_compressor *compressor = libdeflate_alloc_compressor(1);
    size_t bound = libdeflate_gzip_compress_bound(compressor, plain.count);
    char *packed = array_push_many(out, bound);
    assert_non_null(packed);
    out->count = libdeflate_gzip_compress(compressor, plain.items, plain.count, packed, bound);
    libdeflate_free_compressor(compressor);
    array_free(&plain);
}

static void write_document_depth(bytes *out, uint64_t amount)
{
    bytes inner = {0};
    add(&inner, SVG_OPEN_TAG ">" SHAPE "</svg>");
    for (uint64_t i = 0; i < amount; i++) {
        bytes outer = {0};
        add(&outer, SVG_OPEN_TAG "><image width='9' height='9' href='data:image/svg+xml,");
        for (size_t k = 0; k < inner.count; k++) {
            char code[4] = {inner.items[k], 0};
            if (strchr("%'\"<>&#", code[0]))
                snprintf(code, sizeof code, "%%%02x", (uint8_t)inner.items[k]);
            add(&outer, code);
        }
        add(&outer, "'/></svg>");
        array_free(&inner);
        inner = outer;
    }
    *out = inner;
}

/* A GIF of 10 x 10 pixels, all of which are missing. */
static void write_image_pixels(bytes *out, uint64_t amount)
{
    static const char gif[] = "R0lGODdhCgAKAIAAAP///wAAACwAAAAACgAKAAACCISPqcvtD2MrADs=";
    add(out, SVG_OPEN_TAG ">");
    for (uint64_t i = 0; i < (amount + 99) / 100; i++) {
        add_numbered(out, "<image width='%d' height='5' href='data:image/gif;base64,", i + 1);
        add(out, gif);
        add_numbered(out, "#%d'/>", i);
    }
    add(out, "</svg>");
}

/* A rule, two bytes of a selector, and a declaration. */
static void write_rules(bytes *out, uint64_t amount)
{
    add(out, SVG_OPEN_TAG "><style>");
    for (uint64_t i = 0; i < amount / 3; i++)
        add(out, ".a{fill:red}");
    add(out, "</style>" SHAPE "</svg>");
}

/* Each rule is tried on two elements and applied to them, which takes some ten steps. */
static void write_selector_steps(bytes *out, uint64_t amount)
{
    add(out, SVG_OPEN_TAG "><style>");
    for (uint64_t i = 0; i < amount; i += 20)
        add(out, "*{fill:red}");
    add(out, "</style></svg>");
}

static void write_lengths(bytes *out, uint64_t amount)
{
    add(out, SVG_OPEN_TAG "><rect width='1' height='1' stroke='red' stroke-dasharray='");
    for (uint64_t i = 0; i < amount; i++)
        add(out, "1 ");
    add(out, "'/></svg>");
}

static void write_variables(bytes *out, uint64_t amount)
{
    add(out, SVG_OPEN_TAG " style='");
    for (uint64_t i = 0; i < amount; i++)
        add_numbered(out, "--v%d:1;", i);
    add_numbered(out, "stroke:blue;stroke-width:var(--v%d)'>", amount - 1);
    add(out, SHAPE "</svg>");
}

static void write_value_bytes(bytes *out, uint64_t amount)
{
    add(out, SVG_OPEN_TAG " style='--v:");
    for (uint64_t i = 0; i < amount; i++)
        add(out, "x");
    add(out, ";stroke:var(--v)'>" SHAPE "</svg>");
}

/* Elements with scopes of their own. Each has a value that is replaced and kept, some 500 bytes. */
static void write_replaced_bytes(bytes *out, uint64_t amount)
{
    add(out,
        SVG_OPEN_TAG "><style>g{stroke-dasharray:var(--a) 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20}</style>");
    for (uint64_t i = 0; i < amount / 500; i++)
        add_numbered(out, "<g style='--a:%d'/>", i + 1);
    add(out, "</svg>");
}

static void write_nested_entities(bytes *out, uint64_t amount)
{
    add(out, "<!DOCTYPE svg [<!ENTITY e 'x'>");
    for (uint64_t i = 0; i < amount; i++)
        add_numbered(out, "<!ENTITY e%d '&e;'>", i);
    add(out, "]>" SVG_OPEN_TAG ">" SHAPE "</svg>");
}

/* ---- At the limit and beyond it ---- */

/* Takes `step` more if the amount grows by that much. */
static const struct limit_case {
    const char *name;
    void (*write)(bytes *out, uint64_t amount);
    uint64_t amount, step;
} cases[] = {
    {"bytes", write_bytes, 1000, 1},
    {"elements", write_elements, 50, 1},
    {"depth", write_depth, 20, 1},
    {"steps", write_steps, 10000, 30000},
    {"cells", write_cells, 100, 100},
    {"numbers", write_numbers, 100, 2},
    {"attributes", write_attributes, 100, 1},
    {"namespaces", write_namespaces, 20, 1},
    {"nested_entities", write_nested_entities, 20, 1},
    {"entity_bytes", write_entity_bytes, 20000, 40000},
    {"unpacked_bytes", write_unpacked_bytes, 1000, 1},
    {"document_depth", write_document_depth, 3, 1},
    {"image_pixels", write_image_pixels, 500, 100},
    {"rules", write_rules, 30, 3},
    {"lengths", write_lengths, 30, 1},
    {"selector_steps", write_selector_steps, 1000, 9000},
    {"variables", write_variables, 30, 1},
    {"value_bytes", write_value_bytes, 100, 1},
    {"replaced_bytes", write_replaced_bytes, 10000, 1000},
};
#define CASE_COUNT (sizeof cases / sizeof cases[0])

typedef struct seen {
    char wanted[100]; /* "limit "NAME"" */
    bool named;
} seen;

static void take_warning(void *user, uint32_t line, const char *message)
{
    seen *seen = user;
    (void)line;
    seen->named = seen->named || strstr(message, seen->wanted);
}

/* Returns true if an error or a warning names the limit. Any other error fails the test. */
static bool is_document_beyond(const char *limit, uint64_t most, const bytes *document)
{
    seen seen = {.named = false};
    pietra_error error = {0};
    double width, height;
    pietra_scene *scene = pietra_scene_create();
    pietra_svg_options options = {.warning = take_warning, .warning_user = &seen, .threads = 1};
    assert_non_null(scene);
    snprintf(seen.wanted, sizeof seen.wanted, "limit \"%s\"", limit);
    assert_true(pietra_svg_limits_set(&options.limits, limit, most));
    pietra_result result =
        pietra_scene_load_svg(scene, document->items, document->count, &options, &error, &width, &height);
    if (result != PIETRA_OK) {
        assert_int_equal(result, PIETRA_ERROR_INPUT);
        take_warning(&seen, 0, error.message);
        if (!seen.named)
            fail_msg("%s: %s", limit, error.message);
    }
    pietra_scene_destroy(scene);
    return seen.named;
}

static bool is_beyond(const struct limit_case *limit, uint64_t most, uint64_t amount)
{
    bytes document = {0};
    limit->write(&document, amount);
    bool beyond = is_document_beyond(limit->name, most, &document);
    array_free(&document);
    return beyond;
}

static void test_each(void **state)
{
    (void)state;
    for (size_t i = 0; i < CASE_COUNT; i++) {
        const struct limit_case *limit = &cases[i];
        if (is_beyond(limit, limit->amount, limit->amount))
            fail_msg("%s: %d is refused at that limit", limit->name, (int)limit->amount);
        if (!is_beyond(limit, limit->amount, limit->amount + limit->step))
            fail_msg("%s: %d is not refused", limit->name, (int)(limit->amount + limit->step));
        if (is_beyond(limit, 0, limit->amount + limit->step))
            fail_msg("%s: the default refuses %d", limit->name, (int)(limit->amount + limit->step));
    }
}

static void write_far_curves(bytes *out, const char *far, const char *attributes)
{
    add(out, "<svg xmlns='http://www.w3.org/2000/svg' width='64' height='64'><path ");
    add(out, attributes);
    add(out, " d='M0 0");
    for (int i = 0; i < 20000; i++) {
        add(out, "C");
        add(out, far);
        add(out, " 0 -");
        add(out, far);
        add(out, " 64 64 64");
    }
    add(out, "'/></svg>");
}

/* Pieces of curves that lie far outside the picture are passed over, and cost less than what is drawn; but not where
 * places are so large that nothing can be told of them. */
static void test_far_curves(void **state)
{
    (void)state;
    for (int beyond = 0; beyond < 2; beyond++) {
        bytes document = {0};
        write_far_curves(&document, beyond ? "1e13" : "1e7", "");
        if (is_document_beyond("steps", 0, &document) != (beyond != 0))
            fail_msg("far curves %s", beyond ? "of any size are drawn" : "are refused");
        array_free(&document);
    }
}

/* A pen turns where these curves bend, which is beyond its reach of the picture. Where they bend in sight, each turn of
 * a wide pen is many lines. */
static void test_far_strokes(void **state)
{
    (void)state;
    for (int near = 0; near < 2; near++) {
        bytes document = {0};
        write_far_curves(&document, near ? "100" : "1e7", "fill='none' stroke='#000' stroke-width='1e5'");
        if (is_document_beyond("steps", 0, &document) != (near != 0))
            fail_msg("curves that bend %s", near ? "in sight are drawn" : "beyond the picture are refused");
        array_free(&document);
    }
}

/* tests/command/usage.py covers those that need files, tests/svg/draw/test_svg_font_faces.c those of fonts. */
static void test_all_are_driven(void **state)
{
    static const char *const elsewhere[] = {"used_files", "used_bytes", "fonts", "font_bytes"};
    size_t count, driven = sizeof elsewhere / sizeof elsewhere[0] + CASE_COUNT;
    const pietra_svg_limit *list = pietra_svg_limit_list(&count);
    (void)state;
    assert_int_equal(count, driven);
    for (size_t i = 0; i < count; i++) {
        bool found = false;
        for (size_t k = 0; k < CASE_COUNT; k++)
            found = found || strcmp(list[i].name, cases[k].name) == 0;
        for (size_t k = 0; k < sizeof elsewhere / sizeof elsewhere[0]; k++)
            found = found || strcmp(list[i].name, elsewhere[k]) == 0;
        if (!found)
            fail_msg("%s is driven by no test", list[i].name);
    }
}

/* A single match that would take the tenth power of 300 steps ends when the steps are used up. */
static void write_endless_match(bytes *out, uint64_t depth)
{
    add(out, SVG_OPEN_TAG "><style>");
    for (uint64_t i = 0; i < depth; i++)
        add(out, ":not(");
    add(out, "q");
    for (uint64_t i = 0; i < depth; i++)
        add(out, " *):not(q)");
    add(out, "{fill:red}</style>");
    for (int i = 0; i < 300; i++)
        add(out, "<g>");
    for (int i = 0; i < 300; i++)
        add(out, "</g>");
    add(out, "</svg>");
}

static void test_endless_match(void **state)
{
    (void)state;
    const struct limit_case limit = {.name = "selector_steps", .write = write_endless_match};
    assert_true(is_beyond(&limit, 1000000, 10));
    assert_false(is_beyond(&limit, 1000000, 1));
}

/* Values with var(), each shown a thousand times: by nested uses, and in elements of the same rule. */
static void write_shown_often(bytes *out, uint64_t which)
{
    static const char *const rules[] = {
        "stroke-dasharray:var(--a)1,var(--a)2",
        "clip-path:polygon(var(--b)1px 2px)",
        "mask:var(--c)url(#m)",
        "transform:var(--d)scale(2)",
        "fill:color-mix(in srgb,currentcolor 50%,var(--e,red))",
        "fill:url(#\\6d) var(--e,color-mix(in srgb,currentcolor 50%,red))",
    };
    add(out, SVG_OPEN_TAG
        " style='--a:1,2,3,4,5,6,7,8,9,10,;--b:1px 1px,2px 2px,3px 3px,;--c:url(#m),url(#m),;--d:translate(1px,2px)'>");
    add(out, "<style>rect{stroke:red;");
    add(out, rules[which]);
    add(out, "}</style><mask id='m'/><g id='a'>");
    for (int i = 0; i < 10; i++)
        add(out, SHAPE);
    add(out, "</g><g id='b'>");
    for (int i = 0; i < 10; i++)
        add(out, "<use href='#a'/>");
    add(out, "</g>");
    for (int i = 0; i < 10; i++)
        add(out, "<use href='#b'/>");
    add(out, "</svg>");
}

/* They are replaced once, not at each visit. */
static void test_replaced_once(void **state)
{
    (void)state;
    const struct limit_case limit = {.name = "replaced_bytes", .write = write_shown_often};
    for (uint64_t which = 0; which < 6; which++) {
        if (is_beyond(&limit, 2000, which))
            fail_msg("rule %d takes more than 2000 bytes", (int)which);
        assert_true(is_beyond(&limit, 10, which));
    }
}

/* What is read again wherever it is drawn takes steps: that many bytes, a hundred times. */
static void write_read_again(bytes *out, uint64_t which)
{
    static const char *const begins[] = {
        "clip-path:polygon(", "transform:translate(calc(", "translate:calc(", "transform-origin:calc(", "rotate:calc(",
    };
    static const char *const repeated[] = {"1px 1px,", "1px + 1% + ", "1px + 1% + ", "1px + 1% + ", "1deg + 1turn + "};
    static const char *const ends[] = {"1px 2px)", "1px))", "1px)", "1px);transform:scale(2)", "1deg)"};
    add(out, SVG_OPEN_TAG "><style>rect{");
    add(out, begins[which]);
    for (int i = 0; i < 100; i++)
        add(out, repeated[which]);
    add(out, ends[which]);
    add(out, "}</style>");
    for (int i = 0; i < 100; i++)
        add(out, SHAPE);
    add(out, "</svg>");
}

static void test_read_again(void **state)
{
    (void)state;
    const struct limit_case limit = {.name = "steps", .write = write_read_again};
    for (uint64_t which = 0; which < 5; which++) {
        if (!is_beyond(&limit, 1500, which))
            fail_msg("value %d takes less than 1500 steps", (int)which);
        if (is_beyond(&limit, 0, which))
            fail_msg("value %d takes more than the default", (int)which);
    }
}

/* Two rectangles that fill the picture, alone or in a group with an opacity. */
static void write_layer(bytes *out, uint64_t grouped)
{
    static const char *const rects = "<rect width='1000' height='1000'/><rect width='1000' height='1000'/>";
    add(out, "<svg xmlns='http://www.w3.org/2000/svg' width='1000' height='1000'>");
    add(out, grouped ? "<g opacity='.5'>" : "<g>");
    add(out, rects);
    add(out, "</g></svg>");
}

/* Returns the least number of steps with which the document is not refused. */
static uint64_t steps_of(const struct limit_case *limit, uint64_t amount)
{
    uint64_t too_few = 1, enough = 1000;
    while (enough - too_few > 1) {
        const uint64_t middle = (too_few + enough) / 2;
        if (is_beyond(limit, middle, amount))
            too_few = middle;
        else
            enough = middle;
    }
    return enough;
}

/* A group costs 4 thousandths of a step for each pixel of a picture that is 64 wide: 16, and its element. */
static void test_layer(void **state)
{
    (void)state;
    const struct limit_case limit = {.name = "steps", .write = write_layer};
    const uint64_t alone = steps_of(&limit, 0), grouped = steps_of(&limit, 1);
    assert_in_range(grouped, alone + 17, alone + 19);
}

/* A view box that costs 30 steps whenever it is read: to find what media queries ask for, and to draw. */
static void write_late_root(bytes *out)
{
    add(out, "\n\n<svg xmlns='http://www.w3.org/2000/svg' viewBox='");
    for (int i = 0; i < 1000; i++)
        add(out, " ");
    add(out, "0 0 9 9'>\n<style>rect{fill:red}</style>\n" SHAPE "</svg>");
}

/* Whatever the steps run out in, an error names the line of an element or no line. Here lines 1 and 2 are empty. */
static void test_lines(void **state)
{
    (void)state;
    bytes document = {0};
    pietra_result result = PIETRA_ERROR_INPUT;
    write_late_root(&document);
    for (uint64_t most = 1; result != PIETRA_OK; most++) {
        pietra_error error = {0};
        double width, height;
        pietra_scene *scene = pietra_scene_create();
        const pietra_svg_options options = {.limits.steps = most, .threads = 1};
        assert_non_null(scene);
        result = pietra_scene_load_svg(scene, document.items, document.count, &options, &error, &width, &height);
        if (result != PIETRA_OK)
            assert_int_equal(result, PIETRA_ERROR_INPUT);
        if (error.line != 0)
            assert_in_range(error.line, 3, 5);
        pietra_scene_destroy(scene);
    }
    array_free(&document);
}

static void test_set(void **state)
{
    (void)state;
    pietra_svg_limits limits = {0};
    assert_false(pietra_svg_limits_set(&limits, "element", 1));
    assert_false(pietra_svg_limits_set(&limits, NULL, 1));
    assert_false(pietra_svg_limits_set(NULL, "elements", 1));
    assert_true(pietra_svg_limits_set(&limits, "steps", 7));
    assert_int_equal(limits.steps, 7);
    assert_int_equal(limits.elements, 0);
    assert_non_null(pietra_svg_limit_list(NULL));
}

/* The page has a row for each limit, with its default and what it counts, and no other row. */
static void test_page(void **state)
{
    size_t count, rows = 0;
    const pietra_svg_limit *list = pietra_svg_limit_list(&count);
    char line[1000], row[400];
    FILE *page = fopen(PIETRA_SOURCE_DIR "/docs/limits.md", "r");
    (void)state;
    assert_non_null(page);
    while (fgets(line, sizeof line, page)) {
        if (strncmp(line, "| `", 3) != 0)
            continue;
        assert_true(rows < count);
        snprintf(row, sizeof row, "| `%s` | %llu | %s |", list[rows].name, (unsigned long long)list[rows].standard,
                 list[rows].text);
        if (strncmp(line, row, strlen(row)) != 0)
            fail_msg("docs/limits.md: instead of\n%sexpected\n%s", line, row);
        rows++;
    }
    fclose(page);
    assert_int_equal(rows, count);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each),          cmocka_unit_test(test_far_curves),
        cmocka_unit_test(test_far_strokes),   cmocka_unit_test(test_all_are_driven),
        cmocka_unit_test(test_endless_match), cmocka_unit_test(test_replaced_once),
        cmocka_unit_test(test_read_again),    cmocka_unit_test(test_layer),
        cmocka_unit_test(test_lines),         cmocka_unit_test(test_set),
        cmocka_unit_test(test_page),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
