/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/reference/effect_reference.h"

static const effect_functions functions = {
    .name = "reference",
    .load = reference_11_load,
    .store = reference_11_store,
    .flood = reference_11_flood,
    .offset = reference_11_offset,
    .merge = reference_11_merge,
    .composite = reference_11_composite,
    .blend = reference_11_blend,
    .color_matrix = reference_11_color_matrix,
    .transfer = reference_11_transfer,
    .tile = reference_11_tile,
    .displace = reference_11_displace,
    .shadow = reference_11_shadow,
    .to_linear = reference_11_to_linear,
    .to_srgb = reference_11_to_srgb,
    .alpha = reference_11_alpha,
    .blur = reference_11_blur,
    .convolve = reference_11_convolve,
    .extreme = reference_11_extreme,
    .light = reference_11_light,
    .noise = reference_11_noise,
};

const effect_functions *effect_reference(void)
{
    return &functions;
}
