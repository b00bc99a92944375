/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Stack monoid, third: the chunks put one after the other, by one workgroup, as many at a time as it has invocations.
 * Reads: the tree of lows, slices, the values below in chunks. Writes: the rest of the tree, the value below each
 * chunk. */
#ifndef STACK_JOIN_CHUNKS_GLSL
#define STACK_JOIN_CHUNKS_GLSL

#include "primitive/stack_chunk.glsl"
#include "primitive/workgroup_scan.glsl"

#define STACK_RUNS STACK_CHUNK
#include "primitive/stack_below.glsl"

#define STACK_LEAVES STACK_CHUNK
#include "primitive/stack_rounds.glsl"

void stack_join_chunks(uint count)
{
    uint partitions = stack_partition_count(count);
    uint chunks = stack_chunk_count(partitions);
    if (!stack_joined(partitions))
        return;
    uint i = workgroup_invocation();
    for (uint first = 0u; first < chunks; first += STACK_CHUNK) {
        uint node = stack_chunk_node(partitions, first + i);
        bool present = first + i < chunks;
        int low = present ? STACK_TREE(partitions, node) : STACK_WHOLE_MAX;
        stack_round_tree(first, stack_leaves(partitions) / STACK_CHUNK, partitions, low);
        stack_round_barrier();
        uint under = stack_search_tree(i, low - 1);
        stack_value value = stack_identity();
        uint owner = STACK_NONE;
        if (present && (under != STACK_NONE || first != 0u))
            owner = stack_search_partitions(partitions, node, low - 1);
        if (owner != STACK_NONE) {
            value = stack_chunk_value(partitions, owner, low - 1);
            if (under == STACK_NONE)
                value = stack_combine(STACK_BELOW_CHUNK(partitions, owner / STACK_CHUNK), value);
        }
        value = stack_fold_below(i, under, value);
        if (present)
            STACK_BELOW_CHUNK(partitions, first + i) = value;
        stack_round_barrier();
    }
}

#endif
