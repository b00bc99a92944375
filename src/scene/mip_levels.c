/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "scene/mip_levels.h"

#include "lib/mip.h"
#include "scene/color.h"

static void fill_first(const stream_mip_level *level, const uint8_t *pixels, size_t stride, uint32_t *texel)
{
    for (uint32_t y = 0; y < level->height; y++) {
        const uint8_t *row = pixels + y * stride;
        for (uint32_t x = 0; x < level->width; x++, row += 4, texel++)
            *texel = color_premultiply(row[0], row[1], row[2], row[3]);
    }
}

/* Each texel is the mean of the texels of the finer mip level that lie in it, four at most. */
static void fill_coarser(const stream_mip_level *finer, const stream_mip_level *level, const uint32_t *from,
                         uint32_t *to)
{
    for (uint32_t y = 0; y < level->height; y++) {
        uint32_t rows = 2 * y + 1 < finer->height ? 2 : 1;
        for (uint32_t x = 0; x < level->width; x++) {
            uint32_t columns = 2 * x + 1 < finer->width ? 2 : 1;
            uint32_t even = 0, odd = 0;
            for (uint32_t i = 0; i < rows * columns; i++) {
                uint32_t texel = from[(size_t)(2 * y + i / columns) * finer->width + 2 * x + i % columns];
                even += texel & 0xff00ffu;
                odd += texel >> 8 & 0xff00ffu;
            }
            to[(size_t)y * level->width + x] = mip_mean(even, odd, rows * columns);
        }
    }
}

void mip_levels_fill(const stream_mip_level *levels, uint32_t level_count, const uint8_t *pixels, size_t stride,
                     uint32_t *texels)
{
    fill_first(&levels[0], pixels, stride, texels);
    for (uint32_t i = 1; i < level_count; i++)
        fill_coarser(&levels[i - 1], &levels[i], texels + (levels[i - 1].first_texel - levels[0].first_texel),
                     texels + (levels[i].first_texel - levels[0].first_texel));
}
