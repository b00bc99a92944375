/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Stack monoid: what the kernels that put partitions one after the other have in common. A chunk is as many partitions
 * as a workgroup has invocations; where they are joined at all there are several. */
#ifndef STACK_CHUNK_GLSL
#define STACK_CHUNK_GLSL

#include "primitive/stack_table.glsl"

#define STACK_CHUNK uint(STACK_INVOCATIONS)

uint stack_chunk_count(uint partitions)
{
    return partitions / STACK_CHUNK + uint(partitions % STACK_CHUNK != 0u);
}

/* The node of the tree of lows that spans a chunk. */
uint stack_chunk_node(uint partitions, uint chunk)
{
    return stack_leaves(partitions) / STACK_CHUNK + chunk;
}

/* What is open at a level that a partition left, of its slice alone. */
stack_value stack_slice_value(uint partitions, uint partition_index, int level)
{
    int low = STACK_TREE(partitions, stack_leaves(partitions) + partition_index);
    return STACK_SLICE_VALUE(partition_index * STACK_PARTITION + uint(level - low));
}

/* The same, of its whole chunk. */
stack_value stack_chunk_value(uint partitions, uint partition_index, int level)
{
    return stack_combine(STACK_BELOW_IN_CHUNK(partitions, partition_index),
                         stack_slice_value(partitions, partition_index, level));
}

#endif
