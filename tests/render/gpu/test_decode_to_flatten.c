/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Stages 01 to 04 on the device, except for 02. Each runs alone on what the reference made for it, and gives what the
 * reference gives, under every schedule of the workgroups and with buffers too small. */
#include "render/gpu/stage_harness.h"

#include "lib/element.h"
#include "property/random_scene.h"

static const uint32_t segments_spv[] = {
#include "spv/01_decode_segments.inc"
};
static const uint32_t elements_spv[] = {
#include "spv/01_decode_elements.inc"
};
static const uint32_t occluders_spv[] = {
#include "spv/03_occluders.inc"
};
static const uint32_t cull_spv[] = {
#include "spv/03_cull.inc"
};
static const uint32_t measure_spv[] = {
#include "spv/04_measure.inc"
};
static const uint32_t dashes_spv[] = {
#include "spv/04_dashes.inc"
};
static const uint32_t flatten_spv[] = {
#include "spv/04_flatten.inc"
};
static const uint32_t flatten_few_spv[] = {
#include "spv/04_flatten_few.inc"
};

enum {
    PROGRAM_SEGMENTS,
    PROGRAM_ELEMENTS,
    PROGRAM_OCCLUDERS,
    PROGRAM_CULL,
    PROGRAM_MEASURE,
    PROGRAM_DASHES,
    PROGRAM_FLATTEN,
    PROGRAM_FLATTEN_FEW,
    PROGRAM_COUNT
};

static const primitive_program_info program_infos[PROGRAM_COUNT] = {
    {"01_decode_segments", segments_spv, COUNT_OF(segments_spv), 4, 0},
    {"01_decode_elements", elements_spv, COUNT_OF(elements_spv), 6, 0},
    {"03_occluders", occluders_spv, COUNT_OF(occluders_spv), 4, 0},
    {"03_cull", cull_spv, COUNT_OF(cull_spv), 11, 0},
    {"04_measure", measure_spv, COUNT_OF(measure_spv), 8, 0},
    {"04_dashes", dashes_spv, COUNT_OF(dashes_spv), 9, 0},
    {"04_flatten", flatten_spv, COUNT_OF(flatten_spv), 10, 0},
    {"04_flatten_few", flatten_few_spv, COUNT_OF(flatten_few_spv), 9, 0},
};

static gpu_range input_stream(stage_harness *h)
{
    return stage_harness_input(h, stream_words(h->stream), h->stream->word_count, 4);
}

/* The sheets that the frame draws; without any, one that no kernel reads. */
static gpu_range input_sheets(stage_harness *h)
{
    static const frame_sheet unused = {.x = 1};
    const frame_config *config = &h->frame.config;
    const frame_sheet *sheets = h->frame.sheets;
    return stage_harness_input(h, sheets ? sheets : &unused,
                               sheets ? config->last_sheet - config->first_sheet + 1u : 1u, sizeof unused);
}

static void check_decode(stage_harness *h)
{
    const reference_frame *f = &h->frame;
    uint32_t segment_count = f->config.segment_count;
    uint32_t element_count = f->config.element_count;
    harness_reset(&h->h);
    gpu_range stream = input_stream(h);
    gpu_range config = stage_harness_input(h, &f->config, 1, sizeof f->config);
    gpu_range segment_ranges[] = {
        stream,
        config,
        stage_harness_table(h, segment_count, DECODE_SEGMENTS_PARTITION, 2),
        harness_range(&h->h, segment_count * sizeof(segment_info) / 4u),
    };
    stage_harness_run_partitions(h, PROGRAM_SEGMENTS, segment_ranges, segment_count, DECODE_SEGMENTS_PARTITION);
    stage_harness_compare(h, "segments", segment_ranges[3], f->segments, segment_count, sizeof(segment_info));
    gpu_range element_ranges[] = {
        stream,
        config,
        input_sheets(h),
        stage_harness_table(h, element_count, DECODE_ELEMENTS_PARTITION, 1),
        harness_range(&h->h, element_count * sizeof(element_info) / 4u),
        harness_range(&h->h, f->config.clip_event_count * sizeof(clip_event) / 4u),
    };
    stage_harness_run_partitions(h, PROGRAM_ELEMENTS, element_ranges, element_count, DECODE_ELEMENTS_PARTITION);
    stage_harness_compare(h, "elements", element_ranges[4], f->elements, element_count, sizeof(element_info));
    stage_harness_compare(h, "clip_events", element_ranges[5], f->clip_events, f->config.clip_event_count,
                          sizeof(clip_event));
}

