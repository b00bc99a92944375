/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Custom properties and var() (CSS Custom Properties 1).
 *
 * A scope is the set of all custom properties that hold for an instance. Their own var() are already replaced. Scopes
 * are stored by (scope of the parent, set of declarations), so that equal instances share one. */
#ifndef PIETRA_SVG_STYLE_VARIABLE_H
#define PIETRA_SVG_STYLE_VARIABLE_H

#include "svg/tree/document.h"

/* Makes the declaration of a custom property. Returns false if memory is short. */
bool svg_variable_declare(svg_document *document, text name, text value, svg_declaration *declaration);
/* Makes a declaration whose value contains var(). Returns false if memory is short. */
bool svg_variable_defer(svg_document *document, text value, svg_declaration *declaration);
/* Returns the scope below `parent` of an element with this set. It is the scope of the parent if the set has no custom
 * properties. Scope 0 is empty. The budget records it if memory is short. */
uint32_t svg_variable_scope_of(svg_document *document, uint32_t parent, uint32_t set);
/* Replaces var() in any value. The result has no blanks around it and belongs to the document. Returns false if the
 * result is invalid or if memory is short, which the budget records. */
bool svg_variable_replace(svg_document *document, uint32_t scope, text value, text *replaced);
/* Replaces var() in a deferred declaration and reads it. This is done once for a scope, however often it is asked for.
 * Returns false if the result is invalid (unset) or if memory is short, which the budget records. */
bool svg_variable_resolve(svg_document *document, uint32_t scope, const svg_declaration *deferred,
                          svg_declaration *declaration);

#endif
