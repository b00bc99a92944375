/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Stack monoid: one workgroup that puts items one after the other, a round of STACK_LEAVES at a time, and makes the
 * table's tree of lows on the way. Items are partitions, or chunks of them, whose lows are nodes higher up.
 * STACK_LEAVES is how many invocations there are. */
#ifndef STACK_ROUNDS_GLSL
#define STACK_ROUNDS_GLSL

#include "primitive/stack_tree.glsl"

/* What this workgroup wrote, seen by all of it. */
void stack_round_barrier()
{
    controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsBuffer | gl_StorageSemanticsShared,
                   gl_SemanticsAcquireRelease | gl_SemanticsMakeAvailable | gl_SemanticsMakeVisible);
}

/* Minima over the round that begins with item `first`, in shared memory and in the table; then of the larger nodes that
 * the round completes. leaves: places for items in the table's tree. */
void stack_round_tree(uint first, uint leaves, uint partitions, int low)
{
    uint i = workgroup_invocation();
    stack_make_tree(i, low);
    [[unroll]] for (uint node = i; node < 2u * STACK_LEAVES; node += STACK_LEAVES) {
        uint height = findMSB(STACK_LEAVES) - findMSB(node);
        uint place = node - (STACK_LEAVES >> height);
        if (node != 0u && place < leaves >> height)
            STACK_TREE(partitions, ((leaves + first) >> height) + place) = stack_tree(node);
    }
    if (i == 1u && leaves > STACK_LEAVES) { /* it wrote the root of this round, and of the others */
        uint node = (leaves + first) / STACK_LEAVES;
        while ((node & 1u) != 0u && node > 1u) {
            STACK_TREE(partitions, node >> 1) = min(STACK_TREE(partitions, node - 1u), STACK_TREE(partitions, node));
            node >>= 1;
        }
    }
}

#endif
