#include "device/cache.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"

#define CACHE_MAGIC 0x31636970617274ffull
#define CACHE_MAX_BYTES (256u << 20)
#define CACHE_MAX_NOTES ((size_t)64 << 10)

typedef struct cache_head {
    uint64_t magic;
    uint64_t bytes;           /* of the blob behind the head */
    uint64_t checksum;        /* of the blob: against accidents, not against malice */
} cache_head;

/* NULL: there is no such place. The XDG base directory specification has relative paths ignored. */
static char *cache_directory(const char *directory)
{
    const char *root = directory, *tail = "";
    if (!root) {
        root = getenv("XDG_CACHE_HOME");
        tail = "/pietra";
        if (!root || root[0] != '/') {
            root = getenv("HOME");
            tail = "/.cache/pietra";
        }
    }
    if (!root || root[0] == '\0') {
        return NULL;
    }
    size_t size = strlen(root) + strlen(tail) + 1;
    char *path = malloc(size);
    if (path) {
        snprintf(path, size, "%s%s", root, tail);
    }
    return path;
}

/* `kind` and `extension` frame what tells drivers apart. */
static char *cache_path(const char *directory, const VkPhysicalDeviceProperties *properties, const char *kind, const char *extension)
{
    char *folder = cache_directory(directory);
    if (!folder) {
        return NULL;
    }
    char uuid[2 * VK_UUID_SIZE + 1];
    for (size_t i = 0; i < VK_UUID_SIZE; i++) {
        snprintf(uuid + 2 * i, 3, "%02x", properties->pipelineCacheUUID[i]);
    }
    size_t size = strlen(folder) + 3 * 9 + sizeof uuid + strlen(kind) + strlen(extension) + sizeof "/-.";
    char *path = malloc(size);
    if (path) {
        snprintf(path, size, "%s/%s-%08x-%08x-%08x-%s.%s", folder, kind, properties->vendorID, properties->deviceID, properties->driverVersion,
                 uuid, extension);
    }
    free(folder);
    return path;
}

/* NULL: there is no file, or it is not whole. */
static unsigned char *cache_read(const char *path, size_t *bytes)
{
    unsigned char *blob = NULL;
    cache_head head;
    FILE *file = fopen(path, "rb");
    if (!file) {
        return NULL;
    }
    if (fread(&head, sizeof head, 1, file) != 1 || head.magic != CACHE_MAGIC || head.bytes == 0 || head.bytes > CACHE_MAX_BYTES) {
        goto done;
    }
    *bytes = (size_t)head.bytes;
    blob = malloc(*bytes);
    if (blob && (fread(blob, 1, *bytes, file) != *bytes || fgetc(file) != EOF || hash_checksum(blob, *bytes) != head.checksum)) {
        free(blob);
        blob = NULL;
    }

done:
    fclose(file);
    return blob;
}

void cache_open(const gpu_functions *vk, VkDevice device, const VkPhysicalDeviceProperties *properties, const char *directory, gpu_cache *cache)
{
    *cache = (gpu_cache){.path = cache_path(directory, properties, "programs", "bin"),
                         .notes_path = cache_path(directory, properties, "notes", "txt")};
    size_t bytes = 0;
    unsigned char *blob = cache->path ? cache_read(cache->path, &bytes) : NULL;
    VkPipelineCacheCreateInfo create = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO,
        .initialDataSize = blob ? bytes : 0,
        .pInitialData = blob,
    };
    if (vk->CreatePipelineCache(device, &create, NULL, &cache->handle) == VK_SUCCESS) {
        cache->loaded_bytes = create.initialDataSize;
    } else {
        cache->handle = VK_NULL_HANDLE;
    }
    free(blob);
}

/* The folders above the file, as far as they are missing; whether that worked, opening the file will tell. */
static void cache_make_folders(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, 0700);
        *slash = '/';
    }
}

/* A head and what follows it, under a temporary name first. */
static bool cache_write(const char *path, const void *head, size_t head_bytes, const void *blob, size_t bytes)
{
    static const char suffix[] = ".XXXXXX";
    size_t length = strlen(path);
    char *temporary = malloc(length + sizeof suffix);
    bool written = false;
    if (!temporary) {
        return false;
    }
    memcpy(temporary, path, length);
    memcpy(temporary + length, suffix, sizeof suffix);
    cache_make_folders(temporary);
    int descriptor = mkstemp(temporary);
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "wb") : NULL;
    if (file) {
        written = fwrite(head, 1, head_bytes, file) == head_bytes && fwrite(blob, 1, bytes, file) == bytes;
        written = fclose(file) == 0 && written && rename(temporary, path) == 0;
        if (!written) {
            unlink(temporary);
        }
    } else if (descriptor >= 0) {
        close(descriptor);
        unlink(temporary);
    }
    free(temporary);
    return written;
}

void cache_save(const gpu_functions *vk, VkDevice device, const gpu_cache *cache)
{
    size_t bytes = 0;
    if (!cache->path || !cache->handle || !cache->used) {
        return;
    }
    /* A driver only ever adds to its blob: the same size is the same programs. */
    if (vk->GetPipelineCacheData(device, cache->handle, &bytes, NULL) != VK_SUCCESS || bytes == cache->loaded_bytes || bytes == 0
        || bytes > CACHE_MAX_BYTES) {
        return;
    }
    unsigned char *blob = malloc(bytes);
    if (blob && vk->GetPipelineCacheData(device, cache->handle, &bytes, blob) == VK_SUCCESS) {
        const cache_head head = {.magic = CACHE_MAGIC, .bytes = bytes, .checksum = hash_checksum(blob, bytes)};
        cache_write(cache->path, &head, sizeof head, blob, bytes);
    }
    free(blob);
}

void cache_close(const gpu_functions *vk, VkDevice device, gpu_cache *cache)
{
    if (cache->handle) {
        vk->DestroyPipelineCache(device, cache->handle, NULL);
    }
    free(cache->path);
    free(cache->notes_path);
    *cache = (gpu_cache){0};
}

char *cache_read_notes(const gpu_cache *cache)
{
    FILE *file = cache->notes_path ? fopen(cache->notes_path, "rb") : NULL;
    char *text = file ? malloc(CACHE_MAX_NOTES + 1) : NULL;
    if (text) {
        size_t bytes = fread(text, 1, CACHE_MAX_NOTES + 1, file);
        if (bytes > CACHE_MAX_NOTES || ferror(file)) {
            free(text);
            text = NULL;
        } else {
            text[bytes] = '\0';
        }
    }
    if (file) {
        fclose(file);
    }
    return text;
}

bool cache_write_notes(const gpu_cache *cache, const char *text)
{
    return cache->notes_path && cache_write(cache->notes_path, "", 0, text, strlen(text));
}
