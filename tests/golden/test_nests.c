/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Nested clips and groups of every depth give the same bytes on every device. They are those that the nest computed or,
 * with fractions and curves, those of the golden, which was compared with the exact renderer.
 *
 *   test_nests [--update] [PART]
 *
 * Either argument selects nests of all sizes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "all_sizes.h"
#include "golden/gallery.h"
#include "golden/nest.h"

#define SIDE 64

/* The exact renderer keeps a layer for each level, so it is not used for deeper nests. */
#define DEEPEST_JUDGED 260

typedef struct nest_test {
    panel *devices;
    const char *part;
    bool update, all_sizes;
    size_t checked;
} nest_test;

static nest_box whole(void)
{
    return (nest_box){0, 0, SIDE, SIDE};
}

static uint32_t color_of(size_t index)
{
    return (uint32_t)(index * 2654435761u) >> 8;
}

/* Returns the box of a level. It shrinks with depth from the whole canvas to its middle, each side at its own pace. */
static nest_box level_box(size_t level, size_t depth)
{
    size_t shrink = depth ? level * (SIDE / 2 - 4) / depth : 0;
    int32_t s = (int32_t)shrink, wobble = (int32_t)(level % 3);
    return (nest_box){s - wobble, s / 2 - wobble, SIDE - s / 2 + wobble, SIDE - s};
}

static bool wanted(const nest_test *test, const char *name)
{
    return strstr(name, test->part);
}

/* Draws the finished nest on every device and destroys it. */
static void check(nest_test *test, const char *name, nest *n, size_t depth)
{
    pietra_error error;
    pietra_stream *stream;
    panel *p = test->devices;
    uint32_t failures = p->failures;
    if (n->depth)
        nest_close(n, n->depth);
    if (pietra_stream_encode(n->scene, &error, &stream)) {
        panel_fail(p, name, "%s", error.message);
    } else {
        picture image = panel_draw_all(p, name, stream, NULL, n->expected.width, n->expected.height);
        if (image.pixels && n->known) {
            panel_expect_equal(p, name, &n->expected, &image);
        } else if (image.pixels && depth <= DEEPEST_JUDGED) {
            /* Where edges of the levels nearly coincide, each level multiplies the error once more. */
            double levels = (double)depth;
            gallery_tolerance tolerance = {
                .limit = 26 + levels / 4, .mean = 2.5 + levels / 128, .above = 0.005, .greatest = 26 + levels};
            gallery_judge(p, name, stream, NULL, &image, tolerance);
        }
        if (image.pixels)
            gallery_check(p, name, &image, test->update && p->failures == failures);
        picture_destroy(&image);
        pietra_stream_destroy(stream);
    }
    test->checked++;
    nest_destroy(n);
}

/* Returns how far apart the visible levels are. Between them deep nests have clips that change nothing and cost only
 * their clip events. Otherwise a million levels would take the software device a quarter of an hour. */
static size_t level_spacing(size_t depth)
{
    return depth <= 4097 ? 1 : depth <= 100000 ? 256 : 4096;
}

/* Nests clips. With `siblings` every visible level first fills the canvas, so that each shows as a ring. Without them
 * each begin is alone in the one around it, and only the innermost is filled. */
static void check_chain(nest_test *test, const char *kind, nest_shape shape, bool siblings, size_t depth)
{
    char name[100];
    snprintf(name, sizeof name, "nest/%s_%zu", kind, depth);
    if (!wanted(test, name))
        return;
    nest n = nest_create(SIDE, SIDE);
    size_t spacing = level_spacing(depth);
    for (size_t level = 0; level < depth; level++) {
        if (siblings && level % spacing == 0)
            nest_fill(&n, whole(), color_of(level));
        if (level % spacing == 0)
            nest_open(&n, shape, level_box(level, depth));
        else if (depth < 100000 && shape == NEST_FRACTION && level % 16 == 8)
            nest_open_around(&n, (int32_t)(level % 29));
        else
            nest_open(&n, NEST_RECT, whole());
    }
    nest_fill(&n, whole(), 0xe5a823);
    if (siblings) {
        size_t up = depth / 2;
        nest_close(&n, depth - up);
        nest_fill(&n, (nest_box){SIDE / 2, 0, SIDE / 2 + 5, SIDE}, 0xc8102e);
        nest_close(&n, up);
        nest_fill(&n, (nest_box){0, SIDE / 2, SIDE, SIDE / 2 + 3}, 0x1f4e9c);
    }
    check(test, name, &n, depth);
}

