/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Compositing of layers: the sixteen blend modes of CSS (W3C, "Compositing and Blending Level 1", 2024), the operators
 * of Porter and Duff, and how each kind of layer starts and ends. All arithmetic is in integers, on premultiplied
 * colours of 8 bits a channel.
 *
 * With S, D premultiplied, s, d their alphas and B the blend function of the straight colours, a channel of the
 * result is
 *   S (1 - d) + D (1 - s) + s d B(D / d, S / s).
 * Each channel is computed over the common denominator 255 * 255 and rounded once. The last term never exceeds s d.
 * The alpha is the same formula with B = 1, so no channel exceeds the alpha.
 *
 * An operator gives S a share F and D a share G, which depend on d and on s alone: a channel, and the alpha, of the
 * result is S F + D G. Only for PLUS it may exceed 1, and is held to it. */
#ifndef PIETRA_LIB_BLEND_H
#define PIETRA_LIB_BLEND_H

#include "../layout/blend.h"
#include "../layout/stream.h"
#include "arithmetic.h"
#include "element_kind.h"
#include "paint.h"

SHARED_FUNCTION uint blend_burn(uint c, uint s, uint b, uint d)
{
    if (b >= d) {
        return s * d;
    }
    if (c == 0u) {
        return 0u;
    }
    uint dark = (d - b) * s;
    return dark >= d * c ? 0u : s * d - uint_min(divide_nearest(dark * s, c), s * d);
}

SHARED_FUNCTION uint blend_dodge(uint c, uint s, uint b, uint d)
{
    if (b == 0u) {
        return 0u;
    }
    return b * s >= d * (s - c) ? s * d : uint_min(divide_nearest(b * s * s, s - c), s * d);
}

SHARED_FUNCTION uint blend_hard_light(uint c, uint s, uint b, uint d)
{
    return 2u * c <= s ? 2u * c * b : s * d - 2u * (d - b) * (s - c);
}

/* Works in straight colours of 12 bits, so the product with s d fits 32 bits. */
SHARED_FUNCTION uint blend_soft_light(uint c, uint s, uint b, uint d)
{
    int cs = TO_INT(divide_nearest(c * 4096u, s));
    int cb = TO_INT(divide_nearest(b * 4096u, d));
    int mixed;
    if (cs <= 2048) {
        mixed = cb - ((4096 - 2 * cs) * ((cb * (4096 - cb)) >> 12) >> 12);
    } else {
        int curve;
        if (cb <= 1024) {
            curve = ((((16 * cb - 12 * 4096) * cb >> 12) + 4 * 4096) * cb) >> 12;
        } else {
            PRECISE float scaled = TO_FLOAT(cb) * 4096.0f;
            PRECISE float root = square_root(scaled) + 0.5f;
            curve = floor_to_int(root);
        }
        mixed = cb + ((2 * cs - 4096) * (curve - cb) >> 12);
    }
    return (TO_UINT(int_clamp(mixed, 0, 4096)) * (s * d) + 2048u) >> 12;
}

/* Returns s d B for one channel, which is at most s d. s and d are not 0. */
SHARED_FUNCTION uint blend_channel(uint c, uint s, uint b, uint d, uint mode)
{
    switch (mode) {
    case BLEND_MULTIPLY:
        return c * b;
    case BLEND_SCREEN:
        return c * d + b * s - c * b;
    case BLEND_OVERLAY:
        return blend_hard_light(b, d, c, s);
    case BLEND_DARKEN:
        return uint_min(c * d, b * s);
    case BLEND_LIGHTEN:
        return uint_max(c * d, b * s);
    case BLEND_COLOR_DODGE:
        return blend_dodge(c, s, b, d);
    case BLEND_COLOR_BURN:
        return blend_burn(c, s, b, d);
    case BLEND_HARD_LIGHT:
        return blend_hard_light(c, s, b, d);
    case BLEND_SOFT_LIGHT:
        return blend_soft_light(c, s, b, d);
    case BLEND_DIFFERENCE:
        return c * d > b * s ? c * d - b * s : b * s - c * d;
    case BLEND_EXCLUSION:
        return c * d + b * s - 2u * c * b;
    default:
        return c * d;
    }
}

