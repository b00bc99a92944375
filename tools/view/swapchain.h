/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The images that the window's system lends, one by one. */
#ifndef VIEW_SWAPCHAIN_H
#define VIEW_SWAPCHAIN_H

#include "graphics.h"
#include "screen.h"

typedef struct swapchain_image {
    VkImage image;
    VkImageView view;  /* for kernels that write it; VK_NULL_HANDLE: it is copied to */
    VkSemaphore drawn; /* signalled when it may be shown */
    screen_image holds;
} swapchain_image;

/* Zero bytes are none. */
typedef struct swapchain {
    VkSwapchainKHR handle;
    VkFormat format;
    bool stores;            /* images have views */
    uint32_t width, height; /* pixels */
    swapchain_image *images;
    uint32_t image_count, current;
    VkSemaphore acquired[SCREEN_FRAMES]; /* signalled when an image may be written; in turn, */
    uint32_t turn;                       /* this one for the current image */
    bool pending;                        /* nothing has waited for that so far */
    bool old;                            /* the window has become another */
} swapchain;

/* Borrows an image of a window of this size, and makes the swapchain anew where it must be. An image that was borrowed
 * and not given back is borrowed still. Fewer than SCREEN_FRAMES pictures may be in flight. */
screen_result swapchain_acquire(const graphics *graphics, swapchain *swapchain, uint32_t width, uint32_t height);
/* Shows the image once `drawn` is signalled, in VK_IMAGE_LAYOUT_PRESENT_SRC_KHR. */
screen_result swapchain_present(const graphics *graphics, swapchain *swapchain);
void swapchain_destroy(const graphics *graphics, swapchain *swapchain);

#endif
