/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Stages 05 to 09 on the device. Each runs alone on what the reference made for it, and gives what the reference gives,
 * under every schedule of the workgroups and with buffers too small. */
#include "render/gpu/stage_harness.h"

#include "lib/tile.h"
#include "property/random_scene.h"

static const uint32_t tile_lines_spv[] = {
#include "spv/05_tile_lines.inc"
};
static const uint32_t wind_spv[] = {
#include "spv/07_wind.inc"
};
static const uint32_t occluders_spv[] = {
#include "spv/08_occluders.inc"
};
static const uint32_t offsets_spv[] = {
#include "spv/08_offsets.inc"
};
static const uint32_t expand_spv[] = {
#include "spv/08_expand.inc"
};
static const uint32_t range_spv[] = {
#include "spv/09_range.inc"
};

#define SLACK 5u /* items in a buffer beyond the need */

enum {
    PROGRAM_TILE_LINES,
    PROGRAM_WIND,
    PROGRAM_OCCLUDERS,
    PROGRAM_OFFSETS,
    PROGRAM_EXPAND,
    PROGRAM_RANGE,
    PROGRAM_COUNT
};

static const primitive_program_info program_infos[PROGRAM_COUNT] = {
    {"05_tile_lines", tile_lines_spv, COUNT_OF(tile_lines_spv), 9, 0},
    {"07_wind", wind_spv, COUNT_OF(wind_spv), 11, 0},
    {"08_occluders", occluders_spv, COUNT_OF(occluders_spv), 5, 0},
    {"08_offsets", offsets_spv, COUNT_OF(offsets_spv), 7, 0},
    {"08_expand", expand_spv, COUNT_OF(expand_spv), 10, 0},
    {"09_range", range_spv, COUNT_OF(range_spv), 8, 0},
};

/* Returns an input of sorted pairs. They lie in one of two halves, each as large as the capacity. */
static gpu_range input_half(stage_harness *h, const uint *items, uint32_t count, uint32_t capacity)
{
    gpu_range range = harness_range(&h->h, 2u * (uint64_t)capacity);
    uint32_t present = count < capacity ? count : capacity;
    if (present != 0)
        memcpy(harness_input(&h->h, range) + h->sorted_half * capacity, items, 4u * (size_t)present);
    return range;
}

static void check_arguments(const dispatch_arguments *got, uint32_t items, uint32_t partition_size)
{
    uint32_t groups = (items + partition_size - 1u) / partition_size;
    assert_true((uint64_t)got->x * got->y >= groups);
    assert_true(groups == 0 ? got->x == 0 : (uint64_t)got->x * (got->y - 1u) < groups);
}

static void check_tile_line(stage_harness *h)
{
    const reference_frame *f = &h->frame;
    uint32_t count = f->counters.tile_line_count;
    frame_counters counters = {.ready_lines = f->counters.line_count};
    frame_config config = f->config;
    config.tile_line_capacity = count;
    harness_reset(&h->h);
    gpu_range ranges[] = {
        stage_harness_input(h, &config, 1, sizeof config),
        stage_harness_input(h, &counters, 1, sizeof counters),
        stage_harness_zeros(h, ARGUMENT_COUNT * 3u),
        stage_harness_table(h, counters.ready_lines, TILE_LINES_PARTITION, 1),
        stage_harness_input(h, f->visible, f->counters.visible_count, sizeof *f->visible),
        stage_harness_input(h, f->edges, f->counters.line_count, sizeof *f->edges),
        harness_range(&h->h, f->counters.line_count * sizeof(line) / 4u),
        harness_range(&h->h, count),
        harness_range(&h->h, count),
    };
    stage_harness_run_partitions(h, PROGRAM_TILE_LINES, ranges, counters.ready_lines, TILE_LINES_PARTITION);
    stage_harness_compare(h, "lines", ranges[6], f->lines, f->counters.line_count, sizeof *f->lines);
    stage_harness_compare(h, "tile_line keys", ranges[7], f->tile_line_keys, count, 4);
    stage_harness_compare(h, "tile_line values", ranges[8], f->tile_line_values, count, 4);
    const frame_counters *got = (const void *)harness_output(&h->h, ranges[1]);
    assert_int_equal(got->tile_line_count, count);
    if (count != 0) {
        const dispatch_arguments *arguments = (const void *)harness_output(&h->h, ranges[2]);
        check_arguments(&arguments[ARGUMENT_WIND], count, WIND_PARTITION);
    }
}