/* Three channels, each times the alpha of the other colour: 0 to s d. */
STRUCT(blend_triple)
{
    uint r, g, b;
};

SHARED_FUNCTION blend_triple triple_of(uint color, uint alpha)
{
    blend_triple made;
    made.r = (color & 0xffu) * alpha;
    made.g = ((color >> 8) & 0xffu) * alpha;
    made.b = ((color >> 16) & 0xffu) * alpha;
    return made;
}

SHARED_FUNCTION uint triple_most(blend_triple c)
{
    return uint_max(c.r, uint_max(c.g, c.b));
}
SHARED_FUNCTION uint triple_least(blend_triple c)
{
    return uint_min(c.r, uint_min(c.g, c.b));
}
SHARED_FUNCTION uint triple_luminosity(blend_triple c)
{
    return (30u * c.r + 59u * c.g + 11u * c.b + 50u) / 100u;
}

/* Sets the saturation of a colour. The products stay below 2^32: 65,025 squared, and half of 65,025. */
SHARED_FUNCTION blend_triple triple_set_saturation(blend_triple c, uint saturation)
{
    uint least = triple_least(c);
    uint range = triple_most(c) - least;
    blend_triple set;
    set.r = range == 0u ? 0u : divide_nearest((c.r - least) * saturation, range);
    set.g = range == 0u ? 0u : divide_nearest((c.g - least) * saturation, range);
    set.b = range == 0u ? 0u : divide_nearest((c.b - least) * saturation, range);
    return set;
}

/* Moves one channel by as much as the luminosity moves. Then draws it in towards the luminosity, in proportion to
 * how far the least channel falls below 0 or the greatest exceeds the limit. `below` and `above` are the distances
 * of these two from the luminosity. */
SHARED_FUNCTION uint channel_set_luminosity(uint c, uint had, uint wanted, uint below, uint above, uint limit)
{
    if (c < had) {
        uint less = had - c;
        less = below > wanted           ? divide_nearest(less * wanted, below)
               : above > limit - wanted ? divide_nearest(less * (limit - wanted), above)
                                        : less;
        return wanted - uint_min(less, wanted);
    }
    uint more = c - had;
    more = below > wanted           ? divide_nearest(more * wanted, below)
           : above > limit - wanted ? divide_nearest(more * (limit - wanted), above)
                                    : more;
    return uint_min(wanted + more, limit);
}

SHARED_FUNCTION blend_triple triple_set_luminosity(blend_triple c, uint wanted, uint limit)
{
    uint had = triple_luminosity(c);
    uint below = had - uint_min(triple_least(c), had);
    uint above = uint_max(triple_most(c), had) - had;
    blend_triple set;
    set.r = channel_set_luminosity(c.r, had, wanted, below, above, limit);
    set.g = channel_set_luminosity(c.g, had, wanted, below, above, limit);
    set.b = channel_set_luminosity(c.b, had, wanted, below, above, limit);
    return set;
}

SHARED_FUNCTION uint triple_saturation(blend_triple c)
{
    return triple_most(c) - triple_least(c);
}

/* Returns B times `limit` for the modes that take the three channels together. Colours go from 0 to `limit`. One copy
 * for all modes keeps the shaders small. */
SHARED_FUNCTION blend_triple blend_triples(blend_triple c, blend_triple b, uint limit, uint mode)
{
    blend_triple colored = b;
    blend_triple other = c;
    if (mode == BLEND_HUE || mode == BLEND_COLOR) {
        colored = c;
        other = b;
    }
    if (mode == BLEND_HUE || mode == BLEND_SATURATION) {
        colored = triple_set_saturation(colored, triple_saturation(other));
    }
    uint luminosity = triple_luminosity(b);
    if (mode == BLEND_LUMINOSITY) {
        luminosity = triple_luminosity(c);
    }
    return triple_set_luminosity(colored, luminosity, limit);
}

