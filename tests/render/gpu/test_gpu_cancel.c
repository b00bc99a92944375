/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Frames of a GPU that are cancelled. */
#include "render/cancel_cases.h"

static void test_gpu(void **state)
{
    (void)state;
    assert_cancels(&(pietra_device_options){.kind = PIETRA_DEVICE_GPU}, 7);
    assert_cancels(&(pietra_device_options){.kind = PIETRA_DEVICE_GPU, .memory_budget_bytes = 4 << 20}, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_gpu)};
    return cmocka_run_group_tests_name("gpu cancel", tests, NULL, NULL);
}
