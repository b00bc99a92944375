/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Stack monoid, second: the partitions of each chunk put one after the other. stack_table.glsl says what it is about.
 * Reads: totals, lows, slices. Writes: depths, the tree of lows up to the chunks, the values below of what is in the
 * chunk. */
#ifndef STACK_JOIN_GLSL
#define STACK_JOIN_GLSL

#include "primitive/stack_chunk.glsl"
#define WORKGROUP_SCAN_TYPE ivec2
#include "primitive/workgroup_scan.glsl"

#define STACK_RUNS STACK_CHUNK
#include "primitive/stack_below.glsl"

#define STACK_LEAVES STACK_CHUNK
#include "primitive/stack_tree.glsl"

void stack_join(uint chunk, uint count)
{
    uint partitions = stack_partition_count(count);
    if (!stack_joined(partitions) || chunk >= stack_chunk_count(partitions))
        return;
    uint i = workgroup_invocation();
    uint first = chunk * STACK_CHUNK;
    bool present = first + i < partitions;
    ivec2 own = present ? ivec2(STACK_TOTAL(first + i), STACK_LOW(first + i)) : ivec2(0, STACK_WHOLE_MAX);
    int earlier = 0;
    for (uint other = i; other < first; other += STACK_CHUNK)
        earlier += STACK_TOTAL(other);
    ivec2 all;
    int depth = workgroup_exclusive_scan(ivec2(own.x, earlier), all).x + all.y;
    int low = own.y;
    if (present) {
        STACK_DEPTH(partitions, first + i) = depth;
        low += depth;
    }
    stack_make_tree(i, low);
    uint leaves = stack_leaves(partitions);
    [[unroll]] for (uint node = i; node < 2u * STACK_CHUNK; node += STACK_CHUNK) {
        uint height = findMSB(STACK_CHUNK) - findMSB(node);
        uint place = node - (STACK_CHUNK >> height);
        if (node != 0u && place < leaves >> height)
            STACK_TREE(partitions, ((leaves + first) >> height) + place) = stack_tree(node);
    }
    uint under = stack_search_tree(i, low - 1);
    stack_value value = stack_identity();
    if (present && under != STACK_NONE)
        value = STACK_SLICE_VALUE((first + under) * STACK_PARTITION + uint(low - 1 - stack_tree(STACK_CHUNK + under)));
    value = stack_fold_below(i, under, value);
    if (present)
        STACK_BELOW_IN_CHUNK(partitions, first + i) = value;
}

#endif
