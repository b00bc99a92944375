/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Programs and buffers through the recorder: dispatches, fills, copies, barriers and timestamps. */
#include "vulkan/gpu_fixture.h"

#include <string.h>

#include "vulkan/recorder.h"

static const uint32_t probe_spv[] = {
#include "spv/device_probe.inc"
};
static const uint32_t arguments_spv[] = {
#include "spv/device_arguments.inc"
};

#define COUNT 1000u
#define BYTES (COUNT * sizeof(uint32_t))

typedef struct probe_push {
    uint32_t count, addend;
} probe_push;

static void check(pietra_result result, const pietra_error *error)
{
    if (result != PIETRA_OK)
        fail_msg("%s", error->message);
}

static gpu_buffer make_buffer(const gpu_fixture *fixture, uint64_t bytes, gpu_memory_kind kind)
{
    gpu_buffer buffer;
    pietra_error error = {0};
    check(gpu_buffer_create(fixture->device, bytes, kind, &error, &buffer), &error);
    assert_int_equal(buffer.bytes, bytes);
    assert_int_equal(buffer.mapped != NULL, kind != GPU_MEMORY_DEVICE);
    return buffer;
}

static gpu_program *make_probe(const gpu_fixture *fixture, uint32_t factor, uint32_t divisor, uint32_t subgroup_size)
{
    const uint32_t constants[] = {factor, divisor};
    const gpu_program_info info = {
        .name = "probe",
        .spirv = probe_spv,
        .word_count = sizeof probe_spv / 4,
        .buffer_count = 2,
        .push_bytes = sizeof(probe_push),
        .constants = constants,
        .constant_count = 2,
        .subgroup_size = subgroup_size,
    };
    gpu_program *program;
    pietra_error error = {0};
    check(gpu_program_create(fixture->device, &info, &error, &program), &error);
    return program;
}

static gpu_recorder *make_recorder(const gpu_fixture *fixture)
{
    gpu_recorder *recorder;
    pietra_error error = {0};
    check(gpu_recorder_create(fixture->device, &error, &recorder), &error);
    check(gpu_recorder_begin(recorder, &error), &error);
    return recorder;
}

static void run(gpu_recorder *recorder)
{
    pietra_error error = {0};
    check(gpu_recorder_submit(recorder, &error), &error);
    check(gpu_recorder_wait(recorder, &error), &error);
}

static void test_dispatch(void **state)
{
    const gpu_fixture *fixture = *state;
    gpu_buffer seeds = make_buffer(fixture, 4, GPU_MEMORY_UPLOAD);
    gpu_buffer words = make_buffer(fixture, BYTES, GPU_MEMORY_DEVICE);
    gpu_buffer result = make_buffer(fixture, BYTES, GPU_MEMORY_READBACK);
    gpu_program *tripled = make_probe(fixture, 3, 1, 0), *halved = make_probe(fixture, 5, 2, 0);
    gpu_recorder *recorder = make_recorder(fixture);
    const gpu_range ranges[] = {{&seeds, 0, 0}, {&words, 0, 0}};
    *(uint32_t *)seeds.mapped = 7;

    /* The second dispatch overwrites the first half of what the first wrote. */
    gpu_dispatch(recorder, tripled, ranges, &(probe_push){COUNT, 100}, (COUNT + 63) / 64, 1, 1);
    gpu_barrier(recorder);
    gpu_dispatch(recorder, halved, ranges, &(probe_push){COUNT / 2, 0}, (COUNT + 63) / 64, 1, 1);
    gpu_barrier(recorder);
    gpu_copy(recorder, (gpu_range){&words, 0, 0}, (gpu_range){&result, 0, 0});
    run(recorder);
    const uint32_t *got = result.mapped;
    for (uint32_t i = 0; i < COUNT; i++)
        assert_int_equal(got[i], i < COUNT / 2 ? 7 + 5 * i / 2 : 107 + 3 * i);

    gpu_recorder_destroy(recorder);
    gpu_program_destroy(halved);
    gpu_program_destroy(tripled);
    gpu_buffer_destroy(fixture->device, &result);
    gpu_buffer_destroy(fixture->device, &words);
    gpu_buffer_destroy(fixture->device, &seeds);
}

