/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A dark panel with lines of text, which lies in the upper left corner of the window. */
#ifndef VIEW_PANEL_H
#define VIEW_PANEL_H

#include "pietra/pietra_text.h"

/* Encodes lines of UTF-8 in pixels. *width and *height give the panel's size, which is no more than what they held. */
pietra_result panel_encode(pietra_fonts *fonts, const char *lines, pietra_error *error, pietra_stream **stream,
                           uint32_t *width, uint32_t *height);

#endif
