/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Keeps where the elements of a picture come from, for printing: what their labels stand for. */
#ifndef RENDER_ORIGINS_H
#define RENDER_ORIGINS_H

#include <stdbool.h>
#include <stdio.h>

#include "base/array.h"
#include "pietra/pietra.h"

/* A copy of a pietra_svg_origin. */
typedef struct origin {
    uint32_t line, document, shown_by;
    const char *element;
    char *id, *file; /* copies; NULL: none */
} origin;

/* Label n is list.items[n - 1]. Zero bytes are the empty list. */
typedef struct origins {
    ARRAY(origin) list;
    bool out_of_memory;
} origins;

/* A pietra_svg_origin_function. user points to origins. */
void origins_take(void *user, uint32_t label, const pietra_svg_origin *reported);
/* Prints an element as "rect#id line 3", followed by what shows it there. Prints nothing for an element without a
 * label. */
void origins_print(FILE *out, const origins *origins, uint32_t label);
/* Returns the line of the document of an element, or of what shows it there if it stands in another one. 0: none. */
uint32_t origins_line(const origins *origins, uint32_t label);
void origins_destroy(origins *origins);

#endif
