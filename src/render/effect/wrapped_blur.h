/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Blurs with edgeMode wrap, by the blur of a device. The levels of a pyramid do not repeat as the region does. So
 * rows, and then columns, are laid out as far as the blur reads, a strip of them at a time. */
#ifndef PIETRA_RENDER_EFFECT_WRAPPED_BLUR_H
#define PIETRA_RENDER_EFFECT_WRAPPED_BLUR_H

#include "render/effect/effect.h"

/* Returns the blur along one axis of a region that is repeated every `period` texels. */
effect_blur effect_wrapped_axis(const effect_blur_axis *axis, bool vertical, int period);

/* Does what effect_functions.blur says, for EFFECT_EDGE_WRAP. A blur that is much wider than the region gives its
 * mean. */
bool effect_wrapped_blur(const effect_functions *device, parallel_pool *pool, const effect_blur *blur,
                         effect_box region, const effect_image *in, const effect_image *out);

#endif
