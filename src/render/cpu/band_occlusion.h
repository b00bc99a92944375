/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Finds what opaque elements hide in a band, before anything is painted. */
#ifndef PIETRA_RENDER_CPU_BAND_OCCLUSION_H
#define PIETRA_RENDER_CPU_BAND_OCCLUSION_H

#include "render/cpu/frame.h"
#include "render/cpu/kernels.h"

/* All runs of one element in a band. */
typedef struct element_runs {
    const cpu_slot *const *heads;
    uint count;
    uint64_t lines;
} element_runs;

/* The topmost occluder of each column of tiles. */
typedef struct band_occluders {
    uint *occluders;  /* element of the part, plus 1; 0: none */
    int *steps;       /* what the current element adds to the winding from each column on; one more than columns */
    bool *touched;    /* whether one of its lines touches the column */
    int first, count; /* columns of tiles, of the frame's grid */
    int top;          /* first row of the band, in pixels */
    bool any;
    uint64_t credit; /* lines that may still be examined: the search ends early if it covers little */
} band_occluders;

/* Returns the width or height of the last tile of a frame, which may be cut. */
static inline int least_tile_side(int side)
{
    return (side & (TILE_SIDE - 1)) != 0 ? side & (TILE_SIDE - 1) : TILE_SIDE;
}

/* Returns whether an element can cover a whole tile. If so, its runs also hold its horizontal lines. Strokes are left
 * out, because they seldom cover a tile. */
static inline bool may_occlude_tile(const frame_config *config, const cpu_element *element)
{
    return (element->kind & (ELEMENT_OPAQUE | ELEMENT_KIND_MASK)) == (ELEMENT_OPAQUE | ELEMENT_FILL) &&
           element->layer == NONE && element->clip.y1 - element->clip.y0 >= least_tile_side(config->height) &&
           element->clip.x1 - element->clip.x0 >= least_tile_side(config->width);
}

/* Starts a band. line_count is the number of lines of all elements in the band. */
void occluders_begin(band_occluders *occluders, uint64_t line_count);
/* Records the tiles that an element covers in full. It is called for elements from the topmost one down. */
void occluders_add(band_occluders *occluders, const frame_config *config, const cpu_element *elements, uint element,
                   element_runs runs);
/* Cuts a box, in pixels of the frame, to the columns from the first to the last tile in which nothing hides the
 * element. Returns false if there is no such tile. */
bool occluders_cut(const band_occluders *occluders, uint element, pixel_box *box);

#endif
