/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The name spaces for which prefixes stand while a document is read (Namespaces in XML 1.0, 2009). */
#ifndef PIETRA_SVG_XML_NAMESPACES_H
#define PIETRA_SVG_XML_NAMESPACES_H

#include "svg/css/css_names.h"

/* A name in a tag, split into its parts. */
typedef struct svg_qualified {
    text prefix; /* empty if there is none */
    text local;
} svg_qualified;

typedef struct svg_namespace_change {
    uint32_t node; /* node whose start tag declares the prefix */
    uint32_t prefix;
    uint32_t previous; /* meaning of the prefix before */
} svg_namespace_change;

/* Zero bytes mean that nothing is declared. */
typedef struct svg_namespaces {
    css_names names;                     /* numbers of prefixes and addresses */
    ARRAY(uint32_t) bound;               /* number of the address, by number of the prefix; 0: not declared */
    ARRAY(svg_namespace_change) changes; /* changes that the open elements made */
} svg_namespaces;

/* Splits a name at the colon, if there is text on both sides of it. */
svg_qualified svg_qualified_split(text name);
/* Takes an attribute xmlns or xmlns:PREFIX of the start tag of this node. Returns false if memory is short. */
bool svg_namespaces_declare(svg_namespaces *namespaces, uint32_t node, svg_qualified name, text address);
/* Ends this node and undoes the declarations of its start tag. */
void svg_namespaces_end(svg_namespaces *namespaces, uint32_t node);
/* Finds the address for which a prefix stands. It is valid until the names are freed, and empty if the prefix is not
 * declared. The empty prefix is that of elements without a prefix. Returns false if memory is short. */
bool svg_namespaces_find(svg_namespaces *namespaces, text prefix, text *address);
void svg_namespaces_free(svg_namespaces *namespaces);

/* Returns whether an attribute declares a name space. */
static inline bool svg_qualified_declares(text name)
{
    return name.count >= 5 && memcmp(name.bytes, "xmlns", 5) == 0 && (name.count == 5 || name.bytes[5] == ':');
}

#endif
