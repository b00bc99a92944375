/* Values that refer to elements of the document: url(#id). */
#ifndef PIETRA_SVG_STYLE_REFERENCE_H
#define PIETRA_SVG_STYLE_REFERENCE_H

#include "svg/style/declaration.h"

/* Reads url(...) at the beginning of *rest; *id is what stands behind its '#', empty when it does not point into the document. */
bool svg_reference_scan(svg_document *document, text *rest, text *id);

/* none, one url(), or something else that is not understood yet: keyword is one of SVG_REFERENCE_. */
svg_parsed svg_reference_parse(svg_document *document, text value, svg_declaration *declaration);

#endif
