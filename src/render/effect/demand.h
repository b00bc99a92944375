/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What a filter primitive reads for the texels that it writes, and where it writes what is not transparent. Boxes
 * saturate at EFFECT_COORDINATE_MOST, so that they stay boxes whatever the parameters are. */
#ifndef PIETRA_RENDER_EFFECT_DEMAND_H
#define PIETRA_RENDER_EFFECT_DEMAND_H

#include <stdbool.h>
#include <stdint.h>

#include "layout/effect.h"
#include "render/effect/blur.h"

#define EFFECT_COORDINATE_MOST (1 << 28)

/* Each returns the box of the input that the texels in `out` depend on; empty if `out` is. `region` is the box that
 * edge modes repeat (render/effect/effect.h): without an edge mode it counts for nothing, with one the demand lies in
 * it. */
effect_box effect_demand_of_blur(const effect_blur *blur, effect_box region, effect_box out);
effect_box effect_demand_of_offset(effect_offset offset, effect_box out);
effect_box effect_demand_of_extreme(const effect_extreme *extreme, effect_box out);
effect_box effect_demand_of_convolution(const effect_convolution *convolution, effect_box region, effect_box out);
effect_box effect_demand_of_displacement(const effect_displacement *displacement, effect_box out);
effect_box effect_demand_of_light(effect_box region, effect_box out);

/* Each returns the box outside of which the primitive, without an edge mode, leaves transparent what is transparent
 * outside `in`; empty if `in` is. */
effect_box effect_reach_of_blur(const effect_blur *blur, effect_box in);
effect_box effect_reach_of_offset(effect_offset offset, effect_box in);
effect_box effect_reach_of_extreme(const effect_extreme *extreme, effect_box in);

/* Writes the box of the result of each band of a blur (render/effect/blur.h), the last of which is `out`. `in` is the
 * box outside of which the input is transparent, or the region that EFFECT_EDGE_DUPLICATE repeats. For that, the edges
 * of each box repeat as those of the region do. */
void effect_band_boxes(const effect_bands *bands, uint32_t edge, effect_box in, effect_box out, effect_box *boxes);

/* Boxes themselves. */
bool effect_box_is_empty(effect_box box);
effect_box effect_box_meet(effect_box a, effect_box b);
/* Returns the smallest box around both; an empty box adds nothing. */
effect_box effect_box_join(effect_box a, effect_box b);
effect_box effect_box_grow(effect_box box, int64_t x, int64_t y);

#endif
