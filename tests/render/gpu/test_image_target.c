/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Frames in images of the caller's Vulkan device have the pixels that pietra_render gives. */
#define VK_NO_PROTOTYPES
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "render/device.h"
#include "render/gpu/caller_device.h"
#include "vulkan/context.h"

static struct {
    caller_device caller;
    pietra_device *device;
    pietra_stream *stream, *filtered;
    bool stores; /* into views, where images have them */
} here;

/* ---- Scenes ---- */

static const char shapes[] =
    "<svg xmlns='http://www.w3.org/2000/svg' width='90' height='70'>"
    "<linearGradient id='g'><stop stop-color='#e21'/><stop offset='1' stop-color='#06f' stop-opacity='.2'/></linearGradient>"
    "<rect x='3' y='4' width='60' height='50' fill='url(#g)'/><circle cx='50' cy='40' r='27.3' fill='#2a8' fill-opacity='.6'/>"
    "<path d='M2 66L88 5' stroke='#000' stroke-width='.7'/></svg>";

static const char blurred[] =
    "<svg xmlns='http://www.w3.org/2000/svg' width='90' height='70'>"
    "<filter id='f'><feGaussianBlur stdDeviation='3'/></filter><rect x='20' y='15' width='40' height='30' fill='#83c' "
    "filter='url(#f)'/><rect x='40' y='25' width='40' height='30' fill='#fc3' filter='url(#f)'/></svg>";

static pietra_stream *stream_of(const char *svg)
{
    pietra_scene *scene = pietra_scene_create();
    pietra_svg_options options = {.limits = {.bytes = 0}};
    pietra_stream *stream;
    double width, height;
    pietra_error error = {0};
    if (pietra_scene_load_svg(scene, svg, strlen(svg), &options, &error, &width, &height) != PIETRA_OK ||
        pietra_stream_encode(scene, &error, &stream) != PIETRA_OK)
        fail_msg("%s", error.message);
    pietra_scene_destroy(scene);
    return stream;
}

static int open_all(void **state)
{
    pietra_error error = {0};
    (void)state;
    caller_open(&here.caller);
    const pietra_vulkan_device vulkan = caller_describe(&here.caller);
    const pietra_device_options options = {.cache_directory = ""};
    if (pietra_device_create_vulkan(&options, &vulkan, &error, &here.device) != PIETRA_OK)
        fail_msg("%s", error.message);
    here.stream = stream_of(shapes);
    here.filtered = stream_of(blurred);
    return 0;
}

static int close_all(void **state)
{
    (void)state;
    pietra_stream_destroy(here.stream);
    pietra_stream_destroy(here.filtered);
    pietra_device_destroy(here.device);
    caller_close(&here.caller);
    return 0;
}

/* ---- What is expected ---- */

static uint8_t *draw_in_memory(const pietra_stream *stream, const pietra_frame *frame, uint32_t width, uint32_t height,
                               bool straight)
{
    pietra_target target = {.width = width,
                            .height = height,
                            .pixels = malloc((size_t)4 * width * height),
                            .format = straight ? PIETRA_FORMAT_RGBA8_STRAIGHT : PIETRA_FORMAT_RGBA8_PREMULTIPLIED};
    pietra_error error = {0};
    if (pietra_render(here.device, stream, frame, &target, &error, NULL) != PIETRA_OK)
        fail_msg("%s", error.message);
    return target.pixels;
}

static double half_value(unsigned half)
{
    const unsigned exponent = half >> 10 & 31;
    return exponent == 0 ? ldexp(half & 1023, -24) : ldexp(1024 + (half & 1023), (int)exponent - 25);
}

/* Checks that a half is the nearest one to v / 255. */
static void expect_half(unsigned half, unsigned v)
{
    const double wanted = v / 255.0, error = fabs(half_value(half) - wanted);
    assert_true(half == 0 || fabs(half_value(half - 1) - wanted) > error);
    assert_true(fabs(half_value(half + 1) - wanted) > error);
}

static uint32_t scaled(uint8_t v, double most)
{
    return (uint32_t)floor(v / 255.0 * most + 0.5);
}

