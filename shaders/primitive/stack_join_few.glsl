/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Stack monoid, second where brackets are few: the partitions put one after the other, by one workgroup, as many at a
 * time as it has invocations. stack_table.glsl says what it is about. Reads: totals, lows, slices. Writes: depths, the
 * tree of lows, the values below. */
#ifndef STACK_JOIN_FEW_GLSL
#define STACK_JOIN_FEW_GLSL

#include "primitive/stack_table.glsl"
#define WORKGROUP_SCAN_TYPE int
#include "primitive/workgroup_scan.glsl"

#define STACK_CHUNK gl_WorkGroupSize.x
#define STACK_RUNS STACK_CHUNK
#include "primitive/stack_below.glsl"

#define STACK_LEAVES STACK_CHUNK
#include "primitive/stack_rounds.glsl"

/* What is right under an entry of the bottom of a slice, if that is of an earlier chunk. */
stack_value stack_join_outside(uint first, uint partitions, int level)
{
    uint owner = stack_search_partitions(partitions, (stack_leaves(partitions) + first) / STACK_CHUNK, level);
    if (owner == STACK_NONE)
        return stack_identity();
    int bottom = STACK_TREE(partitions, stack_leaves(partitions) + owner);
    return stack_combine(STACK_BELOW(owner), STACK_SLICE_VALUE(owner * STACK_PARTITION + uint(level - bottom)));
}

/* The value below the slice of each partition: of the entry right under it, which stands in another slice, and of what
 * is below that one in turn. Those in earlier chunks are known. */
void stack_join_values(uint first, uint partitions, int low)
{
    uint i = workgroup_invocation();
    bool present = first + i < partitions;
    uint below = stack_search_tree(i, low - 1);
    stack_value value = stack_identity();
    if (present && below != STACK_NONE)
        value = STACK_SLICE_VALUE((first + below) * STACK_PARTITION + uint(low - 1 - stack_tree(STACK_CHUNK + below)));
    else if (present && first != 0u)
        value = stack_join_outside(first, partitions, low - 1);
    value = stack_fold_below(i, below, value);
    if (present)
        STACK_BELOW(first + i) = value;
}

/* Total and low of a partition as reduce left them. */
ivec2 stack_join_load(uint partition_index, uint partitions)
{
    return partition_index < partitions ? ivec2(STACK_TOTAL(partition_index), STACK_LOW(partition_index))
                                        : ivec2(0, STACK_WHOLE_MAX);
}

void stack_join(uint count)
{
    uint partitions = stack_partition_count(count);
    uint i = workgroup_invocation();
    int depth = 0;
    ivec2 next = stack_join_load(i, partitions);
    for (uint first = 0u; first < partitions; first += STACK_CHUNK) {
        ivec2 own = next;
        next = stack_join_load(first + STACK_CHUNK + i, partitions);
        int all;
        int before = depth + workgroup_exclusive_scan(own.x, all);
        if (first + i < partitions) {
            STACK_DEPTH(partitions, first + i) = before;
            own.y += before;
        }
        stack_round_tree(first, stack_leaves(partitions), partitions, own.y);
        stack_join_values(first, partitions, own.y);
        depth += all;
        stack_round_barrier();
    }
}

#endif
