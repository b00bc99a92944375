/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Stack monoid, fourth: what is below each partition's slice, other chunks included.
 * Reads: the tree of lows, slices, the values below in chunks and of chunks. Writes: the values below. */
#ifndef STACK_JOIN_BELOW_GLSL
#define STACK_JOIN_BELOW_GLSL

#include "primitive/stack_chunk.glsl"

#define STACK_LEAST_TYPE int
#include "primitive/stack_least.glsl"

void stack_join_below(uint chunk, uint count)
{
    uint partitions = stack_partition_count(count);
    if (!stack_joined(partitions) || chunk >= stack_chunk_count(partitions))
        return;
    uint own = chunk * STACK_CHUNK + gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID;
    bool present = own < partitions;
    /* What lies below in the chunk goes down to here. */
    int low = stack_least_up_to(present ? STACK_TREE(partitions, stack_leaves(partitions) + own) : STACK_WHOLE_MAX);
    if (!present)
        return;
    stack_value value = STACK_BELOW_IN_CHUNK(partitions, own);
    uint owner = stack_search_partitions(partitions, stack_chunk_node(partitions, chunk), low - 1);
    if (owner != STACK_NONE) {
        stack_value outer = stack_combine(STACK_BELOW_CHUNK(partitions, owner / STACK_CHUNK),
                                          stack_chunk_value(partitions, owner, low - 1));
        value = stack_combine(outer, value);
    }
    STACK_BELOW(own) = value;
}

#endif
