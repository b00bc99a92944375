/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "swapchain.h"

#include <stdlib.h>

#define FORMATS_MOST 128u
#define IMAGES_MOST 32u
#define WAIT_NS 1000000000u /* then the viewer looks for events and tries again */

/* Formats that hold the bytes of a picture as they are, the best first. */
static const VkFormat formats[] = {VK_FORMAT_B8G8R8A8_UNORM,
                                   VK_FORMAT_R8G8B8A8_UNORM,
                                   VK_FORMAT_A8B8G8R8_UNORM_PACK32,
                                   VK_FORMAT_B8G8R8A8_SRGB,
                                   VK_FORMAT_R8G8B8A8_SRGB,
                                   VK_FORMAT_A8B8G8R8_SRGB_PACK32,
                                   VK_FORMAT_A2B10G10R10_UNORM_PACK32,
                                   VK_FORMAT_A2R10G10B10_UNORM_PACK32};

static bool choose_format(const graphics *graphics, VkFormat *format)
{
    VkSurfaceFormatKHR list[FORMATS_MOST];
    uint32_t count = FORMATS_MOST;
    const VkResult result =
        graphics->GetPhysicalDeviceSurfaceFormatsKHR(graphics->gpu, graphics->surface, &count, list);

    if (result != VK_SUCCESS && result != VK_INCOMPLETE)
        return false;
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        for (uint32_t j = 0; j < count; j++) {
            if (list[j].format == formats[i] && list[j].colorSpace == VK_COLOR_SPACE_SRGB_NONLINEAR_KHR) {
                *format = formats[i];
                return true;
            }
        }
    }
    return false;
}

static uint32_t clamp(uint32_t value, uint32_t least, uint32_t most)
{
    return value < least ? least : value > most ? most : value;
}

static VkCompositeAlphaFlagBitsKHR choose_alpha(VkCompositeAlphaFlagsKHR supported)
{
    /* Pictures are opaque, unless the background is not: so any will do. */
    return supported & VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR ? VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR
                                                         : (VkCompositeAlphaFlagBitsKHR)(supported & (~supported + 1));
}

/* Pietra's kernels store into views of these formats. */
static bool can_store(const graphics *graphics, VkFormat format, VkImageUsageFlags usages)
{
    VkFormatProperties properties;

    graphics->GetPhysicalDeviceFormatProperties(graphics->gpu, format, &properties);
    return graphics->stores && (format == VK_FORMAT_B8G8R8A8_UNORM || format == VK_FORMAT_R8G8B8A8_UNORM) &&
           usages & VK_IMAGE_USAGE_STORAGE_BIT &&
           properties.optimalTilingFeatures & VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT;
}

static bool make_semaphore(const graphics *graphics, VkSemaphore *semaphore)
{
    const VkSemaphoreCreateInfo create = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};

    return *semaphore || graphics->CreateSemaphore(graphics->device, &create, NULL, semaphore) == VK_SUCCESS;
}

static bool make_view(const graphics *graphics, const swapchain *swapchain, swapchain_image *image)
{
    const VkImageViewCreateInfo create = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .image = image->image,
        .viewType = VK_IMAGE_VIEW_TYPE_2D,
        .format = swapchain->format,
        .subresourceRange = {.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT, .levelCount = 1, .layerCount = 1}};

    return !swapchain->stores || graphics->CreateImageView(graphics->device, &create, NULL, &image->view) == VK_SUCCESS;
}

static bool make_images(const graphics *graphics, swapchain *swapchain)
{
    VkImage images[IMAGES_MOST];
    uint32_t count = IMAGES_MOST;

    if (graphics->GetSwapchainImagesKHR(graphics->device, swapchain->handle, &count, images) != VK_SUCCESS)
        return false;
    swapchain->images = calloc(count, sizeof *swapchain->images);
    bool made = swapchain->images != NULL;
    swapchain->image_count = made ? count : 0;
    for (uint32_t i = 0; i < count && made; i++) {
        swapchain->images[i].image = images[i];
        made = make_view(graphics, swapchain, &swapchain->images[i]) &&
               make_semaphore(graphics, &swapchain->images[i].drawn);
    }
    for (uint32_t i = 0; i < SCREEN_FRAMES && made; i++)
        made = make_semaphore(graphics, &swapchain->acquired[i]);
    return made;
}

/* Nothing may be in flight. The images themselves are the swapchain's. */
static void free_images(const graphics *graphics, swapchain *swapchain)
{
    for (uint32_t i = 0; i < swapchain->image_count; i++) {
        graphics->DestroyImageView(graphics->device, swapchain->images[i].view, NULL);
        graphics->DestroySemaphore(graphics->device, swapchain->images[i].drawn, NULL);
    }
    free(swapchain->images);
    swapchain->images = NULL;
    swapchain->image_count = 0;
}

