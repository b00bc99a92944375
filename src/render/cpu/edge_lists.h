/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Lists of edges, one for each band of rows. They are filled in the order of elements.
 *
 * A list consists of chunks, and a chunk of slots of 16 bytes. A run consists of a head, which names an element and
 * counts edges, and of that many edges behind it in the same chunk. If the chunk is full, the list goes on with a new
 * chunk and a new run of the same element. */
#ifndef PIETRA_RENDER_CPU_EDGE_LISTS_H
#define PIETRA_RENDER_CPU_EDGE_LISTS_H

#include "lib/arithmetic.h"
#include "render/cpu/memory.h"
#include "layout/frame.h"

typedef struct cpu_edge {
    int ax, ay, bx, by; /* subpixels, as it runs; horizontal ones only where horizontal_matters */
} cpu_edge;

/* Returns whether a horizontal edge is needed. Inside a row of pixels it may meet others. If the element may hide
 * others, a tile that it is sure to cover must have no edge at all inside. */
static inline bool horizontal_matters(int y, bool may_hide)
{
    return (y & ((may_hide ? TILE_SUBPIXELS : SUBPIXELS) - 1)) != 0;
}

/* What lies left of `left` in a band whose upper edge is `top`, in subpixels. There, only heights in the band count. */
typedef struct cpu_left_part {
    int left, top;
} cpu_left_part;

static inline bool cpu_edge_is_left(cpu_left_part part, cpu_edge edge)
{
    return int_max(edge.ax, edge.bx) < part.left;
}

/* Returns the height of an end in the band, or one above or below it. */
static inline int cpu_height_in_band(cpu_left_part part, int y)
{
    return int_clamp(y, part.top - 1, part.top + TILE_SUBPIXELS + 1);
}

/* Returns whether an edge on the left adds nothing, because it leads back to where it began. */
static inline bool cpu_edge_is_nothing(cpu_left_part part, cpu_edge edge)
{
    return cpu_edge_is_left(part, edge) && cpu_height_in_band(part, edge.ay) == cpu_height_in_band(part, edge.by);
}

/* Lets an edge on the left stand also for one that continues it. Returns whether it does. */
static inline bool cpu_edge_continues_left(cpu_left_part part, cpu_edge *last, cpu_edge edge)
{
    if (!cpu_edge_is_left(part, edge) || !cpu_edge_is_left(part, *last))
        return false;
    if (cpu_edge_is_nothing(part, *last))
        last->ay = edge.ay;
    else if (cpu_height_in_band(part, last->by) != cpu_height_in_band(part, edge.ay))
        return false;
    last->ax = last->bx = part.left - SUBPIXELS;
    last->by = edge.by;
    return true;
}

typedef struct cpu_run_head {
    uint element;    /* element of the part */
    uint count : 14; /* edges that the strip sees */
    /* Edges behind those, all of which lie right of the strip; the column of tiles in which the first of them begins;
     * and where they stand among the others (band_runs.c). */
    uint waiting : 7;
    uint waiting_column : 11;
    uint64_t waits;
} cpu_run_head;

typedef union cpu_slot {
    cpu_edge edge;
    cpu_run_head head;
    struct {
        union cpu_slot *next; /* a chunk's first slot */
        uint64_t used;        /* slots, this one included */
    } chunk;
} cpu_slot;

/* The slots of a chunk. Where memory is short, the chunks of a list have few slots at first, and then more and more:
 * most bands of a small picture have few edges. */
#define CHUNK_SLOTS 128u
#define FIRST_CHUNK_SLOTS 16u
/* Edges are read in groups of this size, so there is memory after the last edge of a run. */
#define CPU_EDGES_READ 8u

typedef struct cpu_edge_list {
    cpu_slot *first; /* chunk, or NULL */
    cpu_slot *last;
    cpu_slot *head;     /* head of the open run, or NULL */
    cpu_slot *at, *end; /* place in the last chunk, and its end */
    uint run_count;
    uint chunk_count;
} cpu_edge_list;

/* The least bytes of a band that has edges, where memory is short. */
#define CPU_BAND_BYTES (sizeof(cpu_edge_list) + FIRST_CHUNK_SLOTS * sizeof(cpu_slot))

/* Chunks, which are handed out one by one and taken back all at once. */
typedef struct cpu_slab cpu_slab;

typedef struct cpu_chunks {
    cpu_slab *slabs; /* all there are, in order */
    cpu_slab *current;
    uint used;              /* slots of the current one */
    uint64_t current_end;   /* bytes of the slabs up to the current one, itself included */
    uint64_t counted_bytes; /* bytes of the slabs that this frame has used */
} cpu_chunks;

/* The lists that one flattening thread fills. */
typedef struct cpu_edge_lists {
    cpu_edge_list *bands; /* one for each band */
    cpu_chunks chunks;
    cpu_memory *memory;                /* counts slabs */
    bool is_short;                     /* memory is short */
    bool out_of_budget, out_of_memory; /* edges were lost */
    uint64_t line_count;               /* seen by the part */
    uint64_t band_line_count;          /* put into lists */
    uint64_t stroke_lines;             /* of curves of strokes, seen by the part or not */
    uint64_t chords;                   /* of curves that do not lie in one band, seen by the part or not */
    uint dash_tasks;                   /* tasks into which its dashes are cut */
    bool heavy;                        /* an element has more edges than sums of 32 bits are sure to hold */
} cpu_edge_lists;

/* Starts a run of an element in a list. Returns false if memory does not suffice, which the lists record. */
bool cpu_edge_list_start(cpu_edge_lists *lists, cpu_edge_list *list, uint element);
/* Starts a run with room for that many edges. There must be fewer than CHUNK_SLOTS - 2. */
bool cpu_edge_list_start_many(cpu_edge_lists *lists, cpu_edge_list *list, uint element, uint line_count);
/* Ends the open run. */
void cpu_edge_list_close(cpu_edge_list *list);

/* Removes the runs of this element and of those behind it. None may be added then. */
void cpu_edge_list_cut(cpu_edge_list *list, uint element);

/* Adds an edge of an element to a list. The edge is lost if cpu_edge_list_start fails. */
static inline void cpu_edge_list_add(cpu_edge_lists *lists, cpu_edge_list *list, uint element, cpu_edge edge)
{
    if (list->at == list->end || list->head->head.element != element) {
        if (!cpu_edge_list_start(lists, list, element))
            return;
    }
    list->at->edge = edge;
    list->at++;
}

/* Returns the bytes of the chunks that were handed out. */
uint64_t cpu_chunks_bytes(const cpu_chunks *chunks);
/* Takes all chunks back, so that they can be given out again. */
void cpu_chunks_reset(cpu_chunks *chunks);
void cpu_chunks_free(cpu_chunks *chunks);

#endif
