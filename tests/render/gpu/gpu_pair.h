/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A GPU under the validation layer and the CPU device beside it, for tests that compare their pictures. Every message
 * of the layer fails the test. */
#ifndef PIETRA_RENDER_GPU_PAIR_H
#define PIETRA_RENDER_GPU_PAIR_H

#include "scene/scene_fixture.h"
#include "vulkan/gpu_fixture.h"

typedef struct gpu_pair {
    pietra_device *device, *cpu;
    gpu_fixture fixture; /* counts messages */
} gpu_pair;

/* The pair must not move while it is open. */
static inline void gpu_pair_open(gpu_pair *pair)
{
    pair->fixture = (gpu_fixture){.device = NULL};
    const pietra_device_options gpu = gpu_fixture_options(&pair->fixture);
    const pietra_device_options cpu = {.kind = PIETRA_DEVICE_CPU, .threads = 1};
    ASSERT_OK(pietra_device_create(&gpu, error, &pair->device));
    ASSERT_OK(pietra_device_create(&cpu, error, &pair->cpu));
}

static inline void gpu_pair_close(gpu_pair *pair)
{
    pietra_device_destroy(pair->device);
    pietra_device_destroy(pair->cpu);
    assert_int_equal(pair->fixture.messages, 0);
}

#endif
