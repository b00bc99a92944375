/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Turns a scene into a stream, in three steps. Threads measure all paths. The encoder walks the scene's elements once,
 * and numbers paths, transforms and paints when a drawn element first needs them; then it knows where everything goes.
 * Threads write the paths there and check the whole. */
#ifndef PIETRA_SCENE_ENCODE_ENCODE_H
#define PIETRA_SCENE_ENCODE_ENCODE_H

#include "base/parallel.h"
#include "scene/build/scene.h"
#include "scene/rules.h"
#include "scene/stream.h"

/* A path of the scene in the stream. */
typedef struct encoded_path {
    uint32_t index;           /* index of its stream_path; STREAM_NONE: not needed so far */
    uint32_t scene_transform; /* the transform for which it was measured; STREAM_NONE: it was not measured */
    uint32_t segment_count, point_count;
    float apart;     /* see encode_path.c */
    bool has_doubts; /* see encode_path.c */
    bool has_lines;  /* it has a segment that is not a dot */
    bool has_joins;
    bool is_rectangle;
    float origin_x, origin_y; /* subtracted from its points; depends on the transform */
    float x0, y0, x1, y1;     /* box of its points, with control points; empty: x1 < x0 */
} encoded_path;

static inline path_point encoded_origin(const encoded_path *path)
{
    return (path_point){path->origin_x, path->origin_y};
}

typedef struct float_point {
    float x, y;
} float_point;

typedef struct encoded_paint {
    uint32_t index;      /* index of its last stream_paint; STREAM_NONE: not written so far */
    uint32_t first_stop; /* in the stream; for an image, its first level or its surface; for a shadow, itself */
    path_point origin;   /* origin of the path for which it was written; a solid serves all paths */
} encoded_paint;

/* A box in scene space, rounded outward. */
typedef struct encode_box {
    float x0, y0, x1, y1;
} encode_box;

/* An open begin; the innermost stands last, and the first level is the scene itself. A clip or a group is written only
 * when something in it is, so one that paints nothing leaves no trace. Only unbounded groups are written in any
 * case. */
typedef struct encode_level {
    uint32_t scene_element; /* the begin, in the scene */
    uint32_t begin;         /* the begin in the stream, once it is written */
    rules_totals before;    /* of the elements before that */
    uint32_t child_count;   /* children of its content so far */
    uint32_t child_begin;   /* the last child's begin, or STREAM_NONE */
    encode_box box;         /* box of its content, or of its source while that is open */
    encode_box limit;       /* what its clip lets show; everything for a group */
    bool is_elided;         /* a group of opacity 1 in which nothing blends: nothing is written for it */
} encode_level;

typedef ARRAY(const pietra_image *) encode_images;

/* The stream of an image of a scene, and its place in the stream that is being made. */
typedef struct encode_placed {
    const pietra_image *image;
    uint32_t word_count;
    uint32_t surface_word_count; /* words of the surfaces in it */
    const uint32_t *words;       /* NULL: not written so far */
} encode_placed;

typedef struct encoder {
    const pietra_scene *scene;
    parallel_pool *pool;            /* NULL: one thread */
    ARRAY(stream_element) elements; /* in their place in the stream, which has room for all */
    rules_totals totals;            /* of the elements so far */
    uint32_t *labels;               /* the elements'; NULL: none has one */
    uint32_t scene_element;         /* the element that is being encoded */
    ARRAY(stream_path) paths;
    ARRAY(uint32_t) path_sources;       /* index in the scene of each path */
    pietra_stream *stream;              /* the result; owned until it is handed out */
    size_t segment_count, point_count;  /* counts over the paths */
    ARRAY(stream_transform) transforms; /* in the stream, in what will be their place if all paths are drawn */
    ARRAY(stream_paint) paints;
    ARRAY(stream_stop) stops;
    ARRAY(stream_mip_level) mip_levels;
    ARRAY(stream_box_shadow) box_shadows;
    ARRAY(stream_effect) effects;
    ARRAY(stream_effect_step) effect_steps;
    ARRAY(uint32_t) effect_values;
    ARRAY(const pietra_image *) images; /* the images whose mip levels these are, in order */
    uint64_t texel_count;
    encode_images surfaces;      /* the images that are pictures of scenes, in order */
    ARRAY(encode_placed) placed; /* those and the images that they show, each once */
    hash_table placed_table;     /* from an image's address to its entry */
    bool leaves_surfaces;        /* the streams of its surfaces are not written */
    bool gives_paths_back;       /* the memory of the scene's own paths, when they are written */
    intern_table transform_table;
    uint32_t transform_tags[INTERN_SLOTS]; /* the lower half of the hash of what each slot has */
    pietra_transform last_transform;       /* the transform that was last looked for */
    float last_linear[4];                  /* its a, b, c and d in the stream */
    uint32_t last_transform_index;
    pietra_transform judged_transform; /* what differs from it only in its place leaves an area if it does */
    bool judged_keeps_area;
    encoded_path *encoded_paths; /* one for each path of the scene */
    encoded_paint *encoded_paints;
    uint32_t *encoded_stops;  /* for each stop of the scene with which a gradient begins: its index in the stream, or
                                * STREAM_NONE */
    uint32_t *encoded_images; /* for each image of the scene: its first level or its surface; STREAM_NONE: not written
                                * so far */
    /* for each element of the scene that is a begin: ELEMENT_ISOLATED or ELEMENT_COPIES_DESTINATION; NULL: nothing
     * blends */
    uint32_t *layer_flags;
    uint32_t white_paint; /* the paint in a clip's source; STREAM_NONE: not written so far */
    ARRAY(encode_level) levels;
    size_t written_levels; /* levels before this one have their begin written, or are elided */
    size_t layer_count;    /* levels that are not elided, without the scene itself */
    size_t open_sources;   /* clips', not masks' */
    size_t skipped_levels; /* open begins inside a group of opacity 0, that one included */
} encoder;

