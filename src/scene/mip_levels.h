/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The texels of an image's mip levels. */
#ifndef PIETRA_SCENE_MIP_LEVELS_H
#define PIETRA_SCENE_MIP_LEVELS_H

#include <stddef.h>
#include <stdint.h>

#include "layout/stream.h"

/* Returns the mip level behind another one, whose first texel it counts on from. */
static inline stream_mip_level mip_level_after(stream_mip_level level)
{
    return (stream_mip_level){(level.width + 1) / 2, (level.height + 1) / 2,
                              level.first_texel + level.width * level.height};
}

/* Fills all mip levels of an image with pixels as pietra_image_create takes them. `texels` are those of the image. */
void mip_levels_fill(const stream_mip_level *levels, uint32_t level_count, const uint8_t *pixels, size_t stride,
                     uint32_t *texels);

#endif
