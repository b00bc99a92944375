/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Blend modes in integers, against the specification's formulas in doubles, and what must hold for premultiplied
 * colours. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>
#include <math.h>

#include "lib/blend.h"
#include "lib/effect_blend.h"
#include "scene/blend.h"

static uint64_t random_state;

static uint32_t random_below(uint32_t limit)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((random_state >> 33) % limit);
}

static uint32_t random_color(void)
{
    static const uint32_t ends[] = {0, 1, 127, 128, 254, 255};
    uint32_t a = random_below(3) ? random_below(256) : ends[random_below(6)];
    uint32_t color = a << 24;
    for (int i = 0; i < 3; i++) {
        uint32_t c = random_below(3) ? random_below(a + 1) : (random_below(2) ? a : 0);
        color |= c << (8 * i);
    }
    return color;
}

static double channel(uint32_t color, int i)
{
    return (double)(color >> (8 * i) & 0xff);
}

static double curve(double b)
{
    return b <= 0.25 ? ((16 * b - 12) * b + 4) * b : sqrt(b);
}

static double hard_light(double b, double s)
{
    return s <= 0.5 ? b * 2 * s : b + (2 * s - 1) - b * (2 * s - 1);
}

static double blend_apart_of(double b, double s, uint32_t mode)
{
    switch (mode) {
    case BLEND_MULTIPLY:
        return b * s;
    case BLEND_SCREEN:
        return b + s - b * s;
    case BLEND_OVERLAY:
        return hard_light(s, b);
    case BLEND_DARKEN:
        return fmin(b, s);
    case BLEND_LIGHTEN:
        return fmax(b, s);
    case BLEND_COLOR_DODGE:
        return b == 0 ? 0 : s >= 1 ? 1 : fmin(1, b / (1 - s));
    case BLEND_COLOR_BURN:
        return b >= 1 ? 1 : s <= 0 ? 0 : 1 - fmin(1, (1 - b) / s);
    case BLEND_HARD_LIGHT:
        return hard_light(b, s);
    case BLEND_SOFT_LIGHT:
        return s <= 0.5 ? b - (1 - 2 * s) * b * (1 - b) : b + (2 * s - 1) * (curve(b) - b);
    case BLEND_DIFFERENCE:
        return fabs(b - s);
    default:
        return b + s - 2 * b * s;
    }
}

static double luminosity(const double c[3])
{
    return 0.3 * c[0] + 0.59 * c[1] + 0.11 * c[2];
}
static double least(const double c[3])
{
    return fmin(c[0], fmin(c[1], c[2]));
}
static double most(const double c[3])
{
    return fmax(c[0], fmax(c[1], c[2]));
}

static void set_luminosity(const double from[3], double wanted, double c[3])
{
    for (int i = 0; i < 3; i++)
        c[i] = from[i] + wanted - luminosity(from);
    double l = luminosity(c), n = least(c), x = most(c);
    for (int i = 0; i < 3; i++) {
        c[i] = n < 0 ? l + (c[i] - l) * l / (l - n) : c[i];
        c[i] = x > 1 ? l + (c[i] - l) * (1 - l) / (x - l) : c[i];
    }
}

static void set_saturation(const double from[3], double wanted, double c[3])
{
    double range = most(from) - least(from);
    for (int i = 0; i < 3; i++)
        c[i] = range > 0 ? (from[i] - least(from)) * wanted / range : 0;
}

static void blend_whole_of(const double b[3], const double s[3], uint32_t mode, double c[3])
{
    double part[3];
    if (mode == BLEND_HUE) {
        set_saturation(s, most(b) - least(b), part);
        set_luminosity(part, luminosity(b), c);
    } else if (mode == BLEND_SATURATION) {
        set_saturation(b, most(s) - least(s), part);
        set_luminosity(part, luminosity(b), c);
    } else if (mode == BLEND_COLOR) {
        set_luminosity(s, luminosity(b), c);
    } else {
        set_luminosity(b, luminosity(s), c);
    }
}

/* Returns the shares of source and destination, given their alphas. */
static double source_share(double d, uint32_t mode)
{
    const double shares[] = {0, 1, 0, 1 - d, d, 0, 1 - d, 0, d, 1 - d, 1 - d, 1};
    return shares[mode - BLEND_CLEAR];
}
static double destination_share(double s, uint32_t mode)
{
    const double shares[] = {0, 0, 1, 1, 0, s, 0, 1 - s, 1 - s, s, 1 - s, 1};
    return shares[mode - BLEND_CLEAR];
}

static void check_operator(uint32_t source, uint32_t below, uint32_t mode)
{
    const uint32_t found = blend_color(source, below, mode);
    const double f = source_share(channel(below, 3) / 255, mode), g = destination_share(channel(source, 3) / 255, mode);
    for (int i = 0; i < 4; i++) {
        const double expected = fmin(255, channel(source, i) * f + channel(below, i) * g);
        if (fabs(channel(found, i) - expected) > 0.501)
            fail_msg("mode %u, %08x and %08x: %08x, channel %d should be %g", mode, source, below, found, i, expected);
        assert_true(channel(found, i) <= channel(found, 3));
    }
}

/* Finds the premultiplied result of a source over a destination, of which the alphas are the last channels. */
static void blend_of(const double source[4], const double below[4], uint32_t mode, double result[4])
{
    double s[3], b[3], mixed[3], sa = source[3], da = below[3];
    for (int i = 0; i < 3; i++) {
        s[i] = sa > 0 ? source[i] / sa : 0;
        b[i] = da > 0 ? below[i] / da : 0;
        mixed[i] = mode < BLEND_HUE ? (mode == BLEND_NORMAL ? s[i] : blend_apart_of(b[i], s[i], mode)) : 0;
    }
    if (mode >= BLEND_HUE)
        blend_whole_of(b, s, mode, mixed);
    for (int i = 0; i < 3; i++)
        result[i] = sa * da * mixed[i] + source[i] * (1 - da) + below[i] * (1 - sa);
    result[3] = sa + da - sa * da;
}

