/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Tells a program which fonts and images a document shows. Each function does nothing if nobody asks for them. */
#ifndef PIETRA_SVG_DRAW_RESOURCES_H
#define PIETRA_SVG_DRAW_RESOURCES_H

#include "font/font.h"
#include "svg/draw/image_content.h"

typedef struct svg_resources {
    pietra_svg_resource_function *function;
    void *user;
    ARRAY(pietra_font *) fonts; /* that were reported; owned, so that none takes the address of another */
    hash_table table;           /* finds them by their addresses */
} svg_resources;

/* Reports the font of a run of text of the node, unless it was reported before. */
void svg_resource_report_font(svg_walk *walk, uint32_t node, pietra_font *font);
/* Reports an image or a document that was loaded for the node. `format` is the image's; NULL: it is a document. */
void svg_resource_report_content(const svg_walk *walk, uint32_t node, const svg_image_content *content,
                                 const char *format);
void svg_resources_free(svg_resources *resources);

#endif
