/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "svg/css/color_channels.h"

#include <math.h>

#include "svg/css/color_space.h"

#define DEGREES 57.29577951308232
/* A colour with less chroma than this is grey. GREY is for lch, and in percent for sRGB; GREY_OK is for oklch. */
#define GREY 0.0015
#define GREY_OK 0.000004

typedef enum family { FAMILY_HSL, FAMILY_HWB, FAMILY_LAB, FAMILY_OKLAB, FAMILY_LCH, FAMILY_OKLCH, FAMILY_OTHER } family;

static family family_of(text space)
{
    static const text names[] = {
        [FAMILY_HSL] = TEXT_LITERAL("hsl"), [FAMILY_HWB] = TEXT_LITERAL("hwb"),
        [FAMILY_LAB] = TEXT_LITERAL("lab"), [FAMILY_OKLAB] = TEXT_LITERAL("oklab"),
        [FAMILY_LCH] = TEXT_LITERAL("lch"), [FAMILY_OKLCH] = TEXT_LITERAL("oklch"),
    };
    int found = FAMILY_HSL;
    while (found < FAMILY_OTHER && !text_equal_ignoring_case(space, names[found]))
        found++;
    return (family)found;
}

/* Returns a channel (CSS Color 3, section 4.2.4). The hue is in sixths of a turn. */
static double hue_channel(double low, double high, double hue)
{
    hue = hue < 0 ? hue + 6 : hue >= 6 ? hue - 6 : hue;
    if (hue < 1)
        return low + (high - low) * hue;
    if (hue < 3)
        return high;
    return hue < 4 ? low + (high - low) * (4 - hue) : low;
}

static void set_hue(double degrees, double low, double high, double rgb[3])
{
    double hue = fmod(degrees, 360) / 60;
    hue = hue < 0 ? hue + 6 : hue;
    rgb[0] = hue_channel(low, high, hue + 2);
    rgb[1] = hue_channel(low, high, hue);
    rgb[2] = hue_channel(low, high, hue - 2);
}

void color_from_hsl(const double hsl[3], double rgb[3])
{
    double high = hsl[2] <= 0.5 ? hsl[2] * (hsl[1] + 1) : hsl[2] + hsl[1] - hsl[2] * hsl[1];
    set_hue(hsl[0], hsl[2] * 2 - high, high, rgb);
}

/* White and black are mixed into the hue. If they sum to 1 or more, the result is grey (CSS Color 4, section 8). */
void color_from_hwb(const double hwb[3], double rgb[3])
{
    set_hue(hwb[0], 0, 1, rgb);
    for (int i = 0; i < 3; i++)
        rgb[i] = hwb[1] + hwb[2] >= 1 ? hwb[1] / (hwb[1] + hwb[2]) : rgb[i] * (1 - hwb[1] - hwb[2]) + hwb[1];
}

/* Returns the hue in degrees, which hsl and hwb share. */
static double find_hue(const double rgb[3], double low, double high)
{
    double range = high - low, hue;
    if (!(range > 0))
        return 0;
    if (high == rgb[0])
        hue = (rgb[1] - rgb[2]) / range;
    else if (high == rgb[1])
        hue = (rgb[2] - rgb[0]) / range + 2;
    else
        hue = (rgb[0] - rgb[1]) / range + 4;
    return (hue < 0 ? hue + 6 : hue) * 60;
}

static void channels_of_hue(family family, const double rgb[3], color_channels *channels)
{
    double low = fmin(rgb[0], fmin(rgb[1], rgb[2])), high = fmax(rgb[0], fmax(rgb[1], rgb[2]));
    double middle = (low + high) / 2, reach = fmin(middle, 1 - middle);
    bool hsl = family == FAMILY_HSL;
    *channels = (color_channels){
        {find_hue(rgb, low, high), hsl ? (reach > 0 ? (high - middle) / reach : 0) * 100 : low * 100,
         hsl ? middle * 100 : (1 - high) * 100},
        0,
        high - low < GREY / 100,
    };
}

bool color_channels_of(text space, const double rgb[3], color_channels *channels)
{
    family family = family_of(space);
    *channels = (color_channels){.hue = -1};
    switch (family) {
    case FAMILY_HSL:
    case FAMILY_HWB:
        channels_of_hue(family, rgb, channels);
        return true;
    case FAMILY_LAB:
    case FAMILY_LCH:
        color_space_to_lab(rgb, channels->values);
        break;
    case FAMILY_OKLAB:
    case FAMILY_OKLCH:
        color_space_to_oklab(rgb, channels->values);
        break;
    case FAMILY_OTHER:
        return color_space_to_name(space, rgb, channels->values);
    }
    if (family == FAMILY_LCH || family == FAMILY_OKLCH) {
        double a = channels->values[1], b = channels->values[2], chroma = hypot(a, b), hue = atan2(b, a) * DEGREES;
        channels->values[1] = chroma;
        channels->values[2] = hue < 0 ? hue + 360 : hue;
        channels->hue = 2;
        channels->powerless = chroma < (family == FAMILY_LCH ? GREY : GREY_OK);
    }
    return true;
}

void color_channels_to_rgb(text space, const color_channels *channels, double rgb[3])
{
    family family = family_of(space);
    double values[3] = {channels->values[0], channels->values[1], channels->values[2]};
    if (family == FAMILY_LCH || family == FAMILY_OKLCH) {
        double chroma = values[1], hue = values[2] / DEGREES;
        values[1] = chroma * cos(hue);
        values[2] = chroma * sin(hue);
    } else if (family == FAMILY_HSL || family == FAMILY_HWB) {
        values[1] /= 100;
        values[2] /= 100;
    }
    switch (family) {
    case FAMILY_HSL:
        color_from_hsl(values, rgb);
        break;
    case FAMILY_HWB:
        color_from_hwb(values, rgb);
        break;
    case FAMILY_LAB:
    case FAMILY_LCH:
        color_space_from_lab(values, rgb);
        break;
    case FAMILY_OKLAB:
    case FAMILY_OKLCH:
        color_space_from_oklab(values, rgb);
        break;
    case FAMILY_OTHER:
        (void)color_space_from_name(space, values, rgb);
        break;
    }
}