static void check_heavy_tile_paths(const reference_frame *f, const uint32_t *heavy_tile_paths)
{
    for (uint32_t i = 0; i < f->counters.tile_path_count; i++)
        if (f->tile_paths[i].mask != NONE)
            assert_int_equal(heavy_tile_paths[f->tile_paths[i].mask], i);
}

/* `missing` is by how much the buffers of tile_paths and masks are too small. */
static void check_wind(stage_harness *h, uint32_t missing)
{
    const reference_frame *f = &h->frame;
    uint32_t count = f->counters.tile_line_count;
    frame_config config = f->config;
    config.tile_line_capacity = count + SLACK;
    config.tile_path_capacity = f->counters.tile_path_count - missing;
    config.mask_capacity =
        f->counters.heavy_count - (missing < f->counters.heavy_count ? missing : f->counters.heavy_count);
    frame_counters counters = {.line_count = f->counters.line_count, .ready_tile_lines = count};
    harness_reset(&h->h);
    gpu_range ranges[] = {
        stage_harness_input(h, &config, 1, sizeof config),
        stage_harness_input(h, &counters, 1, sizeof counters),
        stage_harness_zeros(h, ARGUMENT_COUNT * sizeof(dispatch_arguments) / 4u),
        stage_harness_table(h, count, WIND_PARTITION, 4),
        harness_word(&h->h, h->sorted_half),
        input_half(h, f->sorted_keys, count, config.tile_line_capacity),
        input_half(h, f->sorted_values, count, config.tile_line_capacity),
        stage_harness_input(h, f->lines, f->counters.line_count, sizeof *f->lines),
        stage_harness_input(h, f->visible, f->counters.visible_count, sizeof *f->visible),
        harness_range(&h->h, config.tile_path_capacity * sizeof(tile_path) / 4u),
        harness_range(&h->h, config.mask_capacity),
    };
    stage_harness_run_partitions(h, PROGRAM_WIND, ranges, count, WIND_PARTITION);
    const frame_counters *made = (const frame_counters *)harness_output(&h->h, ranges[1]);
    const dispatch_arguments *arguments = (const dispatch_arguments *)harness_output(&h->h, ranges[2]);
    assert_int_equal(made->line_count, f->counters.line_count);
    assert_int_equal(made->tile_path_count, f->counters.tile_path_count);
    assert_int_equal(made->heavy_count, f->counters.heavy_count);
    stage_harness_compare(h, "tile_paths", ranges[9], f->tile_paths, config.tile_path_capacity, sizeof(tile_path));
    bool fits =
        config.tile_path_capacity == f->counters.tile_path_count && config.mask_capacity == f->counters.heavy_count;
    assert_int_equal((made->overflow & OVERFLOW_TILE_PATHS) != 0,
                     config.tile_path_capacity < f->counters.tile_path_count);
    assert_int_equal((made->overflow & OVERFLOW_MASKS) != 0, config.mask_capacity < f->counters.heavy_count);
    assert_int_equal(made->ready_tile_paths, fits ? f->counters.tile_path_count : 0);
    check_arguments(&arguments[ARGUMENT_OCCLUDERS], made->ready_tile_paths, OCCLUDERS_PARTITION);
    check_arguments(&arguments[ARGUMENT_OFFSETS], made->ready_tile_paths, OFFSETS_PARTITION);
    check_arguments(&arguments[ARGUMENT_MASK], fits ? made->heavy_count : 0, MASK_PARTITION);
    if (fits)
        check_heavy_tile_paths(f, harness_output(&h->h, ranges[10]));
}