static void check(uint32_t source, uint32_t below, uint32_t mode)
{
    uint32_t found = blend_color(source, below, mode);
    double s[4], b[4], expected[4];
    for (int i = 0; i < 4; i++) {
        s[i] = channel(source, i) / 255;
        b[i] = channel(below, i) / 255;
    }
    blend_of(s, b, mode, expected);
    assert_true(fabs(channel(found, 3) - 255 * expected[3]) < 0.501);
    for (int i = 0; i < 3; i++) {
        double slack = mode == BLEND_SOFT_LIGHT ? 0.8 : mode >= BLEND_HUE ? 0.53 : 0.51;
        if (fabs(channel(found, i) - 255 * expected[i]) > slack)
            fail_msg("mode %u, %08x over %08x: %08x, channel %d should be %g", mode, source, below, found, i,
                     255 * expected[i]);
        assert_true(channel(found, i) <= channel(found, 3));
    }
}

static void test_formulas(void **state)
{
    (void)state;
    random_state = 1;
    for (int i = 0; i < 100000; i++) {
        uint32_t source = random_color(), below = random_color();
        for (uint32_t mode = BLEND_NORMAL; mode < BLEND_CLEAR; mode++)
            check(source, below, mode);
        for (uint32_t mode = BLEND_CLEAR; mode < BLEND_COUNT; mode++)
            check_operator(source, below, mode);
    }
}

static effect_texel random_texel(void)
{
    static const uint32_t ends[] = {0, 1, 2, 16320, EFFECT_ONE - 1, EFFECT_ONE};
    uint32_t a = random_below(3) ? random_below(EFFECT_ONE + 1) : ends[random_below(6)], c[3];
    for (int i = 0; i < 3; i++)
        c[i] = random_below(3) ? random_below(a + 1) : (random_below(2) ? a : 0);
    return effect_texel_of(c[0], c[1], c[2], a);
}

static double straight_range(effect_texel texel)
{
    double c[3] = {texel.r, texel.g, texel.b};
    return texel.a > 0 ? (most(c) - least(c)) / texel.a : 0;
}

/* Returns by how many steps of 15 bits a mode may be off. Those that take the channels together round straight
 * channels, and stretch the little saturation that one colour may have to that of the other. */
static double texel_slack(effect_texel source, effect_texel below, uint32_t mode)
{
    double s = fmax(straight_range(source), 1e-5), b = fmax(straight_range(below), 1e-5);
    return mode >= BLEND_HUE ? 8 + fmax(s / b, b / s) : mode >= BLEND_COLOR_DODGE ? 1.6 : 0.51;
}

/* feBlend, at 15 bits. */
static void check_texels(effect_texel source, effect_texel below, uint32_t mode)
{
    effect_texel found = effect_blend(source, below, mode);
    double s[4], b[4], expected[4], slack = texel_slack(source, below, mode);
    for (uint32_t i = 0; i < 4; i++) {
        s[i] = (double)effect_texel_channel(source, i) / EFFECT_ONE;
        b[i] = (double)effect_texel_channel(below, i) / EFFECT_ONE;
    }
    blend_of(s, b, mode, expected);
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t c = effect_texel_channel(found, i);
        if (fabs(c - EFFECT_ONE * expected[i]) > (i == 3 ? 0.501 : slack))
            fail_msg("mode %u, %u %u %u %u over %u %u %u %u: channel %u is %u, not %g", mode, source.r, source.g,
                     source.b, source.a, below.r, below.g, below.b, below.a, i, c, EFFECT_ONE * expected[i]);
        assert_true(c <= found.a);
    }
}

static void test_texels(void **state)
{
    (void)state;
    random_state = 4;
    for (int i = 0; i < 100000; i++) {
        effect_texel source = random_texel(), below = random_texel();
        for (uint32_t mode = BLEND_NORMAL; mode < BLEND_CLEAR; mode++)
            check_texels(source, below, mode);
    }
}

/* A paint of alpha 0 changes nothing but by an unbounded operator, which clears. Over nothing all blend modes paint
 * alike, and operators paint as above or nothing. */
static void test_transparent(void **state)
{
    (void)state;
    random_state = 2;
    for (int i = 0; i < 10000; i++) {
        uint32_t color = random_color();
        for (uint32_t mode = BLEND_NORMAL; mode < BLEND_COUNT; mode++) {
            const uint32_t group = ELEMENT_BEGIN_GROUP | mode << ELEMENT_MODE_SHIFT;
            assert_int_equal(blend_color(0, color, mode), kind_is_unbounded(group) ? 0 : color);
            assert_int_equal(blend_color(color, 0, mode), mode < BLEND_CLEAR || source_share(0, mode) == 1 ? color : 0);
        }
    }
}

static void test_lerp(void **state)
{
    (void)state;
    random_state = 3;
    for (int i = 0; i < 200000; i++) {
        uint32_t a = random_color(), b = random_color(), level = random_below(256);
        uint32_t found = color_lerp(a, b, level);
        for (int c = 0; c < 4; c++) {
            assert_true(fabs(channel(found, c) - (channel(a, c) * level + channel(b, c) * (255 - level)) / 255) <
                        0.501);
            assert_true(channel(found, c) <= channel(found, 3));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_formulas), cmocka_unit_test(test_transparent),
                                       cmocka_unit_test(test_texels), cmocka_unit_test(test_lerp)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
