/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/effect/blur.h"

#include <math.h>
#include <string.h>

#include "render/effect/prepare.h"

#define SIGMA_LEAST 0.05   /* at most 10^-80 of a texel would go to the next one */
#define LEVEL_SIGMA_MOST 4 /* on the level that is convolved, before the variances are subtracted */
#define RADIUS_OF_SIGMA 3.5
#define WEIGHT_ONE 32768

/* Returns exp(-x) for x >= 0 by operations that every machine rounds alike. The argument is halved until seven terms
 * of the series are enough. */
static double exp_minus(double x)
{
    int halvings = 0;
    for (; x > 1.0 / 64; halvings++)
        x *= 0.5;
    double sum = 1;
    for (int term = 7; term > 0; term--)
        sum = 1 - x / term * sum;
    for (; halvings > 0; halvings--)
        sum *= sum;
    return sum;
}

/* Weights are differences of rounded sums over the tail. So the response to a step is rounded once, wherever the step
 * lies, and the weights sum to WEIGHT_ONE. */
static void find_weights(double sigma, effect_blur_axis *axis)
{
    double samples[EFFECT_RADIUS_MOST + 1], sum = 1;
    int radius = (int)ceil(RADIUS_OF_SIGMA * sigma);

    for (int t = 1; t <= radius; t++) {
        samples[t] = exp_minus(t * t / (2 * sigma * sigma));
        sum += 2 * samples[t];
    }
    double tail = 0;
    int before = 0;
    for (int t = radius; t > 0; t--) {
        tail += samples[t];
        int rounded = (int)(tail / sum * WEIGHT_ONE + 0.5);
        axis->weights[t] = (int16_t)(rounded - before);
        before = rounded;
    }
    axis->weights[0] = (int16_t)(before > 0 ? WEIGHT_ONE - 2 * before : 0);
    for (; radius > 0 && axis->weights[radius] == 0; radius--)
        continue;
    axis->radius = (uint8_t)radius;
}

/* Halving k times and doubling as often each add (4^k - 1) / 4 to the variance. */
static effect_blur_axis blur_along(double sigma)
{
    effect_blur_axis axis = {0};
    double held = sigma < EFFECT_SIGMA_MOST ? sigma : EFFECT_SIGMA_MOST, square = 1;

    if (held < SIGMA_LEAST)
        return axis;
    for (; held * held >= square * (LEVEL_SIGMA_MOST * LEVEL_SIGMA_MOST); square *= 4)
        axis.halvings++;
    find_weights(sqrt((held * held - 0.5 * (square - 1)) / square), &axis);
    return axis;
}

effect_outcome effect_blur_of(double sigma_x, double sigma_y, uint32_t edge, effect_blur *blur)
{
    *blur = (effect_blur){.edge = edge};
    if (!(sigma_x >= 0 && sigma_y >= 0))
        return EFFECT_PASSES;
    blur->x = blur_along(sigma_x);
    blur->y = blur_along(sigma_y);
    return blur->x.radius == 0 && blur->y.radius == 0 ? EFFECT_PASSES : EFFECT_RUNS;
}

/* Places of the weights that all blurs share. */
enum { HALVING_WEIGHTS = 0, DOUBLING_WEIGHTS = 4, GAUSSIAN_WEIGHTS = 8 };

static void add_band(effect_bands *bands, effect_band band)
{
    bands->bands[bands->count++] = band;
}

static void add_halving(effect_bands *bands, uint32_t vertical)
{
    add_band(bands, (effect_band){.vertical = vertical, .multiply = 2, .add = -1, .taps = 4, .first = HALVING_WEIGHTS});
}

static void add_doubling(effect_bands *bands, uint32_t vertical)
{
    add_band(bands, (effect_band){.vertical = vertical,
                                  .multiply = 1,
                                  .add = -1,
                                  .shift = 1,
                                  .taps = 2,
                                  .phase_mask = 1,
                                  .first = DOUBLING_WEIGHTS});
}

static void add_gaussian(effect_bands *bands, uint32_t vertical, const effect_blur_axis *axis)
{
    uint32_t first = GAUSSIAN_WEIGHTS + vertical * (2 * EFFECT_RADIUS_MOST + 1);
    int radius = axis->radius;

    if (radius == 0)
        return;
    for (int t = -radius; t <= radius; t++)
        bands->weights[(int)first + radius + t] = axis->weights[t < 0 ? -t : t];
    add_band(
        bands,
        (effect_band){
            .vertical = vertical, .multiply = 1, .add = -radius, .taps = 2 * (uint32_t)radius + 1, .first = first});
}

bool effect_band_changes_level(const effect_band *band)
{
    return band->first < GAUSSIAN_WEIGHTS;
}

void effect_bands_of(const effect_blur *blur, effect_bands *bands)
{
    static const int16_t shared[] = {4096, 12288, 12288, 4096, 8192, 24576, 24576, 8192};
    uint32_t halvings = blur->x.halvings > blur->y.halvings ? blur->x.halvings : blur->y.halvings;

    *bands = (effect_bands){0};
    memcpy(bands->weights, shared, sizeof shared);
    for (uint32_t level = 0; level < halvings; level++) {
        if (level < blur->x.halvings)
            add_halving(bands, 0);
        if (level < blur->y.halvings)
            add_halving(bands, 1);
    }
    add_gaussian(bands, 0, &blur->x);
    add_gaussian(bands, 1, &blur->y);
    for (uint32_t level = halvings; level-- > 0;) {
        if (level < blur->x.halvings)
            add_doubling(bands, 0);
        if (level < blur->y.halvings)
            add_doubling(bands, 1);
    }
}
