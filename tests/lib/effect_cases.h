/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Calls of everything in shaders/lib that stage 11 computes with, on numbers that follow from an index. C and GLSL
 * share this text, so each computes the same cases. */
#ifndef PIETRA_TESTS_EFFECT_CASES_H
#define PIETRA_TESTS_EFFECT_CASES_H

CONSTANT(EFFECT_CASE_KINDS, 16u)
CONSTANT(EFFECT_CASE_VALUES, 64u)

SHARED_FUNCTION uint case_hash(uint seed, uint index)
{
    uint x = seed * 0x9e3779b9u + index * 0x85ebca6bu;
    x = (x ^ (x >> 16)) * 0x7feb352du;
    x = (x ^ (x >> 15)) * 0x846ca68bu;
    return x ^ (x >> 16);
}

/* Returns a number from -2 to 2. */
SHARED_FUNCTION float case_float(uint seed, uint index)
{
    PRECISE float number = TO_FLOAT(case_hash(seed, index) >> 8) * (1.0f / 4194304.0f) - 2.0f;
    return number;
}

SHARED_FUNCTION effect_texel case_texel(uint seed, uint index)
{
    uint a = case_hash(seed, index) % (EFFECT_ONE + 1u);
    uint kind = case_hash(seed, index + 1u) % 8u;
    a = kind == 0u ? EFFECT_ONE : kind == 1u ? 0u : a;
    return effect_texel_of(case_hash(seed, index + 2u) % (a + 1u),
                           kind == 2u ? a : case_hash(seed, index + 3u) % (a + 1u),
                           case_hash(seed, index + 4u) % (a + 1u), a);
}

SHARED_FUNCTION effect_composite case_composite(uint seed)
{
    effect_composite made;
    made.operation = case_hash(seed, 20u) % (EFFECT_ARITHMETIC + 1u);
    PRECISE float k1 = case_float(seed, 21u) * (1.0f / 32640.0f);
    PRECISE float k4 = case_float(seed, 24u) * 32640.0f;
    made.k1 = k1;
    made.k2 = case_float(seed, 22u);
    made.k3 = case_float(seed, 23u);
    made.k4 = k4;
    return made;
}

SHARED_FUNCTION effect_matrix_row case_row(uint seed, uint index)
{
    effect_matrix_row made;
    made.r = case_float(seed, index);
    made.g = case_float(seed, index + 1u);
    made.b = case_float(seed, index + 2u);
    made.a = case_float(seed, index + 3u);
    made.one = case_float(seed, index + 4u);
    return made;
}

SHARED_FUNCTION effect_color_matrix case_matrix(uint seed)
{
    effect_color_matrix made;
    made.r = case_row(seed, 20u);
    made.g = case_row(seed, 25u);
    made.b = case_row(seed, 30u);
    made.a = case_row(seed, 35u);
    return made;
}

SHARED_FUNCTION effect_function case_function(uint seed, uint index)
{
    effect_function made;
    made.type = case_hash(seed, index) % (EFFECT_GAMMA + 1u);
    made.first = case_hash(seed, index + 1u) % 32u;
    made.count = 1u + case_hash(seed, index + 2u) % 32u;
    made.slope = case_float(seed, index + 3u);
    made.intercept = case_float(seed, index + 4u);
    made.amplitude = case_float(seed, index + 5u);
    made.exponent = case_float(seed, index + 6u);
    made.offset = case_float(seed, index + 7u);
    return made;
}

SHARED_FUNCTION effect_transfer case_transfer(uint seed)
{
    effect_transfer made;
    made.r = case_function(seed, 20u);
    made.g = case_function(seed, 30u);
    made.b = case_function(seed, 40u);
    made.a = case_function(seed, 50u);
    return made;
}

SHARED_FUNCTION effect_offset case_offset(uint seed)
{
    effect_offset made;
    made.x = 0;
    made.y = 0;
    made.fraction_x = case_hash(seed, 20u) % 256u;
    made.fraction_y = case_hash(seed, 21u) % 256u;
    return made;
}

SHARED_FUNCTION effect_band case_band(uint seed)
{
    effect_band made;
    made.vertical = 0u;
    made.multiply = TO_INT(case_hash(seed, 20u) % 3u);
    made.add = TO_INT(case_hash(seed, 21u) % 31u) - 15;
    made.shift = case_hash(seed, 22u) % 2u;
    made.taps = 1u + case_hash(seed, 23u) % 29u;
    made.phase_mask = case_hash(seed, 24u) % 2u;
    made.first = case_hash(seed, 25u) % 100u;
    return made;
}

