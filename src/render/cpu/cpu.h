/* The CPU device: the pixels of the pipeline by the shortest way.
 *
 * The bytes are the reference's (src/render/reference), stage for stage its specification; the way is another. Elements
 * are culled by integer boxes, each is flattened once, and its edges are put into lists, one for each band of 16 rows
 * of pixels. A band is then painted in paint order: an element's lines are added, cell by cell, into rows of
 * differences of area, whose running sum is the coverage (shaders/lib/coverage.h); sums of integers have no order, so
 * the result is what the stages find by sorting. Layers are kept as rows of the band. Bands are independent of one
 * another, and so is the flattening of elements: threads share both. */
#ifndef PIETRA_RENDER_CPU_CPU_H
#define PIETRA_RENDER_CPU_CPU_H

#include "base/parallel.h"
#include "layout/frame.h"
#include "layout/stream.h"
#include "pietra/pietra.h"

/* Memory and threads, kept from frame to frame. One caller at a time. */
typedef struct cpu_device cpu_device;
struct cpu_kernels;

/* pool: stays the caller's and outlives the device; NULL: one thread. kernels: one of those that cpu_kernels_at gives
 * (cpu/kernels.h), for tests, but for `subdivide`, which is the best set's; NULL: the best that this machine has.
 * Returns NULL: out of memory. */
cpu_device *cpu_device_create(parallel_pool *pool, const struct cpu_kernels *kernels);
void cpu_device_destroy(cpu_device *device);
uint32_t cpu_device_threads(const cpu_device *device);

/* The memory of a part's pixels. `pixels` is the frame's first pixel. Rows lie stride_bytes apart, at any alignment. */
typedef struct cpu_target {
    uint8_t *pixels;
    size_t stride_bytes;
    bool may_spoil;      /* pixels may change before it is sure that there is memory for all */
    uint64_t lines_most; /* bytes of lines that wait at a time, 0: any number. Beyond it: PIETRA_ERROR_BUDGET */
} cpu_target;

/* What drawing a part took. */
typedef struct cpu_counts {
    uint64_t lines;         /* snapped lines that the part sees */
    uint64_t band_lines;    /* lines times the bands that they cross */
    uint64_t band_elements; /* elements times the bands that they touch */
    uint64_t dash_tasks;    /* tasks into which dashes are cut */
    uint64_t memory_bytes;  /* the frame's buffers at their largest */
    /* the bytes that the buffers needed when the budget last refused; 0: it never did */
    uint64_t refused_bytes;
    double prepare_ms, flatten_ms, paint_ms;
} cpu_counts;

/* Draws config->part of a frame. PIETRA_ERROR_BUDGET: the part needs more than budget_bytes; a smaller part needs less.
 * After this error, and after PIETRA_ERROR_MEMORY, no pixel has changed unless target->may_spoil. */
pietra_result cpu_draw(cpu_device *device, const uint32_t *words, const frame_config *config, uint64_t budget_bytes,
                       const cpu_target *target, pietra_error *error, cpu_counts *counts);

#endif
