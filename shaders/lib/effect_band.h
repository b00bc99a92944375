/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* 11 band: a banded matrix times an image (shaders/layout/effect.h). */
#ifndef PIETRA_LIB_EFFECT_BAND_H
#define PIETRA_LIB_EFFECT_BAND_H

#include "../layout/effect.h"

/* Returns the first of the texels that texel j depends on. */
SHARED_FUNCTION int effect_band_start(effect_band band, int j)
{
    return (j * band.multiply + band.add) >> band.shift;
}

/* Returns the first weight of texel j. */
SHARED_FUNCTION uint effect_band_weights(effect_band band, int j)
{
    return band.first + (TO_UINT(j) & band.phase_mask) * band.taps;
}

/* Returns a channel from its sum, which is below 2^31 because the weights sum to 2^15. */
SHARED_FUNCTION uint effect_band_channel(int sum)
{
    return TO_UINT(sum + 16384) >> 15;
}

/* Two channels lie in the halves of a word. What is added before they part stays below 2^16 a half, since a channel has
 * 15 bits. */

/* Returns (a + 3b + 3c + d) / 8 of both, rounded as weights 2^12 and 3 * 2^12 are by effect_band_channel. */
SHARED_FUNCTION uint effect_halved(uint a, uint b, uint c, uint d)
{
    uint outer = a + d + 0x00040004u;
    uint inner = b + c;
    uint low = ((outer & 0xffffu) + 3u * (inner & 0xffffu)) >> 3;
    uint high = ((outer >> 16) + 3u * (inner >> 16)) >> 3;
    return low | high << 16;
}

/* Returns (3 near + far) / 4 of both, rounded as weights 3 * 2^13 and 2^13 are. */
SHARED_FUNCTION uint effect_doubled(uint near, uint far)
{
    uint rounded = far + 0x00020002u;
    uint low = ((rounded & 0xffffu) + 3u * (near & 0xffffu)) >> 2;
    uint high = ((rounded >> 16) + 3u * (near >> 16)) >> 2;
    return low | high << 16;
}

#endif
