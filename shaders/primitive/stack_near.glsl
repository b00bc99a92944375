/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Stack monoid: what resolve asks of the partitions before its own (stack_table.glsl). Every workgroup keeps the
 * lows of the nearest ones. If there are no others, no join is needed, and depths and values below are computed
 * here. */
#ifndef STACK_NEAR_GLSL
#define STACK_NEAR_GLSL

#define WORKGROUP_SCAN_TYPE ivec2
#include "primitive/stack_partition.glsl"
#define STACK_LEAVES uint(STACK_INVOCATIONS)
#include "primitive/stack_tree.glsl"
#define STACK_RUNS STACK_INVOCATIONS
#include "primitive/stack_below.glsl"

layout(constant_id = PRIMITIVE_CONSTANT_SUBGROUP_LEAST) const uint subgroup_least = 4u;

/* least low of the nearest partitions before this one, one and more of them */
shared int stack_shared_near[STACK_NEAR];
shared ivec2 stack_shared_least[STACK_INVOCATIONS / subgroup_least];
shared stack_value stack_shared_sum[STACK_INVOCATIONS / subgroup_least];

/* The partitions that an invocation keeps, the nearest first. */
struct stack_near {
    int lows[STACK_NEAR_EACH];   /* from the row's start on if they are joined, otherwise from their own */
    int totals[STACK_NEAR_EACH]; /* if they are not joined */
    int total;
};

stack_near stack_load_near(uint partition_index, uint partitions)
{
    stack_near near;
    near.total = 0;
    [[unroll]] for (uint n = 0u; n < STACK_NEAR_EACH; n++) {
        uint distance = workgroup_invocation() * STACK_NEAR_EACH + n + 1u;
        near.lows[n] = STACK_WHOLE_MAX;
        near.totals[n] = 0;
        if (distance <= partition_index) {
            if (stack_joined(partitions)) {
                near.lows[n] = STACK_TREE(partitions, stack_leaves(partitions) + partition_index - distance);
            } else {
                near.totals[n] = STACK_TOTAL(partition_index - distance);
                near.lows[n] = STACK_LOW(partition_index - distance);
            }
        }
        near.total += near.totals[n];
    }
    return near;
}

/* Lows from the row's start on; depth: behind the first of these partitions. */
void stack_place_near(inout stack_near near, int depth)
{
    [[unroll]] for (uint n = 0u; n < STACK_NEAR_EACH; n++) {
        depth -= near.totals[n];
        if (near.lows[n] != STACK_WHOLE_MAX)
            near.lows[n] += depth;
    }
}

int stack_least_near(stack_near near)
{
    int least = near.lows[0];
    [[unroll]] for (uint n = 1u; n < STACK_NEAR_EACH; n++)
        least = min(least, near.lows[n]);
    return least;
}

/* Least of all values before this invocation's, component by component. Contains a barrier, and none after it. */
ivec2 stack_least_before(ivec2 value)
{
    ivec2 least = subgroupInclusiveMin(value);
    if (gl_SubgroupInvocationID == gl_SubgroupSize - 1u)
        stack_shared_least[gl_SubgroupID] = least;
    least = subgroupShuffle(least, max(gl_SubgroupInvocationID, 1u) - 1u);
    if (gl_SubgroupInvocationID == 0u)
        least = ivec2(STACK_WHOLE_MAX);
    barrier();
    for (uint s = 0u; s < gl_NumSubgroups; s++)
        least = min(least, s < gl_SubgroupID ? stack_shared_least[s] : least);
    return least;
}

/* What is left of a partition's slice, which reached down to `low`, after later partitions went down to `least`. */
stack_value stack_left_value(uint partition_index, int low, int least)
{
    return STACK_SLICE_VALUE(partition_index * STACK_PARTITION + uint(least - 1 - low));
}

/* Keeps the lows. least: of the nearer partitions. Returns what the kept ones left on the stack, if they are not
 * joined. */
