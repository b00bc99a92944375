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
        finish_recorded(ticket.number);
        here.images[0].layout = target.after;
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

/* Lines within a square of this side, as many for each side. */
static pietra_stream *lines_within(unsigned side, float red)
{
    return lines_across(side, side, 900, red);
}

#define FEW 14u           /* a side of lines that need the least room */
#define MANY (HEIGHT - 5) /* of others that need more */

/* Gives each image a frame, and the view what such frames need. None of them is certain. */
static void begin_later(const pietra_view_options *options, pietra_stream *stream)
{
    pietra_submission submission = {.stream = stream, .when_full = PIETRA_FULL_LATER};
    begin(VK_FORMAT_R8G8B8A8_UNORM, options);
    let_be_certain(false);
    for (uint32_t i = 0; i < IMAGES; i++)
        assert_true(submit_into(i, &submission, NULL).is_done);
}

/* Submits a frame for later into an image with a view for storage. */
static pietra_ticket submit_later(uint32_t turn, pietra_submission *submission, const pietra_vulkan_order *order)
{
    pietra_error error = {0};
    pietra_ticket ticket;
    pietra_vulkan_target target = target_of(&here.images[turn]);
    target.view = here.images[turn].view;
    here.frames++;
    submission->when_full = PIETRA_FULL_LATER;
    submission->age = here.drawn[turn] ? (uint32_t)(here.frames - here.drawn[turn]) : 0;
    if (pietra_view_submit_vulkan(here.view, submission, &target, order, &error, &ticket) != PIETRA_OK)
        fail_msg("%s", error.message);
    end_turn(turn);
    return ticket;
}

/* Waits for a frame. Returns whether it found room. */
static bool found_room(uint64_t number)
{
    pietra_error error = {0};
    bool done = false;
    const pietra_result result = pietra_view_wait(here.view, number, PIETRA_FOREVER, &error, &done, NULL);
    assert_true(done && (result == PIETRA_OK || result == PIETRA_ERROR_BUDGET));
    return result == PIETRA_OK;
}

/* Frames of few lines and of many in any order, in images in any order, several in flight. Whatever found room has all
 * its pixels, and all else those that the image had. */
static void check_later(pietra_device *cpu, uint64_t seed, uint32_t in_flight)
{
    random_source source = random_start(seed);
    pietra_stream *streams[4] = {lines_within(FEW, 0), lines_within(FEW, 1), lines_within(MANY, 0),
                                 lines_within(MANY, 1)};
    const pietra_pixel_box boxes[] = {{0, 0, FEW, FEW}, {0, 0, MANY, MANY}};
    uint8_t *wanted[4], *holds[IMAGES];
    uint64_t numbers[PIETRA_FRAMES_IN_FLIGHT];
    uint32_t turns[PIETRA_FRAMES_IN_FLIGHT], shown[PIETRA_FRAMES_IN_FLIGHT], count = 0, last = 0;
    uint32_t kept = 0, later = 0;
    begin_later(&(pietra_view_options){.in_flight = in_flight}, streams[0]);
    for (uint32_t i = 0; i < 4; i++)
        wanted[i] = draw_in_memory(cpu, streams[i], NULL);
    for (uint32_t i = 0; i < IMAGES; i++)
        holds[i] = wanted[0];
    for (uint32_t i = 0; i < 120; i++) {
        const uint32_t next = random_below(&source, 10) == 0 ? 2 + random_below(&source, 2) : random_below(&source, 2);
        pietra_submission submission = {
            .stream = streams[next], .damage = i % 3 ? &boxes[next > 1 || last > 1] : NULL, .damage_count = i % 3 > 0};
        turns[count] = random_below(&source, IMAGES);
        shown[count] = last = next;
        const pietra_ticket ticket = submit_later(turns[count], &submission, NULL);
        numbers[count++] = ticket.number;
        later += !ticket.is_done;
        if (count < in_flight && random_below(&source, 3) > 0)
            continue;
        for (uint32_t k = 0; k < count; k++) {
            const bool is_drawn = found_room(numbers[k]);
            kept += !is_drawn;
            if (is_drawn)
                holds[turns[k]] = wanted[shown[k]];
        }
        for (uint32_t k = 0; k < count; k++) {
            uint8_t *found = caller_read_image(&here.caller, &here.images[turns[k]]);
            assert_memory_equal(found, holds[turns[k]], BYTES);
            free(found);
        }
        count = 0;
    }
    assert_true(kept > 2 && later > 60);
    end();
    for (uint32_t i = 0; i < 4; i++) {
        pietra_stream_destroy(streams[i]);
        free(wanted[i]);
    }
}

static void test_later(void **state)
{
    pietra_device *cpu = open_cpu();
    (void)state;
    check_later(cpu, 1, 1);
    check_later(cpu, 2, 2);
    check_later(cpu, 3, 5);
    pietra_device_destroy(cpu);
}

/* An image that is written after its semaphores have come is left alone as well. What was not drawn is said, and the
 * next frame is finished, after which there is room. */
