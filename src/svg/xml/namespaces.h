/* Which prefix stands for which name space, while a document is read (Namespaces in XML 1.0, 2009). */
#ifndef PIETRA_SVG_XML_NAMESPACES_H
#define PIETRA_SVG_XML_NAMESPACES_H

#include "svg/css/css_names.h"

/* A name as it stands in a tag, taken apart. */
typedef struct svg_qualified {
    text prefix; /* empty: it has none */
    text local;
} svg_qualified;

typedef struct svg_namespace_change {
    uint32_t node; /* whose start tag declares */
    uint32_t prefix;
    uint32_t previous; /* what the prefix stood for before */
} svg_namespace_change;

/* Zero bytes: nothing is declared. */
typedef struct svg_namespaces {
    css_names names;                     /* of prefixes and addresses, as numbers */
    ARRAY(uint32_t) bound;               /* by the number of a prefix: that of its address; 0: not declared */
    ARRAY(svg_namespace_change) changes; /* of the open elements */
} svg_namespaces;

/* Splits at the colon, if there is text on both sides of it. */
svg_qualified svg_qualified_split(text name);
/* Takes xmlns or xmlns:PREFIX of the start tag of this node. False: out of memory. */
bool svg_namespaces_declare(svg_namespaces *namespaces, uint32_t node, svg_qualified name, text address);
/* Ends this node: what its start tag declared is undone. */
void svg_namespaces_end(svg_namespaces *namespaces, uint32_t node);
/* The address that a prefix stands for, valid until the end; empty where it is not declared. The empty prefix: of
 * elements without one. False: out of memory. */
bool svg_namespaces_find(svg_namespaces *namespaces, text prefix, text *address);
void svg_namespaces_free(svg_namespaces *namespaces);

/* Whether an attribute declares a name space. */
static inline bool svg_qualified_declares(text name)
{
    return name.count >= 5 && memcmp(name.bytes, "xmlns", 5) == 0 && (name.count == 5 || name.bytes[5] == ':');
}

#endif
