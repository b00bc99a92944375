/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#version 460
/* 11 point: what makes a texel from one texel of each input, or from a few near it, and what goes between pixels of 8
 * bits and texels. */
#extension GL_GOOGLE_include_directive : require
#include "effect.glsl"
#include "effect_pixels.glsl"
#include "lib/effect_blend.h"
#include "lib/effect_point.h"

layout(scalar, set = 0, binding = 5) readonly buffer table_buffer
{
    uint tables[]; /* two entries each: to linearRGB, then to sRGB (src/render/effect/tables.h) */
};

#define VALUES 32u /* behind an effect_transfer */

float value_at(uint index)
{
    return float_parameter(VALUES + index);
}

/* ---- Parameters ---- */

effect_texel texel_parameter()
{
    return effect_texel_of(parameter(0u), parameter(1u), parameter(2u), parameter(3u));
}

effect_offset offset_parameter(uint index)
{
    effect_offset made;
    made.x = int_parameter(index);
    made.y = int_parameter(index + 1u);
    made.fraction_x = parameter(index + 2u);
    made.fraction_y = parameter(index + 3u);
    return made;
}

effect_composite composite_parameter()
{
    effect_composite made;
    made.operation = parameter(0u);
    made.k1 = float_parameter(1u);
    made.k2 = float_parameter(2u);
    made.k3 = float_parameter(3u);
    made.k4 = float_parameter(4u);
    return made;
}

effect_matrix_row row_parameter(uint index)
{
    effect_matrix_row made;
    made.r = float_parameter(index);
    made.g = float_parameter(index + 1u);
    made.b = float_parameter(index + 2u);
    made.a = float_parameter(index + 3u);
    made.one = float_parameter(index + 4u);
    return made;
}

effect_color_matrix matrix_parameter()
{
    effect_color_matrix made;
    made.r = row_parameter(0u);
    made.g = row_parameter(5u);
    made.b = row_parameter(10u);
    made.a = row_parameter(15u);
    return made;
}

effect_function function_parameter(uint index)
{
    effect_function made;
    made.type = parameter(index);
    made.first = parameter(index + 1u);
    made.count = parameter(index + 2u);
    made.slope = float_parameter(index + 3u);
    made.intercept = float_parameter(index + 4u);
    made.amplitude = float_parameter(index + 5u);
    made.exponent = float_parameter(index + 6u);
    made.offset = float_parameter(index + 7u);
    return made;
}

effect_transfer transfer_parameter()
{
    effect_transfer made;
    made.r = function_parameter(0u);
    made.g = function_parameter(8u);
    made.b = function_parameter(16u);
    made.a = function_parameter(24u);
    return made;
}

/* ---- Texels ---- */

uint table_entry(uint table, uint channel)
{
    uint index = table * (EFFECT_ONE + 2u) + channel;
    return (tables[index >> 1] >> (16u * (index & 1u))) & 0xffffu;
}

/* Takes straight channels through a table: 0 to linearRGB, 1 to sRGB. */
effect_texel recolored(uint table, effect_texel texel)
{
    uint r = table_entry(table, effect_straight(texel.r, texel.a));
    uint g = table_entry(table, effect_straight(texel.g, texel.a));
    uint b = table_entry(table, effect_straight(texel.b, texel.a));
    return effect_texel_of(effect_product(r, texel.a), effect_product(g, texel.a), effect_product(b, texel.a), texel.a);
}

effect_texel loaded(uint color)
{
    effect_texel texel = effect_texel_of_color(color);
    uint what = parameter(0u);
    if (what == EFFECT_LOAD_ALPHA) {
        return effect_texel_of(0u, 0u, 0u, texel.a);
    }
    return what == EFFECT_LOAD_LINEAR ? recolored(0u, texel) : texel;
}

/* `here` is what lies at x, y after the whole texels of the offset. */
effect_texel moved(effect_offset offset, effect_texel here, int x, int y)
{
    if ((offset.fraction_x | offset.fraction_y) == 0u) {
        return here;
    }
    int from_x = x - offset.x;
    int from_y = y - offset.y;
    return effect_texel_between(here, input1_at(from_x - 1, from_y), input1_at(from_x, from_y - 1),
                                input1_at(from_x - 1, from_y - 1), offset);
}

/* The blurred alpha after the offset. */
uint shadow_alpha(effect_offset offset, int x, int y)
{
    int from_x = x - offset.x;
    int from_y = y - offset.y;
    return effect_between(input2_at(from_x, from_y).a, input2_at(from_x - 1, from_y).a, input2_at(from_x, from_y - 1).a,
                          input2_at(from_x - 1, from_y - 1).a, offset);
}

