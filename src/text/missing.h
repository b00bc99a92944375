/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What is shown for a character that no font has: a box with its number. */
#ifndef PIETRA_TEXT_MISSING_H
#define PIETRA_TEXT_MISSING_H

#include <stdbool.h>
#include <stdint.h>

#include "pietra/pietra.h"

/* Returns the advance of the box, in parts of the em. A blank has no box, but takes space. */
double missing_advance(uint32_t character, bool upright);
/* Appends the box, which begins on the baseline at (0, 0) of `space`; upright ones hang below that, in the middle.
 * `size` is the em. White space and characters that are mostly not shown have none. What is not finite is left out. */
void missing_append(pietra_path *path, uint32_t character, double size, bool upright, pietra_transform space);

/* Appends a rectangle. A backward one cuts a hole. What is not finite is left out. */
void text_append_rect(pietra_path *path, pietra_transform space, double x, double y, double width, double height,
                      bool backward);

#endif
