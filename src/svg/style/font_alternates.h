/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Alternate glyphs (CSS Fonts 4, 6.8 and 6.9): the values of font-variant-alternates, and the rules
 * @font-feature-values, which name numbers of a family's features. */
#ifndef PIETRA_SVG_STYLE_FONT_ALTERNATES_H
#define PIETRA_SVG_STYLE_FONT_ALTERNATES_H

#include "svg/tree/document.h"

/* Adds what the block of a rule @font-feature-values says for families. What is in error is passed over. Returns false
 * if memory is short. */
bool svg_font_alternates_read(svg_document *document, text families, text body);

/* Returns whether a word of font-variant is one of font-variant-alternates. */
bool svg_font_alternates_is(text word);

/* Receives a feature of OpenType. */
typedef void svg_feature_function(void *user, uint32_t tag, uint32_t value);
/* Calls the function for the features that a value asks for. Names count if a rule gives them for one of the families,
 * the first of which prevails. Words of other properties are passed over. */
void svg_font_alternates_list(const svg_document *document, text value, const char *const *families,
                              size_t family_count, svg_feature_function *function, void *user);

#endif
