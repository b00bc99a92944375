/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Glyphs of text that are pictures: of layers and paints, documents, and bitmaps (src/font/picture.h). Each is drawn to
 * a scene of its own, in the font's units, which is then shown in all its places. */
#ifndef PIETRA_SVG_DRAW_TEXT_PICTURE_H
#define PIETRA_SVG_DRAW_TEXT_PICTURE_H

#include "svg/draw/text_layout.h"

/* Returns whether a cluster shows pictures. The budget records it if memory ran out. */
bool svg_text_shows_pictures(const svg_walk *walk, const svg_text_layout *layout, const svg_text_character *character);
/* Draws a piece of clusters that show pictures. Where the text has no fill, nothing of them is drawn; they have no
 * strokes. */
pietra_result svg_text_draw_pictures(svg_walk *walk, const svg_instance *instance, const svg_inherited *style);
void svg_text_free_pictures(svg_walk *walk);

#endif
