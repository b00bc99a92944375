/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The stream that lies on the device. */
#ifndef PIETRA_RENDER_GPU_RESIDENT_STREAM_H
#define PIETRA_RENDER_GPU_RESIDENT_STREAM_H

#include "scene/external_images.h"
#include "scene/stream.h"
#include "vulkan/recorder.h"

typedef struct written_range {
    uint64_t begin, end;
} written_range;

/* All zero: there is none. */
typedef struct resident_stream {
    gpu_buffer buffer, upload;
    ARRAY(written_range) written;         /* of the words, when they were written last */
    const struct composed_sums *composed; /* of the composition whose stream it is (scene/stream.h), or was before */
    ARRAY(uint32_t)
    words;          /* a copy of what lies there: the composition's next stream is written where it differs.
                            * Empty: there is no copy */
    uint64_t id;    /* of the stream; 0: there is none */
    uint64_t drawn; /* greater for one that was drawn later */
    uint64_t texels, texels_end; /* where its texels start and end, in bytes */
    external_images externals;   /* each frame fills their texels before it is drawn */
} resident_stream;

/* Texels that are copied. */
typedef struct texel_copy {
    uint64_t from, to, count;
} texel_copy;

/* Texels of surfaces that were drawn on the device, for streams that are put there. All zero: there are none. */
typedef struct resident_surfaces {
    gpu_device *device;
    gpu_recorder *recorder;
    gpu_buffer texels;       /* premultiplied RGBA8, as the owner laid them out */
    gpu_buffer other;        /* where they lay before, or will lie next */
    const texel_copy *shown; /* what streams get whose words end before their texels do; the owner's */
    size_t shown_count;
} resident_surfaces;

/* Makes room for `count` texels and copies those there that are kept, from where they lay. The others are lost, and
 * after a failure all. PIETRA_ERROR_BUDGET: the device has no room. */
pietra_result resident_surfaces_renew(resident_surfaces *surfaces, uint64_t count, const texel_copy *kept,
                                      size_t kept_count, pietra_error *error);
/* Copies what is shown to the host, the first texel of a stream to `to`. */
pietra_result resident_surfaces_read(const resident_surfaces *surfaces, pietra_error *error, uint32_t *to);
void resident_surfaces_free(gpu_device *device, resident_surfaces *surfaces);

/* Writes a stream where kernels see it, or beside that place. Nothing may be using either. If a stream of the same
 * composition lies there, what differs is written. Then the copy must be recorded before anything reads it, if the
 * device wants one. After a failure there is no stream. The errors are those of resident_stream_put. */
pietra_result resident_stream_write(gpu_device *device, const pietra_stream *stream, pietra_error *error,
                                    resident_stream *resident);
void resident_stream_record(const gpu_device *device, gpu_recorder *recorder, const resident_stream *resident);
/* Returns how many bytes were written last. */
uint64_t resident_stream_written(const resident_stream *resident);

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
