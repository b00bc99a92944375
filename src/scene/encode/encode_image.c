/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <string.h>

#include "scene/encode/encode.h"

static bool encode_surface(encoder *encoder, const pietra_image *image, uint32_t *index)
{
    const pietra_image **surface = array_push(&encoder->surfaces);
    if (!surface || encoder->surfaces.count > STREAM_MAX_COUNT)
        return false;
    *surface = image;
    *index = (uint32_t)(encoder->surfaces.count - 1);
    return true;
}

static bool encode_mip_levels(encoder *encoder, const pietra_image *image, uint32_t *first_mip_level)
{
    if (encoder->texel_count + image->texel_count > STREAM_MAX_COUNT || !array_reserve(&encoder->images, 1))
        return false;
    stream_mip_level *mip_levels = array_push_many(&encoder->mip_levels, image->mip_level_count);
    if (!mip_levels)
        return false;
    for (uint32_t i = 0; i < image->mip_level_count; i++) {
        mip_levels[i] = image->mip_levels[i];
        mip_levels[i].first_texel += (uint32_t)encoder->texel_count;
    }
    encoder->images.items[encoder->images.count++] = image;
    encoder->texel_count += image->texel_count;
    *first_mip_level = (uint32_t)(encoder->mip_levels.count - image->mip_level_count);
    return true;
}

bool encode_image(encoder *encoder, const pietra_image *image, uint32_t *index)
{
    uint32_t *known = &encoder->encoded_images[scene_image_index(encoder->scene, image)];
    if (*known == STREAM_NONE &&
        !(image->drawn ? encode_surface(encoder, image, known) : encode_mip_levels(encoder, image, known))) {
        return false;
    }
    *index = *known;
    return true;
}

void encode_copy_texels(const encoder *encoder, uint32_t *words)
{
    for (size_t i = 0; i < encoder->images.count; i++) {
        const pietra_image *image = encoder->images.items[i];
        if (image->external_id != 0)
            memset(words, 0, image->texel_count * sizeof *words);
        else
            memcpy(words, image->texels, image->texel_count * sizeof *words);
        words += image->texel_count;
    }
}
