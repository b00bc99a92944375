/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The order in which devices are listed, on made-up ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "vulkan/candidates.h"

#define DEVICES 8u

/* In the driver's order; the names stand in the order in which they are to be listed. */
static const struct {
    VkPhysicalDeviceType type;
    const char *name;
} devices[DEVICES] = {
    {VK_PHYSICAL_DEVICE_TYPE_CPU, "6"},          {VK_PHYSICAL_DEVICE_TYPE_OTHER, "5"},
    {VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU, "4"},  {VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU, "2"},
    {VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU, "0"}, {VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU, "3"},
    {VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU, "1"}, {VK_PHYSICAL_DEVICE_TYPE_CPU, "7"},
};
static VkPhysicalDevice handles[DEVICES];
static VkResult result = VK_SUCCESS;

static VKAPI_ATTR VkResult VKAPI_CALL enumerate(VkInstance instance, uint32_t *count, VkPhysicalDevice *listed)
{
    (void)instance;
    *count = DEVICES;
    if (listed)
        memcpy(listed, handles, sizeof handles);
    return result;
}

static VKAPI_ATTR void VKAPI_CALL describe(VkPhysicalDevice device, VkPhysicalDeviceProperties *properties)
{
    for (size_t i = 0; i < DEVICES; i++) {
        if (device == handles[i]) {
            properties->apiVersion = VK_API_VERSION_1_2;
            properties->deviceType = devices[i].type;
            strcpy(properties->deviceName, devices[i].name);
        }
    }
}

static const gpu_instance instance = {
    .vk = {.EnumeratePhysicalDevices = enumerate, .GetPhysicalDeviceProperties = describe}};

static void test_order(void **state)
{
    gpu_candidate *candidates;
    uint32_t count;
    (void)state;
    for (size_t i = 0; i < DEVICES; i++) {
        const uintptr_t number = i + 1;
        memcpy(&handles[i], &number, sizeof number);
    }
    assert_int_equal(candidates_list(&instance, NULL, &candidates, &count), PIETRA_OK);
    assert_int_equal(count, DEVICES);
    for (size_t i = 0; i < DEVICES; i++)
        assert_int_equal(candidates[i].properties.deviceName[0], '0' + (int)i);
    free(candidates);
}

/* A driver that cannot start is no GPU. Another failure is an error. */
static void test_failures(void **state)
{
    gpu_candidate *candidates;
    uint32_t count = 1;
    (void)state;
    result = VK_ERROR_INITIALIZATION_FAILED;
    assert_int_equal(candidates_list(&instance, NULL, &candidates, &count), PIETRA_OK);
    assert_int_equal(count, 0);
    free(candidates);
    result = VK_ERROR_UNKNOWN;
    assert_int_equal(candidates_list(&instance, NULL, &candidates, &count), PIETRA_ERROR_DEVICE);
    assert_null(candidates);
    result = VK_SUCCESS;
}

static VKAPI_ATTR void VKAPI_CALL describe_memory(VkPhysicalDevice device, VkPhysicalDeviceMemoryProperties *memory)
{
    (void)device;
    *memory = (VkPhysicalDeviceMemoryProperties){.memoryHeapCount = 0};
}

static VKAPI_ATTR VkResult VKAPI_CALL fail_to_list(VkPhysicalDevice device, const char *layer, uint32_t *count,
                                                   VkExtensionProperties *extensions)
{
    (void)device, (void)layer, (void)count, (void)extensions;
    return VK_ERROR_OUT_OF_DEVICE_MEMORY;
}

/* A device that cannot be asked is an error, and not one that lacks something. */
static void test_device_that_cannot_be_asked(void **state)
{
    gpu_instance failing = instance;
    const pietra_device_options options = {.kind = PIETRA_DEVICE_GPU};
    pietra_error error = {.message = ""};
    gpu_facts facts;
    uint32_t index = DEVICES;
    (void)state;
    failing.vk.GetPhysicalDeviceMemoryProperties = describe_memory;
    failing.vk.EnumerateDeviceExtensionProperties = fail_to_list;
    assert_int_not_equal(candidates_choose(&failing, &options, &error, &facts, &index), PIETRA_OK);
    assert_non_null(strstr(error.message, "the extensions of a GPU cannot be listed"));
    assert_int_equal(index, DEVICES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_order), cmocka_unit_test(test_failures),
                                       cmocka_unit_test(test_device_that_cannot_be_asked)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
