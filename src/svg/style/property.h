/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Values of properties in style sheets, before the cascade. Each value is read once, whatever the number of elements to
 * which it applies. */
#ifndef PIETRA_SVG_STYLE_PROPERTY_H
#define PIETRA_SVG_STYLE_PROPERTY_H

#include "svg/style/cascade.h"
#include "svg/tree/document.h"
#include "svg/tree/warnings.h"

/* What a keyword that all properties have does to an attribute of the node. */
typedef enum svg_wide { SVG_WIDE_NONE, SVG_WIDE_RESET, SVG_WIDE_INHERIT } svg_wide;

typedef struct svg_property_value {
    /* if `attribute`: only its property and importance; of SVG_ALL also INHERIT, INITIAL, or KEYWORD for unset */
    svg_declaration declaration;
    bool attribute; /* it becomes an attribute of the node: transform, geometry, d */
    uint8_t wide;   /* svg_wide, of an attribute: there is no other value */
    bool deferred;  /* the attribute contains var() */
    bool automatic; /* the length is auto */
    bool relative;  /* the transform is stored as a text, because its lengths are relative */
    text value;     /* text of an attribute; equal texts of deferred ones are stored once */
    svg_length length;
    uint32_t transform; /* index in the document's transforms, unless it is relative */
    uint32_t path;      /* index of a `d` in the path pool, or SVG_NO_PATH */
} svg_property_value;

typedef ARRAY(svg_property_value) svg_property_values;

/* Adds the values of a declaration to the list: none if the declaration is invalid or unknown, and several for a
 * shorthand. The name is in lower case, except that of a custom property. Warns of what is left out, with this line.
 * Returns false if memory is short. */
bool svg_property_collect(svg_document *document, svg_warnings *warnings, uint32_t line, text name, text value,
                          bool important, svg_property_values *values);
/* Applies a value to a node after all values that were applied before, whatever its importance. Returns false if memory
 * is short. */
bool svg_property_apply(svg_document *document, uint32_t node, const svg_property_value *value, svg_cascade *cascade);

/* Gives nodes the attributes whose values contained var(), by the custom properties at their place in the document. To
 * be called when everything has been read. */
pietra_result svg_property_settle(svg_document *document, pietra_error *error);

#endif
