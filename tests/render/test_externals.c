/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* External images: a frame shows the pixels that it is given as if they were the image's own. */
#include <string.h>

#include "pietra/pietra_instance.h"
#include "render/external_scene.h"

#define WIDTH 131u
#define HEIGHT 87u
#define BYTES ((size_t)4 * WIDTH * HEIGHT)

static const pietra_target target_like = {
    .width = WIDTH, .height = HEIGHT, .format = PIETRA_FORMAT_RGBA8_PREMULTIPLIED};

static uint8_t *draw(pietra_device *device, const pietra_stream *stream, const pietra_frame *frame)
{
    pietra_target target = target_like;
    target.pixels = malloc(BYTES);
    assert_non_null(target.pixels);
    ASSERT_OK(pietra_render(device, stream, frame, &target, error, NULL));
    return target.pixels;
}

static uint8_t *submit(pietra_view *view, const pietra_submission *submission)
{
    pietra_target target = target_like;
    target.pixels = malloc(BYTES);
    assert_non_null(target.pixels);
    ASSERT_OK(pietra_view_submit(view, submission, &target, error, NULL));
    return target.pixels;
}

/* Draws frames with ever other pixels, of some of the images, and in other sizes. */
static void check_pixels(pietra_device_kind kind)
{
    uint8_t *none[EXTERNAL_IDS] = {NULL};
    pietra_stream *external = encode_externals(none);
    pietra_device *device;
    pietra_view *view;
    ASSERT_OK(pietra_device_create(&(pietra_device_options){.kind = kind, .threads = 1}, error, &device));
    ASSERT_OK(pietra_view_create(device, NULL, error, &view));
    for (uint32_t i = 0; i < 9; i++) {
        pietra_external externals[EXTERNAL_IDS];
        pietra_submission submission = {.stream = external, .externals = externals};
        uint8_t *pixels[EXTERNAL_IDS], *shown[EXTERNAL_IDS];
        for (uint32_t k = 0; k < EXTERNAL_IDS; k++) {
            pixels[k] = make_external_pixels(k, 10 * i + k, i % 3 == 1);
            shown[k] = calloc((size_t)external_sizes[k][0] * external_sizes[k][1], 4);
            if (i % 4 == k + 1)
                continue; /* the frame does not give it */
            externals[submission.external_count++] = external_of(k, pixels[k]);
            memcpy(shown[k], pixels[k], (size_t)4 * external_sizes[k][0] * external_sizes[k][1]);
        }
        submission.frame.transform = (pietra_transform){1 + 0.3 * (i % 5), 0.1 * (i % 2), 0, 1 - 0.1 * i, i, 0};
        pietra_stream *own = encode_externals(shown);
        uint8_t *wanted = draw(device, own, &submission.frame), *found = submit(view, &submission);
        assert_memory_equal(found, wanted, BYTES);
        pietra_stream_destroy(own);
        for (uint32_t k = 0; k < EXTERNAL_IDS; k++) {
            free(pixels[k]);
            free(shown[k]);
        }
        free(wanted);
        free(found);
    }
    pietra_view_destroy(view);
    pietra_device_destroy(device);
    pietra_stream_destroy(external);
}

static void test_cpu(void **state)
{
    (void)state;
    check_pixels(PIETRA_DEVICE_CPU);
}

static void test_reference(void **state)
{
    (void)state;
    check_pixels(PIETRA_DEVICE_REFERENCE);
}

/* Compositions show external images of several streams, among images with pixels. */
static void test_composition(void **state)
{
    uint8_t *none[EXTERNAL_IDS] = {NULL},
            *pixels[EXTERNAL_IDS] = {make_external_pixels(0, 1, false), make_external_pixels(1, 2, true)},
            *mixed[EXTERNAL_IDS] = {NULL, pixels[1]};
    const pietra_external externals[] = {external_of(0, pixels[0]), external_of(1, pixels[1])};
    pietra_stream *streams[] = {encode_externals(none), encode_externals(pixels), encode_externals(mixed)};
    const pietra_stream *whole, *expected;
    pietra_composition *composition = pietra_composition_create(), *own = pietra_composition_create();
    pietra_device *device;
    pietra_view *view;
    (void)state;
    ASSERT_OK(pietra_device_create(&(pietra_device_options){.kind = PIETRA_DEVICE_CPU}, error, &device));
    ASSERT_OK(pietra_view_create(device, NULL, error, &view));
    for (int i = 0; i < 3; i++) {
        pietra_instance instances[3], like[3];
        for (int k = 0; k < 3; k++) {
            instances[k] = (pietra_instance){.stream = streams[(i + k) % 3],
                                             .transform = {0.6, 0, 0, 0.6, 20.0 * k, 11.0 * i * k},
                                             .transparency = k == 1 ? 0.5f : 0};
            like[k] = instances[k];
            like[k].stream = streams[1];
        }
        ASSERT_OK(pietra_composition_set(composition, instances, 3, error, &whole));
        ASSERT_OK(pietra_composition_set(own, like, 3, error, &expected));
        const pietra_submission submission = {.stream = whole, .externals = externals, .external_count = 2};
        uint8_t *wanted = draw(device, expected, NULL), *found = submit(view, &submission);
        assert_memory_equal(found, wanted, BYTES);
        free(wanted);
        free(found);
    }
    pietra_view_destroy(view);
    pietra_device_destroy(device);
    pietra_composition_destroy(composition);
    pietra_composition_destroy(own);
    for (int i = 0; i < 3; i++)
        pietra_stream_destroy(streams[i]);
    free(pixels[0]);
    free(pixels[1]);
}

