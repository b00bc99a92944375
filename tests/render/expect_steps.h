/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Frames that cost too much are refused, alike on the CPU device and the reference and within any budget, before
 * anything is drawn. */
#ifndef PIETRA_TESTS_RENDER_EXPECT_STEPS_H
#define PIETRA_TESTS_RENDER_EXPECT_STEPS_H

#include "scene/scene_fixture.h"

/* Draws into so many pixels a side, which start at `pixels`. */
static inline pietra_result draw_by(const pietra_device_options *options, const pietra_stream *stream,
                                    const pietra_frame *frame, uint32_t side, uint32_t *pixels, pietra_error *named)
{
    const pietra_target target = {.width = side, .height = side, .pixels = pixels};
    pietra_device *device;
    ASSERT_OK(pietra_device_create(options, error, &device));
    const pietra_result result = pietra_render(device, stream, frame, &target, named, NULL);
    pietra_device_destroy(device);
    return result;
}

/* Draws what stands in the unit square, moved by so many of its sides, with both devices and within a small budget. A
 * refusal names the limit, and what so many steps are of. */
static inline void expect_steps(const pietra_stream *stream, double moved, uint32_t side, uint32_t *pixels,
                                uint64_t budget_bytes, uint64_t steps, const char *what, pietra_result expected)
{
    const pietra_frame frame = {.transform = {side, 0, 0, side, moved * side, 0}};
    for (int i = 0; i < 3; i++) {
        const pietra_device_options options = {.kind = i == 2 ? PIETRA_DEVICE_REFERENCE : PIETRA_DEVICE_CPU,
                                               .threads = 1,
                                               .memory_budget_bytes = i == 1 ? budget_bytes : 0,
                                               .effect_steps = steps};
        pietra_error named = {.message = ""};
        pixels[0] = 0x5a5a5a5au;
        assert_int_equal(draw_by(&options, stream, &frame, side, pixels, &named), expected);
        if (expected == PIETRA_OK)
            continue;
        char message[120];
        snprintf(message, sizeof message,
                 "more than %u steps of drawing at this size, most of them of %s (limit \"steps\")", (unsigned)steps,
                 what);
        assert_string_equal(named.message, message);
        assert_int_equal(pixels[0], 0x5a5a5a5au);
    }
}

#endif
