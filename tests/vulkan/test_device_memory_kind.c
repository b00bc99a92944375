/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Which memory types are chosen, on made-up devices. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "vulkan/memory_kind.h"

#define LOCAL VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT
#define HOST (VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT)
#define CACHED VK_MEMORY_PROPERTY_HOST_CACHED_BIT
#define GIB (UINT64_C(1) << 30)

static void assert_types(const VkPhysicalDeviceMemoryProperties *memory, gpu_memory_kind kind, uint32_t allowed,
                         uint32_t count, const uint32_t *want)
{
    uint32_t types[VK_MAX_MEMORY_TYPES];
    assert_int_equal(memory_kind_types(memory, kind, allowed, types), count);
    for (uint32_t i = 0; i < count; i++)
        assert_int_equal(types[i], want[i]);
}

/* A card with a window of 256 MiB that the host sees. */
static void test_small_window(void **state)
{
    (void)state;
    const VkPhysicalDeviceMemoryProperties memory = {
        .memoryTypeCount = 6,
        .memoryTypes = {{0, 1},
                        {LOCAL, 0},
                        {HOST, 1},
                        {HOST | CACHED, 1},
                        {LOCAL | HOST, 2},
                        {LOCAL | HOST | VK_MEMORY_PROPERTY_DEVICE_UNCACHED_BIT_AMD, 0}},
        .memoryHeapCount = 3,
        .memoryHeaps = {{8 * GIB, VK_MEMORY_HEAP_DEVICE_LOCAL_BIT},
                        {16 * GIB, 0},
                        {GIB / 4, VK_MEMORY_HEAP_DEVICE_LOCAL_BIT}},
    };
    assert_types(&memory, GPU_MEMORY_DEVICE, UINT32_MAX, 2, (const uint32_t[]){1, 4});
    assert_types(&memory, GPU_MEMORY_UPLOAD, UINT32_MAX, 3, (const uint32_t[]){2, 3, 4});
    assert_types(&memory, GPU_MEMORY_READBACK, UINT32_MAX, 3, (const uint32_t[]){3, 2, 4});
    assert_types(&memory, GPU_MEMORY_READBACK, 0x17, 2, (const uint32_t[]){2, 4});
    assert_types(&memory, GPU_MEMORY_DEVICE, 0x04, 0, NULL);
    assert_false(memory_kind_upload_is_local(&memory));
}

/* A card whose whole memory the host sees. */
static void test_whole_window(void **state)
{
    (void)state;
    const VkPhysicalDeviceMemoryProperties memory = {
        .memoryTypeCount = 4,
        .memoryTypes = {{LOCAL, 0}, {HOST, 1}, {HOST | CACHED, 1}, {LOCAL | HOST, 0}},
        .memoryHeapCount = 2,
        .memoryHeaps = {{140 * GIB, VK_MEMORY_HEAP_DEVICE_LOCAL_BIT}, {512 * GIB, 0}},
    };
    assert_types(&memory, GPU_MEMORY_DEVICE, UINT32_MAX, 2, (const uint32_t[]){0, 3});
    assert_types(&memory, GPU_MEMORY_UPLOAD, UINT32_MAX, 3, (const uint32_t[]){3, 1, 2});
    assert_types(&memory, GPU_MEMORY_READBACK, UINT32_MAX, 3, (const uint32_t[]){2, 1, 3});
    assert_true(memory_kind_upload_is_local(&memory));
}

/* One memory for the host and the device. */
static void test_shared_memory(void **state)
{
    (void)state;
    const VkPhysicalDeviceMemoryProperties memory = {
        .memoryTypeCount = 1,
        .memoryTypes = {{LOCAL | HOST | CACHED, 0}},
        .memoryHeapCount = 1,
        .memoryHeaps = {{4 * GIB, VK_MEMORY_HEAP_DEVICE_LOCAL_BIT}},
    };
    for (int kind = GPU_MEMORY_DEVICE; kind <= GPU_MEMORY_READBACK; kind++)
        assert_types(&memory, (gpu_memory_kind)kind, UINT32_MAX, 1, (const uint32_t[]){0});
    assert_true(memory_kind_upload_is_local(&memory));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small_window),
        cmocka_unit_test(test_whole_window),
        cmocka_unit_test(test_shared_memory),
    };
    return cmocka_run_group_tests_name("device_memory_kind", tests, NULL, NULL);
}
