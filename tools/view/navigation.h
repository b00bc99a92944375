/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Where the document lies in the window: by how much it is enlarged, turned and moved. */
#ifndef VIEW_NAVIGATION_H
#define VIEW_NAVIGATION_H

#include "pietra/pietra.h"

typedef enum navigation_mode {
    NAVIGATION_FIT = 0, /* the document fills the window, and follows its size */
    NAVIGATION_ACTUAL,  /* a CSS pixel is a pixel, in the middle of the window */
    NAVIGATION_FREE,    /* it stays where the user moved it */
} navigation_mode;

typedef struct navigation {
    navigation_mode mode;
    double zoom;                            /* pixels of a CSS pixel */
    double degrees;                         /* clockwise */
    double x, y;                            /* of the document's origin in the window, pixels */
    double document_width, document_height; /* CSS pixels */
    uint32_t width, height;                 /* of the window, pixels */
} navigation;

/* Leads from the document to pixels of the window. */
pietra_transform navigation_transform(const navigation *navigation);
/* Places the document anew after its size, the window's or the mode changed. */
void navigation_update(navigation *navigation);
void navigation_pan(navigation *navigation, double x, double y);
/* Four steps double the scale. What lies at the pixel (x, y) stays there. */
void navigation_zoom(navigation *navigation, double steps, double x, double y);
/* Turns around the middle of the window. A document that fits in is made to fit again. */
void navigation_turn(navigation *navigation, double degrees);

#endif
