/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A font that a document brings along: what a rule @font-face says of it (CSS Fonts 4, 4). */
#ifndef PIETRA_SVG_TREE_FONT_FACE_H
#define PIETRA_SVG_TREE_FONT_FACE_H

#include "base/text.h"

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

/* A name of a number, or numbers, of a feature of a family (@font-feature-values). */
typedef struct svg_feature_value {
    text key; /* as svg/style/font_alternates.c writes it */
    text numbers;
} svg_feature_value;

#endif
