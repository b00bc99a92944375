/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Pietra draws by the viewer's own Vulkan device into the images of its swapchain. */
#include <SDL_vulkan.h>

#include "base/error.h"
#include "screen.h"
#include "swapchain.h"

typedef struct vulkan_screen {
    graphics graphics;
    swapchain swapchain;
} vulkan_screen;

static bool open_screen(screen *screen, const options *options, pietra_error *error)
{
    vulkan_screen *own = SDL_calloc(1, sizeof *own);

    screen->own = own;
    return own ? graphics_open(&own->graphics, screen->window, options, error) : error_set_memory(error) == PIETRA_OK;
}

static void close_screen(screen *screen)
{
    vulkan_screen *own = screen->own;

    if (!own)
        return;
    swapchain_destroy(&own->graphics, &own->swapchain);
    graphics_close(&own->graphics);
    SDL_free(own);
}

static pietra_result create_device(screen *screen, pietra_error *error, pietra_device **device)
{
    const graphics *graphics = &((vulkan_screen *)screen->own)->graphics;
    const pietra_vulkan_device vulkan = {.get_proc = graphics->get_proc,
                                         .instance = graphics->instance,
                                         .gpu = graphics->gpu,
                                         .device = graphics->device,
                                         .queue = graphics->queue,
                                         .queue_family = graphics->family};

    return pietra_device_create_vulkan(NULL, &vulkan, error, device);
}

static screen_result begin(screen *screen)
{
    vulkan_screen *own = screen->own;
    swapchain *swapchain = &own->swapchain;
    int width, height, points;

    SDL_Vulkan_GetDrawableSize(screen->window, &width, &height);
    SDL_GetWindowSize(screen->window, &points, NULL);
    const screen_result result = swapchain_acquire(&own->graphics, swapchain, (uint32_t)width, (uint32_t)height);
    if (result != SCREEN_READY)
        return result;
    screen->scale = points > 0 ? (double)width / points : 1;
    screen->width = swapchain->width;
    screen->height = swapchain->height;
    screen->image = &swapchain->images[swapchain->current].holds;
    return SCREEN_READY;
}

static pietra_result submit(screen *screen, pietra_view *view, const pietra_submission *submission, uint32_t width,
                            uint32_t height, bool is_last, pietra_error *error, pietra_ticket *ticket)
{
    swapchain *swapchain = &((vulkan_screen *)screen->own)->swapchain;
    const swapchain_image *image = &swapchain->images[swapchain->current];
    const pietra_vulkan_target target = {.image = image->image,
                                         .format = swapchain->format,
                                         .width = width,
                                         .height = height,
                                         .before = image->holds.frame ? VK_IMAGE_LAYOUT_PRESENT_SRC_KHR
                                                                      : VK_IMAGE_LAYOUT_UNDEFINED,
                                         .after = VK_IMAGE_LAYOUT_PRESENT_SRC_KHR,
                                         .view = image->view};
    const pietra_vulkan_semaphore acquired = {.semaphore = swapchain->acquired[swapchain->turn]},
                                  drawn = {.semaphore = image->drawn};
    const pietra_vulkan_order order = {.waits = &acquired,
                                       .wait_count = swapchain->pending ? 1 : 0,
                                       .signals = &drawn,
                                       .signal_count = is_last ? 1 : 0};
    const pietra_result result = pietra_view_submit_vulkan(view, submission, &target, &order, error, ticket);

    if (result == PIETRA_OK)
        swapchain->pending = false;
    return result;
}

static screen_result end(screen *screen)
{
    vulkan_screen *own = screen->own;

    return swapchain_present(&own->graphics, &own->swapchain);
}

const screen_kind screen_vulkan = {.window_flags = SDL_WINDOW_VULKAN,
                                   .open = open_screen,
                                   .close = close_screen,
                                   .create_device = create_device,
                                   .begin = begin,
                                   .submit = submit,
                                   .end = end};
