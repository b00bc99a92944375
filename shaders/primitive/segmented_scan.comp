/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* segmented_scan: prefix sums of u32 items, modulo 2^32, that begin anew at each head, in a single pass.
 * Reads: items, heads, count. Writes: sums. Dispatch: one workgroup a partition of SCAN_PARTITION items, surplus ones
 * leave at once.
 * Invariant: sums may not overlap items or heads (a fallback reads them again). Sums modulo 2^32 can be taken back: a
 * sum since a head is the plain sum less that before the head, so that a subgroup scans once and fetches one word of
 * the lane with the last head, where a scan of pairs of head and sum takes a step for each doubling.
 * Sources: Schwartz, "Ultracomputers", 1980, for the operator; Merrill and Garland, "Single-pass Parallel Prefix Scan
 * with Decoupled Look-back", 2016. */
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_shuffle_relative : require
#pragma use_vulkan_memory_model

#include "layout/primitive.h"

layout(local_size_x = 256, local_size_x_id = PRIMITIVE_CONSTANT_INVOCATIONS) in;

layout(scalar, binding = 0) readonly buffer items_buffer
{
    uint items[];
};
layout(scalar, binding = 0) readonly buffer item_groups_buffer
{
    uvec4 item_groups[];
};
layout(scalar, binding = 1) readonly buffer heads_buffer
{
    uint heads[];
};
layout(scalar, binding = 2) writeonly buffer sums_buffer
{
    uint sums[];
};
layout(scalar, binding = 2) writeonly buffer sum_groups_buffer
{
    uvec4 sum_groups[];
};
layout(scalar, binding = 3) readonly buffer count_buffer
{
    uint item_count;
};
layout(scalar, binding = 4) buffer table_buffer
{
    uint look_back_words[];
};
layout(push_constant, scalar) uniform push_block
{
    segmented_scan_push push;
};

#define LOOK_BACK_WORD(i) look_back_words[i]
#define LOOK_BACK_COMPONENTS 2
#define LOOK_BACK_OWN
#include "primitive/look_back.glsl"

/* Combines adjacent ranges of items. x: the sum since the range's last head, or of the whole range. y: whether there
 * is a head. */
uvec2 combine(uvec2 earlier, uvec2 later)
{
    return later.y != 0u ? later : uvec2(earlier.x + later.x, earlier.y);
}

#define WORKGROUP_SCAN_TYPE uvec2
#define WORKGROUP_SCAN_COMBINE(earlier, later) combine(earlier, later)
#define PARTITION_SCAN_ITEM(i) items[i]
#define PARTITION_SCAN_ITEMS(i) item_groups[i]
#include "primitive/partition_scan.glsl"

shared uint shared_last_head; /* last head of a partition that is looked at again, plus 1; 0: none */

/* Returns a value as it stands in the table: two words of 16 bits of the sum, of which the first has the head as well.
 * */
uvec2 of_table(look_back_value value)
{
    return uvec2((value.part[0] & 0xffffu) | value.part[1] << 16, value.part[0] >> 16);
}

look_back_value to_table(uvec2 value)
{
    look_back_value result;
    result.part[0] = (value.x & 0xffffu) | value.y << 16;
    result.part[1] = value.x >> 16;
    return result;
}

look_back_value look_back_combine(look_back_value earlier, look_back_value later)
{
    return to_table(combine(of_table(earlier), of_table(later)));
}

bool look_back_ends(look_back_value value)
{
    return of_table(value).y != 0u;
}

uvec2 partition_scan_value(uint item)
{
    return uvec2(item, 0u);
}

bool is_head(uint i)
{
    return (heads[i / 32u] >> i % 32u & 1u) != 0u;
}

/* Finds the last head, then sums from there on. Its registers come on top of those that hold the own partition. */
look_back_value look_back_recompute(uint partition_index)
{
    uint count = min(item_count, push.max_count);
    uint end = min(count - partition_index * SCAN_PARTITION, SCAN_PARTITION);
    uint first = partition_index * SCAN_PARTITION;
    if (gl_LocalInvocationIndex == 0u)
        shared_last_head = 0u;
    barrier();
    [[dont_unroll]] for (uint k = 0u; k < 4u * partition_scan_groups; k++) {
        uint i = k * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
        if (i < end && is_head(first + i))
            atomicMax(shared_last_head, i + 1u, gl_ScopeWorkgroup, 0, gl_SemanticsRelaxed);
    }
    barrier();
    uint head = shared_last_head;
    uvec2 sum = uvec2(0u);
    [[dont_unroll]] for (uint k = 0u; k < 4u * partition_scan_groups; k++) {
        uint i = k * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
        if (i < end && i + 1u >= head)
            sum.x += items[first + i];
    }
    uvec2 total;
    workgroup_exclusive_scan(sum, total);
    total.y = head != 0u ? 1u : 0u;
    return to_table(total);
}

