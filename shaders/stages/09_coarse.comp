/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* 09 coarse: each tile's class, and where its layers are saved.
 *
 * Reads tiles (as 09_range left them), sorted tile_commands, visible; writes tiles.spill, tile_lists, counters, and the
 * arguments of 10. Each invocation takes one tile. The tiles are split by class, in their order, by look-back over the
 * numbers of each class and of saved layers. */
#version 450
#extension GL_GOOGLE_include_directive : require
#define CONFIG_BINDING 0
#include "stages/stage.glsl"
#include "stages/drawn_boxes.glsl"
#include "lib/element.h"
#include "lib/tile.h"

layout(scalar, set = 0, binding = 1) buffer counters_buffer
{
    frame_counters counters;
};
layout(scalar, set = 0, binding = 2) buffer arguments_buffer
{
    dispatch_arguments arguments[];
};
layout(scalar, set = 0, binding = 3) buffer table_buffer
{
    uint table[];
};
layout(scalar, set = 0, binding = 4) readonly buffer sort_buffer
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
layout(scalar, set = 0, binding = 7) buffer tiles_buffer
{
    tile tiles[];
};
layout(scalar, set = 0, binding = 8) writeonly buffer lists_buffer
{
    uint tile_lists[];
};

#define LOOK_BACK_WORD(i) table[i]
#define LOOK_BACK_COMPONENTS 4
#include "primitive/look_back.glsl"
#define WORKGROUP_SCAN_TYPE uvec4
#include "primitive/workgroup_scan.glsl"

uint tile_class(uint index, tile t)
{
    if (t.command_count == 0u)
        return TILE_CLASS_SOLID;
    if (t.complex != 0u)
        return TILE_CLASS_COMPLEX;
    if (t.depth != 0u)
        return TILE_CLASS_LAYERS;
    uint first = tile_commands[tile_command_half * config.tile_command_capacity + t.first_command];
    if (t.command_count == 1u && (first & TILE_COMMAND_SOLID) != 0u) {
        visible_element v = visible[first & ~TILE_COMMAND_SOLID];
        tile_place at = place_of(index);
        if ((v.kind & ELEMENT_OPAQUE) != 0u && v.paint == NONE && box_covers_tile(v.clip, at.x, at.y))
            return TILE_CLASS_SOLID;
    }
    return TILE_CLASS_PLAIN;
}

/* Returns one in the component of the tile's class, and the layers that the tile saves. Tiles of one colour are counted
 * in no component: they are the rest. */
uvec4 tile_counts(uint index, out uint which)
{
    which = TILE_CLASS_SOLID;
    if (index >= config.tile_count)
        return uvec4(0u);
    tile t = tiles[index];
    which = tile_class(index, t);
    return uvec4(which == TILE_CLASS_PLAIN ? 1u : 0u, which == TILE_CLASS_LAYERS ? 1u : 0u,
                 which == TILE_CLASS_COMPLEX ? 1u : 0u,
                 min(tile_spill(t.depth, t.work, config.fine_work), LOOK_BACK_MAX));
}

/* Returns the counts for the look-back table. The sums of a workgroup's 256 tiles do not overflow, unless a tile saves
 * more than 2^24 layers. */
look_back_value value_of(uvec4 counts)
{
    look_back_value value;
    for (int i = 0; i < 4; i++)
        value.part[i] = min(counts[i], LOOK_BACK_MAX);
    return value;
}

look_back_value look_back_recompute(uint group)
{
    uint which;
    uvec4 total;
    workgroup_exclusive_scan(tile_counts(group * COARSE_PARTITION + workgroup_invocation(), which), total);
    return value_of(total);
}

void finish(uvec4 totals)
{
    counters.class_count[TILE_CLASS_PLAIN] = totals.x;
    counters.class_count[TILE_CLASS_LAYERS] = totals.y;
    counters.class_count[TILE_CLASS_COMPLEX] = totals.z;
    uint solid = config.tile_count - totals.x - totals.y - totals.z;
    counters.class_count[TILE_CLASS_SOLID] = solid;
    counters.spill_count = totals.w;
    if (totals.w > config.spill_capacity)
        atomicOr(counters.overflow, OVERFLOW_SPILL);
    bool draws = counters.overflow == 0u && totals.w <= config.spill_capacity;
    arguments[ARGUMENT_FINE_PLAIN] = stage_arguments(draws ? totals.x : 0u, 1u);
    arguments[ARGUMENT_FINE_LAYERS] = stage_arguments(draws ? totals.y : 0u, 1u);
    arguments[ARGUMENT_FINE_COMPLEX] = stage_arguments(draws ? totals.z : 0u, 1u);
    arguments[ARGUMENT_FINE_SOLID] = stage_arguments(draws ? solid : 0u, 1u);
}

void main()
{
    uint groups = (config.tile_count + COARSE_PARTITION - 1u) / COARSE_PARTITION;
    uint group = look_back_ticket(groups);
    if (group == LOOK_BACK_NO_PARTITION)
        return;
    uint index = group * COARSE_PARTITION + workgroup_invocation();
    uint which;
    uvec4 counts = tile_counts(index, which);
    uvec4 total;
    uvec4 before = workgroup_exclusive_scan(counts, total);
    look_back_value prefix = look_back(group, value_of(total));
    for (int i = 0; i < 4; i++)
        before[i] += prefix.part[i];
    uint work = index < config.tile_count ? tiles[index].work : 0u;
    uint busiest = subgroupMax(work);
    if (subgroupElect() && busiest != 0u)
        atomicMax(counters.fine_work, busiest);
    if (index < config.tile_count) {
        tiles[index].spill = before.w;
        uint rank = which == TILE_CLASS_SOLID ? index - before.x - before.y - before.z : before[which];
        tile_lists[which * config.tile_count + rank] = index;
    }
    if (group == groups - 1u && gl_LocalInvocationIndex == 0u) {
        uvec4 totals;
        for (int i = 0; i < 4; i++)
            totals[i] = min(prefix.part[i] + total[i], LOOK_BACK_MAX);
        finish(totals);
    }
}
