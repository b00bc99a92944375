/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The number of blend modes, and the conditions that must hold where other code knows a mode by its number. */
#ifndef PIETRA_SCENE_BLEND_H
#define PIETRA_SCENE_BLEND_H

#include "layout/blend.h"
#include "layout/stream.h"
#include "pietra/pietra.h"

enum {
#define BLEND(name, number, keyword) BLEND_LINE_OF_##name,
#include "layout/blend.def"
    BLEND_COUNT
};

#define BLEND(name, number, keyword) \
    _Static_assert((int)BLEND_LINE_OF_##name == (int)BLEND_##name, "modes are numbered in the order of the list"); \
    _Static_assert((int)PIETRA_BLEND_##name == (int)BLEND_##name, "callers and streams number modes alike");
#include "layout/blend.def"
_Static_assert(BLEND_COUNT - 1 <= ELEMENT_MODE_MASK, "an element has bits for every mode");

#endif