static uint32_t bin_count(const reference_frame *f)
{
    bin_grid grid = bins_of(f->config.part);
    return (uint32_t)(grid.columns * grid.rows);
}

static void check_occluders(stage_harness *h)
{
    const reference_frame *f = &h->frame;
    harness_reset(&h->h);
    gpu_range ranges[] = {
        input_stream(h),
        stage_harness_input(h, &f->config, 1, sizeof f->config),
        stage_harness_input(h, f->elements, f->config.element_count, sizeof(element_info)),
        stage_harness_zeros(h, bin_count(f)),
    };
    stage_harness_run(h, PROGRAM_OCCLUDERS, ranges,
                      (f->config.element_count / STAGE_INVOCATIONS + 1u) * (bin_count(f) / STAGE_INVOCATIONS + 1u));
    stage_harness_compare(h, "bin occluders", ranges[3], f->bin_occluders, bin_count(f), 4);
}

static void check_arguments(const dispatch_arguments *got, uint32_t tasks, uint32_t partition_size)
{
    uint32_t groups = (tasks + partition_size - 1u) / partition_size;
    assert_true((uint64_t)got->x * got->y >= groups);
    assert_true(groups == 0 ? got->x == 0 : (uint64_t)got->x * (got->y - 1u) < groups);
}

/* `missing` is by how much the buffers of tasks and measures are too small. */
static void check_cull(stage_harness *h, uint32_t missing)
{
    const reference_frame *f = &h->frame;
    const frame_counters *needed = &f->counters;
    frame_config config = f->config;
    config.task_capacity = needed->task_count + needed->dash_task_count;
    config.measure_capacity =
        needed->measure_count - (missing < needed->measure_count ? missing : needed->measure_count);
    harness_reset(&h->h);
    gpu_range ranges[] = {
        input_stream(h),
        stage_harness_input(h, &config, 1, sizeof config),
        input_sheets(h),
        stage_harness_zeros(h, sizeof(frame_counters) / 4u),
        stage_harness_zeros(h, ARGUMENT_COUNT * sizeof(dispatch_arguments) / 4u),
        stage_harness_table(h, config.element_count, CULL_PARTITION, 4),
        stage_harness_input(h, f->elements, config.element_count, sizeof(element_info)),
        stage_harness_input(h, f->clip_events, config.clip_event_count, sizeof(clip_event)),
        stage_harness_input(h, f->clip_infos, config.clip_event_count, sizeof(clip_info)),
        stage_harness_input(h, f->bin_occluders, bin_count(f), 4),
        harness_range(&h->h, config.element_count * sizeof(visible_element) / 4u),
    };
    stage_harness_run_partitions(h, PROGRAM_CULL, ranges, config.element_count, CULL_PARTITION);
    const frame_counters *made = (const frame_counters *)harness_output(&h->h, ranges[3]);
    const dispatch_arguments *arguments = (const dispatch_arguments *)harness_output(&h->h, ranges[4]);
    bool fits = config.measure_capacity == needed->measure_count;
    assert_int_equal(made->visible_count, needed->visible_count);
    assert_int_equal(made->row_count, needed->row_count);
    assert_int_equal(made->task_count, needed->task_count);
    assert_int_equal(made->measure_count, needed->measure_count);
    assert_int_equal(made->overflow, fits ? 0 : OVERFLOW_TASKS);
    assert_int_equal(made->ready_tasks, needed->measure_count == 0 ? needed->task_count : 0);
    uint32_t last_key = needed->row_count << config.column_bits;
    if (needed->row_count != 0)
        assert_int_equal((last_key - 1u) >> (made->key_bits - 1u), 1);
    check_arguments(&arguments[ARGUMENT_MEASURE], fits ? needed->measure_count : 0, MEASURE_PARTITION);
    bool are_few = made->ready_tasks <= FLATTEN_FEW;
    check_arguments(&arguments[ARGUMENT_FLATTEN], are_few ? 0 : made->ready_tasks, FLATTEN_PARTITION);
    check_arguments(&arguments[ARGUMENT_FLATTEN_FEW], are_few ? made->ready_tasks : 0, FLATTEN_FEW_PARTITION);
    stage_harness_compare(h, "visible", ranges[10], f->visible, needed->visible_count, sizeof(visible_element));
}

static frame_counters counters_after_cull(const reference_frame *f)
{
    return (frame_counters){
        .visible_count = f->counters.visible_count,
        .task_count = f->counters.task_count,
        .measure_count = f->counters.measure_count,
    };
}

