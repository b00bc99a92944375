/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The formats of a target. All devices but the CPU draw R, G, B, A, straight or premultiplied; the rest is made of
 * that. */
#ifndef PIETRA_RENDER_FRAME_TARGET_FORMAT_H
#define PIETRA_RENDER_FRAME_TARGET_FORMAT_H

#include "pietra/pietra.h"

/* Return whether pixels are B, G, R, A, and whether their alpha is 255. */
bool target_format_is_blue_first(pietra_format format);
bool target_format_is_opaque(pietra_format format);
/* Turns pixels as the reference and GPUs draw them into the target's format. */
void target_format_finish(const pietra_target *target);
/* Copies a row of the target as R, G, B, A, straight. */
void target_format_read_row(const pietra_target *target, uint32_t y, uint8_t *row);

#endif
