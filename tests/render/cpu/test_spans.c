/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Nests of clips and groups have the reference device's pixels. Their edges lie anywhere among the groups of pixels
 * that a band keeps of a layer. Their colours are constant along rows, along columns, or along neither. */
#include "property/random_scene.h"
#include "scene/scene_fixture.h"

#define SIDE 150u
#define SCENES 40u
#define NESTS 6u

static const pietra_stop STOPS[] = {
    {.offset = 0.1f, .color = {1.0f, 0.5f, 0.0f, 1.0f}},
    {.offset = 0.6f, .color = {0.0f, 0.5f, 1.0f, 0.4f}},
    {.offset = 0.9f, .color = {0.2f, 1.0f, 0.3f, 1.0f}},
};

static pietra_paint random_paint(random_source *source)
{
    pietra_paint paint = {.kind = PIETRA_PAINT_LINEAR, .stops = STOPS, .stop_count = 3, .x1 = SIDE, .y1 = SIDE};
    paint.spread = (pietra_spread)random_below(source, 3);
    switch (random_below(source, 4)) {
    case 0:
        paint.x1 = 0;
        break;
    case 1:
        paint.y1 = 0;
        break;
    case 2:
        paint.kind = PIETRA_PAINT_SOLID;
        paint.color =
            (pietra_color){0.2f, (float)random_between(source, 0, 1), 0.7f, random_below(source, 2) ? 1.0f : 0.4f};
        break;
    default:
        break;
    }
    return paint;
}

/* Returns a diamond, a rectangle, which has full rows, or two rectangles with a gap between. */
static pietra_path *random_shape(random_source *source)
{
    double x = random_between(source, -20, SIDE), y = random_between(source, -20, SIDE),
           reach = random_between(source, 2, SIDE);
    char data[200];
    uint32_t kind = random_below(source, 3);
    if (kind == 0) {
        snprintf(data, sizeof data, "M %.3f %.3f L %.3f %.3f L %.3f %.3f L %.3f %.3f Z", x, y - reach, x + reach, y, x,
                 y + reach, x - reach, y);
    } else if (kind == 1) {
        snprintf(data, sizeof data, "R %.3f %.3f %.3f %.3f R %.3f %.3f %.3f %.3f", x - reach, y - reach / 2,
                 reach * 0.9, reach, x + 0.4 * reach, y - reach / 2, reach * 0.7, reach);
    } else {
        snprintf(data, sizeof data, "R %.3f %.3f %.3f %.3f", x - reach / 2, y - reach / 2, reach, reach);
    }
    return path_from(data);
}

static void add_fill(pietra_scene *scene, random_source *source)
{
    pietra_path *path = random_shape(source);
    pietra_paint paint = random_paint(source);
    ASSERT_OK(pietra_scene_fill(scene, path, NULL, random_below(source, 2) ? PIETRA_FILL_NONZERO : PIETRA_FILL_EVEN_ODD,
                                &paint, error));
    pietra_path_destroy(path);
}

/* Adds a clip by a path or by a source, or a group. Clips that hold nothing but a clip share its layer. */
static void add_nest(pietra_scene *scene, random_source *source, uint32_t depth)
{
    uint32_t kind = random_below(source, 6);
    if (depth == 0 || random_below(source, 3) == 0)
        add_fill(scene, source);
    if (depth == 0)
        return;
    if (kind == 0) {
        ASSERT_OK(pietra_scene_begin_group(scene, 0.6f, error));
    } else if (kind == 1) {
        ASSERT_OK(pietra_scene_begin_clip_source(scene, error));
        add_fill(scene, source);
        add_fill(scene, source);
        ASSERT_OK(pietra_scene_end_clip_source(scene, error));
    } else {
        pietra_path *path = random_shape(source);
        ASSERT_OK(pietra_scene_begin_clip(scene, path, NULL, PIETRA_FILL_NONZERO, error));
        pietra_path_destroy(path);
    }
    add_nest(scene, source, depth - 1);
    if (kind == 0)
        ASSERT_OK(pietra_scene_end_group(scene, error));
    else
        ASSERT_OK(pietra_scene_end_clip(scene, error));
    add_fill(scene, source);
}

static void draw(pietra_device_kind kind, const pietra_stream *stream, uint32_t *pixels)
{
    pietra_device *device;
    ASSERT_OK(pietra_device_create(&(pietra_device_options){.kind = kind, .threads = 1}, error, &device));
    pietra_target target = {
        .width = SIDE, .height = SIDE, .format = PIETRA_FORMAT_RGBA8_PREMULTIPLIED, .pixels = pixels};
    ASSERT_OK(pietra_render(device, stream, NULL, &target, error, NULL));
    pietra_device_destroy(device);
}

static void test_pixels(void **state)
{
    (void)state;
    static uint32_t drawn[SIDE * SIDE], right[SIDE * SIDE];
    for (uint64_t seed = 0; seed < SCENES; seed++) {
        random_source source = random_start(seed);
        pietra_scene *scene = new_scene();
        for (uint32_t i = 0; i < NESTS; i++)
            add_nest(scene, &source, random_below(&source, 6));
        pietra_stream *stream = encode_and_destroy(scene);
        draw(PIETRA_DEVICE_CPU, stream, drawn);
        draw(PIETRA_DEVICE_REFERENCE, stream, right);
        pietra_stream_destroy(stream);
        if (memcmp(drawn, right, sizeof drawn) != 0)
            fail_msg("seed %u differs", (unsigned)seed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pixels)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
