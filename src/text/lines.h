/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Text to lines: each takes as many words as fit. Text is in UTF-16. */
#ifndef PIETRA_TEXT_LINES_H
#define PIETRA_TEXT_LINES_H

#include "base/array.h"
#include "text/breaks.h"

typedef struct line_filling {
    const uint16_t *units;
    size_t count;
    const uint8_t *breaks;         /* a break_kind for each unit */
    const uint8_t *cluster_starts; /* 1 where a unit begins a cluster */
    const double *advances;        /* advance of the cluster that begins at a unit, else 0 */
    double width;                  /* INFINITY: lines end where they must */
    double first_width;            /* width of the first line */
    bool breaks_long_words;        /* a word that is wider than a line is broken between clusters; else it sticks out */
    bool blanks_take_space;        /* blanks at the end of a line count, too */
    /* Returns the advance of the hyphen that is shown for a soft one at a unit. NULL: there are no soft hyphens. */
    double (*hyphen)(void *user, size_t unit);
    void *user;
} line_filling;

typedef struct text_line {
    uint32_t begin, end;  /* units */
    uint32_t content_end; /* unit behind which only blanks and what ends the line follow; `end` if blanks take space */
    double width;         /* of the content, with the hyphen */
    bool hyphenated;      /* it ends with a soft hyphen, which is to be shown */
    bool forced;          /* it ends where it must, or with the text */
} text_line;

typedef ARRAY(text_line) text_line_list;

/* Lists the lines of a text in `lines`, which must be zero bytes. An empty text has one line, and so has what is behind
 * a forced break at the end. Takes time in proportion to the text. False: out of memory. */
bool lines_fill(const line_filling *filling, text_line_list *lines);

/* Returns whether a character at the end of a line is not seen. */
bool line_is_blank(uint16_t unit);

#endif