/* Returns s d B for these modes. */
SHARED_FUNCTION blend_triple blend_whole(uint source, uint destination, uint mode)
{
    uint s = source >> 24;
    uint d = destination >> 24;
    return blend_triples(triple_of(source, d), triple_of(destination, s), s * d, mode);
}

SHARED_FUNCTION uint triple_part(blend_triple c, uint i)
{
    return i == 0u ? c.r : i == 1u ? c.g : c.b;
}

/* Returns the source's share by an operator, 0 to 255, given the destination's alpha. */
SHARED_FUNCTION uint operator_source_share(uint mode, uint d)
{
    switch (mode) {
    case BLEND_SOURCE:
    case BLEND_PLUS:
        return 255u;
    case BLEND_SOURCE_IN:
    case BLEND_SOURCE_ATOP:
        return d;
    case BLEND_DESTINATION_OVER:
    case BLEND_SOURCE_OUT:
    case BLEND_DESTINATION_ATOP:
    case BLEND_XOR:
        return 255u - d;
    default:
        return 0u;
    }
}

/* Returns the destination's share, given the source's alpha. */
SHARED_FUNCTION uint operator_destination_share(uint mode, uint s)
{
    switch (mode) {
    case BLEND_DESTINATION:
    case BLEND_DESTINATION_OVER:
    case BLEND_PLUS:
        return 255u;
    case BLEND_DESTINATION_IN:
    case BLEND_DESTINATION_ATOP:
        return s;
    case BLEND_DESTINATION_OUT:
    case BLEND_SOURCE_ATOP:
    case BLEND_XOR:
        return 255u - s;
    default:
        return 0u;
    }
}

/* Composites two premultiplied RGBA8 colours by an operator. */
SHARED_FUNCTION uint blend_by_operator(uint source, uint destination, uint mode)
{
    uint of_source = operator_source_share(mode, destination >> 24);
    uint of_destination = operator_destination_share(mode, source >> 24);
    uint color = 0u;
    for (uint shift = 0u; shift < 32u; shift += 8u) {
        uint sum = ((source >> shift) & 0xffu) * of_source + ((destination >> shift) & 0xffu) * of_destination;
        color |= divide_255(uint_min(sum, 255u * 255u)) << shift;
    }
    return color;
}

/* Blends two premultiplied RGBA8 colours. mode is one of BLEND_*. One loop over the channels keeps the
 * shaders small. */
SHARED_FUNCTION uint blend_color(uint source, uint destination, uint mode)
{
    uint s = source >> 24;
    uint d = destination >> 24;
    if (mode >= BLEND_CLEAR) {
        return blend_by_operator(source, destination, mode);
    }
    if (mode == BLEND_NORMAL || s == 0u || d == 0u) {
        return color_over(source, destination);
    }
    blend_triple whole = triple_of(0u, 0u);
    if (mode >= BLEND_HUE) {
        whole = blend_whole(source, destination, mode);
    }
    uint color = divide_255(255u * (s + d) - s * d) << 24;
    for (uint i = 0u; i < 3u; i++) {
        uint c = (source >> (8u * i)) & 0xffu;
        uint b = (destination >> (8u * i)) & 0xffu;
        uint mixed = mode >= BLEND_HUE ? triple_part(whole, i) : blend_channel(c, s, b, d, mode);
        color |= divide_255(mixed + c * (255u - d) + b * (255u - s)) << (8u * i);
    }
    return color;
}

