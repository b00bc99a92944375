/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The structures behind the handles, for this folder alone. */
#ifndef PIETRA_VULKAN_CONTEXT_H
#define PIETRA_VULKAN_CONTEXT_H

#include "base/trace.h"
#include "vulkan/cache.h"
#include "vulkan/instance.h"
#include "vulkan/program.h"

struct gpu_device {
    gpu_instance instance; /* its `vk` also holds the device's functions */
    VkDevice handle;
    VkQueue queue;
    uint32_t queue_family;
    uint32_t timestamp_bits;
    trace trace; /* receives what the GPU does */
    VkPhysicalDeviceMemoryProperties memory;
    gpu_limits limits;
    pietra_device_info info;
    gpu_cache cache;
    bool imported;            /* the instance and the device are the caller's */
    void (*lock)(void *user); /* around submissions; NULL: none */
    void (*unlock)(void *user);
    void *lock_user;
    /* Work that did not end in time may still be running, and with it the driver's threads. So nothing is destroyed any
     * more, not even this structure. */
    bool abandoned;
};

struct gpu_program {
    gpu_device *device;
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkPipeline pipeline;
    uint32_t buffer_count;
    VkDescriptorType image_type; /* of the binding behind the buffers, if there is one */
    uint32_t push_bytes;
    char name[64];
};

#endif
