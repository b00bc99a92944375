/* One command buffer with its timestamps, recorded and submitted again and again; once warm it allocates nothing.
 *
 *     begin, (dispatch | dispatch_indirect | fill | copy | barrier | mark)..., submit, wait, times, begin, ...
 *
 * Order and visibility: commands between two barriers may run at the same time and in any order. begin, submit and wait are
 * barriers: what earlier submissions and the host wrote is seen by the commands, and what they wrote by the host after wait. */
#ifndef PIETRA_VULKAN_RECORDER_H
#define PIETRA_VULKAN_RECORDER_H

#include "vulkan/memory.h"
#include "vulkan/program.h"

#define GPU_MAX_MARKS 1022u    /* of one recording */

typedef struct gpu_recorder gpu_recorder;

typedef struct gpu_stage_time {
    const char *name;         /* as given to gpu_mark */
    double milliseconds;      /* the sum over the marks of this name */
} gpu_stage_time;

pietra_result gpu_recorder_create(gpu_device *device, pietra_error *error, gpu_recorder **recorder);
/* What was submitted has been waited for, or waiting has failed. NULL is ignored. */
void gpu_recorder_destroy(gpu_recorder *recorder);

/* Forgets the last recording, which must not be on its way, and starts a new one. */
pietra_result gpu_recorder_begin(gpu_recorder *recorder, pietra_error *error);

/* Runs x by y by z workgroups, each within gpu_limits.max_groups. ranges: one for each of the program's buffers, within
 * gpu_limits.max_binding_bytes and at multiples of storage_alignment; push: its push_bytes. Both are copied. */
void gpu_dispatch(gpu_recorder *recorder, const gpu_program *program, const gpu_range *ranges, const void *push, uint32_t x, uint32_t y, uint32_t z);
/* The same with x, y, z as three words at the start of `arguments`, read when the dispatch runs. */
void gpu_dispatch_indirect(gpu_recorder *recorder, const gpu_program *program, const gpu_range *ranges, const void *push, gpu_range arguments);
/* All commands before it are done, and their writes seen, before any after it starts. */
void gpu_barrier(gpu_recorder *recorder);
/* The same for dispatches alone, which is all that may follow before the next gpu_barrier, their arguments, if any, being older than the
 * last gpu_barrier: a device need not look at arguments and copies. 2 us less on an H200. */
void gpu_barrier_dispatches(gpu_recorder *recorder);
/* Sets every word; offset and size are multiples of 4. */
void gpu_fill(gpu_recorder *recorder, gpu_range range, uint32_t value);
/* Copies from.bytes bytes; to.bytes is not looked at. The two do not overlap. */
void gpu_copy(gpu_recorder *recorder, gpu_range from, gpu_range to);
/* Ends a stage: the time since the previous mark, or begin, belongs to it. `name` is static. */
void gpu_mark(gpu_recorder *recorder, const char *name);

pietra_result gpu_recorder_submit(gpu_recorder *recorder, pietra_error *error);
/* Waits for what was submitted. PIETRA_ERROR_DEVICE: the device was lost, or the work has not ended in a time far above any
 * frame's; PIETRA_ERROR_MEMORY, PIETRA_ERROR_BUDGET: there is no memory to wait with. The device is of no use then; destroying and
 * closing everything remains allowed, and does not wait either. */
pietra_result gpu_recorder_wait(gpu_recorder *recorder, pietra_error *error);
/* The stages of the recording that was last waited for, in the order of their first marks, and the time from its start to its
 * end. Writes at most `capacity` stages and always the full count. A device without timestamps: 0 of both. */
void gpu_recorder_times(gpu_recorder *recorder, size_t capacity, gpu_stage_time *stages, size_t *count, double *total_ms);

#endif
