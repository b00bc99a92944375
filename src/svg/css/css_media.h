/* Media queries (Media Queries 4), asked by a renderer of pictures: a screen in colours, that no one points at, light,
 * 96 dpi. */
#ifndef PIETRA_SVG_CSS_CSS_MEDIA_H
#define PIETRA_SVG_CSS_CSS_MEDIA_H

#include "svg/css/css_token.h"

typedef struct css_medium {
    /* of the viewport in CSS pixels; 0: not known (before the outermost element), what asks for it is false */
    double width, height;
    double dpi;
} css_medium;

/* True when a media query list, up to the end of the text, holds. An empty one does; a query in error does not. */
bool css_media_hold(text queries, const css_medium *medium);

#endif