static void check_measure(stage_harness *h)
{
    const reference_frame *f = &h->frame;
    uint32_t count = f->counters.measure_count;
    frame_counters counters = counters_after_cull(f);
    harness_reset(&h->h);
    gpu_range ranges[] = {
        input_stream(h),
        stage_harness_input(h, &f->config, 1, sizeof f->config),
        stage_harness_input(h, &counters, 1, sizeof counters),
        stage_harness_table(h, count, MEASURE_PARTITION, 3),
        stage_harness_input(h, f->segments, f->config.segment_count, sizeof(segment_info)),
        stage_harness_input(h, f->elements, f->config.element_count, sizeof(element_info)),
        stage_harness_input(h, f->visible, f->counters.visible_count, sizeof(visible_element)),
        harness_range(&h->h, count * sizeof(measure) / 4u),
    };
    stage_harness_run_partitions(h, PROGRAM_MEASURE, ranges, count, MEASURE_PARTITION);
    measure *made = (measure *)harness_output(&h->h, ranges[7]);
    for (uint32_t i = 0; i < count; i++) {
        measure expected = f->measures[i];
        expected.first_task = made[i].first_task;
        if (memcmp(&made[i], &expected, sizeof expected) != 0)
            fail_msg("measure %u of %u differs", i, count);
    }
}

static void check_dashes(stage_harness *h, uint32_t missing)
{
    const reference_frame *f = &h->frame;
    uint32_t count = f->counters.measure_count;
    uint32_t tasks = f->counters.task_count + f->counters.dash_task_count;
    frame_config config = f->config;
    config.task_capacity = tasks - missing;
    frame_counters counters = counters_after_cull(f);
    harness_reset(&h->h);
    gpu_range ranges[] = {
        input_stream(h),
        stage_harness_input(h, &config, 1, sizeof config),
        stage_harness_input(h, &counters, 1, sizeof counters),
        stage_harness_zeros(h, ARGUMENT_COUNT * sizeof(dispatch_arguments) / 4u),
        stage_harness_table(h, count, MEASURE_PARTITION, 1),
        stage_harness_input(h, f->segments, f->config.segment_count, sizeof(segment_info)),
        stage_harness_input(h, f->elements, f->config.element_count, sizeof(element_info)),
        stage_harness_input(h, f->visible, f->counters.visible_count, sizeof(visible_element)),
        stage_harness_input(h, f->measures, count, sizeof(measure)),
    };
    measure *sent = (measure *)harness_input(&h->h, ranges[8]);
    for (uint32_t i = 0; i < count; i++)
        sent[i].first_task = NONE;
    stage_harness_run_partitions(h, PROGRAM_DASHES, ranges, count, MEASURE_PARTITION);
    const frame_counters *made = (const frame_counters *)harness_output(&h->h, ranges[2]);
    const dispatch_arguments *arguments = (const dispatch_arguments *)harness_output(&h->h, ranges[3]);
    assert_int_equal(made->dash_task_count, f->counters.dash_task_count);
    assert_int_equal(made->overflow, missing != 0 ? OVERFLOW_TASKS : 0);
    assert_int_equal(made->ready_tasks, missing != 0 ? 0 : tasks);
    check_arguments(&arguments[ARGUMENT_FLATTEN], made->ready_tasks, FLATTEN_PARTITION);
    stage_harness_compare(h, "measures", ranges[8], f->measures, count, sizeof(measure));
}

/* Checks that nothing is written past the capacity. */
static void check_flatten_by(stage_harness *h, int program, uint32_t partition_size, uint32_t missing)
{
    const reference_frame *f = &h->frame;
    const frame_counters *needed = &f->counters;
    frame_config config = f->config;
    config.line_capacity = needed->line_count - missing;
    frame_counters counters = counters_after_cull(f);
    counters.dash_task_count = needed->dash_task_count;
    counters.ready_tasks = needed->task_count + needed->dash_task_count;
    harness_reset(&h->h);
    gpu_range ranges[] = {
        input_stream(h),
        stage_harness_input(h, &config, 1, sizeof config),
        stage_harness_input(h, &counters, 1, sizeof counters),
        stage_harness_zeros(h, ARGUMENT_COUNT * sizeof(dispatch_arguments) / 4u),
        stage_harness_table(h, counters.ready_tasks, partition_size, 1),
        stage_harness_input(h, f->segments, f->config.segment_count, sizeof(segment_info)),
        stage_harness_input(h, f->elements, f->config.element_count, sizeof(element_info)),
        stage_harness_input(h, f->visible, needed->visible_count, sizeof(visible_element)),
        harness_range(&h->h, config.line_capacity * sizeof(edge) / 4u),
        stage_harness_input(h, f->measures, needed->measure_count, sizeof(measure)),
    };
    stage_harness_run_partitions(h, program, ranges, counters.ready_tasks, partition_size);
    const frame_counters *made = (const frame_counters *)harness_output(&h->h, ranges[2]);
    const dispatch_arguments *arguments = (const dispatch_arguments *)harness_output(&h->h, ranges[3]);
    assert_int_equal(made->line_count, needed->line_count);
    assert_int_equal(made->overflow, missing != 0 ? OVERFLOW_LINES : 0);
    assert_int_equal(made->ready_lines, missing != 0 ? 0 : needed->line_count);
    check_arguments(&arguments[ARGUMENT_TILE_LINES], made->ready_lines, TILE_LINES_PARTITION);
    if (missing == 0)
        stage_harness_compare(h, "edges", ranges[8], f->edges, needed->line_count, sizeof(edge));
}

