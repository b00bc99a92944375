/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Stage 11 on the CPU, compiled once for each instruction set. The includer defines CPU_EFFECTS, the name of the
 * table, and CPU_EFFECTS_NAME. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "render/effect/effect.h"

#include "base/memory.h"
#include "lib/effect_blend.h"
#include "lib/effect_light.h"
#include "lib/effect_matrix.h"
#include "lib/effect_noise.h"
#include "lib/effect_point.h"
#include "render/effect/demand.h"
#include "render/effect/tables.h"
#include "render/effect/wrapped_blur.h"

extern const effect_functions CPU_EFFECTS;

#include "render/cpu/effects_vector.h"
#include "render/cpu/effects_planes.h"
#include "render/cpu/effects_rows.h"
#include "render/cpu/effects_color.h"
#include "render/cpu/effects_point.h"
#include "render/cpu/effects_blend.h"
#include "render/cpu/effects_transfer.h"
#include "render/cpu/effects_place.h"
#include "render/cpu/effects_band.h"
#include "render/cpu/effects_step.h"
#include "render/cpu/effects_blur.h"
#include "render/cpu/effects_matrix.h"
#include "render/cpu/effects_extreme.h"
#include "render/cpu/effects_light.h"
#include "render/cpu/effects_noise.h"

const effect_functions CPU_EFFECTS = {
    .name = CPU_EFFECTS_NAME,
    .takes_pixels = true,
    .load = effects_load,
    .store = effects_store,
    .flood = effects_flood,
    .offset = effects_offset,
    .merge = effects_merge,
    .composite = effects_composite,
    .blend = effects_blend,
    .color_matrix = effects_color_matrix,
    .transfer = effects_transfer,
    .tile = effects_tile,
    .displace = effects_displace,
    .shadow = effects_shadow,
    .to_linear = effects_to_linear,
    .to_srgb = effects_to_srgb,
    .alpha = effects_alpha,
    .blur = effects_blur,
    .convolve = effects_convolve,
    .extreme = effects_extreme,
    .light = effects_light,
    .noise = effects_noise,
};
