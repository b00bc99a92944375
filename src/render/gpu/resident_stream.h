/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The stream that lies on the device. */
#ifndef PIETRA_RENDER_GPU_RESIDENT_STREAM_H
#define PIETRA_RENDER_GPU_RESIDENT_STREAM_H

#include "scene/stream.h"
#include "vulkan/recorder.h"

/* All zero: there is none. */
typedef struct resident_stream {
    gpu_buffer buffer, upload;
    uint64_t id;                 /* of the stream; 0: there is none */
    uint64_t texels, texels_end; /* where its texels start and end, in bytes */
} resident_stream;

/* Texels of surfaces that a stream shows. */
typedef struct shown_texels {
    uint64_t from; /* among those of surfaces, */
    uint64_t to;   /* and among those of the stream */
    uint64_t count;
} shown_texels;

/* Texels of surfaces that were drawn on the device, for streams that are put there. All zero: there are none. */
typedef struct resident_surfaces {
    gpu_buffer texels;         /* premultiplied RGBA8, as the owner laid them out */
    const shown_texels *shown; /* what streams get whose words end before their texels do; the owner's */
    size_t shown_count;
} resident_surfaces;

/* Makes room for so many texels. Those that were there are lost. PIETRA_ERROR_BUDGET: the device has none. */
pietra_result resident_surfaces_make(gpu_device *device, uint64_t count, pietra_error *error,
                                     resident_surfaces *surfaces);

/* Puts a stream on the device, unless it lies there. If its header counts more words than it holds, there is room for
 * the rest, and the texels of surfaces that it shows are copied there. After a failure there is no stream.
 * PIETRA_ERROR_BUDGET: kernels cannot see all of it, or there is no room. */
pietra_result resident_stream_put(gpu_device *device, gpu_recorder *recorder, const pietra_stream *stream,
                                  const resident_surfaces *surfaces, pietra_error *error, resident_stream *resident);
void resident_stream_free(gpu_device *device, resident_stream *resident);

/* Returns all but the texels. */
gpu_range resident_stream_words(const resident_stream *resident);
/* Returns a window of texels. For a window without texels it is an arbitrary word. */
gpu_range resident_stream_texels(const resident_stream *resident, uint32_t window);

/* Checks that kernels can see the texels that the header counts, and that a buffer can hold the stream with them.
 * PIETRA_ERROR_BUDGET. */
pietra_result resident_stream_check_texels(const gpu_limits *limits, const pietra_stream *stream, pietra_error *error);

#endif
