/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Thousands of frames of instances through a view into memory: each is right, and none takes more memory than those
 * before it. */
#include <malloc.h>

#include "all_sizes.h"
#include "render/instance_frames.h"
#include "render/open_device.h"

#define FRAMES (few_cases() ? 500u : 10000u)
#define TARGETS 3u
#define BYTES ((size_t)4 * FRAME_SIDE * FRAME_SIDE)
/* Bytes. A block that is lost in each frame is more; the largest frame so far may be one of the last. */
#define GROWTH_MOST ((size_t)1 << 18)

static void test_frames(void **state)
{
    static uint8_t pixels[TARGETS][BYTES], expected[BYTES];
    pietra_device *device = open_device(PIETRA_DEVICE_CPU, 1, 0), *other = open_device(PIETRA_DEVICE_CPU, 1, 0);
    instance_frames *frames = instance_frames_create(5);
    uint64_t drawn_at[TARGETS] = {0};
    uint32_t sizes[TARGETS][2] = {{0}};
    size_t before = 0, most = 0;
    pietra_view *view;
    (void)state;
    ASSERT_OK(pietra_view_create(device, NULL, error, &view));
    for (uint64_t i = 1; i <= FRAMES; i++) {
        const uint32_t turn = (uint32_t)(i % TARGETS);
        pietra_submission submission = instance_frames_next(frames);
        const pietra_target target = {.width = frames->width,
                                      .height = frames->height,
                                      .pixels = pixels[turn],
                                      .format = PIETRA_FORMAT_RGBA8_PREMULTIPLIED};
        const bool fits = sizes[turn][0] == frames->width && sizes[turn][1] == frames->height;
        submission.age = drawn_at[turn] && fits ? (uint32_t)(i - drawn_at[turn]) : 0;
        ASSERT_OK(pietra_view_submit(view, &submission, &target, error, NULL));
        expected_frame(frames, other, expected);
        assert_memory_equal(pixels[turn], expected, (size_t)4 * frames->width * frames->height);
        drawn_at[turn] = i;
        sizes[turn][0] = frames->width;
        sizes[turn][1] = frames->height;
        const size_t used = mallinfo2().uordblks;
        if (i <= FRAMES / 4)
            before = used > before ? used : before;
        else
            most = used > most ? used : most;
    }
    if (!getenv("PIETRA_SANITIZED")) /* whose memory mallinfo does not know */
        assert_in_range(most, 1, before + GROWTH_MOST);
    pietra_view_destroy(view);
    instance_frames_destroy(frames);
    pietra_device_destroy(device);
    pietra_device_destroy(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_frames)};
    return cmocka_run_group_tests_name("instance_frames", tests, NULL, NULL);
}
