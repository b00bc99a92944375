/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Drawing by the caller's own Vulkan device into the caller's own images, so that no pixel passes through the host's
 * memory. The conventions of pietra.h hold. It needs Vulkan's headers, and links to nothing of Vulkan. */
#ifndef PIETRA_VULKAN_H
#define PIETRA_VULKAN_H

#include <pietra/pietra.h>
#include <pietra/pietra_view.h>
#include <vulkan/vulkan_core.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- The caller's device ---- */

/* What a VkDevice must be created with, so that Pietra can use it. It must not move once it is filled in, since one
 * structure points to the next. */
typedef struct pietra_vulkan_needs {
    const char *const *extensions; /* to be enabled; static */
    uint32_t extension_count;
    /* The first of a chain of structures. Put it at the end of VkDeviceCreateInfo.pNext. If the caller has structures
     * of these types of its own, it sets their members instead. */
    VkPhysicalDeviceVulkan12Features features;
    VkPhysicalDeviceSubgroupSizeControlFeaturesEXT subgroup_size;
} pietra_vulkan_needs;

/* Finds what a device needs. The instance's application must have asked for Vulkan 1.2 or later. PIETRA_ERROR_DEVICE:
 * the GPU lacks something, which the message names. */
PIETRA_API pietra_result pietra_vulkan_get_needs(PFN_vkGetInstanceProcAddr get_proc, VkInstance instance,
                                                 VkPhysicalDevice gpu, pietra_error *error, pietra_vulkan_needs *needs);

/* All handles are the caller's, and outlive the pietra_device. */
typedef struct pietra_vulkan_device {
    PFN_vkGetInstanceProcAddr get_proc;
    VkInstance instance;
    VkPhysicalDevice gpu;
    VkDevice device;       /* created with what pietra_vulkan_get_needs says */
    VkQueue queue;         /* with compute */
    uint32_t queue_family; /* family of the queue */
    /* Called around each submission to the queue, by the thread that draws. NULL: while a function of this device runs,
     * no other thread uses the queue. */
    void (*lock)(void *user);
    void (*unlock)(void *user);
    void *user;
} pietra_vulkan_device;

/* Opens a device on that of the caller. Of the options, those that choose a GPU and `validation` are ignored: the
 * caller chooses, and hears the layers of its own instance. NULL options are the defaults. PIETRA_ERROR_DEVICE: the
 * device lacks something, or its queue has no compute. */
PIETRA_API pietra_result pietra_device_create_vulkan(const pietra_device_options *options,
                                                     const pietra_vulkan_device *vulkan, pietra_error *error,
                                                     pietra_device **device);

/* ---- The caller's image ---- */

/* An image of two dimensions, with the usage VK_IMAGE_USAGE_TRANSFER_DST_BIT or a view for storage, in one of these
 * formats:
 *
 *     R8G8B8A8 and B8G8R8A8, _UNORM or _SRGB    the bytes that pietra_render gives
 *     A8B8G8R8_UNORM_PACK32, _SRGB_PACK32       the same
 *     A2B10G10R10, A2R10G10B10 _UNORM_PACK32    the same values, rounded to the nearest of ten and of two bits
 *     R16G16B16A16_SFLOAT                       the same values, rounded to the nearest half
 *
 * So the last three hold no more than eight bits do. The bytes of sRGB formats are those of the UNORM ones: colours are
 * sRGB already. The picture is drawn into level 0 and layer 0, from the upper left corner on. */
typedef struct pietra_vulkan_target {
    VkImage image;
    VkFormat format;
    uint32_t width, height; /* size of the picture, pixels; at most the image's */
    VkImageLayout before;   /* the image's layout when the waits are over; VK_IMAGE_LAYOUT_UNDEFINED: what it holds may
                             * go, also beside the picture */
    VkImageLayout after;    /* its layout when the signals are given; VK_IMAGE_LAYOUT_UNDEFINED: that in which it is
                             * written, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL */
    bool changes_family;    /* the image is acquired from one queue family, and released to another: */
    uint32_t family_before, family_after;
    bool straight; /* colours are not multiplied by alpha */
    /* A view of level 0 and layer 0, in the format R8G8B8A8_UNORM or B8G8R8A8_UNORM, of an image that has the usage
     * VK_IMAGE_USAGE_STORAGE_BIT. Then a kernel writes the image, which is faster than a copy, and `after` may not be
     * undefined. The device must have been created with the feature shaderStorageImageWriteWithoutFormat.
     * VK_NULL_HANDLE: the image is copied to. */
    VkImageView view;
} pietra_vulkan_target;

/* The pixels of an external image (pietra_image_create_external), in an image of the device. */
typedef struct pietra_vulkan_external {
    uint32_t id;            /* the image's */
    uint32_t width, height; /* those of all images that have the id and are shown; at most those of the view */
    /* A view of one level and layer, in a format whose channels are read as floats, of an image with the usage
     * VK_IMAGE_USAGE_SAMPLED_BIT. They are rounded to 8 bits, and taken as sRGB: of an image in an _SRGB format give a
     * view in its _UNORM format. */
    VkImageView view;
    VkImageLayout layout; /* layout of the image while the frame reads it: VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL or
                           * VK_IMAGE_LAYOUT_GENERAL; its queue family is that of the queue */
    bool premultiplied;   /* colours are multiplied by alpha */
} pietra_vulkan_external;

typedef struct pietra_vulkan_semaphore {
    VkSemaphore semaphore;
    uint64_t value; /* value of a timeline semaphore; a binary one ignores it */
} pietra_vulkan_semaphore;

