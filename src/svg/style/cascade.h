/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Which declaration of a property counts for a node, of all that are made for it. */
#ifndef PIETRA_SVG_STYLE_CASCADE_H
#define PIETRA_SVG_STYLE_CASCADE_H

#include "svg/style/declaration.h"

/* The declarations of one node while it is being read. */
typedef struct svg_cascade {
    ARRAY(svg_declaration) declarations;
    uint64_t moved; /* declarations that made way for others, in all */
} svg_cascade;

/* The most custom properties of one node. Further ones have no effect. */
#define SVG_MOST_DECLARATIONS 4096u

/* Adds a declaration that comes after all that were added before. It replaces the declaration of the same property,
 * unless that one is important and this one is not. Returns false if memory is short. */
bool svg_cascade_add(svg_cascade *cascade, const svg_declaration *declaration);

#endif
