/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Stroke styles as the stream has them. */
#ifndef PIETRA_SCENE_BUILD_STYLE_H
#define PIETRA_SCENE_BUILD_STYLE_H

#include "scene/build/scene.h"

/* Returns whether the stroke draws anything: its width is above 0, also as a float. */
bool style_draws(const pietra_stroke *stroke);
/* Returns whether corners are added to its path: it has the join `arcs` and no dashes. */
bool style_has_arcs(const pietra_stroke *stroke);
/* Returns the miter limit, at least 1. */
double style_miter_limit(const pietra_stroke *stroke);
/* Gives the index of a style in the scene's pool. The style's dashes go to the pool of dashes. PIETRA_ERROR_INPUT is as
 * pietra_stroke says. After a failure the scene may hold unused dashes, which the caller removes. */
pietra_result style_add(pietra_scene *scene, const pietra_stroke *stroke, pietra_error *error, uint32_t *index);
/* Returns how far a stroke reaches from its path, in half widths: 1, the miter limit if there may be joins, sqrt 2 for
 * square caps. */
double style_reach(const stream_style *style, bool has_joins);

#endif
