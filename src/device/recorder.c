#include "device/recorder.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "device/context.h"
#include "device/result.h"

/* A frame takes milliseconds on a GPU and seconds on the processor; validation costs a factor of ten on top. */
#define HARDWARE_TIMEOUT_NS UINT64_C(60000000000)
#define SOFTWARE_TIMEOUT_NS UINT64_C(600000000000)

/* Two more than the marks: the start and the end of the recording. */
#define RECORDER_QUERIES (GPU_MAX_MARKS + 2)

typedef enum recorder_state { RECORDER_IDLE = 0, RECORDER_OPEN, RECORDER_SUBMITTED, RECORDER_DONE } recorder_state;

struct gpu_recorder {
    gpu_device *device;
    const gpu_functions *vk;
    VkCommandPool pool;
    VkCommandBuffer commands;
    VkFence fence;
    VkQueryPool queries;      /* VK_NULL_HANDLE: no timestamps */
    VkPipeline bound;
    recorder_state state;
    uint32_t mark_count;
    const char *marks[GPU_MAX_MARKS];
    uint64_t ticks[RECORDER_QUERIES];
};

static VkResult recorder_make(gpu_recorder *recorder)
{
    gpu_device *device = recorder->device;
    const gpu_functions *vk = recorder->vk;
    const VkCommandPoolCreateInfo pool = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
        .queueFamilyIndex = device->queue_family,
    };
    VkResult result = vk->CreateCommandPool(device->handle, &pool, NULL, &recorder->pool);
    if (result != VK_SUCCESS) {
        return result;
    }
    const VkCommandBufferAllocateInfo commands = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = recorder->pool,
        .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
        .commandBufferCount = 1,
    };
    result = vk->AllocateCommandBuffers(device->handle, &commands, &recorder->commands);
    if (result != VK_SUCCESS) {
        return result;
    }
    const VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    result = vk->CreateFence(device->handle, &fence, NULL, &recorder->fence);
    if (result != VK_SUCCESS || device->timestamp_bits == 0) {
        return result;
    }
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
    if (!made) {
        return error_set(error, PIETRA_ERROR_MEMORY, 0, "out of memory");
    }
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
    if (!recorder) {
        return;
    }
    gpu_device *device = recorder->device;
    if (!device->abandoned) {
        assert(recorder->state != RECORDER_SUBMITTED);
        recorder->vk->DestroyQueryPool(device->handle, recorder->queries, NULL);
        recorder->vk->DestroyFence(device->handle, recorder->fence, NULL);
        recorder->vk->DestroyCommandPool(device->handle, recorder->pool, NULL);
    }
    free(recorder);
}

static void recorder_timestamp(gpu_recorder *recorder, VkPipelineStageFlagBits stage, uint32_t query)
{
    if (recorder->queries) {
        recorder->vk->CmdWriteTimestamp(recorder->commands, stage, recorder->queries, query);
    }
}

static void recorder_barrier(gpu_recorder *recorder, VkPipelineStageFlags stages, VkAccessFlags accesses)
{
    const VkMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT,
        .dstAccessMask = accesses,
    };
    recorder->vk->CmdPipelineBarrier(recorder->commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT, stages, 0, 1,
                                     &barrier, 0, NULL, 0, NULL);
}

pietra_result gpu_recorder_begin(gpu_recorder *recorder, pietra_error *error)
{
    gpu_device *device = recorder->device;
    assert(recorder->state != RECORDER_SUBMITTED);
    if (device->abandoned) {
        return error_set(error, PIETRA_ERROR_DEVICE, 0, "the device no longer answers");
    }
    recorder->state = RECORDER_IDLE;
    recorder->bound = VK_NULL_HANDLE;
    recorder->mark_count = 0;
    VkResult result = recorder->vk->ResetCommandPool(device->handle, recorder->pool, 0);
    if (result == VK_SUCCESS) {
        const VkCommandBufferBeginInfo begin = {
            .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
            .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT,
        };
        result = recorder->vk->BeginCommandBuffer(recorder->commands, &begin);
    }
    if (result != VK_SUCCESS) {
        return result_fail(error, result, "a frame cannot be recorded");
    }
    if (recorder->queries) {
        recorder->vk->ResetQueryPool(device->handle, recorder->queries, 0, RECORDER_QUERIES);
    }
    recorder->state = RECORDER_OPEN;
    gpu_barrier(recorder);
    recorder_timestamp(recorder, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, 0);
    return PIETRA_OK;
}

