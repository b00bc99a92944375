/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/gpu/stage_bench.h"

#include "render/frame/config.h"
#include "property/random_scene.h"

static const bench_subject *tested;

gpu_range bench_input(bench *b, const void *items, uint64_t count, size_t item_bytes)
{
    gpu_range range = harness_range(&b->h, count * item_bytes / 4u);
    if (count != 0)
        memcpy(harness_input(&b->h, range), items, (size_t)count * item_bytes);
    return range;
}

gpu_range bench_zeros(bench *b, uint64_t words)
{
    gpu_range range = harness_range(&b->h, words);
    memset(harness_input(&b->h, range), 0, (size_t)range.bytes);
    return range;
}

gpu_range bench_table(bench *b, uint32_t items, uint32_t partition_size, uint32_t components)
{
    return bench_zeros(b, LOOK_BACK_TABLE_WORDS(items / partition_size + 1u, components));
}

void bench_run(bench *b, int program, const gpu_range *ranges, uint32_t groups)
{
    primitive_grid grid = primitive_grid_of(groups);
    harness_begin(&b->h);
    gpu_dispatch(b->h.recorder, b->programs[program], ranges, NULL, grid.x, grid.y, 1);
    harness_run(&b->h);
}

void bench_run_partitions(bench *b, int program, const gpu_range *ranges, uint32_t items, uint32_t partition_size)
{
    bench_run(b, program, ranges, items / partition_size + 2u);
}

void bench_compare(bench *b, const char *what, gpu_range range, const void *expected, uint64_t count, size_t item_bytes)
{
    harness_compare(what, harness_output(&b->h, range), expected, (uint32_t)(count * item_bytes / 4u));
}

static void create_programs(bench *b, const primitive_options *options)
{
    assert_true(tested->program_count <= BENCH_PROGRAMS_MOST);
    for (int i = 0; i < tested->program_count; i++) {
        pietra_error error = {0};
        harness_check(primitive_program_create(b->h.device, &tested->programs[i], options, &error, &b->programs[i]),
                      &error);
    }
}

static void destroy_programs(bench *b)
{
    for (int i = 0; i < tested->program_count; i++)
        gpu_program_destroy(b->programs[i]);
}

/* All tests share the programs of the usual schedule, which a device in software makes for seconds. */
static int open_bench(void **state)
{
    bench *b = calloc(1, sizeof *b);
    assert_non_null(b);
    harness_open(&b->h, 64u << 20);
    *state = b;
    create_programs(b, &harness_schedules[0]);
    return 0;
}

static int close_bench(void **state)
{
    bench *b = *state;
    destroy_programs(b);
    harness_close(&b->h);
    free(b);
    return 0;
}

static void draw_by_reference(bench *b, uint32_t width, uint32_t height)
{
    pietra_error error = {0};
    pietra_target target = {.width = width, .height = height};
    b->frame = (reference_frame){.stream = stream_view_of(stream_words(b->stream))};
    harness_check(config_of_frame(NULL, &target, &error, &b->frame.config), &error);
    b->frame.config.element_count = stream_get_header(b->stream)->element_count;
    b->frame.config.segment_count = stream_get_header(b->stream)->segment_count;
    b->frame.config.clip_event_count = stream_get_header(b->stream)->clip_event_count;
    b->frame.config.fine_work = 0xffffffffu;
    b->frame.pixels = malloc(4u * (size_t)config_target_pixels(&b->frame.config));
    assert_non_null(b->frame.pixels);
    harness_check(reference_frame_run(&b->frame, &error), &error);
    free(b->frame.pixels);
    b->frame.pixels = NULL;
}

/* Destroys the scene. */
static void check_scene(bench *b, pietra_scene *scene, uint32_t width, uint32_t height, void (*check)(bench *b))
{
    pietra_error error = {0};
    harness_check(pietra_stream_encode(scene, &error, &b->stream), &error);
    pietra_scene_destroy(scene);
    draw_by_reference(b, width, height);
    check(b);
    reference_frame_free(&b->frame);
    pietra_stream_destroy(b->stream);
}

static void check_made_scenes(bench *b, uint32_t count, void (*check)(bench *b))
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t side;
        pietra_scene *scene = tested->make_scene(i, &side);
        b->sorted_half = i & 1u;
        check_scene(b, scene, side, side, check);
    }
}

static void test_random_scenes(void **state)
{
    bench *b = *state;
    for (uint32_t seed = tested->first_seed; seed < tested->end_seed; seed += all_sizes() ? 1 : 6) {
        uint32_t side = 1u + seed * 7919u % 500u;
        pietra_scene *scene = random_scene_create(seed, seed & 1u ? RANDOM_ANYTHING : RANDOM_DYADIC, side);
        b->sorted_half = seed & 1u;
        check_scene(b, scene, side, 1u + seed * 31u % 400u, tested->check);
    }
}

static void test_made_scenes(void **state)
{
    check_made_scenes(*state, tested->scene_count, tested->check);
}

static void test_schedules(void **state)
{
    bench *b = *state;
    gpu_program *usual[BENCH_PROGRAMS_MOST];
    memcpy(usual, b->programs, sizeof usual);
    for (size_t s = 1; s < harness_schedule_count(&b->h); s++) {
        create_programs(b, &harness_schedules[s]);
        check_made_scenes(b, tested->scheduled_count, tested->check);
        destroy_programs(b);
    }
    memcpy(b->programs, usual, sizeof usual);
}

static void test_too_small(void **state)
{
    check_made_scenes(*state, tested->scene_count, tested->check_too_small);
}

int bench_test(const bench_subject *subject)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_scenes),
        cmocka_unit_test(test_made_scenes),
        cmocka_unit_test(test_schedules),
        cmocka_unit_test(test_too_small),
    };
    tested = subject;
    return cmocka_run_group_tests(tests, open_bench, close_bench);
}
