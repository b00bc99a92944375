/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* 07 wind: the winding of every tile that an element touches, and the tiles between them that it covers in full.
 *
 * Reads sorted tile_lines, lines, visible; writes tile_paths, heavy_tile_paths, counters, arguments.
 * Dispatch: one workgroup for each WIND_PARTITION tile_lines.
 * Invariant: the start of a tile_path is written by the partition that holds its first tile_line, and its end by the
 * partition that holds its last one. The sums between the two come by look-back: the winding steps since the row began,
 * the tile_lines since the tile_path began, and the numbers of tile_paths and of heavy tile_paths.
 * Source: Merrill and Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", 2016. */
#version 450
#extension GL_GOOGLE_include_directive : require
#define CONFIG_BINDING 0
#include "stages/stage.glsl"
#include "lib/winding.h"

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
layout(scalar, binding = 4) readonly buffer sort_buffer
{
    uint sorted_half;
};
layout(scalar, binding = 5) readonly buffer keys_buffer
{
    uint tile_line_keys[];
};
layout(scalar, binding = 6) readonly buffer values_buffer
{
    uint tile_line_values[];
};
layout(scalar, binding = 7) readonly buffer lines_buffer
{
    line lines[];
};
layout(scalar, binding = 8) readonly buffer visible_buffer
{
    visible_element visible_elements[];
};
layout(scalar, binding = 9) writeonly buffer tile_paths_buffer
{
    tile_path tile_paths[];
};
layout(scalar, binding = 10) writeonly buffer heavy_buffer
{
    uint heavy_tile_paths[];
};

#define LOOK_BACK_WORD(i) look_back_words[i]
#define LOOK_BACK_COMPONENTS 4
#define LOOK_BACK_SEGMENTED
#define LOOK_BACK_SUMS 2
#include "primitive/look_back.glsl"

/* Parts of a sum. The first two start anew with each row and with each tile_path. */
#define SUM_WINDING_STEPS 0
#define SUM_TILE_LINES 1
#define SUM_TILE_PATHS 2
#define SUM_HEAVY 3

uvec4 combine_sums(uvec4 earlier, uvec4 later)
{
    uvec4 sums;
    for (uint c = 0u; c < 4u; c++)
        sums[c] = look_back_combine_part(c, earlier[c], later[c]);
    return sums;
}

#define WORKGROUP_SCAN_TYPE uvec4
#define WORKGROUP_SCAN_COMBINE(earlier, later) combine_sums(earlier, later)
#include "primitive/workgroup_scan.glsl"

#define WIND_ITEMS 4u

/* A partition's tile_paths. Number 0 continues one of the partition before, or has no tile_lines. */
#define TILE_PATH_SLOTS (WIND_PARTITION + 1u)
shared uint tile_path_starts[TILE_PATH_SLOTS + 1u];
shared int tile_path_backdrops[TILE_PATH_SLOTS];
shared int tile_path_windings[TILE_PATH_SLOTS];
shared uint tile_path_lengths[TILE_PATH_SLOTS];
shared uint tile_path_masks[TILE_PATH_SLOTS];

struct wind_items {
    uvec4 sums[WIND_ITEMS];
    bool is_head[WIND_ITEMS], is_row[WIND_ITEMS], is_tail[WIND_ITEMS], is_heavy[WIND_ITEMS];
};

uint key_at(uint i)
{
    return tile_line_keys[sorted_half * config.tile_line_capacity + i];
}
uint value_at(uint i)
{
    return tile_line_values[sorted_half * config.tile_line_capacity + i];
}
uint visible_at(uint i)
{
    return lines[value_at(i) >> TILE_LINE_SHIFT].visible_sign >> 1;
}
int column_of(uint key)
{
    return int(bitfieldExtract(key, 0, int(config.column_bits))) - 1 + config.part.x0;
}

int winding_step_of(uint value)
{
    uint crossing = value & 3u;
    return crossing == TILE_LINE_WINDING_UP ? 1 : (crossing == TILE_LINE_WINDING_DOWN ? -1 : 0);
}