/* Takes clips of several kinds, and groups, in turn. */
static void check_mixed(nest_test *test, size_t depth)
{
    static const nest_shape shapes[] = {NEST_DISC,     NEST_GROUP, NEST_RECT,  NEST_UNION,
                                        NEST_FRACTION, NEST_RING,  NEST_GROUP, NEST_RECT};
    char name[100];
    snprintf(name, sizeof name, "nest/mixed_%zu", depth);
    if (!wanted(test, name))
        return;
    nest n = nest_create(SIDE, SIDE);
    for (size_t level = 0; level < depth; level++) {
        nest_fill(&n, whole(), color_of(level));
        nest_open(&n, shapes[level % 8], level_box(level, depth + depth / 4));
    }
    nest_fill(&n, whole(), 0xe5a823);
    nest_close(&n, depth);
    nest_fill(&n, (nest_box){0, SIDE / 2, SIDE, SIDE / 2 + 3}, 0x1f4e9c);
    check(test, name, &n, depth);
}

/* Opens 2 W and closes W, repeatedly: a search for the enclosing begin must pass whole windows that were closed
 * again. */
static void check_saw(nest_test *test, size_t teeth, size_t width)
{
    char name[100];
    snprintf(name, sizeof name, "nest/saw_%zu", width);
    if (!wanted(test, name))
        return;
    nest n = nest_create(SIDE, SIDE);
    size_t most = teeth * width;
    for (size_t tooth = 0; tooth < teeth; tooth++) {
        for (size_t i = 0; i < 2 * width; i++)
            nest_open(&n, NEST_RECT, level_box(n.depth, most + width));
        nest_fill(&n, whole(), color_of(tooth));
        nest_close(&n, width);
        nest_fill(&n, (nest_box){(int32_t)(tooth * 7), 0, (int32_t)(tooth * 7 + 4), SIDE}, color_of(tooth + 100));
    }
    check(test, name, &n, most);
}

/* Opens all in one run and closes in bursts of growing size, with a mark after each burst. Bursts cross the ends of
 * partitions. */
static void check_bursts(nest_test *test, size_t depth)
{
    char name[100];
    snprintf(name, sizeof name, "nest/bursts_%zu", depth);
    if (!wanted(test, name))
        return;
    nest n = nest_create(SIDE, SIDE);
    for (size_t round = 0; round < 3; round++) {
        for (size_t level = 0; level < depth; level++)
            nest_open(&n, NEST_RECT, level_box(level, depth));
        for (size_t burst = 1; n.depth; burst = burst * 2 + round) {
            nest_close(&n, burst < n.depth ? burst : n.depth);
            int32_t at = (int32_t)(n.depth * 61 / depth);
            nest_fill(&n, (nest_box){at, (int32_t)(round * 20), at + 3, (int32_t)(round * 20 + 18)},
                      color_of(n.depth + round));
        }
    }
    check(test, name, &n, depth);
}

/* After a deep nest, adds hundreds of siblings at its top and half way down, each with a small nest of its own. */
static void check_siblings(nest_test *test, size_t depth)
{
    char name[100];
    snprintf(name, sizeof name, "nest/siblings_%zu", depth);
    if (!wanted(test, name))
        return;
    nest n = nest_create(SIDE, SIDE);
    for (size_t level = 0; level < depth; level++)
        nest_open(&n, NEST_RECT, level_box(level, 2 * depth));
    nest_fill(&n, whole(), 0x225588);
    nest_close(&n, depth - depth / 2);
    for (int half = 0; half < 2; half++) {
        for (int32_t i = 0; i < 200; i++) {
            int32_t x = i * 3 % SIDE, y = i * 3 / SIDE * 5 + half * 2;
            nest_open(&n, NEST_RECT, (nest_box){x, y, x + 4, y + 4});
            nest_open(&n, NEST_RECT, (nest_box){x + 1, y - 1, x + 9, y + 3});
            nest_fill(&n, whole(), color_of((size_t)i));
            nest_close(&n, 2);
        }
        if (!half)
            nest_close(&n, n.depth);
    }
    check(test, name, &n, depth);
}

/* Takes clips of no area, and clips off every side, deep and shallow. What is inside them never shows; what follows
 * does. */
static void check_nothing_inside(nest_test *test)
{
    static const nest_box boxes[] = {{10, 10, 10, 40}, {-50, 0, 0, 64}, {64, 0, 90, 64},
                                     {0, -20, 64, 0},  {0, 64, 64, 99}, {5, 40, 50, 40}};
    if (!wanted(test, "nest/nothing_inside"))
        return;
    nest n = nest_create(SIDE, SIDE);
    for (size_t depth = 1; depth <= 600; depth = depth * 3 + 1) {
        for (size_t i = 0; i < sizeof boxes / sizeof boxes[0]; i++) {
            for (size_t level = 0; level < depth; level++) {
                nest_open(&n, NEST_RECT, level == depth / 2 ? boxes[i] : whole());
                nest_fill(&n, whole(), level < depth / 2 ? 0x2a7f62 : 0xff0000);
            }
            nest_close(&n, depth);
            nest_fill(
                &n, (nest_box){(int32_t)i * 10, (int32_t)(depth % 50), (int32_t)i * 10 + 8, (int32_t)(depth % 50) + 8},
                color_of(depth + i));
        }
    }
    check(test, "nest/nothing_inside", &n, 600);
}