static uint64_t range_bytes(gpu_range range)
{
    return range.bytes ? range.bytes : range.buffer->bytes - range.offset;
}

static void recorder_bind(gpu_recorder *recorder, const gpu_program *program, const gpu_range *ranges, const void *push)
{
    const gpu_functions *vk = recorder->vk;
    const gpu_limits *limits = &recorder->device->limits;
    VkDescriptorBufferInfo buffers[GPU_MAX_BINDINGS];
    VkWriteDescriptorSet writes[GPU_MAX_BINDINGS];
    assert(recorder->state == RECORDER_OPEN);
    for (uint32_t i = 0; i < program->buffer_count; i++) {
        uint64_t bytes = range_bytes(ranges[i]);
        assert(ranges[i].offset < ranges[i].buffer->bytes && bytes <= ranges[i].buffer->bytes - ranges[i].offset);
        assert(ranges[i].offset % limits->storage_alignment == 0 && bytes <= limits->max_binding_bytes);
        (void)limits;
        buffers[i] = (VkDescriptorBufferInfo){.buffer = ranges[i].buffer->handle, .offset = ranges[i].offset, .range = bytes};
        writes[i] = (VkWriteDescriptorSet){
            .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
            .dstBinding = i,
            .descriptorCount = 1,
            .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
            .pBufferInfo = &buffers[i],
        };
    }
    if (recorder->bound != program->pipeline) {
        recorder->bound = program->pipeline;
        vk->CmdBindPipeline(recorder->commands, VK_PIPELINE_BIND_POINT_COMPUTE, program->pipeline);
    }
    if (program->buffer_count) {
        vk->CmdPushDescriptorSetKHR(recorder->commands, VK_PIPELINE_BIND_POINT_COMPUTE, program->layout, 0, program->buffer_count, writes);
    }
    if (program->push_bytes) {
        vk->CmdPushConstants(recorder->commands, program->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, program->push_bytes, push);
    }
}

void gpu_dispatch(gpu_recorder *recorder, const gpu_program *program, const gpu_range *ranges, const void *push, uint32_t x, uint32_t y, uint32_t z)
{
    const uint32_t *max = recorder->device->limits.max_groups;
    assert(x <= max[0] && y <= max[1] && z <= max[2]);
    (void)max;
    recorder_bind(recorder, program, ranges, push);
    recorder->vk->CmdDispatch(recorder->commands, x, y, z);
}

void gpu_dispatch_indirect(gpu_recorder *recorder, const gpu_program *program, const gpu_range *ranges, const void *push, gpu_range arguments)
{
    assert(arguments.offset % 4 == 0 && range_bytes(arguments) >= sizeof(VkDispatchIndirectCommand));
    recorder_bind(recorder, program, ranges, push);
    recorder->vk->CmdDispatchIndirect(recorder->commands, arguments.buffer->handle, arguments.offset);
}

void gpu_barrier(gpu_recorder *recorder)
{
    assert(recorder->state == RECORDER_OPEN);
    recorder_barrier(recorder, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT | VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT,
                     VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT
                         | VK_ACCESS_INDIRECT_COMMAND_READ_BIT);
}

void gpu_fill(gpu_recorder *recorder, gpu_range range, uint32_t value)
{
    assert(recorder->state == RECORDER_OPEN && range.offset % 4 == 0);
    uint64_t bytes = range.bytes ? range.bytes : VK_WHOLE_SIZE; /* of the buffer's whole words */
    assert(range.bytes % 4 == 0);
    recorder->vk->CmdFillBuffer(recorder->commands, range.buffer->handle, range.offset, bytes, value);
}

void gpu_copy(gpu_recorder *recorder, gpu_range from, gpu_range to)
{
    assert(recorder->state == RECORDER_OPEN);
    const VkBufferCopy region = {.srcOffset = from.offset, .dstOffset = to.offset, .size = range_bytes(from)};
    assert(from.offset + region.size <= from.buffer->bytes && to.offset + region.size <= to.buffer->bytes);
    recorder->vk->CmdCopyBuffer(recorder->commands, from.buffer->handle, to.buffer->handle, 1, &region);
}

