/* Stack monoid, first: what a partition does to any stack. stack_table.glsl says what that is.
 * Reads: brackets. Writes: total and low of the partition, its slice. */
#ifndef STACK_REDUCE_GLSL
#define STACK_REDUCE_GLSL

#include "primitive/stack_partition.glsl"

shared uint stack_shared_slice[STACK_PARTITION]; /* bracket of each entry, by level */
shared stack_value stack_shared_sum[STACK_INVOCATIONS / subgroup_least]; /* of a subgroup's entries */

/* Entries are combined from the slice's bottom, as many at a time as there are invocations. */
void stack_write_slice(uint partition_index, uint size)
{
    uint i = workgroup_invocation();
    uint last = gl_SubgroupSize - 1u;
    stack_value below = stack_identity();
    for (uint first = 0u; first < size; first += STACK_INVOCATIONS) {
        uint index = STACK_NONE;
        stack_value value = stack_identity();
        if (first + i < size) {
            index = stack_shared_slice[first + i];
            value = stack_load(index);
        }
        for (uint reach = 1u; reach < gl_SubgroupSize; reach <<= 1) {
            stack_value earlier = stack_shuffle(value, max(gl_SubgroupInvocationID, reach) - reach);
            if (gl_SubgroupInvocationID >= reach)
                value = stack_combine(earlier, value);
        }
        if (gl_SubgroupInvocationID == last)
            stack_shared_sum[gl_SubgroupID] = value;
        barrier();
        stack_value before = below;
        for (uint s = 0u; s < gl_NumSubgroups; s++) {
            if (s < gl_SubgroupID)
                before = stack_combine(before, stack_shared_sum[s]);
            below = stack_combine(below, stack_shared_sum[s]);
        }
        if (first + i < size)
            STACK_SLICE(partition_index * STACK_PARTITION + first + i) = stack_entry(index, stack_combine(before, value));
        barrier();
    }
}

void stack_reduce(uint partition_index, uint count)
{
    stack_bracket brackets[STACK_ROUNDS];
    [[unroll]] for (uint r = 0u; r < STACK_ROUNDS; r++) {
        uint word = stack_word(r);
        int total, low;
        uint index = partition_index * STACK_PARTITION + word * gl_SubgroupSize + gl_SubgroupInvocationID;
        brackets[r] = stack_analyse_word(index, count, total, low);
        stack_give_word(word, total, low);
    }
    int total = stack_join_words(0);
    int low = stack_tree(1u);
    [[unroll]] for (uint r = 0u; r < STACK_ROUNDS; r++) {
        uint word = stack_word(r);
        int level = stack_shared_depth[word] + brackets[r].depth;
        bool pushed = brackets[r].pushed && level < stack_low_beside(word, true);
        if (pushed) {
            uint index = partition_index * STACK_PARTITION + word * gl_SubgroupSize + gl_SubgroupInvocationID;
            stack_shared_slice[level - low] = index;
            stack_unmatched(index);
        }
    }
    if (gl_LocalInvocationIndex == 0u) {
        STACK_DEPTH(partition_index) = total;
        STACK_LOW(partition_index) = low;
    }
    barrier();
    stack_write_slice(partition_index, uint(total - low));
}

#endif
