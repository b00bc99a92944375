/* What opaque elements hide in a band, found before anything is painted. */
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
    uint *occluders; /* element of the part, plus 1; 0: none */
    int *steps;    /* of the element looked at: what is added to the winding from a column on; one more than columns */
    bool *touched; /* some line of it touches the column */
    int first, count; /* columns of tiles, of the frame's grid */
    int top;          /* of the band, pixels */
    bool any;
    uint64_t credit; /* lines that may still be looked at; if little is covered it does not pay */
} band_occluders;

/* The side of the last tile of a frame, which may be cut. */
static inline int least_tile_side(int side)
{
    return (side & (TILE_SIDE - 1)) != 0 ? side & (TILE_SIDE - 1) : TILE_SIDE;
}

/* Whether an element can cover a tile: its runs then hold its horizontal lines too. Strokes seldom do. */
static inline bool may_occlude_tile(const frame_config *config, const cpu_element *element)
{
    return (element->kind & (ELEMENT_OPAQUE | ELEMENT_KIND_MASK)) == (ELEMENT_OPAQUE | ELEMENT_FILL) &&
           element->layer == NONE && element->clip.y1 - element->clip.y0 >= least_tile_side(config->height) &&
           element->clip.x1 - element->clip.x0 >= least_tile_side(config->width);
}

/* line_count: of all elements in the band. */
void occluders_begin(band_occluders *occluders, uint64_t line_count);
/* Notes the tiles that an element covers in full. Elements come from the topmost down. */
void occluders_add(band_occluders *occluders, const frame_config *config, const cpu_element *elements, uint element,
                   element_runs runs);
/* Cuts a box, in pixels of the frame, to the columns from the first to the last tile in which nothing hides the
 * element; false: none. */
bool occluders_cut(const band_occluders *occluders, uint element, pixel_box *box);

#endif
