/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Bad arguments of documents, streams, devices, images and frames are refused with PIETRA_ERROR_INPUT and a message.
 * They change nothing. */
#include "render/refused.h"

static void test_svg(void **state)
{
    (void)state;
    static const char good[] =
        "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='7'><path d='M0 0h5v5z'/></svg>";
    static const char broken[] =
        "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='7'><path d='M0 0h5v5z'/></sgv>";
    stage s = stage_set();
    pietra_scene *scene = new_scene();
    double width = -1, height = -1;
    ASSERT_REFUSED(pietra_scene_load_svg(NULL, good, sizeof good - 1, NULL, error, &width, &height));
    ASSERT_REFUSED(pietra_scene_load_svg(scene, NULL, 5, NULL, error, &width, &height));
    ASSERT_REFUSED(pietra_scene_load_svg(scene, NULL, 0, NULL, error, &width, &height));
    ASSERT_REFUSED(pietra_scene_load_svg(s.scene, good, sizeof good - 1, NULL, error, &width, &height));
    ASSERT_REFUSED(pietra_scene_load_svg(scene, broken, sizeof broken - 1, NULL, error, &width, &height));
    for (size_t i = 0; i < 4; i++) {
        double number = i < 3 ? NOT_FINITE[i] : -1;
        ASSERT_REFUSED(pietra_scene_load_svg(scene, good, sizeof good - 1, &(pietra_svg_options){.dpi = number}, error,
                                             &width, &height));
        const pietra_svg_options wide = {.viewport_width = number}, high = {.viewport_height = number};
        ASSERT_REFUSED(pietra_scene_load_svg(scene, good, sizeof good - 1, &wide, error, &width, &height));
        ASSERT_REFUSED(pietra_scene_load_svg(scene, good, sizeof good - 1, &high, error, &width, &height));
    }
    assert_true(width == -1 && height == -1);
    ASSERT_OK(pietra_scene_load_svg(scene, good, sizeof good - 1, NULL, error, NULL, NULL));
    ASSERT_REFUSED(pietra_scene_load_svg(scene, good, sizeof good - 1, NULL, error, &width, &height));
    pietra_scene_destroy(scene);
    stage_strike(&s);
}

/* A document that turns out bad when half of it is drawn leaves an empty scene, which serves for the next one. */
static void test_svg_fails_halfway(void **state)
{
    (void)state;
    static const char document[] =
        "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='7'><g opacity='.5'><rect width='3' height='3'/>"
        "<rect width='4' height='4'/></g><g id='a'><rect width='1' height='1'/><rect width='1' height='1'/></g>"
        "<use href='#a'/><use href='#a'/></svg>";
    pietra_scene *scene = new_scene(), *fresh = new_scene();
    ASSERT_REFUSED(pietra_scene_load_svg(scene, document, sizeof document - 1,
                                         &(pietra_svg_options){.limits = {.steps = 2}}, error, NULL, NULL));
    pietra_stream *empty = encode(scene), *other = encode(fresh);
    size_t size, other_size;
    pietra_stream_bytes(empty, &size);
    pietra_stream_bytes(other, &other_size);
    assert_int_equal(size, other_size);
    ASSERT_OK(pietra_scene_load_svg(scene, document, sizeof document - 1, NULL, error, NULL, NULL));
    pietra_stream_destroy(empty);
    pietra_stream_destroy(other);
    pietra_scene_destroy(scene);
    pietra_scene_destroy(fresh);
}

static void test_streams(void **state)
{
    (void)state;
    stage s = stage_set();
    pietra_stream *stream = NULL;
    size_t size = 1;
    ASSERT_REFUSED(pietra_stream_encode(NULL, error, &stream));
    ASSERT_REFUSED(pietra_stream_encode(s.scene, error, NULL));
    const void *bytes = pietra_stream_bytes(s.before, NULL);
    assert_non_null(bytes);
    pietra_stream_bytes(s.before, &size);
    ASSERT_REFUSED(pietra_stream_open(NULL, size, error, &stream));
    ASSERT_REFUSED(pietra_stream_open(NULL, 0, error, &stream));
    ASSERT_REFUSED(pietra_stream_open(bytes, 0, error, &stream));
    ASSERT_REFUSED(pietra_stream_open(bytes, size, error, NULL));
    assert_null(pietra_stream_bytes(NULL, &size));
    assert_int_equal(size, 0);
    begin_group(s.scene, 0.5f);
    ASSERT_REFUSED(pietra_stream_encode(s.scene, error, &stream));
    end_group(s.scene);
    assert_null(stream);
    pietra_stream_destroy(s.before);
    s.before = encode(s.scene);
    stage_strike(&s);
}

