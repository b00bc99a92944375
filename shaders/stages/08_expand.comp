/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* 08 expand: a tile_command for every element in every tile where it shows, in paint order.
 *
 * Reads tile_paths, path_tile_offsets, visible, tile_occluders; writes tile_command_keys, tile_command_values,
 * counters, arguments.
 * Dispatch: one workgroup for each expand_partition path_tiles. It takes them in rounds, and each invocation takes
 * EXPAND_ITEMS in a row.
 * Invariant: a path_tile becomes a tile_command only where nothing hides it. Tile_commands stand in the order of
 * tile_paths, and of tiles from left to right.
 * Source: Merrill and Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", 2016. */
#version 450
#extension GL_GOOGLE_include_directive : require
#define CONFIG_BINDING 0
#extension GL_EXT_control_flow_attributes : require
#include "stages/stage.glsl"
#include "stages/drawn_boxes.glsl"
#include "lib/tile.h"
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
layout(scalar, binding = 5) readonly buffer offsets_buffer
{
    uint path_tile_offsets[];
};
layout(scalar, binding = 6) readonly buffer visible_buffer
{
    visible_element visible_elements[];
};
layout(scalar, binding = 7) readonly buffer occluders_buffer
{
    uint tile_occluders[];
};
layout(scalar, binding = 8) writeonly buffer keys_buffer
{
    uint tile_command_keys[];
};
layout(scalar, binding = 9) writeonly buffer values_buffer
{
    uint tile_command_values[];
};

#define LOOK_BACK_WORD(i) look_back_words[i]
#define LOOK_BACK_COMPONENTS 1
#include "primitive/look_back.glsl"

#define EXPAND_ITEMS (EXPAND_ROUND / STAGE_INVOCATIONS)

/* The path_tiles of one tile_path. */
struct path_tiles {
    uint path;
    uint begin, end; /* numbers of path_tiles */
    uint first_key;
    uint visible;
    bool has_own; /* the first is the tile of the tile_path itself */
};

/* What one invocation takes in a round. */
struct expanded {
    uint keys[EXPAND_ITEMS], values[EXPAND_ITEMS];
    uint shown; /* a bit for each that shows */
};

uint all_path_tiles()
{
    return path_tile_offsets[counters.ready_tile_paths];
}

/* Returns the last tile_path that begins at or before a path_tile. */
uint path_of(uint path_tile)
{
    uint count = counters.ready_tile_paths, path = 0u;
    for (int bit = findMSB(count); bit >= 0; bit--) {
        uint middle = path + (1u << bit);
        if (middle < count && path_tile_offsets[middle] <= path_tile)
            path = middle;
    }
    return path;
}

path_tiles load_path(uint path)
{
    tile_path r = tile_paths[path];
    path_tiles made;
    made.path = path;
    made.begin = path_tile_offsets[path];
    made.end = path_tile_offsets[path + 1u];
    made.visible = r.visible;
    made.has_own = path_has_own_tile(r.x, visible_elements[r.visible].box.x0);
    int first = made.has_own ? r.x : r.x + 1;
    made.first_key = number_of(first, r.y);
    return made;
}

/* Returns the tile_path of a path_tile behind those of another one: mostly the next, but many may have none. */
path_tiles next_path(path_tiles before, uint path_tile)
{
    path_tiles next = load_path(before.path + 1u);
    if (path_tile >= next.end)
        next = load_path(path_of(path_tile));
    return next;
}

expanded expand_items(uint first)
{
    expanded made;
    path_tiles path;
    made.shown = 0u;
    path.end = 0u;
    if (first < all_path_tiles())
        path = load_path(path_of(first));
    [[unroll]] for (uint k = 0u; k < EXPAND_ITEMS; k++) {
        uint path_tile = first + k;
        if (path_tile < all_path_tiles()) {
            if (path_tile >= path.end)
                path = next_path(path, path_tile);
            made.keys[k] = path.first_key + path_tile - path.begin;
            made.values[k] = path.has_own && path_tile == path.begin ? path.path : TILE_COMMAND_SOLID | path.visible;
            made.shown |= path.visible + 1u >= tile_occluders[made.keys[k]] ? 1u << k : 0u;
        }
    }
    return made;
}

uint round_count()
{
    return expand_partition(all_path_tiles()) / EXPAND_ROUND;
}

expanded expand_round(uint partition_index, uint r)
{
    uint begin = (partition_index * round_count() + r) * EXPAND_ROUND;
    return expand_items(begin + workgroup_invocation() * EXPAND_ITEMS);
}

/* Counts the tile_commands of the rounds from `first` on, those of this invocation. */
uint count_rounds(uint partition_index, uint first)
{
    uint count = 0u;
    for (uint r = first; r < round_count(); r++)
        count += uint(bitCount(expand_round(partition_index, r).shown));
    return count;
}

look_back_value look_back_recompute(uint partition_index)
{
    look_back_value value;
    workgroup_exclusive_scan(count_rounds(partition_index, 0u), value.part[0]);
    return value;
}

/* Writes a round's tile_commands from `at` on, and returns how many they are. */
uint write_round(expanded items, uint at)
{
    uint total;
    at += workgroup_exclusive_scan(uint(bitCount(items.shown)), total);
    [[unroll]] for (uint k = 0u; k < EXPAND_ITEMS; k++) {
        uint i = at + uint(bitCount(items.shown & ((1u << k) - 1u)));
        if ((items.shown >> k & 1u) != 0u && i < config.tile_command_capacity) {
            tile_command_keys[i] = items.keys[k];
            tile_command_values[i] = items.values[k];
        }
    }
    return total;
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

/* Returns how many partitions there are; 0 if there are more path_tiles than can be numbered. */
uint partitions()
{
    uint path_tiles = all_path_tiles(), partition_size = expand_partition(path_tiles);
    if (path_tiles == LOOK_BACK_MAX && stage_workgroup() == 0u && gl_LocalInvocationIndex == 0u)
        counters.overflow |= OVERFLOW_COUNT;
    return path_tiles == LOOK_BACK_MAX ? 0u : (path_tiles + partition_size - 1u) / partition_size;
}

void main()
{
    uint partition_count = partitions();
    uint partition_index = look_back_ticket(partition_count);
    if (partition_index == LOOK_BACK_NO_PARTITION)
        return;
    expanded items = expand_round(partition_index, 0u);
    look_back_value aggregate;
    workgroup_exclusive_scan(uint(bitCount(items.shown)) + count_rounds(partition_index, 1u), aggregate.part[0]);
    look_back_value before_partition = look_back(partition_index, aggregate);
    uint at = before_partition.part[0];
    at += write_round(items, at);
    for (uint r = 1u; r < round_count(); r++)
        at += write_round(expand_round(partition_index, r), at);
    if (partition_index == partition_count - 1u && gl_LocalInvocationIndex == 0u)
        finish(look_back_combine(before_partition, aggregate).part[0]);
}
