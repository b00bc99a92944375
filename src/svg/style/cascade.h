/* Which declaration of a property counts for a node, of all that are made for it. */
#ifndef PIETRA_SVG_STYLE_CASCADE_H
#define PIETRA_SVG_STYLE_CASCADE_H

#include "svg/style/declaration.h"

/* The declarations of one node while it is being read. */
typedef struct svg_cascade {
    ARRAY(svg_declaration) declarations;
    uint64_t moved; /* declarations that made way for others, in all */
} svg_cascade;

/* Custom properties of one node beyond so many have no effect. */
#define SVG_MOST_DECLARATIONS 4096u

/* Adds a declaration that comes after all that were added before: it replaces what was said of its property, unless
 * that was important and it is not. False: out of memory. */
bool svg_cascade_add(svg_cascade *cascade, const svg_declaration *declaration);

#endif
