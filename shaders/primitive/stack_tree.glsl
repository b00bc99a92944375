/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Stack monoid: a tree of minima over as many leaves as a workgroup has invocations, in shared memory. Node 1 is the
 * root, the children of n are 2n and 2n + 1.
 *
 * How to use it: define STACK_LEAVES, a power of two and the local size; in uniform control flow stack_make_tree(leaf,
 * low). Ends in a barrier. */
#ifndef STACK_TREE_GLSL
#define STACK_TREE_GLSL

shared int stack_shared_tree[2u * STACK_LEAVES];

/* Makes the levels above `width` nodes, one of which each of that many invocations has, as far as their subgroup
 * spans them. */
void stack_make_levels(uint i, uint width, int low)
{
    uint node = width + i;
    for (uint step = 1u; step < min(gl_SubgroupSize, width); step <<= 1) {
        low = min(low, subgroupShuffle(low, gl_SubgroupInvocationID ^ step));
        node >>= 1;
        if ((i & 2u * step - 1u) == 0u && i < width)
            stack_shared_tree[node] = low;
    }
}

void stack_make_tree(uint leaf, int low)
{
    stack_shared_tree[STACK_LEAVES + leaf] = low;
    stack_make_levels(leaf, STACK_LEAVES, low);
    barrier();
    [[dont_unroll]] for (uint width = STACK_LEAVES / gl_SubgroupSize; width > 1u; width /= gl_SubgroupSize) {
        stack_make_levels(leaf, width, leaf < width ? stack_shared_tree[width + leaf] : STACK_WHOLE_MAX);
        barrier();
    }
}

/* Relaxed atomics order nothing, which leaves that to the barriers; lavapipe survives them where subgroups loop
 * unequally. */
int stack_tree(uint node)
{
    return atomicLoad(stack_shared_tree[node], gl_ScopeWorkgroup, 0, gl_SemanticsRelaxed);
}

/* The last leaf at or below the node whose low is at most `level`. found: there is one. All take the same rounds. */
uint stack_last_leaf(uint node, int level, bool found)
{
    [[dont_unroll]] for (uint width = STACK_LEAVES; width > 1u; width >>= 1) {
        if (found && node < STACK_LEAVES) {
            node = 2u * node + 1u;
            if (stack_tree(node) > level)
                node--;
        }
    }
    return found ? node - STACK_LEAVES : STACK_NONE;
}

/* The last leaf before this one whose low is at most `level`; STACK_NONE: there is none. All take the same rounds. */
uint stack_search_tree(uint leaf, int level)
{
    uint node = STACK_LEAVES + leaf;
    bool found = false;
    [[dont_unroll]] for (uint width = STACK_LEAVES; width > 1u; width >>= 1) {
        found = found || ((node & 1u) != 0u && stack_tree(node - 1u) <= level);
        if (!found)
            node >>= 1;
    }
    return stack_last_leaf(node - uint(found), level, found);
}

#endif
