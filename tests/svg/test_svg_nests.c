/* Patterns in patterns and documents in documents: what they take follows from the document, not from the product of its levels. */
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

#define ADD(out, ...)                                                 \
    do {                                                              \
        char piece[400];                                              \
        int length = snprintf(piece, sizeof piece, __VA_ARGS__);      \
        assert_true(length > 0 && (size_t)length < sizeof piece);     \
        add(out, piece);                                              \
    } while (0)

/* Frees the document. */
static size_t stream_bytes(bytes *document, const pietra_svg_limits *limits)
{
    pietra_error error = { 0 };
    pietra_stream *stream = NULL;
    double width, height;
    size_t size = 0;
    pietra_scene *scene = pietra_scene_create();
    const pietra_svg_options options = { .limits = *limits, .threads = 1 };
    assert_non_null(scene);
    if (pietra_scene_load_svg(scene, document->items, document->count, &options, &error, &width, &height) != PIETRA_OK ||
        pietra_stream_encode(scene, &error, &stream) != PIETRA_OK)
        fail_msg("%s", error.message);
    assert_non_null(pietra_stream_bytes(stream, &size));
    pietra_stream_destroy(stream);
    pietra_scene_destroy(scene);
    array_free(document);
    return size;
}

/* Patterns that each paint `fan` times with the one before, at other sizes each time. */
static bytes nested_patterns(int depth, int fan, double shrink, const char *transform, const char *effect)
{
    bytes out = { 0 };
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

static void test_patterns_in_patterns_share_tiles(void **state)
{
    (void)state;
    const pietra_svg_limits limits = { .tiles = 1000 };
    const char *const transforms[] = { "scale(1.%02d)", "scale(1.%02d 1)", "rotate(%d)", "skewX(%d)" };
    for (size_t i = 0; i < sizeof transforms / sizeof transforms[0]; i++) {
        bytes deep = nested_patterns(6, 10, 0.45, transforms[i], ""), flat = nested_patterns(6, 10, 1, transforms[i], "");
        assert_true(stream_bytes(&deep, &limits) < 1000000);
        assert_true(stream_bytes(&flat, &limits) < 20000000);
    }
}

/* Outlines that do not scale look different in each space: such tiles are not shared, and come to an end. */
static void test_outlines_that_do_not_scale_are_not_shared(void **state)
{
    (void)state;
    bytes fixed = nested_patterns(2, 10, 0.45, "scale(1.%02d)", "vector-effect='non-scaling-stroke'");
    bytes scaled = nested_patterns(2, 10, 0.45, "scale(1.%02d)", "");
    const pietra_svg_limits limits = { 0 }, few = { .tiles = 1 };
    size_t with = stream_bytes(&fixed, &limits), without = stream_bytes(&scaled, &limits);
    assert_true(with > 10 * without);
    fixed = nested_patterns(4, 10, 0.45, "scale(1.%02d)", "vector-effect='non-scaling-stroke'");
    pietra_error error = { 0 };
    double width, height;
    pietra_scene *scene = pietra_scene_create();
    const pietra_svg_options options = { .limits = few };
    assert_int_equal(pietra_scene_load_svg(scene, fixed.items, fixed.count, &options, &error, &width, &height), PIETRA_ERROR_INPUT);
    assert_non_null(strstr(error.message, "limit \"tiles\""));
    pietra_scene_destroy(scene);
    array_free(&fixed);
}

/* A long path in a pattern is not copied for each other pattern that shows it. */
static void test_long_paths_in_patterns_are_not_copied_without_end(void **state)
{
    (void)state;
    enum { SEGMENTS = 200000, PATTERNS = 300 };
    const pietra_svg_limits limits = { 0 };
    bytes out = { 0 };
    add(&out, SVG_OPEN_TAG "><pattern id='b' width='10' height='10' patternUnits='userSpaceOnUse'><path d='M0 0");
    for (int i = 0; i < SEGMENTS; i++)
        ADD(&out, "L%d.%d %d", i % 9, i % 7, i % 5);
    add(&out, "'/></pattern>");
    for (int i = 0; i < PATTERNS; i++)
        ADD(&out, "<pattern id='o%d' width='10' height='10' patternUnits='userSpaceOnUse'><rect width='10' height='10' fill='url(#b)'/></pattern>"
            "<rect width='10' height='10' fill='url(#o%d)'/>", i, i);
    add(&out, "</svg>");
    assert_true(stream_bytes(&out, &limits) < 150000000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_patterns_in_patterns_share_tiles),
        cmocka_unit_test(test_outlines_that_do_not_scale_are_not_shared),
        cmocka_unit_test(test_long_paths_in_patterns_are_not_copied_without_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