/* The device finds the count, in a range that starts inside its buffer. */
static void test_dispatch_indirect(void **state)
{
    const gpu_fixture *fixture = *state;
    const uint64_t offset = gpu_get_limits(fixture->device)->storage_alignment;
    gpu_buffer seeds = make_buffer(fixture, 4, GPU_MEMORY_UPLOAD);
    gpu_buffer arguments = make_buffer(fixture, offset + 20, GPU_MEMORY_DEVICE);
    gpu_buffer words = make_buffer(fixture, BYTES, GPU_MEMORY_READBACK);
    gpu_program *probe = make_probe(fixture, 1, 1, 0), *planner;
    const gpu_program_info info = {
        .name = "arguments", .spirv = arguments_spv, .word_count = sizeof arguments_spv / 4, .buffer_count = 1};
    pietra_error error = {0};
    check(gpu_program_create(fixture->device, &info, &error, &planner), &error);
    gpu_recorder *recorder = make_recorder(fixture);
    *(uint32_t *)seeds.mapped = 0;

    const gpu_range plan = {&arguments, offset, 0};
    const gpu_range ranges[] = {{&seeds, 0, 0}, {&words, 0, 0}};
    gpu_fill(recorder, (gpu_range){&words, 0, 0}, 0xffffffffu);
    gpu_fill(recorder, plan, 130);
    gpu_barrier(recorder);
    gpu_dispatch(recorder, planner, &plan, NULL, 1, 1, 1);
    gpu_barrier(recorder);
    gpu_dispatch_indirect(recorder, probe, ranges, &(probe_push){COUNT, 9}, (gpu_range){&arguments, offset + 8, 12});
    run(recorder);
    const uint32_t *got = words.mapped;
    for (uint32_t i = 0; i < COUNT; i++)
        assert_int_equal(got[i], i < 3 * 64 ? 9 + i : 0xffffffffu);

    gpu_recorder_destroy(recorder);
    gpu_program_destroy(planner);
    gpu_program_destroy(probe);
    gpu_buffer_destroy(fixture->device, &words);
    gpu_buffer_destroy(fixture->device, &arguments);
    gpu_buffer_destroy(fixture->device, &seeds);
}

/* A buffer of odd size is filled to its end. A copy writes the bytes that it names and no others. */
static void test_fill_and_copy(void **state)
{
    const gpu_fixture *fixture = *state;
    gpu_buffer words = make_buffer(fixture, 4099, GPU_MEMORY_DEVICE);
    gpu_buffer result = make_buffer(fixture, 4099, GPU_MEMORY_READBACK);
    gpu_recorder *recorder = make_recorder(fixture);
    uint8_t want[4099];
    memset(want, 0x11, sizeof want);
    memset(want + 8, 0x22, 16);
    memset(want + 100, 0x11, 33);
    memset(want + 4096, 0x33, 3);
    memset(result.mapped, 0, 4099);

    gpu_fill(recorder, (gpu_range){&words, 0, 0}, 0x11111111u);
    gpu_barrier(recorder);
    gpu_fill(recorder, (gpu_range){&words, 8, 16}, 0x22222222u);
    gpu_fill(recorder, (gpu_range){&words, 4096, 0}, 0x33333333u);
    gpu_barrier(recorder);
    gpu_copy(recorder, (gpu_range){&words, 0, 0}, (gpu_range){&result, 0, 0});
    gpu_barrier(recorder);
    gpu_copy(recorder, (gpu_range){&words, 1, 3}, (gpu_range){&result, 501, 0});
    run(recorder);
    assert_memory_equal(result.mapped, want, sizeof want);

    gpu_recorder_destroy(recorder);
    gpu_buffer_destroy(fixture->device, &result);
    gpu_buffer_destroy(fixture->device, &words);
}

/* Each frame starts from what the frame before left, without a barrier of the test's own. */
static void test_frames_follow_each_other(void **state)
{
    const gpu_fixture *fixture = *state;
    gpu_buffer seeds = make_buffer(fixture, 8, GPU_MEMORY_DEVICE);
    gpu_buffer words = make_buffer(fixture, BYTES, GPU_MEMORY_READBACK);
    gpu_program *probe = make_probe(fixture, 1, 1, 0);
    gpu_recorder *recorders[2] = {make_recorder(fixture), make_recorder(fixture)};
    const gpu_range ranges[] = {{&seeds, 0, 0}, {&words, 0, 0}};

    gpu_fill(recorders[0], (gpu_range){&seeds, 0, 0}, 1);
    gpu_fill(recorders[1], (gpu_range){&words, 0, 0}, 0);
    run(recorders[0]);
    run(recorders[1]);
    for (uint32_t frame = 0; frame < 10; frame++) {
        gpu_recorder *recorder = recorders[frame % 2];
        pietra_error error = {0};
        check(gpu_recorder_begin(recorder, &error), &error);
        gpu_dispatch(recorder, probe, ranges, &(probe_push){COUNT, frame}, (COUNT + 63) / 64, 1, 1);
        gpu_barrier(recorder);
        gpu_copy(recorder, (gpu_range){&words, 4, 4}, (gpu_range){&seeds, 0, 4});
        run(recorder);
    }
    /* seed' = seed + frame + 1, ten times, from 1. */
    assert_int_equal(((const uint32_t *)words.mapped)[0], 1 + 45 + 9);
    assert_int_equal(((const uint32_t *)words.mapped)[COUNT - 1], 1 + 45 + 9 + COUNT - 1);

    gpu_recorder_destroy(recorders[0]);
    gpu_recorder_destroy(recorders[1]);
    gpu_program_destroy(probe);
    gpu_buffer_destroy(fixture->device, &words);
    gpu_buffer_destroy(fixture->device, &seeds);
}

