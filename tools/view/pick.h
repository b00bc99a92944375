/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The element under the pointer. */
#ifndef VIEW_PICK_H
#define VIEW_PICK_H

#include <stddef.h>

#include "document.h"

/* Describes the topmost element that contains the middle of the pixel (x, y) of a frame, as "path#wheel line 12". What
 * is transparent is passed over. Nothing is described where there is nothing. */
pietra_result pick_element(const document *document, const pietra_frame *frame, uint32_t x, uint32_t y,
                           pietra_error *error, char *text, size_t text_bytes);

#endif
