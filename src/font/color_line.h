/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Lines of colours of COLR, from which gradients take theirs. */
#ifndef PIETRA_FONT_COLOR_LINE_H
#define PIETRA_FONT_COLOR_LINE_H

#include "font/painter.h"

/* A line of colours, with its offsets from 0 to 1. */
typedef struct color_line {
    pietra_stop *stops; /* owned */
    size_t count;
    pietra_spread spread;
    double first, last; /* the offsets that became 0 and 1 */
} color_line;

/* Reads a line. Where all stops lie in one place, that place is 0, and 1 lies one unit behind it. The caller frees the
 * stops. False: out of memory, which the painter keeps. */
bool color_line_read(painter *painter, font_bytes bytes, bool varies, color_line *line);

/* Makes two of a line's offsets, which may lie outside of it, its new ends: 0 and 1. A line without stops stays so. */
void color_line_cut(color_line *line, double from, double to);

#endif
