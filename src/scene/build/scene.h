/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A pietra_scene inside the library. It holds the elements in paint order, over pools of what they refer to.
 *
 * What depends neither on a path's origin nor on an outer transform already has its form in the stream: styles, dashes,
 * stops, and paints without their map. Paths and transforms stay in double precision, so appending loses nothing. Equal
 * paths, transforms and paints near each other share one entry of their pool. */
#ifndef PIETRA_SCENE_BUILD_SCENE_H
#define PIETRA_SCENE_BUILD_SCENE_H

#include "base/arena.h"
#include "base/array.h"
#include "base/hash.h"
#include "layout/blend.h"
#include "layout/stream.h"
#include "pietra/pietra.h"
#include "scene/build/image.h"
#include "scene/intern.h"
#include "scene/build/path.h"

typedef struct scene_path {
    path_view view; /* into the scene's arena, or into the caller's arrays */
    uint64_t hash : 63;
    uint64_t is_own : 1; /* the arrays belong to the scene, and no other path has them */
} scene_path;

/* The stops of a gradient as the caller gave them, and the stops made from them. Gradients with equal stops share
 * them. */
typedef struct scene_ramp {
    uint32_t first_given, given_count; /* in given_stops */
    uint32_t first_stop, stop_count;   /* in stops */
    pietra_interpolation interpolation;
    bool is_opaque, is_one_color;
} scene_ramp;

typedef struct scene_paint {
    pietra_transform map;      /* from path space to gradient space; zero for a solid */
    stream_paint paint;        /* without its map; first_stop counts in the scene's stops, or shadows; 0 for an image */
    const pietra_image *image; /* one of the scene's images, or NULL */
    bool is_opaque;            /* everywhere */
} scene_paint;

typedef struct scene_effect {
    stream_effect effect; /* first_step counts in the scene's steps */
    pietra_box region;    /* empty: no limit */
} scene_effect;

typedef struct scene_element {
    uint32_t kind; /* ELEMENT_* kind, ELEMENT_EVEN_ODD, ELEMENT_ALIASED* and the mode of a group or mask.
                                * ELEMENT_BEGIN_CLIP always has a path: a clip by a source, or a mask, is one
                                * ELEMENT_BEGIN_CLIP_SOURCE here, which one END_CLIP_SOURCE and later one END_CLIP
                                * close */
    uint32_t path, transform, style, paint; /* indices, or STREAM_NONE; the paint of ELEMENT_BEGIN_EFFECT is an
                                             * effect */
    float opacity;                          /* a group's */
} scene_element;

/* Returns whether an element begins a group of an unbounded operator. */
static inline bool scene_begins_unbounded(const scene_element *element)
{
    return (element->kind & ELEMENT_KIND_MASK) == ELEMENT_BEGIN_GROUP &&
           (BLEND_UNBOUNDED >> (element->kind >> ELEMENT_MODE_SHIFT & ELEMENT_MODE_MASK) & 1u) != 0u;
}

/* A function to call when the scene is destroyed. */
typedef struct scene_kept {
    void (*release)(void *user);
    void *user;
} scene_kept;

/* The kinds of what may be open. The scene lists what is open, the innermost last. */
typedef enum scene_open {
    SCENE_OPEN_NOTHING,
    SCENE_OPEN_CLIP,   /* a clip's content */
    SCENE_OPEN_SOURCE, /* a clip's source */
    SCENE_OPEN_GROUP,
    SCENE_OPEN_MASK, /* a mask's content */
    SCENE_OPEN_MASK_SOURCE,
    SCENE_OPEN_EFFECT,
} scene_open;

struct pietra_scene {
    ARRAY(scene_element) elements;
    ARRAY(uint32_t) labels; /* the elements'; those beyond the last have none */
    uint32_t label;         /* for the elements to come */
    ARRAY(scene_path) paths;
    arena outlines;                 /* points and verbs of all paths that the scene owns */
    ARRAY(scene_kept) kept;         /* what the caller wants released with the scene */
    size_t verb_count, point_count; /* counts over all paths */
    ARRAY(pietra_transform) transforms;
    ARRAY(stream_style) styles;
    ARRAY(float) dashes; /* the patterns'; equal patterns near each other share one entry */
    ARRAY(scene_paint) paints;
    ARRAY(stream_stop) stops;
    ARRAY(stream_box_shadow) box_shadows;
    ARRAY(scene_ramp) ramps;
    ARRAY(pietra_stop) given_stops;
    ARRAY(scene_effect) effects;
    ARRAY(stream_effect_step) effect_steps; /* first_value counts in the scene's values */
    ARRAY(uint32_t) effect_values;
    ARRAY(uint32_t) backdrops; /* begins of effects that filter what lies below them (scene_backdrop.h), in order */
    ARRAY(const pietra_image *) images; /* kept, each once */
    hash_table image_table;             /* from an image's address to its index */
    ARRAY(uint8_t) open;                /* values of scene_open */
    size_t open_sources;                /* clip sources among those */
    ARRAY(pietra_transform) pushed;     /* each is composed with those before it */
    bool blends;                        /* a group has a blend mode */
    bool aliased;                       /* the fills, strokes and clips to come are aliased */
    intern_table path_table, transform_table, paint_table;
    intern_table pattern_table; /* from a dash pattern to the newest style that has it */
    intern_table ramp_table;
    intern_table stop_table; /* from the stops of an appended scene to where they stand */
};

/* What a failed call returns to: the sizes of the pools, how many elements and labels there are, and how many begins
 * are open. */
typedef struct scene_mark {
    size_t paths, verbs, points, transforms, styles, dashes, paints, stops, ramps, given_stops;
    size_t effects, effect_steps, effect_values, box_shadows;
    size_t elements, labels, open;
} scene_mark;

/* Makes room in `labels` for elements to come, labelled or not. False: out of memory. */
bool scene_reserve_labels(pietra_scene *scene, size_t extra);
/* Labels the newest element. There must be room. */
void scene_add_label(pietra_scene *scene, uint32_t label);
static inline uint32_t scene_label_of(const pietra_scene *scene, size_t element)
{
    return element < scene->labels.count ? scene->labels.items[element] : 0u;
}

/* Return whether nothing has been added or pushed; remove everything and keep the memory. */
bool scene_is_empty(const pietra_scene *scene);
void scene_clear(pietra_scene *scene);

/* Returns a caller's transform under those that are pushed. */
pietra_transform scene_transform(const pietra_scene *scene, const pietra_transform *transform);

scene_mark scene_get_mark(const pietra_scene *scene);

/* Keeps an image. An image that is already kept is not kept again. False: out of memory. */
bool scene_keep_image(pietra_scene *scene, const pietra_image *image);
/* Returns the index of a kept image, or the number of kept images if this one is not kept. */
size_t scene_image_index(const pietra_scene *scene, const pietra_image *image);

/* Makes the arrays of a path the scene's own if they are large, so that adding the path copies nothing. The path refers
 * to them until it changes, or is reset or destroyed, which must be before the scene is. */
pietra_result scene_take_large_path(pietra_scene *scene, pietra_path *path, pietra_error *error);
/* Finds taken paths that are in the scene once, and marks them as its own. */
void scene_own_taken_paths(pietra_scene *scene);

/* Copies a path to `room`, which must hold its points and then its verbs. Does not look for an equal path. */
path_view scene_copy_path(path_view path, char *room);
static inline size_t scene_path_bytes(size_t verb_count, size_t point_count)
{
    return point_count * sizeof(path_point) + verb_count;
}

static inline path_view scene_path_view(const pietra_scene *scene, uint32_t index)
{
    return scene->paths.items[index].view;
}

#endif
