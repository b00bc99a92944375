/* Drawing a frame in parts, where it needs more memory than there is. Any cut along tiles gives the same bytes. */
#ifndef PIETRA_PIPELINE_PARTS_H
#define PIETRA_PIPELINE_PARTS_H

#include "layout/frame.h"
#include "pietra/pietra.h"

/* Draws one part; PIETRA_ERROR_BUDGET: it must be smaller. */
typedef pietra_result part_function(void *user, tile_box part, pietra_error *error);

/* Draws all of `whole`, halving a part whenever it does not fit; a single tile that does not fit is the error. count: parts
 * drawn. */
pietra_result parts_draw(tile_box whole, part_function *draw, void *user, pietra_error *error, uint32_t *count);

#endif
