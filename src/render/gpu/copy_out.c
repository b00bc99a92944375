/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/gpu/copy_out.h"

#include <stddef.h>
#include <string.h>

#include "render/frame/config.h"

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
    const size_t stride = target->stride_bytes != 0 ? target->stride_bytes : 4 * (size_t)target->width;
    const frame_config shown = config_of_part(config, window);
    const pixel_box box = config_pixels(&shown);
    for (int y = box.y0; y < box.y1; y++) {
        copy_row(pixels + (size_t)(y - box.y0) * config->target_pitch, (uint32_t)(box.x1 - box.x0),
                 (uint8_t *)target->pixels + (ptrdiff_t)y * (ptrdiff_t)stride + (ptrdiff_t)box.x0 * 4);
    }
}
