/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/effect/prepare.h"

#include "base/transform.h"
#include "lib/effect_texel.h"
#include "render/effect/held.h"
#include "render/effect/tables.h"

effect_texel effect_color_of(uint8_t r, uint8_t g, uint8_t b, double opacity, bool linear)
{
    const uint channels[] = {r, g, b};
    const effect_tables *tables = linear ? effect_color_tables() : NULL;
    double alpha = opacity > 0 ? opacity < 1 ? opacity : 1 : 0;
    uint a = (uint)(alpha * EFFECT_ONE + 0.5), made[3];

    for (int i = 0; i < 3; i++) {
        uint straight = channels[i] << EFFECT_8_BIT_SHIFT;
        made[i] = effect_product(tables ? tables->to_linear[straight] : straight, a);
    }
    return effect_texel_of(made[0], made[1], made[2], a);
}

effect_outcome effect_offset_of(double x, double y, effect_offset *offset)
{
    int64_t whole_x = (int64_t)floor(held(x, LENGTH_MOST) * 256 + 0.5);
    int64_t whole_y = (int64_t)floor(held(y, LENGTH_MOST) * 256 + 0.5);

    offset->x = (int)(whole_x >> 8);
    offset->y = (int)(whole_y >> 8);
    offset->fraction_x = (uint)(whole_x & 255);
    offset->fraction_y = (uint)(whole_y & 255);
    return whole_x == 0 && whole_y == 0 ? EFFECT_PASSES : EFFECT_RUNS;
}

void effect_composite_of(uint32_t operation, double k1, double k2, double k3, double k4, effect_composite *composite)
{
    composite->operation = operation;
    composite->k1 = (float)(held(k1, NUMBER_MOST) / EFFECT_ONE);
    composite->k2 = held_number(k2);
    composite->k3 = held_number(k3);
    composite->k4 = (float)(held(k4, NUMBER_MOST) * EFFECT_ONE);
}

effect_outcome effect_color_matrix_of(const double values[20], effect_color_matrix *matrix)
{
    effect_matrix_row *const rows[] = {&matrix->r, &matrix->g, &matrix->b, &matrix->a};

    for (int i = 0; i < 20; i++)
        if (!isfinite(values[i]))
            return EFFECT_PASSES;
    for (int i = 0; i < 4; i++, values += 5)
        *rows[i] = (effect_matrix_row){held_number(values[0]), held_number(values[1]), held_number(values[2]),
                                       held_number(values[3]), held_number(values[4])};
    return EFFECT_RUNS;
}

/* Returns the matrix whose rows are the luminance, plus `amount` times what each channel differs from it, plus `turn`
 * times the third matrix of hueRotate ("Filter Effects", 9.6). */
static effect_outcome mix_colors(double amount, double turn, effect_color_matrix *matrix)
{
    static const double luminance[] = {0.213, 0.715, 0.072};
    static const double turned[3][3] = {{-0.213, -0.715, 0.928}, {0.143, 0.140, -0.283}, {-0.787, 0.715, 0.072}};
    double values[20] = {0};

    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++)
            values[5 * row + column] =
                luminance[column] + amount * ((row == column) - luminance[column]) + turn * turned[row][column];
    values[18] = 1;
    return effect_color_matrix_of(values, matrix);
}

effect_outcome effect_saturate_of(double amount, effect_color_matrix *matrix)
{
    return amount >= 0 && isfinite(amount) ? mix_colors(amount, 0, matrix) : EFFECT_PASSES;
}

effect_outcome effect_hue_rotate_of(double degrees, effect_color_matrix *matrix)
{
    if (!isfinite(degrees))
        return EFFECT_PASSES;
    pietra_transform turn = transform_rotate(degrees);
    return mix_colors(turn.a, turn.b, matrix);
}

void effect_luminance_to_alpha_of(effect_color_matrix *matrix)
{
    *matrix = (effect_color_matrix){.a = {.r = 0.2126f, .g = 0.7152f, .b = 0.0722f}};
}

effect_function effect_identity_function(void)
{
    return (effect_function){.type = EFFECT_IDENTITY};
}

effect_function effect_linear_function(double slope, double intercept)
{
    return (effect_function){.type = EFFECT_LINEAR, .slope = held_number(slope), .intercept = held_number(intercept)};
}

effect_function effect_gamma_function(double amplitude, double exponent, double offset)
{
    return (effect_function){.type = EFFECT_GAMMA,
                             .amplitude = held_number(amplitude),
                             .exponent = held_number(exponent),
                             .offset = held_number(offset)};
}

effect_function effect_table_function(uint32_t type, uint32_t first, uint32_t count)
{
    return count == 0 ? effect_identity_function() : (effect_function){.type = type, .first = first, .count = count};
}

effect_outcome effect_displacement_of(double scale_x, double scale_y, uint32_t channel_x, uint32_t channel_y,
                                      effect_displacement *displacement)
{
    *displacement = (effect_displacement){(float)held(scale_x, LENGTH_MOST), (float)held(scale_y, LENGTH_MOST),
                                          channel_x, channel_y};
    return displacement->scale_x == 0 && displacement->scale_y == 0 ? EFFECT_PASSES : EFFECT_RUNS;
}

effect_outcome effect_extreme_of(double radius_x, double radius_y, bool dilates, effect_extreme *extreme)
{
    *extreme = (effect_extreme){.dilates = dilates};
    if (!(radius_x >= 0 && radius_y >= 0))
        return EFFECT_PASSES;
    extreme->radius_x = (int)(held(radius_x, LENGTH_MOST) + 0.5);
    extreme->radius_y = (int)(held(radius_y, LENGTH_MOST) + 0.5);
    return extreme->radius_x == 0 && extreme->radius_y == 0 ? EFFECT_PASSES : EFFECT_RUNS;
}
