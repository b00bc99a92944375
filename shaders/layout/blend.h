/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The blend modes as constants. C and GLSL share this text. */
#ifndef PIETRA_LAYOUT_BLEND_H
#define PIETRA_LAYOUT_BLEND_H

#include "glue.h"

#define BLEND(name, number, keyword) CONSTANT(BLEND_##name, number)
#include "blend.def"

#endif
