/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What tests of views on the caller's device share: one device, one view, and images that take frames in turn. */
#ifndef PIETRA_RENDER_GPU_CALLER_FRAMES_H
#define PIETRA_RENDER_GPU_CALLER_FRAMES_H

#define VK_NO_PROTOTYPES
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "property/random_scene.h"
#include "render/device.h"
#include "render/gpu/caller_device.h"
#include "vulkan/context.h"

#ifndef WIDTH
#define WIDTH 150u
#define HEIGHT 110u
#endif
#define IMAGES 3u

static struct {
    caller_device caller;
    pietra_device *device;
    pietra_view *view;
    caller_image images[IMAGES];
    uint64_t drawn[IMAGES]; /* the count of frames when each was drawn last; 0: never */
    uint64_t frames;
} here;

/* ---- Scenes ---- */

static inline pietra_stream *encode_scene(pietra_scene *scene)
{
    pietra_stream *stream;
    pietra_error error = {0};
    if (pietra_stream_encode(scene, &error, &stream) != PIETRA_OK)
        fail_msg("%s", error.message);
    pietra_scene_destroy(scene);
    return stream;
}

static inline pietra_stream *stream_of(const char *svg)
{
    pietra_scene *scene = pietra_scene_create();
    double width, height;
    pietra_error error = {0};
    if (pietra_scene_load_svg(scene, svg, strlen(svg), NULL, &error, &width, &height) != PIETRA_OK)
        fail_msg("%s", error.message);
    return encode_scene(scene);
}

/* Lines across a rectangle, which need as much room as there are lines. */
static inline pietra_stream *lines_across(unsigned width, unsigned height, unsigned count, float red)
{
    pietra_scene *scene = pietra_scene_create();
    pietra_path *path = pietra_path_create();
    const pietra_paint paint = {.color = {red, 0.4f, 0.8f, 0.5f}};
    pietra_path_move_to(path, 0, 0);
    for (unsigned i = 0; i < count; i++)
        pietra_path_line_to(path, i * 37 % width, i * 91 % height);
    assert_int_equal(pietra_scene_fill(scene, path, NULL, PIETRA_FILL_EVEN_ODD, &paint, NULL), PIETRA_OK);
    pietra_path_destroy(path);
    return encode_scene(scene);
}

/* A square that moves over curves, strokes and a clip. */
static inline pietra_stream *moving_square(unsigned x, unsigned y)
{
    char svg[700];
    snprintf(
        svg, sizeof svg,
        "<svg xmlns='http://www.w3.org/2000/svg' width='150' height='110'><clipPath id='c'><circle cx='75' cy='55' "
        "r='50'/></clipPath><rect width='150' height='110' fill='#eef'/><path d='M5 100C50 -60 100 170 145 10' "
        "fill='none' stroke='#c30' stroke-width='9' stroke-dasharray='12 5'/><g clip-path='url(#c)' opacity='.7'><rect "
        "x='30' y='40' width='90' height='30' fill='#083'/></g><rect x='%u' y='%u' width='17' height='13' "
        "fill='#06f'/></svg>",
        x, y);
    return stream_of(svg);
}

static inline int open_all(void **state)
{
    pietra_error error = {0};
    (void)state;
    caller_open(&here.caller);
    const pietra_vulkan_device vulkan = caller_describe(&here.caller);
    const pietra_device_options options = {.cache_directory = ""};
    if (pietra_device_create_vulkan(&options, &vulkan, &error, &here.device) != PIETRA_OK)
        fail_msg("%s", error.message);
    return 0;
}

static inline int close_all(void **state)
{
    (void)state;
    pietra_device_destroy(here.device);
    caller_close(&here.caller);
    return 0;
}

/* Begins a view. Its frames are drawn by the GPU, however small they are, unless the options say otherwise. */
static inline void begin(VkFormat format, const pietra_view_options *options)
{
    pietra_view_options asked = options ? *options : (pietra_view_options){.in_flight = 0};
    asked.host_pixels = asked.host_pixels ? asked.host_pixels : PIETRA_ALL_ON_GPU;
    for (uint32_t i = 0; i < IMAGES; i++) {
        here.images[i] = caller_make_image(&here.caller, format, WIDTH, HEIGHT);
        here.drawn[i] = 0;
    }
    here.frames = 0;
    assert_int_equal(pietra_view_create(here.device, &asked, NULL, &here.view), PIETRA_OK);
}

static inline void end(void)
{
    pietra_view_destroy(here.view);
    for (uint32_t i = 0; i < IMAGES; i++)
        caller_destroy_image(&here.caller, &here.images[i]);
}

