/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The stack monoid: what is open after each begin and each end, at any depth, in one pass.
 *
 *     brackets    ( ( ) ( (   ) ) ) ( )   ( ( ) ) )      the input, cut into words of a subgroup's lanes,
 *     words       |_______|   |_______|   |_______|      matched by bits (stack_word.glsl)
 *     slices      pops 0      pops 3      pops 1         a word pops entries from before it, and leaves a slice of
 *                 leaves 3    leaves 0    leaves 0       open begins
 *     partition   |___________________________________|  words are joined: which slice has the entry at a depth?
 *                                                        (stack_partition.glsl)
 *     look-back   P0 <--- P1 <--- P2 <--- P3             the same over partitions. A partition publishes its sizes and
 *     links        ^_______________________|             its slice, then looks back until what it pops is found; then
 *                                                        it publishes a link to the partition under its own slice
 *                                                        (stack_look_back.glsl)
 *
 * Values of entries are combined apart from that: within a word, then below each word, below each partition.
 *
 * Workgroups take partitions by tickets. No workgroup depends on another one making progress: polls are bounded, and
 * what is missing is then computed from the input itself (stack_recompute.glsl). An input of one partition is for the
 * first workgroup, which waits for nothing.
 * Sources: Levien, "The stack monoid revisited", 2021, for slices and look-back; Merrill and Garland, "Single-pass
 * Parallel Prefix Scan with Decoupled Look-back", 2016.
 *
 * How to use it
 *   The including file first has:
 *     the extensions GL_KHR_memory_scope_semantics, GL_EXT_control_flow_attributes,
 *     GL_KHR_shader_subgroup_{basic, vote, arithmetic, ballot, shuffle} and #pragma use_vulkan_memory_model
 *     struct stack_value { ... };            what a begin adds; it has only integers
 *     #define STACK_INVOCATIONS 128          the local size: a multiple of 64
 *     #define STACK_ITEMS 4                   brackets that an invocation takes
 *     #define STACK_LOOK_AHEAD 128               partitions that a look-back reads at once: a power of two, at most the
 *                                            local size
 *     #define STACK_TABLE(i) ...              an int of a buffer with STACK_TABLE_WORDS(partitions) of them; the first
 *                                            1 + partitions are zero before the dispatch
 *     #define STACK_SLICE_INDEX(i) ...       a uint of a buffer with STACK_PARTITION + 1 for each partition: the begin
 *                                            of an entry
 *     #define STACK_SLICE_VALUE(i) ...       a stack_value of a buffer with as many: that entry's value
 *     #define STACK_BELOW(i) ...             a stack_value of a buffer with one for each partition
 *     #include "primitive/stack_monoid.glsl"
 *   After the include it defines:
 *     stack_value stack_identity()
 *     stack_value stack_combine(stack_value outer, stack_value inner)
 *                                            associative, and exact
 *     stack_value stack_shuffle(stack_value value, uint lane)
 *                                            subgroupShuffle of each component
 *     bool stack_begins(uint i)              whether bracket i, which is less than count, is a begin
 *     stack_value stack_load(uint i)         its value; that of an end does not matter
 *     void stack_store(stack_result result)  called once for each bracket
 *   main calls stack_resolve(count) and does nothing else. A dispatch has as many workgroups as there are partitions,
 *   or more. */
#ifndef STACK_MONOID_GLSL
#define STACK_MONOID_GLSL

#include "layout/primitive.h"

#ifndef RELAXED_LOAD
#define RELAXED_LOAD(memory) atomicLoad(memory, gl_ScopeWorkgroup, gl_StorageSemanticsNone, gl_SemanticsRelaxed)
#endif

stack_value stack_identity();
stack_value stack_combine(stack_value outer, stack_value inner);
stack_value stack_shuffle(stack_value value, uint lane);
bool stack_begins(uint i);
stack_value stack_load(uint i);

struct stack_result {
    uint index; /* the bracket's */
    bool begins;
    uint match;        /* an end's begin, or STACK_NONE; nothing is known of a begin's end */
    uint context;      /* innermost begin open after the bracket, or STACK_NONE: a begin is its own */
    uint depth;        /* begins open after the bracket */
    stack_value value; /* values of these, combined from the outermost */
};

void stack_store(stack_result result);

#include "primitive/stack_recompute.glsl"

