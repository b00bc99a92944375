/* Values that refer to elements of the document: url(#id). */
#ifndef PIETRA_SVG_STYLE_REFERENCE_H
#define PIETRA_SVG_STYLE_REFERENCE_H

#include "svg/style/value.h"

/* Reads url(...) at the beginning of *rest; *id is what stands behind its '#', empty when it does not point into the
 * document. */
bool svg_reference_scan(svg_document *document, text *rest, text *id);

#endif
