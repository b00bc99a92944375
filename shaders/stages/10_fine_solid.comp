/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* 10 fine: tiles of one colour, which are those that a single opaque colour fills, and the empty ones.
 *
 * Reads tiles, tile_lists, sorted tile_commands, visible; writes target. One workgroup draws one tile of the list. */
#version 450
#extension GL_GOOGLE_include_directive : require
#define CONFIG_BINDING 0
#define STAGE_LOCAL_SIZE 64
#include "stages/stage.glsl"
#include "stages/drawn_boxes.glsl"
#include "lib/paint.h"

layout(scalar, set = 0, binding = 1) readonly buffer counters_buffer
{
    frame_counters counters;
};
layout(scalar, set = 0, binding = 2) readonly buffer tiles_buffer
{
    tile tiles[];
};
layout(scalar, set = 0, binding = 3) readonly buffer lists_buffer
{
    uint tile_lists[];
};
layout(scalar, set = 0, binding = 4) readonly buffer tile_command_sort_buffer
{
    uint tile_command_half;
};
layout(scalar, set = 0, binding = 5) readonly buffer tile_commands_buffer
{
    uint tile_commands[];
};
layout(scalar, set = 0, binding = 6) readonly buffer visible_buffer
{
    visible_element visible[];
};
layout(scalar, set = 0, binding = 7) writeonly buffer target_buffer
{
    uvec4 target[];
};

void main()
{
    uint rank = stage_workgroup();
    if (rank >= counters.class_count[TILE_CLASS_SOLID])
        return;
    uint index = tile_lists[TILE_CLASS_SOLID * config.tile_count + rank];
    uint color = config.background;
    if (tiles[index].command_count != 0u) {
        uint command = tile_commands[tile_command_half * config.tile_command_capacity + tiles[index].first_command];
        color = visible[command & ~TILE_COMMAND_SOLID].color;
    }
    if (config.straight != 0u)
        color = color_straight(color);
    tile_place at = place_of(index);
    uint row = uint(at.y - config.part.y0) * uint(TILE_SIDE) + (gl_LocalInvocationIndex >> 2);
    uint column = uint(at.x) * uint(TILE_SIDE) + (gl_LocalInvocationIndex & 3u) * 4u;
    target[(row * config.target_pitch + column) / 4u] = uvec4(color);
}