static void expect_pixel(VkFormat format, const uint8_t *found, const uint8_t *rgba)
{
    uint32_t word;
    uint16_t halves[4];
    memcpy(&word, found, sizeof word);
    switch (format) {
    case VK_FORMAT_B8G8R8A8_UNORM:
    case VK_FORMAT_B8G8R8A8_SRGB:
        assert_memory_equal(found, ((uint8_t[]){rgba[2], rgba[1], rgba[0], rgba[3]}), 4);
        break;
    case VK_FORMAT_A2B10G10R10_UNORM_PACK32:
        assert_int_equal(word, scaled(rgba[0], 1023) | scaled(rgba[1], 1023) << 10 | scaled(rgba[2], 1023) << 20 |
                                   scaled(rgba[3], 3) << 30);
        break;
    case VK_FORMAT_A2R10G10B10_UNORM_PACK32:
        assert_int_equal(word, scaled(rgba[2], 1023) | scaled(rgba[1], 1023) << 10 | scaled(rgba[0], 1023) << 20 |
                                   scaled(rgba[3], 3) << 30);
        break;
    case VK_FORMAT_R16G16B16A16_SFLOAT:
        memcpy(halves, found, sizeof halves);
        for (int i = 0; i < 4; i++)
            expect_half(halves[i], rgba[i]);
        break;
    default:
        assert_memory_equal(found, rgba, 4);
    }
}

/* Reads the image, and compares its upper left part. White stands beside it if `around`. */
static void expect_image(caller_image *image, const uint8_t *wanted, uint32_t width, uint32_t height, bool around)
{
    uint8_t *found = caller_read_image(&here.caller, image);
    for (uint32_t y = 0; y < image->height; y++) {
        for (uint32_t x = 0; x < image->width; x++) {
            const uint8_t *pixel = found + ((size_t)y * image->width + x) * image->pixel_bytes;
            if (x < width && y < height)
                expect_pixel(image->format, pixel, wanted + 4 * ((size_t)y * width + x));
            else if (around)
                expect_pixel(image->format, pixel, (const uint8_t[]){255, 255, 255, 255});
        }
    }
    free(found);
}

static void draw(const pietra_stream *stream, const pietra_frame *frame, caller_image *image, uint32_t width,
                 uint32_t height, bool straight, const pietra_vulkan_order *order)
{
    const pietra_vulkan_target target = {.image = image->image,
                                         .format = image->format,
                                         .width = width,
                                         .height = height,
                                         .before = image->layout,
                                         .after = VK_IMAGE_LAYOUT_GENERAL,
                                         .straight = straight,
                                         .view = here.stores ? image->view : VK_NULL_HANDLE};
    pietra_error error = {0};
    if (pietra_render_vulkan(here.device, stream, frame, &target, order, &error, NULL) != PIETRA_OK)
        fail_msg("%s", error.message);
    image->layout = VK_IMAGE_LAYOUT_GENERAL;
}

/* Draws into an image, by a copy and by a kernel, and into memory. */
static void try(const pietra_stream *stream, const pietra_frame *frame, VkFormat format, uint32_t width,
                uint32_t height, bool straight)
{
    uint8_t *wanted = draw_in_memory(stream, frame, width, height, straight);
    for (int stores = 0; stores < 2; stores++) {
        caller_image image = caller_make_image(&here.caller, format, width, height);
        here.stores = stores;
        if (!stores || image.view) {
            draw(stream, frame, &image, width, height, straight, NULL);
            expect_image(&image, wanted, width, height, false);
        }
        caller_destroy_image(&here.caller, &image);
    }
    here.stores = false;
    free(wanted);
}

/* ---- Tests ---- */

static void test_formats(void **state)
{
    static const VkFormat formats[] = {VK_FORMAT_R8G8B8A8_UNORM,           VK_FORMAT_R8G8B8A8_SRGB,
                                       VK_FORMAT_A8B8G8R8_UNORM_PACK32,    VK_FORMAT_A8B8G8R8_SRGB_PACK32,
                                       VK_FORMAT_B8G8R8A8_UNORM,           VK_FORMAT_B8G8R8A8_SRGB,
                                       VK_FORMAT_A2B10G10R10_UNORM_PACK32, VK_FORMAT_A2R10G10B10_UNORM_PACK32,
                                       VK_FORMAT_R16G16B16A16_SFLOAT};
    (void)state;
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
        try(here.stream, NULL, formats[i], 90, 70, i % 2 == 0);
}

static void test_sizes(void **state)
{
    (void)state;
    for (uint32_t size = 1; size < 300; size = size * 5 + 1)
        try(here.stream, &(pietra_frame){.transform = {.a = size / 90.0, .d = size / 70.0}}, VK_FORMAT_B8G8R8A8_UNORM,
            size, 3 * size / 2, false);
}

static void test_regions(void **state)
{
    const pietra_frame frame = {.transform = {.a = 3, .d = 3},
                                .region = {.picture_width = 270, .picture_height = 210, .x = 48, .y = 32}};
    (void)state;
    try(here.stream, &frame, VK_FORMAT_R8G8B8A8_UNORM, 96, 64, false);
    try(here.stream, &frame, VK_FORMAT_R16G16B16A16_SFLOAT, 96, 64, false);
    try(here.filtered, &frame, VK_FORMAT_B8G8R8A8_UNORM, 222, 178, false);
}

