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

shared uint tile_indices[TILE_SCAN_TILE]; /* side by side, so that they are stored so */

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

/* Two rounds in a word, so that one scan of a subgroup, of 128 at most, serves both. */
#define ROUND_PAIRS ((tile_scan_rounds + 1u) / 2u)

uint count_of_rounds(uint set, uint pair)
{
    return bitCount(set >> 8u * pair & 0xfu) | bitCount(set >> 8u * pair & 0xf0u) << 16;
}

uint count_of_round(uint counts, uint scan_round)
{
    return counts >> 16u * (scan_round & 1u) & 0xffffu;
}

void main()
{
    uint count = min(item_count, push.max_count);
    uint tile_count = max(tile_scan_tile_count(count), 1u);
    uint tile = look_back_ticket(tile_count);
    if (tile == LOOK_BACK_NO_TILE)
        return;
    uint set = load_flags(tile, count);
    uint last = gl_SubgroupSize - 1u;
    uint before[ROUND_PAIRS], totals[ROUND_PAIRS];
    uint chunk = 0u;
    [[unroll]] for (uint p = 0u; p < ROUND_PAIRS; p++) {
        uint own = count_of_rounds(set, p);
        uint inclusive = subgroupInclusiveAdd(own);
        before[p] = inclusive - own;
        totals[p] = subgroupShuffle(inclusive, last);
        chunk += (totals[p] & 0xffffu) + (totals[p] >> 16);
    }
    uint total;
    uint start = subgroupShuffle(workgroup_exclusive_scan(gl_SubgroupInvocationID == last ? chunk : 0u, total), 0u);
    [[unroll]] for (uint r = 0u; r < tile_scan_rounds; r++) {
        uint at = start + count_of_round(before[r / 2u], r);
        [[unroll]] for (uint k = 0u; k < 4u; k++) {
            if ((set >> 4u * r + k & 1u) != 0u) {
                tile_indices[at] = tile_scan_index(tile, r) + k;
                at++;
            }
        }
        start += count_of_round(totals[r / 2u], r);
    }
    look_back_value aggregate;
    aggregate.part[0] = total;
    uint before_tile = look_back(tile, aggregate).part[0];
    barrier();
    [[dont_unroll]] for (uint first = 0u; first < total; first += gl_WorkGroupSize.x) {
        uint i = first + gl_LocalInvocationIndex;
        if (i < total)
            indices[before_tile + i] = tile_indices[i];
    }
    if (tile == tile_count - 1u && gl_LocalInvocationIndex == 0u)
        index_count = before_tile + total;
}
