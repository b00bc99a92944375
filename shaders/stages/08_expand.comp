/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* 08 expand: a tile_command for every element in every tile where it shows, in paint order.
 *
 * Reads tile_paths, visible, tile_occluders; writes tile_command_keys, tile_command_values, counters, arguments.
 * Dispatch: one workgroup for each EXPAND_PARTITION tile_paths. Its subgroups take equal, contiguous shares of their
 * tiles.
 * Invariant: a span becomes a tile_command only in tiles where nothing hides it. Tile_commands stand in the order of
 * tile_paths, and of tiles from left to right.
 * Source: Merrill and Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", 2016. */
#version 450
#extension GL_GOOGLE_include_directive : require
#define CONFIG_BINDING 0
#include "stages/stage.glsl"
#include "stages/owner.glsl"
#include "primitive/workgroup_scan.glsl"

layout(scalar, binding = 1) buffer counters_buffer
{
    frame_counters counters;
};
layout(scalar, binding = 2) writeonly buffer arguments_buffer
{
    dispatch_arguments arguments[];
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
layout(scalar, binding = 6) readonly buffer occluders_buffer
{
    uint tile_occluders[];
};
layout(scalar, binding = 7) writeonly buffer keys_buffer
{
    uint tile_command_keys[];
};
layout(scalar, binding = 8) writeonly buffer values_buffer
{
    uint tile_command_values[];
};

#define LOOK_BACK_WORD(i) look_back_words[i]
#define LOOK_BACK_COMPONENTS 1
#include "primitive/look_back.glsl"

/* The tiles of a tile_path: first its boundary, unless it lies left of the box, and then its span. */
shared uint tile_path_tiles[EXPAND_PARTITION]; /* the first tile */
shared uint tile_path_visible[EXPAND_PARTITION];
shared uint tile_path_boundaries[EXPAND_PARTITION];

uint loaded_partition = LOOK_BACK_NO_PARTITION;

/* Loads tile_paths and returns the number of tiles in all of them, including occluded tiles. */
uint load_tile_paths(uint partition_index)
{
    uint item = workgroup_invocation();
    uint index = partition_index * EXPAND_PARTITION + item;
    uint size = 0u;
    barrier();
    if (index < counters.ready_tile_paths) {
        tile_path r = tile_paths[index];
        uint boundary = r.x >= visible_elements[r.visible].box.x0 ? 1u : 0u;
        int first = r.x + 1 - int(boundary);
        size = boundary + uint(max(r.span_end - r.x - 1, 0));
        tile_path_tiles[item] = uint(r.y - config.part.y0) * config.tile_pitch + uint(first - config.part.x0);
        tile_path_visible[item] = r.visible;
        tile_path_boundaries[item] = boundary;
    }
    uint total;
    owner_starts[item] = workgroup_exclusive_scan(size, total);
    owner_starts[OWNER_ITEMS] = total;
    barrier();
    loaded_partition = partition_index;
    return total;
}

/* Returns how many rounds a subgroup's share of the pieces takes, with one piece for each invocation in a round. */
uint share_rounds(uint total)
{
    return (total + STAGE_INVOCATIONS - 1u) / STAGE_INVOCATIONS;
}

uint share_piece(uint rounds, uint r)
{
    return (gl_SubgroupID * rounds + r) * gl_SubgroupSize + gl_SubgroupInvocationID;
}

bool piece_shows(uint piece, uint total, out uint key, out uint item)
{
    key = 0u;
    item = 0u;
    if (piece >= total)
        return false;
    item = owner_of(piece);
    key = tile_path_tiles[item] + piece - owner_starts[item];
    return tile_path_visible[item] + 1u >= tile_occluders[key];
}

/* Counts the tile_commands of the partition. Returns those of the subgroups before this one. */
uint count_tile_commands(uint total, out uint tile_command_count)
{
    uint rounds = share_rounds(total);
    uint count = 0u;
    for (uint r = 0u; r < rounds; r++) {
        uint key, item;
        bool shows = piece_shows(share_piece(rounds, r), total, key, item);
        count += subgroupBallotBitCount(subgroupBallot(shows));
    }
    uint before = workgroup_exclusive_scan(gl_SubgroupInvocationID == 0u ? count : 0u, tile_command_count);
    return subgroupBroadcastFirst(before);
}

look_back_value look_back_recompute(uint partition_index)
{
    look_back_value value;
    count_tile_commands(load_tile_paths(partition_index), value.part[0]);
    return value;
}

void write_tile_command(uint partition_index, uint at, uint piece, uint key, uint item)
{
    if (at >= config.tile_command_capacity)
        return;
    bool is_boundary = piece == owner_starts[item] && tile_path_boundaries[item] != 0u;
    tile_command_keys[at] = key;
    tile_command_values[at] =
        is_boundary ? partition_index * EXPAND_PARTITION + item : TILE_COMMAND_SOLID | tile_path_visible[item];
}

void write_tile_commands(uint partition_index, uint total, uint at)
{
    uint rounds = share_rounds(total);
    for (uint r = 0u; r < rounds; r++) {
        uint key, item;
        uint piece = share_piece(rounds, r);
        bool shows = piece_shows(piece, total, key, item);
        uvec4 shown = subgroupBallot(shows);
        if (shows)
            write_tile_command(partition_index, at + subgroupBallotExclusiveBitCount(shown), piece, key, item);
        at += subgroupBallotBitCount(shown);
    }
}

void finish(uint tile_command_count)
{
    uint overflow = (tile_command_count > config.tile_command_capacity ? OVERFLOW_TILE_COMMANDS : 0u) |
                    (tile_command_count == LOOK_BACK_MAX ? OVERFLOW_COUNT : 0u);
    uint ready = overflow == 0u ? tile_command_count : 0u;
    counters.tile_command_count = tile_command_count;
    counters.overflow |= overflow;
    counters.tile_command_key_bits = uint(findMSB(max(config.tile_count - 1u, 1u))) + 1u;
    counters.ready_tile_commands = ready;
    arguments[ARGUMENT_RANGE] = stage_arguments(ready, RANGE_PARTITION);
}

void main()
{
    uint partition_count = (counters.ready_tile_paths + EXPAND_PARTITION - 1u) / EXPAND_PARTITION;
    uint partition_index = look_back_ticket(partition_count);
    if (partition_index == LOOK_BACK_NO_PARTITION)
        return;
    uint total = load_tile_paths(partition_index);
    look_back_value aggregate;
    uint before = count_tile_commands(total, aggregate.part[0]);
    look_back_value before_partition = look_back(partition_index, aggregate);
    if (loaded_partition != partition_index)
        load_tile_paths(partition_index);
    write_tile_commands(partition_index, total, min(before_partition.part[0] + before, LOOK_BACK_MAX));
    if (partition_index == partition_count - 1u && gl_LocalInvocationIndex == 0u)
        finish(look_back_combine(before_partition, aggregate).part[0]);
}
