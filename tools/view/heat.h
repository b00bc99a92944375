/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A document with a heat map on it. */
#ifndef VIEW_HEAT_H
#define VIEW_HEAT_H

#include "document.h"
#include "pietra/pietra_explain.h"

#define HEAT_OPACITY 0.75f

/* Encodes what a frame of this size shows, in its pixels, with the map of `render --heatmap` on it, through which it
 * shines, and the map's scale at the lower edge. The device counts. */
pietra_result heat_encode(const document *document, pietra_device *device, const pietra_frame *frame, uint32_t width,
                          uint32_t height, pietra_heatmap_kind kind, pietra_error *error, pietra_stream **stream);

#endif
