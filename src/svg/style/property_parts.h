/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What the files share that read values of properties and give them to nodes. */
#ifndef PIETRA_SVG_STYLE_PROPERTY_PARTS_H
#define PIETRA_SVG_STYLE_PROPERTY_PARTS_H

#include "svg/style/property.h"

/* Reads the value of an attribute, only once for all nodes that will have it. *good is false if it is not valid.
 * Returns false if memory is short. */
bool svg_property_read_attribute(svg_document *document, svg_property_value *result, bool *good);
/* Gives a node a value that is an attribute. Returns false if memory is short. */
bool svg_property_apply_attribute(svg_document *document, uint32_t node, const svg_property_value *value);
/* Drops the attribute that the property overrides on this node. */
void svg_property_drop_overruled(svg_document *document, uint32_t node, svg_name property);

#endif
