/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Box shadows by their definition: a rounded rectangle, convolved row by row, as the mean over places of a pixel. */
#ifndef PIETRA_TESTS_EXACT_SHADOW_H
#define PIETRA_TESTS_EXACT_SHADOW_H

#include "exact/exact.h"
#include "exact/exact_path.h"

/* Gives the premultiplied colour of the pixel (x, y). The matrix leads from path space to pixels. */
void exact_shadow_color(const exact_stream *stream, const stream_paint *paint, exact_matrix matrix, uint32_t x,
                        uint32_t y, float *color);

#endif
