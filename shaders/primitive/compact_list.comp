/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* compact, second half: the indices of set flags, in order, from the bits that compact_mark left.
 * Reads: totals, marks, count. Writes: indices, index count. Dispatch: one workgroup a partition, at least one; surplus
 * ones leave at once. A workgroup adds up the totals of all partitions before its own, so that none waits for
 * another. */
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require

#include "layout/primitive.h"

layout(local_size_x = 256, local_size_x_id = PRIMITIVE_CONSTANT_INVOCATIONS) in;

layout(scalar, binding = 0) readonly buffer scratch_buffer
{
    uint scratch[];
};
layout(scalar, binding = 0) readonly buffer scratch_groups_buffer
{
    uvec4 scratch_groups[];
};
layout(scalar, binding = 1) writeonly buffer indices_buffer
{
    uint indices[];
};
layout(scalar, binding = 2) writeonly buffer index_count_buffer
{
    uint index_count;
};
layout(scalar, binding = 3) readonly buffer count_buffer
{
    uint item_count;
};
layout(push_constant, scalar) uniform push_block
{
    compact_push push;
};

#define WORKGROUP_SCAN_TYPE uvec2
#include "primitive/workgroup_scan.glsl"

#define MOVED_AT_ONCE 4u                                 /* indices of an invocation; it divides COMPACT_STAGED */
shared uint staged[gl_WorkGroupSize.x * COMPACT_STAGED]; /* the subgroups' indices, side by side */

uint load_word(uint w, uint word_count)
{
    return w < word_count ? scratch[push.marks + w] : 0u;
}

/* Returns the flags that an invocation takes at once. */
uint load_flags(uint f, uint word_count)
{
    uint words = COMPACT_WORD / COMPACT_STAGED;
    return bitfieldExtract(load_word(f / words, word_count), int(f % words * COMPACT_STAGED), int(COMPACT_STAGED));
}

/* Returns the invocation's share of the sum. */
uint sum_of_totals(uint partitions)
{
    uint sum = 0u;
    for (uint g = gl_LocalInvocationIndex; g < partitions / 4u; g += gl_WorkGroupSize.x) {
        uvec4 totals = scratch_groups[g];
        sum += totals.x + totals.y + totals.z + totals.w;
    }
    return gl_LocalInvocationIndex < partitions % 4u ? sum + scratch[partitions - 1u - gl_LocalInvocationIndex] : sum;
}

/* Stores the indices of the set flags behind those of the lower lanes, which are stored from `to` on. Returns how many
 * the subgroup has. */
uint store_indices(uint f, uint flags, uint to)
{
    uint own = bitCount(flags);
    uint inclusive = subgroupInclusiveAdd(own);
    uint size = subgroupShuffle(inclusive, gl_SubgroupSize - 1u);
    uint room = gl_SubgroupID * gl_SubgroupSize * COMPACT_STAGED;
    uint at = room + inclusive - own;
    [[unroll]] for (uint b = 0u; b < COMPACT_STAGED; b++) {
        if ((flags >> b & 1u) != 0u)
            staged[at++] = COMPACT_STAGED * f + b;
    }
    subgroupMemoryBarrierShared();
    subgroupBarrier();
    /* Some at a time, so that loads do not wait for stores. */
    [[unroll]] for (uint r = 0u; r < COMPACT_STAGED; r += MOVED_AT_ONCE) {
        if (r * gl_SubgroupSize < size) {
            uint first = r * gl_SubgroupSize + gl_SubgroupInvocationID;
            uint moved[MOVED_AT_ONCE];
            [[unroll]] for (uint k = 0u; k < MOVED_AT_ONCE; k++)
                moved[k] = staged[room + first + k * gl_SubgroupSize];
            [[unroll]] for (uint k = 0u; k < MOVED_AT_ONCE; k++) {
                uint i = first + k * gl_SubgroupSize;
                if (i < size)
                    indices[to + i] = moved[k];
            }
        }
    }
    subgroupMemoryBarrierShared();
    subgroupBarrier();
    return size;
}

void main()
{
    uint count = min(item_count, push.max_count);
    uint word_count = count / COMPACT_WORD + uint(count % COMPACT_WORD != 0u);
    uint partition_words = push.rows * gl_WorkGroupSize.x;
    uint partition_count = max(word_count / partition_words + uint(word_count % partition_words != 0u), 1u);
    uint partition_index = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    if (partition_index >= partition_count)
        return;
    /* The words of a subgroup lie side by side. */
    uint first =
        partition_index * partition_words + gl_SubgroupID * gl_SubgroupSize * push.rows + gl_SubgroupInvocationID;
    uint own = 0u;
    for (uint j = 0u; j < push.rows; j++)
        own += bitCount(load_word(first + j * gl_SubgroupSize, word_count));
    own = subgroupAdd(own);
    uvec2 total;
    uvec2 before = workgroup_exclusive_scan(uvec2(subgroupElect() ? own : 0u, sum_of_totals(partition_index)), total);
    uint to = subgroupBroadcast(before.x, 0u) + total.y;
    if (partition_index == partition_count - 1u && gl_LocalInvocationIndex == 0u)
        index_count = total.x + total.y;
    uint steps = push.rows * (COMPACT_WORD / COMPACT_STAGED);
    uint f = (first - gl_SubgroupInvocationID) * (COMPACT_WORD / COMPACT_STAGED) + gl_SubgroupInvocationID;
    uint flags = load_flags(f, word_count);
    [[dont_unroll]] for (uint j = 0u; j < steps; j++) {
        uint next = load_flags(f + gl_SubgroupSize, word_count);
        to += store_indices(f, flags, to);
        f += gl_SubgroupSize;
        flags = next;
    }
}