/* The picture takes a part of an image that holds something. */
static void test_part_of_an_image(void **state)
{
    caller_image image = caller_make_image(&here.caller, VK_FORMAT_B8G8R8A8_UNORM, 120, 80);
    uint8_t *wanted = draw_in_memory(here.stream, NULL, 90, 70, false);
    (void)state;
    for (int stores = 0; stores < 2; stores++) {
        caller_clear_image(&here.caller, &image, VK_NULL_HANDLE);
        here.stores = stores;
        draw(here.stream, NULL, &image, 90, 70, false, NULL);
        expect_image(&image, wanted, 90, 70, true);
    }
    here.stores = false;
    free(wanted);
    caller_destroy_image(&here.caller, &image);
}

/* A frame waits for a clear that is still running, and signals a timeline. */
static void test_order(void **state)
{
    caller_device *caller = &here.caller;
    caller_image image = caller_make_image(caller, VK_FORMAT_R8G8B8A8_UNORM, 120, 80);
    const pietra_vulkan_semaphore cleared = {.semaphore = caller_make_semaphore(caller, false)};
    pietra_vulkan_semaphore drawn = {.semaphore = caller_make_semaphore(caller, true)};
    const pietra_vulkan_order order = {.waits = &cleared, .wait_count = 1, .signals = &drawn, .signal_count = 1};
    uint8_t *wanted = draw_in_memory(here.stream, NULL, 90, 70, false);
    uint64_t value;
    (void)state;
    for (uint64_t i = 1; i < 4; i++) {
        drawn.value = 10 * i;
        caller_clear_image(caller, &image, cleared.semaphore);
        here.stores = i % 2;
        draw(here.stream, NULL, &image, 90, 70, false, &order);
        assert_int_equal(caller->GetSemaphoreCounterValue(caller->device, drawn.semaphore, &value), VK_SUCCESS);
        assert_int_equal(value, 10 * i);
        expect_image(&image, wanted, 90, 70, true);
    }
    here.stores = false;
    free(wanted);
    caller->DestroySemaphore(caller->device, cleared.semaphore, NULL);
    caller->DestroySemaphore(caller->device, drawn.semaphore, NULL);
    caller_destroy_image(caller, &image);
}

/* What a kernel cannot see at once goes through the host's memory, also while it is converted. */
static void test_windows(void **state)
{
    gpu_limits *limits = &here.device->gpu->limits;
    const uint64_t before = limits->max_binding_bytes;
    (void)state;
    limits->max_binding_bytes = 1 << 17;
    try(here.stream, &(pietra_frame){.transform = {.a = 4, .d = 4}}, VK_FORMAT_R8G8B8A8_UNORM, 360, 280, false);
    try(here.stream, &(pietra_frame){.transform = {.a = 4, .d = 4}}, VK_FORMAT_R16G16B16A16_SFLOAT, 360, 280, false);
    limits->max_binding_bytes = before;
}

/* Returns whether the last frame of those pixels went through the host's memory. */
static bool went_through_host(const uint8_t *wanted, size_t bytes)
{
    return memcmp(here.device->image_pixels, wanted, bytes) == 0;
}

/* Draws effects at a scale of their own, since a device keeps them, within a budget. Returns whether they were drawn in
 * bands. */
static bool draws_in_bands(caller_image *image, uint64_t budget, double scale)
{
    const uint64_t before = here.device->budget_bytes;
    const pietra_frame frame = {.transform = {.a = scale, .d = scale}};
    here.device->budget_bytes = budget;
    draw(here.filtered, &frame, image, image->width, image->height, false, NULL);
    here.device->budget_bytes = before;
    uint8_t *wanted = draw_in_memory(here.filtered, &frame, image->width, image->height, false);
    const bool in_bands = went_through_host(wanted, (size_t)4 * image->width * image->height);
    expect_image(image, wanted, image->width, image->height, false);
    free(wanted);
    return in_bands;
}

/* Effects that are drawn in bands go through the host's memory: with less and less, until one frame does. */
static void test_bands(void **state)
{
    caller_image image = caller_make_image(&here.caller, VK_FORMAT_R8G8B8A8_UNORM, 630, 490);
    double scale = 7;
    (void)state;
    assert_false(draws_in_bands(&image, 64 << 20, scale));
    for (uint64_t budget = 16 << 20; !draws_in_bands(&image, budget, scale); budget -= budget / 4)
        scale -= 0.01;
    caller_destroy_image(&here.caller, &image);
}

static atomic_bool ends;

static void *clear_often(void *user)
{
    caller_image *image = user;
    while (!atomic_load(&ends))
        caller_clear_image(&here.caller, image, VK_NULL_HANDLE);
    return NULL;
}

