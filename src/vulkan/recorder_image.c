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

/* Waits for all that was done to the image on this queue. */
static void acquire(gpu_recorder *recorder, const pietra_vulkan_target *image)
{
    VkImageMemoryBarrier barrier = barrier_of(image);
    const uint32_t own = recorder->device->queue_family;
    barrier.oldLayout = image->before;
    barrier.newLayout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL;
    barrier.srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT;
    barrier.dstAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
    if (image->changes_family && image->family_before != own) {
        barrier.srcQueueFamilyIndex = image->family_before;
        barrier.dstQueueFamilyIndex = own;
    }
    recorder->vk->CmdPipelineBarrier(recorder->commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                                     VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 0, NULL, 0, NULL, 1, &barrier);
}

static void release(gpu_recorder *recorder, const pietra_vulkan_target *image)
{
    VkImageMemoryBarrier barrier = barrier_of(image);
    const uint32_t own = recorder->device->queue_family;
    barrier.oldLayout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL;
    barrier.newLayout = image->after != VK_IMAGE_LAYOUT_UNDEFINED ? image->after : VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL;
    barrier.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
    barrier.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
    if (image->changes_family && image->family_after != own) {
        barrier.srcQueueFamilyIndex = own;
        barrier.dstQueueFamilyIndex = image->family_after;
        barrier.dstAccessMask = 0;
    }
    recorder->vk->CmdPipelineBarrier(recorder->commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
                                     VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1, &barrier);
}

void gpu_copy_to_image(gpu_recorder *recorder, gpu_range from, uint32_t row_pixels, const pietra_vulkan_target *image,
                       uint32_t x, uint32_t y)
{
    const VkBufferImageCopy region = {
        .bufferOffset = from.offset,
        .bufferRowLength = row_pixels,
        .bufferImageHeight = image->height,
        .imageSubresource = {.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT, .layerCount = 1},
        .imageOffset = {(int32_t)x, (int32_t)y, 0},
        .imageExtent = {image->width, image->height, 1},
    };
    assert(recorder->state == RECORDER_OPEN);
    acquire(recorder, image);
    recorder->vk->CmdCopyBufferToImage(recorder->commands, from.buffer->handle, image->image,
                                       VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &region);
    release(recorder, image);
}
