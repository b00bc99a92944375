/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Frames that cannot be submitted without being counted first, by what their submissions say of them. Whatever becomes
 * of them, an image holds a picture of the view as a whole: the frame's, or the one that it had. */
#include "render/gpu/caller_frames.h"
#include "render/view.h"

#define BYTES ((size_t)4 * WIDTH * HEIGHT)

/* A square in one of many places. */
typedef struct square {
    uint32_t x, y;
} square;

static square move(random_source *source)
{
    return (square){random_below(source, WIDTH - 17), random_below(source, HEIGHT - 13)};
}

static pietra_pixel_box box_of(square at)
{
    return (pietra_pixel_box){at.x, at.y, at.x + 17, at.y + 13};
}

/* Makes frames of the view certain, or not, whatever they were before. */
static void let_be_certain(bool is_certain)
{
    memset(here.view->certain, 0, sizeof here.view->certain);
    here.view->options.certain_bytes = is_certain ? UINT64_MAX : 1;
}

/* Submits a frame into an image, whose age it finds. */
static pietra_ticket submit_into(uint32_t turn, pietra_submission *submission, const pietra_vulkan_order *order)
{
    pietra_error error = {0};
    pietra_ticket ticket;
    const pietra_vulkan_target target = target_of(&here.images[turn]);
    here.frames++;
    submission->age = here.drawn[turn] ? (uint32_t)(here.frames - here.drawn[turn]) : 0;
    if (pietra_view_submit_vulkan(here.view, submission, &target, order, &error, &ticket) != PIETRA_OK)
        fail_msg("%s", error.message);
    end_turn(turn);
    return ticket;
}

/* A square moves from frame to frame, in images in any order. Some of the frames are kept: then an image has the bytes
 * that it had. All others have those of a whole picture, whatever was kept before. */
static void test_keep(void **state)
{
    pietra_device *cpu = open_cpu();
    random_source source = random_start(3);
    square at = move(&source);
    uint32_t kept = 0, partly = 0;
    (void)state;
    begin(VK_FORMAT_R8G8B8A8_UNORM, NULL);
    for (unsigned i = 0; i < 60; i++) {
        const square before = at;
        at = move(&source);
        const pietra_pixel_box damage[] = {box_of(before), box_of(at)};
        const uint32_t turn = random_below(&source, IMAGES);
        const bool is_certain = random_below(&source, 2), holds_some = here.drawn[turn] != 0;
        pietra_stream *stream = moving_square(at.x, at.y);
        pietra_submission submission = {
            .stream = stream, .damage = damage, .damage_count = 2, .when_full = PIETRA_FULL_KEEP};
        if (random_below(&source, 8) == 0)
            submission.frame.background = (pietra_color){1, 0.5f, 0, 1}; /* all differs, and back again */
        let_be_certain(is_certain);
        wait_for(0, NULL);
        uint8_t *had = caller_read_image(&here.caller, &here.images[turn]);
        const pietra_ticket ticket = submit_into(turn, &submission, NULL);
        assert_int_equal(ticket.kept, !is_certain && holds_some);
        assert_int_equal(ticket.is_done, !is_certain && !holds_some);
        wait_for(ticket.number, NULL);
        if (ticket.kept) {
            uint8_t *has = caller_read_image(&here.caller, &here.images[turn]);
            assert_memory_equal(had, has, BYTES);
            assert_int_equal(ticket.box_count, 0);
            free(has);
            kept++;
        } else {
            expect_picture(cpu, turn, stream, &submission.frame);
            partly += ticket.drawn.x1 - ticket.drawn.x0 < WIDTH;
        }
        free(had);
        pietra_stream_destroy(stream);
    }
    assert_true(kept > 15 && partly > 3);
    end();
    pietra_device_destroy(cpu);
}