/* Another thread uses the queue all the time. */
static void test_shared_queue(void **state)
{
    caller_image other = caller_make_image(&here.caller, VK_FORMAT_R8G8B8A8_UNORM, 64, 64);
    caller_image image = caller_make_image(&here.caller, VK_FORMAT_R8G8B8A8_UNORM, 90, 70);
    uint8_t *wanted = draw_in_memory(here.stream, NULL, 90, 70, false);
    const unsigned locks = here.caller.locks;
    pthread_t thread;
    (void)state;
    atomic_store(&ends, false);
    assert_int_equal(pthread_create(&thread, NULL, clear_often, &other), 0);
    for (int i = 0; i < 8; i++)
        draw(here.stream, NULL, &image, 90, 70, false, NULL);
    atomic_store(&ends, true);
    pthread_join(thread, NULL);
    assert_true(here.caller.locks - locks >= 16);
    expect_image(&image, wanted, 90, 70, false);
    free(wanted);
    caller_destroy_image(&here.caller, &other);
    caller_destroy_image(&here.caller, &image);
}

static void expect_refused(pietra_device *device, const pietra_vulkan_target *target, const pietra_vulkan_order *order,
                           const char *message)
{
    pietra_error error = {0};
    assert_int_equal(pietra_render_vulkan(device, here.stream, NULL, target, order, &error, NULL), PIETRA_ERROR_INPUT);
    if (!strstr(error.message, message))
        fail_msg("\"%s\" does not say \"%s\"", error.message, message);
}

static void test_wrong_arguments(void **state)
{
    caller_image image = caller_make_image(&here.caller, VK_FORMAT_R8G8B8A8_UNORM, 90, 70);
    const pietra_vulkan_target good = {.image = image.image, .format = image.format, .width = 90, .height = 70};
    const pietra_vulkan_semaphore none[PIETRA_VULKAN_SEMAPHORES + 1] = {{.value = 0}};
    pietra_vulkan_target bad = good;
    pietra_device *cpu;
    pietra_error error = {0};
    (void)state;
    bad.format = VK_FORMAT_D32_SFLOAT;
    expect_refused(here.device, &bad, NULL, "an image of VkFormat 126");
    bad = good;
    bad.width = 0;
    expect_refused(here.device, &bad, NULL, "a picture of 0 x 70 pixels");
    bad = good;
    bad.image = VK_NULL_HANDLE;
    expect_refused(here.device, &bad, NULL, "target.image");
    expect_refused(here.device, NULL, NULL, "target");
    expect_refused(here.device, &good, &(pietra_vulkan_order){.waits = none, .wait_count = 17}, "17 order.waits");
    expect_refused(here.device, &good, &(pietra_vulkan_order){.signal_count = 1}, "order.signals");
    expect_refused(here.device, &good, &(pietra_vulkan_order){.waits = none, .wait_count = 1}, "order.waits");
    assert_int_equal(pietra_device_create(&(pietra_device_options){.kind = PIETRA_DEVICE_CPU}, &error, &cpu),
                     PIETRA_OK);
    expect_refused(cpu, &good, NULL, "not by \"CPU\"");
    pietra_device_destroy(cpu);
    caller_destroy_image(&here.caller, &image);
}

static void expect_not_created(const pietra_vulkan_device *vulkan, pietra_result wanted, const char *message)
{
    pietra_device *device = NULL;
    pietra_error error = {0};
    assert_int_equal(pietra_device_create_vulkan(NULL, vulkan, &error, &device), wanted);
    assert_null(device);
    if (!strstr(error.message, message))
        fail_msg("\"%s\" does not say \"%s\"", error.message, message);
}

static void test_wrong_devices(void **state)
{
    const pietra_vulkan_device good = caller_describe(&here.caller);
    pietra_vulkan_device bad = good;
    (void)state;
    bad.queue_family = 1000;
    expect_not_created(&bad, PIETRA_ERROR_DEVICE, "no queue family 1000 with compute");
    bad = good;
    bad.queue = NULL;
    expect_not_created(&bad, PIETRA_ERROR_INPUT, "vulkan.queue");
    bad = good;
    bad.unlock = NULL;
    expect_not_created(&bad, PIETRA_ERROR_INPUT, "vulkan.unlock");
    expect_not_created(NULL, PIETRA_ERROR_INPUT, "vulkan");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_formats),         cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_regions),         cmocka_unit_test(test_part_of_an_image),
        cmocka_unit_test(test_order),           cmocka_unit_test(test_windows),
        cmocka_unit_test(test_bands),           cmocka_unit_test(test_shared_queue),
        cmocka_unit_test(test_wrong_arguments), cmocka_unit_test(test_wrong_devices),
    };
    return cmocka_run_group_tests_name("image target", tests, open_all, close_all);
}
