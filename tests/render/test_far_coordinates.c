/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* However far a path's coordinates lead, a part of the frame has the pixels that the whole frame has there. So the
 * bytes do not depend on the memory budget, which decides how a frame is cut into parts. */
#include <math.h>

#include "property/random_scene.h"
#include "render/cpu/cpu.h"
#include "render/frame/config.h"
#include "render/reference/reference.h"
#include "scene/scene_fixture.h"

#define SIDE 80u
#define TILES ((int)SIDE / TILE_SIDE)
#define SCENES 1000u
#define SCENES_EACH 20u /* one of this many is drawn by the reference too */
#define FARTHEST 18.5   /* beyond the range that pietra.h states */

/* Returns a coordinate in the picture, or one of any size. */
static double coordinate(random_source *source, double reach)
{
    return random_below(source, 3) ? random_between(source, 0, SIDE) : random_between(source, -reach, reach);
}

static void add_segment(random_source *source, pietra_path *path, double reach)
{
    double p[6];
    for (size_t i = 0; i < 6; i++)
        p[i] = coordinate(source, reach);
    switch (random_below(source, 4)) {
    case 0:
        pietra_path_line_to(path, p[0], p[1]);
        break;
    case 1:
        pietra_path_quad_to(path, p[0], p[1], p[2], p[3]);
        break;
    case 2:
        pietra_path_arc_to(path, p[0], p[1], p[2], random_below(source, 2), random_below(source, 2), p[4], p[5]);
        break;
    default:
        pietra_path_cubic_to(path, p[0], p[1], p[2], p[3], p[4], p[5]);
    }
}

static pietra_path *far_path(random_source *source, double reach)
{
    pietra_path *path = pietra_path_create();
    pietra_path_move_to(path, coordinate(source, reach), coordinate(source, reach));
    for (uint32_t i = 0, count = 1 + random_below(source, 5); i < count; i++)
        add_segment(source, path, reach);
    if (random_below(source, 2))
        pietra_path_close(path);
    return path;
}

static pietra_stroke far_stroke(random_source *source, const double *dashes)
{
    pietra_stroke stroke = {.width = pow(10, random_between(source, -1, 3)), .miter_limit = 4};
    stroke.cap = (pietra_cap)random_below(source, 3);
    stroke.join = (pietra_join)random_below(source, 5);
    if (random_below(source, 4) == 0) {
        stroke.dashes = dashes;
        stroke.dash_count = 2;
    }
    return stroke;
}

/* Returns a map that stretches and turns, and moves the far ends of some paths into the picture. */
static pietra_transform far_transform(random_source *source, double reach)
{
    pietra_transform t = {1, 0, 0, 1, 0, 0};
    if (random_below(source, 2)) {
        t = (pietra_transform){random_between(source, -2, 2),
                               random_between(source, -2, 2),
                               random_between(source, -2, 2),
                               random_between(source, -2, 2),
                               SIDE / 2,
                               SIDE / 2};
    }
    if (random_below(source, 4) == 0) {
        t.e = random_between(source, -reach, reach);
        t.f = random_between(source, -reach, reach);
    }
    return t;
}

static pietra_stream *far_scene(uint64_t seed)
{
    random_source source = random_start(seed);
    double reach = pow(10, random_between(&source, 3, FARTHEST));
    const pietra_paint paint = {.color = {1, 0.5f, 0, 0.75f}};
    const pietra_transform transform = far_transform(&source, reach);
    pietra_path *path = far_path(&source, reach);
    pietra_scene *scene = new_scene();
    if (random_below(&source, 2)) {
        ASSERT_OK(
            pietra_scene_fill(scene, path, &transform, (pietra_fill_rule)random_below(&source, 2), &paint, error));
    } else {
        /* So few dashes that they can be counted. */
        const double dashes[] = {reach * random_between(&source, 0.01, 1), reach * random_between(&source, 0.01, 1)};
        const pietra_stroke stroke = far_stroke(&source, dashes);
        ASSERT_OK(pietra_scene_stroke(scene, path, &transform, &stroke, &paint, error));
    }
    pietra_path_destroy(path);
    return encode_and_destroy(scene);
}

static frame_config config_of_scene(void)
{
    frame_config config;
    const pietra_target target = {.width = SIDE, .height = SIDE};
    ASSERT_OK(config_of_frame(NULL, &target, error, &config));
    return config;
}

typedef void part_drawer(const pietra_stream *stream, const frame_config *config, uint32_t *pixels);

static cpu_device *device;

static void draw_by_cpu(const pietra_stream *stream, const frame_config *config, uint32_t *pixels)
{
    const cpu_target target = {.pixels = (uint8_t *)pixels,
                               .stride_bytes = SIDE * sizeof *pixels,
                               .stored_as.straight = config->straight != 0};
    cpu_counts counts = {0};
    ASSERT_OK(cpu_draw(device, stream_words(stream), config, (uint64_t)1 << 30, &target, error, &counts));
}

static void draw_by_reference(const pietra_stream *stream, const frame_config *config, uint32_t *pixels)
{
    reference_frame frame = {.stream = stream_view_of(stream_words(stream)),
                             .budget_bytes = (uint64_t)1 << 30,
                             .config = *config,
                             .pixels = pixels + (size_t)config->part.y0 * TILE_SIDE * SIDE};
    frame.config.fine_work = UINT32_MAX;
    ASSERT_OK(reference_frame_run(&frame, error));
    reference_frame_free(&frame);
}

/* Draws a frame as a whole, or tile by tile. */
static void draw(const pietra_stream *stream, part_drawer *draw_part, bool in_tiles, uint32_t *pixels)
{
    const frame_config whole = config_of_scene();
    memset(pixels, 0, SIDE * SIDE * sizeof *pixels);
    if (!in_tiles) {
        draw_part(stream, &whole, pixels);
        return;
    }
    for (int tile = 0; tile < TILES * TILES; tile++) {
        const int x = tile % TILES, y = tile / TILES;
        const frame_config part = config_of_part(&whole, (tile_box){x, y, x + 1, y + 1});
        draw_part(stream, &part, pixels);
    }
}

static void test_parts_of_far_paths(void **state)
{
    (void)state;
    static uint32_t whole[SIDE * SIDE], tiles[SIDE * SIDE], reference[SIDE * SIDE];
    uint32_t shown = 0, failures = 0;
    device = cpu_device_create(NULL, NULL);
    assert_non_null(device);
    for (uint64_t seed = 0; seed < SCENES; seed++) {
        pietra_stream *stream = far_scene(seed);
        draw(stream, draw_by_cpu, false, whole);
        draw(stream, draw_by_cpu, true, tiles);
        bool differs = memcmp(whole, tiles, sizeof whole) != 0;
        if (seed % SCENES_EACH == 0) {
            draw(stream, draw_by_reference, true, reference);
            differs = differs || memcmp(whole, reference, sizeof whole) != 0;
        }
        if (differs)
            print_error("seed %u differs\n", (unsigned)seed);
        failures += differs;
        for (size_t i = 0; i < SIDE * SIDE; i++) {
            if (whole[i] != 0) {
                shown++;
                break;
            }
        }
        pietra_stream_destroy(stream);
    }
    cpu_device_destroy(device);
    assert_int_equal(failures, 0);
    assert_true(shown > SCENES / 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_parts_of_far_paths)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
