/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The box of a stroke under a transform. */
#ifndef PIETRA_SCENE_BUILD_STROKE_BOUNDS_H
#define PIETRA_SCENE_BUILD_STROKE_BOUNDS_H

#include "scene/build/path.h"
#include "layout/stream.h"

/* Gives the box that a solid stroke of this style covers: its width at the ends of segments and where curves turn,
 * caps, and joins with the tips of their miters. Dashes are ignored. False: the path is empty. */
bool stroke_bounds(path_view path, const stream_style *style, pietra_transform transform, pietra_box *box);

#endif
