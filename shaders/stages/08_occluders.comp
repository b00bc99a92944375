/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* 08 occluders: the last element in each tile that hides all elements before it.
 *
 * Reads tile_paths, visible, counters; writes tile_occluders.
 * Dispatch: one workgroup for each OCCLUDERS_PARTITION tile_paths, with the last tile_paths first. Its invocations
 * share the tiles of their spans.
 * Invariant: only spans of opaque paint outside every layer count, and only where no clip cuts the tile. A maximum does
 * not depend on the order. */
#version 450
#extension GL_GOOGLE_include_directive : require
#define CONFIG_BINDING 0
#include "stages/stage.glsl"
#include "stages/drawn_boxes.glsl"
#include "stages/owner.glsl"
#include "primitive/workgroup_scan.glsl"

layout(scalar, binding = 1) readonly buffer counters_buffer
{
    frame_counters counters;
};
layout(scalar, binding = 2) readonly buffer tile_paths_buffer
{
    tile_path tile_paths[];
};
layout(scalar, binding = 3) readonly buffer visible_buffer
{
    visible_element visible_elements[];
};
layout(scalar, binding = 4) buffer occluders_buffer
{
    uint tile_occluders[];
};

shared uint span_tiles[OCCLUDERS_PARTITION];
shared uint span_occluders[OCCLUDERS_PARTITION];

/* Returns the columns [first, end) that a tile_path's span hides, which are those that lie in its clip in full. */
ivec2 occluded_columns(tile_path r)
{
    visible_element v = visible_elements[r.visible];
    int y = r.y * TILE_SIDE;
    bool hides = (v.kind & ELEMENT_OPAQUE) != 0u && v.layer == NONE && v.clip.y0 <= y && v.clip.y1 >= y + TILE_SIDE;
    int first = max(r.x + 1, (v.clip.x0 + TILE_SIDE - 1) >> TILE_SHIFT);
    return ivec2(first, hides ? min(r.span_end, v.clip.x1 >> TILE_SHIFT) : first);
}

/* Loads spans and returns the number of tiles in all of them. */
uint load_spans(uint first_tile_path)
{
    uint item = workgroup_invocation();
    uint size = 0u;
    if (first_tile_path + item < counters.ready_tile_paths) {
        tile_path r = tile_paths[first_tile_path + item];
        if (r.span_end > r.x + 1) {
            ivec2 columns = occluded_columns(r);
            size = uint(max(columns.y - columns.x, 0));
            span_tiles[item] = number_of(columns.x, r.y);
            span_occluders[item] = r.visible + 1u;
        }
    }
    uint total;
    owner_starts[item] = workgroup_exclusive_scan(size, total);
    owner_starts[OWNER_ITEMS] = total;
    barrier();
    return total;
}

/* The spans of a few rows of a large shape are thousands of tiles for one workgroup, which would wait for memory once a
 * round. So an invocation reads several tiles at a time. */
#define OCCLUDERS_AHEAD 8u

bool is_hidden_below(uint index, uint occluder)
{
    return atomicLoad(tile_occluders[index], gl_ScopeDevice, gl_StorageSemanticsNone, gl_SemanticsRelaxed) < occluder;
}

/* Records the occluders of a few tiles. Later elements mostly come first, so a read before the write saves most of the
 * others from waiting for the tile. */
void occlude_tiles(uint first, uint total)
{
    uint tiles[OCCLUDERS_AHEAD], occluders[OCCLUDERS_AHEAD];
    uint hidden = 0u;
    [[unroll]] for (uint k = 0u; k < OCCLUDERS_AHEAD; k++) {
        uint piece = min(first + k * STAGE_INVOCATIONS, total - 1u);
        uint item = owner_of(piece);
        tiles[k] = span_tiles[item] + piece - owner_starts[item];
        occluders[k] = span_occluders[item];
    }
    [[unroll]] for (uint k = 0u; k < OCCLUDERS_AHEAD; k++)
        hidden |= is_hidden_below(tiles[k], occluders[k]) ? 1u << k : 0u;
    [[unroll]] for (uint k = 0u; k < OCCLUDERS_AHEAD; k++) {
        if ((hidden >> k & 1u) != 0u)
            atomicMax(tile_occluders[tiles[k]], occluders[k], gl_ScopeDevice, gl_StorageSemanticsNone,
                      gl_SemanticsRelaxed);
    }
}

void main()
{
    uint group_count = (counters.ready_tile_paths + OCCLUDERS_PARTITION - 1u) / OCCLUDERS_PARTITION;
    uint group = stage_workgroup();
    if (group >= group_count)
        return;
    uint total = load_spans((group_count - 1u - group) * OCCLUDERS_PARTITION);
    for (uint first = 0u; first < total; first += OCCLUDERS_AHEAD * STAGE_INVOCATIONS)
        occlude_tiles(first + gl_LocalInvocationIndex, total);
}
