/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What a test's device is made to lack: names of GPU_OPTIONAL_* in the environment variable PIETRA_TEST_WITHOUT, such
 * as "subgroup_size_control,limits" or "all". */
#ifndef PIETRA_VULKAN_GPU_WITHOUT_H
#define PIETRA_VULKAN_GPU_WITHOUT_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vulkan/device.h"

static const struct {
    const char *name;
    uint32_t optional;
} gpu_without_names[] = {
    {"all", GPU_OPTIONAL_ALL},
    {"subgroup_size_control", GPU_OPTIONAL_SUBGROUP_SIZE_CONTROL},
    {"statistics", GPU_OPTIONAL_STATISTICS},
    {"timestamps", GPU_OPTIONAL_TIMESTAMPS},
    {"local_upload", GPU_OPTIONAL_LOCAL_UPLOAD},
    {"multiprocessors", GPU_OPTIONAL_MULTIPROCESSORS},
    {"limits", GPU_OPTIONAL_LIMITS},
};
#define GPU_WITHOUT_COUNT (sizeof gpu_without_names / sizeof gpu_without_names[0])

/* Returns the bit of a name. Aborts if there is no such name. */
static inline uint32_t gpu_optional_named(const char *name, size_t length)
{
    for (size_t i = 0; i < GPU_WITHOUT_COUNT; i++)
        if (strlen(gpu_without_names[i].name) == length && strncmp(name, gpu_without_names[i].name, length) == 0)
            return gpu_without_names[i].optional;
    fprintf(stderr, "PIETRA_TEST_WITHOUT: %s begins with nothing that a device may lack\n", name);
    abort();
}

static inline uint32_t gpu_without(void)
{
    uint32_t optional = 0;
    for (const char *at = getenv("PIETRA_TEST_WITHOUT"); at;) {
        size_t length = strcspn(at, ",");
        optional |= gpu_optional_named(at, length);
        at = at[length] ? at + length + 1 : NULL;
    }
    return optional;
}

static inline bool gpu_above_the_least(const gpu_limits *limits)
{
    return limits->max_workgroup_invocations > 256 || limits->shared_bytes > 32768 ||
           limits->max_binding_bytes > 1u << 27 || limits->max_allocation_bytes > 1u << 30 ||
           limits->storage_alignment < 256 || limits->max_groups[0] > 65535 || limits->max_groups[1] > 65535 ||
           limits->max_groups[2] > 65535;
}

/* Returns the optional things that the device's limits show. */
static inline uint32_t gpu_optional_of(const gpu_limits *limits)
{
    return (limits->subgroup_size_control ? GPU_OPTIONAL_SUBGROUP_SIZE_CONTROL : 0u) |
           (limits->statistics ? GPU_OPTIONAL_STATISTICS : 0u) |
           (limits->timestamp_period_ns > 0.0f ? GPU_OPTIONAL_TIMESTAMPS : 0u) |
           (limits->upload_is_local ? GPU_OPTIONAL_LOCAL_UPLOAD : 0u) |
           (limits->multiprocessors ? GPU_OPTIONAL_MULTIPROCESSORS : 0u) |
           (gpu_above_the_least(limits) ? GPU_OPTIONAL_LIMITS : 0u);
}

#endif
