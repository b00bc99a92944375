/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* quicksort, last dispatch: sorts the small pieces and copies those of one value. For bench.
 * Reads: pieces, both halves of the keys. Writes: keys_a. Dispatch: any number of workgroups; they share the pieces
 * between them. */
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

#include "primitive/quicksort.glsl"

layout(local_size_x = COMPARE_INVOCATIONS) in;

shared uint bitonic_shared[SORT_SMALL_WORDS];
#define BITONIC_WORD(i) bitonic_shared[i]
#include "primitive/bitonic.glsl"

void main()
{
    for (uint p = gl_WorkGroupID.x; p < state.piece_count; p += gl_NumWorkGroups.x) {
        quicksort_piece piece = pieces[p];
        uint size = bitonic_size(piece.count);
        for (uint first = 0u; first < size; first += COMPARE_INVOCATIONS) {
            uint i = first + gl_LocalInvocationIndex;
            uint key = 0xffffffffu;
            if (i < piece.count)
                key = piece.source_half == 0u ? keys_a[piece.first + i] : keys_b[piece.first + i];
            if (i < size)
                bitonic_set(i, key);
        }
        if (piece.equal == 0u)
            bitonic_sort(piece.count);
        barrier();
        for (uint first = 0u; first < size; first += COMPARE_INVOCATIONS) {
            uint i = first + gl_LocalInvocationIndex;
            if (i < piece.count)
                keys_a[piece.first + i] = bitonic_key(i);
        }
        barrier();
    }
}
