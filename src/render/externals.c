/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/externals.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "scene/build/image.h"

static external_image image_of_paint(const stream_view *view, const stream_paint *paint)
{
    external_image image = {.id = (uint32_t)paint->r0,
                            .first_level = paint->first_stop,
                            .level_count = paint->stop_count,
                            .first_texel = view->mip_levels[paint->first_stop].first_texel};
    for (uint32_t i = 0; i < paint->stop_count; i++) {
        const stream_mip_level *level = &view->mip_levels[paint->first_stop + i];
        image.texel_count += (uint64_t)level->width * level->height;
    }
    return image;
}

bool externals_find(const pietra_stream *stream, external_images *images)
{
    const stream_view view = stream_view_of(stream_words(stream));
    uint32_t next = 0; /* images come in the order of their first paints */
    images->count = 0;
    for (uint32_t i = 0; i < view.header->paint_count && view.header->mip_level_count > 0; i++) {
        const stream_paint *paint = &view.paints[i];
        if (paint->kind != PAINT_IMAGE || paint->first_stop < next)
            continue;
        next = paint->first_stop + paint->stop_count;
        external_image *added = paint->r0 != 0 ? array_push(images) : NULL;
        if (added)
            *added = image_of_paint(&view, paint);
        else if (paint->r0 != 0)
            return false;
    }
    return true;
}

pietra_result externals_check_size(const pietra_stream *stream, const external_images *images, uint32_t id,
                                   uint32_t width, uint32_t height, pietra_error *error)
{
    const stream_view view = stream_view_of(stream_words(stream));
    if (id == 0 || id > EXTERNAL_ID_MOST)
        return error_set(error, PIETRA_ERROR_INPUT, 0, "the id %u of an external image", id);
    for (size_t i = 0; i < images->count; i++) {
        const stream_mip_level *level = &view.mip_levels[images->items[i].first_level];
        if (images->items[i].id == id && (level->width != width || level->height != height)) {
            return error_set(error, PIETRA_ERROR_INPUT, 0,
                             "external image %u has %u x %u pixels, and the frame gives it %u x %u", id, level->width,
                             level->height, width, height);
        }
    }
    return PIETRA_OK;
}

pietra_result externals_check(const pietra_stream *stream, const external_images *images,
                              const pietra_external *externals, size_t count, pietra_error *error)
{
    pietra_result result = PIETRA_OK;
    for (size_t i = 0; i < count && result == PIETRA_OK; i++) {
        const pietra_external *external = &externals[i];
        if (!external->pixels)
            return error_set_null(error, "external.pixels");
        if (external->stride_bytes != 0 && external->stride_bytes < 4 * (size_t)external->width) {
            return error_set(error, PIETRA_ERROR_INPUT, 0, "a stride of %zu bytes is too small for %u pixels",
                             external->stride_bytes, external->width);
        }
        result = externals_check_size(stream, images, external->id, external->width, external->height, error);
    }
    return result;
}

/* Copies a stream with its labels, in memory that is kept. */
static bool copy_stream(const pietra_stream *stream, filled_stream *filled)
{
    const size_t words = stream->word_count + stream->label_count;
    if (!filled->stream || filled->word_capacity < words) {
        free(filled->stream);
        filled->stream = stream_allocate(words, false);
        filled->word_capacity = filled->stream ? words : 0;
    }
    filled->source = 0;
    if (!filled->stream)
        return false;
    memcpy(filled->stream->words, stream->words, words * sizeof *stream->words);
    filled->stream->word_count = stream->word_count;
    filled->stream->label_count = stream->label_count;
    filled->stream->shapes = stream->shapes;
    filled->source = stream_id(stream);
    return true;
}

static const pietra_external *find_external(const pietra_external *externals, size_t count, uint32_t id)
{
    for (size_t i = 0; i < count; i++)
        if (externals[i].id == id)
            return &externals[i];
    return NULL;
}

static void fill_image(const pietra_stream *stream, const external_image *image, const pietra_external *external)
{
    const stream_view view = stream_view_of(stream_words(stream));
    uint32_t *texels = (uint32_t *)(uintptr_t)view.texels + image->first_texel;
    if (external) {
        image_fill(view.mip_levels + image->first_level, image->level_count, external->pixels,
                   external->stride_bytes != 0 ? external->stride_bytes : 4 * (size_t)external->width, texels);
    } else {
        memset(texels, 0, image->texel_count * sizeof *texels);
    }
}

pietra_result externals_fill(const pietra_stream *stream, const pietra_external *externals, size_t count,
                             pietra_error *error, filled_stream *filled, const pietra_stream **drawn)
{
    *drawn = stream;
    if (count == 0 || stream_get_header(stream)->mip_level_count == 0)
        return PIETRA_OK;
    if (!externals_find(stream, &filled->images))
        return error_set_memory(error);
    const pietra_result result = externals_check(stream, &filled->images, externals, count, error);
    if (result != PIETRA_OK || filled->images.count == 0)
        return result;
    if (filled->source != stream_id(stream) && !copy_stream(stream, filled))
        return error_set_memory(error);
    stream_renew_id(filled->stream);
    for (size_t i = 0; i < filled->images.count; i++) {
        const external_image *image = &filled->images.items[i];
        fill_image(filled->stream, image, find_external(externals, count, image->id));
    }
    *drawn = filled->stream;
    return PIETRA_OK;
}

void filled_stream_free(filled_stream *filled)
{
    free(filled->stream);
    array_free(&filled->images);
    *filled = (filled_stream){.stream = NULL};
}
