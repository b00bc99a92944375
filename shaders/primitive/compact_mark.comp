/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* compact, first half: a bit for each flag, and how many flags of each partition are set.
 * Reads: flags (zero or not), count. Writes: totals, marks (bit i of word w tells of flag 32 w + i).
 * Dispatch: one workgroup a partition of push.rows rows of 32 flags an invocation; surplus ones leave at once. */
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require

#include "layout/primitive.h"

layout(local_size_x = 256, local_size_x_id = PRIMITIVE_CONSTANT_INVOCATIONS) in;

layout(scalar, binding = 0) readonly buffer flags_buffer
{
    uint flags[];
};
layout(scalar, binding = 0) readonly buffer flag_groups_buffer
{
    uvec4 flag_groups[];
};
layout(scalar, binding = 1) readonly buffer count_buffer
{
    uint item_count;
};
layout(scalar, binding = 2) writeonly buffer scratch_buffer
{
    uint scratch[];
};
layout(push_constant, scalar) uniform push_block
{
    compact_push push;
};

#include "primitive/workgroup_scan.glsl"

#define ROW (gl_WorkGroupSize.x * COMPACT_WORD)
#define GROUPS (COMPACT_WORD / 4u) /* groups of four flags an invocation */

/* Two rows take turns, so that one barrier a row is enough. A word is left out after GROUPS, so that lanes read from
 * different banks. */
#define ROOM (gl_WorkGroupSize.x / GROUPS * (GROUPS + 1u))
shared uint nibbles[2u * ROOM];

uvec4 load_group(uint i, uint count)
{
    return uvec4(i < count ? flags[i] : 0u, i + 1u < count ? flags[i + 1u] : 0u, i + 2u < count ? flags[i + 2u] : 0u,
                 i + 3u < count ? flags[i + 3u] : 0u);
}

/* Returns the flags of the invocation. It loads four of them in each round. The groups of a round lie side by side over
 * the workgroup. */
uint load_flags(uint row, uint count)
{
    uvec4 groups[GROUPS];
    uint first = row * (ROW / 4u) + gl_LocalInvocationIndex;
    if (row < count / ROW) {
        [[unroll]] for (uint r = 0u; r < GROUPS; r++)
            groups[r] = flag_groups[first + r * gl_WorkGroupSize.x];
    } else {
        [[unroll]] for (uint r = 0u; r < GROUPS; r++)
            groups[r] = load_group(4u * (first + r * gl_WorkGroupSize.x), count);
    }
    uint set = 0u;
    [[unroll]] for (uint r = 0u; r < GROUPS; r++) {
        [[unroll]] for (uint k = 0u; k < 4u; k++)
            set |= uint(groups[r][k] != 0u) << 4u * r + k;
    }
    return set;
}

/* Returns the word of this invocation. A round holds an eighth of the row's words, each made of the bits of eight
 * invocations. */
uint gather_word(uint room)
{
    uint words_a_round = gl_WorkGroupSize.x / GROUPS;
    uint r = gl_LocalInvocationIndex / words_a_round;
    uint from = room + gl_LocalInvocationIndex % words_a_round * (GROUPS + 1u);
    uint word = 0u;
    [[unroll]] for (uint k = 0u; k < GROUPS; k++)
        word |= (nibbles[from + k] >> 4u * r & 15u) << 4u * k;
    return word;
}

void main()
{
    uint count = min(item_count, push.max_count);
    uint word_count = count / COMPACT_WORD + uint(count % COMPACT_WORD != 0u);
    uint row_count = count / ROW + uint(count % ROW != 0u);
    uint partition_index = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    uint first_row = partition_index * push.rows;
    if (first_row >= row_count)
        return;
    uint own = 0u;
    [[dont_unroll]] for (uint row = first_row; row < min(first_row + push.rows, row_count); row++) {
        uint set = load_flags(row, count);
        own += bitCount(set);
        uint room = (row & 1u) * ROOM;
        nibbles[room + gl_LocalInvocationIndex + gl_LocalInvocationIndex / GROUPS] = set;
        barrier();
        uint w = row * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
        if (w < word_count)
            scratch[push.marks + w] = gather_word(room);
    }
    uint total;
    workgroup_exclusive_scan(own, total);
    if (gl_LocalInvocationIndex == 0u)
        scratch[partition_index] = total;
}
