/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A pietra_stream inside the library. Its content is trustworthy: nothing becomes a pietra_stream without passing
 * validate.h. It is immutable, so any number of threads may read it. */
#ifndef PIETRA_SCENE_STREAM_H
#define PIETRA_SCENE_STREAM_H

#include <stddef.h>
#include <stdint.h>

#include "layout/stream.h"
#include "pietra/pietra.h"

struct pietra_stream {
    uint64_t id;
    struct composed_sums *composed; /* of a composition's stream (scene/sums/sums.h); NULL of others */
    size_t word_count;
    size_t label_count; /* number of labels, which lie behind the words: one for each element, or none */
    _Alignas(16) uint32_t words[];
};

/* Returns a number that is different for every stream of the process and never 0. Caches of resident streams go by
 * it. */
static inline uint64_t stream_id(const pietra_stream *stream)
{
    return stream->id;
}

/* Returns the blob: word_count words, the header first. */
static inline const uint32_t *stream_words(const pietra_stream *stream)
{
    return stream->words;
}
static inline const stream_header *stream_get_header(const pietra_stream *stream)
{
    return (const stream_header *)stream->words;
}

/* Returns an element's label (pietra_scene_set_label); 0: none. */
static inline uint32_t stream_label(const pietra_stream *stream, uint32_t element)
{
    return element < stream->label_count ? stream->words[stream->word_count + element] : 0u;
}

/* The arrays of a blob, each as long as the header says. */
typedef struct stream_view {
    const stream_header *header;
    const stream_element *elements;
    const stream_path *paths;
    const uint8_t *tags;
    const float *points; /* x, y */
    const stream_transform *transforms;
    const stream_style *styles;
    const float *dashes;
    const stream_paint *paints;
    const stream_stop *stops;
    const stream_mip_level *mip_levels;
    const stream_box_shadow *box_shadows;
    const stream_effect *effects;
    const stream_effect_step *effect_steps;
    const uint32_t *effect_values;
    const stream_surface *surfaces;
    const uint32_t *surface_words;
    const uint32_t *texels;
} stream_view;

stream_view stream_view_of(const uint32_t *words);

/* Returns the stream of a surface. It may stand anywhere in the stream around it (layout/stream.h), so it must not be
 * copied without the streams that it shows. */
static inline const uint32_t *stream_surface_words(const stream_view *view, const stream_surface *surface)
{
    return view->surface_words + (int32_t)surface->first_word;
}

/* Sets the offsets and the total size from the counts, in the one order that a valid stream has. Returns the total
 * number of words. The header holds only its low 32 bits, so the caller checks it. */
uint64_t stream_lay_out(stream_header *header);

/* Allocates a stream of that many words, uninitialized, as one block for free(). If other memory is given back while it
 * is written, it takes its own in small steps until there is some. NULL: out of memory. */
pietra_stream *stream_allocate(size_t word_count, bool in_small_steps);
/* Gives a stream whose words changed another number. Only who owns all of it may change it. */
void stream_renew_id(pietra_stream *stream);
/* Makes a stream of that many words, which are zero behind the header. NULL: out of memory. */
pietra_stream *stream_make_zeroed(const stream_header *header, size_t word_count);

/* Copies arrays of a stream to the beginnings of those of another, which are no shorter: all but effects and surfaces,
 * and the first `texels` texels. */
void stream_copy_painting(const stream_view *view, size_t texels, pietra_stream *made);
/* Does the same with effects, their steps and their values. */
void stream_copy_effects(const stream_view *view, pietra_stream *made);

#endif
