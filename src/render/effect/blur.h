/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A Gaussian blur on a pyramid, and the banded matrices that it consists of.
 *
 * Along each axis the image is halved by [1 3 3 1] / 8 until the deviation is below 4 texels, convolved with the
 * samples of a Gaussian, and doubled by [1 3 3 1] / 4 as often. The Gaussian has what the variance lacks after the
 * halvings and the doublings. Texel j of level k covers the texels from j 2^k to (j + 1) 2^k - 1 of filter space, so
 * levels do not depend on where an image is cut. Against a convolution in doubles, steps and bars of black and white
 * are at most 0.32 levels of 255 off, and 0.62 where they were linear and become sRGB. (With linear interpolation in
 * place of the doublings it would be 0.87 and 0.84, and that with deviations from 3 to 6 and 43 weights instead of
 * 29.) */
#ifndef PIETRA_RENDER_EFFECT_BLUR_H
#define PIETRA_RENDER_EFFECT_BLUR_H

#include <stdbool.h>
#include <stdint.h>

#include "layout/effect.h"

#define EFFECT_SIGMA_MOST 65535.0f /* texels; a larger sigma is held to it */
#define EFFECT_HALVINGS_MOST 14    /* of each axis */
#define EFFECT_RADIUS_MOST 14      /* of the Gaussian, in texels of the level that it blurs */

/* The blur along one axis. All zeros: it stays as it is. */
typedef struct effect_blur_axis {
    uint8_t halvings, radius;
    int16_t weights[EFFECT_RADIUS_MOST + 1]; /* from the centre outwards; with their mirror images they sum to 2^15 */
} effect_blur_axis;

typedef struct effect_blur {
    effect_blur_axis x, y;
    uint32_t edge; /* EFFECT_EDGE_* */
} effect_blur;

#define EFFECT_BANDS_MOST (2 * (2 * EFFECT_HALVINGS_MOST + 1))
#define EFFECT_WEIGHTS_MOST (4 + 4 + 2 * (2 * EFFECT_RADIUS_MOST + 1))

/* The bands in the order in which they run, each on the result of the one before: halvings, rows and columns in turn;
 * the Gaussian along rows, then along columns; doublings, the smallest level first, rows and columns in turn. */
typedef struct effect_bands {
    uint32_t count; /* 0: the blur copies its input */
    effect_band bands[EFFECT_BANDS_MOST];
    int16_t weights[EFFECT_WEIGHTS_MOST];
} effect_bands;

void effect_bands_of(const effect_blur *blur, effect_bands *bands);

/* Returns whether a band halves or doubles, by the weights that all blurs share. */
bool effect_band_changes_level(const effect_band *band);

#endif
