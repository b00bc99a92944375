/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What --timing writes: one JSON object. */
#ifndef RENDER_TIMING_H
#define RENDER_TIMING_H

#include <stdbool.h>
#include <stddef.h>

#include "file.h"

/* Returns the milliseconds of a clock that only goes forward. */
double timing_now(void);

typedef struct timing {
    double start; /* start of the whole command, by timing_now */
    double parse_ms, encode_ms, upload_ms, png_ms;
    pietra_device_info device;
    uint32_t width, height;
    pietra_stats last;     /* figures of the last frame */
    uint64_t memory_bytes; /* the largest of all frames */
    bool warm;             /* the samples are of warm frames */
    double *samples;       /* a row for each frame */
    size_t frame_count, frame_capacity;
} timing;

/* Records a frame, the first one or a warm one. Warm frames replace the first, so that medians are of warm frames if
 * there are any. False: out of memory. */
bool timing_add_frame(timing *timing, const pietra_stats *stats, bool warm);
/* Writes the object to an open file, and finishes or abandons the file. Failures are reported. */
status timing_write(const timing *timing, file_output *output);
void timing_destroy(timing *timing);

#endif
