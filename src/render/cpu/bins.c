#include "render/cpu/bins.h"

#include <stdlib.h>

/* The number of blocks of a slab. It is small at first, so that a small budget goes far. */
#define SMALL_SLABS 8u
#define SMALL_SLAB_BLOCKS 4u
#define SLAB_BLOCKS 64u

struct cpu_slab {
    cpu_slab *next;
    cpu_cell *cells;
    uint index;
};

static uint slab_blocks(uint index) { return index < SMALL_SLABS ? SMALL_SLAB_BLOCKS : SLAB_BLOCKS; }

static cpu_slab *slab_create(uint index)
{
    cpu_slab *slab = malloc(sizeof *slab);
    cpu_cell *cells = aligned_alloc(64, (slab_blocks(index) * BLOCK_CELLS + CPU_LINES_READ) * sizeof *cells);
    if (slab == NULL || cells == NULL) {
        free(slab);
        free(cells);
        return NULL;
    }
    *slab = (cpu_slab){.cells = cells, .index = index};
    return slab;
}

/* The slab behind the current one, taken from the system if there is none yet. */
static bool next_slab(cpu_bins *bins)
{
    cpu_blocks *blocks = &bins->blocks;
    if (bins->out_of_budget) {
        return false;
    }
    uint index = blocks->current == NULL ? 0 : blocks->current->index + 1;
    uint64_t bytes = slab_blocks(index) * BLOCK_CELLS * sizeof(cpu_cell);
    blocks->current_end += bytes;
    if (blocks->current_end > blocks->counted_bytes) {
        if (!cpu_memory_take_for_lines(bins->memory, bytes)) {
            bins->out_of_budget = true;
            return false;
        }
        blocks->counted_bytes = blocks->current_end;
    }
    cpu_slab **place = blocks->current == NULL ? &blocks->slabs : &blocks->current->next;
    if (*place == NULL && (*place = slab_create(index)) == NULL) {
        bins->out_of_memory = true;
        return false;
    }
    blocks->current = *place;
    blocks->used = 0;
    return true;
}

static cpu_cell *take_block(cpu_bins *bins)
{
    cpu_blocks *blocks = &bins->blocks;
    if ((blocks->current == NULL || blocks->used == slab_blocks(blocks->current->index)) && !next_slab(bins)) {
        return NULL;
    }
    return blocks->current->cells + (size_t)blocks->used++ * BLOCK_CELLS;
}

void cpu_bin_close(cpu_bin *bin)
{
    if (bin->head != NULL) {
        bin->head->head.count = (uint)(bin->at - bin->head) - 1;
        bin->last->block.used = (uint64_t)(bin->at - bin->last);
    }
}

bool cpu_bin_start(cpu_bins *bins, cpu_bin *bin, uint element)
{
    return cpu_bin_start_many(bins, bin, element, 1);
}

bool cpu_bin_start_many(cpu_bins *bins, cpu_bin *bin, uint element, uint line_count)
{
    cpu_bin_close(bin);
    if (bin->end - bin->at < (ptrdiff_t)line_count + 1) {
        cpu_cell *block = take_block(bins);
        if (block == NULL) {
            return false;
        }
        block->block.next = NULL;
        block->block.used = 1;
        if (bin->last != NULL) {
            bin->last->block.next = block;
        } else {
            bin->first = block;
        }
        bin->last = block;
        bin->block_count++;
        bin->at = block + 1;
        bin->end = block + BLOCK_CELLS;
    }
    bin->head = bin->at++;
    bin->head->head.element = element;
    bin->head->head.count = 0;
    bin->run_count++;
    return true;
}

void cpu_blocks_reset(cpu_blocks *blocks)
{
    blocks->current = NULL;
    blocks->current_end = 0;
    blocks->used = 0;
}

void cpu_blocks_free(cpu_blocks *blocks)
{
    while (blocks->slabs != NULL) {
        cpu_slab *slab = blocks->slabs;
        blocks->slabs = slab->next;
        free(slab->cells);
        free(slab);
    }
    *blocks = (cpu_blocks){0};
}
