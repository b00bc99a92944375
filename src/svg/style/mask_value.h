/* Values of the properties that make a mask (CSS Masking 1, 4). */
#ifndef PIETRA_SVG_STYLE_MASK_VALUE_H
#define PIETRA_SVG_STYLE_MASK_VALUE_H

#include "svg/style/declaration.h"

/* mask, and what is read as it: mask-image and the names that WebKit gave them. */
bool svg_mask_value_is_of(svg_name property);

/* The layers that have a url(): all, or the first where they are not put together in one way. */
svg_parsed svg_mask_value_parse(svg_document *document, text value, svg_declaration *declaration);
svg_parsed svg_mask_value_parse_mode(text value, svg_declaration *declaration);
svg_parsed svg_mask_value_parse_composite(text value, svg_declaration *declaration);

/* Whether more is said of a mask than is taken. */
bool svg_mask_value_is_cut(text value);

#endif
