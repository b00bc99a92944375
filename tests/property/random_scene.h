/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Scenes from a seed: a mixture of paths, strokes, dashes, clips, masks, groups, gradients and images, small enough to
 * draw in milliseconds. */
#ifndef TESTS_PROPERTY_RANDOM_SCENE_H
#define TESTS_PROPERTY_RANDOM_SCENE_H

#include <pietra/pietra.h>

typedef struct random_source {
    uint64_t state;
} random_source;

random_source random_start(uint64_t seed);
uint32_t random_below(random_source *source, uint32_t limit);
double random_between(random_source *source, double low, double high);

typedef enum random_kind {
    RANDOM_ANYTHING,
    RANDOM_DYADIC, /* straight lines on 1/16 px, only dyadic offsets, and solid paints: nothing is rounded */
} random_kind;

/* Makes a scene for a canvas of side * side pixels. Some of it lies outside, some far outside. Aborts if memory is
 * out. */
pietra_scene *random_scene_create(uint64_t seed, random_kind kind, double side);
/* Does the same, but adds to a scene. */
void random_scene_add(pietra_scene *scene, uint64_t seed, random_kind kind, double side);

#endif
