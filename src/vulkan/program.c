/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "vulkan/program.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "vulkan/context.h"
#include "vulkan/program_build.h"
#ifdef PIETRA_DEV
#include "vulkan/reload.h"
#endif
#include "vulkan/result.h"

static uint32_t image_count(const gpu_program_info *info)
{
    return info->writes_image || info->reads_image ? 1 : 0;
}

static VkResult program_build_layouts(gpu_device *device, const gpu_program_info *info, gpu_program *program)
{
    const gpu_functions *vk = &device->instance.vk;
    VkDescriptorSetLayoutBinding bindings[GPU_MAX_BINDINGS];
    for (uint32_t i = 0; i < info->buffer_count; i++) {
        bindings[i] = (VkDescriptorSetLayoutBinding){
            .binding = i,
            .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
            .descriptorCount = 1,
            .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
        };
    }
    if (image_count(info) > 0) {
        bindings[info->buffer_count] = bindings[0];
        bindings[info->buffer_count].binding = info->buffer_count;
        bindings[info->buffer_count].descriptorType = program->image_type;
    }
    const VkDescriptorSetLayoutCreateInfo set = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR,
        .bindingCount = info->buffer_count + image_count(info),
        .pBindings = bindings,
    };
    VkResult result = vk->CreateDescriptorSetLayout(device->handle, &set, NULL, &program->set_layout);
    if (result != VK_SUCCESS)
        return result;
    const VkPushConstantRange push = {.stageFlags = VK_SHADER_STAGE_COMPUTE_BIT, .size = info->push_bytes};
    const VkPipelineLayoutCreateInfo layout = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
        .setLayoutCount = 1,
        .pSetLayouts = &program->set_layout,
        .pushConstantRangeCount = info->push_bytes ? 1 : 0,
        .pPushConstantRanges = &push,
    };
    return vk->CreatePipelineLayout(device->handle, &layout, NULL, &program->layout);
}

static VkResult program_build_pipeline(gpu_device *device, const gpu_program_info *info, VkPipelineCreateFlags flags,
                                       VkPipelineCache cache, gpu_program *program)
{
    const gpu_functions *vk = &device->instance.vk;
    const VkShaderModuleCreateInfo code = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
        .codeSize = info->word_count * sizeof *info->spirv,
        .pCode = info->spirv,
    };
    VkShaderModule module;
    VkResult result = vk->CreateShaderModule(device->handle, &code, NULL, &module);
    if (result != VK_SUCCESS)
        return result;
    VkSpecializationMapEntry entries[GPU_MAX_CONSTANTS];
    for (uint32_t i = 0; i < info->constant_count; i++)
        entries[i] = (VkSpecializationMapEntry){.constantID = i, .offset = i * 4, .size = 4};
    const VkSpecializationInfo constants = {
        .mapEntryCount = info->constant_count,
        .pMapEntries = entries,
        .dataSize = info->constant_count * 4,
        .pData = info->constants,
    };
    const VkPipelineShaderStageRequiredSubgroupSizeCreateInfoEXT subgroup_size = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO_EXT,
        .requiredSubgroupSize = info->subgroup_size,
    };
    bool controlled = info->subgroup_size && device->limits.subgroup_size_control;
    const VkComputePipelineCreateInfo create = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .flags = flags,
        .stage =
            {
                .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                .pNext = controlled ? &subgroup_size : NULL,
                .flags = controlled ? VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT_EXT : 0,
                .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                .module = module,
                .pName = "main",
                .pSpecializationInfo = info->constant_count ? &constants : NULL,
            },
        .layout = program->layout,
        .basePipelineIndex = -1,
    };
    result = vk->CreateComputePipelines(device->handle, cache, 1, &create, NULL, &program->pipeline);
    vk->DestroyShaderModule(device->handle, module, NULL);
    return result;
}

static bool program_has_subgroup_size(const gpu_limits *limits, uint32_t size)
{
    bool power_of_two = (size & (size - 1)) == 0;
    return size == 0 || (power_of_two && size >= limits->min_subgroup_size && size <= limits->max_subgroup_size);
}

pietra_result program_build(gpu_device *device, const gpu_program_info *info, VkPipelineCreateFlags flags,
                            VkPipelineCache cache, pietra_error *error, gpu_program **program)
{
    assert(info->buffer_count + image_count(info) <= GPU_MAX_BINDINGS && info->constant_count <= GPU_MAX_CONSTANTS);
    assert(info->push_bytes <= GPU_MAX_PUSH_BYTES && info->push_bytes % 4 == 0);
    *program = NULL;
    if (!program_has_subgroup_size(&device->limits, info->subgroup_size)) {
        return error_set(error, PIETRA_ERROR_DEVICE, 0, "%s: the device has no subgroups of %u", info->name,
                         info->subgroup_size);
    }
    gpu_program *built = calloc(1, sizeof *built);
    if (!built)
        return error_set_memory(error);
    built->device = device;
    built->buffer_count = info->buffer_count;
    built->image_type = info->reads_image ? VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE : VK_DESCRIPTOR_TYPE_STORAGE_IMAGE;
    built->push_bytes = info->push_bytes;
    snprintf(built->name, sizeof built->name, "%s", info->name);
    VkResult result = program_build_layouts(device, info, built);
    if (result == VK_SUCCESS)
        result = program_build_pipeline(device, info, flags, cache, built);
    if (result != VK_SUCCESS) {
        gpu_program_destroy(built);
        return result_fail(error, result, info->name);
    }
    *program = built;
    return PIETRA_OK;
}

#ifdef PIETRA_DEV
static pietra_result build_newest(gpu_device *device, const gpu_program_info *info, pietra_error *error,
                                  gpu_program **program)
{
    gpu_program_info newest = *info;
    uint32_t *words;
    pietra_result result = reload_compile(info->name, error, &words, &newest.word_count);
    if (result == PIETRA_OK && words) {
        newest.spirv = words;
        result = program_build(device, &newest, 0, VK_NULL_HANDLE, error, program);
    } else if (result == PIETRA_OK) {
        result = program_build(device, info, 0, device->cache.handle, error, program);
    }
    free(words);
    return result;
}
#endif

pietra_result gpu_program_create(gpu_device *device, const gpu_program_info *info, pietra_error *error,
                                 gpu_program **program)
{
    device->cache.used = true;
#ifdef PIETRA_DEV
    return build_newest(device, info, error, program);
#else
    return program_build(device, info, 0, device->cache.handle, error, program);
#endif
}

void gpu_program_destroy(gpu_program *program)
{
    if (!program)
        return;
    gpu_device *device = program->device;
    const gpu_functions *vk = &device->instance.vk;
    if (!device->abandoned) {
        vk->DestroyPipeline(device->handle, program->pipeline, NULL);
        vk->DestroyPipelineLayout(device->handle, program->layout, NULL);
        vk->DestroyDescriptorSetLayout(device->handle, program->set_layout, NULL);
    }
    free(program);
}