SHARED_FUNCTION effect_convolution case_convolution(uint seed)
{
    effect_convolution made;
    made.columns = 3;
    made.rows = 3;
    made.left = 1;
    made.top = 1;
    made.scale = case_float(seed, 20u);
    made.bias = case_float(seed, 21u);
    made.edge = case_hash(seed, 22u) % 3u;
    made.preserves_alpha = case_hash(seed, 23u) % 2u;
    return made;
}

SHARED_FUNCTION effect_light case_light(uint seed)
{
    effect_light made;
    effect_vector axis =
        effect_unit(effect_vector_of(case_float(seed, 21u), case_float(seed, 22u), case_float(seed, 23u)));
    effect_vector place = effect_vector_of(case_float(seed, 24u), case_float(seed, 25u), case_float(seed, 26u));
    made.kind = case_hash(seed, 27u) % 3u;
    made.specular = case_hash(seed, 28u) % 2u;
    made.surface_scale = case_float(seed, 29u);
    made.constant = float_abs(case_float(seed, 30u));
    PRECISE float exponent = float_abs(case_float(seed, 31u)) * 30.0f + 1.0f;
    made.exponent = exponent;
    made.r = float_abs(case_float(seed, 32u));
    made.g = 0.5f;
    made.b = 0.25f;
    made.x = place.x;
    made.y = place.y;
    made.z = place.z;
    made.spot_x = axis.x;
    made.spot_y = axis.y;
    made.spot_z = axis.z;
    made.spot_exponent = float_abs(case_float(seed, 33u));
    made.spot_cosine = case_hash(seed, 34u) % 2u == 0u ? -2.0f : 0.6f;
    return made;
}

SHARED_FUNCTION int case_height(uint seed, uint index)
{
    return TO_INT(case_hash(seed, index) % (EFFECT_ONE + 1u));
}

SHARED_FUNCTION effect_heights case_heights(uint seed)
{
    effect_heights made;
    made.above_left = case_height(seed, 40u);
    made.above = case_height(seed, 41u);
    made.above_right = case_height(seed, 42u);
    made.left = case_height(seed, 43u);
    made.here = case_height(seed, 44u);
    made.right = case_height(seed, 45u);
    made.below_left = case_height(seed, 46u);
    made.below = case_height(seed, 47u);
    made.below_right = case_height(seed, 48u);
    made.has_left = case_hash(seed, 49u) % 4u != 0u;
    made.has_right = case_hash(seed, 50u) % 4u != 0u;
    made.has_above = case_hash(seed, 51u) % 4u != 0u;
    made.has_below = case_hash(seed, 52u) % 4u != 0u;
    return made;
}

SHARED_FUNCTION effect_noise case_noise(uint seed)
{
    effect_noise made;
    made.start_x_high = case_hash(seed, 20u);
    made.start_x_low = case_hash(seed, 21u);
    made.start_y_high = case_hash(seed, 22u);
    made.start_y_low = case_hash(seed, 23u);
    made.step_x_high = case_hash(seed, 24u) % 3u;
    made.step_x_low = case_hash(seed, 25u);
    made.step_y_high = case_hash(seed, 26u) % 3u;
    made.step_y_low = case_hash(seed, 27u);
    made.octaves = case_hash(seed, 28u) % (EFFECT_OCTAVES_MOST + 1u);
    made.fractal = case_hash(seed, 29u) % 2u;
    made.stitches = case_hash(seed, 30u) % 2u;
    made.stitch_right = TO_INT(case_hash(seed, 31u) % 1000u) - 500;
    made.stitch_bottom = TO_INT(case_hash(seed, 32u) % 1000u) - 500;
    made.stitch_width = TO_INT(case_hash(seed, 33u) % 1000u);
    made.stitch_height = TO_INT(case_hash(seed, 34u) % 1000u);
    return made;
}

/* Returns a word of a lattice. */
SHARED_FUNCTION uint case_word(uint index)
{
    return index < 2u * EFFECT_LATTICE ? case_hash(77u, index) % EFFECT_LATTICE : BITS_OF_FLOAT(case_float(78u, index));
}

