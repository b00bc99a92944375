/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A Vulkan device and images as a program has them that draws by Pietra: everything here is the caller's. Every message
 * of the validation layer counts. */
#ifndef PIETRA_RENDER_GPU_CALLER_DEVICE_H
#define PIETRA_RENDER_GPU_CALLER_DEVICE_H

#include <pietra/pietra_vulkan.h>
#include <pthread.h>

#define CALLER_FUNCTIONS(X) \
    X(AllocateCommandBuffers) \
    X(AllocateMemory) \
    X(BeginCommandBuffer) \
    X(BindBufferMemory) \
    X(BindImageMemory) \
    X(CmdClearColorImage) \
    X(CmdCopyBufferToImage) \
    X(CmdCopyImageToBuffer) \
    X(CmdPipelineBarrier) \
    X(CreateBuffer) \
    X(CreateCommandPool) \
    X(CreateImage) \
    X(CreateImageView) \
    X(CreateSemaphore) \
    X(DestroyBuffer) \
    X(DestroyCommandPool) \
    X(DestroyDevice) \
    X(DestroyImage) \
    X(DestroyImageView) \
    X(DestroySemaphore) \
    X(EndCommandBuffer) \
    X(FreeMemory) \
    X(GetBufferMemoryRequirements) \
    X(GetDeviceQueue) \
    X(GetImageMemoryRequirements) \
    X(GetSemaphoreCounterValue) \
    X(MapMemory) \
    X(QueueSubmit) \
    X(QueueWaitIdle) \
    X(ResetCommandPool) \
    X(WaitSemaphores)

typedef struct caller_device {
    void *library;
    PFN_vkGetInstanceProcAddr get_proc;
#define CALLER_MEMBER(name) PFN_vk##name name;
    CALLER_FUNCTIONS(CALLER_MEMBER)
#undef CALLER_MEMBER
    VkInstance instance;
    VkDebugUtilsMessengerEXT messenger;
    VkPhysicalDevice gpu;
    VkPhysicalDeviceMemoryProperties memory;
    VkDevice device;
    VkQueue queue;
    uint32_t family;
    VkCommandPool pool;
    VkCommandBuffer commands;
    pthread_mutex_t mutex; /* of the queue */
    unsigned locks;        /* how often Pietra took it */
    unsigned messages;     /* of the validation layer */
} caller_device;

/* Opens the first GPU that Pietra can use, by what it needs. The device must not move. */
void caller_open(caller_device *caller);
/* Checks that the layer said nothing. */
void caller_close(caller_device *caller);

/* What pietra_device_create_vulkan takes. The queue is locked by caller->mutex. */
pietra_vulkan_device caller_describe(caller_device *caller);

/* Begins the device's only command buffer, which must not be at work; submits it, and signals a semaphore unless it is
 * VK_NULL_HANDLE; waits for all of the queue. */
void caller_begin(caller_device *caller);
void caller_submit(caller_device *caller, VkSemaphore signal);
void caller_wait_idle(caller_device *caller);

typedef struct caller_image {
    VkImage image;
    VkDeviceMemory memory;
    VkFormat format;
    uint32_t width, height, pixel_bytes;
    VkImageLayout layout; /* as the caller knows it */
    VkImageView view;     /* for storage, of the formats that have one */
} caller_image;

caller_image caller_make_image(caller_device *caller, VkFormat format, uint32_t width, uint32_t height);
void caller_destroy_image(caller_device *caller, caller_image *image);
/* Makes all pixels white. Signals a semaphore, unless it is VK_NULL_HANDLE, and does not wait. */
void caller_clear_image(caller_device *caller, caller_image *image, VkSemaphore signal);
/* Records a change of the layout. */
void caller_change_layout(caller_device *caller, caller_image *image, VkImageLayout layout);
/* Gives an image pixels without gaps, for kernels to read. */
void caller_write_image(caller_device *caller, caller_image *image, const uint8_t *pixels);
/* Returns the pixels, without gaps. The test frees them. */
uint8_t *caller_read_image(caller_device *caller, caller_image *image);

VkSemaphore caller_make_semaphore(caller_device *caller, bool is_timeline);

#endif