static void check_flatten(stage_harness *h, uint32_t missing)
{
    check_flatten_by(h, PROGRAM_FLATTEN, FLATTEN_PARTITION, missing);
    if (h->frame.counters.measure_count == 0)
        check_flatten_by(h, PROGRAM_FLATTEN_FEW, FLATTEN_FEW_PARTITION, missing);
}

static void check_all(stage_harness *h)
{
    check_decode(h);
    check_occluders(h);
    check_cull(h, 0);
    if (h->frame.counters.measure_count != 0) {
        check_measure(h);
        check_dashes(h, 0);
    }
    if (h->frame.counters.task_count + h->frame.counters.dash_task_count != 0)
        check_flatten(h, 0);
}

static void fill(pietra_scene *scene, pietra_path *path, float alpha)
{
    pietra_error error = {0};
    pietra_paint paint = {.color = {0.25f, 0.5f, 0.75f, alpha}};
    harness_check(pietra_scene_fill(scene, path, NULL, PIETRA_FILL_NONZERO, &paint, &error), &error);
    pietra_path_reset(path);
}

/* Rectangles over some of the bins, and things between them that they hide or do not hide. */
static pietra_scene *occluders_scene(uint32_t count, double side)
{
    pietra_scene *scene = pietra_scene_create();
    pietra_path *path = pietra_path_create();
    uint32_t state = count;
    for (uint32_t i = 0; i < count; i++) {
        double x = harness_random(&state) % 5u * 256.0 - 30.0;
        double y = harness_random(&state) % 5u * 256.0 - 30.5;
        double size = i % 3u == 0 ? 600.0 : 20.0;
        pietra_path_rect(path, x, y, size, i % 50u == 49u ? side + 100.0 : size);
        fill(scene, path, i % 7u != 0u ? 1.0f : 0.5f);
    }
    pietra_path_destroy(path);
    return scene;
}

static void add_curve(pietra_path *path, uint32_t *state, uint32_t kind, double reach)
{
    double p[6];
    for (int i = 0; i < 6; i++)
        p[i] = (harness_random(state) % 4096u / 4096.0 - 0.1) * reach;
    if (kind == 0)
        pietra_path_line_to(path, p[0], p[1]);
    else if (kind == 1)
        pietra_path_quad_to(path, p[0], p[1], p[2], p[3]);
    else
        pietra_path_cubic_to(path, p[0], p[1], p[2], p[3], p[4], p[5]);
}

/* Long paths of many subpaths, filled, stroked and dashed. Some reach far beyond the frame. */
static pietra_scene *paths_scene(uint32_t segments, double side, bool dashed, double far)
{
    static const double dashes[] = {3.0, 5.0, 0.0, 7.5, 11.0, 2.25};
    pietra_error error = {0};
    pietra_scene *scene = pietra_scene_create();
    pietra_path *path = pietra_path_create();
    pietra_paint paint = {.color = {0.25f, 0.5f, 0.75f, 1.0f}};
    uint32_t state = segments;
    for (uint32_t e = 0; e < 12; e++) {
        double reach = e == 5 ? far : side;
        pietra_path_move_to(path, 1.0, 2.0);
        for (uint32_t i = 0; i < segments; i++) {
            add_curve(path, &state, harness_random(&state) % 3u, reach);
            if (harness_random(&state) % 40u == 0) {
                if (harness_random(&state) % 2u == 0)
                    pietra_path_close(path);
                pietra_path_move_to(path, side / 3.0, i);
            }
        }
        pietra_stroke style = {
            .width = 1.0 + e, .join = (pietra_join)(e % 3u), .cap = (pietra_cap)(e / 2u % 3u), .miter_limit = 4.0};
        if (dashed && e % 3u != 0) {
            style.dashes = dashes;
            style.dash_count = 2u * (1u + e % 3u);
            style.dash_offset = e;
        }
        if (e % 4u == 3u)
            harness_check(pietra_scene_fill(scene, path, NULL, PIETRA_FILL_NONZERO, &paint, &error), &error);
        else
            harness_check(pietra_scene_stroke(scene, path, NULL, &style, &paint, &error), &error);
        pietra_path_reset(path);
    }
    pietra_path_destroy(path);
    return scene;
}

