/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A device that a test names by its kind, threads and budget. */
#ifndef PIETRA_TESTS_RENDER_OPEN_DEVICE_H
#define PIETRA_TESTS_RENDER_OPEN_DEVICE_H

#include "scene/scene_fixture.h"

/* 0 threads and a budget of 0 are the defaults. */
static inline pietra_device *open_device(pietra_device_kind kind, uint32_t threads, uint64_t budget_bytes)
{
    const pietra_device_options options = {.kind = kind, .threads = threads, .memory_budget_bytes = budget_bytes};
    pietra_device *device;
    ASSERT_OK(pietra_device_create(&options, error, &device));
    return device;
}

#endif
