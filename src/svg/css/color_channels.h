/* Colours as the functions of CSS Color 4 and 5 write them: three channels of a space, in the units of that function's
 * plain numbers. */
#ifndef PIETRA_SVG_CSS_COLOR_CHANNELS_H
#define PIETRA_SVG_CSS_COLOR_CHANNELS_H

#include "base/text.h"

typedef struct color_channels {
    double values[3];
    int hue;        /* which of them is an angle in degrees; -1: none */
    bool powerless; /* a hue of a grey, which says nothing */
} color_channels;

/* A colour in sRGB, 0 to 1, in a space: srgb, hsl, hwb, lab, lch, oklab, oklch or one of color(). Their ranges are
 * those of color() for srgb and its like, 100 for percentages otherwise but 1 for the lightness of oklab and oklch.
 * False: there is no such space. */
bool color_channels_of(text space, const double rgb[3], color_channels *channels);
/* And back; of a space that the former knew. */
void color_channels_to_rgb(text space, const color_channels *channels, double rgb[3]);

/* Of hsl and hwb: hue in degrees, the others 0 to 1; not bounded. */
void color_from_hsl(const double hsl[3], double rgb[3]);
void color_from_hwb(const double hwb[3], double rgb[3]);

#endif