/* Curves millions of pixels long, drawn by pens narrower than a float's steps there and by pens wider than all bends.
 * Each has thousands of pieces, some of which have full outlines. */
static pietra_scene *far_curves_scene(void)
{
    static const double curves[][8] = {
        {-3.2e8, -8.2e5, -3.3e8, 2.7e7, -3.2e8, -5.6e6, -3.2e8, -5.6e6},
        {-1.2e7, -9e6, -7.7e6, -4.7e6, 1.7e6, 4.2e6, 9.8e6, 1.2e7},
        {-1.0e6, 4.8e6, 1.7e7, 1.3e7, 3.2e6, 3.4e6, 9.2e6, 1.3e7},
        {1.6e6, -1.3e4, -4.8e7, 2.4e7, 2.3e6, -3.3e5, 5.9e5, 4.5e5},
        {5.6e6, 6.4e6, 1.3e7, 4.8e6, 2.9e6, 3.3e5, 1.3e7, 6.4e6},
        {-1e4, -4e4, 3e5, 90, -3e5, 90, 1e4, 4e4},
    };
    static const double widths[] = {2, 12, 9e5, 5e6}, dashes[] = {3e6, 1e6};
    pietra_error error;
    pietra_scene *scene = pietra_scene_create();
    pietra_path *path = pietra_path_create();
    const pietra_paint paint = {.color = {0.25f, 0.5f, 0.75f, 0.5f}};
    for (uint32_t i = 0; i < sizeof curves / sizeof curves[0] * 8u; i++) {
        const double *c = curves[i / 8u];
        pietra_stroke style = {
            .width = widths[i / 2u % 4u], .cap = (pietra_cap)(i % 3u), .join = (pietra_join)(i % 3u), .dashes = dashes};
        style.dash_count = i % 2u * 2u;
        pietra_path_reset(path);
        pietra_path_move_to(path, c[0], c[1]);
        pietra_path_cubic_to(path, c[2], c[3], c[4], c[5], c[6], c[7]);
        harness_check(pietra_scene_stroke(scene, path, NULL, &style, &paint, &error), &error);
    }
    pietra_path_destroy(path);
    return scene;
}

/* Scenes 6 to 8 are for the usual schedule alone. In others a partition does the work of many before it, and lavapipe
 * bounds the loops of an invocation. */
static pietra_scene *make_scene(uint32_t which, uint32_t *side)
{
    switch (which) {
    case 0:
        *side = 1100;
        return occluders_scene(1500, 1100);
    case 1:
        *side = 90;
        return paths_scene(32, 90, true, 90);
    case 2:
        *side = 300;
        return paths_scene(110, 300, false, 300);
    case 6:
        *side = 200;
        return paths_scene(130, 200, true, 200);
    case 8:
        *side = 200;
        return far_curves_scene();
    case 7:
        *side = 90;
        return paths_scene(30, 90, true, 300000.0);
    default:
        *side = 300;
        return random_scene_create(which, RANDOM_ANYTHING, 300);
    }
}

static uint32_t part_of(uint32_t count, uint32_t divisor)
{
    return count == 0 ? 0 : count / divisor + 1u;
}

static void check_too_small(stage_harness *h)
{
    check_cull(h, 1);
    if (h->frame.counters.measure_count != 0)
        check_dashes(h, 1);
    check_flatten(h, part_of(h->frame.counters.line_count, 2));
    check_flatten(h, 1);
}

int main(void)
{
    static const stage_harness_subject subject = {
        .programs = program_infos,
        .program_count = PROGRAM_COUNT,
        .make_scene = make_scene,
        .scene_count = 9,
        .scheduled_count = 6,
        .first_seed = 200,
        .end_seed = 230,
        .check = check_all,
        .check_too_small = check_too_small,
    };
    return stage_harness_test(&subject);
}
