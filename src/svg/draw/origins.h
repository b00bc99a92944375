/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Labels of the scene's elements. A label stands for an element of the document in a place where it is shown. Each
 * function does nothing if walk->origins is NULL, because then nobody asks for origins. */
#ifndef PIETRA_SVG_DRAW_ORIGINS_H
#define PIETRA_SVG_DRAW_ORIGINS_H

#include "svg/draw/walk.h"

typedef struct svg_origin_key {
    uint32_t document, node;
    uint32_t shown_by; /* the label of what shows it there */
} svg_origin_key;

/* The origins of the outermost document and of the documents in its images. Label n is keys.items[n - 1]. */
struct svg_origins {
    pietra_svg_origin_function *function;
    void *user;
    ARRAY(svg_origin_key) keys;
    hash_table table;
};

/* These set the origin of what is added to the scene next. It is the topmost frame's own element, */
void svg_origin_of_frame(svg_walk *walk);
/* a child of that element, */
void svg_origin_of_child(svg_walk *walk, uint32_t node);
/* or an element, a clipPath or a mask to which that element refers. */
void svg_origin_of_referred(svg_walk *walk, uint32_t node);
/* Adds the labels of what the frame that was pushed last shows. Returns false if memory is short. */
bool svg_origin_push(svg_walk *walk);
void svg_origins_free(svg_origins *origins);

#endif