/* Returns four words that one kind of case gives. */
SHARED_FUNCTION effect_texel effect_case(VALUES_PARAMETER WORDS_PARAMETER uint kind, uint seed)
{
    effect_texel s = case_texel(seed, 0u);
    effect_texel d = case_texel(seed, 5u);
    effect_texel c = case_texel(seed, 10u);
    switch (kind) {
    case 0u:
        return effect_texel_composite(case_composite(seed), s, d);
    case 1u:
        return effect_blend(s, d, case_hash(seed, 20u) % (BLEND_LUMINOSITY + 1u));
    case 2u:
        return effect_texel_matrix(case_matrix(seed), s);
    case 3u:
        return effect_texel_transfer(VALUES_ARGUMENT case_transfer(seed), s);
    case 4u:
        return effect_texel_between(s, d, c, case_texel(seed, 15u), case_offset(seed));
    case 5u: {
        PRECISE float scale = case_float(seed, 20u) * 1000.0f;
        int x = effect_displacement_along(scale, case_hash(seed, 21u) % 4u, s);
        int y = effect_displacement_along(1.0e8f, case_hash(seed, 22u) % 4u, s);
        return effect_texel_of(TO_UINT(x), TO_UINT(y), 0u, 0u);
    }
    case 6u:
        return effect_texel_shadow(s, d, c.a);
    case 7u:
        return effect_texel_of(effect_straight(s.r, s.a), effect_color_of_texel(s),
                               effect_texel_of_color(case_hash(seed, 20u)).g, effect_by_one(case_hash(seed, 21u) >> 1));
    case 8u: {
        int start = TO_INT(case_hash(seed, 20u) % 2000u) - 1000;
        int period = TO_INT(case_hash(seed, 21u) % 500u) + 1;
        return effect_texel_of(TO_UINT(effect_repeated(TO_INT(case_hash(seed, 22u) % 20000u) - 10000, start, period)),
                               0u, 0u, 0u);
    }
    case 9u: {
        int j = TO_INT(case_hash(seed, 26u) % 2000u) - 1000;
        effect_band band = case_band(seed);
        return effect_texel_of(TO_UINT(effect_band_start(band, j)), effect_band_weights(band, j),
                               effect_band_channel(TO_INT(case_hash(seed, 27u) % (EFFECT_ONE << 15))), 0u);
    }
    case 10u: {
        float base = float_abs(case_float(seed, 20u));
        PRECISE float exponent = case_float(seed, 21u) * 10.0f;
        PRECISE float far = exponent * 10.0f;
        PRECISE float some = base + 1.0e-30f;
        PRECISE float less = base * 0.5f;
        return effect_texel_of(BITS_OF_FLOAT(power(base, exponent)), BITS_OF_FLOAT(log2_of(some)),
                               BITS_OF_FLOAT(exp2_of(far)), BITS_OF_FLOAT(effect_soft_light(less, 0.3f)));
    }
    case 11u: {
        effect_convolution convolution = case_convolution(seed);
        effect_floats sum = effect_floats_of(0.0f, 0.0f, 0.0f, 0.0f);
        sum = effect_add_tap(sum, effect_tap(convolution, s), case_float(seed, 30u));
        sum = effect_add_tap(sum, effect_tap(convolution, d), case_float(seed, 31u));
        sum = effect_add_tap(sum, effect_tap(convolution, c), case_float(seed, 32u));
        return effect_convolved(convolution, sum, s.a);
    }
    case 12u:
        return effect_extreme_texel(case_hash(seed, 20u) % 2u, s, d);
    case 13u:
        return effect_lit(case_light(seed), case_heights(seed), TO_INT(case_hash(seed, 60u) % 100u) - 50,
                          TO_INT(case_hash(seed, 61u) % 100u) - 50);
    case 14u:
        return effect_noise_texel(WORDS_ARGUMENT case_noise(seed), TO_INT(case_hash(seed, 60u) % 20000u) - 10000,
                                  TO_INT(case_hash(seed, 61u) % 20000u) - 10000);
    default: {
        int place = effect_edge_place(case_hash(seed, 20u) % 3u, TO_INT(case_hash(seed, 21u) % 100u) - 50, -7, 12);
        return effect_texel_of(TO_UINT(place), effect_product(s.r, d.a), multiply_high(case_hash(seed, 22u), seed), 0u);
    }
    }
}

#endif
