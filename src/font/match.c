/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "font/match.h"

/* From here on a slant is steep. Steep ones are looked for upwards first, others downwards. */
#define STEEP_ANGLE 11.0f

/* Sets a part of the distance for ranges: what is within them is best, then one side, then the other. */
static void rank_sides(font_distance *distance, size_t part, font_range range, float wanted, bool below_first)
{
    distance->parts[part].rank = 0;
    distance->parts[part].distance = 0;
    if (range.most < wanted) {
        distance->parts[part].rank = below_first ? 1 : 2;
        distance->parts[part].distance = wanted - range.most;
    } else if (range.least > wanted) {
        distance->parts[part].rank = below_first ? 2 : 1;
        distance->parts[part].distance = range.least - wanted;
    }
}

static void rank_stretch(font_distance *distance, const font_traits *traits, font_style style)
{
    rank_sides(distance, 0, traits->stretch, style.stretch, style.stretch <= 100);
}

/* Returns the angles that a face has, as an upright or an oblique face. */
static font_range find_angles(const font_traits *traits)
{
    if (traits->angle.least < traits->angle.most)
        return traits->angle;
    const float angle = traits->slope != FONT_OBLIQUE ? 0
                        : traits->angle.most != 0     ? traits->angle.most
                                                      : FONT_USUAL_ANGLE;
    return (font_range){angle, angle};
}

/* Ranks the kinds, the best first: what was asked for; the other slanted kind, or for upright text the oblique one; the
 * rest; slants to the other side. */
static void rank_slope(font_distance *distance, const font_traits *traits, font_style style)
{
    const bool italic = traits->slope == FONT_ITALIC;
    const font_range angles = find_angles(traits);
    const float wanted = style.slope == FONT_UPRIGHT ? 0 : style.slope == FONT_ITALIC ? FONT_USUAL_ANGLE : style.angle;
    const bool backwards = wanted >= 0 ? angles.most < 0 : angles.least > 0;
    const bool upright = angles.least == 0 && angles.most == 0;
    const float size = wanted < 0 ? -wanted : wanted;
    const font_range turned = wanted < 0 ? (font_range){-angles.most, -angles.least} : angles;
    rank_sides(distance, 1, turned, size, size < STEEP_ANGLE);
    if (style.slope == FONT_ITALIC && (italic || traits->has_italic_axis)) {
        distance->parts[1].rank = 0;
        distance->parts[1].distance = 0;
    } else if (style.slope == FONT_UPRIGHT) {
        distance->parts[1].rank += italic ? 10 : 0;
    } else if (italic) {
        distance->parts[1].rank = 10;
        distance->parts[1].distance = 0;
    } else {
        distance->parts[1].rank += (style.slope == FONT_ITALIC ? 1u : 0u) + (upright && wanted != 0 ? 20u : 0u);
    }
    distance->parts[1].rank += backwards ? 30 : 0;
}

static void rank_weight(font_distance *distance, const font_traits *traits, font_style style)
{
    const bool medium = style.weight >= 400 && style.weight <= 500;
    rank_sides(distance, 2, traits->weight, style.weight, style.weight < 400);
    /* For medium weights, what is above them up to 500 comes before what is below, and that before what is heavier. */
    if (medium && traits->weight.least > 500)
        distance->parts[2].rank = 3;
}

font_distance font_measure_distance(const font_traits *traits, font_style style)
{
    font_distance distance;
    rank_stretch(&distance, traits, style);
    rank_slope(&distance, traits, style);
    rank_weight(&distance, traits, style);
    return distance;
}

bool font_is_nearer(const font_distance *a, const font_distance *b)
{
    for (size_t i = 0; i < 3; i++) {
        if (a->parts[i].rank != b->parts[i].rank)
            return a->parts[i].rank < b->parts[i].rank;
        if (a->parts[i].distance != b->parts[i].distance)
            return a->parts[i].distance < b->parts[i].distance;
    }
    return false;
}
