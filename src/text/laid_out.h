/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A pietra_text inside the library.
 *
 * The steps stand in files of their own: what is shown on which lines (text_lay_out.c), where it stands (text_place.c),
 * and what a program asks (text_query.c, text_outline.c). In between, places are measured along the line and across the
 * lines; only at the end they become x and y. */
#ifndef PIETRA_TEXT_LAID_OUT_H
#define PIETRA_TEXT_LAID_OUT_H

#include "base/arena.h"
#include "text/lines.h"
#include "text/shape.h"

/* A character as a reader takes it, and where it stands along its line. */
typedef struct text_cell {
    size_t begin, end; /* bytes */
    double left, width;
    bool backward;  /* it runs from right to left */
    bool ends_line; /* a line feed or the like, which is not seen */
} text_cell;

/* What a line has besides what programs see. */
typedef struct placed_line {
    size_t first_cell, cell_count; /* in the order of the text */
    double along, across;          /* where its content begins, and its baseline lies below the upper edge */
    double above, below;           /* reach from the baseline */
} placed_line;

/* What a run has besides. */
typedef struct placed_run {
    uint32_t shaped; /* its number in `shaped` */
    size_t first_cell, cell_count;
} placed_run;

struct pietra_text {
    bool vertical;
    double along, across; /* size of the box */
    shaped_text shaped;   /* owns the fonts */
    ARRAY(pietra_text_line) lines;
    ARRAY(placed_line) placed; /* one for each line */
    ARRAY(pietra_text_run) runs;
    ARRAY(placed_run) placed_runs; /* one for each run */
    ARRAY(text_cell) cells;        /* in the order of the text */
    ARRAY(pietra_glyph) glyphs;    /* of all runs */
    ARRAY(size_t) glyph_bytes;
};

/* A text while it is laid out. */
typedef struct text_source {
    pietra_fonts *fonts;
    const pietra_text_span *spans;
    size_t span_count;
    pietra_text_options options;
    size_t byte_count;
    ARRAY(uint16_t) units; /* with a line feed at the end that is not the text's */
    ARRAY(size_t) bytes;   /* where each unit's character begins */
    ARRAY(uint32_t) unit_spans;
    ARRAY(text_style) styles; /* styles of spans */
    arena arena;              /* holds what the styles refer to */
} text_source;

/* A line of units as they are shown. */
typedef struct shown_line {
    text_line line;
    size_t end_byte; /* behind what it stands for */
    bool elided;
} shown_line;

typedef ARRAY(shown_line) shown_line_list;

/* Gives the advance of each unit that begins a cluster of glyphs, with its spacing; 0 for others. `advances` has room
 * for all units. */
void text_list_advances(const text_source *source, const shaped_text *shaped, double *advances);
/* Places lines, runs, glyphs and cells of a text whose units, styles and glyphs are known. NULL, or why it failed. */
const char *text_place(const text_source *source, const shown_line_list *lines, pietra_text *text);

#endif
