/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/cpu/band_runs.h"

#define CACHE_LINE 64u

bool band_runs_exist(const cpu_bands *bands, uint band)
{
    for (uint i = 0; i < bands->lists_count; i++)
        if (bands->lists[i].bands[band].run_count > 0)
            return true;
    return false;
}

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

void band_runs_merge_left(cpu_slot *head, int left)
{
    cpu_slot *end = head + 1;
    for (uint i = 1; i <= head->head.count; i++) {
        const cpu_edge edge = head[i].edge;
        cpu_edge *last = end > head + 1 ? &end[-1].edge : NULL;
        const bool is_left = int_max(edge.ax, edge.bx) < left;
        if (is_left && last && int_max(last->ax, last->bx) < left && last->by == edge.ay) {
            last->ax = last->bx = left - SUBPIXELS;
            last->by = edge.by;
            end -= last->ay == last->by ? 1 : 0;
        } else if (!is_left || edge.ay != edge.by) {
            (end++)->edge = edge;
        }
    }
    head->head.count = (uint)(end - head) - 1;
}
