/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A region of a picture has the bytes of the whole: random scenes with and without effects and scenes of scenes/, cut
 * into regions of several sizes, on every device. */
#include <limits.h>

#include "golden/scene_files.h"
#include "property/random_effect.h"
#include "render/open_device.h"

#define WIDTH 100u /* neither side is a multiple of 16 */
#define HEIGHT 83u
#define SEEDS 12u

typedef struct cut {
    uint32_t across, down; /* a region's sides */
} cut;

static const cut small_cuts[] = {{16, 16}, {48, 32}, {112, 16}, {64, 96}}, large_cuts[] = {{128, 144}, {4096, 80}};

typedef struct subject {
    const char *name;
    const pietra_stream *stream;
    pietra_frame frame;
    uint32_t width, height;
    pietra_format format;
    size_t stride; /* of the regions' rows, beyond their pixels */
} subject;

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static void draw(pietra_device *device, const subject *subject, const pietra_region *region, uint32_t width,
                 uint32_t height, uint8_t *pixels, size_t stride)
{
    pietra_frame frame = subject->frame;
    const pietra_target target = {
        .width = width, .height = height, .format = subject->format, .pixels = pixels, .stride_bytes = stride};
    pietra_error error;
    frame.region = *region;
    if (pietra_render(device, subject->stream, &frame, &target, &error, NULL) != PIETRA_OK)
        fail_msg("%s: %s", subject->name, error.message);
}

/* Draws a region into memory that is larger, and compares all of that: nothing beside the region may change. */
static void check_region(pietra_device *device, const subject *subject, pietra_region region, cut cut,
                         const uint8_t *whole)
{
    const uint32_t width = least(cut.across, subject->width - region.x),
                   height = least(cut.down, subject->height - region.y);
    const size_t stride = 4 * (size_t)width + subject->stride, bytes = stride * height;
    uint8_t *pixels = malloc(bytes + 64);
    assert_non_null(pixels);
    memset(pixels, 0xa5, bytes + 64);
    draw(device, subject, &region, width, height, pixels, stride);
    for (uint32_t y = 0; y < height; y++) {
        const uint8_t *row = whole + 4 * ((size_t)(region.y + y) * subject->width + region.x);
        if (memcmp(pixels + y * stride, row, 4 * (size_t)width) != 0)
            fail_msg("%s: a region of %u x %u at %u, %u differs in row %u", subject->name, width, height, region.x,
                     region.y, y);
        for (size_t i = 4 * (size_t)width; i < stride; i++)
            assert_int_equal(pixels[y * stride + i], 0xa5);
    }
    for (size_t i = 0; i < 64; i++)
        assert_int_equal(pixels[bytes + i], 0xa5);
    free(pixels);
}

static void check_cuts(pietra_device *device, const subject *subject, const cut *cuts, size_t count)
{
    const pietra_region none = {.x = 0};
    uint8_t *whole = malloc(4 * (size_t)subject->width * subject->height);
    assert_non_null(whole);
    draw(device, subject, &none, subject->width, subject->height, whole, 0);
    for (size_t i = 0; i < count; i++)
        for (uint32_t y = 0; y < subject->height; y += cuts[i].down)
            for (uint32_t x = 0; x < subject->width; x += cuts[i].across)
                check_region(device, subject, (pietra_region){x, y, subject->width, subject->height}, cuts[i], whole);
    free(whole);
}

/* Draws random scenes. On a GPU in software a region takes long, so there they are few. */
static void check_random(pietra_device *device, const char *name, uint32_t seeds, const cut *cuts, size_t cut_count)
{
    static const pietra_transform views[] = {{.a = 1, .d = 1}, {0.9, 0.3, -0.3, 0.9, 9.3, 2.1}, {.a = 1.7, .d = 1.7}};
    for (uint32_t seed = 0; seed < seeds; seed++) {
        pietra_stream *stream = encode_and_destroy(seed % 2 ? random_effect_scene_create(seed, WIDTH)
                                                            : random_scene_create(seed, RANDOM_ANYTHING, WIDTH));
        char text[100];
        snprintf(text, sizeof text, "%s, seed %u", name, seed);
        const subject subject = {
            .name = text,
            .stream = stream,
            .frame = {.transform = views[seed % 3], .background = {0.25f, 0.5f, 1, 0.5f}},
            .width = WIDTH,
            .height = HEIGHT,
            .format = seed % 3 ? PIETRA_FORMAT_RGBA8_STRAIGHT : PIETRA_FORMAT_BGRA8_OPAQUE,
            .stride = seed % 4 * 4,
        };
        check_cuts(device, &subject, cuts, cut_count);
        pietra_stream_destroy(stream);
    }
}

