/* A gradient's stops as the stream has them. */
#ifndef PIETRA_SCENE_RAMP_H
#define PIETRA_SCENE_RAMP_H

#include "scene/scene.h"

/* Adds the stops of a paint that has some behind those of the scene's pool: monotone, from 0 on, with their slopes. The stream
 * interpolates in sRGB; an interval that shall be even in linearRGB becomes as many as keep within a quarter of a 255th of that.
 * False: out of memory; the scene may hold stops that nothing uses. */
bool ramp_add_stops(pietra_scene *scene, const pietra_paint *paint, stream_paint *made);

#endif