static void check_occluders(stage_harness *h)
{
    const reference_frame *f = &h->frame;
    frame_counters counters = {.ready_tile_paths = f->counters.tile_path_count};
    harness_reset(&h->h);
    gpu_range ranges[] = {
        stage_harness_input(h, &f->config, 1, sizeof f->config),
        stage_harness_input(h, &counters, 1, sizeof counters),
        stage_harness_input(h, f->tile_paths, f->counters.tile_path_count, sizeof(tile_path)),
        stage_harness_input(h, f->visible, f->counters.visible_count, sizeof *f->visible),
        stage_harness_zeros(h, f->config.tile_count),
    };
    stage_harness_run_partitions(h, PROGRAM_OCCLUDERS, ranges, counters.ready_tile_paths, OCCLUDERS_PARTITION);
    stage_harness_compare(h, "tile occluders", ranges[4], f->tile_occluders, f->config.tile_count, 4);
}

static void check_offsets(stage_harness *h)
{
    const reference_frame *f = &h->frame;
    const uint32_t path_tiles = f->path_tile_offsets[f->counters.tile_path_count];
    frame_counters counters = {.ready_tile_paths = f->counters.tile_path_count};
    harness_reset(&h->h);
    gpu_range ranges[] = {
        stage_harness_input(h, &f->config, 1, sizeof f->config),
        stage_harness_input(h, &counters, 1, sizeof counters),
        stage_harness_zeros(h, sizeof(dispatch_arguments) / 4u),
        stage_harness_table(h, f->counters.tile_path_count, OFFSETS_PARTITION, 1),
        stage_harness_input(h, f->tile_paths, f->counters.tile_path_count, sizeof(tile_path)),
        stage_harness_input(h, f->visible, f->counters.visible_count, sizeof *f->visible),
        harness_range(&h->h, f->counters.tile_path_count + 1u),
    };
    stage_harness_run_partitions(h, PROGRAM_OFFSETS, ranges, counters.ready_tile_paths, OFFSETS_PARTITION);
    stage_harness_compare(h, "path_tile offsets", ranges[6], f->path_tile_offsets, f->counters.tile_path_count + 1u, 4);
    check_arguments((const dispatch_arguments *)harness_output(&h->h, ranges[2]), path_tiles,
                    expand_partition(path_tiles));
}

static void check_expand(stage_harness *h, uint32_t missing)
{
    const reference_frame *f = &h->frame;
    uint32_t count = f->counters.tile_command_count;
    frame_config config = f->config;
    config.tile_command_capacity = count - missing;
    frame_counters counters = {.ready_tile_paths = f->counters.tile_path_count, .overflow = OVERFLOW_SPILL};
    const uint32_t path_tiles = f->path_tile_offsets[f->counters.tile_path_count],
                   partition = expand_partition(path_tiles);
    harness_reset(&h->h);
    gpu_range ranges[] = {
        stage_harness_input(h, &config, 1, sizeof config),
        stage_harness_input(h, &counters, 1, sizeof counters),
        stage_harness_zeros(h, ARGUMENT_COUNT * sizeof(dispatch_arguments) / 4u),
        stage_harness_table(h, path_tiles, partition, 1),
        stage_harness_input(h, f->tile_paths, f->counters.tile_path_count, sizeof(tile_path)),
        stage_harness_input(h, f->path_tile_offsets, f->counters.tile_path_count + 1u, 4),
        stage_harness_input(h, f->visible, f->counters.visible_count, sizeof *f->visible),
        stage_harness_input(h, f->tile_occluders, f->config.tile_count, 4),
        harness_range(&h->h, config.tile_command_capacity),
        harness_range(&h->h, config.tile_command_capacity),
    };
    stage_harness_run_partitions(h, PROGRAM_EXPAND, ranges, path_tiles, partition);
    const frame_counters *made = (const frame_counters *)harness_output(&h->h, ranges[1]);
    const dispatch_arguments *arguments = (const dispatch_arguments *)harness_output(&h->h, ranges[2]);
    assert_int_equal(made->tile_command_count, count);
    assert_int_equal(made->overflow, OVERFLOW_SPILL | (missing != 0 ? OVERFLOW_TILE_COMMANDS : 0));
    assert_int_equal(made->ready_tile_commands, missing != 0 ? 0 : count);
    assert_true(made->tile_command_key_bits >= 1 &&
                (f->config.tile_count - 1) >> (made->tile_command_key_bits - 1) <= 1);
    check_arguments(&arguments[ARGUMENT_RANGE], made->ready_tile_commands, RANGE_PARTITION);
    stage_harness_compare(h, "tile_command keys", ranges[8], f->tile_command_keys, config.tile_command_capacity, 4);
    stage_harness_compare(h, "tile_command values", ranges[9], f->tile_command_values, config.tile_command_capacity, 4);
}

