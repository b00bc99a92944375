/* Colours made of other colours (CSS Color 5): color-mix(), and functions whose channels come `from` a colour. */
#ifndef PIETRA_SVG_CSS_COLOR_MIX_H
#define PIETRA_SVG_CSS_COLOR_MIX_H

#include "base/text.h"
#include "pietra/pietra.h"

/* Where a colour stands. */
typedef struct svg_color_context {
    const pietra_color *current; /* NULL: not known */
    unsigned depth;              /* in so many other colours */
} svg_color_context;

static inline svg_color_context svg_color_within(svg_color_context outer)
{
    return (svg_color_context){outer.current, outer.depth + 1};
}

/* A colour at the beginning of *rest, as svg_color_parse reads it but for light-dark() and not held to sRGB: channels
 * may be below 0 or above 1. In too many others there is none. */
bool svg_color_parse_nested(text *rest, svg_color_context context, pietra_color *color);

/* What follows `color-mix(`, the closing parenthesis included; *rest moves behind it. */
bool svg_color_mix_parse(text *rest, svg_color_context context, pietra_color *color);

/* Whether a function's arguments begin with a colour that they come from. */
bool svg_color_is_relative(text arguments);
/* Rewrites such arguments without it: names of channels become that colour's numbers, and its alpha is added where none
 * is given. *values: what follows `function(`; becomes the new arguments, in `room`, with a closing parenthesis. *rest
 * moves behind the one that stood there. False: bad, or too long for the room. */
#define SVG_RELATIVE_COLOR_ROOM 1024u
bool svg_color_relative_parse(text function, text *values, svg_color_context context,
                              char room[SVG_RELATIVE_COLOR_ROOM], text *rest);

#endif
