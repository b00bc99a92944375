/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "vulkan/recorder.h"

#include <assert.h>
#include <stdlib.h>

#include "base/error.h"
#include "vulkan/recorder_state.h"
#include "vulkan/result.h"

/* The longest wait for submitted work. A frame takes milliseconds on a GPU and seconds on a processor. Validation makes
 * it ten times as long. */
#define HARDWARE_TIMEOUT_NS UINT64_C(60000000000)
#define SOFTWARE_TIMEOUT_NS UINT64_C(600000000000)

static VkResult recorder_make(gpu_recorder *recorder)
{
    gpu_device *device = recorder->device;
    const gpu_functions *vk = recorder->vk;
    const VkCommandPoolCreateInfo pool = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
        .queueFamilyIndex = device->queue_family,
    };
    VkResult result = vk->CreateCommandPool(device->handle, &pool, NULL, &recorder->pool);
    if (result != VK_SUCCESS)
        return result;
    const VkCommandBufferAllocateInfo commands = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = recorder->pool,
        .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
        .commandBufferCount = 1,
    };
    result = vk->AllocateCommandBuffers(device->handle, &commands, &recorder->own);
    if (result != VK_SUCCESS)
        return result;
    const VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    result = vk->CreateFence(device->handle, &fence, NULL, &recorder->fence);
    if (result != VK_SUCCESS || device->timestamp_bits == 0)
        return result;
    const VkQueryPoolCreateInfo queries = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
        .queryType = VK_QUERY_TYPE_TIMESTAMP,
        .queryCount = RECORDER_QUERIES,
    };
    return vk->CreateQueryPool(device->handle, &queries, NULL, &recorder->queries);
}

pietra_result gpu_recorder_create(gpu_device *device, pietra_error *error, gpu_recorder **recorder)
{
    gpu_recorder *made = calloc(1, sizeof *made);
    *recorder = NULL;
    if (!made)
        return error_set_memory(error);
    made->device = device;
    made->vk = &device->instance.vk;
    VkResult result = recorder_make(made);
    if (result != VK_SUCCESS) {
        gpu_recorder_destroy(made);
        return result_fail(error, result, "a command buffer cannot be made");
    }
    *recorder = made;
    return PIETRA_OK;
}

void gpu_recorder_destroy(gpu_recorder *recorder)
{
    if (!recorder)
        return;
    gpu_device *device = recorder->device;
    if (!device->abandoned) {
        assert(recorder->state != RECORDER_SUBMITTED);
        recorder->vk->DestroyQueryPool(device->handle, recorder->queries, NULL);
        recorder->vk->DestroyFence(device->handle, recorder->fence, NULL);
        recorder->vk->DestroyCommandPool(device->handle, recorder->pool, NULL);
    }
    free(recorder);
}

/* Begins with commands that accept some. */
static void recorder_open(gpu_recorder *recorder, VkCommandBuffer commands)
{
    recorder->commands = commands;
    recorder->bound = VK_NULL_HANDLE;
    recorder->mark_count = 0;
    if (recorder->queries)
        recorder->vk->ResetQueryPool(recorder->device->handle, recorder->queries, 0, RECORDER_QUERIES);
    recorder->state = RECORDER_OPEN;
    gpu_barrier(recorder);
    recorder_timestamp(recorder, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, 0);
}

