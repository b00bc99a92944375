/* Declarations: a property and its value, from text. */
#ifndef PIETRA_SVG_STYLE_DECLARATION_H
#define PIETRA_SVG_STYLE_DECLARATION_H

#include "base/array.h"
#include "base/text.h"
#include "svg/style/value.h"
#include "svg/tree/declared.h"
#include "svg/tree/names.h"

/* Reads the value of a property. BAD: the declaration is not valid and has to be dropped. */
svg_parsed svg_declaration_parse(svg_document *document, svg_name property, text value, svg_declaration *declaration);

/* The property that this one is another name of, or itself. */
svg_name svg_property_meant(svg_name property);
bool svg_property_is_inherited(svg_name property);

/* Called for each declaration of a style attribute. False stops. */
typedef bool svg_declaration_function(void *user, text name, text value, bool important);
/* Walks a list of declarations (CSS Style Attributes): comments left out, names in lower case but for those of custom
 * properties, `!important` taken off, rules nested within skipped. False: out of memory, or stopped. */
bool svg_declaration_list_walk(text list, svg_declaration_function *function, void *user);

#endif
