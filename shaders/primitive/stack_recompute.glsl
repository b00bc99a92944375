/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Stack monoid: what a partition does if one before it does not answer. The whole workgroup matches the brackets of
 * that one, takes what it needs, matches its own again, and looks back further. Meanwhile what has been served lies in
 * the part of the partition's slice that it does not fill. */
#ifndef STACK_RECOMPUTE_GLSL
#define STACK_RECOMPUTE_GLSL

#include "primitive/stack_look_back.glsl"

uint stack_saved(stack_search search, int depth)
{
    return STACK_ENTRY(search.partition_index, stack_outside(depth));
}

/* Puts what has been served aside, or takes it back. */
void stack_move_served(stack_search search, bool back)
{
    [[dont_unroll]] for (int from = -1; from >= max(search.reached, search.deepest); from -= int(STACK_INVOCATIONS)) {
        int depth = from - int(stack_own());
        if (depth < max(search.reached, search.deepest))
            continue;
        uint entry = stack_saved(search, depth);
        if (back) {
            stack_serve(depth, STACK_SLICE_INDEX(entry), STACK_SLICE_VALUE(entry));
        } else {
            STACK_SLICE_INDEX(entry) = stack_shared_index[stack_outside(depth)];
            STACK_SLICE_VALUE(entry) = stack_shared_value[stack_outside(depth)];
        }
    }
    stack_sync();
}

/* Serves what the partition before the cursor has. Its brackets have just been matched. */
void stack_serve_recomputed(inout stack_search search)
{
    uint partition_index = search.cursor - 1u;
    int low = search.linked ? search.linked_low : search.depth - stack_shared_total.y;
    int start = low + stack_shared_total.x;
    stack_value all = stack_identity();
    uint above;
    if (low < search.reached) {
        uint owner = stack_owner(stack_word_count(), search.reached - 1 - start, above);
        all = stack_combine(stack_shared_below[owner],
                            stack_shared_value[stack_place(owner, search.reached - 1 - start)]);
    }
    [[dont_unroll]] for (int from = -1; from >= search.deepest; from -= int(STACK_INVOCATIONS)) {
        int depth = from - int(stack_own());
        if (depth < search.deepest || depth < low)
            continue;
        uint entry = stack_saved(search, depth);
        if (stack_is_part(search, depth) && low < search.reached)
            STACK_SLICE_VALUE(entry) = stack_combine(all, STACK_SLICE_VALUE(entry));
        if (depth < search.reached) {
            uint owner = stack_owner(stack_word_count(), depth - start, above);
            uint place = stack_place(owner, depth - start);
            STACK_SLICE_INDEX(entry) = stack_shared_index[place];
            STACK_SLICE_VALUE(entry) = stack_combine(stack_shared_below[owner], stack_shared_value[place]);
            if (depth == search.deepest)
                stack_shared_link = uvec2(partition_index, uint(depth - low));
        }
    }
    search.reached = min(search.reached, low);
    search.depth = start;
    search.cursor = partition_index;
    search.linked = false;
    stack_sync();
}

#endif
