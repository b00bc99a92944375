/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Calls of everything in shaders/lib that stage 11 computes with, on numbers that follow from an index. C and GLSL
 * share this text, so each computes the same cases. */
#ifndef PIETRA_TESTS_EFFECT_CASES_H
#define PIETRA_TESTS_EFFECT_CASES_H

CONSTANT(EFFECT_CASE_KINDS, 12u)
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

/* Returns four words that one kind of case gives. */
SHARED_FUNCTION effect_texel effect_case(VALUES_PARAMETER uint kind, uint seed)
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
    default:
        return effect_texel_scale(s, d.a);
    }
}

#endif
