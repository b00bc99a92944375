/* A Vulkan device, opened at run time.
 *
 * The folder knows no stage: it gives buffers (memory.h), compute programs (program.h) and command buffers with timestamps
 * (recorder.h) to those who draw. libvulkan is loaded by gpu_list and gpu_open and let go afterwards; nothing is global, and two
 * devices know nothing of each other.
 *
 * Threads: different devices may be used at once. One device, with all that was made from it, by one thread at a time. */
#ifndef PIETRA_VULKAN_DEVICE_H
#define PIETRA_VULKAN_DEVICE_H

#include <pietra/pietra.h>

typedef struct gpu_device gpu_device;

#define GPU_VENDOR_NVIDIA 0x10deu

/* What the device can do, fixed when it is opened. */
typedef struct gpu_limits {
    uint32_t vendor;                     /* the number that PCI gives it; Khronos's for those without */
    uint32_t subgroup_size;              /* of a program that asks for none in particular */
    uint32_t min_subgroup_size, max_subgroup_size; /* what gpu_program_info.subgroup_size may ask for */
    uint32_t max_workgroup_invocations;
    uint32_t shared_bytes;               /* of one workgroup */
    uint32_t max_groups[3];              /* of one dispatch, each dimension */
    uint32_t storage_alignment;          /* bytes, whole words; the offset of every range bound to a program is a multiple of it */
    uint64_t max_binding_bytes;          /* of one range bound to a program */
    uint64_t max_allocation_bytes;       /* of one buffer */
    uint64_t memory_bytes;               /* of the largest heap local to the device */
    float timestamp_period_ns;           /* 0: the device has no timestamps, and recorders give no times */
    uint32_t multiprocessors;            /* that share the device's workgroups; 0: it does not say (VK_NV_shader_sm_builtins, */
    uint32_t multiprocessor_subgroups;   /* VK_AMD_shader_core_properties). Resident in each at most */
    bool hardware;                       /* not a software implementation of Vulkan */
    bool upload_is_local;                /* GPU_MEMORY_UPLOAD lies in the device's own memory: no copy is needed after the write */
    bool subgroup_size_control;          /* gpu_program_info.subgroup_size may differ from subgroup_size */
    bool statistics;                     /* gpu_program_statistics has something to say */
} gpu_limits;

/* Lists the GPUs, hardware before software, in the order that options->gpu_index counts. Writes at most `capacity` infos and
 * always the full count; `usable` and `missing` say whether gpu_open would take it. No Vulkan on the machine: PIETRA_OK and 0. */
pietra_result gpu_list(size_t capacity, pietra_error *error, pietra_device_info *infos, size_t *count);

/* Opens a GPU: the one of options->gpu_index (by_index), else the first whose name holds options->gpu_name (if set), else the
 * first usable one. With options->kind PIETRA_DEVICE_AUTO software implementations do not count unless by_index or gpu_name
 * picks one. PIETRA_ERROR_DEVICE: there is none, it lacks something (the message says what), it failed, or validation was asked
 * for and its layer is not installed; PIETRA_ERROR_MEMORY. Of the options, kind, gpu_index, by_index, gpu_name, validation, log,
 * log_user and cache_directory are read; the texts are not kept. `log` is called by whichever thread calls into this folder. */
pietra_result gpu_open(const pietra_device_options *options, pietra_error *error, gpu_device **device);

/* What Pietra uses where a device has it and does without elsewhere. */
#define GPU_OPTIONAL_SUBGROUP_SIZE_CONTROL 0x01u /* without it subgroups are as the device likes them */
#define GPU_OPTIONAL_STATISTICS 0x02u
#define GPU_OPTIONAL_TIMESTAMPS 0x04u
#define GPU_OPTIONAL_LOCAL_UPLOAD 0x08u       /* without it what is uploaded is copied on */
#define GPU_OPTIONAL_MULTIPROCESSORS 0x10u
#define GPU_OPTIONAL_LIMITS 0x20u             /* above those that every device has which Pietra takes */
#define GPU_OPTIONAL_ALL 0x3fu
/* For tests: gpu_open on a device that lacks some of these too. */
pietra_result gpu_open_without(const pietra_device_options *options, uint32_t optional, pietra_error *error, gpu_device **device);

/* Everything made from the device has been destroyed. Saves the compiled programs if there are new ones. NULL is ignored. */
void gpu_close(gpu_device *device);

const gpu_limits *gpu_get_limits(const gpu_device *device); /* lives as long as the device */
void gpu_get_info(const gpu_device *device, pietra_device_info *info);

/* The tuning table, a text that tools keep of this device with this driver, in the folder of the compiled programs. To be freed by the caller; NULL:
 * there is none. */
char *gpu_read_tuning(const gpu_device *device);
/* Replaces it. False: there is no such folder, or it cannot be written. */
bool gpu_write_tuning(const gpu_device *device, const char *text);
const char *gpu_get_tuning_path(const gpu_device *device); /* NULL: there is no such folder */

#endif
