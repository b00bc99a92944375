/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Patterns within patterns and documents within documents: what they cost follows from the document, not from the
 * product of its levels. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/array.h"
#include "pietra/pietra.h"

#define SVG_OPEN_TAG "<svg xmlns='http://www.w3.org/2000/svg' width='10' height='10'"

typedef ARRAY(char) bytes;

static void add(bytes *out, const char *piece)
{
    char *place = array_push_many(out, strlen(piece));
    assert_non_null(place);
    memcpy(place, piece, strlen(piece));
}

#define ADD(out, ...) \
    do { \
        char piece[400]; \
        int length = snprintf(piece, sizeof piece, __VA_ARGS__); \
        assert_true(length > 0 && (size_t)length < sizeof piece); \
        add(out, piece); \
    } while (0)

/* Frees the document. */
static size_t stream_bytes(bytes *document, const pietra_svg_limits *limits)
{
    pietra_error error = {0};
    pietra_stream *stream = NULL;
    double width, height;
    size_t size = 0;
    pietra_scene *scene = pietra_scene_create();
    const pietra_svg_options options = {.limits = *limits, .threads = 1};
    assert_non_null(scene);
    if (pietra_scene_load_svg(scene, document->items, document->count, &options, &error, &width, &height) !=
            PIETRA_OK ||
        pietra_stream_encode(scene, &error, &stream) != PIETRA_OK)
        fail_msg("%s", error.message);
    assert_non_null(pietra_stream_bytes(stream, &size));
    pietra_stream_destroy(stream);
    pietra_scene_destroy(scene);
    array_free(document);
    return size;
}

/* Patterns that each paint `fan` times with the one before, each time at other sizes. */
static bytes nested_patterns(int depth, int fan, double shrink, const char *transform, const char *effect)
{
    bytes out = {0};
    double side = 100;
    add(&out, SVG_OPEN_TAG ">");
    for (int i = depth; i >= 0; i--, side *= shrink) {
        ADD(&out, "<pattern id='p%d' width='%.4f' height='%.4f' patternUnits='userSpaceOnUse'>", i, side, side);
        for (int k = 1; i > 0 && k <= fan; k++) {
            ADD(&out, "<rect width='130' height='130' fill='url(#p%d)' transform='", i - 1);
            ADD(&out, transform, k, k);
            add(&out, "'/>");
        }
        if (i == 0)
            ADD(&out, "<rect width='60' height='60' fill='red' stroke='blue' %s/>", effect);
        add(&out, "</pattern>");
    }
    ADD(&out, "<rect width='300' height='300' fill='url(#p%d)'/></svg>", depth);
    return out;
}

static void test_patterns_in_patterns_share_cells(void **state)
{
    (void)state;
    const pietra_svg_limits limits = {.cells = 1000, .steps = UINT64_MAX};
    const char *const transforms[] = {"scale(1.%02d)", "scale(1.%02d 1)", "rotate(%d)", "skewX(%d)"};
    for (size_t i = 0; i < sizeof transforms / sizeof transforms[0]; i++) {
        bytes deep = nested_patterns(6, 10, 0.45, transforms[i], ""),
              flat = nested_patterns(6, 10, 1, transforms[i], "");
        assert_true(stream_bytes(&deep, &limits) < 1000000);
        assert_true(stream_bytes(&flat, &limits) < 20000000);
    }
}

/* Outlines that do not scale look different in each space. Such cells are not shared, and their number is limited. */
static void test_outlines_that_do_not_scale_are_not_shared(void **state)
{
    (void)state;
    bytes fixed = nested_patterns(2, 10, 0.45, "scale(1.%02d)", "vector-effect='non-scaling-stroke'");
    bytes scaled = nested_patterns(2, 10, 0.45, "scale(1.%02d)", "");
    const pietra_svg_limits limits = {.steps = UINT64_MAX}, few = {.cells = 1};
    size_t with = stream_bytes(&fixed, &limits), without = stream_bytes(&scaled, &limits);
    assert_true(with > 10 * without);
    fixed = nested_patterns(4, 10, 0.45, "scale(1.%02d)", "vector-effect='non-scaling-stroke'");
    pietra_error error = {0};
    double width, height;
    pietra_scene *scene = pietra_scene_create();
    const pietra_svg_options options = {.limits = few};
    assert_int_equal(pietra_scene_load_svg(scene, fixed.items, fixed.count, &options, &error, &width, &height),
                     PIETRA_ERROR_INPUT);
    assert_non_null(strstr(error.message, "limit \"cells\""));
    pietra_scene_destroy(scene);
    array_free(&fixed);
}

