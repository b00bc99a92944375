/* Conditional processing: systemLanguage, requiredExtensions and requiredFeatures. */
#ifndef PIETRA_SVG_TREE_CONDITIONS_H
#define PIETRA_SVG_TREE_CONDITIONS_H

#include "svg/tree/document.h"

/* False: the element is not for this reader. No extension is known; the language is English; of the features of SVG 1.1
 * (appendix on feature strings) all are claimed but #Extensibility: what stands beside a foreignObject is shown. */
bool svg_conditions_hold(const svg_document *document, uint32_t node);

#endif
