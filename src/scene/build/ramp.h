/* A gradient's stops as the stream has them. */
#ifndef PIETRA_SCENE_BUILD_RAMP_H
#define PIETRA_SCENE_BUILD_RAMP_H

#include "scene/build/scene.h"

/* The ramp of a paint that has stops: known already, or added with its stops behind those of the scene's pool. They are monotone, from
 * 0 on, with their slopes. The stream interpolates in sRGB; an interval that shall be even in linearRGB becomes as many as keep within
 * a quarter of a 255th of that, or as are not too narrow to be seen. PIETRA_ERROR_INPUT where a stop is not finite, or for too many; on
 * failure the scene may hold stops that nothing uses: the caller takes them back. */
pietra_result ramp_find(pietra_scene *scene, const pietra_paint *paint, pietra_error *error, const scene_ramp **ramp);

#endif
