/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Memory of the CPU device. It is taken from the system once, is counted against a frame's budget, and is used again by
 * the next frame. */
#ifndef PIETRA_RENDER_CPU_MEMORY_H
#define PIETRA_RENDER_CPU_MEMORY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pietra/pietra.h"

/* An array that a frame enlarges to what it needs. */
typedef struct cpu_buffer {
    void *items;
    uint64_t bytes; /* its size */
    uint64_t used;  /* what this frame has counted */
} cpu_buffer;

/* The count of a frame. Threads share it. */
typedef struct cpu_memory {
    uint64_t budget_bytes; /* 0: no limit */
    _Atomic uint64_t used_bytes;
    uint64_t lines_most; /* the most bytes of lines that wait to be painted; 0: no separate limit */
    _Atomic uint64_t lines_bytes;
    _Atomic uint64_t refused_bytes; /* what used_bytes would have been when the budget last refused; 0: it never did */
} cpu_memory;

/* Counts bytes of lines. Returns false if the budget does not allow them. */
bool cpu_memory_take_for_lines(cpu_memory *memory, uint64_t bytes);

/* Sets and returns PIETRA_ERROR_BUDGET or, if `budget` is false, PIETRA_ERROR_MEMORY. */
pietra_result cpu_memory_error(const cpu_memory *memory, bool budget, pietra_error *error);

/* Makes room for that many bytes. The first `kept` keep their contents, and the rest is undefined. Counts by how much
 * the buffer's use grows in this frame. */
pietra_result cpu_buffer_reserve(cpu_buffer *buffer, cpu_memory *memory, uint64_t bytes, uint64_t kept,
                                 pietra_error *error);
/* Starts a new frame. Nothing is counted yet, and the memory stays. */
void cpu_buffer_begin(cpu_buffer *buffer);
void cpu_buffer_free(cpu_buffer *buffer);

#endif
