/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What the caller says about text and its reader. It holds for the document and for those in its images. */
#ifndef PIETRA_SVG_TREE_SETTINGS_H
#define PIETRA_SVG_TREE_SETTINGS_H

#include "pietra/pietra.h"

typedef struct svg_settings {
    pietra_fonts *fonts;   /* NULL: text is left out */
    const char *family;    /* family of text that names none; NULL: serif */
    double font_size;      /* the initial value of font-size; 0: SVG_MEDIUM_FONT_SIZE */
    const char *languages; /* the reader's, separated by commas; NULL: en */
    pietra_transform snap; /* the map from the scene to pixels on which baselines lie; all zeros: they stay */
} svg_settings;

#define SVG_MEDIUM_FONT_SIZE 16.0

#endif
