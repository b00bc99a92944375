/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Palettes of colour fonts (CSS Fonts 4, 9): the values of font-palette, and the rules @font-palette-values. */
#ifndef PIETRA_SVG_STYLE_FONT_PALETTE_H
#define PIETRA_SVG_STYLE_FONT_PALETTE_H

#include "svg/tree/document.h"

/* Keeps what the block of a rule @font-palette-values says under its name. What is in error is passed over. Returns
 * false if memory is short. */
bool svg_font_palette_read(svg_document *document, text name, text body);
/* Returns the palette for which a value asks. Names count if a rule gives them for one of the families, the first of
 * which prevails. */
svg_palette svg_font_palette_find(const svg_document *document, text value, const char *const *families,
                                  size_t family_count);

#endif
