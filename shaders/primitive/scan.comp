/* scan: prefix sums of u32 items, modulo 2^32, in a single pass.
 * Reads: items, count. Writes: sums. Dispatch: one workgroup a tile of TILE_SCAN_TILE items, surplus ones leave at once.
 * Invariant: sums may not overlap items (a fallback reads them again).
 * Source: Merrill and Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", 2016. */
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require
#pragma use_vulkan_memory_model

#include "layout/primitive.h"

layout(local_size_x = 256, local_size_x_id = PRIMITIVE_CONSTANT_INVOCATIONS) in;

layout(scalar, binding = 0) readonly buffer items_buffer { uint items[]; };
layout(scalar, binding = 0) readonly buffer item_groups_buffer { uvec4 item_groups[]; };
layout(scalar, binding = 1) writeonly buffer sums_buffer { uint sums[]; };
layout(scalar, binding = 1) writeonly buffer sum_groups_buffer { uvec4 sum_groups[]; };
layout(scalar, binding = 2) readonly buffer count_buffer { uint item_count; };
layout(scalar, binding = 3) buffer table_buffer { uint look_back_words[]; };
layout(push_constant, scalar) uniform push_block { scan_push push; };

#define LOOK_BACK_WORD(i) look_back_words[i]
#define LOOK_BACK_COMPONENTS 1
#define LOOK_BACK_WIDE
#include "primitive/look_back.glsl"

#define TILE_SCAN_ITEM(i) items[i]
#define TILE_SCAN_ITEMS(i) item_groups[i]
#include "primitive/tile_scan.glsl"

uint tile_scan_value(uint item)
{
    return item;
}

look_back_value look_back_recompute(uint tile)
{
    uint count = min(item_count, push.max_count);
    look_back_value value;
    value.part[0] = tile_scan_total_of(tile, count);
    return value;
}

void store(uint tile, uint scan_round, uvec4 group, uint count)
{
    uint i = tile_scan_index(tile, scan_round);
    if (tile < count / TILE_SCAN_TILE) {
        sum_groups[i / 4u] = group;
        return;
    }
    for (uint k = 0u; k < 4u; k++) {
        if (i + k < count)
            sums[i + k] = group[k];
    }
}

/* Turns the tile's items into the sums that are stored, but for what lies before the subgroup, which is returned, and before the tile.
 * Nothing else of the tile is kept while the workgroup waits. */
uint sum_items(out uint total)
{
    uint carry = 0u;
    [[unroll]] for (uint r = 0u; r < tile_scan_rounds; r++) {
        uvec4 own = push.inclusive != 0u ? uvec4(0u) : tile_scan_items[r];
        uvec4 sums = tile_scan_items[r];
        sums.y += sums.x;
        sums.z += sums.y;
        sums.w += sums.z;
        uint inclusive = subgroupInclusiveAdd(sums.w);
        tile_scan_items[r] = sums - own + (carry + inclusive - sums.w);
        carry += subgroupShuffle(inclusive, gl_SubgroupSize - 1u);
    }
    return workgroup_exclusive_scan(gl_SubgroupInvocationID == gl_SubgroupSize - 1u ? carry : 0u, total);
}

void main()
{
    uint count = min(item_count, push.max_count);
    uint tile = look_back_ticket(tile_scan_tile_count(count));
    if (tile == LOOK_BACK_NO_TILE)
        return;
    tile_scan_load(tile, count);
    look_back_value aggregate;
    uint before = sum_items(aggregate.part[0]);
    before += look_back(tile, aggregate).part[0];
    [[unroll]] for (uint r = 0u; r < tile_scan_rounds; r++)
        store(tile, r, tile_scan_items[r] + before, count);
}
