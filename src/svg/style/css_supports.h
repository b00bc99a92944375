/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Conditions of @supports (CSS Conditional Rules 3 and 4). */
#ifndef PIETRA_SVG_STYLE_CSS_SUPPORTS_H
#define PIETRA_SVG_STYLE_CSS_SUPPORTS_H

#include "svg/style/css_selector.h"
#include "svg/tree/document.h"

/* Returns whether a condition holds: a declaration does if its property and its value are read, selector() if the
 * selector is. Functions that are not known do not hold, and neither does a condition that is not valid. If memory is
 * short the budget of the document records it. */
bool css_supports_hold(svg_document *document, css_names *names, const css_spaces *spaces, text question);
/* Does the same where a declaration may stand without parentheses, as in @import. */
bool css_supports_hold_inside(svg_document *document, css_names *names, const css_spaces *spaces, text question);

#endif
