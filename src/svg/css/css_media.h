/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Media queries (Media Queries 4). The medium is that of a renderer of pictures: a light screen in colours, of 96 dpi,
 * without a pointing device. */
#ifndef PIETRA_SVG_CSS_CSS_MEDIA_H
#define PIETRA_SVG_CSS_CSS_MEDIA_H

#include "svg/css/css_token.h"

typedef struct css_medium {
    /* size of the viewport in CSS pixels; 0: not known before the outermost element, and queries for it are false */
    double width, height;
    double dpi;
} css_medium;

/* Returns whether a media query list, up to the end of the text, holds. An empty list holds. A query in error does not.
 * */
bool css_media_hold(text queries, const css_medium *medium);

#endif