/* ---- Frames ---- */

static inline pietra_vulkan_target target_of(const caller_image *image)
{
    return (pietra_vulkan_target){.image = image->image,
                                  .format = image->format,
                                  .width = image->width,
                                  .height = image->height,
                                  .before = image->layout,
                                  .after = VK_IMAGE_LAYOUT_GENERAL,
                                  .view = here.frames % 5 < 3 ? image->view : VK_NULL_HANDLE};
}

/* Begins a frame in an image: describes the image and sets the age of what it holds. */
static inline pietra_vulkan_target begin_in(pietra_submission *submission, uint32_t turn)
{
    const pietra_vulkan_target target = target_of(&here.images[turn]);
    here.frames++;
    submission->age = here.drawn[turn] ? (uint32_t)(here.frames - here.drawn[turn]) : 0;
    return target;
}

/* Does the same in the image whose turn it is. Gives which. */
static inline pietra_vulkan_target begin_turn(pietra_submission *submission, uint32_t *turn)
{
    *turn = (uint32_t)(here.frames % IMAGES);
    return begin_in(submission, *turn);
}

/* Notes that the frame was taken, so that the image will hold it. */
static inline void end_turn(uint32_t turn)
{
    here.drawn[turn] = here.frames;
    here.images[turn].layout = VK_IMAGE_LAYOUT_GENERAL;
}

/* Submits a frame into the image whose turn it is. Gives which. */
static inline pietra_ticket submit(pietra_submission *submission, const pietra_vulkan_order *order, uint32_t *turn)
{
    pietra_error error = {0};
    pietra_ticket ticket;
    const pietra_vulkan_target target = begin_turn(submission, turn);
    if (pietra_view_submit_vulkan(here.view, submission, &target, order, &error, &ticket) != PIETRA_OK)
        fail_msg("%s", error.message);
    end_turn(*turn);
    return ticket;
}

/* Records a frame into the image whose turn it is. Gives which. */
static inline pietra_ticket record(pietra_submission *submission, uint32_t *turn)
{
    pietra_error error = {0};
    pietra_ticket ticket;
    const pietra_vulkan_target target = begin_turn(submission, turn);
    if (pietra_view_record_vulkan(here.view, submission, &target, here.caller.commands, &error, &ticket) != PIETRA_OK)
        fail_msg("%s", error.message);
    end_turn(*turn);
    return ticket;
}

/* Executes the caller's commands, and says that frames up to this one, which they have, are done. */
static inline void finish_recorded(uint64_t number)
{
    caller_submit(&here.caller, VK_NULL_HANDLE);
    caller_wait_idle(&here.caller);
    assert_int_equal(pietra_view_finish_recorded(here.view, number, NULL), PIETRA_OK);
}

static inline void wait_for(uint64_t number, pietra_stats *stats)
{
    pietra_error error = {0};
    bool done = false;
    if (pietra_view_wait(here.view, number, PIETRA_FOREVER, &error, &done, stats) != PIETRA_OK)
        fail_msg("%s", error.message);
    assert_true(done);
}

static inline uint8_t *draw_in_memory(pietra_device *device, const pietra_stream *stream, const pietra_frame *frame)
{
    pietra_target target = {.width = WIDTH,
                            .height = HEIGHT,
                            .pixels = malloc((size_t)4 * WIDTH * HEIGHT),
                            .format = PIETRA_FORMAT_RGBA8_PREMULTIPLIED};
    pietra_error error = {0};
    if (pietra_render(device, stream, frame, &target, &error, NULL) != PIETRA_OK)
        fail_msg("%s", error.message);
    return target.pixels;
}

/* Compares an image with what another device draws, so that nothing that the view's device keeps is touched. */
static inline void expect_picture(pietra_device *other, uint32_t turn, const pietra_stream *stream,
                                  const pietra_frame *frame)
{
    uint8_t *wanted = draw_in_memory(other, stream, frame),
            *found = caller_read_image(&here.caller, &here.images[turn]);
    for (size_t i = 0; i < (size_t)WIDTH * HEIGHT; i++)
        if (memcmp(wanted + 4 * i, found + 4 * i, 4) != 0)
            fail_msg("pixel %zu, %zu differs", i % WIDTH, i / WIDTH);
    free(wanted);
    free(found);
}

static inline pietra_device *open_cpu(void)
{
    const pietra_device_options options = {.kind = PIETRA_DEVICE_CPU, .threads = 1};
    pietra_device *device;
    assert_int_equal(pietra_device_create(&options, NULL, &device), PIETRA_OK);
    return device;
}

#endif