/* Lets the host see what the commands write. */
static void recorder_end(gpu_recorder *recorder)
{
    assert(recorder->state == RECORDER_OPEN);
    recorder->state = RECORDER_IDLE;
    recorder_barrier(recorder, VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
    recorder_timestamp(recorder, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, recorder->mark_count + 1);
}

pietra_result gpu_recorder_begin(gpu_recorder *recorder, pietra_error *error)
{
    gpu_device *device = recorder->device;
    if (device->abandoned)
        return error_set(error, PIETRA_ERROR_DEVICE, 0, "the device no longer answers");
    assert(recorder->state != RECORDER_SUBMITTED);
    recorder->state = RECORDER_IDLE;
    VkResult result = recorder->vk->ResetCommandPool(device->handle, recorder->pool, 0);
    if (result == VK_SUCCESS) {
        const VkCommandBufferBeginInfo begin = {
            .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
            .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT,
        };
        result = recorder->vk->BeginCommandBuffer(recorder->own, &begin);
    }
    if (result != VK_SUCCESS)
        return result_fail(error, result, "a frame cannot be recorded");
    recorder_open(recorder, recorder->own);
    return PIETRA_OK;
}

void gpu_recorder_begin_in(gpu_recorder *recorder, VkCommandBuffer commands)
{
    assert(recorder->state != RECORDER_SUBMITTED);
    recorder_open(recorder, commands);
}

void gpu_recorder_leave(gpu_recorder *recorder)
{
    recorder_end(recorder);
    recorder->submitted_ms = trace_begin(&recorder->device->trace);
}

void gpu_recorder_return(gpu_recorder *recorder)
{
    assert(recorder->state == RECORDER_IDLE);
    recorder->state = RECORDER_DONE;
    recorder->waited_ms = trace_begin(&recorder->device->trace);
}

/* Semaphores as Vulkan wants them: handles, values of timelines, and what waits. */
typedef struct submitted_order {
    VkSemaphore waits[PIETRA_VULKAN_SEMAPHORES], signals[PIETRA_VULKAN_SEMAPHORES];
    uint64_t wait_values[PIETRA_VULKAN_SEMAPHORES], signal_values[PIETRA_VULKAN_SEMAPHORES];
    VkPipelineStageFlags stages[PIETRA_VULKAN_SEMAPHORES];
} submitted_order;

static void recorder_order(const pietra_vulkan_order *order, submitted_order *submitted)
{
    for (uint32_t i = 0; i < order->wait_count; i++) {
        submitted->waits[i] = order->waits[i].semaphore;
        submitted->wait_values[i] = order->waits[i].value;
        submitted->stages[i] = VK_PIPELINE_STAGE_TRANSFER_BIT | VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
    }
    for (uint32_t i = 0; i < order->signal_count; i++) {
        submitted->signals[i] = order->signals[i].semaphore;
        submitted->signal_values[i] = order->signals[i].value;
    }
}

static VkResult recorder_queue(gpu_recorder *recorder, const pietra_vulkan_order *order)
{
    const gpu_device *device = recorder->device;
    submitted_order submitted;
    recorder_order(order, &submitted);
    const VkTimelineSemaphoreSubmitInfo values = {
        .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
        .waitSemaphoreValueCount = order->wait_count,
        .pWaitSemaphoreValues = submitted.wait_values,
        .signalSemaphoreValueCount = order->signal_count,
        .pSignalSemaphoreValues = submitted.signal_values,
    };
    const VkSubmitInfo submit = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .pNext = order->wait_count + order->signal_count > 0 ? &values : NULL,
        .waitSemaphoreCount = order->wait_count,
        .pWaitSemaphores = submitted.waits,
        .pWaitDstStageMask = submitted.stages,
        .commandBufferCount = 1,
        .pCommandBuffers = &recorder->commands,
        .signalSemaphoreCount = order->signal_count,
        .pSignalSemaphores = submitted.signals,
    };
    if (device->lock)
        device->lock(device->lock_user);
    VkResult result = recorder->vk->QueueSubmit(device->queue, 1, &submit, recorder->fence);
    if (device->unlock)
        device->unlock(device->lock_user);
    return result;
}

pietra_result gpu_recorder_submit(gpu_recorder *recorder, pietra_error *error)
{
    return gpu_recorder_submit_ordered(recorder, &(pietra_vulkan_order){.wait_count = 0}, error);
}

pietra_result gpu_recorder_submit_ordered(gpu_recorder *recorder, const pietra_vulkan_order *order, pietra_error *error)
{
    gpu_device *device = recorder->device;
    recorder_end(recorder);
    VkResult result = recorder->vk->EndCommandBuffer(recorder->commands);
    if (result == VK_SUCCESS)
        result = recorder->vk->ResetFences(device->handle, 1, &recorder->fence);
    if (result == VK_SUCCESS)
        result = recorder_queue(recorder, order);
    if (result != VK_SUCCESS)
        return result_fail(error, result, "a frame cannot be submitted");
    recorder->state = RECORDER_SUBMITTED;
    recorder->submitted_ms = trace_begin(&device->trace);
    return PIETRA_OK;
}

/* Takes what a wait for the fence returned. */
static pietra_result recorder_finish(gpu_recorder *recorder, VkResult result, pietra_error *error)
{
    gpu_device *device = recorder->device;
    if (result != VK_SUCCESS && result != VK_ERROR_DEVICE_LOST)
        device->abandoned = true; /* the work may still be running */
    recorder->state = result == VK_SUCCESS ? RECORDER_DONE : RECORDER_IDLE;
    if (result != VK_SUCCESS)
        return result_fail(error, result, "a frame failed");
    recorder->waited_ms = trace_begin(&device->trace);
    trace_end(&device->trace, "run on the GPU", recorder->submitted_ms);
    return PIETRA_OK;
}

pietra_result gpu_recorder_wait_for(gpu_recorder *recorder, uint64_t timeout_ns, pietra_error *error, bool *done)
{
    assert(recorder->state == RECORDER_SUBMITTED);
    const VkResult result =
        recorder->vk->WaitForFences(recorder->device->handle, 1, &recorder->fence, VK_TRUE, timeout_ns);
    *done = result != VK_TIMEOUT;
    return *done ? recorder_finish(recorder, result, error) : PIETRA_OK;
}

pietra_result gpu_recorder_wait(gpu_recorder *recorder, pietra_error *error)
{
    gpu_device *device = recorder->device;
    uint64_t timeout = device->limits.hardware ? HARDWARE_TIMEOUT_NS : SOFTWARE_TIMEOUT_NS;
    bool done;
    pietra_result result = gpu_recorder_wait_for(recorder, timeout, error, &done);
    if (done)
        return result;
    device->abandoned = true;
    return error_set(error, PIETRA_ERROR_DEVICE, 0, "the device has not answered for %u seconds",
                     (unsigned)(timeout / 1000000000));
}

void gpu_recorder_give_up(gpu_recorder *recorder)
{
    if (recorder && recorder->state == RECORDER_SUBMITTED && !recorder->device->abandoned)
        (void)gpu_recorder_wait(recorder, NULL);
}
