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

/* Returns (3 near + far) / 4 of both, rounded as weights 3 * 2^13 and 2^13 are: (3 near + far + 2) / 4 is half of near
 * + (near + far) / 2 + 1, and a half that is dropped on the way does not reach the next integer. */
SHARED_FUNCTION uint effect_doubled(uint near, uint far)
{
    uint mean = (near & far) + (((near ^ far) >> 1) & 0x7fff7fffu);
    return ((near + mean + 0x00010001u) >> 1) & 0x7fff7fffu;
}

/* Two channels of pixels of 8 bits, or sums of such, lie in the halves of a word: R and B in one, G and A in the other.
 * Returns a + 3b + 3c + d of both. Of pixels, and of what that makes of them, no sum reaches 2^14, and eighths of
 * texels are exact: so an image of pixels is halved along both axes without a rounding. */
SHARED_FUNCTION uint effect_halves_summed(uint a, uint b, uint c, uint d)
{
    return a + d + 3u * (b + c);
}

/* Return the words of a texel, R and G in the first. Its pixels were halved along both axes, so their sums are 64 times
 * a channel: half of a texel's. The last function returns the pixel that is nearest to a texel's words. */
SHARED_FUNCTION uint effect_r_g_of_sums(uint r_b, uint g_a)
{
    return (r_b & 0xffffu) << 1 | g_a << 17;
}

SHARED_FUNCTION uint effect_b_a_of_sums(uint r_b, uint g_a)
{
    return r_b >> 16 << 1 | (g_a & 0xffff0000u) << 1;
}

SHARED_FUNCTION uint effect_color_of_words(uint r_g, uint b_a)
{
    uint low = ((r_g + 0x00400040u) >> EFFECT_8_BIT_SHIFT) & 0x00ff00ffu;
    uint high = ((b_a + 0x00400040u) >> EFFECT_8_BIT_SHIFT) & 0x00ff00ffu;
    return (low & 0xffu) | (low >> 8 & 0xff00u) | (high & 0xffu) << 16 | (high << 8 & 0xff000000u);
}

#endif
