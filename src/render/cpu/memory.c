/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/cpu/memory.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"

#define CACHE_LINE 64u /* bytes; buffers are whole cache lines */

/* Counts bytes. Returns false if the budget does not allow them; nothing is counted then. */
static bool take(cpu_memory *memory, uint64_t bytes)
{
    uint64_t used = atomic_fetch_add(&memory->used_bytes, bytes) + bytes;
    if (memory->budget_bytes != 0 && used > memory->budget_bytes) {
        atomic_store(&memory->refused_bytes, used);
        atomic_fetch_sub(&memory->used_bytes, bytes);
        return false;
    }
    return true;
}

bool cpu_memory_take_for_lines(cpu_memory *memory, uint64_t bytes)
{
    uint64_t lines = atomic_fetch_add(&memory->lines_bytes, bytes) + bytes;
    return (memory->lines_most == 0 || lines <= memory->lines_most) && take(memory, bytes);
}

pietra_result cpu_memory_error(const cpu_memory *memory, bool budget, pietra_error *error)
{
    if (!budget)
        return error_set_memory(error);
    return error_set(error, PIETRA_ERROR_BUDGET, 0, "the frame needs more than %llu bytes for its buffers",
                     (unsigned long long)memory->budget_bytes);
}

static uint64_t rounded(uint64_t bytes)
{
    return (bytes + CACHE_LINE - 1) & ~(uint64_t)(CACHE_LINE - 1);
}

pietra_result cpu_buffer_reserve(cpu_buffer *buffer, cpu_memory *memory, uint64_t bytes, uint64_t kept,
                                 pietra_error *error)
{
    uint64_t needed = rounded(bytes > 0 ? bytes : 1);
    if (needed > buffer->used) {
        if (!take(memory, needed - buffer->used))
            return cpu_memory_error(memory, true, error);
        buffer->used = needed;
    }
    if (needed <= buffer->bytes)
        return PIETRA_OK;
    void *items = needed > SIZE_MAX / 2 ? NULL : memory_alloc((size_t)needed);
    if (!items)
        return cpu_memory_error(memory, false, error);
    if (kept > 0)
        memcpy(items, buffer->items, (size_t)kept);
    free(buffer->items);
    buffer->items = items;
    buffer->bytes = needed;
    return PIETRA_OK;
}

void cpu_buffer_begin(cpu_buffer *buffer)
{
    buffer->used = 0;
}

void cpu_buffer_free(cpu_buffer *buffer)
{
    free(buffer->items);
    *buffer = (cpu_buffer){0};
}
