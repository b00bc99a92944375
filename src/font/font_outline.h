/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#ifndef PIETRA_FONT_FONT_OUTLINE_H
#define PIETRA_FONT_FONT_OUTLINE_H

#include <stdint.h>

#include "base/array.h"

/* An outline in units of the font, y down. Zero bytes are an empty one. */
typedef struct font_outline {
    ARRAY(uint8_t) verbs; /* pietra_verb */
    ARRAY(double) coordinates;
} font_outline;

void font_outline_free(font_outline *outline);

#endif