static screen_result make(const graphics *graphics, swapchain *swapchain, uint32_t width, uint32_t height)
{
    const VkSwapchainKHR before = swapchain->handle;
    VkSurfaceCapabilitiesKHR able;

    if (graphics->GetPhysicalDeviceSurfaceCapabilitiesKHR(graphics->gpu, graphics->surface, &able) != VK_SUCCESS ||
        !(able.supportedUsageFlags & VK_IMAGE_USAGE_TRANSFER_DST_BIT) || !choose_format(graphics, &swapchain->format))
        return SCREEN_LOST;
    const bool fixed = able.currentExtent.width != UINT32_MAX;
    swapchain->width =
        fixed ? able.currentExtent.width : clamp(width, able.minImageExtent.width, able.maxImageExtent.width);
    swapchain->height =
        fixed ? able.currentExtent.height : clamp(height, able.minImageExtent.height, able.maxImageExtent.height);
    if (!swapchain->width || !swapchain->height)
        return SCREEN_LATER;
    swapchain->stores = can_store(graphics, swapchain->format, able.supportedUsageFlags);
    /* What is hidden of an image is not clipped, as it may be shown later without being drawn anew. */
    const VkSwapchainCreateInfoKHR create = {
        .sType = VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR,
        .surface = graphics->surface,
        .minImageCount = clamp(able.minImageCount + 1, 1, able.maxImageCount ? able.maxImageCount : UINT32_MAX),
        .imageFormat = swapchain->format,
        .imageColorSpace = VK_COLOR_SPACE_SRGB_NONLINEAR_KHR,
        .imageExtent = {swapchain->width, swapchain->height},
        .imageArrayLayers = 1,
        .imageUsage = VK_IMAGE_USAGE_TRANSFER_DST_BIT | (swapchain->stores ? VK_IMAGE_USAGE_STORAGE_BIT : 0u),
        .imageSharingMode = VK_SHARING_MODE_EXCLUSIVE,
        .preTransform = able.currentTransform,
        .compositeAlpha = choose_alpha(able.supportedCompositeAlpha),
        .presentMode = VK_PRESENT_MODE_FIFO_KHR,
        .oldSwapchain = before};
    graphics->QueueWaitIdle(graphics->queue);
    free_images(graphics, swapchain);
    swapchain->handle = VK_NULL_HANDLE;
    const VkResult result = graphics->CreateSwapchainKHR(graphics->device, &create, NULL, &swapchain->handle);
    graphics->DestroySwapchainKHR(graphics->device, before, NULL);
    swapchain->old = false;
    return result == VK_SUCCESS && make_images(graphics, swapchain) ? SCREEN_READY : SCREEN_LOST;
}

screen_result swapchain_acquire(const graphics *graphics, swapchain *swapchain, uint32_t width, uint32_t height)
{
    VkResult result = VK_ERROR_OUT_OF_DATE_KHR;

    if (!width || !height)
        return SCREEN_LATER;
    if (swapchain->pending)
        return SCREEN_READY;
    swapchain->old |= !swapchain->handle || swapchain->width != width || swapchain->height != height;
    for (int tries = 0; tries < 3 && result == VK_ERROR_OUT_OF_DATE_KHR; tries++) {
        const screen_result made = swapchain->old ? make(graphics, swapchain, width, height) : SCREEN_READY;
        if (made != SCREEN_READY)
            return made;
        result = graphics->AcquireNextImageKHR(graphics->device, swapchain->handle, WAIT_NS,
                                               swapchain->acquired[(swapchain->turn + 1) % SCREEN_FRAMES],
                                               VK_NULL_HANDLE, &swapchain->current);
        swapchain->old = result == VK_ERROR_OUT_OF_DATE_KHR;
    }
    swapchain->pending = result == VK_SUCCESS || result == VK_SUBOPTIMAL_KHR;
    if (swapchain->pending) {
        swapchain->turn = (swapchain->turn + 1) % SCREEN_FRAMES;
        return SCREEN_READY;
    }
    return result == VK_TIMEOUT || result == VK_NOT_READY || result == VK_ERROR_OUT_OF_DATE_KHR ? SCREEN_LATER
                                                                                                : SCREEN_LOST;
}

screen_result swapchain_present(const graphics *graphics, swapchain *swapchain)
{
    const VkPresentInfoKHR present = {.sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR,
                                      .waitSemaphoreCount = 1,
                                      .pWaitSemaphores = &swapchain->images[swapchain->current].drawn,
                                      .swapchainCount = 1,
                                      .pSwapchains = &swapchain->handle,
                                      .pImageIndices = &swapchain->current};
    const VkResult result = graphics->QueuePresentKHR(graphics->queue, &present);

    swapchain->old = result == VK_SUBOPTIMAL_KHR || result == VK_ERROR_OUT_OF_DATE_KHR;
    if (result == VK_SUCCESS || result == VK_SUBOPTIMAL_KHR)
        return SCREEN_READY;
    return swapchain->old ? SCREEN_LATER : SCREEN_LOST;
}

void swapchain_destroy(const graphics *graphics, swapchain *swapchain)
{
    if (!graphics->device)
        return;
    graphics->QueueWaitIdle(graphics->queue);
    free_images(graphics, swapchain);
    graphics->DestroySwapchainKHR(graphics->device, swapchain->handle, NULL);
    for (uint32_t i = 0; i < SCREEN_FRAMES; i++)
        graphics->DestroySemaphore(graphics->device, swapchain->acquired[i], NULL);
    *swapchain = (struct swapchain){.handle = VK_NULL_HANDLE};
}
