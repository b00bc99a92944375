/* Labels of the scene's elements, and what they stand for: the document's elements in the places where they are shown.
 * Each function does nothing where walk->origins is NULL: nobody asks. */
#ifndef PIETRA_SVG_DRAW_ORIGINS_H
#define PIETRA_SVG_DRAW_ORIGINS_H

#include "svg/draw/walk.h"

typedef struct svg_origin_key {
    uint32_t document, node;
    uint32_t shown_by; /* the label of what shows it there */
} svg_origin_key;

/* Of the outermost document and of those in its images. Label n is keys.items[n - 1]. */
struct svg_origins {
    pietra_svg_origin_function *function;
    void *user;
    ARRAY(svg_origin_key) keys;
    hash_table table;
};

/* What is added to the scene next is of the topmost frame's own element, */
void svg_origin_of_frame(svg_walk *walk);
/* of a child of it, */
void svg_origin_of_child(svg_walk *walk, uint32_t node);
/* or of an element, a clipPath or a mask, that it refers to. */
void svg_origin_of_referred(svg_walk *walk, uint32_t node);
/* What the frame that was pushed last shows. False: out of memory. */
bool svg_origin_push(svg_walk *walk);
void svg_origins_free(svg_origins *origins);

#endif
