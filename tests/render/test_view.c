/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Views into memory: a picture is always that which pietra_render gives, whatever was damaged and however old the
 * target is, and no pixel is written beside what the ticket says. */
#include <string.h>

#include "base/pixel_box.h"
#include "pietra/pietra_view.h"
#include "property/random_scene.h"
#include "render/open_device.h"
#include "render/view.h"
#include "scene/scene_fixture.h"

#define WIDTH 431u /* so large that boxes are drawn apart */
#define HEIGHT 387u
#define BYTES ((size_t)4 * WIDTH * HEIGHT)
#define TARGETS 4u
#define FRAMES 60u

/* Boxes of a scene, which each frame changes a little. */
#define BOXES 12u

typedef struct moving_box {
    uint32_t x, y, width, height;
    float red;
} moving_box;

static pietra_stream *encode_boxes(const moving_box *boxes)
{
    pietra_scene *scene = pietra_scene_create();
    pietra_path *path = pietra_path_create();
    for (uint32_t i = 0; i < BOXES; i++) {
        const pietra_paint paint = {.color = {boxes[i].red, 0.3f, 0.6f, i % 2 ? 1.0f : 0.5f}};
        pietra_path_reset(path);
        pietra_path_ellipse(path, boxes[i].x + boxes[i].width / 2.0, boxes[i].y + boxes[i].height / 2.0,
                            boxes[i].width / 2.0, boxes[i].height / 2.0);
        ASSERT_OK(pietra_scene_fill(scene, path, NULL, PIETRA_FILL_NONZERO, &paint, error));
    }
    pietra_path_destroy(path);
    return encode_and_destroy(scene);
}

static pietra_pixel_box box_of(const moving_box *box)
{
    return (pietra_pixel_box){box->x, box->y, box->x + box->width, box->y + box->height};
}

static void move(random_source *source, moving_box *box)
{
    box->x = random_below(source, WIDTH);
    box->y = random_below(source, HEIGHT);
    box->width = 1 + random_below(source, 40);
    box->height = 1 + random_below(source, 30);
    box->red = (float)random_between(source, 0, 1);
}

static pietra_target target_of(uint8_t *pixels)
{
    return (pietra_target){
        .width = WIDTH, .height = HEIGHT, .pixels = pixels, .format = PIETRA_FORMAT_RGBA8_PREMULTIPLIED};
}

static bool is_within(const pietra_ticket *ticket, uint32_t x, uint32_t y)
{
    for (uint32_t i = 0; i < ticket->box_count; i++) {
        const pietra_pixel_box box = ticket->boxes[i];
        if (x >= box.x0 && x < box.x1 && y >= box.y0 && y < box.y1)
            return true;
    }
    return false;
}

/* Checks that the one box of a ticket lies around its others. */
static void expect_around(const pietra_ticket *ticket)
{
    pietra_pixel_box around = {0, 0, 0, 0};
    assert_in_range(ticket->box_count, 0, PIETRA_DRAWN_BOXES);
    for (uint32_t i = 0; i < ticket->box_count; i++)
        around = pixel_box_join(around, ticket->boxes[i]);
    assert_memory_equal(&around, &ticket->drawn, sizeof around);
}

/* Checks that what was drawn makes the picture right, and that nothing beside it was written. */
static void expect_frame(pietra_device *device, const pietra_submission *submission, const uint8_t *before,
                         const uint8_t *found, const pietra_ticket *ticket)
{
    static uint8_t wanted[BYTES];
    const pietra_target target = target_of(wanted);
    ASSERT_OK(pietra_render(device, submission->stream, &submission->frame, &target, error, NULL));
    assert_memory_equal(found, wanted, BYTES);
    expect_around(ticket);
    for (uint32_t y = 0; y < HEIGHT; y++)
        for (uint32_t x = 0; x < WIDTH; x++)
            if (memcmp(found + 4 * (y * WIDTH + x), before + 4 * (y * WIDTH + x), 4) != 0)
                assert_true(is_within(ticket, x, y));
}

