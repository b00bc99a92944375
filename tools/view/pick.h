/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The element under the pointer. */
#ifndef VIEW_PICK_H
#define VIEW_PICK_H

#include <stddef.h>

#include "document.h"

/* Describes the topmost element that paints the pixel (x, y) of a frame of this size, as "path#wheel line 12". Nothing
 * is described where nothing paints. It is found as by `render --explain`, in the tiles around the pixel alone. */
pietra_result pick_element(const document *document, pietra_device *device, const pietra_frame *frame, uint32_t width,
                           uint32_t height, uint32_t x, uint32_t y, pietra_error *error, char *text, size_t text_bytes);

#endif
