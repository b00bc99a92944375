/* The radix sort of the reference: least significant digit first, stable. */
#ifndef PIETRA_RENDER_REFERENCE_SORT_H
#define PIETRA_RENDER_REFERENCE_SORT_H

#include "render/reference/reference.h"

/* Hands out new arrays of the frame. */
pietra_result reference_sort_pairs(reference_frame *frame, const uint *keys, const uint *values, uint count,
                                   pietra_error *error, uint **sorted_keys, uint **sorted_values);

#endif
