/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "vulkan/cache.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cache_directory.h"
#include "base/hash.h"
#include "base/private_file.h"

#define CACHE_MAGIC 0x31636970617274ffull
#define CACHE_MAX_BYTES (256u << 20)
#define CACHE_MAX_TUNING ((size_t)64 << 10)

typedef struct cache_head {
    uint64_t magic;
    uint64_t bytes;    /* bytes of the blob, which follows the head */
    uint64_t checksum; /* checksum of the blob; it detects accidents, not forgeries */
} cache_head;

/* Makes a path. What identifies the driver stands between `kind` and `extension`. */
static char *cache_path(const char *directory, const VkPhysicalDeviceProperties *properties, const char *kind,
                        const char *extension)
{
    char *folder;
    if (!cache_directory_find(directory, &folder) || !folder)
        return NULL; /* without memory, too, kernels are only compiled again */
    char uuid[2 * VK_UUID_SIZE + 1];
    for (size_t i = 0; i < VK_UUID_SIZE; i++)
        snprintf(uuid + 2 * i, 3, "%02x", properties->pipelineCacheUUID[i]);
    size_t size = strlen(folder) + 3 * 9 + sizeof uuid + strlen(kind) + strlen(extension) + sizeof "/-.";
    char *path = malloc(size);
    if (path) {
        snprintf(path, size, "%s/%s-%08x-%08x-%08x-%s.%s", folder, kind, properties->vendorID, properties->deviceID,
                 properties->driverVersion, uuid, extension);
    }
    free(folder);
    return path;
}

/* Reads the file, in which the blob follows the head. Returns NULL if there is no file or it is not whole. */
static uint8_t *cache_read(const char *path, size_t *blob_bytes)
{
    cache_head head = {0};
    size_t bytes;
    uint8_t *file = private_file_read(path, sizeof head + CACHE_MAX_BYTES, &bytes);
    if (!file)
        return NULL;
    memcpy(&head, file, bytes < sizeof head ? 0 : sizeof head);
    if (bytes <= sizeof head || head.magic != CACHE_MAGIC || head.bytes != bytes - sizeof head ||
        hash_checksum(file + sizeof head, bytes - sizeof head) != head.checksum) {
        free(file);
        return NULL;
    }
    *blob_bytes = bytes - sizeof head;
    return file;
}

void cache_open(const gpu_functions *vk, VkDevice device, const VkPhysicalDeviceProperties *properties,
                const char *directory, gpu_cache *cache)
{
    *cache = (gpu_cache){.path = cache_path(directory, properties, "programs", "bin"),
                         .tuning_path = cache_path(directory, properties, "tuning", "txt")};
    size_t bytes = 0;
    uint8_t *file = cache->path ? cache_read(cache->path, &bytes) : NULL;
    VkPipelineCacheCreateInfo create = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO,
        .initialDataSize = file ? bytes : 0,
        .pInitialData = file ? file + sizeof(cache_head) : NULL,
    };
    if (vk->CreatePipelineCache(device, &create, NULL, &cache->handle) == VK_SUCCESS)
        cache->loaded_bytes = create.initialDataSize;
    else
        cache->handle = VK_NULL_HANDLE;
    free(file);
}

void cache_save(const gpu_functions *vk, VkDevice device, const gpu_cache *cache)
{
    size_t bytes = 0;
    if (!cache->path || !cache->handle || !cache->used)
        return;
    /* A driver only ever adds to its blob, so a blob of the same size holds the same programs. */
    if (vk->GetPipelineCacheData(device, cache->handle, &bytes, NULL) != VK_SUCCESS || bytes == cache->loaded_bytes ||
        bytes == 0 || bytes > CACHE_MAX_BYTES) {
        return;
    }
    uint8_t *blob = malloc(bytes);
    if (blob && vk->GetPipelineCacheData(device, cache->handle, &bytes, blob) == VK_SUCCESS) {
        const cache_head head = {.magic = CACHE_MAGIC, .bytes = bytes, .checksum = hash_checksum(blob, bytes)};
        private_file_write(cache->path, &head, sizeof head, blob, bytes);
    }
    free(blob);
}

void cache_close(const gpu_functions *vk, VkDevice device, gpu_cache *cache)
{
    if (cache->handle)
        vk->DestroyPipelineCache(device, cache->handle, NULL);
    free(cache->path);
    free(cache->tuning_path);
    *cache = (gpu_cache){0};
}

char *cache_read_tuning(const gpu_cache *cache)
{
    size_t bytes;
    return cache->tuning_path ? (char *)private_file_read(cache->tuning_path, CACHE_MAX_TUNING, &bytes) : NULL;
}

bool cache_write_tuning(const gpu_cache *cache, const char *text)
{
    return cache->tuning_path && private_file_write(cache->tuning_path, "", 0, text, strlen(text));
}
