/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A frame of the reference up to its edges, with complete outlines: elements are not cut to what is visible. */
#ifndef PIETRA_RENDER_REFERENCE_OUTLINE_FRAME_H
#define PIETRA_RENDER_REFERENCE_OUTLINE_FRAME_H

#include "render/reference/reference.h"

/* Runs 01 to 04 with the scene's origin moved to `offset`, on a canvas of `side` pixels. Elements that miss the canvas
 * are left out. Aborts if that fails. The caller frees the frame, and keeps the stream at least as long. */
reference_frame outline_frame(const pietra_stream *stream, double offset, uint32_t side);

#endif
