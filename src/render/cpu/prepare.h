/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Finds the elements that a part draws. It does stages 01 to 03 in one walk. */
#ifndef PIETRA_RENDER_CPU_PREPARE_H
#define PIETRA_RENDER_CPU_PREPARE_H

#include "render/cpu/frame.h"

typedef struct cpu_prepare_buffers {
    cpu_buffer elements; /* cpu_element */
    cpu_buffer open;     /* the begins that are open */
} cpu_prepare_buffers;

/* The matrix of the transform that was asked for last. Many elements in a row have the same. */
typedef struct cpu_last_matrix {
    uint transform; /* NONE: none was */
    affine matrix;
} cpu_last_matrix;

/* Returns the matrix from an element's path to pixels. What an effect shows has a transform of its own. */
static inline affine cpu_element_matrix(cpu_last_matrix *last, const frame_config *config, const stream_view *stream,
                                        const stream_element *element)
{
    if (element->transform != last->transform) {
        last->matrix = element_matrix_of(config->transform, element->kind, stream->transforms[element->transform]);
        last->transform = element->transform;
    }
    return last->matrix;
}

/* Returns the box and the flags of an element that has a box, as they are in any frame that shows it under a matrix. */
element_info cpu_element_info(const stream_view *stream, const stream_element *element, affine matrix);

/* Fills frame->elements with the next batch, from the stream's element frame->next on, and finds what its layers need.
 * Elements before frame->begin are walked past. */
pietra_result cpu_prepare(cpu_frame *frame, cpu_prepare_buffers *buffers, pietra_error *error);

#endif
