/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Opaque rectangles hide what lies below them. The pixels are those of the reference device, which looks for occluders
 * tile by tile. Of occluders on top of one another only the topmost is drawn. */
#include "all_sizes.h"
#include "property/random_scene.h"
#include "render/cpu/band_occlusion.h"
#include "scene/scene_fixture.h"

#define SIDE 96u
#define SCENES (few_cases() ? 50u : 150u)
#define OCCLUDERS 100000u
#define ANY_STEPS (UINT64_C(1) << 40) /* what is hidden counts, too */
#define WIDE (few_cases() ? 1024u : 4096u)

static void draw(pietra_device_kind kind, const pietra_stream *stream, uint32_t side, uint32_t *pixels,
                 pietra_stats *stats)
{
    pietra_device *device;
    const pietra_device_options options = {.kind = kind, .threads = 1, .effect_steps = ANY_STEPS};
    ASSERT_OK(pietra_device_create(&options, error, &device));
    pietra_target target = {
        .width = side, .height = side, .format = PIETRA_FORMAT_RGBA8_PREMULTIPLIED, .pixels = pixels};
    ASSERT_OK(pietra_render(device, stream, NULL, &target, error, stats));
    pietra_device_destroy(device);
}

static double side(random_source *source)
{
    double at = random_between(source, -0.3 * SIDE, 1.3 * SIDE);
    return random_below(source, 2) ? (double)(int)at : at;
}

static void add_occluder(pietra_scene *scene, random_source *source)
{
    pietra_path *path = pietra_path_create();
    double x = side(source), y = side(source);
    pietra_path_rect(path, x, y, side(source) - x, side(source) - y);
    pietra_paint paint = {
        .color = {(float)random_between(source, 0, 1), 0.5f, 0.25f, random_below(source, 8) ? 1.0f : 0.99f}};
    ASSERT_OK(pietra_scene_fill(scene, path, NULL, PIETRA_FILL_NONZERO, &paint, error));
    pietra_path_destroy(path);
}

static pietra_stream *covered_scene(uint64_t seed)
{
    random_source source = random_start(seed);
    pietra_scene *scene = new_scene();
    for (uint32_t count = 1 + random_below(&source, 4), i = 0; i < count; i++) {
        random_scene_add(scene, seed * 4 + i, RANDOM_ANYTHING, SIDE);
        for (uint32_t occluders = random_below(&source, 8); occluders > 0; occluders--)
            add_occluder(scene, &source);
    }
    return encode_and_destroy(scene);
}

static void test_pixels(void **state)
{
    (void)state;
    static uint32_t drawn[SIDE * SIDE], right[SIDE * SIDE];
    for (uint64_t seed = 0; seed < SCENES; seed++) {
        pietra_stream *stream = covered_scene(seed);
        draw(PIETRA_DEVICE_CPU, stream, SIDE, drawn, NULL);
        draw(PIETRA_DEVICE_REFERENCE, stream, SIDE, right, NULL);
        pietra_stream_destroy(stream);
        if (memcmp(drawn, right, sizeof drawn))
            fail_msg("seed %u differs", (unsigned)seed);
    }
}

static void test_occluders_upon_occluders(void **state)
{
    (void)state;
    pietra_scene *scene = new_scene();
    for (uint32_t i = 0; i < OCCLUDERS; i++) {
        pietra_paint paint = {.color = {(float)(i & 1), (float)(i >> 1 & 1), 1.0f, 1.0f}};
        fill(scene, "R -8 -8 5000 5000", &paint);
    }
    fill(scene, "R 100.5 100.5 7 7", &HALF);
    uint32_t *pixels = malloc((size_t)WIDE * WIDE * sizeof *pixels);
    assert_non_null(pixels);
    pietra_stats stats = {0};
    pietra_stream *stream = encode_and_destroy(scene);
    draw(PIETRA_DEVICE_CPU, stream, WIDE, pixels, &stats);
    pietra_stream_destroy(stream);
    assert_int_equal(pixels[0], 0xffffffffu);
    assert_int_equal(pixels[WIDE * WIDE - 1], 0xffffffffu);
    assert_int_not_equal(pixels[103 * WIDE + 103], 0xffffffffu);
    assert_true(stats.lines <= 16);
    free(pixels);
}

/* Makes a rectangle's run in the first band of tiles. */
static void make_run(cpu_slot run[3], int x0, int x1)
{
    const int bottom = 2 * TILE_SUBPIXELS;
    run[0].head = (cpu_run_head){.count = 2};
    run[1].edge = (cpu_edge){x0 * SUBPIXELS, bottom, x0 * SUBPIXELS, -TILE_SUBPIXELS};
    run[2].edge = (cpu_edge){x1 * SUBPIXELS, -TILE_SUBPIXELS, x1 * SUBPIXELS, bottom};
}

/* Of three elements, the topmost covers columns 2 and 3, the next one covers 6, and the lowest covers 1 to 6. */
static void test_columns(void **state)
{
    enum { COLUMNS = 8 };
    static const uint expected[COLUMNS] = {0, 2, 4, 4, 2, 2, 3, 0};
    static const int sides[][2] = {{0, 0}, {8, 120}, {88, 120}, {24, 72}}; /* the tiles at their ends are cut */
    (void)state;
    uint found[COLUMNS];
    int steps[COLUMNS + 1];
    bool touched[COLUMNS];
    const frame_config config = {.width = COLUMNS * TILE_SIDE, .height = TILE_SIDE};
    band_occluders occluders = {.occluders = found, .steps = steps, .touched = touched, .count = COLUMNS};
    cpu_element elements[4];
    occluders_begin(&occluders, 1000);
    for (uint i = 3; i > 0; i--) {
        cpu_slot run[3];
        const cpu_slot *const heads[] = {run};
        make_run(run, sides[i][0], sides[i][1]);
        elements[i] = (cpu_element){.kind = ELEMENT_FILL | ELEMENT_OPAQUE,
                                    .clip = {sides[i][0], -TILE_SIDE, sides[i][1], 2 * TILE_SIDE},
                                    .layer = NONE};
        occluders_add(&occluders, &config, elements, i, (element_runs){.heads = heads, .count = 1, .lines = 2});
    }
    assert_memory_equal(found, expected, sizeof found);
    pixel_box box = {0, 0, COLUMNS * TILE_SIDE, TILE_SIDE}, hidden = {20, 0, 110, TILE_SIDE};
    assert_true(occluders_cut(&occluders, 0, &box));
    assert_int_equal(box.x0, 0);
    assert_int_equal(box.x1, COLUMNS * TILE_SIDE);
    assert_false(occluders_cut(&occluders, 0, &hidden));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pixels), cmocka_unit_test(test_occluders_upon_occluders),
                                       cmocka_unit_test(test_columns)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
