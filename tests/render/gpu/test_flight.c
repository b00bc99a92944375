/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Views on the caller's device: frames that nobody waits for have the pixels that pietra_render gives, however many are
 * in flight, whatever they show, and however little of them is drawn anew. */
#include "render/gpu/caller_frames.h"

static PFN_vkWaitForFences real_wait;

/* ---- Tests ---- */

/* Many frames are submitted one after the other, each with a stream and a transform of its own, which is destroyed at
 * once. The images are read at the end. */
static void test_many_in_flight(void **state)
{
    pietra_device *cpu = open_cpu();
    (void)state;
    for (uint32_t in_flight = 1; in_flight <= PIETRA_FRAMES_IN_FLIGHT; in_flight += 3) {
        pietra_stream *last[IMAGES];
        pietra_frame frames[IMAGES];
        uint32_t turn;
        const pietra_view_options options = {.in_flight = in_flight};
        begin(VK_FORMAT_R8G8B8A8_UNORM, &options);
        for (uint64_t i = 1; i <= 9 + IMAGES; i++) {
            pietra_stream *stream = encode_scene(random_scene_create(100 * in_flight + i, RANDOM_ANYTHING, HEIGHT));
            pietra_submission submission = {.stream = stream,
                                            .frame.transform = {1, 0.1 * (double)i, -0.1, 1, (double)i, 0}};
            const pietra_ticket ticket = submit(&submission, NULL, &turn);
            assert_int_equal(ticket.number, device_log(here.device)->submitted);
            if (i > 9) {
                last[turn] = stream;
                frames[turn] = submission.frame;
            } else {
                pietra_stream_destroy(stream);
            }
        }
        wait_for(0, NULL);
        for (uint32_t i = 0; i < IMAGES; i++) {
            expect_picture(cpu, i, last[i], &frames[i]);
            pietra_stream_destroy(last[i]);
        }
        end();
    }
    pietra_device_destroy(cpu);
}

/* Small changes are drawn alone, and what an older image has missed with them. */
static void test_damage(void **state)
{
    pietra_device *cpu = open_cpu();
    uint32_t turn, x = 20, y = 30;
    (void)state;
    begin(VK_FORMAT_R8G8B8A8_UNORM, NULL);
    for (unsigned i = 0; i < 12; i++) {
        const pietra_pixel_box before = {x, y, x + 17, y + 13};
        x = 10 + 37 * i % 120;
        y = 5 + 23 * i % 90;
        const pietra_pixel_box damage[] = {before, {x, y, x + 17, y + 13}};
        pietra_stream *stream = moving_square(x, y);
        pietra_submission submission = {.stream = stream, .damage = damage, .damage_count = 2};
        if (i % 5 == 4)
            submission.frame.background = (pietra_color){1, 0.5f, 0, 1}; /* differs everywhere, and back again */
        const pietra_ticket ticket = submit(&submission, NULL, &turn);
        assert_false(ticket.is_done);
        wait_for(ticket.number, NULL);
        expect_picture(cpu, turn, stream, &submission.frame);
        pietra_stream_destroy(stream);
    }
    end();
    pietra_device_destroy(cpu);
}

/* Returns how much is drawn if one box differs, in an image of this age. */
static pietra_pixel_box drawn_for(const pietra_stream *stream, pietra_pixel_box damage, uint32_t *turn)
{
    pietra_submission submission = {.stream = stream, .damage = &damage, .damage_count = damage.x1 > 0};
    return submit(&submission, NULL, turn).drawn;
}

static void test_what_is_drawn(void **state)
{
    pietra_stream *stream = moving_square(20, 30);
    uint32_t turn;
    (void)state;
    begin(VK_FORMAT_R8G8B8A8_UNORM, NULL);
    for (uint32_t i = 0; i < IMAGES; i++)
        (void)drawn_for(stream, (pietra_pixel_box){0}, &turn);
    wait_for(0, NULL);
    pietra_pixel_box drawn = drawn_for(stream, (pietra_pixel_box){20, 30, 37, 43}, &turn);
    assert_memory_equal(&drawn, (&(pietra_pixel_box){16, 16, 48, 48}), sizeof drawn);
    drawn = drawn_for(stream, (pietra_pixel_box){140, 100, 1000, 1000}, &turn);
    assert_memory_equal(&drawn, (&(pietra_pixel_box){16, 16, 150, 110}), sizeof drawn);
    drawn = drawn_for(stream, (pietra_pixel_box){0}, &turn);
    assert_memory_equal(&drawn, (&(pietra_pixel_box){16, 16, 150, 110}), sizeof drawn);
    drawn = drawn_for(stream, (pietra_pixel_box){0}, &turn);
    assert_memory_equal(&drawn, (&(pietra_pixel_box){128, 96, 150, 110}), sizeof drawn);
    drawn = drawn_for(stream, (pietra_pixel_box){0}, &turn);
    assert_memory_equal(&drawn, (&(pietra_pixel_box){0, 0, 0, 0}), sizeof drawn);
    wait_for(0, NULL);
    pietra_stream_destroy(stream);
    end();
}

