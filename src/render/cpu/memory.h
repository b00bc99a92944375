/* Memory of the CPU device: taken from the system once, counted against a frame's budget, and used again by the next
 * frame. */
#ifndef PIETRA_RENDER_CPU_MEMORY_H
#define PIETRA_RENDER_CPU_MEMORY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pietra/pietra.h"

/* An array that a frame makes as large as it needs. */
typedef struct cpu_buffer {
    void *items;
    uint64_t bytes; /* of it */
    uint64_t used;  /* by this frame, as counted */
} cpu_buffer;

/* The count of a frame; threads share it. */
typedef struct cpu_memory {
    uint64_t budget_bytes; /* 0: no limit */
    _Atomic uint64_t used_bytes;
    uint64_t lines_most; /* of lines that wait to be painted; 0: no limit of their own */
    _Atomic uint64_t lines_bytes;
    _Atomic uint64_t refused_bytes; /* what they would have been when the budget last refused; 0: it never did */
} cpu_memory;

/* Counts bytes of lines. False: the budget does not allow them. */
bool cpu_memory_take_for_lines(cpu_memory *memory, uint64_t bytes);

/* PIETRA_ERROR_BUDGET or PIETRA_ERROR_MEMORY, whichever it was. */
pietra_result cpu_memory_error(const cpu_memory *memory, bool budget, pietra_error *error);

/* Makes room for so many bytes, of which the first `kept` keep their contents and the rest is undefined; counts what it
 * grows by in this frame. */
pietra_result cpu_buffer_reserve(cpu_buffer *buffer, cpu_memory *memory, uint64_t bytes, uint64_t kept,
                                 pietra_error *error);
/* A new frame: nothing is counted yet, and the memory stays. */
void cpu_buffer_begin(cpu_buffer *buffer);
void cpu_buffer_free(cpu_buffer *buffer);

#endif
