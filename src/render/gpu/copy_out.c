/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/gpu/copy_out.h"

#include <string.h>

static void copy_row(const uint32_t *row, uint32_t width, uint8_t *to)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    memcpy(to, row, 4 * (size_t)width);
#else
    for (uint32_t x = 0; x < width; x++)
        for (int i = 0; i < 4; i++)
            to[4 * x + (uint32_t)i] = (uint8_t)(row[x] >> (8 * i));
#endif
}

void copy_out(const frame_config *config, tile_box window, const uint32_t *pixels, const pietra_target *target)
{
    size_t stride = target->stride_bytes != 0 ? target->stride_bytes : 4 * (size_t)target->width;
    uint32_t begin = (uint32_t)(window.y0 * TILE_SIDE), end = (uint32_t)(window.y1 * TILE_SIDE);
    for (uint32_t y = begin; y < end && y < target->height; y++) {
        copy_row(pixels + (size_t)(y - begin) * config->target_pitch, target->width,
                 (uint8_t *)target->pixels + (size_t)y * stride);
    }
}
