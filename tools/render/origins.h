/* Where the elements of a picture come from: what labels stand for, kept for printing. */
#ifndef RENDER_ORIGINS_H
#define RENDER_ORIGINS_H

#include <stdbool.h>

#include "base/array.h"
#include "pietra/pietra.h"

/* As pietra_svg_origin. */
typedef struct origin {
    uint32_t line, document, shown_by;
    const char *element;
    char *id, *file;            /* copies; NULL: none */
} origin;

/* Label n is list.items[n - 1]. Zero bytes: none. */
typedef struct origins {
    ARRAY(origin) list;
    bool out_of_memory;
} origins;

/* A pietra_svg_origin_function; user: an origins. */
void origins_take(void *user, uint32_t label, const pietra_svg_origin *told);
/* Prints an element as "rect#id line 3", and behind it what shows it where it is, to standard output; nothing of what has no label. */
void origins_print(const origins *origins, uint32_t label);
void origins_destroy(origins *origins);

#endif
