/* Opaque rectangles hide what lies below them. The pixels are those of the reference device, which looks for occluders
 * tile by tile. Of occluders on top of one another only the topmost is drawn. */
#include "property/random_scene.h"
#include "scene/scene_fixture.h"

#define SIDE 96u
#define SCENES 150u
#define OCCLUDERS 100000u
#define WIDE 4096u

static void draw(pietra_device_kind kind, const pietra_stream *stream, uint32_t side, uint32_t *pixels,
                 pietra_stats *stats)
{
    pietra_device *device;
    ASSERT_OK(pietra_device_create(&(pietra_device_options){.kind = kind, .threads = 1}, error, &device));
    pietra_target target = {
        .width = side, .height = side, .format = PIETRA_FORMAT_RGBA8_PREMULTIPLIED, .pixels = pixels};
    ASSERT_OK(pietra_render(device, stream, NULL, &target, error, stats));
    pietra_device_destroy(device);
}

static double edge(random_source *source)
{
    double at = random_between(source, -0.3 * SIDE, 1.3 * SIDE);
    return random_below(source, 2) ? (double)(int)at : at;
}

static void add_occluder(pietra_scene *scene, random_source *source)
{
    pietra_path *path = pietra_path_create();
    double x = edge(source), y = edge(source);
    pietra_path_rect(path, x, y, edge(source) - x, edge(source) - y);
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pixels), cmocka_unit_test(test_occluders_upon_occluders)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
