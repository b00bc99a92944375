/* Scenes from a seed: paths, strokes, dashes, clips, masks, groups, gradients and images in any mixture, of a size that draws in milliseconds. */
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
    RANDOM_DYADIC,            /* straight lines on 1/16 px, moved by dyadic offsets alone, solid paints: nothing rounds */
} random_kind;

/* A scene for a canvas of side * side. Some of it lies outside, some far outside. Aborts when memory is out. */
pietra_scene *random_scene_create(uint64_t seed, random_kind kind, double side);
/* The same, added to a scene. */
void random_scene_add(pietra_scene *scene, uint64_t seed, random_kind kind, double side);

#endif