/* What is not bounded, or takes too much memory, is drawn before the call returns. So is what comes after it. */
static void test_counted(void **state)
{
    static const char blurred[] =
        "<svg xmlns='http://www.w3.org/2000/svg' width='150' height='110'><filter id='f'><feGaussianBlur "
        "stdDeviation='3'/></filter><pattern id='p' width='9' height='9' patternUnits='userSpaceOnUse'><circle cx='4' "
        "cy='4' r='3'/></pattern><rect x='20' y='15' width='40' height='30' fill='#83c' filter='url(#f)'/><rect x='60' "
        "y='40' width='70' height='50' fill='url(#p)'/></svg>";
    pietra_device *cpu = open_cpu();
    pietra_stream *streams[] = {moving_square(40, 40), stream_of(blurred)};
    uint32_t turn;
    (void)state;
    for (int tiny = 0; tiny < 2; tiny++) {
        const pietra_view_options options = {.certain_bytes = tiny ? 1 : 0};
        begin(VK_FORMAT_R8G8B8A8_UNORM, &options);
        for (unsigned i = 0; i < 6; i++) {
            pietra_submission submission = {.stream = streams[i % 2], .frame.transform = {1, 0, 0, 1, i, 0}};
            const pietra_ticket ticket = submit(&submission, NULL, &turn);
            assert_int_equal(ticket.is_done, i % 2 == 1 || tiny);
            if (i > 2) {
                wait_for(ticket.number, NULL);
                expect_picture(cpu, turn, submission.stream, &submission.frame);
            }
        }
        end();
    }
    pietra_stream_destroy(streams[0]);
    pietra_stream_destroy(streams[1]);
    pietra_device_destroy(cpu);
}

/* Frames wait for clears that are still running, and signal a timeline. */
static void test_order(void **state)
{
    caller_device *caller = &here.caller;
    pietra_device *cpu = open_cpu();
    pietra_stream *stream = moving_square(40, 40);
    const pietra_vulkan_semaphore cleared = {.semaphore = caller_make_semaphore(caller, false)};
    pietra_vulkan_semaphore drawn = {.semaphore = caller_make_semaphore(caller, true)};
    const pietra_vulkan_order order = {.waits = &cleared, .wait_count = 1, .signals = &drawn, .signal_count = 1};
    pietra_submission submission = {.stream = stream};
    uint32_t turn;
    (void)state;
    begin(VK_FORMAT_R8G8B8A8_UNORM, NULL);
    for (uint64_t i = 1; i < 6; i++) {
        const VkSemaphoreWaitInfo wait = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
                                          .semaphoreCount = 1,
                                          .pSemaphores = &drawn.semaphore,
                                          .pValues = &drawn.value};
        drawn.value = 10 * i;
        caller_clear_image(caller, &here.images[here.frames % IMAGES], cleared.semaphore);
        assert_false(submit(&submission, &order, &turn).is_done);
        assert_int_equal(caller->WaitSemaphores(caller->device, &wait, UINT64_MAX), VK_SUCCESS);
        expect_picture(cpu, turn, stream, &submission.frame);
    }
    end();
    caller->DestroySemaphore(caller->device, cleared.semaphore, NULL);
    caller->DestroySemaphore(caller->device, drawn.semaphore, NULL);
    pietra_stream_destroy(stream);
    pietra_device_destroy(cpu);
}

