/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Paths at many places: fills that share the few paths they refer to. */
#ifndef PIETRA_SCENE_BUILD_SCENE_PLACES_H
#define PIETRA_SCENE_BUILD_SCENE_PLACES_H

#include <stddef.h>
#include <stdint.h>

#include "pietra/pietra.h"

/* Where the origin of a path stands, in the scene's units before the transform. */
typedef struct scene_place {
    uint32_t path; /* index */
    double x, y;
} scene_place;

/* Fills paths, `scale` times as large, at places: an element for each place, in order. The paint is a solid. A call
 * that fails leaves the scene as it was. */
pietra_result scene_fill_places(pietra_scene *scene, pietra_path *const *paths, size_t path_count, double scale,
                                const scene_place *places, size_t place_count, const pietra_transform *transform,
                                const pietra_paint *paint, pietra_error *error);

#endif
