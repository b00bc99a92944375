/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "vulkan/requirements.h"

#include <stdio.h>

#include "vulkan/program.h"

typedef struct requirement {
    const char *name;
    bool met;
} requirement;

static bool requirements_subgroup(const gpu_facts *facts, VkSubgroupFeatureFlags operations)
{
    return (facts->properties11.subgroupSupportedStages & VK_SHADER_STAGE_COMPUTE_BIT) &&
           (facts->properties11.subgroupSupportedOperations & operations) == operations;
}

#define TEXT_OF(number) #number
#define TEXT(number) TEXT_OF(number)

void requirements_missing(const gpu_facts *facts, size_t capacity, char *text)
{
    const VkPhysicalDeviceLimits *limits = &facts->properties.limits;
    bool modern = facts->properties.apiVersion >= VK_API_VERSION_1_2;
    const requirement table[] = {
        {"Vulkan 1.2", modern},
        {"a compute queue", facts->queue_family != GPU_NO_QUEUE},
#define FEATURE(name) {#name, facts->features12.name == VK_TRUE},
        GPU_REQUIRED_FEATURES(FEATURE)
#undef FEATURE
            {"subgroup basic in compute", requirements_subgroup(facts, VK_SUBGROUP_FEATURE_BASIC_BIT)},
        {"subgroup vote", requirements_subgroup(facts, VK_SUBGROUP_FEATURE_VOTE_BIT)},
        {"subgroup ballot", requirements_subgroup(facts, VK_SUBGROUP_FEATURE_BALLOT_BIT)},
        {"subgroup arithmetic", requirements_subgroup(facts, VK_SUBGROUP_FEATURE_ARITHMETIC_BIT)},
        {"subgroup shuffle", requirements_subgroup(facts, VK_SUBGROUP_FEATURE_SHUFFLE_BIT)},
        {"relative subgroup shuffle", requirements_subgroup(facts, VK_SUBGROUP_FEATURE_SHUFFLE_RELATIVE_BIT)},
        {"push descriptors for " TEXT(GPU_MAX_BINDINGS) " buffers",
         facts->push_descriptor.maxPushDescriptors >= GPU_MAX_BINDINGS},
        {TEXT(GPU_MAX_BINDINGS) " storage buffers a stage",
         limits->maxPerStageDescriptorStorageBuffers >= GPU_MAX_BINDINGS},
        {TEXT(GPU_MAX_PUSH_BYTES) " bytes of push constants", limits->maxPushConstantsSize >= GPU_MAX_PUSH_BYTES},
        {TEXT(GPU_MIN_WORKGROUP_INVOCATIONS) " invocations a workgroup",
         limits->maxComputeWorkGroupInvocations >= GPU_MIN_WORKGROUP_INVOCATIONS &&
             limits->maxComputeWorkGroupSize[0] >= GPU_MIN_WORKGROUP_INVOCATIONS},
        {TEXT(GPU_MIN_SHARED_BYTES) " bytes of shared memory",
         limits->maxComputeSharedMemorySize >= GPU_MIN_SHARED_BYTES},
    };
    size_t used = 0;
    text[0] = '\0';
    /* An old device was not asked about the rest, which would look missing. */
    size_t count = modern ? sizeof table / sizeof table[0] : 1;
    for (size_t i = 0; i < count && used < capacity; i++) {
        if (!table[i].met) {
            int length = snprintf(text + used, capacity - used, "%s%s", used ? ", " : "", table[i].name);
            used += length > 0 ? (size_t)length : 0;
        }
    }
}
