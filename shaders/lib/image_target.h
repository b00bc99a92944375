/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* 12 image: channels of 8 bits as those of other formats, rounded to the nearest by integers. */
#ifndef PIETRA_LIB_IMAGE_TARGET_H
#define PIETRA_LIB_IMAGE_TARGET_H

#include "../layout/image_target.h"

/* These return the column and the row of the pixel with a number, which the box has. */
SHARED_FUNCTION uint image_box_x(image_box box, uint number)
{
    return box.x + (number - box.first_pixel) % box.width;
}
SHARED_FUNCTION uint image_box_y(image_box box, uint number)
{
    return box.y + (number - box.first_pixel) / box.width;
}

SHARED_FUNCTION uint image_channel(uint color, uint which)
{
    return (color >> (8u * which)) & 0xffu;
}

/* Returns v / 255 as a number of fewer or more bits, whose largest value is `most`. 255 is odd, so nothing lies in the
 * middle between two. */
SHARED_FUNCTION uint image_scaled(uint v, uint most)
{
    return (v * most + 127u) / 255u;
}

/* Returns v / 255 as a half. With v 2^e in [255, 510), it is 2^-e (1 + s / 1024). */
SHARED_FUNCTION uint image_half(uint v)
{
    uint e = 0u;
    if (v == 0u) {
        return 0u;
    }
    for (; (v << e) < 255u; e++) {
    }
    return ((15u - e) << 10) + image_scaled((v << e) - 255u, 1024u);
}

/* Returns a pixel of one word. */
SHARED_FUNCTION uint image_word(uint format, uint color)
{
    uint r = image_channel(color, 0u);
    uint g = image_channel(color, 1u);
    uint b = image_channel(color, 2u);
    uint a = image_channel(color, 3u);
    uint low = format == IMAGE_RGB10A2 ? r : b;
    uint high = format == IMAGE_RGB10A2 ? b : r;
    if (format == IMAGE_BGRA8) {
        return low | g << 8 | high << 16 | a << 24;
    }
    return image_scaled(low, 1023u) | image_scaled(g, 1023u) << 10 | image_scaled(high, 1023u) << 20 |
           image_scaled(a, 3u) << 30;
}

/* Returns halves of two channels that lie side by side. */
SHARED_FUNCTION uint image_halves(uint color, uint which)
{
    return image_half(image_channel(color, which)) | image_half(image_channel(color, which + 1u)) << 16;
}

#endif
