/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Comparing stages names the first one that differs. Here a stage of the reference does something wrong on demand.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "pietra/pietra_explain.h"
#include "property/random_scene.h"
#include "render/reference/reference.h"

#define SIDE 90u
#define SEED 7u
#define SEEDS_MOST 64u /* tried until a scene has tiles of a class */

typedef enum fault {
    FAULT_NONE,
    FAULT_DECODE,
    FAULT_CULL,
    FAULT_FLATTEN,
    FAULT_TILE_LINES,
    FAULT_SORT,
    FAULT_WIND,
    FAULT_COARSE,
    FAULT_LISTS,
    FAULT_FINE,
} fault;
static fault wanted;
static uint wanted_class, class_counts[4];

/* Changes a tile, or names another tile as the first one of a class. */
static void damage_coarse(reference_frame *frame)
{
    uint first = 0;
    memcpy(class_counts, frame->counters.class_count, sizeof class_counts);
    for (uint class = 0; class < wanted_class; class ++)
        first += class_counts[class];
    if (wanted == FAULT_COARSE)
        frame->tiles[4].work++;
    else if (class_counts[wanted_class] > 0)
        frame->tile_lists[first]++;
}

#define WRAP(name, kind, damage) \
    pietra_result __real_##name(reference_frame *frame, pietra_error *error); \
    pietra_result __wrap_##name(reference_frame *frame, pietra_error *error); \
    pietra_result __wrap_##name(reference_frame *frame, pietra_error *error) \
    { \
        pietra_result result = __real_##name(frame, error); \
        if (wanted == (kind)) { \
            damage; \
        } \
        return result; \
    }

WRAP(reference_01_decode, FAULT_DECODE, frame->elements[1].a = -frame->elements[1].a)
WRAP(reference_03_cull, FAULT_CULL, frame->visible[1].color ^= 1u)
WRAP(reference_04_flatten, FAULT_FLATTEN, frame->edges[3].ax ^= 1)
WRAP(reference_05_tile_lines, FAULT_TILE_LINES, frame->lines[2].x_slope_fraction ^= 1u)
WRAP(reference_06_sort, FAULT_SORT, frame->sorted_values[6] ^= 4u)
WRAP(reference_07_wind, FAULT_WIND, frame->tile_paths[2].backdrop += 2)
WRAP(reference_09_coarse, wanted == FAULT_LISTS ? FAULT_LISTS : FAULT_COARSE, damage_coarse(frame))
WRAP(reference_10_fine, FAULT_FINE, frame->pixels[3 * frame->config.target_pitch + 5] ^= 0x00010000u)

static pietra_stage_difference compare(pietra_device *device, uint64_t seed, fault fault)
{
    pietra_error error = {.message = ""};
    pietra_stage_difference difference;
    pietra_stream *stream = NULL;
    pietra_scene *scene = random_scene_create(seed, RANDOM_ANYTHING, SIDE);
    wanted = fault;
    if (pietra_stream_encode(scene, &error, &stream) != PIETRA_OK ||
        pietra_compare_stages(device, stream, NULL, SIDE, SIDE, &error, &difference) != PIETRA_OK) {
        fail_msg("%s", error.message);
    }
    pietra_stream_destroy(stream);
    pietra_scene_destroy(scene);
    return difference;
}

static void test_agreement(void **state)
{
    pietra_stage_difference difference = compare(*state, SEED, FAULT_NONE);
    if (difference.stage)
        fail_msg("%s: %s: %s", difference.stage, difference.buffer, difference.text);
}

static void check(pietra_device *device, fault fault, const char *stage, const char *buffer, uint64_t item,
                  const char *text)
{
    pietra_stage_difference difference = compare(device, SEED, fault);
    assert_non_null(difference.stage);
    assert_string_equal(difference.stage, stage);
    assert_string_equal(difference.buffer, buffer);
    assert_int_equal(difference.item, item);
    assert_true(difference.item < difference.item_count);
    if (strncmp(difference.text, text, strlen(text)) != 0)
        fail_msg("%s does not begin with %s", difference.text, text);
}

