/* Values of properties, from text to declarations. */
#ifndef PIETRA_SVG_STYLE_DECLARATION_H
#define PIETRA_SVG_STYLE_DECLARATION_H

#include "base/array.h"
#include "base/text.h"
#include "svg/tree/declared.h"
#include "svg/tree/names.h"

typedef struct svg_document svg_document;

typedef enum svg_parsed { SVG_PARSED_GOOD, SVG_PARSED_BAD, SVG_PARSED_OUT_OF_MEMORY } svg_parsed;

/* Reads the value of a property. BAD: the declaration is not valid and has to be dropped. */
svg_parsed svg_declaration_parse(svg_document *document, svg_name property, text value, svg_declaration *declaration);

bool svg_property_is_inherited(svg_name property);

/* Called for each declaration of a style attribute. False stops. */
typedef bool svg_declaration_function(void *user, text name, text value, bool important);
/* Walks a list of declarations (CSS Style Attributes): comments left out, names in lower case but for those of custom properties,
 * `!important` taken off, rules nested within skipped. False: out of memory, or stopped. */
bool svg_declaration_list_walk(text list, svg_declaration_function *function, void *user);

#endif
