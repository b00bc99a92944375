/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Paints as the stream has them: colours are rounded and premultiplied, and gradients are in their own normalized
 * space. */
#ifndef PIETRA_SCENE_BUILD_PAINT_H
#define PIETRA_SCENE_BUILD_PAINT_H

#include "scene/build/scene.h"

#define PAINT_OPAQUE_WHITE 0xffffffffu

/* Gives the index of a paint in the scene's pool; its stops go to a pool beside it. Degenerate gradients become solid
 * colours by SVG's rules. A gradient that paints nothing becomes a solid of alpha 0. PIETRA_ERROR_INPUT is as
 * pietra_paint says. After a failure the scene may hold unused stops, which the caller removes. */
pietra_result paint_add(pietra_scene *scene, const pietra_paint *paint, pietra_error *error, uint32_t *index);
/* Does the same for a plain colour in the stream's format. */
pietra_result paint_add_solid(pietra_scene *scene, uint32_t color, pietra_error *error, uint32_t *index);

#endif
