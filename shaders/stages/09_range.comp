/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* 09 range: where a tile's commands start, how many they are, how many layers they may have open, how much work they
 * make, and whether they are complex.
 *
 * Reads sorted tile_commands, tile_paths, visible, counters; writes tiles.
 * Dispatch: one workgroup for each RANGE_PARTITION tile_commands. A subgroup adds up its tile_commands of a tile before
 * it touches the tile.
 * Invariant: sums and maxima of integers do not depend on the order. Tiles are zero before. */
#version 450
#extension GL_GOOGLE_include_directive : require
#define CONFIG_BINDING 0
#include "stages/stage.glsl"
#include "lib/tile.h"
#include "primitive/workgroup_scan.glsl"

layout(scalar, binding = 1) readonly buffer counters_buffer
{
    frame_counters counters;
};
layout(scalar, binding = 2) readonly buffer sort_buffer
{
    uint sorted_half;
};
layout(scalar, binding = 3) readonly buffer keys_buffer
{
    uint tile_command_keys[];
};
layout(scalar, binding = 4) readonly buffer values_buffer
{
    uint tile_command_values[];
};
layout(scalar, binding = 5) readonly buffer tile_paths_buffer
{
    tile_path tile_paths[];
};
layout(scalar, binding = 6) readonly buffer visible_buffer
{
    visible_element visible_elements[];
};
layout(scalar, binding = 7) buffer tiles_buffer
{
    tile tiles[];
};

struct tile_sum {
    uint depth, work, complex;
};

uint key_at(uint i)
{
    return tile_command_keys[sorted_half * config.tile_command_capacity + i];
}

tile_sum sum_of_command(uint command)
{
    tile_sum sum = tile_sum(0u, COMMAND_WORK, 0u);
    uint visible = command & ~TILE_COMMAND_SOLID;
    if ((command & TILE_COMMAND_SOLID) == 0u) {
        tile_path r = tile_paths[command];
        visible = r.visible;
        sum.work += r.mask == NONE ? tile_line_work(r.tile_line_count) : 0u;
    }
    sum.depth = visible_elements[visible].depth;
    uint kind = visible_elements[visible].kind;
    sum.work += paint_work(kind, visible_elements[visible].paint);
    sum.complex = kind & ELEMENT_COMPLEX;
    return sum;
}

/* Returns the sum from lane `first` up to this lane. */
tile_sum sum_from(uint first, tile_sum sum)
{
    for (uint stride = 1u; stride < gl_SubgroupSize; stride <<= 1) {
        uint depth = subgroupShuffleUp(sum.depth, stride);
        uint work = subgroupShuffleUp(sum.work, stride);
        uint complex = subgroupShuffleUp(sum.complex, stride);
        if (gl_SubgroupInvocationID >= first + stride) {
            sum.depth = max(sum.depth, depth);
            sum.work += work;
            sum.complex |= complex;
        }
    }
    return sum;
}

void add_to_tile(uint key, uint command_count, tile_sum sum)
{
    atomicAdd(tiles[key].command_count, command_count);
    atomicAdd(tiles[key].work, sum.work);
    if (sum.depth != 0u)
        atomicMax(tiles[key].depth, sum.depth);
    if (sum.complex != 0u)
        atomicOr(tiles[key].complex, 1u);
}

void main()
{
    uint i = stage_workgroup() * RANGE_PARTITION + workgroup_invocation();
    uint lane = gl_SubgroupInvocationID;
    bool is_there = i < counters.ready_tile_commands;
    uint key = is_there ? key_at(i) : NONE;
    bool is_head = is_there && (i == 0u || key_at(i - 1u) != key);
    bool is_tail =
        is_there && (lane == gl_SubgroupSize - 1u || i + 1u == counters.ready_tile_commands || key_at(i + 1u) != key);
    uint first = subgroupInclusiveMax(is_head ? lane : 0u);
    tile_sum sum = tile_sum(0u, 0u, 0u);
    if (is_there)
        sum = sum_of_command(tile_command_values[sorted_half * config.tile_command_capacity + i]);
    sum = sum_from(first, sum);
    if (is_head)
        tiles[key].first_command = i;
    if (is_tail)
        add_to_tile(key, lane - first + 1u, sum);
}
