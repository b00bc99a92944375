/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A viewer to which things happen.
 *
 * - As long as the file that PIETRA_LOSE names has bytes, a frame takes the last of them and the device is lost: if it
 *   is 'w' when it is waited for, else when it is submitted.
 * - PIETRA_DRAWN names a file that gets a line for each frame: the size of its picture, and of the part that is drawn.
 * - PIETRA_ROTATE: an image is kept back while another is shown, as by a system that shows pictures later. Drivers in
 *   software lend the same image again and again. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define VK_NO_PROTOTYPES
#include <SDL_vulkan.h>

#include "pietra/pietra_vulkan.h"

/* The linker puts the functions __wrap_ in place of the library's, which __real_ names. */
#define SUBMIT_VULKAN(name) \
    pietra_result name(pietra_view *view, const pietra_submission *submission, const pietra_vulkan_target *target, \
                       const pietra_vulkan_order *order, pietra_error *error, pietra_ticket *ticket)
#define SUBMIT(name) \
    pietra_result name(pietra_view *view, const pietra_submission *submission, const pietra_target *target, \
                       pietra_error *error, pietra_ticket *ticket)
#define WAIT(name) \
    pietra_result name(pietra_view *view, uint64_t number, uint64_t timeout_ns, pietra_error *error, bool *done, \
                       pietra_stats *stats)
SUBMIT_VULKAN(__real_pietra_view_submit_vulkan);
SUBMIT_VULKAN(__wrap_pietra_view_submit_vulkan);
SUBMIT(__real_pietra_view_submit);
SUBMIT(__wrap_pietra_view_submit);
WAIT(__real_pietra_view_wait);
WAIT(__wrap_pietra_view_wait);
void *__real_SDL_Vulkan_GetVkGetInstanceProcAddr(void);
void *__wrap_SDL_Vulkan_GetVkGetInstanceProcAddr(void);

/* ---- Frames ---- */

/* Takes the last byte of the file, if it is that which is meant. */
static bool is_lost(bool waits)
{
    const char *path = getenv("PIETRA_LOSE");
    FILE *file = path ? fopen(path, "r") : NULL;
    const bool has = file && fseek(file, -1, SEEK_END) == 0;
    const long place = has ? ftell(file) : 0;
    const int byte = has ? fgetc(file) : EOF;

    if (file)
        fclose(file);
    return byte != EOF && (byte == 'w') == waits && truncate(path, place) == 0;
}

static pietra_result lose(pietra_error *error)
{
    *error = (pietra_error){.result = PIETRA_ERROR_DEVICE, .message = "the test lost the device"};
    return error->result;
}

static void tell(uint32_t width, uint32_t height, const pietra_ticket *ticket)
{
    const char *path = getenv("PIETRA_DRAWN");
    FILE *file = path ? fopen(path, "a") : NULL;
    const pietra_pixel_box box = ticket->drawn;

    if (!file)
        return;
    fprintf(file, "%u %u %u %u\n", width, height, (unsigned)(box.x1 - box.x0), (unsigned)(box.y1 - box.y0));
    fclose(file);
}

SUBMIT_VULKAN(__wrap_pietra_view_submit_vulkan)
{
    if (is_lost(false))
        return lose(error);
    const pietra_result result = __real_pietra_view_submit_vulkan(view, submission, target, order, error, ticket);
    if (result == PIETRA_OK)
        tell(target->width, target->height, ticket);
    return result;
}

SUBMIT(__wrap_pietra_view_submit)
{
    const pietra_result result = __real_pietra_view_submit(view, submission, target, error, ticket);

    if (result == PIETRA_OK)
        tell(target->width, target->height, ticket);
    return result;
}

WAIT(__wrap_pietra_view_wait)
{
    return is_lost(true) ? lose(error) : __real_pietra_view_wait(view, number, timeout_ns, error, done, stats);
}

/* ---- Images ---- */

static PFN_vkGetInstanceProcAddr get_proc;
static PFN_vkAcquireNextImageKHR acquire;
static PFN_vkCreateFence create_fence;
static PFN_vkWaitForFences wait_for_fences;
static PFN_vkDestroyFence destroy_fence;

/* Takes an image of a new swapchain to keep it back. */
static VkResult take_first(VkDevice device, VkSwapchainKHR swapchain, uint64_t timeout, uint32_t *kept)
{
    const VkFenceCreateInfo create = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    VkFence fence;
    VkResult result = create_fence(device, &create, NULL, &fence);

    if (result != VK_SUCCESS)
        return result;
    result = acquire(device, swapchain, timeout, VK_NULL_HANDLE, fence, kept);
    if (result == VK_SUCCESS || result == VK_SUBOPTIMAL_KHR)
        wait_for_fences(device, 1, &fence, VK_TRUE, UINT64_MAX);
    destroy_fence(device, fence, NULL);
    return result;
}

/* Gives the image that was kept back, and keeps the one that comes. */
static VkResult acquire_in_turn(VkDevice device, VkSwapchainKHR swapchain, uint64_t timeout, VkSemaphore semaphore,
                                VkFence fence, uint32_t *image)
{
    static VkSwapchainKHR known;
    static uint32_t kept;
    uint32_t comes;
    VkResult result = swapchain == known ? VK_SUCCESS : take_first(device, swapchain, timeout, &kept);

    if (result != VK_SUCCESS && result != VK_SUBOPTIMAL_KHR)
        return result;
    known = swapchain;
    result = acquire(device, swapchain, timeout, semaphore, fence, &comes);
    if (result == VK_SUCCESS || result == VK_SUBOPTIMAL_KHR) {
        *image = kept;
        kept = comes;
    }
    return result;
}

static PFN_vkVoidFunction get_proc_in_turn(VkInstance instance, const char *name)
{
    if (strcmp(name, "vkAcquireNextImageKHR") != 0)
        return get_proc(instance, name);
    acquire = (PFN_vkAcquireNextImageKHR)get_proc(instance, name);
    create_fence = (PFN_vkCreateFence)get_proc(instance, "vkCreateFence");
    wait_for_fences = (PFN_vkWaitForFences)get_proc(instance, "vkWaitForFences");
    destroy_fence = (PFN_vkDestroyFence)get_proc(instance, "vkDestroyFence");
    return (PFN_vkVoidFunction)acquire_in_turn;
}

void *__wrap_SDL_Vulkan_GetVkGetInstanceProcAddr(void)
{
    const PFN_vkGetInstanceProcAddr in_turn = get_proc_in_turn;
    void *found = __real_SDL_Vulkan_GetVkGetInstanceProcAddr();

    memcpy(&get_proc, &found, sizeof found);
    if (found && getenv("PIETRA_ROTATE"))
        memcpy(&found, &in_turn, sizeof found);
    return found;
}