/* A long path in a pattern is not copied for each further pattern that shows it. */
static void test_long_paths_in_patterns_are_not_copied_without_end(void **state)
{
    (void)state;
    enum { SEGMENTS = 200000, PATTERNS = 300 };
    const pietra_svg_limits limits = {0};
    bytes out = {0};
    add(&out, SVG_OPEN_TAG "><pattern id='b' width='10' height='10' patternUnits='userSpaceOnUse'><path d='M0 0");
    for (int i = 0; i < SEGMENTS; i++)
        ADD(&out, "L%d.%d %d", i % 9, i % 7, i % 5);
    add(&out, "'/></pattern>");
    for (int i = 0; i < PATTERNS; i++)
        ADD(&out,
            "<pattern id='o%d' width='10' height='10' patternUnits='userSpaceOnUse'><rect width='10' height='10' fill='url(#b)'/></pattern>"
            "<rect width='10' height='10' fill='url(#o%d)'/>",
            i, i);
    add(&out, "</svg>");
    assert_true(stream_bytes(&out, &limits) < 150000000);
}

/* Adds a data URL of a document. */
static void add_document(bytes *out, const bytes *document)
{
    add(out, "data:image/svg+xml,");
    for (size_t i = 0; i < document->count; i++)
        ADD(out, "%%%02x", (uint8_t)document->items[i]);
}

/* Documents that each show another one in an image `fan` times. The innermost has `shapes` shapes, or shows a GIF of 10
 * x 10 pixels. */
static bytes nested_documents(int depth, int fan, int shapes)
{
    bytes inner = {0};
    add(&inner, SVG_OPEN_TAG ">");
    for (int i = 0; i < shapes; i++)
        add(&inner, "<rect width='9' height='9'/>");
    if (shapes == 0)
        add(&inner,
            "<image width='9' height='9' href='data:image/gif;base64,R0lGODdhCgAKAIAAAP///wAAACwAAAAACgAKAAACCISPqcvtD2MrADs='/>");
    add(&inner, "</svg>");
    for (int i = 0; i < depth; i++) {
        bytes outer = {0};
        add(&outer, SVG_OPEN_TAG "><image id='i' width='9' height='9' href='");
        add_document(&outer, &inner);
        add(&outer, "'/>");
        for (int k = 1; k < fan; k++)
            add(&outer, "<use href='#i'/>");
        add(&outer, "</svg>");
        array_free(&inner);
        inner = outer;
    }
    return inner;
}

/* Each document, and so each image, is read once. The outermost document has 10 elements, those in it have 10 each, the
 * innermost has 501. */
static void test_documents_are_read_once(void **state)
{
    (void)state;
    bytes documents = nested_documents(2, 9, 500);
    assert_true(stream_bytes(&documents, &(pietra_svg_limits){.elements = 521}) > 81 * 500);
    documents = nested_documents(3, 9, 0);
    assert_true(stream_bytes(&documents, &(pietra_svg_limits){.image_pixels = 199}) > 729);
}

static pietra_result load(bytes *document, const pietra_svg_limits *limits, pietra_error *error)
{
    double width, height;
    pietra_scene *scene = pietra_scene_create();
    const pietra_svg_options options = {.limits = *limits, .threads = 1};
    pietra_result result =
        pietra_scene_load_svg(scene, document->items, document->count, &options, error, &width, &height);
    pietra_scene_destroy(scene);
    array_free(document);
    return result;
}

/* Elements of all documents count together. Beyond the limit the whole document is refused; images are not left out. */
static void test_elements_of_all_documents_count(void **state)
{
    (void)state;
    pietra_error error = {0};
    bytes documents = nested_documents(2, 9, 500);
    assert_int_equal(load(&documents, &(pietra_svg_limits){.elements = 520}, &error), PIETRA_ERROR_INPUT);
    assert_non_null(strstr(error.message, "limit \"elements\""));
    documents = nested_documents(5, 20, 1);
    assert_int_equal(load(&documents, &(pietra_svg_limits){0}, &error), PIETRA_ERROR_INPUT);
    assert_non_null(strstr(error.message, "limit \"steps\""));
}

/* A document at several sizes, which its content follows. It is read for each image if the fragments differ. */
static bytes places_of_a_document(bool apart)
{
    bytes inner = {0}, out = {0};
    add(&inner,
        "<svg xmlns='http://www.w3.org/2000/svg'><linearGradient id='g' x2='1vw' gradientUnits='userSpaceOnUse'><stop/><stop offset='1'/>"
        "</linearGradient><clipPath id='c'><rect width='40%' height='2'/></clipPath><g clip-path='url(#c)'>"
        "<rect width='50%' height='1vh' fill='url(#g)' stroke='blue' stroke-width='1vmin'/></g></svg>");
    add(&out, SVG_OPEN_TAG ">");
    for (int i = 0; i < 6; i++) {
        ADD(&out, "<image width='%d' height='%d' href='", 4 + i % 3 * 5, 3 + i % 2);
        add_document(&out, &inner);
        if (apart)
            ADD(&out, "#%d", i);
        add(&out, "'/>");
    }
    add(&out, "</svg>");
    array_free(&inner);
    return out;
}

