/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#version 460
/* 11 matrix: feConvolveMatrix (lib/effect_matrix.h). A workgroup stages its tile with the halo that a piece of the
 * kernel reads. Every texel adds its taps row by row, as the reference does. */
#extension GL_GOOGLE_include_directive : require
#include "effect.glsl"
#include "lib/effect_matrix.h"

/* False: taps are read from memory, for bench. */
layout(constant_id = 0) const bool STAGES = true;

#define OUTPUTS 2u /* of an invocation */

shared effect_floats staged[EFFECT_MATRIX_STAGED];
shared float weights[EFFECT_PIECE_TAPS_MOST];

effect_convolution convolution;
effect_box region;
int tile_x, tile_y;

void read_convolution()
{
    convolution.columns = int_parameter(0u);
    convolution.rows = int_parameter(1u);
    convolution.left = int_parameter(2u);
    convolution.top = int_parameter(3u);
    convolution.scale = float_parameter(4u);
    convolution.bias = float_parameter(5u);
    convolution.edge = parameter(6u);
    convolution.preserves_alpha = parameter(7u);
    region = box_parameter(8u);
}

effect_texel tapped_texel(int x, int y)
{
    return input1_at(effect_edge_place(convolution.edge, x, region.left, region.right),
                     effect_edge_place(convolution.edge, y, region.top, region.bottom));
}

/* Returns the tap of a column and a row from where the tile's first texel has that of the kernel's. */
effect_floats tap_at(int column, int row)
{
    return effect_tap(convolution, tapped_texel(tile_x - convolution.left + column, tile_y - convolution.top + row));
}

/* A piece of the kernel. */
struct kernel_piece {
    uint column, row, columns, rows;
};

kernel_piece piece_at(uint index)
{
    uint piece_columns = parameter(13u);
    uint piece_rows = parameter(14u);
    uint across = (uint(convolution.columns) + piece_columns - 1u) / piece_columns;
    kernel_piece made;
    made.column = index % across * piece_columns;
    made.row = index / across * piece_rows;
    made.columns = min(piece_columns, uint(convolution.columns) - made.column);
    made.rows = min(piece_rows, uint(convolution.rows) - made.row);
    return made;
}

void stage(kernel_piece piece)
{
    uint width = EFFECT_MATRIX_COLUMNS + piece.columns - 1u;
    uint count = width * (EFFECT_MATRIX_ROWS + piece.rows - 1u);
    uint tap_count = piece.columns * piece.rows;
    uint kernel = parameter(12u) + piece.row * uint(convolution.columns) + piece.column;
    for (uint i = gl_LocalInvocationID.x, round = 0u; round < EFFECT_PIECE_TAPS_MOST / EFFECT_INVOCATIONS; round++) {
        if (i < tap_count) {
            weights[i] =
                uintBitsToFloat(words[kernel + i / piece.columns * uint(convolution.columns) + i % piece.columns]);
        }
        i += EFFECT_INVOCATIONS;
    }
    if (!STAGES) {
        return;
    }
    for (uint i = gl_LocalInvocationID.x, round = 0u; round < (count + EFFECT_INVOCATIONS - 1u) / EFFECT_INVOCATIONS;
         round++) {
        if (i < count) {
            staged[i] = tap_at(int(piece.column + i % width), int(piece.row + i / width));
        }
        i += EFFECT_INVOCATIONS;
    }
}

/* Adds a piece to the sums of texels one below the other, which share what is read. Each adds its taps row by row. */
void add_piece(inout effect_floats sums[OUTPUTS], kernel_piece piece, uint column, uint row)
{
    uint width = EFFECT_MATRIX_COLUMNS + piece.columns - 1u;
    for (uint y = 0u; y < piece.rows + OUTPUTS - 1u; y++) {
        for (uint x = 0u; x < piece.columns; x++) {
            effect_floats tap = STAGES ? staged[(row + y) * width + column + x]
                                       : tap_at(int(piece.column + column + x), int(piece.row + row + y));
            if (y < piece.rows) {
                sums[0] = effect_add_tap(sums[0], tap, weights[y * piece.columns + x]);
            }
            if (y > 0u) {
                sums[1] = effect_add_tap(sums[1], tap, weights[(y - 1u) * piece.columns + x]);
            }
        }
    }
}

/* Sums that wait for the next job lie in place of two texels each. */
uint sum_index(effect_view view, int x, int y)
{
    return view.first + uint(y - view.box.top) * view.stride + 2u * uint(x - view.box.left);
}

effect_floats sum_before(int x, int y)
{
    uvec2 low = input2_texels[sum_index(job.input2, x, y)];
    uvec2 high = input2_texels[sum_index(job.input2, x, y) + 1u];
    return effect_floats_of(uintBitsToFloat(low.x), uintBitsToFloat(low.y), uintBitsToFloat(high.x),
                            uintBitsToFloat(high.y));
}

void set_sum(int x, int y, effect_floats sum)
{
    result_texels[sum_index(job.result, x, y)] = uvec2(floatBitsToUint(sum.r), floatBitsToUint(sum.g));
    result_texels[sum_index(job.result, x, y) + 1u] = uvec2(floatBitsToUint(sum.b), floatBitsToUint(sum.a));
}

void main()
{
    uint across, down;
    if (!find_job(across, down)) {
        return;
    }
    read_convolution();
    uint column = gl_LocalInvocationID.x % EFFECT_MATRIX_COLUMNS;
    uint row = gl_LocalInvocationID.x / EFFECT_MATRIX_COLUMNS * OUTPUTS;
    tile_x = job.result.box.left + int(across * EFFECT_MATRIX_COLUMNS);
    tile_y = job.result.box.top + int(down * EFFECT_MATRIX_ROWS);
    int x = tile_x + int(column);
    int y = tile_y + int(row);
    uint first_piece = parameter(15u);
    uint end_piece = parameter(16u);
    effect_floats sums[OUTPUTS];
    for (uint i = 0u; i < OUTPUTS; i++) {
        sums[i] = effect_floats_of(0.0f, 0.0f, 0.0f, 0.0f);
        if (first_piece > 0u && view_holds(job.result, x, y + int(i))) {
            sums[i] = sum_before(x, y + int(i));
        }
    }
    for (uint i = first_piece; i < end_piece; i++) {
        kernel_piece piece = piece_at(i);
        barrier();
        stage(piece);
        barrier();
        add_piece(sums, piece, column, row);
    }
    for (uint i = 0u; i < OUTPUTS; i++) {
        int at_y = y + int(i);
        if (!view_holds(job.result, x, at_y)) {
            continue;
        }
        if (end_piece < parameter(17u)) {
            set_sum(x, at_y, sums[i]);
        } else {
            set_result(x, at_y, effect_convolved(convolution, sums[i], tapped_texel(x, at_y).a));
        }
    }
}
