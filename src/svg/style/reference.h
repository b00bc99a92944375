/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Values that refer to elements of the document: url(#id). */
#ifndef PIETRA_SVG_STYLE_REFERENCE_H
#define PIETRA_SVG_STYLE_REFERENCE_H

#include "svg/style/value.h"

/* Reads url(...) at the beginning of *rest and moves *rest behind it. *id becomes the text behind its #, which is empty
 * if the reference does not point into the document. Returns false if there is no url(...). */
bool svg_reference_scan(svg_document *document, text *rest, text *id);
/* Gives what stands in the url(...) with which a value begins. Returns false if it begins otherwise. */
bool svg_reference_address(svg_document *document, text value, text *address);
/* Returns whether a value begins with a url() that points out of the document. */
bool svg_reference_leads_elsewhere(text value);
/* Reads none, one url(), or something that is not understood yet, as the functions of value.h do. The keyword is one of
 * SVG_REFERENCE_. */
svg_parsed svg_parse_reference(svg_document *document, text value, svg_declaration *declaration);

#endif
