/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* One command buffer with its timestamps, recorded and submitted many times. Once warm it allocates nothing.
 *
 *     begin, (dispatch | dispatch_indirect | fill | copy | barrier | mark)..., submit, wait, times, begin, ...
 *
 * Commands between two barriers may run at the same time and in any order. begin, submit and wait are barriers.
 * Commands see what earlier submissions and the host wrote. After wait, the host sees what the commands wrote. */
#ifndef PIETRA_VULKAN_RECORDER_H
#define PIETRA_VULKAN_RECORDER_H

#include <pietra/pietra_vulkan.h>

#include "vulkan/memory.h"
#include "vulkan/program.h"

#define GPU_MAX_MARKS 1022u /* in one recording */

typedef struct gpu_recorder gpu_recorder;

typedef struct gpu_stage_time {
    const char *name;    /* as gpu_mark got it */
    double milliseconds; /* sum over the marks with this name */
} gpu_stage_time;

pietra_result gpu_recorder_create(gpu_device *device, pietra_error *error, gpu_recorder **recorder);
/* Destroys a recorder. What it submitted must have been waited for, or the wait has failed. Ignores NULL. */
void gpu_recorder_destroy(gpu_recorder *recorder);

/* Forgets the last recording, which must not be running, and begins a new one. */
pietra_result gpu_recorder_begin(gpu_recorder *recorder, pietra_error *error);

/* Begins a recording at the end of somebody else's commands, which he submits. gpu_recorder_leave ends it. Until they
 * have been executed, or never will be, nothing may be done with the recorder but destroying it. */
void gpu_recorder_begin_in(gpu_recorder *recorder, VkCommandBuffer commands);
void gpu_recorder_leave(gpu_recorder *recorder);
/* Says that the commands have been executed, and waited for. */
void gpu_recorder_return(gpu_recorder *recorder);

/* Runs x by y by z workgroups, each number within gpu_limits.max_groups. `ranges` has one range for each buffer of the
 * program, within gpu_limits.max_binding_bytes and at multiples of storage_alignment. `push` has the program's
 * push_bytes. Both are copied. */
void gpu_dispatch(gpu_recorder *recorder, const gpu_program *program, const gpu_range *ranges, const void *push,
                  uint32_t x, uint32_t y, uint32_t z);
/* Does the same with x, y and z from the first three words of `arguments`, which are read when the dispatch runs. */
void gpu_dispatch_indirect(gpu_recorder *recorder, const gpu_program *program, const gpu_range *ranges,
                           const void *push, gpu_range arguments);
/* All commands before it are done, and their writes visible, before any command after it starts. */
void gpu_barrier(gpu_recorder *recorder);
/* Does the same if only dispatches follow before the next gpu_barrier, and their arguments are older than the last
 * gpu_barrier. Then a device need not care about arguments and copies, which saves 2 us on an H200. */
void gpu_barrier_dispatches(gpu_recorder *recorder);
/* Sets every word. Offset and size are multiples of 4. */
void gpu_fill(gpu_recorder *recorder, gpu_range range, uint32_t value);
/* Copies from.bytes bytes and ignores to.bytes. The ranges must not overlap. */
void gpu_copy(gpu_recorder *recorder, gpu_range from, gpu_range to);
/* A rectangle of an image, and where in a buffer its pixels begin. */
typedef struct gpu_image_box {
    uint64_t offset;
    uint32_t x, y, width, height;
} gpu_image_box;
/* Writes boxes of an image, PIETRA_DRAWN_BOXES at most, which do not overlap, from words, one or two a pixel, whose
 * rows lie row_pixels apart. It comes out of its layout and its queue family before that, and goes into others after it
 * (pietra_vulkan.h). */
void gpu_copy_to_image(gpu_recorder *recorder, const gpu_buffer *from, uint32_t row_pixels,
                       const pietra_vulkan_target *image, const gpu_image_box *boxes, uint32_t count);
/* Runs a program that writes_image on x by y workgroups, with ranges as above. The image comes and goes as above,
 * between these two. */
void gpu_begin_stores(gpu_recorder *recorder, const pietra_vulkan_target *image);
void gpu_dispatch_to_image(gpu_recorder *recorder, const gpu_program *program, const gpu_range *ranges,
                           VkImageView view, const void *push, uint32_t x, uint32_t y);
void gpu_end_stores(gpu_recorder *recorder, const pietra_vulkan_target *image);
/* Lets the image come and go as above, without writing it. */
void gpu_pass_image(gpu_recorder *recorder, const pietra_vulkan_target *image);
/* Lets dispatches see what any commands wrote before, also to images of the caller. */
void gpu_acquire_images(gpu_recorder *recorder);
/* Runs a program that reads_image, with one buffer, on x by y workgroups. The image is in this layout. */
void gpu_dispatch_from_image(gpu_recorder *recorder, const gpu_program *program, gpu_range to, VkImageView view,
                             VkImageLayout layout, const void *push, uint32_t x, uint32_t y);
/* Ends a stage: the time since the last mark, or since begin, belongs to it. `name` must be static. */
void gpu_mark(gpu_recorder *recorder, const char *name);
/* Decides whether marks of what is recorded from now on do nothing. On a traced device they always do something. */
void gpu_recorder_skip_marks(gpu_recorder *recorder, bool skips);

pietra_result gpu_recorder_submit(gpu_recorder *recorder, pietra_error *error);
/* Does the same, and lets what writes images (gpu_copy_to_image, gpu_dispatch_to_image) wait for semaphores; signals
 * others after all. */
pietra_result gpu_recorder_submit_ordered(gpu_recorder *recorder, const pietra_vulkan_order *order,
                                          pietra_error *error);
/* Waits for what was submitted. PIETRA_ERROR_DEVICE: the device was lost, or the work has not ended in a time far above
 * that of any frame. PIETRA_ERROR_MEMORY, PIETRA_ERROR_BUDGET: there is no memory for waiting. After a failure the
 * device is useless; everything may still be destroyed and closed, without another wait. */
pietra_result gpu_recorder_wait(gpu_recorder *recorder, pietra_error *error);
/* Does the same, but waits no longer than this. *done says whether the work has ended. */
pietra_result gpu_recorder_wait_for(gpu_recorder *recorder, uint64_t timeout_ns, pietra_error *error, bool *done);
/* Ends what is submitted on a device that is lost or does not answer, so that the recorder may be destroyed. */
void gpu_recorder_give_up(gpu_recorder *recorder);
static inline pietra_result gpu_recorder_submit_and_wait(gpu_recorder *recorder, pietra_error *error)
{
    pietra_result result = gpu_recorder_submit(recorder, error);
    return result != PIETRA_OK ? result : gpu_recorder_wait(recorder, error);
}
/* Gives the stages of the recording that was last waited for, in the order of their first marks, and the time from its
 * start to its end. Writes at most `capacity` stages, and always the full count. Without timestamps there are no
 * stages, and the time is 0. */
void gpu_recorder_times(gpu_recorder *recorder, size_t capacity, gpu_stage_time *stages, size_t *count,
                        double *total_ms);

#endif
