/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#version 460
/* 11 band: banded matrices times an image. A workgroup stages what it reads of 16 lines, and four outputs side by side
 * share what one invocation reads of that. */
#extension GL_GOOGLE_include_directive : require
#include "effect.glsl"
#include "effect_pixels.glsl"
#include "lib/effect_band.h"
#include "lib/effect_matrix.h"

/* False: taps are read from memory, for bench. */
layout(constant_id = 0) const bool STAGES = true;

#define LINE_STRIDE (EFFECT_LINES + 1u) /* no two lines of a warp meet in a bank */
#define LANES (EFFECT_INVOCATIONS / EFFECT_LINES)
#define SIDE_BY_SIDE 4u
#define PADDING (SIDE_BY_SIDE - 1u)
#define WEIGHTS 14u /* behind an effect_band_job */

shared uvec2 staged[EFFECT_STAGED * LINE_STRIDE];
shared int weights[EFFECT_BAND_TAPS_MOST + 2u * PADDING]; /* zeros on both sides */

uint pixel_mask;

/* What the first input has at an index. */
uvec2 read_index(uint index)
{
    return effect_band_job_reads_pixels(OPERATION) ? packed(effect_texel_of_color(pixels[index] & pixel_mask))
                                                   : input1_texels[index];
}

void set_index(uint index, uvec2 texel)
{
    if (effect_band_job_writes_pixels(OPERATION)) {
        colors[index] = effect_color_of_words(texel.x, texel.y);
    } else {
        result_texels[index] = texel;
    }
}

void set_texel(int x, int y, uvec2 texel)
{
    if (view_holds(job.result, x, y)) {
        set_index(view_index(job.result, x, y), texel);
    }
}

effect_band band;
effect_box edge_box;
uint edge, outputs;
int first_output, first_line; /* along the axis and across it */
int first_read;

effect_band band_parameter(uint index)
{
    effect_band made;
    made.vertical = parameter(index);
    made.multiply = int_parameter(index + 1u);
    made.add = int_parameter(index + 2u);
    made.shift = parameter(index + 3u);
    made.taps = parameter(index + 4u);
    made.phase_mask = parameter(index + 5u);
    made.first = parameter(index + 6u);
    return made;
}

void read_band()
{
    band = band_parameter(0u);
    outputs = parameter(7u);
    pixel_mask = parameter(8u);
    edge = parameter(9u);
    edge_box = box_parameter(10u);
}

/* Places along the axis and across it. */
uvec2 read_at(int along, int across)
{
    int x = band.vertical != 0u ? across : along;
    int y = band.vertical != 0u ? along : across;
    x = effect_edge_place(edge, x, edge_box.left, edge_box.right);
    y = effect_edge_place(edge, y, edge_box.top, edge_box.bottom);
    return view_holds(job.input1, x, y) ? read_index(view_index(job.input1, x, y)) : uvec2(0u);
}

/* Neighbours in memory are read, and written, by neighbouring invocations: those of a row by one line's, those of a
 * column by all lines'. */
uint lane_line()
{
    return band.vertical != 0u ? gl_LocalInvocationID.x % EFFECT_LINES : gl_LocalInvocationID.x / LANES;
}

uint lane_place()
{
    return band.vertical != 0u ? gl_LocalInvocationID.x / EFFECT_LINES : gl_LocalInvocationID.x % LANES;
}

void stage()
{
    uint weight_count = band.taps * (band.phase_mask + 1u);
    if (gl_LocalInvocationID.x < EFFECT_BAND_TAPS_MOST + 2u * PADDING) {
        uint i = gl_LocalInvocationID.x - PADDING;
        weights[gl_LocalInvocationID.x] = i < weight_count ? int_parameter(WEIGHTS + band.first + i) : 0;
    }
    uint count = uint(effect_band_start(band, first_output + int(outputs) - 1) - first_read) + band.taps;
    uint line = lane_line();
    if (STAGES) {
        for (uint i = 0u; i < EFFECT_STAGED / LANES; i++) {
            uint place = lane_place() + i * LANES;
            if (place < count) {
                staged[place * LINE_STRIDE + line] = read_at(first_read + int(place), first_line + int(line));
            }
        }
    }
    barrier();
}

uvec2 tap(uint place, uint line)
{
    return STAGES ? staged[place * LINE_STRIDE + line] : read_at(first_read + int(place), first_line + int(line));
}

