/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Fills the external images of a stream on the device with what a frame gives (pietra_vulkan.h). */
#ifndef PIETRA_RENDER_GPU_EXTERNAL_IMAGES_H
#define PIETRA_RENDER_GPU_EXTERNAL_IMAGES_H

#include "pietra/pietra_vulkan.h"
#include "render/gpu/resident_stream.h"
#include "vulkan/recorder.h"

/* What a frame gives. All zero: nothing. */
typedef struct external_gift {
    const pietra_vulkan_external *externals;
    size_t count;
} external_gift;

/* All zero but for the device: nothing was read yet. */
typedef struct external_reader {
    gpu_device *device;
    gpu_program *program;
} external_reader;

/* Makes what reads images, if a frame that gives something shows any. PIETRA_ERROR_BUDGET: kernels cannot see all
 * texels of one. */
pietra_result external_prepare(external_reader *reader, const resident_stream *stream, const external_gift *gift,
                               pietra_error *error);
/* Records what fills them: those that are not given are made transparent. */
void external_record(const external_reader *reader, gpu_recorder *recorder, const resident_stream *stream,
                     const external_gift *gift);
void external_reader_free(external_reader *reader);

#endif