static pietra_stream *stream_of(bytes *document)
{
    pietra_error error = {0};
    pietra_stream *stream = NULL;
    double width, height;
    pietra_scene *scene = pietra_scene_create();
    const pietra_svg_options options = {.threads = 1};
    assert_int_equal(pietra_scene_load_svg(scene, document->items, document->count, &options, &error, &width, &height),
                     PIETRA_OK);
    assert_int_equal(pietra_stream_encode(scene, &error, &stream), PIETRA_OK);
    pietra_scene_destroy(scene);
    array_free(document);
    return stream;
}

static void test_documents_that_are_kept_fit_their_places(void **state)
{
    (void)state;
    size_t kept_size, read_size;
    bytes together = places_of_a_document(false), apart = places_of_a_document(true);
    pietra_stream *kept = stream_of(&together), *read = stream_of(&apart);
    const void *kept_bytes = pietra_stream_bytes(kept, &kept_size), *read_bytes = pietra_stream_bytes(read, &read_size);
    assert_int_equal(kept_size, read_size);
    assert_memory_equal(kept_bytes, read_bytes, kept_size);
    pietra_stream_destroy(kept);
    pietra_stream_destroy(read);
}

/* A path of 4,000 segments, shown a hundred times at (x, x). */
static bytes used_path(const char *attributes, int x, int uses)
{
    bytes out = {0};
    ADD(&out, SVG_OPEN_TAG "><defs><path id='p' transform='translate(%d,%d)' %s d='M0 0", x, x, attributes);
    for (int i = 1; i < 4000; i++)
        ADD(&out, "L%d %d", i % 9, i % 7);
    add(&out, "'/></defs>");
    for (int i = 0; i < uses; i++)
        add(&out, "<use href='#p'/>");
    add(&out, "</svg>");
    return out;
}

/* A visible path takes more than one out of view, outlines take more than areas, and dashes more than solid
 * outlines. */
static void test_long_paths_count(void **state)
{
    (void)state;
    pietra_error error = {0};
    static const struct {
        const char *attributes;
        int x, uses;
        uint64_t most; /* hundreds of steps that do not suffice */
    } cases[] = {
        {"", 100, 100, 200},
        {"", 0, 100, 600},
        {"fill='none' stroke='red'", 0, 100, 2100},
        {"fill='none' stroke='red' stroke-dasharray='9'", 0, 25, 1000},
        {"fill='none' stroke='red' vector-effect='non-scaling-stroke'", 100, 100, 440},
        {"fill='none' stroke='red' stroke-dasharray='1' pathLength='9'", 100, 100, 8000},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        bytes document = used_path(cases[i].attributes, cases[i].x, cases[i].uses);
        assert_int_equal(load(&document, &(pietra_svg_limits){.steps = cases[i].most * 99}, &error),
                         PIETRA_ERROR_INPUT);
        assert_non_null(strstr(error.message, "limit \"steps\""));
        document = used_path(cases[i].attributes, cases[i].x, cases[i].uses);
        assert_int_equal(load(&document, &(pietra_svg_limits){.steps = 10 * cases[i].most * 99}, &error), PIETRA_OK);
    }
}

static void take_warning(void *user, uint32_t line, const char *message)
{
    (void)line;
    *(bool *)user = *(bool *)user || strstr(message, "limit \"image_pixels\"");
}

/* A pattern that is drawn as an image holds another copy of the pixels of its images. */
static void test_pixels_of_images_in_patterns_count(void **state)
{
    (void)state;
    for (int more = 0; more < 2; more++) {
        bytes out = {0};
        bool warned = false;
        double width, height;
        add(&out, SVG_OPEN_TAG ">");
        for (int i = 0; i < 3; i++)
            ADD(&out,
                "<pattern id='p%d' width='2.%d' height='2' patternUnits='userSpaceOnUse'><image width='9' height='9' "
                "href='data:image/gif;base64,R0lGODdhCgAKAIAAAP///wAAACwAAAAACgAKAAACCISPqcvtD2MrADs='/></pattern>"
                "<rect width='9' height='9' fill='url(#p%d)'/>",
                i, i, i);
        add(&out, "</svg>");
        pietra_scene *scene = pietra_scene_create();
        const pietra_svg_options options = {.limits = {.image_pixels = more ? 400 : 399},
                                            .threads = 1,
                                            .warning = take_warning,
                                            .warning_user = &warned};
        assert_int_equal(pietra_scene_load_svg(scene, out.items, out.count, &options, NULL, &width, &height),
                         PIETRA_OK);
        assert_int_equal(warned, !more);
        pietra_scene_destroy(scene);
        array_free(&out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_patterns_in_patterns_share_cells),
        cmocka_unit_test(test_outlines_that_do_not_scale_are_not_shared),
        cmocka_unit_test(test_long_paths_in_patterns_are_not_copied_without_end),
        cmocka_unit_test(test_documents_are_read_once),
        cmocka_unit_test(test_long_paths_count),
        cmocka_unit_test(test_pixels_of_images_in_patterns_count),
        cmocka_unit_test(test_elements_of_all_documents_count),
        cmocka_unit_test(test_documents_that_are_kept_fit_their_places),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