static void test_times(void **state)
{
    const gpu_fixture *fixture = *state;
    gpu_buffer words = make_buffer(fixture, 1 << 22, GPU_MEMORY_DEVICE);
    gpu_recorder *recorder = make_recorder(fixture);
    const gpu_range all = {&words, 0, 0};
    for (uint32_t i = 0; i < 3; i++) {
        gpu_fill(recorder, all, i);
        gpu_barrier(recorder);
        gpu_mark(recorder, "clear");
        gpu_fill(recorder, all, i + 1);
        gpu_barrier(recorder);
        gpu_mark(recorder, "set");
    }
    run(recorder);
    gpu_stage_time stages[2];
    size_t count = 0;
    double total = -1.0;
    gpu_recorder_times(recorder, 1, stages, &count, &total);
    bool timed = gpu_get_limits(fixture->device)->timestamp_period_ns > 0.0f;
    assert_int_equal(count, timed ? 2 : 0);
    if (timed) {
        gpu_recorder_times(recorder, 2, stages, &count, &total);
        assert_string_equal(stages[0].name, "clear");
        assert_string_equal(stages[1].name, "set");
        assert_true(stages[0].milliseconds > 0.0 && stages[1].milliseconds > 0.0);
        assert_true(stages[0].milliseconds + stages[1].milliseconds <= total * 1.000001);
        assert_true(total < 60000.0);
    }
    gpu_recorder_destroy(recorder);
    gpu_buffer_destroy(fixture->device, &words);
}

static void test_empty_recording(void **state)
{
    const gpu_fixture *fixture = *state;
    gpu_recorder *recorder = make_recorder(fixture);
    run(recorder);
    size_t count = 1;
    double total;
    gpu_recorder_times(recorder, 0, NULL, &count, &total);
    assert_int_equal(count, 0);
    assert_true(total >= 0.0);
    gpu_recorder_destroy(recorder);
}

static void test_subgroup_size(void **state)
{
    const gpu_fixture *fixture = *state;
    const gpu_limits *limits = gpu_get_limits(fixture->device);
    gpu_program_destroy(make_probe(fixture, 1, 1, limits->subgroup_size));
    gpu_program_destroy(make_probe(fixture, 1, 1, limits->max_subgroup_size));
    const gpu_program_info info = {
        .name = "probe",
        .spirv = probe_spv,
        .word_count = sizeof probe_spv / 4,
        .buffer_count = 2,
        .push_bytes = sizeof(probe_push),
        .subgroup_size = 2 * limits->max_subgroup_size,
    };
    gpu_program *program = (gpu_program *)1;
    pietra_error error = {0};
    assert_int_equal(gpu_program_create(fixture->device, &info, &error, &program), PIETRA_ERROR_DEVICE);
    assert_null(program);
    assert_non_null(strstr(error.message, "probe"));
}

static void count_statistic(void *user, const char *name, double value)
{
    assert_true(strlen(name) > 0 && value == value);
    ++*(unsigned *)user;
}

static void test_statistics(void **state)
{
    const gpu_fixture *fixture = *state;
    const gpu_program_info info = {
        .name = "arguments", .spirv = arguments_spv, .word_count = sizeof arguments_spv / 4, .buffer_count = 1};
    unsigned count = 0;
    pietra_error error = {0};
    check(gpu_program_statistics(fixture->device, &info, count_statistic, &count, &error), &error);
    assert_int_equal(count > 0, gpu_get_limits(fixture->device)->statistics);
}

static void test_no_memory(void **state)
{
    const gpu_fixture *fixture = *state;
    const gpu_limits *limits = gpu_get_limits(fixture->device);
    const uint64_t sizes[] = {limits->max_allocation_bytes + 1, UINT64_MAX - 2, UINT64_C(1) << 60};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        gpu_buffer buffer = {.bytes = 1};
        pietra_error error = {0};
        assert_int_equal(gpu_buffer_create(fixture->device, sizes[i], GPU_MEMORY_DEVICE, &error, &buffer),
                         PIETRA_ERROR_BUDGET);
        assert_int_equal(error.result, PIETRA_ERROR_BUDGET);
        assert_true(buffer.bytes == 0 && !buffer.mapped && buffer.handle == VK_NULL_HANDLE);
        gpu_buffer_destroy(fixture->device, &buffer);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dispatch),      cmocka_unit_test(test_dispatch_indirect),
        cmocka_unit_test(test_fill_and_copy), cmocka_unit_test(test_frames_follow_each_other),
        cmocka_unit_test(test_times),         cmocka_unit_test(test_empty_recording),
        cmocka_unit_test(test_subgroup_size), cmocka_unit_test(test_statistics),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests_name("gpu_recorder", tests, gpu_fixture_setup, gpu_fixture_teardown);
}
