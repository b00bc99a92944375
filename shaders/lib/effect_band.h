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

#endif