static void check_range(stage_harness *h)
{
    const reference_frame *f = &h->frame;
    uint32_t count = f->counters.tile_command_count;
    frame_config config = f->config;
    config.tile_command_capacity = count + SLACK;
    frame_counters counters = {.ready_tile_commands = count};
    harness_reset(&h->h);
    gpu_range ranges[] = {
        stage_harness_input(h, &config, 1, sizeof config),
        stage_harness_input(h, &counters, 1, sizeof counters),
        harness_word(&h->h, h->sorted_half),
        input_half(h, f->tile_keys, count, config.tile_command_capacity),
        input_half(h, f->tile_commands, count, config.tile_command_capacity),
        stage_harness_input(h, f->tile_paths, f->counters.tile_path_count, sizeof(tile_path)),
        stage_harness_input(h, f->visible, f->counters.visible_count, sizeof *f->visible),
        stage_harness_zeros(h, f->config.tile_count * sizeof(tile) / 4u),
    };
    stage_harness_run_partitions(h, PROGRAM_RANGE, ranges, count, RANGE_PARTITION);
    const tile *made = (const tile *)harness_output(&h->h, ranges[7]);
    for (uint32_t i = 0; i < f->config.tile_count; i++) {
        tile expected = f->tiles[i];
        expected.spill = 0;
        if (memcmp(&made[i], &expected, sizeof expected) != 0)
            fail_msg("tile %u of %u differs", i, f->config.tile_count);
    }
}

static void check_all(stage_harness *h)
{
    check_tile_line(h);
    if (h->frame.counters.tile_path_count != 0) {
        check_wind(h, 0);
        check_occluders(h);
        check_offsets(h);
        check_expand(h, 0);
        check_range(h);
    }
}

static void fill(pietra_scene *scene, pietra_path *path, pietra_fill_rule rule, float alpha)
{
    pietra_error error = {0};
    pietra_paint paint = {.color = {0.25f, 0.5f, 0.75f, alpha}};
    harness_check(pietra_scene_fill(scene, path, NULL, rule, &paint, &error), &error);
    pietra_path_reset(path);
}

/* Triangles over the whole frame, many spans long, that hide one another. */
static pietra_scene *occluders_scene(uint32_t count, double width, double height)
{
    pietra_scene *scene = pietra_scene_create();
    pietra_path *path = pietra_path_create();
    for (uint32_t i = 0; i < count; i++) {
        pietra_path_move_to(path, -width, -3.0 - i);
        pietra_path_line_to(path, 3.0 * width, -5.0);
        pietra_path_line_to(path, 0.5 * width + i, 3.0 * height);
        fill(scene, path, PIETRA_FILL_NONZERO, i % 3u != 0u ? 1.0f : 0.5f);
    }
    pietra_path_destroy(path);
    return scene;
}

