/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* 08 offsets: where the path_tiles of each tile_path begin among those of all, so that 08 expand shares them out
 * evenly: one tile_path has a single path_tile, and the next one crosses the picture.
 *
 * Reads counters, tile_paths, visible; writes path_tile_offsets, expand_arguments.
 * Dispatch: one workgroup for each OFFSETS_PARTITION tile_paths.
 * Invariant: path_tile_offsets has one word more than there are tile_paths, the number of all path_tiles. Other stages
 * run beside this one and read counters and arguments, so it writes neither.
 * Source: Merrill and Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", 2016. */
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
layout(scalar, binding = 2) writeonly buffer arguments_buffer
{
    dispatch_arguments expand_arguments;
};
layout(scalar, binding = 3) buffer table_buffer
{
    uint look_back_words[];
};
layout(scalar, binding = 4) readonly buffer tile_paths_buffer
{
    tile_path tile_paths[];
};
layout(scalar, binding = 5) readonly buffer visible_buffer
{
    visible_element visible_elements[];
};
layout(scalar, binding = 6) writeonly buffer offsets_buffer
{
    uint path_tile_offsets[];
};

#define LOOK_BACK_WORD(i) look_back_words[i]
#define LOOK_BACK_COMPONENTS 1
#include "primitive/look_back.glsl"

#define OFFSETS_ITEMS (OFFSETS_PARTITION / STAGE_INVOCATIONS)

uint first_item(uint partition_index)
{
    return partition_index * OFFSETS_PARTITION + workgroup_invocation() * OFFSETS_ITEMS;
}

uint path_tiles_at(uint i)
{
    if (i >= counters.ready_tile_paths)
        return 0u;
    return path_tiles_of(tile_paths[i].x, tile_paths[i].span_end, visible_elements[tile_paths[i].visible].box.x0);
}

uvec4 load_items(uint partition_index)
{
    uint first = first_item(partition_index);
    return uvec4(path_tiles_at(first), path_tiles_at(first + 1u), path_tiles_at(first + 2u), path_tiles_at(first + 3u));
}

uint sum_items(uvec4 items)
{
    return items.x + items.y + items.z + items.w;
}

look_back_value look_back_recompute(uint partition_index)
{
    look_back_value value;
    workgroup_exclusive_scan(sum_items(load_items(partition_index)), value.part[0]);
    return value;
}

void write_offsets(uint partition_index, uvec4 items, uint offset)
{
    uint first = first_item(partition_index);
    for (uint k = 0u; k < OFFSETS_ITEMS; k++) {
        if (first + k < counters.ready_tile_paths)
            path_tile_offsets[first + k] = offset;
        offset += items[k];
    }
}

/* With too many path_tiles a single workgroup of 08 expand says so. */
void finish(uint count)
{
    path_tile_offsets[counters.ready_tile_paths] = count;
    expand_arguments = stage_arguments(count == LOOK_BACK_MAX ? 1u : count, expand_partition(count));
}

void main()
{
    uint partition_count = (counters.ready_tile_paths + OFFSETS_PARTITION - 1u) / OFFSETS_PARTITION;
    uint partition_index = look_back_ticket(partition_count);
    if (partition_index == LOOK_BACK_NO_PARTITION)
        return;
    uvec4 items = load_items(partition_index);
    look_back_value aggregate;
    uint before = workgroup_exclusive_scan(sum_items(items), aggregate.part[0]);
    look_back_value before_partition = look_back(partition_index, aggregate);
    write_offsets(partition_index, items, before_partition.part[0] + before);
    if (partition_index == partition_count - 1u && gl_LocalInvocationIndex == 0u)
        finish(look_back_combine(before_partition, aggregate).part[0]);
}
