/* Scene to stream, in three steps. All paths are measured, by threads; the encoder walks the scene's elements once, numbers paths,
 * transforms and paints when an element that is drawn first needs them, and knows then where everything stands; threads write the paths
 * there, and check the whole. */
#ifndef PIETRA_SCENE_ENCODE_ENCODE_H
#define PIETRA_SCENE_ENCODE_ENCODE_H

#include "base/parallel.h"
#include "scene/build/scene.h"
#include "scene/stream.h"

/* A path of the scene as it stands in the stream. */
typedef struct encoded_path {
    uint32_t index;            /* of its stream_path; STREAM_NONE: not needed yet */
    uint32_t scene_transform;  /* for which it was measured; STREAM_NONE: it was not */
    uint32_t segment_count, point_count;
    float apart;               /* see encode_path.c */
    bool has_doubts;           /* see encode_path.c */
    bool has_lines;            /* a segment that is not a dot */
    bool has_joins;
    bool is_rectangle;
    float origin_x, origin_y;  /* subtracted from its points; chosen for the transform */
    float x0, y0, x1, y1;      /* of its points, control points too; empty: x1 < x0 */
} encoded_path;

static inline path_point encoded_origin(const encoded_path *path) { return (path_point){ path->origin_x, path->origin_y }; }

typedef struct float_point {
    float x, y;
} float_point;

typedef struct encoded_paint {
    uint32_t index;            /* of its last stream_paint; STREAM_NONE: not written yet */
    uint32_t first_stop;       /* in the stream; of an image: its first level or surface */
    path_point origin;         /* of the path it was written for; a solid serves all */
} encoded_paint;

/* A box in scene space, rounded outward. */
typedef struct encode_box {
    float x0, y0, x1, y1;
} encode_box;

/* A begin that is open, innermost last; the first level is the scene itself. A clip or group is written only when something in it
 * is, so what paints nothing leaves nothing. */
typedef struct encode_level {
    uint32_t scene_element;    /* its begin */
    uint32_t begin;            /* element of the stream, once written */
    uint32_t child_count;      /* of its content, so far */
    uint32_t child_begin;      /* the last child's begin, or STREAM_NONE */
    encode_box box;            /* of its content, or of its source while that is open */
    encode_box limit;          /* of a clip; of a group: everything */
    bool passes;               /* a group of opacity 1 in which nothing blends: nothing is written for it */
} encode_level;

typedef ARRAY(const pietra_image *) encode_images;

/* The stream of an image of a scene, as it stands in the one that is made. */
typedef struct encode_placed {
    const pietra_image *image;
    uint32_t word_count;
    uint32_t surface_word_count; /* of the surfaces that stand in it */
    const uint32_t *words;     /* NULL: not written yet */
} encode_placed;

typedef struct encoder {
    const pietra_scene *scene;
    parallel_pool *pool;       /* NULL: one thread */
    ARRAY(stream_element) elements; /* in their place in the stream, which has room for all */
    uint32_t *labels;          /* of the elements; NULL: there are none */
    uint32_t scene_element;    /* that is being encoded */
    ARRAY(stream_path) paths;
    ARRAY(uint32_t) path_sources; /* of each, in the scene */
    pietra_stream *stream;     /* to be: owned until it is handed out */
    size_t segment_count, point_count; /* of the paths */
    ARRAY(stream_transform) transforms;
    ARRAY(stream_paint) paints;
    ARRAY(stream_stop) stops;
    ARRAY(stream_level) image_levels;
    ARRAY(const pietra_image *) images; /* whose levels these are, in order */
    uint64_t texel_count;
    encode_images surfaces;    /* images that are pictures of scenes, in order */
    ARRAY(encode_placed) placed; /* those and what they show, each once */
    hash_table placed_table;   /* by the image's address */
    bool leaves_surfaces;      /* their streams are not written */
    intern_table transform_table;
    pietra_transform last_transform; /* that was looked for, and where it was found or put */
    uint32_t last_transform_index;
    uint32_t judged_transform; /* of the scene, the last of which it was asked; STREAM_NONE: none yet */
    bool judged_flattens;      /* whether it leaves nothing of an area */
    encoded_path *encoded_paths; /* for each path of the scene */
    encoded_paint *encoded_paints;
    uint32_t *encoded_stops;   /* for each stop of the scene that a gradient begins with: where it is in the stream, or STREAM_NONE */
    uint32_t *encoded_images;  /* for each image of the scene: its first level or its surface, or STREAM_NONE: not written yet */
    uint32_t *layer_flags;     /* for each element of the scene, of a begin: ELEMENT_ISOLATED or ELEMENT_BACKDROP; NULL: nothing blends */
    uint32_t white_paint;      /* of what stands in a clip's source; STREAM_NONE: not written yet */
    ARRAY(encode_level) levels;
    size_t written_levels;     /* those before this one have their begin written, or pass */
    size_t layer_count;        /* levels that neither pass nor are the scene itself */
    size_t open_sources;       /* clips', not masks' */
    size_t skipped_levels;     /* begins open inside a group of opacity 0, that one included */
} encoder;

/* Finds out all of a path but its index. scene_transform: of the element that needs it, for the choice of the path's origin. */
void encode_measure_path(const encoder *encoder, uint32_t scene_path, uint32_t scene_transform);
/* The path, numbered if it was not, and measured if it was not for this transform. NULL: out of memory. */
const encoded_path *encode_path(encoder *encoder, uint32_t scene_path, uint32_t scene_transform);
/* Writes a path of the stream to its place in these arrays. */
void encode_write_path(const encoder *encoder, uint32_t stream_path_index, uint8_t *tags, float_point *points);

/* A transform, or a paint's map, as it acts on a path whose points are counted from this origin. */
pietra_transform encode_from_origin(pietra_transform transform, path_point origin);
/* The paint for a path of this origin, written if it was not. False: out of memory. */
bool encode_paint(encoder *encoder, uint32_t scene_paint_index, path_point origin, uint32_t *index);
/* The paint of what stands in a clip's source. False: out of memory. */
bool encode_white(encoder *encoder, uint32_t *index);

/* The image's levels or its surface, written if they were not: the index of the first level or of the surface. False: out of memory, or
 * too many texels or words. */
bool encode_image(encoder *encoder, const pietra_image *image, uint32_t *index);
/* The texels of all images that were written, texel_count words. */
void encode_copy_texels(const encoder *encoder, uint32_t *words);

/* How many words the streams of all surfaces take, each once, however many show it. False: out of memory, or too many. */
bool encode_place_surfaces(encoder *encoder, uint64_t *word_count);
/* The surfaces, and so many words. */
void encode_write_surfaces(encoder *encoder, stream_surface *surfaces, uint32_t *words);

/* Fills in layer_flags. False: out of memory. */
bool encode_find_blends(encoder *encoder);

/* Every failure inside the encoder but those of the validator is this one. */
pietra_result encode_too_large(pietra_error *error);
/* Puts the arrays together, in their places in the stream, when all elements are encoded. */
pietra_result encode_assemble(encoder *encoder, pietra_error *error);

/* threads: as of parallel_workers; the stream is the same for any number. */
pietra_result encode_scene(const pietra_scene *scene, uint32_t threads, pietra_error *error, pietra_stream **stream);
/* The same of an image, with one thread, without the streams of its surfaces: it shows these images, in their order. They are the
 * scene's; the caller frees the array, also on failure. */
pietra_result encode_image_scene(const pietra_scene *scene, pietra_error *error, pietra_stream **stream, encode_images *shown);

#endif
