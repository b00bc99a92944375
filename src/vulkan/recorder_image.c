/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <assert.h>

#include "vulkan/recorder_state.h"

/* Begins with a barrier for one image: its first level and layer. */
static VkImageMemoryBarrier barrier_of(const pietra_vulkan_target *image)
{
    return (VkImageMemoryBarrier){
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = image->image,
        .subresourceRange = {.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT, .levelCount = 1, .layerCount = 1},
    };
}

/* How an image is written. */
typedef struct image_use {
    VkImageLayout layout;
    VkPipelineStageFlags stage;
    VkAccessFlags access;
} image_use;

static const image_use copied = {VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_PIPELINE_STAGE_TRANSFER_BIT,
                                 VK_ACCESS_TRANSFER_WRITE_BIT};
static const image_use stored = {VK_IMAGE_LAYOUT_GENERAL, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                                 VK_ACCESS_SHADER_WRITE_BIT};

/* Waits for all that was done to the image on this queue. */
static void acquire(gpu_recorder *recorder, const pietra_vulkan_target *image, const image_use *use)
{
    VkImageMemoryBarrier barrier = barrier_of(image);
    const uint32_t own = recorder->device->queue_family;
    barrier.oldLayout = image->before;
    barrier.newLayout = use->layout;
    barrier.srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT;
    barrier.dstAccessMask = use->access;
    if (image->changes_family && image->family_before != own) {
        barrier.srcQueueFamilyIndex = image->family_before;
        barrier.dstQueueFamilyIndex = own;
    }
    recorder->vk->CmdPipelineBarrier(recorder->commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, use->stage, 0, 0, NULL, 0,
                                     NULL, 1, &barrier);
}

static void release(gpu_recorder *recorder, const pietra_vulkan_target *image, const image_use *use)
{
    VkImageMemoryBarrier barrier = barrier_of(image);
    const uint32_t own = recorder->device->queue_family;
    barrier.oldLayout = use->layout;
    barrier.newLayout = image->after != VK_IMAGE_LAYOUT_UNDEFINED ? image->after : use->layout;
    barrier.srcAccessMask = use->access;
    barrier.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
    if (image->changes_family && image->family_after != own) {
        barrier.srcQueueFamilyIndex = own;
        barrier.dstQueueFamilyIndex = image->family_after;
        barrier.dstAccessMask = 0;
    }
    recorder->vk->CmdPipelineBarrier(recorder->commands, use->stage, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0,
                                     NULL, 1, &barrier);
}

void gpu_copy_to_image(gpu_recorder *recorder, const gpu_buffer *from, uint32_t row_pixels,
                       const pietra_vulkan_target *image, const gpu_image_box *boxes, uint32_t count)
{
    VkBufferImageCopy regions[PIETRA_DRAWN_BOXES];
    assert(recorder->state == RECORDER_OPEN && count <= PIETRA_DRAWN_BOXES);
    for (uint32_t i = 0; i < count; i++) {
        regions[i] = (VkBufferImageCopy){
            .bufferOffset = boxes[i].offset,
            .bufferRowLength = row_pixels,
            .imageSubresource = {.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT, .layerCount = 1},
            .imageOffset = {(int32_t)boxes[i].x, (int32_t)boxes[i].y, 0},
            .imageExtent = {boxes[i].width, boxes[i].height, 1},
        };
    }
    acquire(recorder, image, &copied);
    recorder->vk->CmdCopyBufferToImage(recorder->commands, from->handle, image->image,
                                       VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, count, regions);
    release(recorder, image, &copied);
}

void gpu_begin_stores(gpu_recorder *recorder, const pietra_vulkan_target *image)
{
    acquire(recorder, image, &stored);
}

void gpu_end_stores(gpu_recorder *recorder, const pietra_vulkan_target *image)
{
    release(recorder, image, &stored);
}

void gpu_pass_image(gpu_recorder *recorder, const pietra_vulkan_target *image)
{
    const image_use *use = image->view ? &stored : &copied;
    acquire(recorder, image, use);
    release(recorder, image, use);
}
