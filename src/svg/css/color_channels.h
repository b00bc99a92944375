/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Colours as the functions of CSS Color 4 and 5 write them: three channels of a space, in the units of that function's
 * plain numbers. */
#ifndef PIETRA_SVG_CSS_COLOR_CHANNELS_H
#define PIETRA_SVG_CSS_COLOR_CHANNELS_H

#include "base/text.h"

typedef struct color_channels {
    double values[3];
    int hue;        /* index of the channel that is an angle in degrees; -1: none */
    bool powerless; /* the hue has no effect, because the colour is a grey */
} color_channels;

/* Converts a colour of sRGB, 0 to 1, to a space: srgb, hsl, hwb, lab, lch, oklab, oklch or a space of color(). Channels
 * of srgb and its like have the ranges of color(). Percentages of other spaces go to 100, but the lightness of oklab
 * and oklch goes to 1. Returns false if there is no such space. */
bool color_channels_of(text space, const double rgb[3], color_channels *channels);
/* Converts back to sRGB, from a space for which color_channels_of returned true. */
void color_channels_to_rgb(text space, const color_channels *channels, double rgb[3]);

/* These convert hsl and hwb: the hue is in degrees, other channels go from 0 to 1. Nothing is clamped. */
void color_from_hsl(const double hsl[3], double rgb[3]);
void color_from_hwb(const double hwb[3], double rgb[3]);

#endif
