/* compact: the indices of set flags, in order.
 * Reads: flags (zero or not), count. Writes: indices, index count. Dispatch: one workgroup a tile of TILE_SCAN_TILE flags, at
 * least one; surplus ones leave at once.
 * Invariant: indices may not overlap flags (a fallback reads them again). */
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

layout(scalar, binding = 0) readonly buffer flags_buffer { uint flags[]; };
layout(scalar, binding = 0) readonly buffer flag_groups_buffer { uvec4 flag_groups[]; };
layout(scalar, binding = 1) writeonly buffer indices_buffer { uint indices[]; };
layout(scalar, binding = 2) writeonly buffer index_count_buffer { uint index_count; };
layout(scalar, binding = 3) readonly buffer count_buffer { uint item_count; };
layout(scalar, binding = 4) buffer table_buffer { uint look_back_words[]; };
layout(push_constant, scalar) uniform push_block { compact_push push; };

#define LOOK_BACK_WORD(i) look_back_words[i]
#define LOOK_BACK_COMPONENTS 1
#include "primitive/look_back.glsl"

#define TILE_SCAN_ITEM(i) flags[i]
#define TILE_SCAN_ITEMS(i) flag_groups[i]
#include "primitive/tile_scan.glsl"

uint tile_scan_value(uint item)
{
    return uint(item != 0u);
}

look_back_value look_back_recompute(uint tile)
{
    uint count = min(item_count, push.max_count);
    look_back_value value;
    value.part[0] = tile_scan_total_of(tile, count);
    return value;
}

/* Which items of this invocation are set, four bits a round. */
uint load_flags(uint tile, uint count)
{
    uint set = 0u;
    tile_scan_load(tile, count);
    [[unroll]] for (uint r = 0u; r < tile_scan_rounds; r++) {
        [[unroll]] for (uint k = 0u; k < 4u; k++)
            set |= uint(tile_scan_items[r][k] != 0u) << 4u * r + k;
    }
    return set;
}

/* Of two rounds of each subgroup, side by side, so that they are stored so. All other flags are bits meanwhile: little shared memory
 * lets many workgroups stay, which hide each other's waits. */
shared uint staged[gl_WorkGroupSize.x * 8u];

/* Stores the indices of the set flags of rounds r and r + 1 of this subgroup, of 128 invocations at most, from `to` on. Returns how
 * many there are. */
uint store_pair(uint tile, uint r, uint set, uint to)
{
    uint low = set >> 4u * r & 15u;
    uint high = r + 1u < tile_scan_rounds ? set >> 4u * r + 4u & 15u : 0u;
    uint own = bitCount(low) | bitCount(high) << 16;
    uint inclusive = subgroupInclusiveAdd(own);
    uint totals = subgroupShuffle(inclusive, gl_SubgroupSize - 1u);
    uint room = gl_SubgroupID * gl_SubgroupSize * 8u;
    uvec2 at = room + uvec2(inclusive - own & 0xffffu, (totals & 0xffffu) + (inclusive - own >> 16));
    uint i = tile_scan_index(tile, r);
    [[unroll]] for (uint k = 0u; k < 4u; k++) {
        if ((low >> k & 1u) != 0u)
            staged[at.x++] = i + k;
        if ((high >> k & 1u) != 0u)
            staged[at.y++] = i + 4u * gl_SubgroupSize + k;
    }
    subgroupMemoryBarrierShared();
    subgroupBarrier();
    uint size = (totals & 0xffffu) + (totals >> 16);
    [[unroll]] for (uint k = 0u; k < 8u; k++) {
        uint j = k * gl_SubgroupSize + gl_SubgroupInvocationID;
        if (j < size)
            indices[to + j] = staged[room + j];
    }
    subgroupMemoryBarrierShared();
    subgroupBarrier();
    return size;
}

void main()
{
    uint count = min(item_count, push.max_count);
    uint tile_count = max(tile_scan_tile_count(count), 1u);
    uint tile = look_back_ticket(tile_count);
    if (tile == LOOK_BACK_NO_TILE)
        return;
    uint set = load_flags(tile, count);
    uint own = subgroupAdd(uint(bitCount(set)));
    look_back_value aggregate;
    uint before = workgroup_exclusive_scan(subgroupElect() ? own : 0u, aggregate.part[0]);
    uint to = subgroupBroadcast(before, 0u);
    uint before_tile = look_back(tile, aggregate).part[0];
    to += before_tile;
    [[dont_unroll]] for (uint r = 0u; r < tile_scan_rounds; r += 2u)
        to += store_pair(tile, r, set, to);
    if (tile == tile_count - 1u && gl_LocalInvocationIndex == 0u)
        index_count = before_tile + aggregate.part[0];
}
