/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Stack monoid, first: what a partition does to any stack. stack_table.glsl says what that is.
 * Reads: brackets. Writes: total and low of the partition, its slice. */
#ifndef STACK_REDUCE_GLSL
#define STACK_REDUCE_GLSL

#define WORKGROUP_SCAN_TYPE int
#include "primitive/stack_partition.glsl"

layout(constant_id = PRIMITIVE_CONSTANT_SUBGROUP_LEAST) const uint subgroup_least = 4u;

shared uint stack_shared_slice[STACK_PARTITION];                         /* bracket of each entry, by level */
shared stack_value stack_shared_sum[STACK_INVOCATIONS / subgroup_least]; /* of a subgroup's entries */

shared int stack_shared_subgroup_low[STACK_INVOCATIONS / subgroup_least];

/* Least of the lows of the runs after this one, and of all. Contains a barrier, and none after it. */
int stack_low_after(int low, out int least)
{
    uint lane = gl_SubgroupInvocationID;
    uint last = gl_SubgroupSize - 1u;
    for (uint reach = 1u; reach < gl_SubgroupSize; reach <<= 1)
        low = min(low, subgroupShuffle(low, min(lane + reach, last)));
    if (lane == 0u)
        stack_shared_subgroup_low[gl_SubgroupID] = low;
    int after = subgroupShuffle(low, min(lane + 1u, last));
    if (lane == last)
        after = STACK_WHOLE_MAX;
    barrier();
    least = STACK_WHOLE_MAX;
    for (uint s = 0u; s < gl_NumSubgroups; s++) {
        int other = stack_shared_subgroup_low[s];
        least = min(least, other);
        if (s > gl_SubgroupID)
            after = min(after, other);
    }
    return after;
}

/* Entries are combined from the slice's bottom, as many at a time as there are invocations. */
void stack_write_slice(uint partition_index, uint size)
{
    uint i = workgroup_invocation();
    uint last = gl_SubgroupSize - 1u;
    stack_value below = stack_identity();
    for (uint first = 0u; first < size; first += STACK_INVOCATIONS) {
        uint index = STACK_NONE;
        stack_value value = stack_identity();
        if (first + i < size) {
            index = stack_shared_slice[first + i];
            value = stack_load(index);
        }
        bool some = first + gl_SubgroupID * gl_SubgroupSize < size;
        for (uint reach = 1u; reach < gl_SubgroupSize && some; reach <<= 1) {
            stack_value earlier = stack_shuffle(value, max(gl_SubgroupInvocationID, reach) - reach);
            if (gl_SubgroupInvocationID >= reach)
                value = stack_combine(earlier, value);
        }
        if (gl_SubgroupInvocationID == last)
            stack_shared_sum[gl_SubgroupID] = value;
        barrier();
        stack_value before = below;
        for (uint s = 0u; s < gl_NumSubgroups; s++) {
            if (s < gl_SubgroupID)
                before = stack_combine(before, stack_shared_sum[s]);
            below = stack_combine(below, stack_shared_sum[s]);
        }
        if (first + i < size) {
            STACK_SLICE_INDEX(partition_index * STACK_PARTITION + first + i) = index;
            STACK_SLICE_VALUE(partition_index * STACK_PARTITION + first + i) = stack_combine(before, value);
        }
        barrier();
    }
}

void stack_reduce(uint partition_index, uint count)
{
    uint i = workgroup_invocation();
    uint first = partition_index * STACK_PARTITION + i * STACK_RUN;
    stack_run run = stack_walk_run(stack_begins(first, count), stack_run_count(first, count));
    int total;
    int depth = workgroup_exclusive_scan(run.pushed - run.popped, total);
    int level = depth - run.popped;
    int low;
    int after = stack_low_after(level, low);
    [[dont_unroll]] for (int p = 0; p < int(STACK_RUN); p++) {
        if (p < run.pushed && level + p < after) {
            uint index = first + stack_place_above(run, p);
            stack_shared_slice[level + p - low] = index;
            stack_unmatched(index);
        }
    }
    if (gl_LocalInvocationIndex == 0u) {
        STACK_TOTAL(partition_index) = total;
        STACK_LOW(partition_index) = low;
    }
    barrier();
    stack_write_slice(partition_index, uint(total - low));
}

#endif
