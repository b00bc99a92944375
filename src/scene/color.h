/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Colours as streams and frames hold them: premultiplied RGBA8 in one word, R in the low byte. */
#ifndef PIETRA_SCENE_COLOR_H
#define PIETRA_SCENE_COLOR_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "pietra/pietra.h"

static inline bool color_is_finite(const pietra_color *color)
{
    return isfinite(color->r) && isfinite(color->g) && isfinite(color->b) && isfinite(color->a);
}

static inline float color_clamp(float channel)
{
    return channel > 0.0f ? (channel < 1.0f ? channel : 1.0f) : 0.0f;
}

/* Returns the byte of a channel from 0 to 1, rounded to the nearest. */
static inline uint32_t color_byte(float channel)
{
    return (uint32_t)floorf(255.0f * channel + 0.5f);
}

/* Premultiplies straight bytes: c * a / 255, rounded to the nearest. */
static inline uint32_t color_premultiply(uint32_t r, uint32_t g, uint32_t b, uint32_t a)
{
    return (2u * r * a + 255u) / 510u | (2u * g * a + 255u) / 510u << 8 | (2u * b * a + 255u) / 510u << 16 | a << 24;
}

/* Converts a caller's colour. opacity is 0 to 1. */
static inline uint32_t color_of_channels(const pietra_color *color, float opacity)
{
    uint32_t r = color_byte(color_clamp(color->r)), g = color_byte(color_clamp(color->g)),
             b = color_byte(color_clamp(color->b));
    return color_premultiply(r, g, b, color_byte(color_clamp(color->a) * opacity));
}

#endif
