/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Texels apart by channel: a lane is a texel, and each channel has a vector of its own. So what shaders/lib says of a
 * texel reads the same here. Part of effects_body.h. */

typedef struct planes {
    wide_uint r, g, b, a;
} planes;

typedef struct float_planes {
    wide_float r, g, b, a;
} float_planes;

/* Texels are pairs of words, of which the first has R and G and the second B and A. The orders keep to quarters of the
 * vectors, within which moves are cheap; so lanes are not in the order of texels, but interleaving undoes that. */
#if WIDE == 16
#define IN_PLANES 0, 1, 8, 9, 2, 3, 10, 11, 4, 5, 12, 13, 6, 7, 14, 15
#define FIRST_WORDS 0, 2, 16, 18, 4, 6, 20, 22, 8, 10, 24, 26, 12, 14, 28, 30
#define SECOND_WORDS 1, 3, 17, 19, 5, 7, 21, 23, 9, 11, 25, 27, 13, 15, 29, 31
#define LOW_PAIRS 0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29
#define HIGH_PAIRS 2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31
#elif WIDE == 8
#define IN_PLANES 0, 1, 4, 5, 2, 3, 6, 7
#define FIRST_WORDS 0, 2, 8, 10, 4, 6, 12, 14
#define SECOND_WORDS 1, 3, 9, 11, 5, 7, 13, 15
#define LOW_PAIRS 0, 8, 1, 9, 4, 12, 5, 13
#define HIGH_PAIRS 2, 10, 3, 11, 6, 14, 7, 15
#else
#define IN_PLANES 0, 1, 2, 3
#define FIRST_WORDS 0, 2, 4, 6
#define SECOND_WORDS 1, 3, 5, 7
#define LOW_PAIRS 0, 4, 1, 5
#define HIGH_PAIRS 2, 6, 3, 7
#endif

/* Loads and stores WIDE texels. */
INLINE planes load_planes(const uint16_t *from)
{
    wide_uint low = (wide_uint)load_shorts(from), high = (wide_uint)load_shorts(from + 2 * WIDE);
    wide_uint first = __builtin_shufflevector(low, high, FIRST_WORDS);
    wide_uint second = __builtin_shufflevector(low, high, SECOND_WORDS);
    return (planes){first & 0xffff, first >> 16, second & 0xffff, second >> 16};
}

INLINE void store_planes(uint16_t *to, planes texels)
{
    wide_uint first = texels.r | texels.g << 16, second = texels.b | texels.a << 16;
    store_shorts(to, (wide_short)__builtin_shufflevector(first, second, LOW_PAIRS));
    store_shorts(to + 2 * WIDE, (wide_short)__builtin_shufflevector(first, second, HIGH_PAIRS));
}

/* Brings numbers of texels, which are in order, into the order of planes. */
INLINE wide_float in_planes(wide_float v)
{
    return __builtin_shufflevector(v, v, IN_PLANES);
}

/* Returns the place of each lane. */
INLINE wide_int lane_numbers(void)
{
    static const int32_t numbers[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    wide_int v;
    memcpy(&v, numbers, sizeof v);
    return v;
}

INLINE wide_uint splat(uint x)
{
    return (wide_uint){0} + x;
}

INLINE wide_float splat_float(float x)
{
    return (wide_float){0} + x;
}

/* Does effect_by_one (shaders/lib/effect_texel.h) for sums of two products. With y = x >> 7 the quotient is y / 255,
 * and y / 255 = 257 y / 65535 = 257 y (1 + 2^-16) / 65536 without the terms that are too small to count. */
INLINE wide_uint by_one(wide_uint x)
{
    wide_uint y = (x + EFFECT_ONE / 2) >> 7;
    wide_uint scaled = y + (y << 8);
    return (scaled + (scaled >> 16) + 1) >> 16;
}

/* Does effect_product. */
INLINE wide_uint scaled_by(wide_uint a, wide_uint b)
{
    return by_one(product_of(a, b));
}

/* Does effect_texel_scale. */
INLINE planes planes_by(planes texels, wide_uint level)
{
    return (planes){scaled_by(texels.r, level), scaled_by(texels.g, level), scaled_by(texels.b, level),
                    scaled_by(texels.a, level)};
}

/* Does effect_texel_over. */
INLINE planes planes_over(planes source, planes destination)
{
    planes below = planes_by(destination, EFFECT_ONE - source.a);
    return (planes){source.r + below.r, source.g + below.g, source.b + below.b, source.a + below.a};
}

/* Returns the quotients of n / d, for quotients below 2^15 and n below 2^31. `inverse` is 1 / d, rounded. The product
 * of floats is at most one off. */
INLINE wide_uint quotients_of(wide_uint n, wide_uint d, wide_float inverse)
{
    wide_int quotient = __builtin_convertvector(__builtin_convertvector((wide_int)n, wide_float) * inverse, wide_int);
    wide_int rest = (wide_int)(n - product_of((wide_uint)quotient, d));
    return (wide_uint)(quotient + (rest < 0) - (rest >= (wide_int)d));
}

INLINE wide_float to_floats(wide_uint x)
{
    return __builtin_convertvector((wide_int)x, wide_float);
}

INLINE wide_float held(wide_float x, wide_float low, wide_float high)
{
    wide_float above = choose_floats(x > low, x, low);
    return choose_floats(above < high, above, high);
}

/* Does effect_round. */
INLINE wide_uint rounded(wide_float x, wide_float most)
{
    return (wide_uint) __builtin_convertvector(held(x, splat_float(0), most) + 0.5f, wide_int);
}

/* Does reciprocal of shaders/lib/arithmetic.h for x > 0. */
INLINE wide_float reciprocals_of(wide_float x)
{
    wide_float y = (wide_float)(0x7ef311c7u - (wide_uint)x);
    y = y + y * (1.0f - x * y);
    y = y + y * (1.0f - x * y);
    y = y + y * (1.0f - x * y);
    return y;
}

/* Does reciprocal_sqrt of shaders/lib/arithmetic.h. */
INLINE wide_float reciprocal_roots_of(wide_float x)
{
    wide_float half_x = 0.5f * x, y = (wide_float)(0x5f375a86u - ((wide_uint)x >> 1));
    y = y * (1.5f - half_x * y * y);
    y = y * (1.5f - half_x * y * y);
    y = y * (1.5f - half_x * y * y);
    return y;
}

/* Does effect_straight_floats. */
INLINE float_planes straight_floats(planes texels)
{
    wide_float inverse = choose_floats(texels.a == 0, splat_float(0), reciprocals_of(to_floats(texels.a)));
    return (float_planes){to_floats(texels.r) * inverse, to_floats(texels.g) * inverse, to_floats(texels.b) * inverse,
                          to_floats(texels.a) * (1.0f / 32640.0f)};
}

/* Does effect_premultiplied. */
INLINE planes premultiplied_planes(float_planes straight)
{
    wide_uint a = rounded(straight.a * 32640.0f, splat_float((float)EFFECT_ONE));
    wide_float most = to_floats(a);
    return (planes){rounded(straight.r * most, most), rounded(straight.g * most, most),
                    rounded(straight.b * most, most), a};
}
