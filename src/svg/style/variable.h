/* Custom properties and var() (CSS Custom Properties 1).
 *
 * A scope is all custom properties that hold for an instance, their own var() replaced already. Scopes are kept by
 * (scope of the parent, set of declarations), so instances alike share one. */
#ifndef PIETRA_SVG_STYLE_VARIABLE_H
#define PIETRA_SVG_STYLE_VARIABLE_H

#include "svg/tree/document.h"

/* Makes the declaration of a custom property. False: out of memory. */
bool svg_variable_declare(svg_document *document, text name, text value, svg_declaration *declaration);
/* Makes a declaration whose value has var() in it. */
bool svg_variable_defer(svg_document *document, text value, svg_declaration *declaration);
/* The scope below `parent` of an element with this set, which may have no custom properties: then the parent's. 0 is
 * the empty scope. Out of memory: noted in the budget. */
uint32_t svg_variable_scope_of(svg_document *document, uint32_t parent, uint32_t set);
/* Replaces var() in any value; the result, without blanks around it, is the document's. False: it is invalid, or out of
 * memory as above. */
bool svg_variable_replace(svg_document *document, uint32_t scope, text value, text *replaced);
/* Replaces var() in a deferred declaration and reads it: once for a scope, however often it is asked for. False: it is
 * invalid (unset), or out of memory as above. */
bool svg_variable_resolve(svg_document *document, uint32_t scope, const svg_declaration *deferred,
                          svg_declaration *declaration);

#endif
