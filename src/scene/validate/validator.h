/* What the checks of a stream share. Each looks at its own arrays, in the order in which they stand below, and may rely on those
 * before it. */
#ifndef PIETRA_SCENE_VALIDATE_VALIDATOR_H
#define PIETRA_SCENE_VALIDATE_VALIDATOR_H

#include <math.h>

#include "base/array.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/parallel.h"
#include "scene/stream.h"

/* What stands around an element, innermost last; the first level is the stream itself. */
typedef struct validate_level {
    uint32_t begin_kind;       /* ELEMENT_BEGIN_CLIP, ELEMENT_BEGIN_CLIP_SOURCE or ELEMENT_BEGIN_GROUP */
    uint32_t begin_flags;      /* of that element, its kind included */
    uint32_t child_count;
    uint32_t sole_count;       /* children that claim to be the only one */
    bool last_is_begin;        /* the last child is a clip or group */
    bool blends;               /* some content sees through to what is below */
} validate_level;

/* The stream of a surface that has passed. */
typedef struct validate_passed {
    size_t at;                 /* where it begins in the outermost stream */
    uint32_t word_count;
    unsigned height;           /* how deep surfaces nest in it; 0: it has none */
} validate_passed;

/* What surfaces may share. */
typedef struct validate_shared {
    const uint32_t *words;     /* of the outermost stream */
    ARRAY(validate_passed) passed;
    hash_table table;          /* by their beginnings */
} validate_shared;

typedef struct validator {
    stream_view view;
    pietra_error *error;
    parallel_pool *pool;       /* NULL: one thread */
    uint32_t *group_counts;    /* for each stop: how many follow it in its gradient, itself included, or 0 where none starts */
    uint8_t *opaque_groups;    /* for each stop that starts a gradient: whether all of them are opaque */
    uint32_t *pattern_counts;  /* the same for dashes and patterns */
    uint32_t *image_counts;    /* and for levels and images */
    uint8_t *opaque_images;
    uint32_t used_dashes;      /* by the styles so far */
    uint32_t used_stops, used_levels, used_texels, used_surfaces; /* by the paints so far */
    uint8_t *opaque_paints;
    ARRAY(validate_level) levels;
    size_t open_sources;       /* clips', not masks' */
    unsigned depth;            /* of surfaces around the stream */
    unsigned height;           /* of surfaces in it */
    validate_shared *shared;   /* NULL: streams of surfaces are left out */
} validator;

#define REJECT(validator, ...) error_set((validator)->error, PIETRA_ERROR_INPUT, 0, __VA_ARGS__)

/* Looked at without branches, for the compiler to take side by side. */
#define SANE_FLOATS 16u

/* Index of the first float that is not a number or too large; count: none is. */
static inline size_t find_insane(const float *values, size_t count, float limit)
{
    size_t i = 0;
    for (bool sane = true; count - i >= SANE_FLOATS; i += SANE_FLOATS) {
        for (size_t k = 0; k < SANE_FLOATS; k++) {
            sane = sane & (fabsf(values[i + k]) <= limit);
        }
        if (!sane) {
            break;
        }
    }
    while (i < count && fabsf(values[i]) <= limit) {
        i++;
    }
    return i;
}

/* Each returns PIETRA_OK, PIETRA_ERROR_INPUT with what is wrong where, or PIETRA_ERROR_MEMORY. */
pietra_result validate_paths(validator *v);
pietra_result validate_styles(validator *v);
pietra_result validate_paints(validator *v);
pietra_result validate_elements(validator *v);
pietra_result validate_surfaces(validator *v);

/* The whole stream of a surface that stands in so many others, and how deep they nest in it. */
pietra_result validate_nested(const uint32_t *words, size_t word_count, unsigned depth, validate_shared *shared, parallel_pool *pool,
                              pietra_error *error, unsigned *height);

#endif