#define PIETRA_VULKAN_SEMAPHORES 16u /* most waits, and most signals, of a frame */

/* What a frame waits for before it writes the image, and what it signals after that. Drawing begins before the waits
 * are over, unless the frame shows images of pietra_submission.vulkan_externals: then they are waited for, too. If all
 * is zero, there is nothing of either. */
typedef struct pietra_vulkan_order {
    const pietra_vulkan_semaphore *waits, *signals;
    uint32_t wait_count, signal_count;
} pietra_vulkan_order;

/* Draws one frame into the image, as pietra_render does into memory, and returns when it is there. The waits must be
 * signalled within a minute without a further call of the same thread, else the device is lost. After a failure the
 * image is as it was, nothing was waited for, and nothing is signalled, unless the device is lost. A NULL frame, or a
 * NULL order, is that of zeros. The device must be a GPU, and the image's is the same VkDevice: PIETRA_ERROR_INPUT if
 * it is not one of pietra_device_create_vulkan. A picture that takes more bytes than a kernel of the device can see, or
 * whose effects are drawn in bands for want of memory, goes through the host's memory. stats may be NULL; its read_ms
 * is the time in which the image is written. */
PIETRA_API pietra_result pietra_render_vulkan(pietra_device *device, const pietra_stream *stream,
                                              const pietra_frame *frame, const pietra_vulkan_target *target,
                                              const pietra_vulkan_order *order, pietra_error *error,
                                              pietra_stats *stats);

/* ---- Frames that nobody waits for ---- */

/* Draws a frame into the image, as pietra_view_submit does into memory, and returns once it is submitted, if it is
 * known what it counts at most: if its stream has no effects and no surfaces, and if its buffers fit
 * (pietra_view_options). Else submission.when_full says what becomes of it: by PIETRA_FULL_FINISH the call waits, as
 * pietra_render_vulkan does. Nothing is ever missing in a picture. The call also waits for older frames if as many are
 * in flight as may be, if the device's memory has to grow, and if the device did other work.
 *
 * If nothing differs, nothing is drawn, but the order is kept, and the image's layout changes. If target.before is
 * VK_IMAGE_LAYOUT_UNDEFINED, all is drawn. The stream may be destroyed when the call has returned; the image and the
 * semaphores must live until the frame is done (pietra_view_wait, or a semaphore that the order signals). Whether a
 * frame fails later, because the device is lost, pietra_view_wait says. The submission after it draws all, and fails
 * if the device is lost. frame.canceller is looked at before the frame is submitted. */
PIETRA_API pietra_result pietra_view_submit_vulkan(pietra_view *view, const pietra_submission *submission,
                                                   const pietra_vulkan_target *target, const pietra_vulkan_order *order,
                                                   pietra_error *error, pietra_ticket *ticket);

/* ---- Frames in the caller's commands ---- */

/* Records a frame into commands of the caller, outside of a render pass, so that they are one submission with what the
 * caller draws. Only a frame that is certain is recorded (pietra_view_submit_vulkan), one in which nothing differs, or
 * one that keeps the image's picture (PIETRA_FULL_KEEP), and the call waits for nothing. PIETRA_ERROR_BUDGET: nothing
 * was recorded, since the frame has to be counted first, the device's memory would have to grow, or as many frames as
 * may be in flight are not done; pietra_view_submit_vulkan draws it, and pietra_view_reserve_vulkan lets memory grow
 * beforehand.
 *
 * The commands must be executed once, on the queue of the device, in the order in which they were recorded. What they
 * bind of compute (pipeline, descriptors, constants) is lost to the commands that follow. They wait for all that was
 * recorded before them, and the image is as target.after says to what follows them. Until pietra_view_finish_recorded
 * says that they are done, every other frame of the device fails with PIETRA_ERROR_INPUT, but for those recorded like
 * this one; no view of the device nor the device itself may be destroyed; and pietra_view_wait knows nothing but that
 * they are not done. */
PIETRA_API pietra_result pietra_view_record_vulkan(pietra_view *view, const pietra_submission *submission,
                                                   const pietra_vulkan_target *target, VkCommandBuffer commands,
                                                   pietra_error *error, pietra_ticket *ticket);

/* Makes room for frames like this one, drawn whole, so that they can be recorded. The room stays until some hundred
 * frames, one after the other, needed less than half of it, and the device's memory shrinks in a later call of this
 * function or of one that draws without recording. Off a frame's path: it waits for all frames in flight if memory has
 * to grow, and allocates. Draws nothing, and changes nothing of what the view knows of its targets.
 * PIETRA_ERROR_BUDGET: such a frame is never certain. */
PIETRA_API pietra_result pietra_view_reserve_vulkan(pietra_view *view, const pietra_submission *submission,
                                                    const pietra_vulkan_target *target, pietra_error *error);

/* Says that the commands of the device's recorded frames up to a number (pietra_ticket) have been executed, and that
 * the host has waited for that, by a fence or a semaphore. PIETRA_ERROR_INPUT: the number is of no frame. */
PIETRA_API pietra_result pietra_view_finish_recorded(pietra_view *view, uint64_t number, pietra_error *error);

/* Says that the commands of all recorded frames that are not done will never be executed. These frames have failed
 * (PIETRA_CANCELLED), and the next submission of each view draws all. Ignores NULL. */
PIETRA_API void pietra_view_discard_recorded(pietra_view *view);

#ifdef __cplusplus
}
#endif

#endif
