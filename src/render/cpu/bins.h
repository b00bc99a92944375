/* Bins of lines: one for each band of rows, filled in the order of elements.
 *
 * A bin is a list of blocks of cells of 16 bytes. A run is a head, which names the element and counts, and behind it, in the same
 * block, that many lines. A bin that is full goes on with a new block and a new run of the same element. */
#ifndef PIETRA_RENDER_CPU_BINS_H
#define PIETRA_RENDER_CPU_BINS_H

#include "render/cpu/memory.h"
#include "layout/frame.h"

typedef struct cpu_line {
    int ax, ay, bx, by;        /* subpixels, as it runs; never horizontal */
} cpu_line;

typedef struct cpu_run_head {
    uint element;              /* of the part */
    uint count;
    uint unused[2];
} cpu_run_head;

typedef union cpu_cell {
    cpu_line line;
    cpu_run_head head;
    struct {
        union cpu_cell *next;  /* a block's first cell */
        uint64_t used;         /* cells, this one included */
    } block;
} cpu_cell;

#define BLOCK_CELLS 128u
/* Lines are read in groups of so many: there is memory behind the last one of a run. */
#define CPU_LINES_READ 8u

typedef struct cpu_bin {
    cpu_cell *first;           /* block, or NULL */
    cpu_cell *last;
    cpu_cell *head;            /* of the run that goes on, or NULL */
    cpu_cell *at, *end;        /* of the last block */
    uint run_count;
    uint block_count;
} cpu_bin;

/* Blocks, handed out one by one and taken back all at once. */
typedef struct cpu_slab cpu_slab;

typedef struct cpu_blocks {
    cpu_slab *slabs;           /* all there are, in order */
    cpu_slab *current;
    uint used;                 /* blocks of the current one */
    uint64_t current_end;      /* bytes of the slabs up to it, itself included */
    uint64_t counted_bytes;    /* of the slabs that this frame has had */
} cpu_blocks;

/* The bins that one flattening thread fills. */
typedef struct cpu_bins {
    cpu_bin *bins;             /* one for each band */
    cpu_blocks blocks;
    cpu_memory *memory;        /* counts slabs */
    bool out_of_budget, out_of_memory; /* lines were lost */
    uint64_t line_count;       /* seen by the part */
    uint64_t band_line_count;  /* put into bins */
    uint dash_items;           /* pieces of work that its dashes are */
    bool heavy;                /* an element has more lines than 32 bits are sure to hold the sums of */
} cpu_bins;

/* Starts a run of an element in a bin; false: no memory, which the bins remember. */
bool cpu_bin_start(cpu_bins *bins, cpu_bin *bin, uint element);
/* The same with room for so many lines, fewer than BLOCK_CELLS - 2. */
bool cpu_bin_start_many(cpu_bins *bins, cpu_bin *bin, uint element, uint line_count);
/* Ends the run that goes on. */
void cpu_bin_close(cpu_bin *bin);

/* Adds a line of an element to a bin, or loses it: see cpu_bin_start. */
static inline void cpu_bin_add(cpu_bins *bins, cpu_bin *bin, uint element, cpu_line line)
{
    if (bin->at == bin->end || bin->head->head.element != element) {
        if (!cpu_bin_start(bins, bin, element)) {
            return;
        }
    }
    bin->at->line = line;
    bin->at++;
}

/* Gives all blocks back to be handed out again. */
void cpu_blocks_reset(cpu_blocks *blocks);
void cpu_blocks_free(cpu_blocks *blocks);

#endif