static void test_later_in_order(void **state)
{
    caller_device *caller = &here.caller;
    pietra_device *cpu = open_cpu();
    pietra_stream *few = lines_within(FEW, 0), *many = lines_within(MANY, 0);
    const pietra_vulkan_semaphore cleared = {.semaphore = caller_make_semaphore(caller, false)};
    const pietra_vulkan_order order = {.waits = &cleared, .wait_count = 1};
    pietra_submission submission = {.stream = many};
    pietra_error error = {0};
    pietra_stats stats = {.passes = 0};
    bool done = false;
    (void)state;
    begin_later(NULL, few);
    caller_clear_image(caller, &here.images[0], cleared.semaphore);
    const pietra_ticket ticket = submit_later(0, &submission, &order);
    assert_true(!ticket.is_done && !ticket.kept);
    assert_int_equal(pietra_view_wait(here.view, ticket.number, PIETRA_FOREVER, &error, &done, &stats),
                     PIETRA_ERROR_BUDGET);
    assert_non_null(strstr(error.message, "needed more room"));
    assert_true(done && stats.passes == 1);
    uint8_t *has = caller_read_image(caller, &here.images[0]);
    for (size_t i = 0; i < BYTES; i++)
        assert_int_equal(has[i], 255);
    free(has);

    submission.damage = &(pietra_pixel_box){0}; /* nothing, but for what was not drawn */
    assert_true(submit_later(1, &submission, NULL).is_done);
    expect_picture(cpu, 1, many, &submission.frame);
    submission.damage = NULL;
    assert_false(submit_later(0, &submission, NULL).is_done);
    wait_for(0, NULL);
    expect_picture(cpu, 0, many, &submission.frame);
    end();
    caller->DestroySemaphore(caller->device, cleared.semaphore, NULL);
    pietra_stream_destroy(few);
    pietra_stream_destroy(many);
    pietra_device_destroy(cpu);
}

/* Squares of as many lines, in tiles of their own or all in one. */
static pietra_stream *squares(bool in_one_tile)
{
    pietra_scene *scene = pietra_scene_create();
    pietra_path *path = pietra_path_create();
    const pietra_paint paint = {.color = {0.9f, 0.4f, 0.1f, 0.5f}};
    for (unsigned i = 0; i < 400; i++) {
        const pietra_transform place = {1, 0, 0, 1, in_one_tile ? 0 : i % 9 * 16, in_one_tile ? 0 : i / 9 % 6 * 16};
        pietra_path_reset(path);
        pietra_path_rect(path, 2.5, 2.5, 8, 8);
        assert_int_equal(pietra_scene_fill(scene, path, &place, PIETRA_FILL_NONZERO, &paint, NULL), PIETRA_OK);
    }
    pietra_path_destroy(path);
    return encode_scene(scene);
}

/* A frame may have room for all it counts, but not passes enough for its busiest tile, where loops are bounded. */
static void test_later_passes(void **state)
{
    pietra_device *cpu = open_cpu();
    pietra_stream *apart = squares(false), *together = squares(true);
    pietra_submission submission = {.stream = together};
    const pietra_frame frame = {.canceller = NULL};
    (void)state;
    begin_later(NULL, apart);
    const pietra_ticket ticket = submit_later(0, &submission, NULL);
    assert_false(ticket.is_done);
    const bool is_drawn = found_room(ticket.number);
    assert_int_equal(is_drawn, gpu_get_limits(here.device->gpu)->hardware);
    expect_picture(cpu, 0, is_drawn ? together : apart, &frame);
    end();
    pietra_stream_destroy(apart);
    pietra_stream_destroy(together);
    pietra_device_destroy(cpu);
}

/* A frame is finished if its image has nothing to keep or cannot be kept from being written, and if little is known of
 * it. */
static void test_not_later(void **state)
{
    static const char blurred[] = "<svg xmlns='http://www.w3.org/2000/svg' width='150' height='110'><filter "
                                  "id='f'><feGaussianBlur stdDeviation='3'/></filter><rect x='20' y='15' width='40' "
                                  "height='30' fill='#83c' filter='url(#f)'/></svg>";
    pietra_device *cpu = open_cpu();
    pietra_stream *few = lines_within(FEW, 0), *other = moving_square(20, 20), *effect = stream_of(blurred);
    pietra_submission submission = {.stream = few};
    pietra_error error = {0};
    pietra_ticket ticket;
    (void)state;
    begin_later(NULL, few);
    assert_false(submit_later(0, &submission, NULL).is_done);
    here.drawn[0] = 0;
    assert_true(submit_later(0, &submission, NULL).is_done);
    pietra_vulkan_target target = target_of(&here.images[0]);
    target.view = VK_NULL_HANDLE;
    submission.age = 1;
    assert_int_equal(pietra_view_submit_vulkan(here.view, &submission, &target, NULL, &error, &ticket), PIETRA_OK);
    assert_true(ticket.is_done);
    target.view = here.images[0].view;
    caller_begin(&here.caller);
    assert_int_equal(pietra_view_record_vulkan(here.view, &submission, &target, here.caller.commands, &error, NULL),
                     PIETRA_ERROR_BUDGET);
    caller_submit(&here.caller, VK_NULL_HANDLE);
    caller_wait_idle(&here.caller);
    here.frames++;
    assert_false(submit_later(0, &submission, NULL).is_done);
    submission.stream = other; /* has far fewer segments */
    assert_true(submit_later(0, &submission, NULL).is_done);
    assert_false(submit_later(0, &submission, NULL).is_done);
    submission.stream = effect;
    assert_true(submit_later(0, &submission, NULL).is_done);
    assert_true(submit_later(0, &submission, NULL).is_done);
    expect_picture(cpu, 0, effect, &submission.frame);
    end();
    pietra_stream_destroy(few);
    pietra_stream_destroy(other);
    pietra_stream_destroy(effect);
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
        cmocka_unit_test(test_later),
        cmocka_unit_test(test_later_in_order),
        cmocka_unit_test(test_later_passes),
        cmocka_unit_test(test_not_later),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, open_all, close_all);
}
