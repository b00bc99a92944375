/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What the parts of the recorder share, and nobody else uses. */
#ifndef PIETRA_VULKAN_RECORDER_STATE_H
#define PIETRA_VULKAN_RECORDER_STATE_H

#include "vulkan/context.h"
#include "vulkan/recorder.h"

/* Two more than the marks, for the start and the end of the recording. */
#define RECORDER_QUERIES (GPU_MAX_MARKS + 2)

typedef enum recorder_state { RECORDER_IDLE = 0, RECORDER_OPEN, RECORDER_SUBMITTED, RECORDER_DONE } recorder_state;

struct gpu_recorder {
    gpu_device *device;
    const gpu_functions *vk;
    VkCommandPool pool;
    VkCommandBuffer own;      /* of the pool */
    VkCommandBuffer commands; /* what is recorded into: own, or the caller's */
    VkFence fence;
    VkQueryPool queries; /* VK_NULL_HANDLE: no timestamps */
    VkPipeline bound;
    recorder_state state;
    bool skips_marks; /* gpu_mark does nothing */
    uint32_t mark_count;
    const char *marks[GPU_MAX_MARKS];
    uint64_t ticks[RECORDER_QUERIES];
    double submitted_ms, waited_ms; /* by the host's clock */
};

/* Makes the writes of all earlier commands available, and visible to these accesses in these stages. */
void recorder_barrier(gpu_recorder *recorder, VkPipelineStageFlags stages, VkAccessFlags accesses);
/* Does nothing if the device has no timestamps. */
void recorder_timestamp(gpu_recorder *recorder, VkPipelineStageFlagBits stage, uint32_t query);

#endif
