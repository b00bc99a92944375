/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Mip levels of images: each texel is the mean of the texels of the finer level that lie in it, four at most. */
#ifndef PIETRA_LIB_MIP_H
#define PIETRA_LIB_MIP_H

#include "../layout/glue.h"

/* Returns the mean of `count` texels, each channel rounded to the nearest. A word of the sums holds two channels: even
 * ones red and blue, odd ones green and alpha. */
SHARED_FUNCTION uint mip_mean(uint even, uint odd, uint count)
{
    uint half_count = count / 2u;
    uint red = ((even & 0xffffu) + half_count) / count, blue = ((even >> 16) + half_count) / count;
    uint green = ((odd & 0xffffu) + half_count) / count, alpha = ((odd >> 16) + half_count) / count;
    return red | green << 8 | blue << 16 | alpha << 24;
}

#endif