void add_tap(inout ivec4 sum, int weight, uvec2 texel)
{
    sum += weight * ivec4(texel.x & 0xffffu, texel.x >> 16, texel.y & 0xffffu, texel.y >> 16);
}

uvec2 summed(ivec4 sum)
{
    return packed(effect_texel_of(effect_band_channel(sum.r), effect_band_channel(sum.g), effect_band_channel(sum.b),
                                  effect_band_channel(sum.a)));
}

#include "effect_pyramid.glsl"

/* Four outputs of which each reads one texel further than the one before. */
void sum_together(uint place, uint line, out uvec2 made[SIDE_BY_SIDE])
{
    ivec4 sums[SIDE_BY_SIDE] = ivec4[](ivec4(0), ivec4(0), ivec4(0), ivec4(0));
    ivec4 last_weights = ivec4(0); /* of the four outputs */
    for (uint t = 0u; t < band.taps + PADDING; t++) {
        uvec2 texel = tap(place + t, line);
        last_weights = ivec4(weights[PADDING + t], last_weights.xyz);
        for (uint i = 0u; i < SIDE_BY_SIDE; i++) {
            add_tap(sums[i], last_weights[i], texel);
        }
    }
    for (uint i = 0u; i < SIDE_BY_SIDE; i++) {
        made[i] = summed(sums[i]);
    }
}

uvec2 sum_alone(int output_place, uint line)
{
    uint place = uint(effect_band_start(band, output_place) - first_read);
    uint weight = PADDING + effect_band_weights(band, output_place) - band.first;
    ivec4 sum = ivec4(0);
    for (uint t = 0u; t < band.taps; t++) {
        add_tap(sum, weights[weight + t], tap(place + t, line));
    }
    return summed(sum);
}

void set_output(uint place, uint line, uvec2 texel)
{
    int along = first_output + int(place);
    int across = first_line + int(line);
    int x = band.vertical != 0u ? across : along;
    int y = band.vertical != 0u ? along : across;
    set_texel(x, y, texel);
}

void main()
{
    uint across, down;
    if (!find_job(across, down)) {
        return;
    }
    bool halves_level = OPERATION == EFFECT_JOB_HALVE || OPERATION == EFFECT_JOB_HALVE_PIXELS;
    if (halves_level || OPERATION == EFFECT_JOB_DOUBLE || OPERATION == EFFECT_JOB_DOUBLE_STORED) {
        make_level(across, down, halves_level);
        return;
    }
    read_band();
    effect_box box = job.result.box;
    first_output = band.vertical != 0u ? box.top + int(down * outputs) : box.left + int(across * outputs);
    first_line = band.vertical != 0u ? box.left + int(across * EFFECT_LINES) : box.top + int(down * EFFECT_LINES);
    first_read = effect_band_start(band, first_output);
    stage();

    /* Here a line's outputs go to invocations that are EFFECT_LINES apart. */
    uint line = gl_LocalInvocationID.x % EFFECT_LINES;
    uint share = gl_LocalInvocationID.x / EFFECT_LINES;
    uvec2 made[2][SIDE_BY_SIDE];
    uint halves = outputs / (LANES * SIDE_BY_SIDE);
    for (uint half_index = 0u; half_index < 2u; half_index++) {
        if (half_index >= halves) {
            break;
        }
        uint place = (half_index * LANES + share) * SIDE_BY_SIDE;
        if (band.multiply == 1 && band.shift == 0u && band.phase_mask == 0u) {
            sum_together(place, line, made[half_index]);
        } else {
            for (uint i = 0u; i < SIDE_BY_SIDE; i++) {
                made[half_index][i] = sum_alone(first_output + int(place + i), line);
            }
        }
    }
    barrier();
    for (uint half_index = 0u; half_index < 2u; half_index++) {
        if (half_index >= halves) {
            break;
        }
        for (uint i = 0u; i < SIDE_BY_SIDE; i++) {
            staged[((half_index * LANES + share) * SIDE_BY_SIDE + i) * LINE_STRIDE + line] = made[half_index][i];
        }
    }
    barrier();
    line = lane_line();
    for (uint place = lane_place(), round = 0u; round < outputs / LANES; round++, place += LANES) {
        set_output(place, line, staged[place * LINE_STRIDE + line]);
    }
}