/* Opens, closes and fills at random, many thousands of times. */
static void check_random_walk(nest_test *test, uint32_t seed)
{
    char name[100];
    snprintf(name, sizeof name, "nest/walk_%u", seed);
    if (!wanted(test, name))
        return;
    nest n = nest_create(SIDE, SIDE);
    uint32_t state = seed * 747796405u + 1;
    for (int i = 0; i < 6000; i++) {
        state = state * 1664525u + 1013904223u;
        uint32_t r = state >> 8, phase = (uint32_t)i / 700 % 2 ? 2u : 5u;
        if (r % 8 < phase || !n.depth) {
            int32_t x = (int32_t)(r >> 3 & 15), y = (int32_t)(r >> 7 & 15);
            nest_open(&n, NEST_RECT, (nest_box){x - 8, y - 8, x + SIDE - 8, y + SIDE - 8});
        } else if (r % 8 < 7) {
            nest_close(&n, 1);
        } else {
            int32_t x = (int32_t)(r >> 3 & 63), y = (int32_t)(r >> 9 & 63);
            nest_fill(&n, (nest_box){x, y, x + 12, y + 9}, color_of(r));
        }
    }
    check(test, name, &n, 3000);
}

/* Takes rectangles at every depth. Kinds whose levels each take a layer are tried at all small depths, and at one of
 * every three neighbouring large ones: by day some of them, and at 257 alone. */
static void check_depth(nest_test *test, size_t depth)
{
    bool every_kind =
        depth <= 33 || ((depth == 257 || depth == 513 || depth == 1025 || depth == 4097) && test->all_sizes);
    if (depth <= 1025 || test->all_sizes)
        check_chain(test, "rects", NEST_RECT, true, depth);
    check_chain(test, "sole_rects", NEST_RECT, false, depth);
    if (depth <= 513 || test->all_sizes)
        check_chain(test, "sole_fractions", NEST_FRACTION, false, depth);
    if (every_kind || depth == 257 || (depth == 1025 && test->all_sizes))
        check_mixed(test, depth);
    if (every_kind || depth == 257) {
        check_chain(test, "fractions", NEST_FRACTION, true, depth);
        check_chain(test, "groups", NEST_GROUP, true, depth);
    }
    if (every_kind) {
        check_chain(test, "discs", NEST_DISC, true, depth);
        check_chain(test, "sole_rings", NEST_RING, false, depth);
        check_chain(test, "unions", NEST_UNION, true, depth);
    }
}

static void check_all(nest_test *test)
{
    static const size_t depths[] = {0,   1,   2,   15,  16,  17,   31,   32,   33,  255,
                                    256, 257, 511, 512, 513, 1023, 1024, 1025, 4097};
    static const size_t widths[] = {8, 15, 16, 17, 32, 63, 64, 65, 127, 128, 129, 255, 256, 257, 512, 1024};
    for (size_t i = 0; i < sizeof depths / sizeof depths[0]; i++) /* by day none in a row of three neighbours' middle */
        if (test->all_sizes || depths[i] < 3 || (depths[i] & (depths[i] - 1)) != 0)
            check_depth(test, depths[i]);
    if (test->all_sizes) {
        check_depth(test, 4095);
        check_depth(test, 4096);
    }
    for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++) {
        if (test->all_sizes || i % 4 == 2)
            check_saw(test, 8, widths[i]);
        if (test->all_sizes || i % 4 == 0)
            check_bursts(test, 4 * widths[i] + 3);
        if (test->all_sizes || i % 4 == 1)
            check_siblings(test, widths[i]);
    }
    check_chain(test, "rects", NEST_RECT, true, 65537);
    check_nothing_inside(test);
    for (uint32_t seed = 1; seed <= (test->all_sizes ? 4u : 1u); seed++)
        check_random_walk(test, seed);
}

/* Runs without the validation layer, whose bookkeeping would take most of the time. */
static void check_deepest(nest_test *test)
{
    check_chain(test, "sole_fractions", NEST_FRACTION, false, 65537);
    check_chain(test, "discs", NEST_DISC, true, 65537);
    check_chain(test, "groups", NEST_GROUP, true, 65537);
    check_chain(test, "rects", NEST_RECT, true, 1000000);
    check_chain(test, "sole_fractions", NEST_FRACTION, false, 1000000);
}

int main(int argc, char **argv)
{
    panel devices;
    nest_test test = {.devices = &devices,
                      .update = argc > 1 && strcmp(argv[1], "--update") == 0,
                      .all_sizes = argc > 1 || all_sizes()};
    test.part = argc > 1 + test.update ? argv[1 + test.update] : "";
    panel_open(&devices, true);
    check_all(&test);
    panel_close(&devices);
    uint32_t failures = devices.failures;
    if (test.all_sizes) {
        panel_open(&devices, false);
        check_deepest(&test);
        panel_close(&devices);
        failures += devices.failures;
    }
    printf("%zu nests, %u failures\n", test.checked, failures);
    return failures != 0;
}
