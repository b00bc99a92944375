/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "scene/stream.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define WORDS_OF(type) ((uint64_t)(sizeof(type) / sizeof(uint32_t)))

_Static_assert(sizeof(stream_header) == STREAM_HEADER_WORDS * sizeof(uint32_t),
               "kernels skip the header by its number of words");
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "tags are read as bytes, the first in the low byte of its word");

stream_view stream_view_of(const uint32_t *words)
{
    const stream_header *header = (const stream_header *)words;
    return (stream_view){
        .header = header,
        .elements = (const stream_element *)(words + header->elements),
        .paths = (const stream_path *)(words + header->paths),
        .tags = (const uint8_t *)(words + header->tags),
        .points = (const float *)(words + header->points),
        .transforms = (const stream_transform *)(words + header->transforms),
        .styles = (const stream_style *)(words + header->styles),
        .dashes = (const float *)(words + header->dashes),
        .paints = (const stream_paint *)(words + header->paints),
        .stops = (const stream_stop *)(words + header->stops),
        .mip_levels = (const stream_mip_level *)(words + header->mip_levels),
        .box_shadows = (const stream_box_shadow *)(words + header->box_shadows),
        .effects = (const stream_effect *)(words + header->effects),
        .effect_steps = (const stream_effect_step *)(words + header->effect_steps),
        .effect_values = words + header->effect_values,
        .surfaces = (const stream_surface *)(words + header->surfaces),
        .surface_words = words + header->surface_words,
        .texels = words + header->texels,
    };
}

static uint64_t stream_place(uint32_t *offset, uint64_t at, uint64_t words)
{
    *offset = (uint32_t)at;
    return at + words;
}

uint64_t stream_lay_out(stream_header *header)
{
    uint64_t at = WORDS_OF(stream_header);
    at = stream_place(&header->elements, at, header->element_count * WORDS_OF(stream_element));
    at = stream_place(&header->paths, at, header->path_count * WORDS_OF(stream_path));
    at = stream_place(&header->tags, at, ((uint64_t)header->segment_count + 3) / 4);
    at = stream_place(&header->points, at, header->point_count * 2ull);
    at = stream_place(&header->transforms, at, header->transform_count * WORDS_OF(stream_transform));
    at = stream_place(&header->styles, at, header->style_count * WORDS_OF(stream_style));
    at = stream_place(&header->dashes, at, header->dash_count);
    at = stream_place(&header->paints, at, header->paint_count * WORDS_OF(stream_paint));
    at = stream_place(&header->stops, at, header->stop_count * WORDS_OF(stream_stop));
    at = stream_place(&header->mip_levels, at, header->mip_level_count * WORDS_OF(stream_mip_level));
    at = stream_place(&header->box_shadows, at, header->box_shadow_count * WORDS_OF(stream_box_shadow));
    at = stream_place(&header->effects, at, header->effect_count * WORDS_OF(stream_effect));
    at = stream_place(&header->effect_steps, at, header->effect_step_count * WORDS_OF(stream_effect_step));
    at = stream_place(&header->effect_values, at, header->effect_value_count);
    at = stream_place(&header->surfaces, at, header->surface_count * WORDS_OF(stream_surface));
    at = stream_place(&header->surface_words, at, header->surface_word_count);
    if (header->texel_count > 0)
        at = (at + STREAM_TEXEL_ALIGNMENT - 1) / STREAM_TEXEL_ALIGNMENT * STREAM_TEXEL_ALIGNMENT;
    at = stream_place(&header->texels, at, header->texel_count);
    header->word_count = (uint32_t)at;
    return at;
}

void stream_renew_id(pietra_stream *stream)
{
    /* This counter is the only thing that streams share. The library has no other state outside its objects. */
    static atomic_uint_least64_t last_id;
    stream->id = atomic_fetch_add_explicit(&last_id, 1, memory_order_relaxed) + 1;
}

pietra_stream *stream_allocate(size_t word_count, bool in_small_steps)
{
    if (word_count > (SIZE_MAX - sizeof(pietra_stream)) / sizeof(uint32_t))
        return NULL;
    pietra_stream *stream = memory_alloc(sizeof *stream + word_count * sizeof(uint32_t));
    if (stream && in_small_steps) /* a quarter of a stream takes as long as paths of its half are given back */
        memory_prefer_small_pages(stream, word_count * sizeof(uint32_t) / 4);
    if (stream) {
        stream_renew_id(stream);
        stream->composed = NULL;
        stream->word_count = word_count;
        stream->label_count = 0;
    }
    return stream;
}

pietra_stream *stream_make_zeroed(const stream_header *header, size_t word_count)
{
    pietra_stream *stream = stream_allocate(word_count, false);
    if (stream) {
        memset(stream->words, 0, word_count * sizeof(uint32_t));
        memcpy(stream->words, header, sizeof *header);
    }
    return stream;
}

#define COPY_ARRAY(view, made, name, count) \
    memcpy((made)->words + stream_get_header(made)->name, (view)->name, (count) * sizeof *(view)->name)

void stream_copy_painting(const stream_view *view, size_t texels, pietra_stream *made)
{
    const stream_header *header = view->header;
    COPY_ARRAY(view, made, elements, header->element_count);
    COPY_ARRAY(view, made, paths, header->path_count);
    COPY_ARRAY(view, made, tags, header->segment_count);
    COPY_ARRAY(view, made, points, 2 * (size_t)header->point_count);
    COPY_ARRAY(view, made, transforms, header->transform_count);
    COPY_ARRAY(view, made, styles, header->style_count);
    COPY_ARRAY(view, made, dashes, header->dash_count);
    COPY_ARRAY(view, made, paints, header->paint_count);
    COPY_ARRAY(view, made, stops, header->stop_count);
    COPY_ARRAY(view, made, mip_levels, header->mip_level_count);
    COPY_ARRAY(view, made, box_shadows, header->box_shadow_count);
    COPY_ARRAY(view, made, texels, texels);
}

void stream_copy_effects(const stream_view *view, pietra_stream *made)
{
    COPY_ARRAY(view, made, effects, view->header->effect_count);
    COPY_ARRAY(view, made, effect_steps, view->header->effect_step_count);
    COPY_ARRAY(view, made, effect_values, view->header->effect_value_count);
}
