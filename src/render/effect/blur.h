/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The plan of a Gaussian blur: reductions, two convolutions and enlargements, each a banded matrix along one axis. */
#ifndef PIETRA_RENDER_EFFECT_BLUR_H
#define PIETRA_RENDER_EFFECT_BLUR_H

#include <stdint.h>

#include "layout/effect.h"

#define EFFECT_SIGMA_MOST 65536.0f /* texels; a larger sigma is held to it */
#define EFFECT_HALVINGS_MOST 14    /* of each axis */
#define EFFECT_RADIUS_MOST 18      /* of the weights, on the level that they blur */
#define EFFECT_BANDS_MOST (2 * EFFECT_HALVINGS_MOST + 4)
#define EFFECT_WEIGHTS (4 + 2 * (2 * EFFECT_RADIUS_MOST + 1))

/* The bands in the order in which they run: reductions, the convolution along rows, that along columns, enlargements
 * of rows, then of columns. A blur of count 0 copies its input. */
typedef struct effect_blur {
    uint32_t count; /* bands */
    uint32_t edge;  /* EFFECT_EDGE_* */
    effect_band bands[EFFECT_BANDS_MOST];
    int16_t weights[EFFECT_WEIGHTS];
    float sigma_x, sigma_y; /* texels, as they were held */
} effect_blur;

#endif
