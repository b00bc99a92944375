/* Colours made of other colours (CSS Color 5): color-mix(), and functions whose channels come `from` a colour. */
#ifndef PIETRA_SVG_COLOR_MIX_H
#define PIETRA_SVG_COLOR_MIX_H

#include "base/text.h"
#include "pietra/pietra.h"

/* A colour at the beginning of *rest, as svg_color_parse reads it but for light-dark() and not held to sRGB: channels may be below 0 or
 * above 1. depth: how many colours it stands in; beyond a limit there is none. */
bool svg_color_parse_nested(text *rest, unsigned depth, pietra_color *color);

/* What follows `color-mix(`, the closing parenthesis included; *rest moves behind it. */
bool svg_color_mix_parse(text *rest, unsigned depth, pietra_color *color);

/* Whether a function's arguments begin with a colour that they come from. */
bool svg_color_is_relative(text arguments);
/* Rewrites such arguments without it: names of channels become that colour's numbers, and its alpha is added where none is given. *values:
 * what follows `function(`; becomes the new arguments, in `room`, with a closing parenthesis. *rest moves behind the one that stood there.
 * False: bad, or too long for the room. */
#define SVG_RELATIVE_COLOR_ROOM 1024u
bool svg_color_relative_parse(text function, text *values, unsigned depth, char room[SVG_RELATIVE_COLOR_ROOM], text *rest);

#endif
