/* A frame of the plain pipeline up to its edges, with all of each outline: elements are not cut to what is in sight. */
#ifndef PIETRA_RENDER_REFERENCE_OUTLINE_FRAME_H
#define PIETRA_RENDER_REFERENCE_OUTLINE_FRAME_H

#include "render/reference/reference.h"

/* Runs 01 to 04 with the scene's origin moved to `offset`, on a canvas of `side` pixels: what misses that is left out. Aborts when
 * that fails. The caller frees the frame; the stream must live as long. */
reference_frame outline_frame(const pietra_stream *stream, double offset, uint32_t side);

#endif
