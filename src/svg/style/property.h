/* Values of properties that wait for their place in the cascade: those of style sheets, each read once however many
 * elements it meets. */
#ifndef PIETRA_SVG_STYLE_PROPERTY_H
#define PIETRA_SVG_STYLE_PROPERTY_H

#include "svg/style/cascade.h"
#include "svg/tree/document.h"
#include "svg/tree/warnings.h"

typedef struct svg_property_value {
    svg_declaration declaration; /* its property and importance; all of it where `attribute` is false */
    bool attribute;              /* it is kept as an attribute of the node: transform, geometry, d */
    bool deferred;               /* of an attribute: it has var() in it */
    bool automatic;              /* of a length: auto */
    bool relative;               /* of a transform: it is kept as a text, for its lengths are relative */
    text value;                  /* of an attribute; of one that is deferred equal texts are one */
    svg_length length;
    uint32_t transform; /* in the document's, unless it is relative */
    uint32_t path;      /* of d: in the path pool, or SVG_NO_PATH */
} svg_property_value;

typedef ARRAY(svg_property_value) svg_property_values;

/* Adds what a declaration says to the list: nothing where it is not valid or not known, several values for a shorthand.
 * The name is in lower case, that of a custom property as it is. Warns at the line of what svg_property_warn names.
 * False: out of memory. */
bool svg_property_collect(svg_document *document, svg_warnings *warnings, uint32_t line, text name, text value,
                          bool important, svg_property_values *values);
/* Applies a value to a node after all that was applied before, whatever its importance. False: out of memory. */
bool svg_property_apply(svg_document *document, uint32_t node, const svg_property_value *value, svg_cascade *cascade);

/* Gives nodes the attributes whose values had var() in them, by the custom properties of where they stand in the
 * document. To be called when all has been read. */
pietra_result svg_property_settle(svg_document *document, pietra_error *error);

/* Names what is left out of a declaration that is otherwise known. */
void svg_property_warn(svg_warnings *warnings, uint32_t line, svg_name property, text value);

#endif
