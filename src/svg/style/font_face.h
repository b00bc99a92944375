/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Reads @font-face. */
#ifndef PIETRA_SVG_STYLE_FONT_FACE_H
#define PIETRA_SVG_STYLE_FONT_FACE_H

#include "svg/tree/document.h"
#include "svg/tree/warnings.h"

/* Adds the font that the body of the rule describes to the document. One without a family or sources is none.
 * Descriptors that change text but are not known get a warning. Returns false if memory is short. */
bool svg_font_face_read(svg_document *document, svg_warnings *warnings, uint32_t line, text body);

#endif
