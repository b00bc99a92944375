/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A Vulkan device, opened at run time.
 *
 * This folder knows no stage. It provides buffers (memory.h), compute programs (program.h) and command buffers with
 * timestamps (recorder.h). gpu_list and gpu_open load libvulkan, which is unloaded afterwards. Nothing is global, and
 * two devices know nothing of each other.
 *
 * Threads may use different devices at once. One thread at a time may use a device and everything made from it. */
#ifndef PIETRA_VULKAN_DEVICE_H
#define PIETRA_VULKAN_DEVICE_H

#include <pietra/pietra.h>

typedef struct gpu_device gpu_device;

#define GPU_VENDOR_NVIDIA 0x10deu

/* What the device can do. This is fixed when it is opened. */
typedef struct gpu_limits {
    uint32_t vendor;                               /* its PCI number; Khronos's number for vendors without one */
    uint32_t subgroup_size;                        /* subgroup size of a program that asks for none in particular */
    uint32_t min_subgroup_size, max_subgroup_size; /* range of gpu_program_info.subgroup_size */
    uint32_t max_workgroup_invocations;
    uint32_t shared_bytes;         /* shared memory of one workgroup */
    uint32_t max_groups[3];        /* workgroups of one dispatch, in each dimension */
    uint32_t storage_alignment;    /* in bytes, whole words; the offset of every range bound to a program is a
                                          * multiple of it */
    uint64_t max_binding_bytes;    /* size of one range bound to a program */
    uint64_t max_allocation_bytes; /* size of one buffer */
    uint64_t memory_bytes;         /* size of the largest heap local to the device */
    float timestamp_period_ns;     /* 0: the device has no timestamps, and recorders give no times */
    /* they share the device's workgroups, as reported by VK_NV_shader_sm_builtins or VK_AMD_shader_core_properties;
     * 0: unknown */
    uint32_t multiprocessors;
    uint32_t multiprocessor_subgroups; /* most subgroups resident in one multiprocessor */
    bool hardware;                     /* false: an implementation of Vulkan in software */
    bool upload_is_local;              /* GPU_MEMORY_UPLOAD lies in the device's own memory, so what is written there
                                          * need not be copied */
    bool subgroup_size_control;        /* gpu_program_info.subgroup_size may differ from subgroup_size */
    bool statistics;                   /* gpu_program_statistics gives figures */
} gpu_limits;

/* Returns the most bytes of a buffer that a program can see whole. */
static inline uint64_t gpu_limits_whole_bytes(const gpu_limits *limits)
{
    return limits->max_binding_bytes < limits->max_allocation_bytes ? limits->max_binding_bytes
                                                                    : limits->max_allocation_bytes;
}

/* Lists the GPUs, hardware before software, in the order of options->gpu_index. Writes at most `capacity` infos, and
 * always the full count. `usable` and `missing` say whether gpu_open would accept a GPU. Without Vulkan on the machine:
 * PIETRA_OK and 0. */
pietra_result gpu_list(size_t capacity, pietra_error *error, pietra_device_info *infos, size_t *count);

/* Opens a GPU: the one of options->gpu_index (by_index), else the first whose name contains options->gpu_name (if set),
 * else the first usable one. If options->kind is PIETRA_DEVICE_AUTO, software is chosen only by by_index or gpu_name.
 * PIETRA_ERROR_DEVICE: there is no such GPU, it lacks something that the message names, it failed, or the validation
 * layer was asked for and is not installed. PIETRA_ERROR_MEMORY is the other failure. Only the options kind, gpu_index,
 * by_index, gpu_name, validation, log, log_user, cache_directory, span and span_user are read; their texts are not
 * kept. `log` and `span` are called by any thread that calls into this folder. */
pietra_result gpu_open(const pietra_device_options *options, pietra_error *error, gpu_device **device);

/* What Pietra uses if a device has it, and does without otherwise. */
#define GPU_OPTIONAL_SUBGROUP_SIZE_CONTROL 0x01u /* without it, the device chooses the size of subgroups */
#define GPU_OPTIONAL_STATISTICS 0x02u
#define GPU_OPTIONAL_TIMESTAMPS 0x04u
#define GPU_OPTIONAL_LOCAL_UPLOAD 0x08u /* without it, uploads are copied into the device's memory */
#define GPU_OPTIONAL_MULTIPROCESSORS 0x10u
#define GPU_OPTIONAL_LIMITS 0x20u /* limits above those that every device has which Pietra accepts */
#define GPU_OPTIONAL_ALL 0x3fu
/* For tests: gpu_open on a device that in addition lacks some of these. */
pietra_result gpu_open_without(const pietra_device_options *options, uint32_t optional, pietra_error *error,
                               gpu_device **device);

/* Closes the device, after everything made from it has been destroyed. Saves the compiled programs if there are new
 * ones. Ignores NULL. */
void gpu_close(gpu_device *device);

const gpu_limits *gpu_get_limits(const gpu_device *device); /* valid as long as the device */
void gpu_get_info(const gpu_device *device, pietra_device_info *info);

/* Returns the tuning table: a text that tools keep of this device with this driver, in the folder of the compiled
 * programs. The caller frees it. NULL: there is none. */
char *gpu_read_tuning(const gpu_device *device);
/* Replaces the tuning table. False: there is no such folder, or the file cannot be written. */
bool gpu_write_tuning(const gpu_device *device, const char *text);
const char *gpu_get_tuning_path(const gpu_device *device); /* NULL: there is no such folder */

#endif
