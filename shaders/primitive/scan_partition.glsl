/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What both halves of scan have in common: the partitions, and the words of scratch for them.
 *
 * Each partition is read twice. The first time it is added up. The second time, push.look_ahead partitions later, it is
 * scanned, and still lies in the cache. By then the sums of all partitions before it are there as a rule, and nobody
 * waits. scan_begin adds up the first push.look_ahead partitions. In scan a workgroup scans one partition and adds up
 * another one, push.look_ahead partitions further on. That one is a far partition; far partitions count from zero.
 *
 * Scratch holds, in this order:
 *   - the sums of the first partitions;
 *   - two words for each SCAN_CHUNK far partitions: half of the sum of those that are there (24 bits), and their number
 *     (8 bits);
 *   - two words for each far partition: half of its sum (16 bits), and SCAN_THERE.
 * Each word shows by itself whether it is complete, so relaxed atomics are enough. */
#ifndef SCAN_PARTITION_GLSL
#define SCAN_PARTITION_GLSL

#include "layout/primitive.h"

layout(constant_id = PRIMITIVE_CONSTANT_ITEMS) const uint scan_groups = 4u; /* groups of four items an invocation */

layout(scalar, binding = 0) readonly buffer items_buffer
{
    uint items[];
};
layout(scalar, binding = 0) readonly buffer item_groups_buffer
{
    uvec4 item_groups[];
};
layout(scalar, binding = 1) readonly buffer count_buffer
{
    uint item_count;
};
layout(scalar, binding = 2) buffer scratch_buffer
{
    uint scratch[];
};
layout(push_constant, scalar) uniform push_block
{
    scan_push push;
};

#define PARTITION (gl_WorkGroupSize.x * 4u * scan_groups)

/* Returns the index of a group. The groups of a subgroup's round lie side by side, its rounds one after the other. */
uint group_index(uint partition_index, uint r)
{
    uint first = (partition_index * gl_WorkGroupSize.x + gl_SubgroupID * gl_SubgroupSize) * scan_groups;
    return first + r * gl_SubgroupSize + gl_SubgroupInvocationID;
}

uvec4 load_last_group(uint group, uint count)
{
    uint i = 4u * group;
    return uvec4(i < count ? items[i] : 0u, i + 1u < count ? items[i + 1u] : 0u, i + 2u < count ? items[i + 2u] : 0u,
                 i + 3u < count ? items[i + 3u] : 0u);
}

/* Loads into an array of scan_groups groups. It is a macro, since a function would copy the array. One branch
 * surrounds all loads, so that none waits for another. */
#define LOAD_PARTITION(groups, partition_index, count) \
    if ((partition_index) < (count) / PARTITION) { \
        [[unroll]] for (uint r = 0u; r < scan_groups; r++) \
            groups[r] = item_groups[group_index(partition_index, r)]; \
    } else { \
        [[unroll]] for (uint r = 0u; r < scan_groups; r++) \
            groups[r] = load_last_group(group_index(partition_index, r), count); \
    }

uint sum_of_group(uvec4 group)
{
    return group.x + group.y + group.z + group.w;
}

#endif