/* Without pixels an image is transparent, also when the same view has shown some. */
static void test_transparent(void **state)
{
    uint8_t *none[EXTERNAL_IDS] = {NULL}, *pixels = make_external_pixels(0, 3, true);
    pietra_stream *stream = encode_externals(none), *opened;
    const pietra_external given = external_of(0, pixels);
    pietra_device *device;
    pietra_view *view;
    size_t bytes;
    (void)state;
    ASSERT_OK(pietra_device_create(&(pietra_device_options){.kind = PIETRA_DEVICE_CPU}, error, &device));
    ASSERT_OK(pietra_view_create(device, NULL, error, &view));
    free(submit(view, &(pietra_submission){.stream = stream, .externals = &given, .external_count = 1}));
    uint8_t *found = submit(view, &(pietra_submission){.stream = stream}), *alone = draw(device, stream, NULL),
            *nothing = calloc(1, BYTES);
    assert_memory_equal(found, nothing, BYTES);
    assert_memory_equal(alone, nothing, BYTES);
    const void *words = pietra_stream_bytes(stream, &bytes);
    ASSERT_OK(pietra_stream_open(words, bytes, error, &opened));
    pietra_stream_destroy(opened);
    pietra_view_destroy(view);
    pietra_device_destroy(device);
    pietra_stream_destroy(stream);
    free(found);
    free(alone);
    free(nothing);
    free(pixels);
}

static void expect_refusal(pietra_view *view, const pietra_stream *stream, pietra_external external)
{
    static uint8_t pixels[BYTES];
    pietra_target target = target_like;
    pietra_error error = {.message = ""};
    const pietra_submission submission = {.stream = stream, .externals = &external, .external_count = 1};
    target.pixels = pixels;
    assert_int_equal(pietra_view_submit(view, &submission, &target, &error, NULL), PIETRA_ERROR_INPUT);
    assert_true(strlen(error.message) > 0);
}

static void test_refused(void **state)
{
    uint8_t *none[EXTERNAL_IDS] = {NULL}, *pixels = make_external_pixels(0, 3, true);
    pietra_stream *stream = encode_externals(none);
    pietra_external external = external_of(0, pixels);
    pietra_scene *scene = pietra_scene_create();
    pietra_image *image, *of_scene;
    pietra_device *device;
    pietra_view *view;
    (void)state;
    ASSERT_OK(pietra_device_create(&(pietra_device_options){.kind = PIETRA_DEVICE_CPU}, error, &device));
    ASSERT_OK(pietra_view_create(device, NULL, error, &view));
    external.width++;
    expect_refusal(view, stream, external);
    external = external_of(0, NULL);
    expect_refusal(view, stream, external);
    external = external_of(0, pixels);
    external.stride_bytes = 8;
    expect_refusal(view, stream, external);
    external = external_of(0, pixels);
    external.id = 0;
    expect_refusal(view, stream, external);
    external.id = 65536;
    expect_refusal(view, stream, external);
    assert_int_equal(pietra_image_create_external(3, 3, 0, NULL, &image), PIETRA_ERROR_INPUT);
    assert_int_equal(pietra_image_create_external(3, 3, 65536, NULL, &image), PIETRA_ERROR_INPUT);
    assert_int_equal(pietra_image_create_external(0, 3, 1, NULL, &image), PIETRA_ERROR_INPUT);
    assert_int_equal(pietra_image_create_external(3, 65536, 1, NULL, &image), PIETRA_ERROR_INPUT);
    ASSERT_OK(pietra_image_create_external(3, 3, 65535, error, &image));
    ASSERT_OK(pietra_scene_draw_image(scene, image, NULL, PIETRA_FILTER_SMOOTH, error));
    assert_int_equal(pietra_image_create_from_scene(scene, 3, 3, NULL, &of_scene), PIETRA_ERROR_INPUT);
    pietra_image_destroy(image);
    pietra_scene_destroy(scene);
    pietra_view_destroy(view);
    pietra_device_destroy(device);
    pietra_stream_destroy(stream);
    free(pixels);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cpu),         cmocka_unit_test(test_reference), cmocka_unit_test(test_composition),
        cmocka_unit_test(test_transparent), cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests_name("externals", tests, NULL, NULL);
}
