/* Drawing a frame in parts, where it needs more memory than there is. Any cut along tiles gives the same bytes. */
#ifndef PIETRA_RENDER_FRAME_PARTS_H
#define PIETRA_RENDER_FRAME_PARTS_H

#include "layout/frame.h"
#include "pietra/pietra.h"

/* Draws one part; PIETRA_ERROR_BUDGET: it must be smaller. */
typedef pietra_result part_function(void *user, tile_box part, pietra_error *error);

/* The budget of a drawing whose error names the floor. */
typedef struct part_budget {
    uint64_t bytes;            /* what the next part may take */
    uint64_t wanted_bytes;     /* set by draw with PIETRA_ERROR_BUDGET: what it had come to when it was refused; 0: another limit */
} part_budget;

/* Draws all of `whole`, halving a part whenever it does not fit; a single tile that does not fit is the error. count: parts
 * drawn.
 *
 * With a budget the error names one that would do: it is raised, and the parts drawn to the end, for nothing but that number. Not
 * beyond some megabytes nor for ever: the error then is draw's own. */
pietra_result parts_draw(tile_box whole, part_function *draw, void *user, part_budget *budget, pietra_error *error, uint32_t *count);

#endif