shared uint stack_shared_ticket;
shared stack_search stack_shared_search; /* while a partition is matched that did not answer */

/* The partition of this workgroup, or LOOK_BACK_NO_PARTITION. */
uint stack_take(uint partitions)
{
    if (partitions <= 1u)
        return partitions == 1u && gl_WorkGroupID.x + gl_WorkGroupID.y == 0u ? 0u : LOOK_BACK_NO_PARTITION;
    if (gl_LocalInvocationIndex == 0u)
        stack_shared_ticket = uint(atomicAdd(STACK_TABLE(0), 1, gl_ScopeDevice, 0, gl_SemanticsRelaxed));
    barrier();
    return look_back_partition(stack_shared_ticket, partitions);
}

/* Combines what lay before the partition with what lies below each word. The lowest word up to each stands on it. */
void stack_place_words(stack_search search)
{
    uint own = stack_own();
    if (own < stack_word_count()) {
        int low = min(stack_shared_hop[own + 1u] >> 8, stack_shared_depth[own].y);
        stack_shared_below[own + 1u] =
            stack_combine(stack_shared_value[stack_outside(low - 1)], stack_shared_below[own + 1u]);
    }
    if (own == 0u)
        stack_shared_below[0] = stack_identity();
    barrier();
}

/* The results of the invocation's bracket in one of its words. */
void stack_answer(uint item, uint partition_index, uint count, stack_search search)
{
    uint word = stack_word_index(item);
    uint first = partition_index * STACK_PARTITION + word * stack_word_size();
    uint begins = stack_shared_bits[word].x;
    uint before = stack_near[item] & 255u;
    uint context = stack_near[item] >> 8;
    ivec2 depth = stack_shared_depth[word];
    int low = depth.x - bitCount(stack_shared_bits[word].y & stack_lanes_up_to());
    uint above;
    uint owner = stack_owner(word, low - 1, above);
    uint place = stack_place(owner, low - 1);

    stack_result result;
    result.index = first + stack_lane();
    result.begins = (begins >> stack_lane() & 1u) != 0u;
    result.match = before != STACK_NO_LANE ? first + before : STACK_NONE;
    if (!result.begins && before == STACK_NO_LANE)
        result.match = stack_shared_index[stack_place(above, low)];
    result.context = context != STACK_NO_LANE ? first + context : stack_shared_index[place];
    int least = min(search.least, search.start + min(depth.y, low));
    result.depth = uint(search.start + depth.x + stack_depth_in(begins) - least);
    result.value = stack_combine(stack_shared_below[owner], stack_shared_value[place]);
    stack_value chain = stack_shuffle(stack_values[item], stack_subgroup_lane(min(context, stack_lane())));
    if (context != STACK_NO_LANE)
        result.value = stack_combine(result.value, chain);
    if (result.index < count)
        stack_store(result);
}

void stack_resolve(uint count)
{
    uint partitions = count / STACK_PARTITION + uint(count % STACK_PARTITION != 0u);
    uint partition_index = stack_take(partitions);
    if (partition_index == LOOK_BACK_NO_PARTITION)
        return;
    stack_search search;
    uint matched = partition_index;
    bool begun = false;
    bool ended = false;
    /* Matching has much code. So it stands here alone, for the partition and for those that do not answer. Meanwhile
     * the search lies in shared memory, because matching needs the registers. */
    [[dont_unroll]] while (!ended) {
        stack_match(matched, count);
        if (!begun) {
            search = stack_begin_search(partition_index, partitions);
            begun = true;
            if (partitions > 1u)
                stack_publish(partition_index);
        } else {
            search = stack_shared_search;
            barrier();
            if (matched != partition_index)
                stack_serve_recomputed(search);
            else
                stack_move_served(search, true);
        }
        if (matched == partition_index) {
            stack_look_back(search);
            ended = stack_is_served(search);
            if (!ended) {
                stack_move_served(search, false);
                matched = search.cursor - 1u;
            }
        } else {
            matched = partition_index;
        }
        if (!ended && stack_own() == 0u)
            stack_shared_search = search;
    }
    if (partitions > 1u)
        stack_publish_inclusive(search);
    stack_place_words(search);
    [[unroll]] for (uint item = 0u; item < STACK_ITEMS; item++)
        stack_answer(item, partition_index, count, search);
}

#endif
