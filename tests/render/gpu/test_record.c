/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Frames that are recorded into the caller's commands: they have the pixels that pietra_render gives, beside what the
 * caller records himself, and what must not be done meanwhile is refused. */
#include "render/gpu/caller_frames.h"

/* Reserves for a submission, drawn whole, in all images. Returns false if it is not certain. */
static bool try_to_reserve(const pietra_submission *submission)
{
    pietra_error error = {0};
    for (uint32_t i = 0; i < 2; i++) {
        pietra_vulkan_target target = target_of(&here.images[0]);
        target.view = i ? VK_NULL_HANDLE : here.images[0].view;
        const pietra_result result = pietra_view_reserve_vulkan(here.view, submission, &target, &error);
        if (result != PIETRA_OK && result != PIETRA_ERROR_BUDGET)
            fail_msg("%s", error.message);
        if (result == PIETRA_ERROR_BUDGET)
            return false;
    }
    return true;
}

static void reserve(const pietra_submission *submission)
{
    assert_true(try_to_reserve(submission));
}

/* Gives the submission a stream with which it is certain. Returns it. */
static pietra_stream *make_certain(uint64_t seed, pietra_submission *submission)
{
    for (;; seed += 1000) {
        pietra_stream *stream = encode_scene(random_scene_create(seed, RANDOM_ANYTHING, HEIGHT));
        submission->stream = stream;
        if (try_to_reserve(submission))
            return stream;
        pietra_stream_destroy(stream);
    }
}

static void test_pixels(void **state)
{
    pietra_device *cpu = open_cpu();
    pietra_stream *streams[IMAGES];
    pietra_stats stats;
    uint32_t turn;
    (void)state;
    begin(VK_FORMAT_R8G8B8A8_UNORM, &(pietra_view_options){.in_flight = IMAGES, .stage_times = true});
    for (unsigned round = 0; round < 4; round++) {
        pietra_submission submissions[IMAGES] = {{.age = 0}};
        uint64_t number = 0;
        for (unsigned i = 0; i < IMAGES; i++) {
            submissions[i].frame.transform = (pietra_transform){1, 0.1 * i, -0.1, 1, i, 0};
            streams[i] = make_certain(40 * round + i, &submissions[i]);
        }
        caller_begin(&here.caller);
        for (unsigned i = 0; i < IMAGES; i++) {
            const pietra_ticket ticket = record(&submissions[i], &turn);
            assert_int_equal(turn, i);
            assert_false(ticket.is_done);
            number = ticket.number;
        }
        finish_recorded(number);
        wait_for(number, &stats);
        assert_true(stats.lines > 0 && stats.passes == 1 && stats.stage_count > 5);
        for (unsigned i = 0; i < IMAGES; i++) {
            expect_picture(cpu, i, streams[i], &submissions[i].frame);
            pietra_stream_destroy(streams[i]);
        }
    }
    end();
    pietra_device_destroy(cpu);
}

/* Small changes, with frames that are submitted between those that are recorded. */
static void test_damage(void **state)
{
    pietra_device *cpu = open_cpu();
    uint32_t turn, x = 20, y = 30;
    (void)state;
    begin(VK_FORMAT_R8G8B8A8_UNORM, NULL);
    for (unsigned i = 0; i < 14; i++) {
        const pietra_pixel_box before = {x, y, x + 17, y + 13};
        x = 10 + 37 * i % 120;
        y = 5 + 23 * i % 90;
        const pietra_pixel_box damage[] = {before, {x, y, x + 17, y + 13}};
        pietra_stream *stream = moving_square(x, y);
        pietra_submission submission = {.stream = stream, .damage = damage, .damage_count = 2};
        if (i % 3 == 2) {
            wait_for(submit(&submission, NULL, &turn).number, NULL);
        } else {
            reserve(&submission);
            caller_begin(&here.caller);
            finish_recorded(record(&submission, &turn).number);
        }
        expect_picture(cpu, turn, stream, &submission.frame);
        pietra_stream_destroy(stream);
    }
    end();
    pietra_device_destroy(cpu);
}

