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
 * Three to five dispatches that reduce, join and search, without waits, are faster than one pass on long random rows
 * alone; they take nearly twice as long on a chain, and longer on rows as short as those of frames.
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
 *     #define STACK_LOOK_AHEAD 128            partitions that a look-back reads at once, a power of two. It reads at
 *                                            most eight for each lane of a subgroup, or for each invocation
 *     #define STACK_TABLE(i) ...              an int of a buffer with STACK_TABLE_WORDS(partitions) of them; the first
 *                                            1 + partitions are zero before the dispatch
 *     #define STACK_SLICE_INDEX(i) ...       a uint of a buffer with STACK_PLACES(STACK_PARTITION) for each partition:
 *                                            the begin of an entry
 *     #define STACK_SLICE_VALUE(i) ...       a stack_value of a buffer with as many: that entry's value
 *     #define STACK_BELOW(i) ...             a stack_value of a buffer with one for each partition
 *                                            These four buffers are `nonprivate`: partitions read what others wrote
 *     #define STACK_SHARED_PLACES            for few brackets: keeps entries in shared memory and brackets in
 *                                            registers, which is faster and leaves room for fewer workgroups. The
 *                                            slices then have STACK_SLICE(STACK_PARTITION) for each partition
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
void stack_place_words()
{
    uint own = stack_own();
    if (own < stack_word_count()) {
        int low = min(stack_shared_hop[own + 1u] >> 8, stack_shared_depth[own].y);
        stack_shared_below[own + 1u] =
            stack_combine(STACK_PLACE_VALUE(stack_outside(low - 1)), stack_shared_below[own + 1u]);
    }
    if (own == 0u)
        stack_shared_below[0] = stack_identity();
    barrier();
}

/* What is known of the invocation's bracket in one of its words. */
stack_bracket stack_recall(uint item, uint count)
{
#ifdef STACK_SHARED_PLACES
    return stack_brackets[item];
#else
    uint index = stack_word_index(item);
    uint i = stack_home * STACK_PARTITION + index * stack_word_size() + stack_lane();
    bool begins = (stack_shared_bits[index].x >> stack_lane() & 1u) != 0u;
    stack_bracket bracket = stack_bracket(0u, 0u, stack_identity());
    if (begins && i < count)
        bracket.value = stack_load(i);
    stack_word word = stack_match_word(begins);
    bracket.before = word.before;
    bracket.context = word.context;
    bracket.value = stack_chain(bracket.value, begins, bracket.before);
    return bracket;
#endif
}

/* The results of the invocation's bracket in one of its words. */
void stack_answer(uint item, uint count, int start, int least_before)
{
    stack_bracket bracket = stack_recall(item, count);
    uint index = stack_word_index(item);
    uint first = stack_home * STACK_PARTITION + index * stack_word_size();
    uint begins = stack_shared_bits[index].x;
    ivec2 depth = stack_shared_depth[index];
    int low = depth.x - bitCount(stack_shared_bits[index].y & stack_lanes_up_to());
    uint above;
    uint owner = stack_owner(index, low - 1, above);
    uint place = stack_place(owner, low - 1);

    stack_result result;
    result.index = first + stack_lane();
    result.begins = (begins >> stack_lane() & 1u) != 0u;
    result.match = bracket.before != STACK_NO_LANE ? first + bracket.before : STACK_NONE;
    if (!result.begins && bracket.before == STACK_NO_LANE)
        result.match = STACK_PLACE_INDEX(stack_place(above, low));
    result.context = bracket.context != STACK_NO_LANE ? first + bracket.context : STACK_PLACE_INDEX(place);
    int least = min(least_before, start + min(depth.y, low));
    result.depth = uint(start + depth.x + stack_depth_in(begins) - least);
    result.value = stack_combine(stack_shared_below[owner], STACK_PLACE_VALUE(place));
    stack_value value = stack_shuffle(bracket.value, stack_subgroup_lane(min(bracket.context, stack_lane())));
    if (bracket.context != STACK_NO_LANE)
        result.value = stack_combine(result.value, value);
    if (result.index < count)
        stack_store(result);
}

void stack_resolve(uint count)
{
    uint partitions = count / STACK_PARTITION + uint(count % STACK_PARTITION != 0u);
    uint partition_index = stack_take(partitions);
    if (partition_index == LOOK_BACK_NO_PARTITION)
        return;
    stack_home = partition_index;
    uint matched = partition_index;
    bool begun = false;
    bool ended = false;
    /* Matching has much code. So it stands here alone, for the partition and for those that do not answer. */
    [[dont_unroll]] while (!ended) {
        stack_match(matched, count);
        if (!begun) {
            begun = true;
            if (stack_own() == 0u)
                stack_begin_search(partitions);
            if (partitions > 1u)
                stack_publish(partition_index);
            else
                barrier();
        } else if (matched != partition_index) {
            stack_serve_recomputed();
        }
        if (matched == partition_index) {
            stack_look_back();
            ended = stack_is_served();
            matched = stack_shared_search.cursor - 1u;
            barrier();
        } else {
            matched = partition_index;
        }
    }
    if (partitions > 1u)
        stack_publish_inclusive();
    stack_place_words();
    int start = stack_shared_search.start;
    int least = stack_shared_search.least;
    STACK_LOOP for (uint item = 0u; item < STACK_ITEMS; item++) stack_answer(item, count, start, least);
}

#endif
