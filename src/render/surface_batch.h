/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The stream that draws surfaces together: their streams one behind the other. What several surfaces show of one stream
 * stands in it once, only its elements for each. */
#ifndef PIETRA_RENDER_SURFACE_BATCH_H
#define PIETRA_RENDER_SURFACE_BATCH_H

#include "render/gpu/resident_stream.h"
#include "render/sheet/plan.h"
#include "render/surface_plan.h"

/* A part of a node. */
typedef struct surface_piece {
    uint32_t node;
    tile_box part;
} surface_piece;

typedef struct surface_batch {
    pietra_stream *stream;   /* owned; its words end before the texels of surfaces that it shows */
    ARRAY(sheet_root) roots; /* the pieces */
    ARRAY(texel_copy) shown; /* the texels of surfaces */
} surface_batch;

/* Makes the stream of pieces whose nodes do not show one another, in place of zero bytes. It must be freed even after a
 * failure. PIETRA_ERROR_MEMORY. PIETRA_ERROR_BUDGET: fewer pieces may fit a stream. */
pietra_result surface_batch_make(const surface_plan *plan, const surface_piece *pieces, size_t count,
                                 pietra_error *error, surface_batch *batch);
void surface_batch_free(surface_batch *batch);

/* Returns the words that a node takes at most. */
uint64_t surface_node_words(const surface_plan *plan, uint32_t node);

#endif