/* Lines enough for more memory than any other frame here takes. */
#define MANY_LINES 20000u

static pietra_result try_to_record(const pietra_submission *submission, pietra_error *error)
{
    const pietra_vulkan_target target = target_of(&here.images[0]);
    return pietra_view_record_vulkan(here.view, submission, &target, here.caller.commands, error, NULL);
}

/* What is not certain, or would have to wait, is not recorded, and is drawn by the next frame. */
static void test_not_certain(void **state)
{
    static const char blurred[] = "<svg xmlns='http://www.w3.org/2000/svg' width='150' height='110'><filter "
                                  "id='f'><feGaussianBlur stdDeviation='3'/></filter><rect x='20' y='15' width='40' "
                                  "height='30' fill='#83c' filter='url(#f)'/></svg>";
    pietra_device *cpu = open_cpu();
    pietra_stream *streams[] = {stream_of(blurred), moving_square(30, 30), lines_across(WIDTH, HEIGHT, MANY_LINES, 0)};
    pietra_error error = {0};
    uint32_t turn;
    (void)state;
    begin(VK_FORMAT_R8G8B8A8_UNORM, NULL);
    const pietra_vulkan_target target = target_of(&here.images[0]);
    pietra_submission submission = {.stream = streams[0]};
    caller_begin(&here.caller);
    assert_int_equal(try_to_record(&submission, &error), PIETRA_ERROR_BUDGET);
    assert_non_null(strstr(error.message, "counted first"));
    assert_int_equal(pietra_view_reserve_vulkan(here.view, &submission, &target, &error), PIETRA_ERROR_BUDGET);

    submission.stream = streams[1];
    const uint64_t first = record(&submission, &turn).number;
    const uint64_t last = record(&submission, &turn).number;
    assert_int_equal(try_to_record(&submission, &error), PIETRA_ERROR_BUDGET);
    assert_non_null(strstr(error.message, "2 frames are not done"));
    caller_submit(&here.caller, VK_NULL_HANDLE);
    caller_wait_idle(&here.caller);
    assert_int_equal(pietra_view_finish_recorded(here.view, first, NULL), PIETRA_OK);
    caller_begin(&here.caller);
    submission.stream = streams[2];
    assert_int_equal(try_to_record(&submission, &error), PIETRA_ERROR_BUDGET);
    assert_non_null(strstr(error.message, "has to grow"));
    finish_recorded(last);

    /* Nobody says that anything differs, but what was refused does. */
    submission.damage = &(pietra_pixel_box){0};
    const pietra_ticket ticket = submit(&submission, NULL, &turn);
    assert_memory_equal(&ticket.drawn, (&(pietra_pixel_box){0, 0, WIDTH, HEIGHT}), sizeof ticket.drawn);
    wait_for(ticket.number, NULL);
    expect_picture(cpu, turn, streams[2], &submission.frame);
    end();
    for (int i = 0; i < 3; i++)
        pietra_stream_destroy(streams[i]);
    pietra_device_destroy(cpu);
}

/* While commands of the caller are not done, nothing else is drawn, and nothing waits for them. */
static void test_meanwhile(void **state)
{
    pietra_stream *stream = moving_square(40, 40);
    pietra_submission submission = {.stream = stream};
    uint8_t pixels[4 * 16];
    const pietra_target memory = {.width = 4, .height = 4, .pixels = pixels};
    pietra_error error = {0};
    bool done = true;
    uint32_t turn;
    (void)state;
    begin(VK_FORMAT_R8G8B8A8_UNORM, NULL);
    const pietra_vulkan_target target = target_of(&here.images[1]);
    reserve(&submission);
    caller_begin(&here.caller);
    const uint64_t number = record(&submission, &turn).number;
    assert_int_equal(pietra_view_submit_vulkan(here.view, &submission, &target, NULL, &error, NULL),
                     PIETRA_ERROR_INPUT);
    assert_non_null(strstr(error.message, "pietra_view_finish_recorded"));
    assert_int_equal(pietra_render(here.device, stream, NULL, &memory, &error, NULL), PIETRA_ERROR_INPUT);
    assert_int_equal(pietra_render_vulkan(here.device, stream, NULL, &target, NULL, &error, NULL), PIETRA_ERROR_INPUT);
    assert_int_equal(pietra_view_wait(here.view, number, 0, &error, &done, NULL), PIETRA_OK);
    assert_false(done);
    assert_int_equal(pietra_view_wait(here.view, number, 1000, &error, &done, NULL), PIETRA_ERROR_INPUT);
    assert_false(done);
    assert_int_equal(pietra_view_finish_recorded(here.view, number + 1, &error), PIETRA_ERROR_INPUT);
    assert_int_equal(pietra_view_finish_recorded(here.view, number - 1, NULL), PIETRA_OK);
    assert_int_equal(pietra_view_wait(here.view, 0, 0, NULL, &done, NULL), PIETRA_OK);
    assert_false(done);
    finish_recorded(number);
    wait_for(0, NULL);
    assert_int_equal(pietra_render(here.device, stream, NULL, &memory, &error, NULL), PIETRA_OK);
    end();
    pietra_stream_destroy(stream);
}