/* Finds out everything about a path except its index. scene_transform belongs to the element that needs the path; the
 * choice of its origin depends on it. */
void encode_measure_path(const encoder *encoder, uint32_t scene_path, uint32_t scene_transform);
/* Returns the path, numbered, and measured for this transform. NULL: out of memory. */
const encoded_path *encode_path(encoder *encoder, uint32_t scene_path, uint32_t scene_transform);
/* The memory of small paths of the scene that were written behind one another. It is given back when it is worth it. */
typedef struct encode_written {
    const char *begin, *end; /* NULL: none */
} encode_written;

/* Writes a path of the stream to its place in these arrays. */
void encode_write_path(const encoder *encoder, uint32_t stream_path_index, uint8_t *tags, float_point *points,
                       encode_written *written);
/* Gives back what is left. */
void encode_give_back(encode_written *written);

/* Returns a transform, or a paint's map, for a path whose points are counted from this origin. */
static inline pietra_transform encode_from_origin(pietra_transform transform, path_point origin)
{
    if (origin.x == 0.0 && origin.y == 0.0)
        return transform;
    transform.e += transform.a * origin.x + transform.c * origin.y;
    transform.f += transform.b * origin.x + transform.d * origin.y;
    return transform;
}
/* Gives the paint for a path, on whose origin it depends, and writes it if needed. False: out of memory. */
bool encode_paint(encoder *encoder, uint32_t scene_paint_index, const encoded_path *path, uint32_t *index);
/* Gives the paint of everything in a clip's source. False: out of memory. */
bool encode_white(encoder *encoder, uint32_t *index);

/* Gives the index of the image's first level or of its surface, and writes them if needed. False: out of memory, or
 * there are too many texels or words. */
bool encode_image(encoder *encoder, const pietra_image *image, uint32_t *index);
/* Copies the texels of all images that were written, texel_count words. */
void encode_copy_texels(const encoder *encoder, uint32_t *words);

/* Gives how many words the streams of all surfaces take. A stream that several surfaces show counts once. False: out of
 * memory, or there are too many. */
bool encode_place_surfaces(encoder *encoder, uint64_t *word_count);
/* Writes the surfaces and their streams, which take the words counted before. */
void encode_write_surfaces(encoder *encoder, stream_surface *surfaces, uint32_t *words);

/* Writes the effect of a scene's element, with its steps, and gives its index. False: out of memory. */
bool encode_effect(encoder *encoder, const scene_element *element, uint32_t *index);

/* Fills in layer_flags. False: out of memory. */
bool encode_find_blends(encoder *encoder);

/* Writes the elements of the scene, and what they use. False: out of memory, or there is too much. */
bool encode_elements(encoder *encoder);

/* Reports the one failure of the encoder itself; the others come from the validator. */
pietra_result encode_too_large(pietra_error *error);
/* Puts the arrays into their places in the stream, after all elements are encoded. */
pietra_result encode_assemble(encoder *encoder, pietra_error *error);

/* Encodes a scene. threads is as for parallel_workers; the stream does not depend on it. */
pietra_result encode_scene(const pietra_scene *scene, uint32_t threads, pietra_error *error, pietra_stream **stream);
/* Does the same, and spoils the scene's own paths: their memory goes back to the system when they are written. */
pietra_result encode_spoiling_scene(pietra_scene *scene, uint32_t threads, pietra_error *error, pietra_stream **stream);
/* Encodes the scene of an image, on one thread, without the streams of its surfaces. Gives the images that these
 * surfaces are, in order. The scene owns the images; the caller frees the array, even after a failure. */
pietra_result encode_image_scene(const pietra_scene *scene, pietra_error *error, pietra_stream **stream,
                                 encode_images *shown);

#endif
