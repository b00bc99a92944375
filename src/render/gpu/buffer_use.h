/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* How much of a buffer frames use, so that memory which one large frame took is given back some time after it. Frames
 * in flight may still use the buffer that a smaller one replaces, so it is destroyed behind the last of them. */
#ifndef PIETRA_RENDER_GPU_BUFFER_USE_H
#define PIETRA_RENDER_GPU_BUFFER_USE_H

#include "vulkan/memory.h"

#define QUIET_FRAMES 300u                      /* that need less than half of a buffer, before it shrinks */
#define SMALL_BUFFER_BYTES ((uint64_t)1 << 22) /* a smaller buffer does not shrink */

/* All zero: no frame was drawn. */
typedef struct buffer_use {
    uint64_t needed;    /* by the frame that is drawn */
    uint64_t most;      /* what one of the quiet frames needed */
    uint32_t quiet;     /* so many frames one after the other needed less than half of the buffer */
    gpu_buffer retired; /* what the buffer was before, while frames may use it */
    uint64_t behind;    /* number of the last of these frames */
} buffer_use;

/* Ends the quiet if a frame will need as much as that. */
void buffer_use_expect(buffer_use *use, uint64_t bytes, uint64_t held);
/* Notes what the frame that is drawn needs, of all that it needs one after the other. */
void buffer_use_add(buffer_use *use, uint64_t bytes);
/* Notes that the frame was drawn, from a buffer so large. */
void buffer_use_end_frame(buffer_use *use, uint64_t held);
/* Returns whether a buffer is to shrink, and how large it should be; 0: there need not be one. */
bool buffer_use_is_over(const buffer_use *use, const gpu_buffer *buffer, uint64_t *bytes);

#endif
