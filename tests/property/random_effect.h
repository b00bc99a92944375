/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Scenes from a seed in which groups go through random effects, also in one another. */
#ifndef TESTS_PROPERTY_RANDOM_EFFECT_H
#define TESTS_PROPERTY_RANDOM_EFFECT_H

#include "property/random_scene.h"

/* Makes a scene for a canvas of side * side pixels. Aborts if memory is out. */
pietra_scene *random_effect_scene_create(uint64_t seed, double side);

#endif