/* What waits for a kept frame is not kept waiting, and what the frame waits for comes first. */
static void test_order_of_kept(void **state)
{
    caller_device *caller = &here.caller;
    pietra_stream *stream = moving_square(40, 40);
    const pietra_vulkan_semaphore cleared = {.semaphore = caller_make_semaphore(caller, false)};
    const pietra_vulkan_semaphore drawn = {.semaphore = caller_make_semaphore(caller, true), .value = 7};
    const pietra_vulkan_order order = {.waits = &cleared, .wait_count = 1, .signals = &drawn, .signal_count = 1};
    const VkSemaphoreWaitInfo wait = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
                                      .semaphoreCount = 1,
                                      .pSemaphores = &drawn.semaphore,
                                      .pValues = &drawn.value};
    pietra_submission submission = {.stream = stream, .when_full = PIETRA_FULL_KEEP};
    pietra_stats stats = {.passes = 1};
    (void)state;
    begin(VK_FORMAT_R8G8B8A8_UNORM, NULL);
    (void)submit_into(0, &submission, NULL);
    let_be_certain(false);
    caller_clear_image(caller, &here.images[0], cleared.semaphore);
    const pietra_ticket ticket = submit_into(0, &submission, &order);
    assert_true(ticket.kept && !ticket.is_done);
    assert_int_equal(caller->WaitSemaphores(caller->device, &wait, UINT64_MAX), VK_SUCCESS);
    wait_for(ticket.number, &stats);
    assert_int_equal(stats.passes, 0);
    uint8_t *has = caller_read_image(caller, &here.images[0]);
    for (size_t i = 0; i < BYTES; i++)
        assert_int_equal(has[i], 255);
    free(has);
    end();
    caller->DestroySemaphore(caller->device, cleared.semaphore, NULL);
    caller->DestroySemaphore(caller->device, drawn.semaphore, NULL);
    pietra_stream_destroy(stream);
}

/* Kept frames are recorded, too, and so are those in which nothing differs, certain or not. */
static void test_keep_in_commands(void **state)
{
    pietra_device *cpu = open_cpu();
    pietra_stream *streams[] = {moving_square(40, 40), moving_square(90, 20)};
    pietra_submission submission = {.stream = streams[0], .when_full = PIETRA_FULL_KEEP};
    pietra_error error = {0};
    pietra_ticket ticket;
    (void)state;
    begin(VK_FORMAT_R8G8B8A8_UNORM, NULL);
    wait_for(submit_into(0, &submission, NULL).number, NULL);
    let_be_certain(false);
    for (uint32_t i = 0; i < 2; i++) {
        const pietra_vulkan_target target = target_of(&here.images[0]);
        submission.stream = streams[1 - i];
        submission.damage = i ? &(pietra_pixel_box){0} : NULL;
        submission.age = 1;
        caller_begin(&here.caller);
        assert_int_equal(
            pietra_view_record_vulkan(here.view, &submission, &target, here.caller.commands, &error, &ticket),
            PIETRA_OK);
        assert_true(ticket.kept && ticket.box_count == 0);
        caller_submit(&here.caller, VK_NULL_HANDLE);
        caller_wait_idle(&here.caller);
        assert_int_equal(pietra_view_finish_recorded(here.view, ticket.number, NULL), PIETRA_OK);
        expect_picture(cpu, 0, streams[0], &submission.frame);
    }
    here.frames += 2;
    here.drawn[0] = here.frames;
    submission.when_full = PIETRA_FULL_FINISH;
    ticket = submit_into(0, &submission, NULL); /* nothing differs but what the kept frames had to draw */
    assert_true(ticket.is_done && ticket.drawn.x1 == WIDTH);
    expect_picture(cpu, 0, streams[0], &submission.frame);
    ticket = submit_into(0, &submission, NULL); /* nothing is drawn, so nothing has to be counted */
    assert_true(!ticket.is_done && !ticket.kept && ticket.box_count == 0);
    wait_for(ticket.number, NULL);
    expect_picture(cpu, 0, streams[0], &submission.frame);
    end();
    for (uint32_t i = 0; i < 2; i++)
        pietra_stream_destroy(streams[i]);
    pietra_device_destroy(cpu);
}

static void test_refused(void **state)
{
    pietra_stream *stream = moving_square(40, 40);
    const pietra_submission submission = {.stream = stream, .when_full = (pietra_when_full)(PIETRA_FULL_KEEP + 1)};
    pietra_error error = {0};
    (void)state;
    begin(VK_FORMAT_R8G8B8A8_UNORM, NULL);
    const pietra_vulkan_target target = target_of(&here.images[0]);
    assert_int_equal(pietra_view_submit_vulkan(here.view, &submission, &target, NULL, &error, NULL),
                     PIETRA_ERROR_INPUT);
    assert_non_null(strstr(error.message, "when_full"));
    end();
    pietra_stream_destroy(stream);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_keep),
        cmocka_unit_test(test_order_of_kept),
        cmocka_unit_test(test_keep_in_commands),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, open_all, close_all);
}
