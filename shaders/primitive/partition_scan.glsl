/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A partition of u32 items in registers, and sums over it: what segmented scan and split have in common.
 *
 * An invocation takes partition_scan_groups groups of 4 neighbouring items, one in each round. The groups that a
 * subgroup takes in a round lie side by side. Its rounds follow one another and are its chunk. The chunks of the
 * subgroups follow one another.
 *
 * How to use it: define PARTITION_SCAN_ITEM(i) and PARTITION_SCAN_ITEMS(i), one item and the 4 items 4i to 4i + 3 of
 * the input; WORKGROUP_SCAN_TYPE if it is not uint; and after the include
 *     WORKGROUP_SCAN_TYPE partition_scan_value(uint item)          what an item adds; items past the end add nothing
 * then, in uniform control flow, partition_scan_load(partition_index, count), which fills partition_scan_items, and
 * partition_scan(partition_index, count), which fills partition_scan_before and partition_scan_total;
 * partition_scan_total_of(partition_index, count) gives the total of any partition and leaves them alone. The kernel's
 * local size and partition_scan_groups are specialisation constants. */
#ifndef PARTITION_SCAN_GLSL
#define PARTITION_SCAN_GLSL

#include "layout/primitive.h"
#include "primitive/workgroup_scan.glsl"

layout(constant_id = PRIMITIVE_CONSTANT_ITEMS) const uint partition_scan_groups = 4u;

#define SCAN_PARTITION (gl_WorkGroupSize.x * 4u * partition_scan_groups)

uvec4 partition_scan_items[partition_scan_groups];
/* the sum before the first item of each group, within the partition */
WORKGROUP_SCAN_TYPE partition_scan_before[partition_scan_groups];
WORKGROUP_SCAN_TYPE partition_scan_total;

WORKGROUP_SCAN_TYPE partition_scan_value(uint item);

uint partition_scan_count(uint count)
{
    return count / SCAN_PARTITION + uint(count % SCAN_PARTITION != 0u);
}

/* Returns the index of the first item of this invocation's group. */
uint partition_scan_index(uint partition_index, uint scan_round)
{
    uint chunk = partition_index * SCAN_PARTITION + gl_SubgroupID * gl_SubgroupSize * (4u * partition_scan_groups);
    return chunk + (scan_round * gl_SubgroupSize + gl_SubgroupInvocationID) * 4u;
}

uvec4 partition_scan_load_group(uint i, uint count)
{
    return uvec4(i < count ? PARTITION_SCAN_ITEM(i) : 0u, i + 1u < count ? PARTITION_SCAN_ITEM(i + 1u) : 0u,
                 i + 2u < count ? PARTITION_SCAN_ITEM(i + 2u) : 0u, i + 3u < count ? PARTITION_SCAN_ITEM(i + 3u) : 0u);
}

void partition_scan_load(uint partition_index, uint count)
{
    if (partition_index < count / SCAN_PARTITION) {
        [[unroll]] for (uint r = 0u; r < partition_scan_groups; r++)
            partition_scan_items[r] = PARTITION_SCAN_ITEMS(partition_scan_index(partition_index, r) / 4u);
    } else {
        [[unroll]] for (uint r = 0u; r < partition_scan_groups; r++)
            partition_scan_items[r] = partition_scan_load_group(partition_scan_index(partition_index, r), count);
    }
}

WORKGROUP_SCAN_TYPE partition_scan_item_value(uint partition_index, uint scan_round, uint k, uint item, uint count)
{
    return partition_scan_index(partition_index, scan_round) + k < count ? partition_scan_value(item)
                                                                         : WORKGROUP_SCAN_TYPE(0u);
}

WORKGROUP_SCAN_TYPE partition_scan_group_value(uint partition_index, uint scan_round, uvec4 group, uint count)
{
    WORKGROUP_SCAN_TYPE value = WORKGROUP_SCAN_TYPE(0u);
    [[unroll]] for (uint k = 0u; k < 4u; k++)
        value += partition_scan_item_value(partition_index, scan_round, k, group[k], count);
    return value;
}

void partition_scan(uint partition_index, uint count)
{
    WORKGROUP_SCAN_TYPE carry = WORKGROUP_SCAN_TYPE(0u);
    [[unroll]] for (uint r = 0u; r < partition_scan_groups; r++) {
        WORKGROUP_SCAN_TYPE value = partition_scan_group_value(partition_index, r, partition_scan_items[r], count);
        WORKGROUP_SCAN_TYPE inclusive = subgroupInclusiveAdd(value);
        partition_scan_before[r] = carry + inclusive - value;
        carry += subgroupShuffle(inclusive, gl_SubgroupSize - 1u);
    }
    bool last = gl_SubgroupInvocationID == gl_SubgroupSize - 1u;
    WORKGROUP_SCAN_TYPE chunk = workgroup_exclusive_scan(last ? carry : WORKGROUP_SCAN_TYPE(0u), partition_scan_total);
    [[unroll]] for (uint r = 0u; r < partition_scan_groups; r++)
        partition_scan_before[r] += chunk;
}

/* Takes one item after the other. It seldom runs, and its registers come on top of those that hold the own
 * partition. */
WORKGROUP_SCAN_TYPE partition_scan_total_of(uint partition_index, uint count)
{
    WORKGROUP_SCAN_TYPE sum = WORKGROUP_SCAN_TYPE(0u);
    WORKGROUP_SCAN_TYPE total;
    uint first = partition_index * SCAN_PARTITION + gl_LocalInvocationIndex;
    [[dont_unroll]] for (uint k = 0u; k < 4u * partition_scan_groups; k++) {
        uint i = first + k * gl_WorkGroupSize.x;
        if (i < count)
            sum += partition_scan_value(PARTITION_SCAN_ITEM(i));
    }
    workgroup_exclusive_scan(sum, total);
    return total;
}

#endif
