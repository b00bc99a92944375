/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "scene/encode/encode.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "scene/rules.h"

pietra_result encode_too_large(pietra_error *error)
{
    return error_set(error, PIETRA_ERROR_MEMORY, 0,
                     "out of memory, or a scene of more than %u segments, points or elements", STREAM_MAX_COUNT);
}

static void encode_copy(uint32_t *words, uint32_t offset, const void *items, size_t bytes)
{
    if (bytes > 0)
        memcpy(words + offset, items, bytes);
}

static void write_paths(void *user, size_t begin, size_t end)
{
    const encoder *encoder = user;
    uint32_t *words = encoder->stream->words;
    const stream_header *header = (const stream_header *)words;
    encode_written written = {NULL, NULL};
    for (size_t i = begin; i < end; i++) {
        encode_write_path(encoder, (uint32_t)i, (uint8_t *)(words + header->tags),
                          (float_point *)(words + header->points), &written);
    }
    encode_give_back(&written);
}

/* Writes the paths, behind the header. */
static void encode_write_paths(encoder *encoder)
{
    const stream_header *header = stream_get_header(encoder->stream);
    uint8_t *tags = (uint8_t *)(encoder->stream->words + header->tags),
            *tags_end = (uint8_t *)(encoder->stream->words + header->points);
    for (uint8_t *tail = tags + header->segment_count; tail < tags_end; tail++)
        *tail = 0;
    parallel_pool_share(encoder->pool, encoder->paths.count, write_paths, encoder);
}

/* Gives the stream the room that it needs, and moves the transforms to their place. That may lie behind where they are,
 * if a path needed more points for another transform than the one for which it was measured. */
static bool encode_fit(encoder *encoder, size_t word_count, uint32_t transforms)
{
    const size_t from = (size_t)((uint32_t *)encoder->transforms.items - encoder->stream->words);
    const size_t bytes = encoder->transforms.count * sizeof *encoder->transforms.items;
    if (transforms < from)
        memmove(encoder->stream->words + transforms, encoder->stream->words + from, bytes);
    pietra_stream *made = realloc(encoder->stream, sizeof *made + word_count * sizeof(uint32_t));
    if (!made)
        return false;
    encoder->stream = made;
    if (transforms > from)
        memmove(made->words + transforms, made->words + from, bytes);
    return true;
}

pietra_result encode_assemble(encoder *encoder, pietra_error *error)
{
    const pietra_scene *scene = encoder->scene;
    uint64_t surface_words;
    if (!encode_place_surfaces(encoder, &surface_words))
        return encode_too_large(error);
    stream_header header = {
        .magic = STREAM_MAGIC,
        .version = STREAM_VERSION,
        .element_count = (uint32_t)encoder->elements.count,
        .path_count = (uint32_t)encoder->paths.count,
        .segment_count = (uint32_t)encoder->segment_count,
        .point_count = (uint32_t)encoder->point_count,
        .transform_count = (uint32_t)encoder->transforms.count,
        .style_count = (uint32_t)scene->styles.count,
        .dash_count = (uint32_t)scene->dashes.count,
        .paint_count = (uint32_t)encoder->paints.count,
        .stop_count = (uint32_t)encoder->stops.count,
        .mip_level_count = (uint32_t)encoder->mip_levels.count,
        .box_shadow_count = (uint32_t)encoder->box_shadows.count,
        .effect_count = (uint32_t)encoder->effects.count,
        .effect_step_count = (uint32_t)encoder->effect_steps.count,
        .effect_value_count = (uint32_t)encoder->effect_values.count,
        .surface_count = (uint32_t)encoder->surfaces.count,
        .surface_word_count = (uint32_t)surface_words,
        .texel_count = (uint32_t)encoder->texel_count,
    };
    uint64_t word_count = stream_lay_out(&header);
    if (word_count > UINT32_MAX || encoder->totals.tasks > STREAM_MAX_COUNT)
        return encode_too_large(error);
    rules_set_totals(&encoder->totals, &header);
    size_t label_count = encoder->labels ? encoder->elements.count : 0;
    if (!encode_fit(encoder, (size_t)word_count + label_count, header.transforms))
        return encode_too_large(error);
    pietra_stream *made = encoder->stream;
    made->word_count = (size_t)word_count;
    made->label_count = label_count;
    memcpy(made->words, &header, sizeof header);
    encode_write_paths(encoder);
    encode_copy(made->words, header.paths, encoder->paths.items, encoder->paths.count * sizeof *encoder->paths.items);
    encode_copy(made->words, header.styles, scene->styles.items, scene->styles.count * sizeof *scene->styles.items);
    encode_copy(made->words, header.dashes, scene->dashes.items, scene->dashes.count * sizeof *scene->dashes.items);
    encode_copy(made->words, header.paints, encoder->paints.items,
                encoder->paints.count * sizeof *encoder->paints.items);
    encode_copy(made->words, header.stops, encoder->stops.items, encoder->stops.count * sizeof *encoder->stops.items);
    encode_copy(made->words, header.mip_levels, encoder->mip_levels.items,
                encoder->mip_levels.count * sizeof *encoder->mip_levels.items);
    encode_copy(made->words, header.box_shadows, encoder->box_shadows.items,
                encoder->box_shadows.count * sizeof *encoder->box_shadows.items);
    encode_copy(made->words, header.effects, encoder->effects.items,
                encoder->effects.count * sizeof *encoder->effects.items);
    encode_copy(made->words, header.effect_steps, encoder->effect_steps.items,
                encoder->effect_steps.count * sizeof *encoder->effect_steps.items);
    encode_copy(made->words, header.effect_values, encoder->effect_values.items,
                encoder->effect_values.count * sizeof *encoder->effect_values.items);
    encode_write_surfaces(encoder, (stream_surface *)(made->words + header.surfaces),
                          made->words + header.surface_words);
    uint32_t surfaces_end = header.surface_words + header.surface_word_count;
    memset(made->words + surfaces_end, 0, (header.texels - surfaces_end) * sizeof(uint32_t));
    encode_copy_texels(encoder, made->words + header.texels);
    encode_copy(made->words + word_count, 0, encoder->labels, label_count * sizeof *encoder->labels);
    return PIETRA_OK;
}
