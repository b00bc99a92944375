/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What matching needs to know of a face, read from a few small tables without opening a library of text.
 *
 * Functions that return a `const char *` return NULL, or why they failed. */
#ifndef PIETRA_FONT_FACTS_H
#define PIETRA_FONT_FACTS_H

#include "font/sfnt.h"

#define FONT_MOST_FAMILIES 32u      /* names of a face in several languages; more are ignored */
#define FONT_MOST_FAMILY_BYTES 256u /* a longer name is ignored */

typedef struct font_range {
    float least, most;
} font_range;

typedef enum font_slope { FONT_UPRIGHT, FONT_ITALIC, FONT_OBLIQUE } font_slope;

enum {
    FONT_COLOR_LAYERS = 1,  /* COLR */
    FONT_COLOR_BITMAPS = 2, /* CBDT or sbix */
    FONT_COLOR_SVG = 4,
    FONT_COLOR_UNKNOWN = 8, /* fontconfig says that there are colours */
};

/* What CSS Fonts 4 matches besides the family. Variable faces have ranges. */
typedef struct font_traits {
    font_range weight;  /* 1 to 1000 */
    font_range stretch; /* percent */
    font_range angle;   /* degrees, clockwise: of the axis slnt, else 0 */
    uint8_t slope;      /* font_slope; a face with the axis ital is upright, too */
    uint8_t has_italic_axis;
    uint8_t colors;   /* FONT_COLOR_* */
    uint8_t variable; /* it has axes */
} font_traits;

typedef struct font_facts {
    font_traits traits;
    char *families; /* owned: names of the family in UTF-8, one after another, each ended by a NUL */
    size_t families_bytes;
} font_facts;

const char *font_facts_read(const sfnt *font, font_facts *facts);
void font_facts_free(font_facts *facts);

#endif