static void test_devices(void **state)
{
    (void)state;
    pietra_device *device = NULL;
    pietra_device_info info;
    size_t count;
    ASSERT_REFUSED(pietra_list_devices(1, error, NULL, &count));
    ASSERT_REFUSED(pietra_list_devices(0, error, NULL, NULL));
    ASSERT_UNKNOWN(pietra_device_create(&(pietra_device_options){.kind = (pietra_device_kind)UNKNOWN}, error, &device));
    ASSERT_REFUSED(pietra_device_create(&(pietra_device_options){.kind = PIETRA_DEVICE_CPU}, error, NULL));
    assert_null(device);
    memset(&info, 0x5a, sizeof info);
    pietra_device_info same = info;
    pietra_device_get_info(NULL, &info);
    assert_memory_equal(&info, &same, sizeof info);
    ASSERT_OK(pietra_device_create(&(pietra_device_options){.kind = PIETRA_DEVICE_CPU}, error, &device));
    pietra_device_get_info(device, NULL);
    pietra_device_destroy(device);
    pietra_device_destroy(NULL);
}

static void test_images(void **state)
{
    (void)state;
    static const uint8_t pixels[8] = {0};
    pietra_image *image = NULL;
    ASSERT_REFUSED(pietra_image_create(1, 2, NULL, 0, error, &image));
    ASSERT_REFUSED(pietra_image_create(1, 0, pixels, 0, error, &image));
    ASSERT_REFUSED(pietra_image_create(1, 2, pixels, 3, error, &image));
    ASSERT_REFUSED(pietra_image_create(1, 2, pixels, SIZE_MAX / 2, error, &image));
    ASSERT_REFUSED(pietra_image_create(1, 2, pixels, 4, error, NULL));
    pietra_scene *scene = pietra_scene_create();
    ASSERT_REFUSED(pietra_image_create_from_scene(NULL, 1, 1, error, &image));
    ASSERT_REFUSED(pietra_image_create_from_scene(scene, 1, 1, error, NULL));
    ASSERT_REFUSED(pietra_image_create_from_scene(scene, 0, 1, error, &image));
    ASSERT_REFUSED(pietra_image_create_from_scene(scene, 1, -1, error, &image));
    ASSERT_REFUSED(pietra_image_create_from_scene(scene, NAN, 1, error, &image));
    ASSERT_REFUSED(pietra_image_create_from_scene(scene, 1, INFINITY, error, &image));
    assert_int_equal(pietra_scene_begin_group(scene, 1, NULL), PIETRA_OK);
    ASSERT_REFUSED(pietra_image_create_from_scene(scene, 1, 1, error, &image));
    pietra_scene_destroy(scene);
    assert_null(image);
}

static void test_bounds_are_finite(void **state)
{
    (void)state;
    pietra_scene *scene = new_scene();
    pietra_path *path = path_from("M 0 0 L 1e300 1e300 L -1e300 5 Z");
    const pietra_transform large = {.a = 1e300, .d = 1e300};
    const pietra_stroke stroke = {.width = 1e300};
    ASSERT_OK(pietra_scene_fill(scene, path, &large, PIETRA_FILL_NONZERO, &RED, error));
    ASSERT_OK(pietra_scene_stroke(scene, path, &large, &stroke, &RED, error));
    pietra_box box;
    assert_true(pietra_scene_bounds(scene, &box));
    assert_true(isfinite(box.x0) && isfinite(box.y0) && isfinite(box.x1) && isfinite(box.y1));
    assert_true(box.x0 < -1e307 && box.x1 > 1e307 && box.y1 > 1e307);
    pietra_path_destroy(path);
    pietra_scene_destroy(scene);
}