/* Two views and frames that are waited for share a device, and its buffers grow and are taken over. */
static void test_one_device(void **state)
{
    pietra_device *cpu = open_cpu();
    pietra_view *other;
    pietra_target target = {.width = WIDTH, .height = HEIGHT, .pixels = malloc((size_t)4 * WIDTH * HEIGHT)};
    uint32_t turn;
    (void)state;
    begin(VK_FORMAT_R8G8B8A8_UNORM, &(pietra_view_options){.in_flight = 4});
    assert_int_equal(pietra_view_create(here.device, NULL, NULL, &other), PIETRA_OK);
    for (unsigned i = 0; i < 5; i++) {
        pietra_stream *stream = encode_scene(random_scene_create(900 + i, RANDOM_ANYTHING, HEIGHT));
        pietra_stream *large = encode_scene(random_scene_create(910 + i, RANDOM_ANYTHING, 3 * HEIGHT));
        pietra_submission submission = {.stream = stream};
        pietra_submission elsewhere = {.stream = large, .frame.transform = {0.3, 0, 0, 0.3, 0, 0}};
        pietra_ticket ticket;
        (void)submit(&submission, NULL, &turn);
        assert_int_equal(pietra_view_submit(other, &elsewhere, &target, NULL, &ticket), PIETRA_OK);
        assert_true(ticket.is_done);
        expect_picture(cpu, turn, stream, &submission.frame);
        uint8_t *wanted = draw_in_memory(cpu, large, &elsewhere.frame);
        uint8_t *straight = draw_in_memory(here.device, large, &elsewhere.frame);
        assert_memory_equal(wanted, straight, (size_t)4 * WIDTH * HEIGHT);
        free(wanted);
        free(straight);
        pietra_stream_destroy(stream);
        pietra_stream_destroy(large);
    }
    pietra_view_destroy(other);
    end();
    free(target.pixels);
    pietra_device_destroy(cpu);
}

/* Without marks a frame has its whole time all the same. */
static void test_no_stage_times(void **state)
{
    pietra_stream *stream = moving_square(40, 40);
    pietra_submission submission = {.stream = stream};
    pietra_stats stats;
    uint32_t turn;
    (void)state;
    begin(VK_FORMAT_R8G8B8A8_UNORM, NULL);
    const pietra_ticket ticket = submit(&submission, NULL, &turn);
    wait_for(ticket.number, &stats);
    assert_int_equal(stats.stage_count, 0);
    assert_true(stats.lines > 0 && stats.gpu_ms > 0);
    end();
    pietra_stream_destroy(stream);
}

static void test_stats_and_waits(void **state)
{
    pietra_stream *stream = moving_square(40, 40);
    pietra_submission submission = {.stream = stream};
    pietra_stats stats;
    pietra_error error = {0};
    bool done;
    uint32_t turn;
    (void)state;
    begin(VK_FORMAT_R8G8B8A8_UNORM, &(pietra_view_options){.stage_times = true});
    const pietra_ticket ticket = submit(&submission, NULL, &turn);
    wait_for(ticket.number, &stats);
    assert_int_equal(stats.passes, 1);
    assert_true(stats.lines > 0 && stats.tile_commands > 0 && stats.stage_count > 5 && stats.memory_bytes > 0);
    assert_int_equal(pietra_view_wait(here.view, ticket.number + 1, 0, &error, &done, NULL), PIETRA_ERROR_INPUT);
    for (unsigned i = 0; i < 40; i++)
        (void)submit(&submission, NULL, &turn);
    wait_for(ticket.number, &stats); /* long forgotten */
    assert_int_equal(stats.passes, 0);
    while (pietra_view_wait(here.view, 0, 0, &error, &done, NULL) == PIETRA_OK && !done)
        ;
    assert_true(done);
    (void)submit(&submission, NULL, &turn); /* is in flight when the view goes */
    end();
    pietra_stream_destroy(stream);
}

static VKAPI_ATTR VkResult VKAPI_CALL lose(VkDevice device, uint32_t count, const VkFence *fences, VkBool32 all,
                                           uint64_t timeout)
{
    (void)real_wait(device, count, fences, all, UINT64_MAX); /* the real device must not be at work */
    (void)timeout;
    return VK_ERROR_DEVICE_LOST;
}

static VKAPI_ATTR VkResult VKAPI_CALL be_busy(VkDevice device, uint32_t count, const VkFence *fences, VkBool32 all,
                                              uint64_t timeout)
{
    (void)device, (void)count, (void)fences, (void)all, (void)timeout;
    return VK_TIMEOUT;
}

