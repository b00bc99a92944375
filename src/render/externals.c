/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/externals.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "scene/mip_levels.h"

pietra_result externals_check_size(const external_images *images, uint32_t id, uint32_t width, uint32_t height,
                                   pietra_error *error)
{
    if (id == 0 || id > EXTERNAL_ID_MOST)
        return error_set(error, PIETRA_ERROR_INPUT, 0, "the id %u of an external image", id);
    for (size_t i = 0; i < images->count; i++) {
        const external_image *image = &images->items[i];
        if (image->id == id && (image->width != width || image->height != height)) {
            return error_set(error, PIETRA_ERROR_INPUT, 0,
                             "external image %u has %u x %u pixels, and the frame gives it %u x %u", id, image->width,
                             image->height, width, height);
        }
    }
    return PIETRA_OK;
}

static pietra_result check_memory(const external_images *images, const pietra_external *externals, size_t count,
                                  pietra_error *error)
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
        result = externals_check_size(images, external->id, external->width, external->height, error);
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
    filled->stream->composed = stream->composed;
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
        mip_levels_fill(view.mip_levels + image->first_level, image->level_count, external->pixels,
                        external->stride_bytes != 0 ? external->stride_bytes : 4 * (size_t)external->width, texels);
    } else {
        memset(texels, 0, image->texel_count * sizeof *texels);
    }
}

/* Makes ordinary images of those whose pixels are in place. */
static void set_ids(const pietra_stream *stream, const pietra_external *externals, size_t count, pietra_stream *made)
{
    const stream_view view = stream_view_of(stream_words(stream));
    stream_paint *paints = (stream_paint *)(made->words + view.header->paints);
    for (uint32_t i = 0; i < view.header->paint_count; i++)
        if (view.paints[i].kind == PAINT_IMAGE && view.paints[i].r0 != 0)
            paints[i].r0 = find_external(externals, count, (uint32_t)view.paints[i].r0) ? 0 : view.paints[i].r0;
}

pietra_result externals_fill(const pietra_stream *stream, const pietra_external *externals, size_t count,
                             pietra_error *error, filled_stream *filled, const pietra_stream **drawn)
{
    *drawn = stream;
    if (count == 0 || stream_get_header(stream)->mip_level_count == 0)
        return PIETRA_OK;
    if (!stream_find_externals(stream, &filled->images))
        return error_set_memory(error);
    const pietra_result result = check_memory(&filled->images, externals, count, error);
    if (result != PIETRA_OK || filled->images.count == 0)
        return result;
    if (filled->source != stream_id(stream) && !copy_stream(stream, filled))
        return error_set_memory(error);
    stream_renew_id(filled->stream);
    set_ids(stream, externals, count, filled->stream);
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
