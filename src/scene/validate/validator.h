/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What the checks of a stream share. Each check reads its own arrays, in the order below, and may rely on the checks
 * before it. */
#ifndef PIETRA_SCENE_VALIDATE_VALIDATOR_H
#define PIETRA_SCENE_VALIDATE_VALIDATOR_H

#include <math.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/parallel.h"
#include "scene/rules.h"
#include "scene/stream.h"

/* A level around an element. The innermost stands last, and the first is the stream itself. */
typedef struct validate_level {
    uint32_t begin_kind;  /* ELEMENT_BEGIN_CLIP, ELEMENT_BEGIN_CLIP_SOURCE or ELEMENT_BEGIN_GROUP */
    uint32_t begin_flags; /* the word of that element, with its kind and flags */
    uint32_t child_count;
    uint32_t sole_count; /* children that claim to be the only one */
    bool last_is_begin;  /* the last child is a clip or group */
    bool blends;         /* some content sees what lies below it */
    uint32_t pictures;   /* of an effect: those that have not begun */
} validate_level;

/* The stream of a surface that has passed. */
typedef struct validate_passed {
    size_t at; /* where it begins in the outermost stream */
    uint32_t word_count;
    unsigned height; /* how deep surfaces nest in it; 0: it has none */
} validate_passed;

/* What the checks of surfaces share. */
typedef struct validate_shared {
    const uint32_t *words; /* the outermost stream's */
    ARRAY(validate_passed) passed;
    hash_table table; /* finds them by where they begin */
} validate_shared;

typedef struct validator {
    stream_view view;
    pietra_error *error;
    parallel_pool *pool;      /* NULL: one thread */
    uint32_t *group_counts;   /* for each stop: how many stops the gradient has that starts there, or 0 */
    uint8_t *opaque_groups;   /* for each stop that starts a gradient: all stops of the gradient are opaque */
    uint32_t *pattern_counts; /* the same for dashes and patterns */
    uint32_t *image_ids;      /* of external images, at their first mip levels */
    uint32_t *image_counts;   /* the same for mip levels and images */
    uint8_t *opaque_images;
    uint32_t used_dashes;  /* what the styles so far use */
    uint32_t used_effects; /* what the elements so far use */
    /* what the paints so far use */
    uint32_t used_stops, used_mip_levels, used_texels, used_surfaces, used_box_shadows;
    uint32_t *paint_flags; /* for each paint: which of ELEMENT_OF_PAINT an element with it has */
    rules_totals totals;   /* of the elements so far */
    ARRAY(validate_level) levels;
    size_t open_sources;     /* clips', not masks' */
    unsigned depth;          /* surfaces around the stream */
    unsigned height;         /* how deep surfaces nest in it */
    validate_shared *shared; /* NULL: the streams of surfaces are left out */
} validator;

#define ELEMENT_OF_PAINT (ELEMENT_OPAQUE | ELEMENT_IMAGE | ELEMENT_BOX_SHADOW)

#define REJECT(validator, ...) error_set((validator)->error, PIETRA_ERROR_INPUT, 0, __VA_ARGS__)

/* Returns whether no float is NaN or above the limit in size. Without their sign, floats compare as their words do, and
 * a NaN has the largest. A difference below 0 has the upper bit. Compilers make vectors of this, of comparisons they
 * do not. */
static inline bool are_sane(const float *values, size_t count, float limit)
{
    uint32_t largest, word, beyond = 0;
    memcpy(&largest, &limit, sizeof largest);
    for (size_t i = 0; i < count; i++) {
        memcpy(&word, &values[i], sizeof word);
        beyond |= largest - (word & 0x7fffffffu);
    }
    return beyond >> 31 == 0;
}

#define SANE_FLOATS 16u /* tested at a time */

/* Returns the index of the first float that is NaN or too large, or `count` if there is none. */
static inline size_t find_insane(const float *values, size_t count, float limit)
{
    size_t i = 0;
    while (count - i >= SANE_FLOATS && are_sane(values + i, SANE_FLOATS, limit))
        i += SANE_FLOATS;
    while (i < count && are_sane(values + i, 1, limit))
        i++;
    return i;
}

/* Each returns PIETRA_OK, PIETRA_ERROR_INPUT with what is wrong and where, or PIETRA_ERROR_MEMORY. */
pietra_result validate_paths(validator *v);
pietra_result validate_styles(validator *v);
pietra_result validate_paints(validator *v);
pietra_result validate_effects(validator *v);
pietra_result validate_elements(validator *v);
pietra_result validate_surfaces(validator *v);

/* Checks the whole stream of a surface. depth is the number of surfaces around it. Gives how deep surfaces nest in
 * it. */
pietra_result validate_nested(const uint32_t *words, size_t word_count, unsigned depth, validate_shared *shared,
                              parallel_pool *pool, pietra_error *error, unsigned *height);

#endif
