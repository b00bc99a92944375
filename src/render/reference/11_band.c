/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* 11 band: banded matrices times images, of which a blur consists (render/effect/blur.h). */
#include "lib/effect_band.h"

#include <stdlib.h>

#include "lib/effect_point.h"
#include "render/effect/demand.h"
#include "render/effect/wrapped_blur.h"
#include "render/reference/effect_image.h"
#include "render/reference/effect_reference.h"

/* What a band reads. Outside the image, texels are transparent, or those of its edge. */
typedef struct band_input {
    effect_image image;
    effect_box box; /* the box that has the edge */
    bool repeats_edge;
} band_input;

static effect_texel input_at(const band_input *input, int x, int y)
{
    if (input->repeats_edge) {
        x = int_clamp(x, input->box.left, input->box.right - 1);
        y = int_clamp(y, input->box.top, input->box.bottom - 1);
    }
    return image_get(&input->image, x, y);
}

static effect_texel band_texel(effect_band band, const int16_t *weights, const band_input *input, int x, int y)
{
    int start = effect_band_start(band, band.vertical ? y : x), sums[4] = {0};
    const int16_t *weight = weights + effect_band_weights(band, band.vertical ? y : x);

    for (int t = 0; t < (int)band.taps; t++) {
        effect_texel texel = band.vertical ? input_at(input, x, start + t) : input_at(input, start + t, y);
        for (uint channel = 0; channel < 4; channel++)
            sums[channel] += weight[t] * (int)effect_texel_channel(texel, channel);
    }
    return effect_texel_of(effect_band_channel(sums[0]), effect_band_channel(sums[1]), effect_band_channel(sums[2]),
                           effect_band_channel(sums[3]));
}
static void run_band(effect_band band, const int16_t *weights, const band_input *input, const effect_image *out)
{
    for (int y = out->box.top; y < out->box.bottom; y++)
        for (int x = out->box.left; x < out->box.right; x++)
            image_set(out, x, y, band_texel(band, weights, input, x, y));
}

/* Allocates the texels of an image, at least one. */
static bool allocate(effect_image *image, effect_box box)
{
    bool empty = effect_box_is_empty(box);
    size_t width = empty ? 1 : (size_t)(box.right - box.left), height = empty ? 1 : (size_t)(box.bottom - box.top);

    *image = (effect_image){.texels = calloc(width * height, 4 * sizeof *image->texels), .stride = width, .box = box};
    return image->texels;
}

static void copy(const effect_image *in, const effect_image *out)
{
    reference_11_offset(NULL, (effect_offset){0}, in, out);
}

/* Runs one band after the other. */
static bool run_bands(const effect_bands *bands, uint32_t edge, effect_box region, const effect_image *in,
                      const effect_image *out)
{
    effect_box boxes[EFFECT_BANDS_MOST];
    band_input input = {*in, region, edge == EFFECT_EDGE_DUPLICATE};
    uint16_t *held = NULL; /* the texels of the last result */

    effect_band_boxes(bands, edge, region, out->box, boxes);
    for (uint32_t i = 0; i + 1 < bands->count; i++) {
        effect_image to;
        if (!allocate(&to, boxes[i])) {
            free(held);
            return false;
        }
        run_band(bands->bands[i], bands->weights, &input, &to);
        free(held);
        held = to.texels;
        input.image = to;
        input.box = to.box;
    }
    run_band(bands->bands[bands->count - 1], bands->weights, &input, out);
    free(held);
    return true;
}

bool reference_11_blur(parallel_pool *pool, const effect_blur *blur, effect_box region, const effect_image *in,
                       const effect_image *out)
{
    effect_bands bands;

    if (effect_box_is_empty(out->box))
        return true;
    if (blur->edge == EFFECT_EDGE_WRAP)
        return effect_wrapped_blur(effect_reference(), pool, blur, region, in, out);
    effect_bands_of(blur, &bands);
    if (bands.count == 0) {
        copy(in, out);
        return true;
    }
    return run_bands(&bands, blur->edge, blur->edge == EFFECT_EDGE_NONE ? in->box : region, in, out);
}