static void test_random_on_cpu(void **state)
{
    (void)state;
    pietra_device *device = open_device(PIETRA_DEVICE_CPU, 2, 0);
    check_random(device, "CPU", SEEDS, small_cuts, 4);
    pietra_device_destroy(device);
}

/* Frames whose buffers and effects do not fit at once are cut again inside of a region. */
static void test_random_within_a_budget(void **state)
{
    (void)state;
    pietra_device *device = open_device(PIETRA_DEVICE_CPU, 2, 3u << 19);
    check_random(device, "budget", SEEDS, small_cuts, 4);
    pietra_device_destroy(device);
}

static void test_random_by_reference(void **state)
{
    (void)state;
    pietra_device *device = open_device(PIETRA_DEVICE_REFERENCE, 2, 0);
    check_random(device, "reference", SEEDS, small_cuts + 1, 3);
    pietra_device_destroy(device);
}

static void test_random_on_gpu(void **state)
{
    (void)state;
    pietra_device *device = open_device(PIETRA_DEVICE_GPU, 2, 0);
    check_random(device, "GPU", 6, small_cuts + 3, 1);
    pietra_device_destroy(device);
}

/* What has effects, patterns, masks and images that are drawn for a frame. */
static void test_scene_files(void **state)
{
    static const char *const groups[] = {"filter/", "mask/", "pattern/", "image/", "blend/", "showcase/"};
    (void)state;
    scene_files files = scene_files_find();
    pietra_device *device = open_device(PIETRA_DEVICE_CPU, 2, 0);
    size_t drawn = 0;
    for (size_t i = 0; i < files.count; i++) {
        bool wanted = false;
        for (size_t k = 0; k < sizeof groups / sizeof groups[0]; k++)
            wanted |= strncmp(files.names[i], groups[k], strlen(groups[k])) == 0;
        if (!wanted)
            continue;
        pietra_error error;
        pietra_stream *stream;
        subject subject = {.name = files.names[i]};
        if (scene_files_load(files.names[i], &error, &stream, &subject.width, &subject.height) != PIETRA_OK)
            fail_msg("%s: %s", files.names[i], error.message);
        subject.stream = stream;
        check_cuts(device, &subject, large_cuts, 2);
        pietra_stream_destroy(stream);
        drawn++;
    }
    print_message("%zu scenes\n", drawn);
    assert_true(drawn > 50);
    pietra_device_destroy(device);
    scene_files_free(&files);
}

static void expect_refused(pietra_device *device, const pietra_stream *stream, pietra_region region, uint32_t width,
                           uint32_t height)
{
    static uint8_t pixels[4 * 64 * 64];
    const pietra_frame frame = {.region = region};
    const pietra_target target = {.width = width, .height = height, .pixels = pixels};
    assert_int_equal(pietra_render(device, stream, &frame, &target, NULL, NULL), PIETRA_ERROR_INPUT);
}

static void test_bad_regions(void **state)
{
    (void)state;
    pietra_device *device = open_device(PIETRA_DEVICE_CPU, 2, 0);
    pietra_stream *stream = encode_and_destroy(pietra_scene_create());
    expect_refused(device, stream, (pietra_region){8, 0, 100, 100}, 16, 16);
    expect_refused(device, stream, (pietra_region){0, 8, 100, 100}, 16, 16);
    expect_refused(device, stream, (pietra_region){0, 0, 100, 100}, 17, 16);
    expect_refused(device, stream, (pietra_region){0, 0, 100, 100}, 16, 15);
    expect_refused(device, stream, (pietra_region){96, 0, 100, 100}, 16, 16);
    expect_refused(device, stream, (pietra_region){112, 0, 100, 100}, 16, 16);
    expect_refused(device, stream, (pietra_region){0, 0, 0, 100}, 16, 16);
    expect_refused(device, stream, (pietra_region){16, 0, 0, 0}, 16, 16);
    expect_refused(device, stream, (pietra_region){0, 0, PIETRA_MAX_SIDE + 1, 16}, 16, 16);
    expect_refused(device, stream, (pietra_region){UINT32_MAX - 15, 0, 100, 100}, 16, 16);
    pietra_stream_destroy(stream);
    pietra_device_destroy(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bad_regions),   cmocka_unit_test(test_random_on_cpu),
        cmocka_unit_test(test_random_on_gpu), cmocka_unit_test(test_random_within_a_budget),
        cmocka_unit_test(test_scene_files),   cmocka_unit_test(test_random_by_reference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
