/* Conditional processing: systemLanguage and requiredExtensions. */
#ifndef PIETRA_SVG_CONDITIONS_H
#define PIETRA_SVG_CONDITIONS_H

#include "svg/document.h"

/* False: the element is not for this reader. No extension is known; the language is English. */
bool svg_conditions_hold(const svg_document *document, uint32_t node);

#endif
