/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/cpu/band_runs.h"

#define CACHE_LINE 64u

/* Prefetches a chunk's memory. Each of its heads leads to the next, so without this each of them would be
 * waited for. */
static inline void prefetch(const cpu_slot *chunk)
{
    for (size_t at = 0; chunk && at < CHUNK_SLOTS * sizeof *chunk; at += CACHE_LINE)
        __builtin_prefetch((const char *)chunk + at);
}

uint band_runs_gather(const cpu_bands *bands, uint band, const cpu_slot **heads)
{
    uint count = 0;
    for (uint i = 0; i < bands->lists_count; i++) {
        for (const cpu_slot *chunk = bands->lists[i].bands[band].first; chunk; chunk = chunk->chunk.next) {
            prefetch(chunk->chunk.next);
            for (const cpu_slot *slot = chunk + 1; slot < chunk + chunk->chunk.used; slot += 1 + slot->head.count)
                heads[count++] = slot;
        }
    }
    return count;
}

element_runs band_runs_from(const cpu_slot *const *heads, uint first, uint count)
{
    element_runs runs = {.heads = heads + first};
    uint element = heads[first]->head.element;
    for (uint i = first; i < count && heads[i]->head.element == element; i++) {
        runs.lines += heads[i]->head.count;
        runs.count++;
    }
    return runs;
}

void band_runs_merge_left(cpu_slot *head, cpu_left_part part)
{
    cpu_slot *end = head + 1;
    for (uint i = 1; i <= head->head.count; i++) {
        const cpu_edge edge = head[i].edge;
        if (end > head + 1 && cpu_edge_continues_left(part, &end[-1].edge, edge))
            continue;
        if (end > head + 1 && cpu_edge_is_nothing(part, end[-1].edge))
            end--;
        (end++)->edge = edge;
    }
    if (end > head + 1 && cpu_edge_is_nothing(part, end[-1].edge))
        end--;
    head->head.count = (uint)(end - head) - 1;
}
