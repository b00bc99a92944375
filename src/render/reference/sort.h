/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The radix sort of the reference. It starts with the least significant digit and is stable. */
#ifndef PIETRA_RENDER_REFERENCE_SORT_H
#define PIETRA_RENDER_REFERENCE_SORT_H

#include "render/reference/reference.h"

/* Returns new arrays, which belong to the frame. */
pietra_result reference_sort_pairs(reference_frame *frame, const uint *keys, const uint *values, uint count,
                                   pietra_error *error, uint **sorted_keys, uint **sorted_values);

#endif
