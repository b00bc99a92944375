/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The sums of one path, as an element shows it. */
#ifndef PIETRA_SCENE_SUMS_PATH_SUMS_H
#define PIETRA_SCENE_SUMS_PATH_SUMS_H

#include "scene/sums/sums.h"

/* Sets the members that come from a path and a pen: those from tasks to least_step, and thin_area. */
void path_sums_of_fill(const stream_view *view, const stream_element *element, bound_sums *sums);
void path_sums_of_stroke(const stream_view *view, const stream_element *element, bound_sums *sums);

#endif
