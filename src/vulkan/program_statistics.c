/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <stdlib.h>

#include "base/error.h"
#include "vulkan/context.h"
#include "vulkan/program_build.h"
#include "vulkan/result.h"

static double statistic_value(const VkPipelineExecutableStatisticKHR *statistic)
{
    switch (statistic->format) {
    case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_BOOL32_KHR:
        return statistic->value.b32;
    case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_INT64_KHR:
        return (double)statistic->value.i64;
    case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_UINT64_KHR:
        return (double)statistic->value.u64;
    default:
        return statistic->value.f64;
    }
}

/* Reads the statistics of a program. A compute pipeline is one executable. If a driver has more, the figures are those
 * of the first. */
static pietra_result statistics_read(gpu_device *device, const gpu_program *program, gpu_statistic_function *statistic,
                                     void *user, pietra_error *error)
{
    const gpu_functions *vk = &device->instance.vk;
    const VkPipelineExecutableInfoKHR executable = {.sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR,
                                                    .pipeline = program->pipeline};
    const VkPipelineInfoKHR pipeline = {.sType = VK_STRUCTURE_TYPE_PIPELINE_INFO_KHR, .pipeline = program->pipeline};
    uint32_t count = 0;
    VkResult result = vk->GetPipelineExecutablePropertiesKHR(device->handle, &pipeline, &count, NULL);
    if (result == VK_SUCCESS && count > 0)
        result = vk->GetPipelineExecutableStatisticsKHR(device->handle, &executable, &count, NULL);
    if (result < VK_SUCCESS)
        return result_fail(error, result, program->name);
    if (count == 0)
        return PIETRA_OK;
    VkPipelineExecutableStatisticKHR *list = calloc(count, sizeof *list);
    if (!list)
        return error_set_memory(error);
    for (uint32_t i = 0; i < count; i++)
        list[i].sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_STATISTIC_KHR;
    result = vk->GetPipelineExecutableStatisticsKHR(device->handle, &executable, &count, list);
    for (uint32_t i = 0; i < count && result == VK_SUCCESS; i++)
        statistic(user, list[i].name, statistic_value(&list[i]));
    free(list);
    return result < VK_SUCCESS ? result_fail(error, result, program->name) : PIETRA_OK;
}

pietra_result gpu_program_statistics(gpu_device *device, const gpu_program_info *info,
                                     gpu_statistic_function *statistic, void *user, pietra_error *error)
{
    if (!device->limits.statistics)
        return PIETRA_OK;
    gpu_program *program;
    pietra_result result =
        program_build(device, info, VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR, VK_NULL_HANDLE, error, &program);
    if (result == PIETRA_OK)
        result = statistics_read(device, program, statistic, user, error);
    gpu_program_destroy(program);
    return result;
}
