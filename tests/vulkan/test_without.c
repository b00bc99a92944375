/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Takes away what a device may lack, one thing at a time and all at once. Then it is gone, and nothing else is. */
#include "vulkan/gpu_fixture.h"

#include "vulkan/recorder.h"

static void open_without(gpu_fixture *fixture, uint32_t optional)
{
    pietra_device_options options = gpu_fixture_options(fixture);
    pietra_error error = {0};
    fixture->messages = 0;
    if (gpu_open_without(&options, optional, &error, &fixture->device) != PIETRA_OK)
        fail_msg("%s", error.message);
}

static void test_limits(void **state)
{
    (void)state;
    gpu_fixture fixture;
    open_without(&fixture, 0);
    const uint32_t all = gpu_optional_of(gpu_get_limits(fixture.device));
    gpu_fixture_close(&fixture);
    assert_true(all & GPU_OPTIONAL_LIMITS);
    for (size_t i = 0; i < GPU_WITHOUT_COUNT; i++) {
        open_without(&fixture, gpu_without_names[i].optional);
        uint32_t found = gpu_optional_of(gpu_get_limits(fixture.device)),
                 expected = all & ~gpu_without_names[i].optional;
        if (found != expected)
            fail_msg("without %s: %#x, not %#x", gpu_without_names[i].name, found, expected);
        gpu_fixture_close(&fixture);
    }
}

/* A recorder gives no times, and marks do no harm. */
static void test_no_timestamps(void **state)
{
    (void)state;
    gpu_fixture fixture;
    gpu_recorder *recorder;
    pietra_error error;
    gpu_stage_time stages[1];
    size_t count = 1;
    double total = 1.0;
    open_without(&fixture, GPU_OPTIONAL_TIMESTAMPS);
    assert_int_equal(gpu_recorder_create(fixture.device, &error, &recorder), PIETRA_OK);
    assert_int_equal(gpu_recorder_begin(recorder, &error), PIETRA_OK);
    gpu_mark(recorder, "nothing");
    assert_int_equal(gpu_recorder_submit(recorder, &error), PIETRA_OK);
    assert_int_equal(gpu_recorder_wait(recorder, &error), PIETRA_OK);
    gpu_recorder_times(recorder, 1, stages, &count, &total);
    assert_true(count == 0 && total == 0.0);
    gpu_recorder_destroy(recorder);
    gpu_fixture_close(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_no_timestamps),
    };
    return cmocka_run_group_tests_name("gpu_without", tests, NULL, NULL);
}