effect_texel tiled(effect_box tile, int x, int y)
{
    return input1_at(effect_repeated(x, tile.left, tile.right - tile.left),
                     effect_repeated(y, tile.top, tile.bottom - tile.top));
}

effect_texel displaced(effect_texel by, int x, int y)
{
    return input1_at(x + effect_displacement_along(float_parameter(0u), parameter(2u), by),
                     y + effect_displacement_along(float_parameter(1u), parameter(3u), by));
}

/* ---- Jobs ---- */

/* The rows of texels that one invocation makes lie ROW_STEP apart. It reads those of all its rows before it makes the
 * first: a memory has to wait for many reads at once to be busy. */
#define ROW_STEP (EFFECT_INVOCATIONS / EFFECT_TILE_COLUMNS)
#define ROWS (EFFECT_TILE_ROWS / ROW_STEP)

/* Returns what the job reads of its first input at a place, or at the one that an offset leads to. */
uvec2 first_read(effect_offset offset, int x, int y)
{
    switch (OPERATION) {
    case EFFECT_JOB_LOAD:
    case EFFECT_JOB_CARRY:
        return view_holds(job.input1, x, y) ? uvec2(pixels[view_index(job.input1, x, y)], 0u) : uvec2(0u);
    case EFFECT_JOB_TILE:
    case EFFECT_JOB_DISPLACE:
        return uvec2(0u); /* they read elsewhere */
    default:
        return input1_packed(x - offset.x, y - offset.y);
    }
}

effect_texel made_at(uvec2 read1, uvec2 read2, int x, int y)
{
    effect_texel input1 = unpacked(read1);
    effect_texel input2 = unpacked(read2);
    switch (OPERATION) {
    case EFFECT_JOB_LOAD:
        return loaded(read1.x);
    case EFFECT_JOB_STORE:
        return parameter(0u) != 0u ? recolored(1u, input1) : input1;
    case EFFECT_JOB_TO_LINEAR:
        return recolored(0u, input1);
    case EFFECT_JOB_TO_SRGB:
        return recolored(1u, input1);
    case EFFECT_JOB_FLOOD:
        return texel_parameter();
    case EFFECT_JOB_OFFSET:
        return moved(offset_parameter(0u), input1, x, y);
    case EFFECT_JOB_MERGE:
        return effect_texel_over(input1, input2);
    case EFFECT_JOB_COMPOSITE:
        return effect_texel_composite(composite_parameter(), input1, input2);
    case EFFECT_JOB_BLEND:
        return effect_blend(input1, input2, parameter(0u));
    case EFFECT_JOB_MATRIX:
        return effect_texel_matrix(matrix_parameter(), input1);
    case EFFECT_JOB_TRANSFER:
        return effect_texel_transfer(transfer_parameter(), input1);
    case EFFECT_JOB_TILE:
        return tiled(box_parameter(0u), x, y);
    case EFFECT_JOB_DISPLACE:
        return displaced(input2, x, y);
    case EFFECT_JOB_SHADOW:
        return effect_texel_shadow(input1, texel_parameter(), shadow_alpha(offset_parameter(4u), x, y));
    default: /* EFFECT_JOB_CARRY */
        return input1;
    }
}

void main()
{
    uint across, down;
    if (!find_job(across, down)) {
        return;
    }
    int x = job.result.box.left + int(across * EFFECT_TILE_COLUMNS + gl_LocalInvocationID.x % EFFECT_TILE_COLUMNS);
    int top = job.result.box.top + int(down * EFFECT_TILE_ROWS + gl_LocalInvocationID.x / EFFECT_TILE_COLUMNS);
    effect_offset offset = offset_parameter(0u);
    if (OPERATION != EFFECT_JOB_OFFSET) {
        offset.x = 0;
        offset.y = 0;
    }
    uvec2 read1[ROWS];
    uvec2 read2[ROWS];
    for (uint i = 0u; i < ROWS; i++) {
        int y = top + int(i * ROW_STEP);
        read1[i] = first_read(offset, x, y);
        read2[i] = OPERATION == EFFECT_JOB_SHADOW ? uvec2(0u) : input2_packed(x, y);
    }
    for (uint i = 0u; i < ROWS; i++) {
        int y = top + int(i * ROW_STEP);
        if (!view_holds(job.result, x, y)) {
            continue;
        }
        effect_texel texel = made_at(read1[i], read2[i], x, y);
        if (OPERATION == EFFECT_JOB_STORE) {
            colors[view_index(job.result, x, y)] = effect_color_of_texel(texel);
        } else if (OPERATION == EFFECT_JOB_CARRY) {
            colors[view_index(job.result, x, y)] = read1[i].x;
        } else {
            set_result(x, y, texel);
        }
    }
}