/* Draws frames of which each moves some boxes, into targets in any order. */
static void check_damage(pietra_device *device, uint64_t seed)
{
    static uint8_t pixels[TARGETS][BYTES], before[BYTES];
    random_source source = random_start(seed);
    moving_box boxes[BOXES];
    uint64_t drawn_at[TARGETS] = {0};
    uint32_t apart = 0; /* frames of several boxes */
    pietra_view *view;
    ASSERT_OK(pietra_view_create(device, NULL, error, &view));
    memset(pixels, 77, sizeof pixels);
    for (uint32_t i = 0; i < BOXES; i++)
        move(&source, &boxes[i]);
    for (uint64_t frame = 1; frame <= FRAMES; frame++) {
        pietra_pixel_box damage[2 * BOXES];
        size_t count = 0;
        for (uint32_t i = random_below(&source, 4); i > 0; i--) {
            moving_box *box = &boxes[random_below(&source, BOXES)];
            damage[count++] = box_of(box);
            move(&source, box);
            damage[count++] = box_of(box);
        }
        pietra_stream *stream = encode_boxes(boxes);
        const uint32_t turn = random_below(&source, TARGETS);
        pietra_submission submission = {.stream = stream, .damage = damage, .damage_count = count};
        submission.age = drawn_at[turn] ? (uint32_t)(frame - drawn_at[turn]) : 0;
        if (random_below(&source, 9) == 0)
            submission.frame.background = (pietra_color){0, 1, 0, 1};
        const pietra_target target = target_of(pixels[turn]);
        pietra_ticket ticket;
        memcpy(before, pixels[turn], BYTES);
        ASSERT_OK(pietra_view_submit(view, &submission, &target, error, &ticket));
        assert_true(ticket.is_done && ticket.number > 0);
        expect_frame(device, &submission, before, pixels[turn], &ticket);
        apart += ticket.box_count > 1;
        drawn_at[turn] = frame;
        pietra_stream_destroy(stream);
    }
    assert_true(apart > 3);
    pietra_view_destroy(view);
}

static void test_damage_on_the_cpu(void **state)
{
    (void)state;
    pietra_device *device = open_device(PIETRA_DEVICE_CPU, 1, 0);
    for (uint64_t seed = 1; seed <= 4; seed++)
        check_damage(device, seed);
    pietra_device_destroy(device);
}

static void test_damage_on_the_reference(void **state)
{
    (void)state;
    pietra_device *device = open_device(PIETRA_DEVICE_REFERENCE, 1, 0);
    check_damage(device, 9);
    pietra_device_destroy(device);
}

/* What a frame that fails would have drawn, the next one draws. */
static void test_failure(void **state)
{
    (void)state;
    static uint8_t pixels[BYTES], before[BYTES];
    pietra_device *device = open_device(PIETRA_DEVICE_CPU, 1, 0);
    moving_box boxes[BOXES];
    random_source source = random_start(5);
    pietra_view *view;
    pietra_canceller *canceller;
    ASSERT_OK(pietra_canceller_create(error, &canceller));
    ASSERT_OK(pietra_view_create(device, NULL, error, &view));
    for (uint32_t i = 0; i < BOXES; i++)
        move(&source, &boxes[i]);
    const pietra_target target = target_of(pixels);
    pietra_stream *first = encode_boxes(boxes);
    ASSERT_OK(pietra_view_submit(view, &(pietra_submission){.stream = first}, &target, error, NULL));
    pietra_pixel_box damage[] = {box_of(&boxes[3]), {0, 0, 0, 0}};
    move(&source, &boxes[3]);
    damage[1] = box_of(&boxes[3]);
    pietra_stream *second = encode_boxes(boxes);
    pietra_submission submission = {.stream = second, .damage = damage, .damage_count = 2, .age = 1};
    pietra_canceller_cancel(canceller);
    submission.frame.canceller = canceller;
    memcpy(before, pixels, BYTES);
    assert_int_equal(pietra_view_submit(view, &submission, &target, NULL, NULL), PIETRA_CANCELLED);
    submission.frame.canceller = NULL;
    submission.damage_count = 0;   /* nothing since the frame that failed */
    memcpy(pixels, before, BYTES); /* a cancelled frame may have spoiled them */
    pietra_ticket ticket;
    ASSERT_OK(pietra_view_submit(view, &submission, &target, error, &ticket));
    expect_frame(device, &submission, before, pixels, &ticket);
    pietra_view_destroy(view);
    pietra_stream_destroy(first);
    pietra_stream_destroy(second);
    pietra_canceller_destroy(canceller);
    pietra_device_destroy(device);
}

