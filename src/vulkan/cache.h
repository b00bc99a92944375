/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Compiled programs, kept from run to run in one file for each driver.
 *
 * The file is a head (magic, length, checksum) and the driver's blob. Its name holds the vendor, the device, the
 * driver's version and the UUID of its cache, so that another driver never reads it. A driver trusts its blob, so files
 * and folders that others may have written (private_file.h) are not used. A broken file, or a folder that cannot be
 * written, costs only time: no function here fails. Beside the file lies the tuning table under a similar name: a text
 * that says what tools measured of this device with this driver. */
#ifndef PIETRA_VULKAN_CACHE_H
#define PIETRA_VULKAN_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "vulkan/loader.h"

typedef struct gpu_cache {
    VkPipelineCache handle; /* VK_NULL_HANDLE is allowed; nothing is kept then */
    char *path;             /* NULL: nothing is saved */
    char *tuning_path;      /* NULL: there is no tuning table */
    size_t loaded_bytes;    /* size of the blob that was read; 0: none */
    _Atomic bool used;      /* a program has been made with it */
} gpu_cache;

/* A NULL directory means the user's cache directory, "" none. */
void cache_open(const gpu_functions *vk, VkDevice device, const VkPhysicalDeviceProperties *properties,
                const char *directory, gpu_cache *cache);
/* Writes the file if a program was made that it did not hold. It is written under a temporary name first. */
void cache_save(const gpu_functions *vk, VkDevice device, const gpu_cache *cache);
void cache_close(const gpu_functions *vk, VkDevice device, gpu_cache *cache);

/* The caller frees it. NULL: there is none, or it is longer than anybody would write. */
char *cache_read_tuning(const gpu_cache *cache);
bool cache_write_tuning(const gpu_cache *cache, const char *text);

#endif
