/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The CPU device: it computes the pixels of the pipeline by the shortest way.
 *
 * The reference (src/render/reference) is its specification, stage for stage: the bytes are the same, but the way is
 * another. Elements are culled by integer boxes. Each is flattened once, and its edges are put into lists, one for each
 * band of 16 rows of pixels. Each band is then painted in paint order. An element's lines are added, pixel by pixel,
 * into rows of differences of area, whose running sum is the coverage (shaders/lib/coverage.h). Sums of integers do not
 * depend on their order, so the result equals what the stages find by sorting. Layers are kept as rows of the band.
 * Bands do not depend on one another, and neither do elements while they are flattened, so threads share both. */
#ifndef PIETRA_RENDER_CPU_CPU_H
#define PIETRA_RENDER_CPU_CPU_H

#include "base/parallel.h"
#include "base/trace.h"
#include "layout/frame.h"
#include "layout/stream.h"
#include "pietra/pietra.h"
#include "render/frame/cancel.h"

/* Memory and threads, which are kept from frame to frame. It serves one caller at a time. */
typedef struct cpu_device cpu_device;
struct cpu_kernels;

/* Creates a device. The caller owns the pool, which must outlive the device; NULL: one thread. kernels are a set that
 * cpu_kernels_at gives (cpu/kernels.h), for tests, except that `subdivide` is the best set's; NULL: the best that this
 * machine has. Returns NULL if memory is exhausted. */
cpu_device *cpu_device_create(parallel_pool *pool, const struct cpu_kernels *kernels);
/* From here on the device tells what its threads do. */
void cpu_device_set_trace(cpu_device *device, trace trace);
void cpu_device_destroy(cpu_device *device);
uint32_t cpu_device_threads(const cpu_device *device);
/* Returns memory that the device keeps until it is asked for more. Its contents are undefined. NULL: out of memory. */
uint8_t *cpu_device_picture(cpu_device *device, uint64_t bytes);

/* The memory of a part's pixels. `pixels` points to where the pixel (0, 0) of the frame lies, or would lie if the part
 * does not have it. Rows lie stride_bytes apart, at any alignment. */
/* How premultiplied pixels become the target's. All false: they stay R, G, B, A. */
typedef struct cpu_stored_as {
    bool straight;   /* colours are divided by alpha */
    bool blue_first; /* B, G, R, A */
    bool opaque;     /* alpha becomes 255 */
} cpu_stored_as;

typedef struct cpu_target {
    uint8_t *pixels;
    size_t stride_bytes;
    cpu_stored_as stored_as;
    bool may_spoil;       /* pixels may change before it is certain that memory suffices */
    bool is_trial;        /* nothing is painted: the caller wants to know whether memory suffices */
    uint64_t lines_most;  /* most bytes of waiting lines, 0: no limit; beyond it: PIETRA_ERROR_BUDGET */
    uint64_t batch_most;  /* bytes of waiting lines at which they are painted, if that is possible; 0: any number */
    uint32_t begin;       /* the stream's first element that the pixels, as a call left them, do not show yet */
    uint32_t strip_tiles; /* the most columns of tiles that are painted at once; 0: any number */
    cancel_watch *watch;  /* the frame's; NULL: nothing cancels it */
} cpu_target;

/* What drawing a part took. */
typedef struct cpu_counts {
    uint32_t begin; /* the target's, after this call */
    uint32_t
        strip_tiles; /* columns of tiles that were painted at once, if painting all at once did not fit; 0: it did */
    uint64_t lines;  /* snapped lines that the part sees */
    uint64_t band_lines;     /* lines times the bands that they cross */
    uint64_t band_elements;  /* elements times the bands that they touch */
    uint64_t walked;         /* elements of the stream, again for each walk */
    uint64_t prepared;       /* those of them that the part shows, likewise */
    uint64_t painted_lines;  /* lines in bands that were painted */
    uint64_t painted_runs;   /* runs of them */
    uint64_t touches;        /* of lines in pixels that were sampled */
    uint64_t stepped_pixels; /* pixels that were sampled in rows of steps */
    uint64_t walked_lines;   /* lines of elements with either, again for each pass over them */
    uint64_t painted_pixels; /* pixels of the boxes of elements in bands that are not hidden */
    uint64_t shaded_pixels;  /* those of them that are no plain colour */
    uint64_t box_pixels;    /* pixels of the boxes of all elements to be painted in the part; less if is_painted_over */
    uint64_t part_pixels;   /* pixels of the part, if it was painted */
    uint64_t batch_pixels;  /* those again for each batch that was painted */
    uint64_t visited_lines; /* lines in a band, again for each strip of it that was painted */
    uint64_t visited_runs;  /* runs of them likewise */
    uint64_t visited_clips; /* those of them that are of clips by paths */
    uint64_t flattened;     /* segments and dashes that were flattened, also if the part failed */
    uint64_t stroke_lines;  /* lines of curves of strokes that were flattened likewise */
    uint64_t chords;        /* chords of other curves likewise, except for small curves */
    uint64_t dash_tasks;    /* tasks into which dashes are cut */
    uint64_t memory_bytes;  /* the frame's buffers at their largest */
    /* the bytes that the buffers needed when the budget last refused; 0: it never did */
    uint64_t refused_bytes;
    bool is_painted_over; /* opaque fills hide most of what lies below them */
    bool is_held;         /* an open layer held elements together that are too many */
    bool is_too_wide;     /* the budget refused what depends on the part's width alone */
    double prepare_ms, flatten_ms, paint_ms;
} cpu_counts;

/* Draws config->part of a frame. PIETRA_ERROR_BUDGET: the part needs more than budget_bytes; a smaller part needs less.
 * After this error, and after PIETRA_ERROR_MEMORY, no pixel has changed unless target->may_spoil. PIETRA_CANCELLED: the
 * frame is to end, and its pixels may hold anything. */
pietra_result cpu_draw(cpu_device *device, const uint32_t *words, const frame_config *config, uint64_t budget_bytes,
                       const cpu_target *target, pietra_error *error, cpu_counts *counts);

#endif
