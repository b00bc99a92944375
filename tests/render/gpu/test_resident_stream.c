/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Of a composition's next stream, what differs is written to the device, and every picture is right: with frames in
 * flight, with any change, and after frames that never ran. */
#include "render/gpu/caller_frames.h"

#include "pietra/pietra_instance.h"
#include "render/gpu/renderer_state.h"
#include "scene/stream.h"

#define ICONS 120u
#define KINDS 5u
#define BOXES 4u

static struct {
    pietra_stream *kinds[KINDS];
    pietra_instance instances[ICONS];
    pietra_composition *composition;
    const pietra_stream *stream;
    pietra_pixel_box damage[BOXES];
    pietra_device *cpu;
} icons;

static pietra_stream *make_icon(uint32_t kind)
{
    pietra_scene *scene = pietra_scene_create();
    pietra_path *path = pietra_path_create();
    const pietra_paint paint = {.color = {0.2f * (float)kind, 0.4f, 0.8f, 0.5f}, .slot = 1};
    const pietra_stroke stroke = {.width = 1};
    pietra_path_rect(path, 1, 1, 3 + kind, 4);
    assert_int_equal(pietra_scene_fill(scene, path, NULL, PIETRA_FILL_NONZERO, &paint, NULL), PIETRA_OK);
    assert_int_equal(pietra_scene_stroke(scene, path, NULL, &stroke, &paint, NULL), PIETRA_OK);
    pietra_path_destroy(path);
    return encode_scene(scene);
}

static void place(uint32_t index, double aside)
{
    const double x = 12 * (index % 12) + aside, y = 11 * (index / 12 % 10);
    icons.instances[index] = (pietra_instance){.stream = icons.kinds[index % KINDS], .transform = {1, 0, 0, 1, x, y}};
}

/* Begins a view on a device that writes streams where kernels see them, or beside that. */
static void begin_icons(bool is_local, uint32_t in_flight)
{
    here.device->gpu->limits.upload_is_local = here.device->gpu->limits.upload_is_local && is_local;
    here.device->renderer->options.fine_work = 1u << 20; /* as hardware has: so frames of software are certain, too */
    icons.cpu = open_cpu();
    icons.composition = pietra_composition_create();
    for (uint32_t i = 0; i < KINDS; i++)
        icons.kinds[i] = make_icon(i);
    for (uint32_t i = 0; i < ICONS; i++)
        place(i, 0);
    begin(VK_FORMAT_R8G8B8A8_UNORM, &(pietra_view_options){.in_flight = in_flight});
}

static void end_icons(void)
{
    end();
    for (uint32_t i = 0; i < KINDS; i++)
        pietra_stream_destroy(icons.kinds[i]);
    pietra_composition_destroy(icons.composition);
    pietra_device_destroy(icons.cpu);
}

static pietra_submission compose(uint32_t count)
{
    assert_int_equal(pietra_composition_set(icons.composition, icons.instances, count, NULL, &icons.stream), PIETRA_OK);
    const size_t boxes = pietra_composition_damage(icons.composition, NULL, BOXES, icons.damage);
    return (pietra_submission){.stream = icons.stream, .damage = icons.damage, .damage_count = boxes};
}

static pietra_ticket show(uint32_t count, uint32_t *turn)
{
    pietra_submission submission = compose(count);
    return submit(&submission, NULL, turn);
}

/* Shows the icons, and returns how much of their stream was written. */
static uint64_t written_for(uint32_t count)
{
    pietra_stats stats;
    uint32_t turn;
    wait_for(show(count, &turn).number, &stats);
    expect_picture(icons.cpu, turn, icons.stream, &(pietra_frame){.canceller = NULL});
    return stats.upload_bytes;
}

static void check_bytes(bool is_local)
{
    begin_icons(is_local, 2);
    (void)written_for(ICONS);
    const uint64_t all = sizeof(uint32_t) * icons.stream->word_count;
    for (uint32_t i = 0; i < 8; i++) {
        place(7 + 10 * i, 1);
        assert_in_range(written_for(ICONS), 1, 2 * 1024);
    }
    for (uint32_t i = 0; i < 8; i++) {
        for (uint32_t k = 0; k < ICONS; k++)
            place(k, 0.25 * (i + 1));
        assert_in_range(written_for(ICONS), all / 20, all * 2 / 3);
    }
    assert_int_equal(written_for(ICONS), 0);
    assert_true(written_for(ICONS - 1) > all / 2);
    assert_true(written_for(ICONS) > all / 2);
    end_icons();
}

static void test_bytes(void **state)
{
    (void)state;
    check_bytes(true);
    check_bytes(false);
}

static void change(random_source *source, uint32_t *count)
{
    static const pietra_color colors[2] = {{1, 0, 0, 1}, {0, 1, 0, 0.5f}};
    const uint32_t which = random_below(source, 5), index = random_below(source, ICONS);
    if (which == 0)
        *count = ICONS - random_below(source, 4);
    else if (which == 1)
        icons.instances[index].transparency = icons.instances[index].transparency > 0 ? 0 : 0.5f;
    else if (which == 2) {
        icons.instances[index].slots = &colors[index % 2];
        icons.instances[index].slot_count = 1;
    } else if (which == 3)
        icons.instances[index].stream = icons.kinds[random_below(source, KINDS)];
    else
        for (uint32_t k = 0; k < ICONS; k += random_below(source, 3) ? 1 : 50)
            place(k, random_between(source, 0, 2));
}

static void check_in_flight(bool is_local, uint64_t seed)
{
    random_source source = random_start(seed);
    uint32_t turn, count = ICONS, counted = 0;
    begin_icons(is_local, 3);
    for (uint32_t i = 0; i < 60; i++) {
        change(&source, &count);
        const pietra_ticket ticket = show(count, &turn);
        counted += ticket.is_done;
        if (random_below(&source, 4) > 0)
            continue;
        wait_for(ticket.number, NULL);
        expect_picture(icons.cpu, turn, icons.stream, &(pietra_frame){.canceller = NULL});
    }
    assert_true(counted < 20);
    end_icons();
}

static void test_in_flight(void **state)
{
    (void)state;
    check_in_flight(true, 5);
    check_in_flight(false, 6);
}

/* What was recorded and never ran did not write the stream. */
static void test_discarded(void **state)
{
    uint32_t turn;
    pietra_error error = {0};
    (void)state;
    begin_icons(false, 2);
    for (uint32_t i = 0; i < 3; i++)
        (void)written_for(ICONS);
    for (uint32_t i = 0; i < 4; i++) {
        for (uint32_t k = 0; k < ICONS; k++)
            place(k, i + 1);
        pietra_submission submission = compose(ICONS);
        const pietra_vulkan_target target = begin_turn(&submission, &turn);
        caller_begin(&here.caller);
        if (pietra_view_reserve_vulkan(here.view, &submission, &target, &error) != PIETRA_OK ||
            pietra_view_record_vulkan(here.view, &submission, &target, here.caller.commands, &error, NULL) != PIETRA_OK)
            fail_msg("%s", error.message);
        pietra_view_discard_recorded(here.view);
        (void)written_for(ICONS);
        place(3, 2);
        (void)written_for(ICONS);
    }
    end_icons();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_in_flight),
        cmocka_unit_test(test_discarded),
    };
    return cmocka_run_group_tests(tests, open_all, close_all);
}
