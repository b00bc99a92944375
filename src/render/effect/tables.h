/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Channels from sRGB to linearRGB and back (IEC 61966-2-1), at 15 bits. Both keep 0 and EFFECT_ONE. What comes from 8
 * bits returns to the same 8 bits, at every alpha. */
#ifndef PIETRA_RENDER_EFFECT_TABLES_H
#define PIETRA_RENDER_EFFECT_TABLES_H

#include <stdint.h>

#include "layout/effect.h"

/* Straight channels from 0 to EFFECT_ONE, and one entry more, so that 32 bits may be read at each. */
typedef struct effect_tables {
    uint16_t to_linear[EFFECT_ONE + 2], to_srgb[EFFECT_ONE + 2];
} effect_tables;

/* Returns the tables, which the first call makes. They belong to the library. Any thread may call this at any time. */
const effect_tables *effect_color_tables(void);

#endif
