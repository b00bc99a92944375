/* Paints as the stream has them: colours rounded and premultiplied, gradients in their own normal space. */
#ifndef PIETRA_SCENE_BUILD_PAINT_H
#define PIETRA_SCENE_BUILD_PAINT_H

#include "scene/build/scene.h"

#define PAINT_OPAQUE_WHITE 0xffffffffu

/* The index of a paint in the scene's pool, its stops beside it. Degenerate gradients become solid colours by SVG's rules; one that
 * cannot be painted becomes a solid of alpha 0. PIETRA_ERROR_INPUT as pietra_paint has it; on failure the scene may hold
 * stops that nothing uses: the caller takes them back. */
pietra_result paint_add(pietra_scene *scene, const pietra_paint *paint, pietra_error *error, uint32_t *index);
/* The same for a plain colour of the stream's format. */
pietra_result paint_add_solid(pietra_scene *scene, uint32_t color, pietra_error *error, uint32_t *index);

#endif
