/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <assert.h>

#include "vulkan/recorder_state.h"

static uint64_t range_bytes(gpu_range range)
{
    return range.bytes ? range.bytes : range.buffer->bytes - range.offset;
}

/* Binds a program, its buffers and, if it has one, an image. */
static void recorder_bind(gpu_recorder *recorder, const gpu_program *program, const gpu_range *ranges,
                          const VkDescriptorImageInfo *image, const void *push)
{
    const gpu_functions *vk = recorder->vk;
    const gpu_limits *limits = &recorder->device->limits;
    VkDescriptorBufferInfo buffers[GPU_MAX_BINDINGS];
    VkWriteDescriptorSet writes[GPU_MAX_BINDINGS];
    const uint32_t binding_count = program->buffer_count + (image ? 1 : 0);
    assert(recorder->state == RECORDER_OPEN);
    for (uint32_t i = 0; i < program->buffer_count; i++) {
        uint64_t bytes = range_bytes(ranges[i]);
        assert(ranges[i].offset < ranges[i].buffer->bytes && bytes <= ranges[i].buffer->bytes - ranges[i].offset);
        assert(ranges[i].offset % limits->storage_alignment == 0 && bytes <= limits->max_binding_bytes);
        (void)limits;
        buffers[i] =
            (VkDescriptorBufferInfo){.buffer = ranges[i].buffer->handle, .offset = ranges[i].offset, .range = bytes};
        writes[i] = (VkWriteDescriptorSet){
            .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
            .dstBinding = i,
            .descriptorCount = 1,
            .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
            .pBufferInfo = &buffers[i],
        };
    }
    if (image) {
        writes[program->buffer_count] = (VkWriteDescriptorSet){
            .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
            .dstBinding = program->buffer_count,
            .descriptorCount = 1,
            .descriptorType = program->image_type,
            .pImageInfo = image,
        };
    }
    if (recorder->bound != program->pipeline) {
        recorder->bound = program->pipeline;
        vk->CmdBindPipeline(recorder->commands, VK_PIPELINE_BIND_POINT_COMPUTE, program->pipeline);
    }
    if (binding_count) {
        vk->CmdPushDescriptorSetKHR(recorder->commands, VK_PIPELINE_BIND_POINT_COMPUTE, program->layout, 0,
                                    binding_count, writes);
    }
    if (program->push_bytes) {
        vk->CmdPushConstants(recorder->commands, program->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, program->push_bytes,
                             push);
    }
}

void gpu_dispatch_to_image(gpu_recorder *recorder, const gpu_program *program, const gpu_range *ranges,
                           VkImageView view, const void *push, uint32_t x, uint32_t y)
{
    const VkDescriptorImageInfo image = {.imageView = view, .imageLayout = VK_IMAGE_LAYOUT_GENERAL};
    recorder_bind(recorder, program, ranges, &image, push);
    recorder->vk->CmdDispatch(recorder->commands, x, y, 1);
}

void gpu_dispatch_from_image(gpu_recorder *recorder, const gpu_program *program, gpu_range to, VkImageView view,
                             VkImageLayout layout, const void *push, uint32_t x, uint32_t y)
{
    const VkDescriptorImageInfo image = {.imageView = view, .imageLayout = layout};
    recorder_bind(recorder, program, &to, &image, push);
    recorder->vk->CmdDispatch(recorder->commands, x, y, 1);
}

void gpu_dispatch(gpu_recorder *recorder, const gpu_program *program, const gpu_range *ranges, const void *push,
                  uint32_t x, uint32_t y, uint32_t z)
{
    const uint32_t *max = recorder->device->limits.max_groups;
    assert(x <= max[0] && y <= max[1] && z <= max[2]);
    (void)max;
    recorder_bind(recorder, program, ranges, NULL, push);
    recorder->vk->CmdDispatch(recorder->commands, x, y, z);
}

void gpu_dispatch_indirect(gpu_recorder *recorder, const gpu_program *program, const gpu_range *ranges,
                           const void *push, gpu_range arguments)
{
    assert(arguments.offset % 4 == 0 && range_bytes(arguments) >= sizeof(VkDispatchIndirectCommand));
    recorder_bind(recorder, program, ranges, NULL, push);
    recorder->vk->CmdDispatchIndirect(recorder->commands, arguments.buffer->handle, arguments.offset);
}

void recorder_barrier(gpu_recorder *recorder, VkPipelineStageFlags stages, VkAccessFlags accesses)
{
    const VkMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT,
        .dstAccessMask = accesses,
    };
    recorder->vk->CmdPipelineBarrier(recorder->commands,
                                     VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT, stages, 0,
                                     1, &barrier, 0, NULL, 0, NULL);
}

void gpu_barrier(gpu_recorder *recorder)
{
    assert(recorder->state == RECORDER_OPEN);
    recorder_barrier(recorder,
                     VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT |
                         VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT,
                     VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_READ_BIT |
                         VK_ACCESS_TRANSFER_WRITE_BIT | VK_ACCESS_INDIRECT_COMMAND_READ_BIT);
}

void gpu_acquire_images(gpu_recorder *recorder)
{
    const VkMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT,
    };
    recorder->vk->CmdPipelineBarrier(recorder->commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                                     VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, 1, &barrier, 0, NULL, 0, NULL);
}

void gpu_barrier_dispatches(gpu_recorder *recorder)
{
    assert(recorder->state == RECORDER_OPEN);
    recorder_barrier(recorder, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                     VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT);
}

void gpu_fill(gpu_recorder *recorder, gpu_range range, uint32_t value)
{
    assert(recorder->state == RECORDER_OPEN && range.offset % 4 == 0);
    uint64_t bytes = range.bytes ? range.bytes : VK_WHOLE_SIZE; /* the buffer's whole words */
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