/* Returns the heads of the four items from i on, a bit each. */
uint heads_of(uint i, uint count)
{
    return i < count ? heads[i / 32u] >> i % 32u & 0xfu : 0u;
}

/* Turns the partition's items into sums since the last head of this subgroup's chunk. Items before first_head get
 * sums since the chunk's begin. Returns the combination of the whole chunk. */
uvec2 sum_items(uint partition_index, uint count, out uint first_head)
{
    first_head = 0xffffffffu;
    uvec2 chunk = uvec2(0u);
    [[unroll]] for (uint r = 0u; r < partition_scan_groups; r++) {
        uint i = partition_scan_index(partition_index, r);
        uint bits = heads_of(i, count);
        uvec4 own = push.inclusive != 0u ? uvec4(0u) : partition_scan_items[r];
        uvec4 plain = partition_scan_items[r];
        plain.y += plain.x;
        plain.z += plain.y;
        plain.w += plain.z;
        uint inclusive = subgroupInclusiveAdd(plain.w);
        uint before = inclusive - plain.w;
        uint before_head = 0u; /* plain sum of this lane before its last head */
        [[unroll]] for (uint k = 1u; k < 4u; k++)
            before_head = (bits >> k & 1u) != 0u ? plain[k - 1u] : before_head;
        uvec4 headed_lanes = subgroupBallot(bits != 0u);
        uvec4 headed_before = headed_lanes & gl_SubgroupLtMask;
        bool open = headed_before == uvec4(0u);
        uint taken_back = subgroupShuffle(before + before_head, open ? 0u : subgroupBallotFindMSB(headed_before));
        uint since = open ? before + chunk.x : before - taken_back;
        uvec4 sums;
        [[unroll]] for (uint k = 0u; k < 4u; k++) {
            if ((bits >> k & 1u) != 0u)
                since = k == 0u ? 0u : 0u - plain[k - 1u];
            sums[k] = since + plain[k];
        }
        partition_scan_items[r] = sums - own;
        bool any = headed_lanes != uvec4(0u);
        if (any && first_head == 0xffffffffu) {
            uint lane = subgroupBallotFindLSB(headed_lanes);
            first_head = subgroupShuffle(i + uint(max(findLSB(bits), 0)), lane);
        }
        chunk = uvec2(subgroupShuffle(sums.w, gl_SubgroupSize - 1u), any ? 1u : chunk.y);
    }
    return chunk;
}

void store(uint partition_index, uint scan_round, uvec4 group, uint count)
{
    uint i = partition_scan_index(partition_index, scan_round);
    if (partition_index < count / SCAN_PARTITION) {
        sum_groups[i / 4u] = group;
        return;
    }
    for (uint k = 0u; k < 4u; k++) {
        if (i + k < count)
            sums[i + k] = group[k];
    }
}

void main()
{
    uint count = min(item_count, push.max_count);
    uint partition_index = look_back_ticket(partition_scan_count(count));
    if (partition_index == LOOK_BACK_NO_PARTITION)
        return;
    partition_scan_load(partition_index, count);
    uint first_head;
    uvec2 chunk = sum_items(partition_index, count, first_head);
    uvec2 total;
    uvec2 before = workgroup_exclusive_scan(gl_SubgroupInvocationID == gl_SubgroupSize - 1u ? chunk : uvec2(0u), total);
    before = subgroupShuffle(before, 0u);
    before = combine(of_table(look_back(partition_index, to_table(total))), before);
    [[unroll]] for (uint r = 0u; r < partition_scan_groups; r++) {
        uint i = partition_scan_index(partition_index, r);
        uvec4 group = partition_scan_items[r];
        [[unroll]] for (uint k = 0u; k < 4u; k++)
            group[k] += i + k < first_head ? before.x : 0u;
        store(partition_index, r, group, count);
    }
}
