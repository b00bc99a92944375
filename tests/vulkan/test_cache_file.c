/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The file of compiled programs without a driver: what is read of it, also where it is broken. A sanitizer sees what is
 * not freed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "vulkan/cache.h"

static uint8_t blob[] = "what a driver compiled";
static size_t given;

static VKAPI_ATTR VkResult VKAPI_CALL create(VkDevice device, const VkPipelineCacheCreateInfo *info,
                                             const VkAllocationCallbacks *allocator, VkPipelineCache *cache)
{
    (void)device, (void)allocator;
    given = info->initialDataSize;
    assert_true(given == 0 || (given == sizeof blob && memcmp(info->pInitialData, blob, given) == 0));
    memset(cache, 1, sizeof *cache);
    return VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL get(VkDevice device, VkPipelineCache cache, size_t *bytes, void *data)
{
    (void)device, (void)cache;
    *bytes = sizeof blob;
    if (data)
        memcpy(data, blob, sizeof blob);
    return VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL destroy(VkDevice device, VkPipelineCache cache,
                                          const VkAllocationCallbacks *allocator)
{
    (void)device, (void)cache, (void)allocator;
}

static const gpu_functions vk = {
    .CreatePipelineCache = create, .GetPipelineCacheData = get, .DestroyPipelineCache = destroy};
static const VkPhysicalDeviceProperties properties;

/* Opens the cache, saves it, and returns how many bytes the driver was given. Copies the path of the file. */
static size_t run_once(const char *folder, char path[200])
{
    gpu_cache cache;
    cache_open(&vk, VK_NULL_HANDLE, &properties, folder, &cache);
    assert_non_null(cache.path);
    snprintf(path, 200, "%s", cache.path);
    cache.used = true;
    cache_save(&vk, VK_NULL_HANDLE, &cache);
    cache_close(&vk, VK_NULL_HANDLE, &cache);
    return given;
}

static void test_broken_file(void **state)
{
    char folder[] = "/tmp/pietra-cache-XXXXXX", path[200];
    (void)state;
    assert_non_null(mkdtemp(folder));
    assert_int_equal(run_once(folder, path), 0);
    for (size_t place = 0; place < 24 + sizeof blob; place++) {
        assert_int_equal(run_once(folder, path), sizeof blob);
        FILE *file = fopen(path, "r+b");
        assert_non_null(file);
        fseek(file, (long)place, SEEK_SET);
        const int byte = fgetc(file);
        fseek(file, (long)place, SEEK_SET);
        fputc(byte ^ 0x40, file);
        fclose(file);
        assert_int_equal(run_once(folder, path), 0);
    }
    for (size_t length = 0; length < 24 + sizeof blob; length++) {
        assert_int_equal(run_once(folder, path), sizeof blob);
        assert_int_equal(truncate(path, (off_t)length), 0);
        assert_int_equal(run_once(folder, path), 0);
    }
    unlink(path);
    rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_broken_file)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
