/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Reads declarations, which are a property and its value, from text. */
#ifndef PIETRA_SVG_STYLE_DECLARATION_H
#define PIETRA_SVG_STYLE_DECLARATION_H

#include "base/array.h"
#include "base/text.h"
#include "svg/style/value.h"
#include "svg/tree/declared.h"
#include "svg/tree/names.h"

/* Reads the value of a property. Returns BAD if the declaration is not valid; it has to be dropped then. */
svg_parsed svg_declaration_parse(svg_document *document, svg_name property, text value, svg_declaration *declaration);

/* Returns the property of which this one is another name, or the property itself. */
svg_name svg_property_meant(svg_name property);
bool svg_property_is_inherited(svg_name property);

/* The function is called for each declaration of a list. It returns false to stop the walk. */
typedef bool svg_declaration_function(void *user, text name, text value, bool important);
/* Walks a list of declarations (CSS Style Attributes). The function gets names in lower case, except those of custom
 * properties, and values without comments and without `!important`. For a rule among them it gets an empty name, and
 * the rule as it stands in the list. Returns false if memory is short or the function stopped the walk. */
bool svg_declaration_list_walk(text list, svg_declaration_function *function, void *user);

#endif
