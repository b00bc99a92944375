/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The formats of a target. Devices draw R, G, B, A, straight or premultiplied; the rest is made of that. */
#ifndef PIETRA_RENDER_TARGET_FORMAT_H
#define PIETRA_RENDER_TARGET_FORMAT_H

#include "pietra/pietra.h"

/* Turns pixels as devices draw them into the target's format. */
void target_format_finish(const pietra_target *target);
/* Copies a row of the target as R, G, B, A, straight. */
void target_format_read_row(const pietra_target *target, uint32_t y, uint8_t *row);

#endif
