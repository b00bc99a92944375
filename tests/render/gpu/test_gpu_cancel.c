/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Frames of a GPU that are cancelled. */
#define CANCEL_SIDE 240u
#include "render/frame/cancel_cases.h"
#include "render/device.h"

/* Whole frames, and frames in parts. One device draws both, because its kernels take seconds in software. */
static void test_gpu(void **state)
{
    (void)state;
    pietra_device *device;
    ASSERT_OK(pietra_device_create(&(pietra_device_options){.kind = PIETRA_DEVICE_GPU}, error, &device));
    assert_frames_cancel(device, 5);
    device->budget_bytes = 1 << 20;
    assert_frames_cancel(device, 2);
    pietra_device_destroy(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_gpu)};
    return cmocka_run_group_tests_name("gpu cancel", tests, NULL, NULL);
}
