/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/cpu/band_runs.h"

#include <string.h>

#define CACHE_LINE 64u
#define COLUMNS_MOST 2047 /* what waiting_column holds */

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

/* Edges wait or are seen by units of as many as stand together, so that one word has a bit for each unit of a run. */
static uint unit_of(uint count)
{
    return count > 64u ? 2u : 1u;
}

/* Copies the edges of a run as they follow one another. Returns how many there are. */
static uint join_edges(const cpu_slot *head, cpu_slot *edges)
{
    const cpu_slot *seen = head + 1, *waiting = seen + head->head.count;
    const uint count = head->head.count + head->head.waiting, unit = unit_of(count);
    for (uint i = 0; i < count; i++)
        edges[i] = head->head.waits >> (i / unit) & 1u ? *waiting++ : *seen++;
    return count;
}

/* Merges edges on the left. Returns how many are left. */
static uint merge_left(cpu_slot *edges, uint count, cpu_left_part part)
{
    cpu_slot *end = edges;
    for (uint i = 0; i < count; i++) {
        const cpu_edge edge = edges[i].edge;
        if (end > edges && cpu_edge_continues_left(part, &end[-1].edge, edge))
            continue;
        if (end > edges && cpu_edge_is_nothing(part, end[-1].edge))
            end--;
        (end++)->edge = edge;
    }
    if (end > edges && cpu_edge_is_nothing(part, end[-1].edge))
        end--;
    return (uint)(end - edges);
}

/* Puts edges into a run, so that units of them wait that lie right of a strip. */
static void split_edges(cpu_slot *head, const cpu_slot *edges, uint count, int right)
{
    const uint unit = unit_of(count);
    cpu_slot waiting[CHUNK_SLOTS], *seen = head + 1;
    uint waiting_count = 0;
    int first = INT32_MAX;
    head->head.waits = 0;
    for (uint i = 0; i < count; i += unit) {
        const uint last = uint_min(i + unit, count) - 1u;
        const int x =
            int_min(int_min(edges[i].edge.ax, edges[i].edge.bx), int_min(edges[last].edge.ax, edges[last].edge.bx));
        const bool waits = x >= right;
        head->head.waits |= (uint64_t)waits << (i / unit);
        first = waits ? int_min(first, x) : first;
        for (uint k = i; k <= last; k++)
            if (waits)
                waiting[waiting_count++] = edges[k];
            else
                *seen++ = edges[k];
    }
    memcpy(seen, waiting, waiting_count * sizeof *waiting);
    head->head.count = (uint)(seen - head - 1) % CHUNK_SLOTS;
    head->head.waiting = waiting_count % CHUNK_SLOTS;
    head->head.waiting_column = (uint)int_min(first >> TILE_SHIFT_SUBPIXELS, COLUMNS_MOST) & COLUMNS_MOST;
}

void band_run_enter_strip(cpu_slot *head, cpu_left_part part, int right)
{
    cpu_slot edges[CHUNK_SLOTS];
    if (head->head.count == 0 && (int)head->head.waiting_column >= right >> TILE_SHIFT_SUBPIXELS)
        return;
    const uint count = join_edges(head, edges);
    split_edges(head, edges, merge_left(edges, count, part), right);
}

uint band_runs_enter_strip(const cpu_frame *frame, const cpu_slot **heads, uint count, cpu_left_part part, int right)
{
    uint kept = 0;
    for (uint i = 0; i < count; i++) {
        const pixel_box clip = frame->elements[heads[i]->head.element].clip;
        if (clip.x1 * SUBPIXELS <= part.left)
            continue;
        if (clip.x0 * SUBPIXELS < right)
            band_run_enter_strip((cpu_slot *)(uintptr_t)heads[i], part, right);
        heads[kept++] = heads[i];
    }
    return kept;
}
