/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The fragment of a document's address, which stands behind its #, says which part of the document to show (SVG 2,
 * 16.6). */
#ifndef PIETRA_SVG_TREE_VIEW_H
#define PIETRA_SVG_TREE_VIEW_H

#include "svg/tree/document.h"
#include "svg/tree/warnings.h"

/* Makes the outermost svg show what the fragment asks for: the id of a view element, svgView(...) or
 * xywh=x,y,width,height. The caller has undone percent-encoding. The id of any other element changes nothing here, but
 * selectors match that element by :target. Parts that are not understood are left out with a warning. Returns false if
 * memory is short. */
bool svg_view_apply(svg_document *document, text fragment, svg_warnings *warnings);

#endif
