/* Values of the properties that make a mask (CSS Masking 1, 4). */
#ifndef PIETRA_SVG_STYLE_MASK_VALUE_H
#define PIETRA_SVG_STYLE_MASK_VALUE_H

#include "svg/style/value.h"

/* Whether the value of a mask says more than is supported. The rest is left out. */
bool svg_mask_value_is_cut(text value);

#endif
