/* What a pietra_scene is inside the library: the elements in paint order, over pools of what they refer to.
 *
 * Whatever does not depend on the path's origin or on the outer transform is kept as the stream has it already (styles, dashes,
 * stops, paints but for their map); paths and transforms stay in double precision, so that appending loses nothing. Equal paths,
 * transforms and paints near each other share one entry of their pool. */
#ifndef PIETRA_SCENE_BUILD_SCENE_H
#define PIETRA_SCENE_BUILD_SCENE_H

#include "base/arena.h"
#include "base/array.h"
#include "base/hash.h"
#include "layout/stream.h"
#include "pietra/pietra.h"
#include "scene/build/image.h"
#include "scene/intern.h"
#include "scene/build/path.h"

typedef struct scene_path {
    path_view view;            /* into the scene's arena, or the caller's arrays */
    uint64_t hash;
} scene_path;

/* The stops of a gradient as they were given, and what became of them: gradients that are given the same share it. */
typedef struct scene_ramp {
    uint32_t first_given, given_count; /* in given_stops */
    uint32_t first_stop, stop_count; /* in stops */
    bool linear_rgb;
    bool is_opaque, is_one_color;
} scene_ramp;

typedef struct scene_paint {
    pietra_transform map;      /* path space to gradient space; zero for a solid */
    stream_paint paint;        /* all but its map; first_stop counts in the scene's stops; an image's: 0 */
    const pietra_image *image; /* one of the scene's images, or NULL */
    bool is_opaque;            /* everywhere */
} scene_paint;

typedef struct scene_element {
    uint32_t kind;             /* ELEMENT_* kind, ELEMENT_EVEN_ODD, ELEMENT_CRISP and the mode of a group or mask. ELEMENT_BEGIN_CLIP has
                                * a path always: a clip by a source, or a mask, is one ELEMENT_BEGIN_CLIP_SOURCE here, closed by one
                                * END_CLIP_SOURCE and later one END_CLIP */
    uint32_t path, transform, style, paint; /* indices, or STREAM_NONE */
    float opacity;             /* of a group */
} scene_element;

/* What to call when the scene goes. */
typedef struct scene_kept {
    void (*release)(void *user);
    void *user;
} scene_kept;

/* What is open, innermost last. */
typedef enum scene_open {
    SCENE_OPEN_NOTHING,
    SCENE_OPEN_CLIP,           /* its content */
    SCENE_OPEN_SOURCE,         /* a clip's source */
    SCENE_OPEN_GROUP,
    SCENE_OPEN_MASK,           /* its content */
    SCENE_OPEN_MASK_SOURCE,
} scene_open;

struct pietra_scene {
    ARRAY(scene_element) elements;
    ARRAY(uint32_t) labels;    /* of the elements; empty: there are none */
    uint32_t label;            /* of the elements to come */
    ARRAY(scene_path) paths;
    arena outlines;            /* points and verbs of the paths but for those that are referred to */
    ARRAY(scene_kept) kept;    /* for the caller's sake */
    size_t verb_count, point_count; /* of all paths */
    ARRAY(pietra_transform) transforms;
    ARRAY(stream_style) styles;
    ARRAY(float) dashes;       /* of patterns, each once among those near each other */
    ARRAY(scene_paint) paints;
    ARRAY(stream_stop) stops;
    ARRAY(scene_ramp) ramps;
    ARRAY(pietra_stop) given_stops;
    ARRAY(const pietra_image *) images; /* kept, each once */
    hash_table image_table;    /* address -> index of an image */
    ARRAY(uint8_t) open;       /* scene_open */
    size_t open_sources;       /* of those, clips' */
    bool blends;               /* some group has a blend mode */
    bool crisp;                /* so are the fills, strokes and clips to come */
    intern_table path_table, transform_table, paint_table;
    intern_table pattern_table; /* of styles: the newest one of a pattern */
    intern_table ramp_table;
};

/* How far the pools are filled, to take back what a failed call had added. */
typedef struct scene_mark {
    size_t paths, verbs, points, transforms, styles, dashes, paints, stops, ramps, given_stops;
} scene_mark;

/* Room in `labels` for elements to come, labelled or not. False: out of memory. */
bool scene_reserve_labels(pietra_scene *scene, size_t extra);
/* Labels the newest element. There must be room. */
void scene_add_label(pietra_scene *scene, uint32_t label);
static inline uint32_t scene_label_of(const pietra_scene *scene, size_t element)
{
    return element < scene->labels.count ? scene->labels.items[element] : 0u;
}

/* Whether nothing has been added, and back to that, memory kept. */
bool scene_is_empty(const pietra_scene *scene);
void scene_clear(pietra_scene *scene);

scene_mark scene_get_mark(const pietra_scene *scene);

/* Keeps an image, once. False: out of memory. */
bool scene_keep_image(pietra_scene *scene, const pietra_image *image);
/* Of an image that is kept. */
size_t scene_image_index(const pietra_scene *scene, const pietra_image *image);

/* Copies a path behind those of the scene, without a look at those. `room` has space for its points, then its verbs. */
path_view scene_copy_path(path_view path, char *room);
static inline size_t scene_path_bytes(size_t verb_count, size_t point_count) { return point_count * sizeof(path_point) + verb_count; }

static inline path_view scene_path_view(const pietra_scene *scene, uint32_t index) { return scene->paths.items[index].view; }

#endif
