/* What a document's address says behind its #: which part of it is to be seen (SVG 2, 16.6). */
#ifndef PIETRA_SVG_TREE_VIEW_H
#define PIETRA_SVG_TREE_VIEW_H

#include "svg/tree/document.h"
#include "svg/tree/warnings.h"

/* Makes the outermost svg show what the fragment asks for: the id of a view element, svgView(...) or
 * xywh=x,y,width,height. Percent-encoding is undone already. The id of any other element changes nothing here, but is
 * :target to selectors. What is not understood is left out with a warning. False: out of memory. */
bool svg_view_apply(svg_document *document, text fragment, svg_warnings *warnings);

#endif
