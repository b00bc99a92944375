/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Stack monoid: what a partition does if one before it does not answer. The whole workgroup matches the brackets of
 * that one, takes what it needs, matches its own again, and looks back further. */
#ifndef STACK_RECOMPUTE_GLSL
#define STACK_RECOMPUTE_GLSL

#include "primitive/stack_look_back.glsl"

/* Serves what the partition before the cursor has. Its brackets have just been matched. Ends in a barrier. */
void stack_serve_recomputed()
{
    stack_search search = stack_shared_search;
    uint partition_index = search.cursor - 1u;
    int low = search.linked ? search.linked_low : search.depth - stack_shared_total.y;
    int start = low + stack_shared_total.x;
    stack_value all = stack_identity();
    uint above;
    search.last_reached = search.reached;
    search.last_whole = search.whole;
    if (low < search.reached) {
        uint owner = stack_owner(stack_word_count(), search.reached - 1 - start, above);
        all =
            stack_combine(stack_shared_below[owner], STACK_PLACE_VALUE(stack_place(owner, search.reached - 1 - start)));
    }
    [[dont_unroll]] for (int from = -1; from >= search.deepest; from -= int(STACK_INVOCATIONS)) {
        int depth = from - int(stack_own());
        if (depth < search.deepest || depth < low)
            continue;
        if (stack_is_part(search, depth) && low < search.reached)
            stack_serve_below(depth, all);
        if (depth < search.reached) {
            uint owner = stack_owner(stack_word_count(), depth - start, above);
            uint place = stack_place(owner, depth - start);
            stack_serve(depth, STACK_PLACE_INDEX(place),
                        stack_combine(stack_shared_below[owner], STACK_PLACE_VALUE(place)));
            if (depth == search.deepest)
                stack_shared_link = uvec2(partition_index, uint(depth - low));
        }
    }
    stack_sync();
    if (stack_own() == 0u) {
        stack_shared_search.reached = min(search.reached, low);
        stack_shared_search.depth = start;
        stack_shared_search.cursor = partition_index;
        stack_shared_search.linked = false;
    }
    barrier();
}

#endif
