/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The images that the window's system lends, one by one. */
#ifndef VIEW_SWAPCHAIN_H
#define VIEW_SWAPCHAIN_H

#include "graphics.h"
#include "screen.h"

/* Zero bytes are none. */
typedef struct swapchain {
    VkSwapchainKHR handle;
    VkFormat format;
    uint32_t width, height; /* pixels */
    VkImage *images;
    uint32_t image_count, current;
    VkSemaphore acquired; /* signalled when the current image may be written */
    bool pending;         /* nothing has waited for that so far */
    bool old;             /* the window has become another */
} swapchain;

/* Borrows an image of a window of this size, and makes the swapchain anew where it must be. An image that was borrowed
 * and not given back is borrowed still. */
screen_result swapchain_acquire(const graphics *graphics, swapchain *swapchain, uint32_t width, uint32_t height);
/* Shows the image, which must be written and in VK_IMAGE_LAYOUT_PRESENT_SRC_KHR. */
screen_result swapchain_present(const graphics *graphics, swapchain *swapchain);
void swapchain_destroy(const graphics *graphics, swapchain *swapchain);

#endif