/* Returns whether the tile_path that ends here is heavy. Nothing is painted left of the box. */
bool ends_heavy_tile_path(uint i, uint key)
{
    return i >= HEAVY_TILE_LINES && key_at(i - HEAVY_TILE_LINES) == key &&
           column_of(key) >= visible_elements[visible_at(i)].box.x0;
}

uint first_item(uint partition_index)
{
    return partition_index * WIND_PARTITION + workgroup_invocation() * WIND_ITEMS;
}

wind_items load_items(uint partition_index, uint count)
{
    wind_items items;
    uint first = first_item(partition_index);
    uint previous = first != 0u && first <= count ? key_at(first - 1u) : 0u;
    uint key = first < count ? key_at(first) : 0u;
    for (uint k = 0u; k < WIND_ITEMS; k++) {
        uint i = first + k;
        bool is_there = i < count;
        uint next = i + 1u < count ? key_at(i + 1u) : 0u;
        items.is_head[k] = is_there && (i == 0u || previous != key);
        items.is_row[k] = is_there && (i == 0u || previous >> config.column_bits != key >> config.column_bits);
        items.is_tail[k] = is_there && (i + 1u == count || next != key);
        items.is_heavy[k] = items.is_tail[k] && ends_heavy_tile_path(i, key);
        items.sums[k] = uvec4(0u);
        if (is_there) {
            items.sums[k] =
                uvec4(look_back_segment(items.is_row[k], winding_step_of(value_at(i))),
                      look_back_segment(items.is_head[k], 1), uint(items.is_head[k]), uint(items.is_heavy[k]));
        }
        previous = key;
        key = next;
    }
    return items;
}

uvec4 sum_items(wind_items items)
{
    uvec4 sums = uvec4(0u);
    for (uint k = 0u; k < WIND_ITEMS; k++)
        sums = combine_sums(sums, items.sums[k]);
    return sums;
}

look_back_value look_back_recompute(uint partition_index)
{
    uvec4 total;
    workgroup_exclusive_scan(sum_items(load_items(partition_index, counters.ready_tile_lines)), total);
    look_back_value value;
    for (uint c = 0u; c < 4u; c++)
        value.part[c] = total[c];
    return value;
}

uvec4 sums_before_partition(uint partition_index, uvec4 total)
{
    look_back_value aggregate;
    for (uint c = 0u; c < 4u; c++)
        aggregate.part[c] = total[c];
    look_back_value before = look_back(partition_index, aggregate);
    return uvec4(before.part[0], before.part[1], before.part[2], before.part[3]);
}

/* Stores what the items know about their tile_paths in shared memory, for write_tile_path. */
void gather_tile_paths(wind_items items, uvec4 before_partition, uvec4 before)
{
    uvec4 sums = combine_sums(before_partition, before);
    for (uint k = 0u; k < WIND_ITEMS; k++) {
        int backdrop = items.is_row[k] ? 0 : look_back_segment_sum(sums[SUM_WINDING_STEPS]);
        sums = combine_sums(sums, items.sums[k]);
        uint slot = sums[SUM_TILE_PATHS] - before_partition[SUM_TILE_PATHS];
        if (items.is_head[k]) {
            tile_path_starts[slot] = workgroup_invocation() * WIND_ITEMS + k;
            tile_path_backdrops[slot] = backdrop;
        }
        if (items.is_tail[k]) {
            tile_path_windings[slot] = look_back_segment_sum(sums[SUM_WINDING_STEPS]);
            tile_path_lengths[slot] = sums[SUM_TILE_LINES] & (LOOK_BACK_STARTS - 1u);
            tile_path_masks[slot] = items.is_heavy[k] ? sums[SUM_HEAVY] - 1u : NONE;
        }
    }
}

/* Returns the end of the tiles that the element covers in full after the tile_path, whose last tile_line is i. */
int span_end(visible_element v, uint i, uint key, int winding)
{
    if (!is_inside(v.kind, winding))
        return column_of(key) + 1;
    uint next = i + 1u < counters.ready_tile_lines ? key_at(i + 1u) : ~key;
    bool row_goes_on = next >> config.column_bits == key >> config.column_bits;
    return row_goes_on ? column_of(next) : v.box.x1;
}