/* A frame of another size that fails says nothing of the pixels beyond it. */
static void test_failure_of_a_smaller_frame(void **state)
{
    (void)state;
    static uint8_t pixels[BYTES], before[BYTES], small[4 * 16 * 16];
    pietra_device *device = open_device(PIETRA_DEVICE_CPU, 1, 0);
    moving_box boxes[BOXES];
    random_source source = random_start(6);
    pietra_view *view;
    pietra_canceller *canceller;
    ASSERT_OK(pietra_canceller_create(error, &canceller));
    ASSERT_OK(pietra_view_create(device, NULL, error, &view));
    pietra_canceller_cancel(canceller);
    const pietra_target target = target_of(pixels);
    const pietra_target icon = {.width = 16, .height = 16, .pixels = small};
    pietra_stream *streams[2];
    for (uint32_t k = 0; k < 2; k++) {
        for (uint32_t i = 0; i < BOXES; i++)
            move(&source, &boxes[i]);
        streams[k] = encode_boxes(boxes);
    }
    ASSERT_OK(pietra_view_submit(view, &(pietra_submission){.stream = streams[0]}, &target, error, NULL));
    const pietra_submission failing = {.stream = streams[1], .frame.canceller = canceller};
    assert_int_equal(pietra_view_submit(view, &failing, &icon, NULL, NULL), PIETRA_CANCELLED);
    const pietra_submission submission = {.stream = streams[1], .damage = &(pietra_pixel_box){0}, .age = 1};
    pietra_ticket ticket;
    memcpy(before, pixels, BYTES);
    ASSERT_OK(pietra_view_submit(view, &submission, &target, error, &ticket));
    expect_frame(device, &submission, before, pixels, &ticket);
    /* Nor does one that has no size, as that of a window which is shown as an icon. */
    const pietra_target none = {.pixels = small};
    const pietra_submission back = {.stream = streams[0], .damage = &(pietra_pixel_box){0}, .age = 1};
    assert_int_equal(pietra_view_submit(view, &back, &none, NULL, NULL), PIETRA_ERROR_INPUT);
    memcpy(before, pixels, BYTES);
    ASSERT_OK(pietra_view_submit(view, &back, &target, error, &ticket));
    expect_frame(device, &back, before, pixels, &ticket);
    pietra_view_destroy(view);
    pietra_stream_destroy(streams[0]);
    pietra_stream_destroy(streams[1]);
    pietra_canceller_destroy(canceller);
    pietra_device_destroy(device);
}

static void test_refused(void **state)
{
    (void)state;
    static uint8_t pixels[BYTES];
    pietra_device *device = open_device(PIETRA_DEVICE_CPU, 1, 0);
    pietra_view *view;
    assert_int_equal(pietra_view_create(NULL, NULL, NULL, &view), PIETRA_ERROR_INPUT);
    assert_int_equal(pietra_view_create(device, NULL, NULL, NULL), PIETRA_ERROR_INPUT);
    assert_int_equal(pietra_view_create(device, &(pietra_view_options){.in_flight = 9}, NULL, &view),
                     PIETRA_ERROR_INPUT);
    ASSERT_OK(pietra_view_create(device, NULL, error, &view));
    pietra_target target = target_of(pixels);
    assert_int_equal(pietra_view_submit(view, &(pietra_submission){.stream = NULL}, &target, NULL, NULL),
                     PIETRA_ERROR_INPUT);
    bool done = false;
    ASSERT_OK(pietra_view_wait(view, 0, 0, error, &done, NULL)); /* nothing was submitted */
    assert_true(done);
    assert_int_equal(pietra_view_wait(view, 1, 0, NULL, &done, NULL), PIETRA_ERROR_INPUT);
    pietra_view_destroy(view);
    pietra_view_destroy(NULL);
    pietra_device_destroy(device);
}

/* A call while another is under way is refused, and leaves the view as it is. */
static void test_two_threads(void **state)
{
    static uint8_t pixels[BYTES];
    pietra_device *device = open_device(PIETRA_DEVICE_CPU, 1, 0);
    moving_box boxes[BOXES] = {{5, 5, 20, 20, 1}};
    pietra_stream *stream = encode_boxes(boxes);
    const pietra_submission submission = {.stream = stream};
    const pietra_target target = target_of(pixels);
    pietra_error error = {.message = ""};
    pietra_view *view;
    bool done;
    (void)state;
    ASSERT_OK(pietra_view_create(device, NULL, error, &view));
    ASSERT_OK(view_enter(view, error)); /* as another thread has */
    assert_int_equal(pietra_view_submit(view, &submission, &target, &error, NULL), PIETRA_ERROR_INPUT);
    assert_non_null(strstr(error.message, "another thread"));
    assert_int_equal(pietra_view_wait(view, 0, 0, &error, &done, NULL), PIETRA_ERROR_INPUT);
    assert_int_equal(view_leave(view, PIETRA_OK, &error, NULL), PIETRA_OK);
    ASSERT_OK(pietra_view_submit(view, &submission, &target, error, NULL));
    pietra_view_destroy(view);
    pietra_stream_destroy(stream);
    pietra_device_destroy(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_damage_on_the_cpu), cmocka_unit_test(test_damage_on_the_reference),
        cmocka_unit_test(test_failure),           cmocka_unit_test(test_failure_of_a_smaller_frame),
        cmocka_unit_test(test_refused),           cmocka_unit_test(test_two_threads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