static void test_frames(void **state)
{
    (void)state;
    stage s = stage_set();
    uint8_t pixels[8 * 64], untouched[sizeof pixels];
    memset(pixels, 0x5a, sizeof pixels);
    memcpy(untouched, pixels, sizeof pixels);
    pietra_device *device = NULL;
    ASSERT_OK(pietra_device_create(&(pietra_device_options){.kind = PIETRA_DEVICE_CPU}, error, &device));
    const pietra_target good = {.width = 8, .height = 8, .pixels = pixels, .stride_bytes = 64};
    pietra_stats stats;
    memset(&stats, 0x5a, sizeof stats);
    ASSERT_REFUSED(pietra_render(NULL, s.before, NULL, &good, error, &stats));
    ASSERT_REFUSED(pietra_render(device, NULL, NULL, &good, error, &stats));
    ASSERT_REFUSED(pietra_render(device, s.before, NULL, NULL, error, &stats));
    pietra_target target;
#define ASSERT_BAD_TARGET(change) \
    do { \
        target = good; \
        target.change; \
        ASSERT_REFUSED(pietra_render(device, s.before, NULL, &target, error, &stats)); \
    } while (0)
    ASSERT_BAD_TARGET(pixels = NULL);
    ASSERT_BAD_TARGET(width = 0);
    ASSERT_BAD_TARGET(height = 0);
    ASSERT_BAD_TARGET(width = PIETRA_MAX_SIDE + 1);
    ASSERT_BAD_TARGET(height = PIETRA_MAX_SIDE + 1);
    ASSERT_BAD_TARGET(width = UINT32_MAX);
    ASSERT_BAD_TARGET(stride_bytes = 31);
    ASSERT_BAD_TARGET(stride_bytes = 1);
    ASSERT_BAD_TARGET(stride_bytes = SIZE_MAX);
    ASSERT_BAD_TARGET(stride_bytes = SIZE_MAX / 8);
    target = good;
    target.format = (pietra_format)UNKNOWN;
    ASSERT_UNKNOWN(pietra_render(device, s.before, NULL, &target, error, &stats));
    for (size_t i = 0; i < 4 * 10; i++) {
        double numbers[6] = {1, 0, 0, 1, 0, 0};
        float channels[4] = {0};
        double number = i % 4 < 3 ? NOT_FINITE[i % 4] : 1e19;
        if (i / 4 < 6)
            numbers[i / 4] = number;
        else if (i % 4 < 3)
            channels[i / 4 - 6] = (float)number;
        else
            continue;
        pietra_frame frame;
        memcpy(&frame.transform, numbers, sizeof frame.transform);
        memcpy(&frame.background, channels, sizeof frame.background);
        ASSERT_REFUSED(pietra_render(device, s.before, &frame, &good, error, &stats));
    }
    assert_memory_equal(pixels, untouched, sizeof pixels);
    assert_int_equal(stats.elements, 0x5a5a5a5a);
    /* The bytes after the pixels of each row belong to the caller. */
    ASSERT_OK(pietra_render(device, s.before, NULL, &good, error, &stats));
    for (size_t y = 0; y < 8; y++)
        assert_memory_equal(pixels + 64 * y + 32, untouched, 32);
    assert_int_equal(pixels[64 * 2 + 4 * 2], 255);
    /* 1e18 is within range. */
    const pietra_frame far = {.transform = {1e18, -1e18, 1e18, -1e18, -1e18, 1e18}};
    ASSERT_OK(pietra_render(device, s.before, &far, &good, error, NULL));
    pietra_device_destroy(device);
    stage_strike(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_svg),     cmocka_unit_test(test_svg_fails_halfway),
        cmocka_unit_test(test_streams), cmocka_unit_test(test_devices),
        cmocka_unit_test(test_images),  cmocka_unit_test(test_bounds_are_finite),
        cmocka_unit_test(test_frames),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
