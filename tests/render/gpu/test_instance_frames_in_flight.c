/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Many frames of instances through a view on the caller's device, three in flight, into images in turn. */
#include "render/gpu/caller_frames.h"

#include "all_sizes.h"
#include "render/instance_frames.h"

#define FRAMES (all_sizes() ? 10000u : 300u)
#define CHECKED_EACH 4u /* images are read so often; a frame that is read has been waited for */

_Static_assert(WIDTH >= FRAME_SIDE && HEIGHT >= FRAME_SIDE, "images hold frames");

static void check_image(const instance_frames *frames, uint32_t turn, const uint8_t *expected)
{
    uint8_t *found = caller_read_image(&here.caller, &here.images[turn]);
    for (uint32_t y = 0; y < frames->height; y++)
        assert_memory_equal(found + (size_t)4 * WIDTH * y, expected + (size_t)4 * frames->width * y,
                            (size_t)4 * frames->width);
    free(found);
}

static void test_frames(void **state)
{
    static uint8_t expected[4 * FRAME_SIDE * FRAME_SIDE];
    pietra_device *cpu = open_cpu();
    instance_frames *frames = instance_frames_create(6);
    uint32_t sizes[IMAGES][2] = {{0}}, counted = 0;
    (void)state;
    begin(VK_FORMAT_R8G8B8A8_UNORM, &(pietra_view_options){.in_flight = 3});
    for (uint64_t i = 1; i <= FRAMES; i++) {
        uint32_t turn;
        pietra_submission submission = instance_frames_next(frames);
        pietra_vulkan_target target = begin_turn(&submission, &turn);
        pietra_ticket ticket;
        const bool fits = sizes[turn][0] == frames->width && sizes[turn][1] == frames->height;
        target.width = frames->width;
        target.height = frames->height;
        if (!fits)
            submission.age = 0;
        ASSERT_OK(pietra_view_submit_vulkan(here.view, &submission, &target, NULL, error, &ticket));
        end_turn(turn);
        sizes[turn][0] = frames->width;
        sizes[turn][1] = frames->height;
        counted += ticket.is_done;
        if (i % CHECKED_EACH == 0) {
            wait_for(ticket.number, NULL);
            expected_frame(frames, cpu, expected);
            check_image(frames, turn, expected);
        }
    }
    assert_true(counted < FRAMES); /* software, which bounds loops, has to count some */
    wait_for(0, NULL);
    end();
    instance_frames_destroy(frames);
    pietra_device_destroy(cpu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_frames)};
    return cmocka_run_group_tests(tests, open_all, close_all);
}
