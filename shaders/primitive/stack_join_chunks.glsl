/* Stack monoid, third: the chunks put one after the other, by one workgroup, as many at a time as it has
 * invocations. Reads: the tree of lows, slices, the values below in chunks. Writes: the rest of the tree, the value below each chunk. */
#ifndef STACK_JOIN_CHUNKS_GLSL
#define STACK_JOIN_CHUNKS_GLSL

#include "primitive/stack_chunk.glsl"
#include "primitive/workgroup_scan.glsl"

#define STACK_RUNS STACK_CHUNK
#include "primitive/stack_below.glsl"

#define STACK_LEAVES STACK_CHUNK
#include "primitive/stack_tree.glsl"

/* What this workgroup wrote, seen by all of it. */
void stack_join_barrier()
{
    controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsBuffer | gl_StorageSemanticsShared,
                   gl_SemanticsAcquireRelease | gl_SemanticsMakeAvailable | gl_SemanticsMakeVisible);
}

/* Minima over the chunks of a round, in shared memory and in the table; then of the larger nodes that the round completes. */
void stack_join_tree(uint first, uint partitions, int low)
{
    uint i = workgroup_invocation();
    uint leaves = stack_leaves(partitions) / STACK_CHUNK;
    stack_make_tree(i, low);
    [[unroll]] for (uint node = i; node < 2u * STACK_CHUNK; node += STACK_CHUNK) {
        uint height = findMSB(STACK_CHUNK) - findMSB(node);
        uint place = node - (STACK_CHUNK >> height);
        if (node != 0u && place < leaves >> height)
            STACK_TREE(partitions, ((leaves + first) >> height) + place) = stack_tree(node);
    }
    if (i == 1u && leaves > STACK_CHUNK) { /* it wrote the root of this round, and of the others */
        uint node = (leaves + first) / STACK_CHUNK;
        while ((node & 1u) != 0u && node > 1u) {
            STACK_TREE(partitions, node >> 1) = min(STACK_TREE(partitions, node - 1u), STACK_TREE(partitions, node));
            node >>= 1;
        }
    }
}

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
        stack_join_tree(first, partitions, low);
        stack_join_barrier();
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
        stack_join_barrier();
    }
}

#endif
