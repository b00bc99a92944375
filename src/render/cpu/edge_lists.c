/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/cpu/edge_lists.h"

#include <stdlib.h>

#include "base/memory.h"

/* The slots of a slab. They are few at first, so that a small budget goes far. */
#define SMALL_SLABS 256u
#define SMALL_SLAB_SLOTS CHUNK_SLOTS
#define SLAB_SLOTS (64u * CHUNK_SLOTS)
struct cpu_slab {
    cpu_slab *next;
    cpu_slot *slots;
    uint index;
};

static uint slab_slots(uint index)
{
    return index < SMALL_SLABS ? SMALL_SLAB_SLOTS : SLAB_SLOTS;
}

static cpu_slab *slab_create(uint index)
{
    cpu_slab *slab = malloc(sizeof *slab);
    cpu_slot *slots = memory_alloc((slab_slots(index) + CPU_EDGES_READ) * sizeof *slots);
    if (!slab || !slots) {
        free(slab);
        free(slots);
        return NULL;
    }
    *slab = (cpu_slab){.slots = slots, .index = index};
    return slab;
}

/* Moves on to the slab after the current one, which is taken from the system if there is none yet. */
static bool next_slab(cpu_edge_lists *lists)
{
    cpu_chunks *chunks = &lists->chunks;
    if (lists->out_of_budget)
        return false;
    uint index = chunks->current ? chunks->current->index + 1 : 0;
    uint64_t bytes = slab_slots(index) * sizeof(cpu_slot);
    chunks->current_end += bytes;
    if (chunks->current_end > chunks->counted_bytes) {
        if (!cpu_memory_take_for_lines(lists->memory, bytes)) {
            lists->out_of_budget = true;
            return false;
        }
        chunks->counted_bytes = chunks->current_end;
    }
    cpu_slab **place = chunks->current ? &chunks->current->next : &chunks->slabs;
    if (!*place && !(*place = slab_create(index))) {
        lists->out_of_memory = true;
        return false;
    }
    chunks->current = *place;
    chunks->used = 0;
    return true;
}

static uint slots_left(const cpu_chunks *chunks)
{
    return chunks->current ? slab_slots(chunks->current->index) - chunks->used : 0;
}

/* Gives a list its next chunk, of at least that many slots. Returns false if memory does not suffice. */
static bool take_chunk(cpu_edge_lists *lists, cpu_edge_list *list, uint least)
{
    cpu_chunks *chunks = &lists->chunks;
    if (slots_left(chunks) < least && !next_slab(lists))
        return false;
    const uint wanted = lists->is_short && list->chunk_count < CHUNK_SLOTS / FIRST_CHUNK_SLOTS
                            ? FIRST_CHUNK_SLOTS * uint_max(list->chunk_count, 1u)
                            : CHUNK_SLOTS;
    const uint slots = uint_min(uint_max(wanted, least), slots_left(chunks));
    cpu_slot *chunk = chunks->current->slots + chunks->used;
    chunks->used += slots;
    chunk->chunk.next = NULL;
    chunk->chunk.used = 1;
    if (list->last)
        list->last->chunk.next = chunk;
    else
        list->first = chunk;
    list->last = chunk;
    list->chunk_count++;
    list->at = chunk + 1;
    list->end = chunk + slots;
    return true;
}

void cpu_edge_list_close(cpu_edge_list *list)
{
    if (list->head) {
        list->head->head.count = (uint)(list->at - list->head - 1) % CHUNK_SLOTS;
        list->last->chunk.used = (uint64_t)(list->at - list->last);
    }
}

void cpu_edge_list_cut(cpu_edge_list *list, uint element)
{
    cpu_edge_list_close(list);
    list->head = NULL;
    list->run_count = list->chunk_count = 0;
    for (cpu_slot *chunk = list->first; chunk; chunk = chunk->chunk.next) {
        const cpu_slot *slot = chunk + 1, *end = chunk + chunk->chunk.used;
        for (; slot < end && slot->head.element < element; slot += 1 + slot->head.count)
            list->run_count++;
        list->chunk_count++;
        if (slot < end) {
            chunk->chunk.used = (uint64_t)(slot - chunk);
            chunk->chunk.next = NULL;
        }
    }
}

bool cpu_edge_list_start(cpu_edge_lists *lists, cpu_edge_list *list, uint element)
{
    return cpu_edge_list_start_many(lists, list, element, 1);
}

bool cpu_edge_list_start_many(cpu_edge_lists *lists, cpu_edge_list *list, uint element, uint line_count)
{
    cpu_edge_list_close(list);
    if (list->end - list->at < (ptrdiff_t)line_count + 1 && !take_chunk(lists, list, line_count + 2u))
        return false;
    list->head = list->at++;
    list->head->head = (cpu_run_head){.element = element};
    list->run_count++;
    return true;
}

uint64_t cpu_chunks_bytes(const cpu_chunks *chunks)
{
    return chunks->current_end - (uint64_t)slots_left(chunks) * sizeof(cpu_slot);
}

void cpu_chunks_reset(cpu_chunks *chunks)
{
    chunks->current = NULL;
    chunks->current_end = 0;
    chunks->used = 0;
}

void cpu_chunks_free(cpu_chunks *chunks)
{
    while (chunks->slabs) {
        cpu_slab *slab = chunks->slabs;
        chunks->slabs = slab->next;
        free(slab->slots);
        free(slab);
    }
    *chunks = (cpu_chunks){0};
}
