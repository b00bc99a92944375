/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Conditional processing: systemLanguage, requiredExtensions and requiredFeatures. */
#ifndef PIETRA_SVG_TREE_CONDITIONS_H
#define PIETRA_SVG_TREE_CONDITIONS_H

#include "svg/tree/document.h"

/* Returns whether the conditions of an element hold. If they do not, the element is not shown. No extension is known.
 * The languages are those of document->settings. Of the features of SVG 1.1 (appendix on feature strings), all except
 * #Extensibility count as supported, so that the alternative to a foreignObject is shown. */
bool svg_conditions_hold(const svg_document *document, uint32_t node);

#endif
