/* Draws a frame in parts if it needs more memory than there is. Any cut along tiles gives the same bytes. */
#ifndef PIETRA_RENDER_FRAME_PARTS_H
#define PIETRA_RENDER_FRAME_PARTS_H

#include "layout/frame.h"
#include "pietra/pietra.h"

/* Draws one part. PIETRA_ERROR_BUDGET: the part must be smaller. */
typedef pietra_result part_function(void *user, tile_box part, pietra_error *error);

/* The budget of a drawing whose error names the floor. */
typedef struct part_budget {
    uint64_t bytes;        /* what the next part may take */
    uint64_t wanted_bytes; /* set by draw with PIETRA_ERROR_BUDGET: the bytes that were refused; 0: another limit */
} part_budget;

/* Draws all of `whole` and counts the parts that were drawn. A part that does not fit is halved. A single tile that
 * does not fit is an error.
 *
 * If there is a budget, the error names one that suffices. To find it, the budget is raised and the parts are drawn to
 * the end. The search stops at some megabytes and after a limited time. Then the error is that of `draw`. */
pietra_result parts_draw(tile_box whole, part_function *draw, void *user, part_budget *budget, pietra_error *error,
                         uint32_t *count);

#endif
