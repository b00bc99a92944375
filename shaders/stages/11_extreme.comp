/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#version 460
/* 11 extreme: the extremes of windows along one axis. A workgroup doubles windows in shared memory, up to 64 texels;
 * wider ones are doubled from pass to pass. So a window of any length takes the logarithm of it. */
#extension GL_GOOGLE_include_directive : require
#include "effect.glsl"
#include "lib/effect_extreme.h"

#define LINE_STRIDE (EFFECT_LINES + 1u)
#define LANES (EFFECT_INVOCATIONS / EFFECT_LINES)
#define ROUNDS (EFFECT_STAGED / LANES)
#define ROW_STEP (EFFECT_INVOCATIONS / EFFECT_TILE_COLUMNS)
#define ROWS (EFFECT_TILE_ROWS / ROW_STEP)

shared uvec2 staged[EFFECT_STAGED * LINE_STRIDE];

uvec2 extreme_of(uint dilates, uvec2 a, uvec2 b)
{
    return packed(effect_extreme_texel(dilates, unpacked(a), unpacked(b)));
}

/* Doubles windows of the staged texels until the next one would be too long. Returns their length. */
uint double_windows(uint dilates, uint length_wanted, uint place, uint line)
{
    uint have = 1u;
    for (; 2u * have <= length_wanted; have *= 2u) {
        uvec2 held[ROUNDS];
        for (uint i = 0u; i < ROUNDS; i++) {
            uint at = place + i * LANES;
            held[i] = extreme_of(dilates, staged[at * LINE_STRIDE + line],
                                 staged[min(at + have, EFFECT_STAGED - 1u) * LINE_STRIDE + line]);
        }
        barrier();
        for (uint i = 0u; i < ROUNDS; i++) {
            staged[(place + i * LANES) * LINE_STRIDE + line] = held[i];
        }
        barrier();
    }
    return have;
}

void run_window(uint across, uint down)
{
    bool vertical = parameter(0u) != 0u;
    uint dilates = parameter(1u);
    uint window = parameter(3u);
    effect_box box = job.result.box;
    uint line = vertical ? gl_LocalInvocationID.x % EFFECT_LINES : gl_LocalInvocationID.x / LANES;
    uint place = vertical ? gl_LocalInvocationID.x / EFFECT_LINES : gl_LocalInvocationID.x % LANES;
    int first_x = box.left + int(vertical ? across * EFFECT_LINES + line : across * EFFECT_WINDOW_OUTPUTS + place);
    int first_y = box.top + int(vertical ? down * EFFECT_WINDOW_OUTPUTS + place : down * EFFECT_LINES + line);
    int from_x = first_x + (vertical ? 0 : int_parameter(2u));
    int from_y = first_y + (vertical ? int_parameter(2u) : 0);
    int step_x = vertical ? 0 : int(LANES);
    int step_y = vertical ? int(LANES) : 0;
    for (uint i = 0u; i < ROUNDS; i++) {
        staged[(place + i * LANES) * LINE_STRIDE + line] =
            input1_packed(from_x + int(i) * step_x, from_y + int(i) * step_y);
    }
    barrier();
    uint have = double_windows(dilates, window, place, line);
    for (uint i = 0u; i < EFFECT_WINDOW_OUTPUTS / LANES; i++) {
        int x = first_x + int(i) * step_x;
        int y = first_y + int(i) * step_y;
        uint at = place + i * LANES;
        if (view_holds(job.result, x, y)) {
            set_result_packed(x, y,
                              extreme_of(dilates, staged[at * LINE_STRIDE + line],
                                         staged[(at + window - have) * LINE_STRIDE + line]));
        }
    }
}

void run_pair(uint across, uint down)
{
    bool vertical = parameter(0u) != 0u;
    int first_offset = int_parameter(2u);
    int second_offset = int_parameter(3u);
    int x = job.result.box.left + int(across * EFFECT_TILE_COLUMNS + gl_LocalInvocationID.x % EFFECT_TILE_COLUMNS);
    int y = job.result.box.top + int(down * EFFECT_TILE_ROWS + gl_LocalInvocationID.x / EFFECT_TILE_COLUMNS);
    uvec2 made[ROWS];
    for (uint i = 0u; i < ROWS; i++) {
        int at_y = y + int(i * ROW_STEP);
        uvec2 one = input1_packed(vertical ? x : x + first_offset, vertical ? at_y + first_offset : at_y);
        uvec2 other = input1_packed(vertical ? x : x + second_offset, vertical ? at_y + second_offset : at_y);
        made[i] = extreme_of(parameter(1u), one, other);
    }
    for (uint i = 0u; i < ROWS; i++) {
        if (view_holds(job.result, x, y + int(i * ROW_STEP))) {
            set_result_packed(x, y + int(i * ROW_STEP), made[i]);
        }
    }
}

void main()
{
    uint across, down;
    if (!find_job(across, down)) {
        return;
    }
    if (OPERATION == EFFECT_JOB_WINDOW) {
        run_window(across, down);
    } else {
        run_pair(across, down);
    }
}
