/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The outlines that 04 gives to random strokes, compared with strokes by their definition. The outlines are painted by
 * the part of each pixel that is inside. The pipeline's sums of area are not used, because they count a pixel twice
 * where edges of one outline overlap in it. */
#include <stdio.h>
#include <stdlib.h>

#include "all_sizes.h"
#include "exact/exact.h"
#include "exact/exact_edges.h"
#include "property/random_scene.h"
#include "scene/scene_fixture.h"
#include "render/reference/outline_frame.h"

#define SIDE 96
#define STROKES (all_sizes() ? 300u : few_cases() ? 60u : 150u)
#define LIMIT 48.0     /* levels by which chords that stray 0.1 px from their curve may be wrong */
#define MOST_IN_ONE 16 /* pixels beyond the limit, at sharp bends of wide strokes */
#define MOST_IN_ALL 40

static double coordinate(random_source *source)
{
    double reach = random_below(source, 24) ? 0.25 : 4;
    return random_between(source, -reach * SIDE, (1 + reach) * SIDE);
}

static void add_segment(random_source *source, pietra_path *path)
{
    double c[6];
    for (int i = 0; i < 6; i++)
        c[i] = coordinate(source);
    switch (random_below(source, 4)) {
    case 0:
        pietra_path_line_to(path, c[0], c[1]);
        break;
    case 1:
        pietra_path_quad_to(path, c[0], c[1], c[2], c[3]);
        break;
    default:
        pietra_path_cubic_to(path, c[0], c[1], c[2], c[3], c[4], c[5]);
    }
}

static pietra_path *random_path(random_source *source)
{
    pietra_path *path = pietra_path_create();
    for (uint32_t subpaths = 1 + random_below(source, 2); subpaths > 0; subpaths--) {
        pietra_path_move_to(path, coordinate(source), coordinate(source));
        for (uint32_t count = 1 + random_below(source, 4); count > 0; count--)
            add_segment(source, path);
        if (random_below(source, 2))
            pietra_path_close(path);
    }
    return path;
}

static pietra_stream *random_stroke(uint64_t seed)
{
    random_source source = random_start(seed);
    pietra_path *path = random_path(&source);
    double dashes[6], widest = random_below(&source, 3) ? 6 : 40;
    pietra_stroke style = {.width = random_between(&source, 0, widest),
                           .cap = (pietra_cap)random_below(&source, 3),
                           .join = (pietra_join)random_below(&source, 4),
                           .miter_limit = random_between(&source, 1, 8)};
    if (random_below(&source, 2)) {
        style.dashes = dashes;
        style.dash_count = 1 + random_below(&source, 6);
        style.dash_offset = random_between(&source, -50, 50);
        for (size_t i = 0; i < style.dash_count; i++)
            dashes[i] = random_below(&source, 5) ? random_between(&source, 0.5, 30) : 0;
        dashes[0] += 1;
    }
    pietra_scene *scene = new_scene();
    ASSERT_OK(pietra_scene_stroke(scene, path, NULL, &style, &RED, error));
    pietra_path_destroy(path);
    return encode_and_destroy(scene);
}

/* Paints the alpha of the stream's outlines, as pixels of one colour. */
static void paint_outlines(const pietra_stream *stream, uint8_t *pixels)
{
    static float coverage[SIDE * SIDE];
    reference_frame frame = outline_frame(stream, 0, SIDE);
    exact_edges edges = {.width = SIDE, .height = SIDE};
    for (uint i = 0; i < frame.counters.line_count; i++) {
        edge e = frame.edges[i];
        exact_edges_add(&edges, (exact_point){e.ax / 256.0, e.ay / 256.0}, (exact_point){e.bx / 256.0, e.by / 256.0});
    }
    assert_true(exact_edges_cover(&edges, PIETRA_FILL_NONZERO, coverage));
    for (int i = 0; i < SIDE * SIDE; i++) {
        uint8_t alpha = (uint8_t)(coverage[i] * 255 + 0.5f);
        const uint8_t pixel[4] = {alpha, 0, 0, alpha};
        memcpy(pixels + 4 * i, pixel, 4);
    }
    free(edges.items);
    reference_frame_free(&frame);
}

static void test_outlines(void **state)
{
    (void)state;
    static float expected[4 * SIDE * SIDE];
    static uint8_t pixels[4 * SIDE * SIDE];
    uint32_t sum = 0;
    for (uint64_t seed = 0; seed < STROKES; seed++) {
        pietra_stream *stream = random_stroke(seed);
        paint_outlines(stream, pixels);
        assert_true(exact_render(stream, NULL, SIDE, SIDE, expected));
        exact_difference difference = exact_compare(SIDE, SIDE, expected, pixels, false, LIMIT);
        sum += difference.above;
        if (difference.above > MOST_IN_ONE) {
            fail_msg("seed %u: %u pixels are wrong, most at (%u, %u)", (unsigned)seed, difference.above, difference.x,
                     difference.y);
        }
        pietra_stream_destroy(stream);
    }
    if (sum > MOST_IN_ALL)
        fail_msg("%u pixels are wrong", sum);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_outlines)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