/* Mixes two colours. Each channel becomes (a level + b (255 - level)) / 255, rounded once. */
SHARED_FUNCTION uint color_lerp(uint a, uint b, uint level)
{
    uint rest = 255u - level;
    uint low = (a & 0xff00ffu) * level + (b & 0xff00ffu) * rest + 0x800080u;
    uint high = ((a >> 8) & 0xff00ffu) * level + ((b >> 8) & 0xff00ffu) * rest + 0x800080u;
    low = ((low + ((low >> 8) & 0xff00ffu)) >> 8) & 0xff00ffu;
    high = (high + ((high >> 8) & 0xff00ffu)) & 0xff00ff00u;
    return low | high;
}

/* The luminosity of W3C's "CSS Masking Level 1" (2021). The weights 0.2125, 0.7154 and 0.0721 are in 65,536ths.
 * Channels may have any scale, and be numbers or vectors. */
#define LUMINANCE(r, g, b) ((13926u * (r) + 46885u * (g) + 4725u * (b) + 32768u) >> 16)

/* Converts a straight channel of sRGB, 0 to 255, to linear light, 0 to 65,535. A polynomial stands for the power of
 * 2.4. Its error is at most a thirtieth of one 255th. */
SHARED_FUNCTION uint linear_channel(uint channel)
{
    PRECISE float x = TO_FLOAT(channel) * (1.0f / 255.0f);
    PRECISE float light = x * (1.0f / 12.92f);
    if (channel > 10u) {
        light = 0.4604459107f - 0.08270976693f * x;
        light = 0.6006156802f + light * x;
        light = 0.02014398575f + light * x;
        light = 0.00144585222f + light * x;
    }
    PRECISE float scaled = light * 65535.0f + 0.5f;
    return uint_min(TO_UINT(floor_to_int(scaled)), 65535u);
}

/* Returns the level that a layer's source gives a pixel. mode is one of MASK_*. */
SHARED_FUNCTION uint mask_level(uint mode, uint color)
{
    uint a = color >> 24;
    if (mode < MASK_LUMINANCE || a == 0u) {
        return a;
    }
    if (mode == MASK_LUMINANCE) {
        return LUMINANCE(color & 0xffu, (color >> 8) & 0xffu, (color >> 16) & 0xffu);
    }
    uint straight = color_straight(color);
    uint light = LUMINANCE(linear_channel(straight & 0xffu), linear_channel((straight >> 8) & 0xffu),
                           linear_channel((straight >> 16) & 0xffu));
    return (light * a + 32767u) / 65535u;
}

/* Returns the colour on which a layer's content is painted, once the level is known. A layer keeps, for each pixel, the
 * colour of its destination and a level. kind is that of the layer's begin, with flags. */
SHARED_FUNCTION uint layer_start(uint kind, uint level, uint destination)
{
    if ((kind & ELEMENT_ISOLATED) != 0u) {
        return 0u;
    }
    return (kind & ELEMENT_COPIES_DESTINATION) != 0u || level == 255u ? destination : 0u;
}

/* Returns what a merged begin makes of the colour so far. A begin that is its parent's only content may share the
 * parent's layer. kind is that of the parent, whose level was `had` and is now `level`. */
SHARED_FUNCTION uint layer_merge(uint kind, uint had, uint level, uint color)
{
    bool plain = (kind & (ELEMENT_ISOLATED | ELEMENT_COPIES_DESTINATION)) == 0u;
    return plain && had == 255u && level < 255u ? 0u : color;
}

/* Composites the layer. `color` is what its content made of the colour of layer_start. */
SHARED_FUNCTION uint layer_finish(uint kind, uint level, uint color, uint destination)
{
    if ((kind & ELEMENT_ISOLATED) != 0u) {
        uint mode = (kind & ELEMENT_KIND_MASK) == ELEMENT_BEGIN_GROUP ? kind_mode(kind) : BLEND_NORMAL;
        return blend_color(color_scale(color, level), destination, mode);
    }
    if ((kind & ELEMENT_COPIES_DESTINATION) != 0u) {
        return color_lerp(color, destination, level);
    }
    return level < 255u ? color_over(color_scale(color, level), destination) : color;
}

#endif