static void test_differences(void **state)
{
    check(*state, FAULT_DECODE, "01 decode", "ELEMENTS", 1, "word 0 is ");
    check(*state, FAULT_CULL, "03 cull", "VISIBLE", 1, "word 18 is ");
    check(*state, FAULT_FLATTEN, "04 flatten", "EDGES", 3, "word 0 is ");
    check(*state, FAULT_TILE_LINES, "05 tile_lines", "LINES", 2, "word 5 is ");
    check(*state, FAULT_SORT, "06 sort", "TILE_LINE_VALUES", 6, "word 0 is ");
    check(*state, FAULT_WIND, "07 wind", "TILE_PATHS", 2, "word 6 is ");
    check(*state, FAULT_COARSE, "09 coarse", "TILES", 4, "word 4 is ");
    check(*state, FAULT_FINE, "10 fine", "TARGET", 3 * SIDE + 5, "pixel 5, 3 is ");
}

static void test_lists_of_each_class(void **state)
{
    for (wanted_class = 0; wanted_class < 4; wanted_class++) {
        pietra_stage_difference difference = {.stage = NULL};
        for (uint64_t seed = 1; seed <= SEEDS_MOST && !difference.stage; seed++)
            difference = compare(*state, seed, FAULT_LISTS);
        assert_non_null(difference.stage);
        assert_string_equal(difference.stage, "09 coarse");
        assert_string_equal(difference.buffer, "TILE_LISTS");
        assert_int_equal(difference.item, 0);
        assert_int_equal(difference.item_count, class_counts[wanted_class]);
    }
}

/* Heat maps count what the reference makes. If the stages agree, a GPU has the same in each tile, and what it says of
 * the frame is what they add up to. */
static void test_heat_maps(void **state)
{
    static uint8_t pixels[4 * SIDE * SIDE];
    uint32_t counts[36];
    pietra_error error = {.message = ""};
    pietra_stats stats;
    pietra_heatmap lines, tile_lines, commands;
    pietra_stream *stream = NULL;
    pietra_scene *scene = random_scene_create(SEED, RANDOM_ANYTHING, SIDE);
    const pietra_target target = {.width = SIDE, .height = SIDE, .pixels = pixels};
    test_agreement(state);
    if (pietra_stream_encode(scene, &error, &stream) != PIETRA_OK ||
        pietra_render(*state, stream, NULL, &target, &error, &stats) != PIETRA_OK ||
        pietra_heatmap_count(*state, stream, NULL, SIDE, SIDE, PIETRA_HEATMAP_LINES, &error, counts, &lines) ||
        pietra_heatmap_count(*state, stream, NULL, SIDE, SIDE, PIETRA_HEATMAP_TILE_LINES, &error, counts,
                             &tile_lines) ||
        pietra_heatmap_count(*state, stream, NULL, SIDE, SIDE, PIETRA_HEATMAP_TILE_COMMANDS, &error, counts,
                             &commands)) {
        fail_msg("%s", error.message);
    }
    assert_true(lines.sum > 0 && tile_lines.sum > 0 && commands.sum > 0);
    assert_int_equal(lines.sum + lines.in_none, stats.lines);
    assert_int_equal(tile_lines.sum + tile_lines.in_none, stats.tile_lines);
    assert_int_equal(commands.sum + commands.in_none, stats.tile_commands);
    pietra_stream_destroy(stream);
    pietra_scene_destroy(scene);
}

static int open_device(void **state)
{
    static pietra_device *device;
    const pietra_device_options options = {.kind = PIETRA_DEVICE_GPU, .cache_directory = ""};
    pietra_error error;
    if (pietra_device_create(&options, &error, &device) != PIETRA_OK)
        fail_msg("%s", error.message);
    *state = device;
    return 0;
}

static int close_device(void **state)
{
    pietra_device_destroy(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_agreement),
        cmocka_unit_test(test_differences),
        cmocka_unit_test(test_heat_maps),
        cmocka_unit_test(test_lists_of_each_class),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