/* A shape of many edges across the frame, with many tile_lines in every tile and in the column left of it. */
static pietra_scene *star_scene(uint32_t points, double side, pietra_fill_rule rule)
{
    pietra_scene *scene = pietra_scene_create();
    pietra_path *path = pietra_path_create();
    uint32_t state = points;
    for (uint32_t i = 0; i < points; i++) {
        double x = (harness_random(&state) % 4096u / 2048.0 - 0.5) * side;
        double y = (harness_random(&state) % 4096u / 2048.0 - 0.5) * side;
        if (i == 0)
            pietra_path_move_to(path, x, y);
        else
            pietra_path_line_to(path, x, y);
    }
    pietra_path_close(path);
    fill(scene, path, rule, 1.0f);
    pietra_path_destroy(path);
    return scene;
}

/* Occluders under clips to whole pixels, which cut tiles. The clips have no layers. */
static pietra_scene *clipped_scene(double side)
{
    pietra_scene *scene = pietra_scene_create();
    pietra_path *path = pietra_path_create();
    pietra_error error = {0};
    for (uint32_t i = 0; i < 12; i++) {
        pietra_path_rect(path, 3.0 + 11.0 * i, 16.0 * i, side - 20.0 * i, side - 32.0 * i);
        harness_check(pietra_scene_begin_clip(scene, path, NULL, PIETRA_FILL_NONZERO, &error), &error);
        pietra_path_reset(path);
        pietra_path_ellipse(path, 0.5 * side, 0.5 * side, 0.7 * side, 0.7 * side);
        fill(scene, path, PIETRA_FILL_NONZERO, 1.0f);
    }
    for (uint32_t i = 0; i < 12; i++)
        harness_check(pietra_scene_end_clip(scene, &error), &error);
    pietra_path_destroy(path);
    return scene;
}

/* A scene with all tile_lines in one tile. */
static pietra_scene *dense_scene(uint32_t count)
{
    pietra_scene *scene = pietra_scene_create();
    pietra_path *path = pietra_path_create();
    for (uint32_t i = 0; i < count; i++)
        pietra_path_rect(path, 2.0 + i % 7u, 1.0 + i % 11u, 40.0, 3.0);
    fill(scene, path, PIETRA_FILL_NONZERO, 1.0f);
    pietra_path_destroy(path);
    return scene;
}

static pietra_scene *make_scene(uint32_t which, uint32_t *side)
{
    switch (which) {
    case 0:
        *side = 1024;
        return occluders_scene(40, 1024, 1024);
    case 1:
        *side = 16;
        return star_scene(3000, 16, PIETRA_FILL_EVEN_ODD);
    case 2:
        *side = 700;
        return star_scene(300, 700, PIETRA_FILL_NONZERO);
    case 3:
        *side = 64;
        return dense_scene(5000);
    case 4:
        *side = 500;
        return clipped_scene(500);
    case 10: /* so many path_tiles that a workgroup of 08 expand takes more than one round */
        *side = 8000;
        return occluders_scene(90, 8000, 8000);
    default:
        *side = 300;
        return random_scene_create(which, RANDOM_ANYTHING, 300);
    }
}

static void check_too_small(stage_harness *h)
{
    if (h->frame.counters.tile_path_count != 0) {
        check_wind(h, h->frame.counters.tile_path_count / 2u + 1u);
        check_expand(h, h->frame.counters.tile_command_count / 3u + 1u);
    }
}

int main(void)
{
    static const stage_harness_subject subject = {
        .programs = program_infos,
        .program_count = PROGRAM_COUNT,
        .make_scene = make_scene,
        .scene_count = 11,
        .scheduled_count = 10,
        .first_seed = 100,
        .end_seed = 160,
        .check = check_all,
        .check_too_small = check_too_small,
    };
    return stage_harness_test(&subject);
}
