/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Frames of the CPU device and the reference that are cancelled. */
#include "all_sizes.h"
#include "render/frame/cancel_cases.h"

#define FRAMES (few_cases() ? 12u : 60u)

static void test_cpu(void **state)
{
    (void)state;
    assert_cancels(&(pietra_device_options){.kind = PIETRA_DEVICE_CPU, .threads = 1}, FRAMES);
    assert_cancels(&(pietra_device_options){.kind = PIETRA_DEVICE_CPU, .threads = 3}, FRAMES);
    assert_cancels(&(pietra_device_options){.kind = PIETRA_DEVICE_CPU, .threads = 2, .memory_budget_bytes = 150000},
                   FRAMES);
}

static void test_reference(void **state)
{
    (void)state;
    assert_cancels(&(pietra_device_options){.kind = PIETRA_DEVICE_REFERENCE}, FRAMES);
    assert_cancels(&(pietra_device_options){.kind = PIETRA_DEVICE_REFERENCE, .memory_budget_bytes = 1 << 20}, FRAMES);
}

static void test_promptness(void **state)
{
    (void)state;
    assert_cancels_promptly(&(pietra_device_options){.kind = PIETRA_DEVICE_CPU, .threads = 1}, 60000);
    assert_cancels_promptly(&(pietra_device_options){.kind = PIETRA_DEVICE_REFERENCE}, 3000);
}

static void test_arguments(void **state)
{
    (void)state;
    pietra_error error;
    assert_int_equal(pietra_canceller_create(&error, NULL), PIETRA_ERROR_INPUT);
    pietra_canceller_destroy(NULL);
    pietra_canceller_cancel(NULL);
    pietra_canceller_reset(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cpu),
        cmocka_unit_test(test_reference),
        cmocka_unit_test(test_promptness),
        cmocka_unit_test(test_arguments),
    };
    return cmocka_run_group_tests_name("cancel", tests, NULL, NULL);
}