void gpu_mark(gpu_recorder *recorder, const char *name)
{
    assert(recorder->state == RECORDER_OPEN && recorder->mark_count < GPU_MAX_MARKS);
    recorder->marks[recorder->mark_count++] = name;
    recorder_timestamp(recorder, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, recorder->mark_count);
}

pietra_result gpu_recorder_submit(gpu_recorder *recorder, pietra_error *error)
{
    gpu_device *device = recorder->device;
    assert(recorder->state == RECORDER_OPEN);
    recorder->state = RECORDER_IDLE;
    recorder_barrier(recorder, VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
    recorder_timestamp(recorder, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, recorder->mark_count + 1);
    VkResult result = recorder->vk->EndCommandBuffer(recorder->commands);
    if (result == VK_SUCCESS) {
        result = recorder->vk->ResetFences(device->handle, 1, &recorder->fence);
    }
    if (result == VK_SUCCESS) {
        const VkSubmitInfo submit = {
            .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
            .commandBufferCount = 1,
            .pCommandBuffers = &recorder->commands,
        };
        result = recorder->vk->QueueSubmit(device->queue, 1, &submit, recorder->fence);
    }
    if (result != VK_SUCCESS) {
        return result_fail(error, result, "a frame cannot be submitted");
    }
    recorder->state = RECORDER_SUBMITTED;
    return PIETRA_OK;
}

pietra_result gpu_recorder_wait(gpu_recorder *recorder, pietra_error *error)
{
    gpu_device *device = recorder->device;
    uint64_t timeout = device->limits.hardware ? HARDWARE_TIMEOUT_NS : SOFTWARE_TIMEOUT_NS;
    assert(recorder->state == RECORDER_SUBMITTED);
    VkResult result = recorder->vk->WaitForFences(device->handle, 1, &recorder->fence, VK_TRUE, timeout);
    if (result == VK_TIMEOUT) {
        device->abandoned = true;
        return error_set(error, PIETRA_ERROR_DEVICE, 0, "the device has not answered for %u seconds", (unsigned)(timeout / 1000000000));
    }
    recorder->state = result == VK_SUCCESS ? RECORDER_DONE : RECORDER_IDLE;
    if (result != VK_SUCCESS) {
        return result_fail(error, result, "a frame failed");
    }
    return PIETRA_OK;
}

static double recorder_milliseconds(const gpu_recorder *recorder, uint64_t from, uint64_t to)
{
    uint32_t bits = recorder->device->timestamp_bits;
    uint64_t mask = bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
    return (double)((to - from) & mask) * (double)recorder->device->limits.timestamp_period_ns * 1e-6;
}

/* Where the stage of this name stands: the same name again adds to it. */
static size_t recorder_stage(const gpu_recorder *recorder, uint32_t mark, size_t count, uint32_t *firsts)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(recorder->marks[firsts[i]], recorder->marks[mark]) == 0) {
            return i;
        }
    }
    firsts[count] = mark;
    return count;
}

void gpu_recorder_times(gpu_recorder *recorder, size_t capacity, gpu_stage_time *stages, size_t *count, double *total_ms)
{
    uint32_t firsts[GPU_MAX_MARKS];
    uint32_t queries = recorder->mark_count + 2;
    *count = 0;
    *total_ms = 0.0;
    assert(recorder->state == RECORDER_DONE);
    if (!recorder->queries
        || recorder->vk->GetQueryPoolResults(recorder->device->handle, recorder->queries, 0, queries, queries * sizeof(uint64_t), recorder->ticks,
                                             sizeof(uint64_t), VK_QUERY_RESULT_64_BIT) != VK_SUCCESS) {
        return;
    }
    *total_ms = recorder_milliseconds(recorder, recorder->ticks[0], recorder->ticks[queries - 1]);
    for (uint32_t i = 0; i < recorder->mark_count; i++) {
        size_t stage = recorder_stage(recorder, i, *count, firsts);
        bool added = stage == *count;
        *count += added;
        if (stage < capacity) {
            double before = added ? 0.0 : stages[stage].milliseconds;
            stages[stage] = (gpu_stage_time){
                .name = recorder->marks[i],
                .milliseconds = before + recorder_milliseconds(recorder, recorder->ticks[i], recorder->ticks[i + 1]),
            };
        }
    }
}
