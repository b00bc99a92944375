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

void main()
{
    uint count = min(item_count, push.max_count);
    uint tile_count = max(tile_scan_tile_count(count), 1u);
    uint tile = look_back_ticket(tile_count);
    if (tile == LOOK_BACK_NO_TILE)
        return;
    tile_scan_load(tile, count);
    tile_scan(tile, count);
    look_back_value aggregate;
    aggregate.part[0] = tile_scan_total;
    [[unroll]] for (uint r = 0u; r < tile_scan_rounds; r++) {
        uint at = tile_scan_before[r];
        [[unroll]] for (uint k = 0u; k < 4u; k++) {
            if (tile_scan_items[r][k] != 0u) {
                tile_indices[at] = tile_scan_index(tile, r) + k;
                at++;
            }
        }
    }
    uint before_tile = look_back(tile, aggregate).part[0];
    barrier();
    [[unroll]] for (uint k = 0u; k < 4u * tile_scan_rounds; k++) {
        uint i = k * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
        if (i < tile_scan_total)
            indices[before_tile + i] = tile_indices[i];
    }
    if (tile == tile_count - 1u && gl_LocalInvocationIndex == 0u)
        index_count = before_tile + tile_scan_total;
}
