/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The blend modes as constants. C and GLSL share this text. */
#ifndef PIETRA_LAYOUT_BLEND_H
#define PIETRA_LAYOUT_BLEND_H

#include "glue.h"

#define BLEND(name, number, keyword) CONSTANT(BLEND_##name, number)
#include "blend.def"

/* A bit for each operator that is unbounded: where the source is transparent, the destination does not stay. */
#define BLEND_UNBOUNDED \
    (1u << BLEND_CLEAR | 1u << BLEND_SOURCE | 1u << BLEND_SOURCE_IN | 1u << BLEND_DESTINATION_IN | \
     1u << BLEND_SOURCE_OUT | 1u << BLEND_DESTINATION_ATOP)

#endif
