/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/gpu/stage_harness.h"

#include "render/frame/config.h"
#include "property/random_scene.h"

static const stage_harness_subject *tested;

gpu_range stage_harness_input(stage_harness *h, const void *items, uint64_t count, size_t item_bytes)
{
    gpu_range range = harness_range(&h->h, count * item_bytes / 4u);
    if (count != 0)
        memcpy(harness_input(&h->h, range), items, (size_t)count * item_bytes);
    return range;
}

gpu_range stage_harness_zeros(stage_harness *h, uint64_t words)
{
    gpu_range range = harness_range(&h->h, words);
    memset(harness_input(&h->h, range), 0, (size_t)range.bytes);
    return range;
}

gpu_range stage_harness_table(stage_harness *h, uint32_t items, uint32_t partition_size, uint32_t components)
{
    return stage_harness_zeros(h, LOOK_BACK_TABLE_WORDS(items / partition_size + 1u, components));
}

void stage_harness_run(stage_harness *h, int program, const gpu_range *ranges, uint32_t groups)
{
    primitive_grid grid = primitive_grid_of(groups);
    harness_begin(&h->h);
    gpu_dispatch(h->h.recorder, h->programs[program], ranges, NULL, grid.x, grid.y, 1);
    harness_run(&h->h);
}

void stage_harness_run_partitions(stage_harness *h, int program, const gpu_range *ranges, uint32_t items,
                                  uint32_t partition_size)
{
    stage_harness_run(h, program, ranges, items / partition_size + 2u);
}

void stage_harness_compare(stage_harness *h, const char *what, gpu_range range, const void *expected, uint64_t count,
                           size_t item_bytes)
{
    harness_compare(what, harness_output(&h->h, range), expected, (uint32_t)(count * item_bytes / 4u));
}

static void create_programs(stage_harness *h, const primitive_options *options)
{
    assert_true(tested->program_count <= HARNESS_PROGRAMS_MOST);
    for (int i = 0; i < tested->program_count; i++) {
        pietra_error error = {0};
        harness_check(primitive_program_create(h->h.device, &tested->programs[i], options, &error, &h->programs[i]),
                      &error);
    }
}

static void destroy_programs(stage_harness *h)
{
    for (int i = 0; i < tested->program_count; i++)
        gpu_program_destroy(h->programs[i]);
}

/* All tests share the programs of the usual schedule, which a device in software makes for seconds. */
static int open_harness(void **state)
{
    stage_harness *h = calloc(1, sizeof *h);
    assert_non_null(h);
    harness_open(&h->h, 64u << 20);
    *state = h;
    create_programs(h, &harness_schedules[0]);
    return 0;
}

static int close_harness(void **state)
{
    stage_harness *h = *state;
    destroy_programs(h);
    harness_close(&h->h);
    free(h);
    return 0;
}

static void draw_by_reference(stage_harness *h, uint32_t width, uint32_t height)
{
    pietra_error error = {0};
    pietra_target target = {.width = width, .height = height};
    h->frame = (reference_frame){.stream = stream_view_of(stream_words(h->stream))};
    harness_check(config_of_frame(NULL, &target, &error, &h->frame.config), &error);
    h->frame.config.element_count = stream_get_header(h->stream)->element_count;
    h->frame.config.segment_count = stream_get_header(h->stream)->segment_count;
    h->frame.config.clip_event_count = stream_get_header(h->stream)->clip_event_count;
    h->frame.config.fine_work = 0xffffffffu;
    h->frame.pixels = malloc(4u * (size_t)config_target_pixels(&h->frame.config));
    assert_non_null(h->frame.pixels);
    harness_check(reference_frame_run(&h->frame, &error), &error);
}

/* Destroys the scene. */
static void check_scene(stage_harness *h, pietra_scene *scene, uint32_t width, uint32_t height,
                        void (*check)(stage_harness *h))
{
    pietra_error error = {0};
    harness_check(pietra_stream_encode(scene, &error, &h->stream), &error);
    pietra_scene_destroy(scene);
    draw_by_reference(h, width, height);
    check(h);
    free(h->frame.pixels);
    reference_frame_free(&h->frame);
    pietra_stream_destroy(h->stream);
}

static void check_made_scenes(stage_harness *h, uint32_t count, void (*check)(stage_harness *h))
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t side;
        pietra_scene *scene = tested->make_scene(i, &side);
        h->sorted_half = i & 1u;
        check_scene(h, scene, side, side, check);
    }
}

static void test_random_scenes(void **state)
{
    stage_harness *h = *state;
    for (uint32_t seed = tested->first_seed; seed < tested->end_seed; seed += all_sizes() ? 1 : 6) {
        uint32_t side = 1u + seed * 7919u % 500u;
        pietra_scene *scene = random_scene_create(seed, seed & 1u ? RANDOM_ANYTHING : RANDOM_DYADIC, side);
        h->sorted_half = seed & 1u;
        check_scene(h, scene, side, 1u + seed * 31u % 400u, tested->check);
    }
}

static void test_made_scenes(void **state)
{
    check_made_scenes(*state, tested->scene_count, tested->check);
}

static void test_schedules(void **state)
{
    stage_harness *h = *state;
    gpu_program *usual[HARNESS_PROGRAMS_MOST];
    memcpy(usual, h->programs, sizeof usual);
    for (size_t s = 1; s < harness_schedule_count(&h->h); s++) {
        create_programs(h, &harness_schedules[s]);
        check_made_scenes(h, tested->scheduled_count, tested->check);
        destroy_programs(h);
    }
    memcpy(h->programs, usual, sizeof usual);
}

static void test_too_small(void **state)
{
    check_made_scenes(*state, tested->scene_count, tested->check_too_small);
}

int stage_harness_test(const stage_harness_subject *subject)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_scenes),
        cmocka_unit_test(test_made_scenes),
        cmocka_unit_test(test_schedules),
        cmocka_unit_test(test_too_small),
    };
    tested = subject;
    return cmocka_run_group_tests(tests, open_harness, close_harness);
}
