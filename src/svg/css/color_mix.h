/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Colours made of other colours (CSS Color 5): color-mix(), and functions whose channels come `from` a colour. */
#ifndef PIETRA_SVG_CSS_COLOR_MIX_H
#define PIETRA_SVG_CSS_COLOR_MIX_H

#include "base/text.h"
#include "pietra/pietra.h"

/* The context of a nested colour. */
typedef struct svg_color_context {
    const pietra_color *current; /* NULL: not known */
    unsigned depth;              /* the number of colours around it */
} svg_color_context;

static inline svg_color_context svg_color_within(svg_color_context outer)
{
    return (svg_color_context){outer.current, outer.depth + 1};
}

/* Reads a colour at the beginning of *rest as svg_color_parse does, but without light-dark(), and without clamping to
 * sRGB: channels may be below 0 or above 1. A colour nested too deeply is an error. */
bool svg_color_parse_nested(text *rest, svg_color_context context, pietra_color *color);

/* Reads what follows `color-mix(`, with the closing parenthesis, and moves *rest behind it. */
bool svg_color_mix_parse(text *rest, svg_color_context context, pietra_color *color);

/* Returns whether a function's arguments begin with `from` and a colour. */
bool svg_color_is_relative(text arguments);
/* Rewrites such arguments without that colour. Names of channels become the colour's numbers, and the colour's alpha is
 * added if none is given. *values is what follows `function(`. It becomes the new arguments with a closing parenthesis,
 * which lie in `room`. *rest moves behind the old closing parenthesis. Returns false if the arguments are bad or too
 * long for the room. */
#define SVG_RELATIVE_COLOR_ROOM 1024u
bool svg_color_relative_parse(text function, text *values, svg_color_context context,
                              char room[SVG_RELATIVE_COLOR_ROOM], text *rest);

#endif