void store_tile_path(uint index, tile_path made, bool starts, bool ends)
{
    if (starts && ends) {
        tile_paths[index] = made;
    } else if (starts) {
        tile_paths[index].visible = made.visible;
        tile_paths[index].x = made.x;
        tile_paths[index].y = made.y;
        tile_paths[index].first_tile_line = made.first_tile_line;
        tile_paths[index].backdrop = made.backdrop;
    } else if (ends) {
        tile_paths[index].span_end = made.span_end;
        tile_paths[index].tile_line_count = made.tile_line_count;
        tile_paths[index].mask = made.mask;
    }
    if (ends && made.mask < config.mask_capacity)
        heavy_tile_paths[made.mask] = index;
}

/* Writes the part of a tile_path that this partition knows. The rest belongs to the partition in which the tile_path
 * starts or ends. */
void write_tile_path(uint partition_index, uint slot, uint tile_paths_before, uint head_count)
{
    uint start = tile_path_starts[slot];
    uint end = tile_path_starts[slot + 1u];
    uint index = tile_paths_before + slot - 1u;
    if (start == end || index >= config.tile_path_capacity)
        return;
    uint i = partition_index * WIND_PARTITION + start;
    uint last = partition_index * WIND_PARTITION + end - 1u;
    uint key = key_at(i);
    tile_path made;
    made.visible = visible_at(i);
    visible_element v = visible_elements[made.visible];
    made.x = column_of(key);
    made.y = int((key >> config.column_bits) - v.first_row) + v.box.y0;
    made.span_end = span_end(v, last, key, tile_path_windings[slot]);
    made.first_tile_line = i;
    made.tile_line_count = tile_path_lengths[slot];
    made.backdrop = tile_path_backdrops[slot];
    made.mask = tile_path_masks[slot];
    bool ends = slot < head_count || last + 1u == counters.ready_tile_lines || key_at(last + 1u) != key;
    store_tile_path(index, made, slot != 0u, ends);
}

void finish(uint tile_path_count, uint heavy_count)
{
    uint overflow = (tile_path_count > config.tile_path_capacity ? OVERFLOW_TILE_PATHS : 0u) |
                    (heavy_count > config.mask_capacity ? OVERFLOW_MASKS : 0u);
    uint ready = overflow == 0u ? tile_path_count : 0u;
    counters.tile_path_count = tile_path_count;
    counters.heavy_count = heavy_count;
    counters.overflow |= overflow;
    counters.ready_tile_paths = ready;
    arguments[ARGUMENT_OCCLUDERS] = stage_arguments(ready, OCCLUDERS_PARTITION);
    arguments[ARGUMENT_OFFSETS] = stage_arguments(ready, OFFSETS_PARTITION);
    arguments[ARGUMENT_MASK] = stage_arguments(overflow == 0u ? heavy_count : 0u, MASK_PARTITION);
}

void main()
{
    uint count = counters.ready_tile_lines;
    uint partition_count = (count + WIND_PARTITION - 1u) / WIND_PARTITION;
    uint partition_index = look_back_ticket(partition_count);
    if (partition_index == LOOK_BACK_NO_PARTITION)
        return;
    wind_items items = load_items(partition_index, count);
    uvec4 total;
    uvec4 before = workgroup_exclusive_scan(sum_items(items), total);
    uvec4 before_partition = sums_before_partition(partition_index, total);
    gather_tile_paths(items, before_partition, before);
    uint head_count = total[SUM_TILE_PATHS];
    if (gl_LocalInvocationIndex == 0u) {
        tile_path_starts[0] = 0u;
        tile_path_starts[head_count + 1u] = min(count - partition_index * WIND_PARTITION, WIND_PARTITION);
    }
    barrier();
    for (uint first = 0u; first <= head_count; first += STAGE_INVOCATIONS) {
        uint slot = first + gl_LocalInvocationIndex;
        if (slot <= head_count)
            write_tile_path(partition_index, slot, before_partition[SUM_TILE_PATHS], head_count);
    }
    if (partition_index == partition_count - 1u && gl_LocalInvocationIndex == 0u)
        finish(before_partition[SUM_TILE_PATHS] + head_count, before_partition[SUM_HEAVY] + total[SUM_HEAVY]);
}
