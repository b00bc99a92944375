/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Shadows of boxes, from the caller's numbers to those of a stream. */
#ifndef PIETRA_SCENE_BUILD_BOX_SHADOW_H
#define PIETRA_SCENE_BUILD_BOX_SHADOW_H

#include "layout/stream.h"
#include "pietra/pietra.h"

/* Returns PIETRA_OK, or PIETRA_ERROR_INPUT as pietra_shadow says. */
pietra_result box_shadow_check(const pietra_shadow *shadow, pietra_transform transform, pietra_error *error);

/* Makes a shadow and the map to its space, given the one to the space of its paint. False: there is nothing to blur, or
 * the map is not finite. */
bool box_shadow_make(const pietra_shadow *shadow, pietra_transform to_paint, stream_box_shadow *made,
                     pietra_transform *map);

#endif