/* If the device is lost, all frames that were in flight are done, and failed. */
static void test_lost(void **state)
{
    caller_device *caller = &here.caller;
    PFN_vkWaitForFences *wait = &here.device->gpu->instance.vk.WaitForFences;
    pietra_stream *stream = moving_square(40, 40);
    pietra_submission submission = {.stream = stream};
    const pietra_vulkan_semaphore cleared = {.semaphore = caller_make_semaphore(caller, false)};
    const pietra_vulkan_order order = {.waits = &cleared, .wait_count = 1};
    pietra_error error = {0};
    uint64_t numbers[3];
    uint32_t turn;
    bool done = false;
    (void)state;
    begin(VK_FORMAT_R8G8B8A8_UNORM, &(pietra_view_options){.in_flight = 4});
    wait_for(submit(&submission, NULL, &turn).number, NULL); /* memory need not grow any more */
    real_wait = *wait;
    *wait = be_busy;
    for (uint32_t i = 0; i < 3; i++) {
        if (i == 1)
            caller_clear_image(caller, &here.images[here.frames % IMAGES], cleared.semaphore);
        numbers[i] = submit(&submission, i == 1 ? &order : NULL, &turn).number;
    }
    *wait = lose;
    assert_int_equal(pietra_view_wait(here.view, 0, PIETRA_FOREVER, &error, &done, NULL), PIETRA_ERROR_DEVICE);
    assert_true(done);
    for (uint32_t i = 0; i < 3; i++) {
        done = false;
        assert_int_equal(pietra_view_wait(here.view, numbers[i], 0, &error, &done, NULL), PIETRA_ERROR_DEVICE);
        assert_true(done);
    }
    *wait = real_wait;
    /* None of the images can be trusted, though their ages say that nothing differs. */
    submission.damage = &(pietra_pixel_box){0};
    for (uint32_t i = 0; i < IMAGES; i++) {
        const pietra_ticket ticket = submit(&submission, NULL, &turn);
        assert_memory_equal(&ticket.drawn, (&(pietra_pixel_box){0, 0, WIDTH, HEIGHT}), sizeof ticket.drawn);
        wait_for(ticket.number, NULL);
    }
    const pietra_ticket last = submit(&submission, NULL, &turn);
    assert_memory_equal(&last.drawn, (&(pietra_pixel_box){0}), sizeof last.drawn);
    wait_for(last.number, NULL);
    end();
    caller->DestroySemaphore(caller->device, cleared.semaphore, NULL);
    pietra_stream_destroy(stream);
}

static void test_refused(void **state)
{
    pietra_stream *stream = moving_square(40, 40);
    pietra_submission submission = {.stream = stream};
    pietra_error error = {0};
    (void)state;
    begin(VK_FORMAT_R8G8B8A8_UNORM, NULL);
    pietra_vulkan_target target = target_of(&here.images[0]);
    target.format = VK_FORMAT_R8_UNORM;
    assert_int_equal(pietra_view_submit_vulkan(here.view, &submission, &target, NULL, &error, NULL),
                     PIETRA_ERROR_INPUT);
    target.format = VK_FORMAT_R8G8B8A8_UNORM;
    target.width = 0;
    assert_int_equal(pietra_view_submit_vulkan(here.view, &submission, &target, NULL, &error, NULL),
                     PIETRA_ERROR_INPUT);
    target.width = WIDTH;
    submission.damage_count = 1;
    assert_int_equal(pietra_view_submit_vulkan(here.view, &submission, &target, NULL, &error, NULL),
                     PIETRA_ERROR_INPUT);
    submission = (pietra_submission){.stream = stream, .frame.region = {.picture_width = 150, .picture_height = 110}};
    assert_int_equal(pietra_view_submit_vulkan(here.view, &submission, &target, NULL, &error, NULL),
                     PIETRA_ERROR_INPUT);
    submission = (pietra_submission){.stream = NULL};
    assert_int_equal(pietra_view_submit_vulkan(here.view, &submission, &target, NULL, &error, NULL),
                     PIETRA_ERROR_INPUT);
    assert_int_equal(pietra_view_submit_vulkan(here.view, NULL, &target, NULL, &error, NULL), PIETRA_ERROR_INPUT);
    end();
    pietra_stream_destroy(stream);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_many_in_flight), cmocka_unit_test(test_damage),
        cmocka_unit_test(test_what_is_drawn),  cmocka_unit_test(test_counted),
        cmocka_unit_test(test_order),          cmocka_unit_test(test_one_device),
        cmocka_unit_test(test_no_stage_times), cmocka_unit_test(test_stats_and_waits),
        cmocka_unit_test(test_lost),           cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, open_all, close_all);
}
