/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The numbers of paints of COLR, and the transforms that they make. */
#ifndef PIETRA_FONT_PAINT_FIELDS_H
#define PIETRA_FONT_PAINT_FIELDS_H

#include "font/colr.h"

/* Formats of paints. The odd ones behind the second are those before them with variations, up to a glyph. */
enum {
    PAINT_LAYERS = 1,
    PAINT_SOLID = 2,
    PAINT_LINEAR = 4,
    PAINT_RADIAL = 6,
    PAINT_SWEEP = 8,
    PAINT_GLYPH = 10,
    PAINT_COLR_GLYPH = 11,
    PAINT_TRANSFORM = 12,
    PAINT_TRANSLATE = 14,
    PAINT_SCALE = 16,
    PAINT_SCALE_ABOUT = 18,
    PAINT_SCALE_EVENLY = 20,
    PAINT_SCALE_EVENLY_ABOUT = 22,
    PAINT_ROTATE = 24,
    PAINT_ROTATE_ABOUT = 26,
    PAINT_SKEW = 28,
    PAINT_SKEW_ABOUT = 30,
    PAINT_COMPOSITE = 32,
};

/* The numbers of a paint or of a stop. The index of their first variation stands behind them. */
typedef struct paint_fields {
    const colr *colr;
    font_bytes bytes;
    uint32_t variation; /* FONT_NO_VARIATION: they do not vary */
} paint_fields;

/* `bytes` begin with a format. A paint that varies has the index of its first variation at an offset. */
paint_fields paint_fields_of(const colr *colr, font_bytes bytes, size_t variation_at);
/* Returns a number that was read, with its variation; `index` counts the numbers that can vary. */
double paint_vary(const paint_fields *fields, double value, uint32_t index);
/* Read a number at an offset, in units, as a fraction, as an angle. */
double paint_units(const paint_fields *fields, size_t at, uint32_t index);
double paint_fraction(const paint_fields *fields, size_t at, uint32_t index);
double paint_degrees(const paint_fields *fields, size_t at, uint32_t index);

static inline bool paint_is_transform(unsigned format)
{
    return format >= PAINT_TRANSFORM && format < PAINT_COMPOSITE;
}

/* Returns what a transform does to the paint below it. */
pietra_transform paint_read_transform(const colr *colr, font_bytes bytes);

#endif
