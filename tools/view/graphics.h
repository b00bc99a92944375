/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The viewer's own Vulkan: an instance, a surface of SDL's window, and a device that Pietra can draw by and that can
 * show pictures there. */
#ifndef VIEW_GRAPHICS_H
#define VIEW_GRAPHICS_H

#include <SDL.h>

#define VK_NO_PROTOTYPES
#include "options.h"
#include "pietra/pietra_vulkan.h"

#define GRAPHICS_FUNCTIONS(X) \
    X(AcquireNextImageKHR) \
    X(CreateDevice) \
    X(CreateImageView) \
    X(CreateSemaphore) \
    X(CreateSwapchainKHR) \
    X(DestroyDevice) \
    X(DestroyImageView) \
    X(DestroyInstance) \
    X(DestroySemaphore) \
    X(DestroySurfaceKHR) \
    X(DestroySwapchainKHR) \
    X(EnumerateDeviceExtensionProperties) \
    X(EnumeratePhysicalDevices) \
    X(GetDeviceQueue) \
    X(GetPhysicalDeviceFeatures) \
    X(GetPhysicalDeviceFormatProperties) \
    X(GetPhysicalDeviceProperties) \
    X(GetPhysicalDeviceQueueFamilyProperties) \
    X(GetPhysicalDeviceSurfaceCapabilitiesKHR) \
    X(GetPhysicalDeviceSurfaceFormatsKHR) \
    X(GetPhysicalDeviceSurfaceSupportKHR) \
    X(GetSwapchainImagesKHR) \
    X(QueuePresentKHR) \
    X(QueueWaitIdle)

typedef struct graphics {
    PFN_vkGetInstanceProcAddr get_proc;
#define GRAPHICS_MEMBER(name) PFN_vk##name name;
    GRAPHICS_FUNCTIONS(GRAPHICS_MEMBER)
#undef GRAPHICS_MEMBER
    VkInstance instance;
    VkSurfaceKHR surface;
    VkPhysicalDevice gpu;
    VkDevice device;
    VkQueue queue; /* computes and presents */
    uint32_t family;
    bool stores; /* kernels may write into views of images */
} graphics;

/* Opens what the options choose. After a failure what was opened is closed again. */
bool graphics_open(graphics *graphics, SDL_Window *window, const options *options, pietra_error *error);
void graphics_close(graphics *graphics);

#endif
