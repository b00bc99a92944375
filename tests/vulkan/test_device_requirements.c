/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What is reported as missing, on made-up devices. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "vulkan/requirements.h"

/* Facts of a device that has exactly what is required. */
static gpu_facts sufficient_facts(void)
{
    gpu_facts facts = {.queue_family = 0};
    facts.properties.apiVersion = VK_API_VERSION_1_2;
    facts.properties.limits.maxPerStageDescriptorStorageBuffers = 20;
    facts.properties.limits.maxPushConstantsSize = 128;
    facts.properties.limits.maxComputeWorkGroupInvocations = 256;
    facts.properties.limits.maxComputeWorkGroupSize[0] = 256;
    facts.properties.limits.maxComputeSharedMemorySize = 32768;
    facts.push_descriptor.maxPushDescriptors = 20;
    facts.properties11.subgroupSupportedStages = VK_SHADER_STAGE_COMPUTE_BIT;
    facts.properties11.subgroupSupportedOperations =
        VK_SUBGROUP_FEATURE_BASIC_BIT | VK_SUBGROUP_FEATURE_VOTE_BIT | VK_SUBGROUP_FEATURE_BALLOT_BIT |
        VK_SUBGROUP_FEATURE_ARITHMETIC_BIT | VK_SUBGROUP_FEATURE_SHUFFLE_BIT | VK_SUBGROUP_FEATURE_SHUFFLE_RELATIVE_BIT;
    facts.features12.hostQueryReset = VK_TRUE;
    facts.features12.scalarBlockLayout = VK_TRUE;
    facts.features12.vulkanMemoryModel = VK_TRUE;
    facts.features12.vulkanMemoryModelDeviceScope = VK_TRUE;
    return facts;
}

static void assert_missing(const gpu_facts *facts, const char *want)
{
    char text[256];
    requirements_missing(facts, sizeof text, text);
    assert_string_equal(text, want);
}

static void test_nothing_missing(void **state)
{
    (void)state;
    const gpu_facts facts = sufficient_facts();
    assert_missing(&facts, "");
}

static void test_some_missing(void **state)
{
    (void)state;
    gpu_facts facts = sufficient_facts();
    facts.features12.scalarBlockLayout = VK_FALSE;
    facts.properties.limits.maxComputeSharedMemorySize = 16384;
    assert_missing(&facts, "scalarBlockLayout, 32768 bytes of shared memory");
    facts = sufficient_facts();
    facts.properties11.subgroupSupportedOperations &= ~(VkSubgroupFeatureFlags)VK_SUBGROUP_FEATURE_SHUFFLE_BIT;
    facts.queue_family = GPU_NO_QUEUE;
    assert_missing(&facts, "a compute queue, subgroup shuffle");
    facts = sufficient_facts();
    facts.properties11.subgroupSupportedOperations &= ~(VkSubgroupFeatureFlags)VK_SUBGROUP_FEATURE_SHUFFLE_RELATIVE_BIT;
    assert_missing(&facts, "relative subgroup shuffle");
}

static void test_old_version_lacks_only_that(void **state)
{
    (void)state;
    const gpu_facts facts = {.properties.apiVersion = VK_API_VERSION_1_1, .queue_family = GPU_NO_QUEUE};
    assert_missing(&facts, "Vulkan 1.2");
}

static void test_long_list_is_cut(void **state)
{
    (void)state;
    const gpu_facts facts = {.properties.apiVersion = VK_API_VERSION_1_2, .queue_family = GPU_NO_QUEUE};
    for (size_t capacity = 1; capacity < 300; capacity++) {
        char text[301];
        memset(text, 'x', sizeof text);
        requirements_missing(&facts, capacity, text);
        assert_true(strlen(text) < capacity);
        assert_int_equal(text[capacity], 'x');
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_missing),
        cmocka_unit_test(test_some_missing),
        cmocka_unit_test(test_old_version_lacks_only_that),
        cmocka_unit_test(test_long_list_is_cut),
    };
    return cmocka_run_group_tests_name("device_requirements", tests, NULL, NULL);
}