/* Commands that never run leave images as they are, and streams where they were not copied to. */
static void test_discard(void **state)
{
    pietra_device *cpu = open_cpu();
    pietra_error error = {0};
    bool done;
    uint32_t turn;
    (void)state;
    begin(VK_FORMAT_R8G8B8A8_UNORM, NULL);
    for (uint32_t i = 0; i < 3; i++) {
        pietra_stream *stream = moving_square(20 + 10 * i, 40);
        pietra_submission submission = {.stream = stream, .damage = &(pietra_pixel_box){0}};
        caller_begin(&here.caller);
        reserve(&submission);
        const VkImageLayout before = here.images[here.frames % IMAGES].layout;
        const uint64_t number = record(&submission, &turn).number;
        pietra_view_discard_recorded(here.view);
        here.images[turn].layout = before;
        assert_int_equal(pietra_view_wait(here.view, number, 0, &error, &done, NULL), PIETRA_CANCELLED);
        assert_true(done);
        for (uint32_t k = 0; k < IMAGES; k++) {
            const pietra_ticket ticket = submit(&submission, NULL, &turn);
            assert_memory_equal(&ticket.drawn, (&(pietra_pixel_box){0, 0, WIDTH, HEIGHT}), sizeof ticket.drawn);
            wait_for(ticket.number, NULL);
            expect_picture(cpu, turn, stream, &submission.frame);
        }
        pietra_stream_destroy(stream);
    }
    pietra_view_discard_recorded(here.view);
    pietra_view_discard_recorded(NULL);
    end();
    pietra_device_destroy(cpu);
}

static void test_refused(void **state)
{
    pietra_stream *stream = moving_square(40, 40);
    const pietra_submission submission = {.stream = stream};
    (void)state;
    begin(VK_FORMAT_R8G8B8A8_UNORM, NULL);
    const pietra_vulkan_target target = target_of(&here.images[0]);
    assert_int_equal(pietra_view_record_vulkan(here.view, &submission, &target, VK_NULL_HANDLE, NULL, NULL),
                     PIETRA_ERROR_INPUT);
    assert_int_equal(pietra_view_record_vulkan(NULL, &submission, &target, here.caller.commands, NULL, NULL),
                     PIETRA_ERROR_INPUT);
    assert_int_equal(pietra_view_reserve_vulkan(here.view, &submission, NULL, NULL), PIETRA_ERROR_INPUT);
    assert_int_equal(pietra_view_reserve_vulkan(here.view, &(pietra_submission){.age = 0}, &target, NULL),
                     PIETRA_ERROR_INPUT);
    assert_int_equal(pietra_view_finish_recorded(NULL, 0, NULL), PIETRA_ERROR_INPUT);
    end();
    pietra_stream_destroy(stream);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_not_certain), /* first: the device's memory is still small */
        cmocka_unit_test(test_pixels),      cmocka_unit_test(test_damage),  cmocka_unit_test(test_meanwhile),
        cmocka_unit_test(test_discard),     cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, open_all, close_all);
}