stack_value stack_keep_near(stack_near near, uint partition_index, uint partitions, int least)
{
    stack_value value = stack_identity();
    [[unroll]] for (uint n = 0u; n < STACK_NEAR_EACH; n++) {
        uint i = workgroup_invocation() * STACK_NEAR_EACH + n;
        if (!stack_joined(partitions) && near.lows[n] < least)
            value = stack_combine(stack_left_value(partition_index - 1u - i, near.lows[n], least), value);
        least = min(least, near.lows[n]);
        stack_shared_near[i] = least;
    }
    return value;
}

/* Combined values of the invocations after this one, the last outermost. Contains a barrier, and none after it. */
stack_value stack_combine_after(stack_value value)
{
    uint lane = gl_SubgroupInvocationID;
    uint last = gl_SubgroupSize - 1u;
    for (uint reach = 1u; reach < gl_SubgroupSize; reach <<= 1) {
        stack_value outer = stack_shuffle(value, min(lane + reach, last));
        if (lane + reach <= last)
            value = stack_combine(outer, value);
    }
    if (lane == 0u)
        stack_shared_sum[gl_SubgroupID] = value;
    value = stack_shuffle(value, min(lane + 1u, last));
    if (lane == last)
        value = stack_identity();
    barrier();
    for (uint s = 1u; s < gl_NumSubgroups; s++) {
        if (s > gl_SubgroupID)
            value = stack_combine(stack_shared_sum[s], value);
    }
    return value;
}

/* The partition that pushed a level of the stack before this one, or STACK_NONE, and its low. It is mostly near: a
 * search in the partitions' tree is a round trip to memory for each level of the tree. */
uint stack_owner_before(uint partition_index, uint partitions, int level, out int low)
{
    uint near = 0u;
    [[dont_unroll]] for (uint width = STACK_NEAR >> 1; width != 0u; width >>= 1)
        near += atomicLoad(stack_shared_near[near + width - 1u], gl_ScopeWorkgroup, 0, gl_SemanticsRelaxed) > level
                    ? width
                    : 0u;
    low = atomicLoad(stack_shared_near[near], gl_ScopeWorkgroup, 0, gl_SemanticsRelaxed);
    if (low <= level)
        return partition_index - near - 1u;
    if (partition_index <= STACK_NEAR)
        return STACK_NONE;
    uint owner = stack_search_partitions(partitions, stack_leaves(partitions) + partition_index - STACK_NEAR, level);
    if (owner != STACK_NONE)
        low = STACK_TREE(partitions, stack_leaves(partitions) + owner);
    return owner;
}

/* The value below the slice of an earlier partition. Without a join stack_shared_below has the part that lies beyond
 * the partitions that the same invocation keeps. */
stack_value stack_value_below(uint owner, uint partition_index, uint partitions)
{
    if (stack_joined(partitions))
        return STACK_BELOW(owner);
    uint near = partition_index - owner - 1u;
    stack_value value = stack_identity();
    [[unroll]] for (uint n = 1u; n < STACK_NEAR_EACH; n++) {
        uint i = near - near % STACK_NEAR_EACH + n;
        int low = stack_shared_near[i];
        int least = stack_shared_near[i - 1u];
        if (i > near && low < least)
            value = stack_combine(stack_left_value(partition_index - 1u - i, low, least), value);
    }
    return stack_combine(stack_shared_below[near / STACK_NEAR_EACH], value);
}

/* The begin that pushed a level of the stack before the partition, or STACK_NONE, and what is open there. */
uint stack_find_before(uint partition_index, uint partitions, int level, out stack_value value)
{
    value = stack_identity();
    int low;
    uint owner = partition_index != 0u ? stack_owner_before(partition_index, partitions, level, low) : STACK_NONE;
    if (owner == STACK_NONE)
        return STACK_NONE;
    uint entry = owner * STACK_PARTITION + uint(level - low);
    value = stack_combine(stack_value_below(owner, partition_index, partitions), STACK_SLICE_VALUE(entry));
    return STACK_SLICE_INDEX(entry);
}

#endif
