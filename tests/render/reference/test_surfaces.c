/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Images of scenes by their pixels, on the reference device: sharp at any size, without seams where they repeat. */
#include <math.h>

#include "scene/scene_fixture.h"

#define SIDE 64u

static uint32_t pixels[SIDE * SIDE];

static pietra_image *image_of(pietra_scene *scene, double width, double height)
{
    pietra_image *image;
    ASSERT_OK(pietra_image_create_from_scene(scene, width, height, error, &image));
    pietra_scene_destroy(scene);
    return image;
}

static void draw_at(pietra_device *device, const pietra_stream *stream, double scale, double x)
{
    pietra_target target = {
        .width = SIDE, .height = SIDE, .format = PIETRA_FORMAT_RGBA8_PREMULTIPLIED, .pixels = pixels};
    const pietra_frame frame = {.transform = {scale, 0, 0, scale, x, 0}};
    ASSERT_OK(pietra_render(device, stream, &frame, &target, error, NULL));
}

static pietra_device *reference(void)
{
    pietra_device *device;
    ASSERT_OK(pietra_device_create(&(pietra_device_options){.kind = PIETRA_DEVICE_REFERENCE}, error, &device));
    return device;
}

/* Encodes a scene painted with the image, repeated, under this transform. Destroys the image. */
static pietra_stream *stream_of(pietra_image *image, pietra_transform transform, pietra_spread spread)
{
    pietra_scene *scene = new_scene();
    pietra_paint paint = {.kind = PIETRA_PAINT_IMAGE, .image = image, .spread = spread, .transform = transform};
    fill(scene, "R -100 -100 400 400", &paint);
    pietra_image_destroy(image);
    return encode_and_destroy(scene);
}

static pietra_scene *square(const char *path)
{
    pietra_scene *scene = new_scene();
    fill(scene, path, &RED);
    return scene;
}

/* If it lies on whole pixels, the image equals what it shows, at each size and wherever its tiles start. */
static void test_whole_pixels(void **state)
{
    (void)state;
    pietra_stream *stream =
        stream_of(image_of(square("R 1 2 3 3"), 5, 6), (pietra_transform){1, 0, 0, 1, 7, -3}, PIETRA_SPREAD_REPEAT);
    pietra_device *device = reference();
    for (uint32_t scale = 1; scale <= 4; scale++) {
        draw_at(device, stream, scale, 0);
        for (uint32_t i = 0; i < SIDE * SIDE; i++) {
            uint32_t x = (i % SIDE / scale + 5 - 7 % 5) % 5, y = (i / SIDE / scale + 3) % 6;
            bool inside = x >= 1 && x < 4 && y >= 2 && y < 5;
            assert_int_equal(pixels[i], inside ? 0xff0000ffu : 0u);
        }
    }
    pietra_device_destroy(device);
    pietra_stream_destroy(stream);
}

/* Opaque tiles leave no gap, at any size and angle. */
static void test_no_seams(void **state)
{
    (void)state;
    pietra_device *device = reference();
    for (uint32_t i = 0; i < 40; i++) {
        double width = 0.01 + 0.37 * i, height = 0.3 + 0.71 * (i % 7), turn = 0.1 * i;
        char path[64];
        snprintf(path, sizeof path, "R 0 0 %g %g", width, height);
        pietra_transform transform = {cos(turn), sin(turn), -sin(turn) + 0.2, cos(turn), 3.3, 1.7};
        pietra_stream *stream = stream_of(image_of(square(path), width, height), transform, PIETRA_SPREAD_REPEAT);
        draw_at(device, stream, 1 + 0.13 * (i % 5), 0.21);
        for (uint32_t j = 0; j < SIDE * SIDE; j++)
            assert_int_equal(pixels[j], 0xff0000ffu);
        pietra_stream_destroy(stream);
    }
    pietra_device_destroy(device);
}

/* An image far smaller than a pixel is its mean. */
static void test_means(void **state)
{
    (void)state;
    static const double sides[] = {0.2, 1e-3, 1e-9, 1e-30};
    pietra_device *device = reference();
    for (size_t i = 0; i < sizeof sides / sizeof sides[0]; i++) {
        pietra_transform small = {sides[i], 0, 0, sides[i], 0, 0};
        pietra_stream *stream = stream_of(image_of(square("R 0 0 0.25 1"), 1, 1), small, PIETRA_SPREAD_REPEAT);
        draw_at(device, stream, 1, 0);
        for (uint32_t j = 0; j < SIDE * SIDE; j++)
            assert_in_range(pixels[j] >> 24, 0x3f, 0x41);
        pietra_stream_destroy(stream);
    }
    pietra_device_destroy(device);
}

/* An enlarged image stays sharp: only the pixels of the edge itself have colours between. */
static void test_sharp(void **state)
{
    (void)state;
    pietra_stream *stream =
        stream_of(image_of(square("R 0 0 0.5 1"), 1, 1), (pietra_transform){1, 0, 0, 1, 0, 0}, PIETRA_SPREAD_PAD);
    pietra_device *device = reference();
    draw_at(device, stream, 61, 0);
    for (uint32_t y = 0; y < 61; y++) {
        uint32_t between = 0;
        for (uint32_t x = 0; x < SIDE; x++)
            between += pixels[y * SIDE + x] != 0u && pixels[y * SIDE + x] != 0xff0000ffu;
        assert_int_equal(pixels[y * SIDE + 29], 0xff0000ffu);
        assert_int_equal(pixels[y * SIDE + 32], 0);
        assert_true(between <= 2);
    }
    pietra_device_destroy(device);
    pietra_stream_destroy(stream);
}

/* What a device keeps from frame to frame does not show. */
static void test_kept(void **state)
{
    (void)state;
    static uint32_t first[SIDE * SIDE];
    pietra_stream *streams[2] = {
        encode_and_destroy(surface_scene()),
        stream_of(image_of(square("R 0 0 3 3"), 5, 5), (pietra_transform){1, 0, 0, 1, 0, 0}, PIETRA_SPREAD_REFLECT)};
    pietra_device *device = reference();
    draw_at(device, streams[0], 2.5, 1.25);
    memcpy(first, pixels, sizeof first);
    draw_at(device, streams[1], 2.5, 1.25);
    draw_at(device, streams[0], 1.5, 0);
    assert_true(memcmp(first, pixels, sizeof first) != 0);
    draw_at(device, streams[0], 2.5, 0);
    draw_at(device, streams[0], 2.5, 1.25);
    assert_memory_equal(first, pixels, sizeof first);
    pietra_device_destroy(device);
    pietra_stream_destroy(streams[0]);
    pietra_stream_destroy(streams[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole_pixels), cmocka_unit_test(test_no_seams), cmocka_unit_test(test_means),
        cmocka_unit_test(test_sharp),        cmocka_unit_test(test_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
