/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "scene/external_images.h"

#include "scene/mip_levels.h"

static external_image image_of_paint(const stream_view *view, const stream_paint *paint)
{
    const stream_mip_level *first = &view->mip_levels[paint->first_stop];
    external_image image = {.id = (uint32_t)paint->r0,
                            .width = first->width,
                            .height = first->height,
                            .first_level = paint->first_stop,
                            .level_count = paint->stop_count,
                            .first_texel = first->first_texel};
    for (uint32_t i = 0; i < paint->stop_count; i++) {
        const stream_mip_level *level = &view->mip_levels[paint->first_stop + i];
        image.texel_count += (uint64_t)level->width * level->height;
    }
    return image;
}

bool stream_find_externals(const pietra_stream *stream, external_images *images)
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

stream_mip_level external_level(const external_image *image, uint32_t index)
{
    stream_mip_level level = {image->width, image->height, (uint32_t)image->first_texel};
    for (uint32_t i = 0; i < index; i++)
        level = mip_level_after(level);
    return level;
}
