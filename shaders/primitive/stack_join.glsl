/* Stack monoid, second: the partitions put one after the other, by one workgroup, as many at a time as it has invocations.
 * stack_table.glsl says what it is about. Reads: totals, lows, slices. Writes: depths, the tree of lows, the values below. */
#ifndef STACK_JOIN_GLSL
#define STACK_JOIN_GLSL

#include "primitive/stack_table.glsl"
#define WORKGROUP_SCAN_TYPE int
#include "primitive/workgroup_scan.glsl"

#define STACK_CHUNK gl_WorkGroupSize.x
#define STACK_RUNS STACK_CHUNK
#include "primitive/stack_below.glsl"

shared int stack_shared_tree[2u * STACK_CHUNK];

/* What this workgroup wrote, seen by all of it. */
void stack_join_barrier()
{
    controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsBuffer | gl_StorageSemanticsShared,
                   gl_SemanticsAcquireRelease | gl_SemanticsMakeAvailable | gl_SemanticsMakeVisible);
}

/* Minima over the chunk, in shared memory and in the table; then of the larger nodes that the chunk completes. */
void stack_join_tree(uint first, uint partitions, int low)
{
    uint i = workgroup_invocation();
    uint leaves = stack_leaves(partitions);
    stack_shared_tree[STACK_CHUNK + i] = low;
    if (first + i < leaves)
        STACK_TREE(partitions, leaves + first + i) = low;
    barrier();
    uint shift = 1u;
    for (uint width = STACK_CHUNK >> 1; width != 0u; width >>= 1) {
        if (i < width) {
            int lower = min(stack_shared_tree[2u * (width + i)], stack_shared_tree[2u * (width + i) + 1u]);
            stack_shared_tree[width + i] = lower;
            if (i < leaves >> shift)
                STACK_TREE(partitions, ((leaves + first) >> shift) + i) = lower;
        }
        shift++;
        barrier();
    }
    if (i == 0u && leaves > STACK_CHUNK) {
        uint node = (leaves + first) / STACK_CHUNK;
        while ((node & 1u) != 0u && node > 1u) {
            STACK_TREE(partitions, node >> 1) = min(STACK_TREE(partitions, node - 1u), STACK_TREE(partitions, node));
            node >>= 1;
        }
    }
    stack_join_barrier();
}

/* The last partition of the chunk before the i-th whose low is at most `level`, or STACK_NONE. All take the same rounds. */
uint stack_search_chunk(uint i, int level)
{
    uint node = STACK_CHUNK + i;
    bool found = false;
    for (uint width = STACK_CHUNK; width > 1u; width >>= 1) {
        found = found || ((node & 1u) != 0u && stack_shared_tree[node - 1u] <= level);
        if (!found)
            node >>= 1;
    }
    node -= uint(found);
    for (uint width = STACK_CHUNK; width > 1u; width >>= 1) {
        if (found && node < STACK_CHUNK) {
            node = 2u * node + 1u;
            if (stack_shared_tree[node] > level)
                node--;
        }
    }
    return found ? node - STACK_CHUNK : STACK_NONE;
}

/* The value below the slice of each partition: of the entry right under it, which stands in another slice, and of what is below that
 * one in turn. Those in earlier chunks are known; within the chunk the distance doubles each round. */
void stack_join_values(uint first, uint partitions, int low)
{
    uint i = workgroup_invocation();
    bool present = first + i < partitions;
    uint below = stack_search_chunk(i, low - 1);
    stack_value value = stack_identity();
    if (present) {
        uint owner = below != STACK_NONE ? first + below : STACK_NONE;
        if (below == STACK_NONE && first != 0u)
            owner = stack_search_partitions(partitions, (stack_leaves(partitions) + first) / STACK_CHUNK, low - 1);
        if (owner != STACK_NONE) {
            int bottom = below != STACK_NONE ? stack_shared_tree[STACK_CHUNK + below] : STACK_TREE(partitions, stack_leaves(partitions) + owner);
            value = STACK_SLICE(owner * STACK_PARTITION + uint(low - 1 - bottom)).value;
            if (below == STACK_NONE)
                value = stack_combine(STACK_BELOW(owner), value);
        }
    }
    value = stack_join_below(i, STACK_CHUNK, true, below, value);
    if (present)
        STACK_BELOW(first + i) = value;
}

void stack_join(uint count)
{
    uint partitions = stack_partition_count(count);
    uint i = workgroup_invocation();
    int depth = 0;
    for (uint first = 0u; first < partitions; first += STACK_CHUNK) {
        int total = 0;
        int low = STACK_WHOLE_MAX;
        if (first + i < partitions) {
            total = STACK_DEPTH(first + i);
            low = STACK_LOW(first + i);
        }
        int all;
        int before = depth + workgroup_exclusive_scan(total, all);
        if (first + i < partitions) {
            STACK_DEPTH(first + i) = before;
            low += before;
        }
        stack_join_tree(first, partitions, low);
        stack_join_values(first, partitions, low);
        depth += all;
        stack_join_barrier();
    }
}

#endif
