/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A gradient's stops as the stream has them. */
#ifndef PIETRA_SCENE_BUILD_RAMP_H
#define PIETRA_SCENE_BUILD_RAMP_H

#include "scene/build/scene.h"

/* Gives the ramp of a paint that has stops. A known ramp is reused; a new one adds its stops to the scene's pool. Stops
 * start at offset 0, never go back, and have their slopes. The stream interpolates in sRGB. So an interval that is
 * linear in linearRGB is divided until each piece is within a quarter of 1/255 of the exact colour, or too narrow to be
 * seen. PIETRA_ERROR_INPUT: a stop is not finite, or there are too many. After a failure the scene may hold unused
 * stops, which the caller removes. */
pietra_result ramp_find(pietra_scene *scene, const pietra_paint *paint, pietra_error *error, const scene_ramp **ramp);

#endif
