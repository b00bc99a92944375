/* Compiled programs, kept from run to run in one file for each driver.
 *
 * The file is a head (magic, length, checksum) and the driver's blob; its name holds the vendor, the device, the driver's version
 * and its cache's UUID, so that another driver never sees it. A driver trusts its blob: files and folders that others could have written
 * (private_file.h) are left alone. A file that is broken, or a folder that cannot be written, costs time and nothing else: no function here
 * fails. Beside it lies the tuning table, a text under a name of the same kind: what tools measured
 * of this device with this driver. */
#ifndef PIETRA_VULKAN_CACHE_H
#define PIETRA_VULKAN_CACHE_H

#include "vulkan/loader.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct gpu_cache {
    VkPipelineCache handle;   /* VK_NULL_HANDLE serves too: nothing is kept then */
    char *path;               /* NULL: nothing is saved */
    char *tuning_path;        /* NULL: there is no tuning table */
    size_t loaded_bytes;      /* of the blob that was read; 0: none */
    bool used;                /* a program has been made with it */
} gpu_cache;

/* directory NULL: the user's cache directory; "": none. */
void cache_open(const gpu_functions *vk, VkDevice device, const VkPhysicalDeviceProperties *properties, const char *directory, gpu_cache *cache);
/* Writes the file if a program was made that it did not hold, under a temporary name first. */
void cache_save(const gpu_functions *vk, VkDevice device, const gpu_cache *cache);
void cache_close(const gpu_functions *vk, VkDevice device, gpu_cache *cache);

/* To be freed; NULL: there is none, or more than anybody would write. */
char *cache_read_tuning(const gpu_cache *cache);
bool cache_write_tuning(const gpu_cache *cache, const char *text);

#endif
