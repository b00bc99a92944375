/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Values of the properties that make a mask (CSS Masking 1, 4). */
#ifndef PIETRA_SVG_STYLE_MASK_VALUE_H
#define PIETRA_SVG_STYLE_MASK_VALUE_H

#include "svg/style/value.h"

/* Returns whether the value of a mask says more than is supported. The rest is left out. */
bool svg_mask_value_is_cut(text value);
/* Returns whether a value of a mask has nothing but images, as mask-image has. */
bool svg_mask_value_is_images(text value);

#endif
