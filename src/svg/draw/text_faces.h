/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The fonts that a document brings along (@font-face). Each is fetched when text first asks for it. */
#ifndef PIETRA_SVG_DRAW_TEXT_FACES_H
#define PIETRA_SVG_DRAW_TEXT_FACES_H

#include "svg/draw/walk.h"

/* Makes walk->fonts the caller's fonts with those of the document. */
pietra_result svg_text_open_fonts(svg_walk *walk);
void svg_text_close_fonts(svg_walk *walk);

#endif
