/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A font that a document brings along: what a rule @font-face says of it (CSS Fonts 4, 4). */
#ifndef PIETRA_SVG_TREE_FONT_FACE_H
#define PIETRA_SVG_TREE_FONT_FACE_H

#include "base/text.h"
#include "pietra/pietra.h"

/* A range of a property; `given` is false where the font itself is to be asked. */
typedef struct svg_face_range {
    bool given;
    float least, most;
} svg_face_range;

typedef struct svg_face_codes {
    uint32_t first, last; /* code points, both included */
} svg_face_codes;

typedef struct svg_font_face {
    const char *family;
    text sources;                          /* the value of `src` */
    svg_face_range weight, stretch, angle; /* 1 to 1000; percent; degrees */
    uint8_t slope;                         /* SVG_UPRIGHT and so on */
    const svg_face_codes *codes;           /* unicode-range; */
    size_t code_count;                     /* 0: all characters */
    uint32_t file;                         /* the file whose style sheet it is in */
    uint32_t line;
} svg_font_face;

/* What a name means in a family (svg/style/family_names.h). */
typedef struct svg_family_name {
    text key;
    const void *value;
} svg_family_name;

typedef enum svg_palette_base {
    SVG_PALETTE_NUMBERED,
    SVG_PALETTE_LIGHT, /* the first that is made for a light background */
    SVG_PALETTE_DARK,
} svg_palette_base;

typedef struct svg_palette_color {
    uint32_t index;
    pietra_color color;
} svg_palette_color;

/* A palette of the colour fonts of a family, and colours in place of some of its own (@font-palette-values). */
typedef struct svg_palette {
    svg_palette_base base;
    uint32_t number;
    const svg_palette_color *colors;
    size_t color_count;
} svg_palette;

#endif
