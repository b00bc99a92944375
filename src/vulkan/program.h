/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A compute program: SPIR-V made into a pipeline that reads and writes storage buffers. */
#ifndef PIETRA_VULKAN_PROGRAM_H
#define PIETRA_VULKAN_PROGRAM_H

#include "vulkan/device.h"

#define GPU_MAX_BINDINGS 20 /* storage buffers of one program */
#define GPU_MAX_PUSH_BYTES 128
#define GPU_MAX_CONSTANTS 16 /* specialisation constants of one program */

typedef struct gpu_program gpu_program;

typedef struct gpu_program_info {
    const char *name;      /* for messages; its first 63 bytes are copied */
    const uint32_t *spirv; /* its entry point is "main"; it is trusted */
    size_t word_count;
    uint32_t buffer_count;     /* bindings 0 to buffer_count - 1 of set 0, all storage buffers */
    bool writes_image;         /* the next binding is a storage image */
    bool reads_image;          /* the next binding is a sampled image */
    uint32_t push_bytes;       /* size of the push constants, a multiple of 4 */
    const uint32_t *constants; /* 32-bit specialisation constants with the ids 0 to constant_count - 1 */
    uint32_t constant_count;
    uint32_t subgroup_size; /* invocations; all subgroups of a workgroup are full. 0: the device chooses */
} gpu_program_info;

/* PIETRA_ERROR_DEVICE: the driver refuses it, or has no subgroups of this size. PIETRA_ERROR_MEMORY is the other
 * failure. */
pietra_result gpu_program_create(gpu_device *device, const gpu_program_info *info, pietra_error *error,
                                 gpu_program **program);
/* Destroys a program that no submitted work uses any more. Ignores NULL. */
void gpu_program_destroy(gpu_program *program);

/* Receives one figure of the compiled program from the driver, such as registers, shared memory or spills. */
typedef void gpu_statistic_function(void *user, const char *name, double value);
/* Calls back for each figure; for none if gpu_limits.statistics is false. This makes the driver compile the program
 * again and keep its figures, so it is for developers' tools. */
pietra_result gpu_program_statistics(gpu_device *device, const gpu_program_info *info,
                                     gpu_statistic_function *statistic, void *user, pietra_error *error);

#endif
