/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Decoupled look-back: the prefix over all earlier partitions of a running dispatch, for single-pass scans.
 *
 * A partition is what one workgroup takes. It publishes the aggregate of its items. Then it walks over its
 * predecessors, a subgroup of partitions at a time, and sums their aggregates until it meets an inclusive prefix. At
 * last it publishes its own inclusive prefix. State (2 bits) and value (30 bits) share one word, so relaxed atomics are
 * enough. A value of several components is that many such words. A predecessor whose words differ in state counts as
 * not there yet.
 * Source: Merrill and Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", 2016.
 *
 * No workgroup ever depends on another one making progress, because polling is bounded. At the bound the whole
 * workgroup computes the missing aggregate from the stage's input, uses it, and publishes it for others by
 * compare-and-swap. So a stage must not overwrite its own input.
 *
 * How to use it
 *   In the including file, first:
 *     #pragma use_vulkan_memory_model
 *     #extension GL_KHR_memory_scope_semantics : require      and GL_KHR_shader_subgroup_{basic,ballot,shuffle},
 *                                                             GL_GOOGLE_include_directive
 *     layout(local_size_x = N) in;                            one dimension, N a multiple of 64
 *     layout(...) buffer look_back_table { uint look_back_words[]; };   any binding, any names
 *     #define LOOK_BACK_WORD(i) look_back_words[i]            a uint in a storage buffer
 *     #define LOOK_BACK_COMPONENTS 1                          words of a value, 1 to 4
 *     #define LOOK_BACK_SEGMENTED                             only for segmented sums
 *     #define LOOK_BACK_SUMS 1                                beside it: the last so many components are plain sums
 *                                                             (default 0)
 *     #include "primitive/look_back.glsl"
 *   then define, after the include (it may use barriers; it is called by the whole workgroup and returns the same in
 *   each invocation):
 *     look_back_value look_back_recompute(uint partition_index)          the aggregate of any partition, from the
 *                                                                        stage's input alone
 *   and in main, in uniform control flow:
 *     uint partition_index = look_back_ticket(partition_count);               never gl_WorkGroupID: start order is the
 *                                                                             order of tickets
 *     if (partition_index == LOOK_BACK_NO_PARTITION) return;                  the dispatch may have more workgroups
 *                                                                             than partitions
 *     ...                                                     aggregate of this partition's items, the same in every
 *                                                             invocation
 *     look_back_value before = look_back(partition_index, aggregate);    combination of partitions 0 to partition_index
 *                                                                        - 1, in every invocation
 *   Both calls end in a barrier. partition_count may come from any buffer. The dispatch may have two or three
 *   dimensions.
 *
 * The table: LOOK_BACK_TABLE_WORDS(partitions, components) words (layout/primitive.h), all zero before the dispatch.
 *
 * Values. Default: each component is an unsigned sum that saturates at LOOK_BACK_MAX (2^30 - 1); saturation is
 * associative, so the result does not depend on the schedule, and a total of LOOK_BACK_MAX means "that or more".
 * LOOK_BACK_SEGMENTED: a component is look_back_segment(starts, sum): starts tells that a segment begins somewhere in
 * the partition, sum is signed, |sum| < 2^28, and counts from the last such begin. LOOK_BACK_OWN: the includer defines,
 * after the include, look_back_value look_back_combine(look_back_value earlier, look_back_value later), associative
 * over values of 30 bits a component, and bool look_back_ends(look_back_value value): what is combined before the value
 * does not matter. All bits zero is the identity.
 *
 * A stage whose aggregate takes much code can have it once, for its own partition and the missing ones:
 * LOOK_BACK_RECOMPUTED_INLINE, and instead of look_back and look_back_recompute
 *     look_back_search search = look_back_begin(partition_index, aggregate);
 *     while (!look_back_walk_on(search))                      search.next - 1 is missing; it must be given before the
 *                                                             next call
 *         look_back_give(search, aggregate of partition search.next - 1);
 *     look_back_value before = look_back_end(partition_index, aggregate, search);
 *
 * Mind the trap of lavapipe that stages/stage.glsl names: plain access to shared memory in loops of unequal rounds.
 * There too, a local array of structs filled from a devicecoherent buffer under a condition came out empty: use named
 * variables.
 *
 * LOOK_BACK_CONSTANTS_ONLY: the constants, states and the order of partitions, for a kernel with a look-back of its
 * own.
 *
 * Specialisation constants: 0 to 2 (or from LOOK_BACK_FIRST_CONSTANT), all for tests but the last; see
 * layout/primitive.h. */
#ifndef LOOK_BACK_GLSL
#define LOOK_BACK_GLSL

#include "layout/primitive.h"

#ifndef LOOK_BACK_FIRST_CONSTANT
#define LOOK_BACK_FIRST_CONSTANT 0
#endif

layout(constant_id = LOOK_BACK_FIRST_CONSTANT) const uint look_back_order = LOOK_BACK_ORDER_ASCENDING;
layout(constant_id = LOOK_BACK_FIRST_CONSTANT + 1) const uint look_back_fault_period = 0u;
layout(constant_id = LOOK_BACK_FIRST_CONSTANT + 2) const uint look_back_spin_limit = LOOK_BACK_SPIN_LIMIT;

#define LOOK_BACK_SPIN_LIMIT_A_PARTITION (look_back_spin_limit / 16u)

#define LOOK_BACK_EMPTY 0u
#define LOOK_BACK_AGGREGATE 1u
#define LOOK_BACK_INCLUSIVE 2u

bool look_back_is_faulty(uint partition_index)
{
    return look_back_fault_period != 0u && partition_index % look_back_fault_period == look_back_fault_period - 1u;
}

/* Returns the partition of a ticket. */
uint look_back_partition(uint ticket, uint partition_count)
{
    if (ticket >= partition_count)
        return LOOK_BACK_NO_PARTITION;
    if (look_back_order == LOOK_BACK_ORDER_REVERSED)
        return partition_count - 1u - ticket;
    /* A prime that does not divide the count permutes; up to 2^20 partitions the product fits. */
    if (look_back_order == LOOK_BACK_ORDER_SHUFFLED && partition_count <= 1u << 20)
        return ticket * (partition_count % 4093u == 0u ? 4091u : 4093u) % partition_count;
    return ticket;
}

#ifndef LOOK_BACK_CONSTANTS_ONLY

struct look_back_value {
    uint part[LOOK_BACK_COMPONENTS];
};

shared uint look_back_shared_ticket;
shared uint look_back_shared_next;
shared uint look_back_shared_prefix[LOOK_BACK_COMPONENTS];

#ifndef LOOK_BACK_RECOMPUTED_INLINE
look_back_value look_back_recompute(uint partition_index);
#endif

#ifdef LOOK_BACK_OWN

look_back_value look_back_combine(look_back_value earlier, look_back_value later);
bool look_back_ends(look_back_value value);

#elif defined(LOOK_BACK_SEGMENTED)

#ifndef LOOK_BACK_SUMS
#define LOOK_BACK_SUMS 0
#endif

#define LOOK_BACK_STARTS 0x20000000u

uint look_back_segment(bool starts, int sum)
{
    return (uint(sum) & (LOOK_BACK_STARTS - 1u)) | (starts ? LOOK_BACK_STARTS : 0u);
}

bool look_back_segment_starts(uint value)
{
    return (value & LOOK_BACK_STARTS) != 0u;
}

int look_back_segment_sum(uint value)
{
    return bitfieldExtract(int(value), 0, 29);
}

uint look_back_combine_part(uint c, uint earlier, uint later)
{
    if (c >= LOOK_BACK_COMPONENTS - LOOK_BACK_SUMS)
        return min(earlier + later, LOOK_BACK_MAX);
    if (look_back_segment_starts(later))
        return later;
    return ((earlier + later) & (LOOK_BACK_STARTS - 1u)) | (earlier & LOOK_BACK_STARTS);
}

#else

uint look_back_combine_part(uint c, uint earlier, uint later)
{
    return min(earlier + later, LOOK_BACK_MAX);
}

#endif

look_back_value look_back_identity()
{
    look_back_value value;
    for (uint c = 0u; c < LOOK_BACK_COMPONENTS; c++)
        value.part[c] = 0u;
    return value;
}

#ifndef LOOK_BACK_OWN

look_back_value look_back_combine(look_back_value earlier, look_back_value later)
{
    look_back_value value;
    for (uint c = 0u; c < LOOK_BACK_COMPONENTS; c++)
        value.part[c] = look_back_combine_part(c, earlier.part[c], later.part[c]);
    return value;
}

/* Returns whether what lies before no longer matters. */
bool look_back_ends(look_back_value value)
{
#ifdef LOOK_BACK_SEGMENTED
    bool ends = LOOK_BACK_SUMS == 0;
    for (uint c = 0u; c < LOOK_BACK_COMPONENTS; c++)
        ends = ends && look_back_segment_starts(value.part[c]);
    return ends;
#else
    return false;
#endif
}

#endif

uint look_back_word_index(uint partition_index, uint w)
{
    return 1u + partition_index * LOOK_BACK_COMPONENTS + w;
}

uint look_back_encode(look_back_value value, uint state, uint w)
{
    return state << 30 | value.part[w];
}

void look_back_publish(uint partition_index, look_back_value value, uint state)
{
    if (gl_LocalInvocationIndex != 0u || look_back_is_faulty(partition_index))
        return;
    for (uint w = 0u; w < LOOK_BACK_COMPONENTS; w++)
        atomicStore(LOOK_BACK_WORD(look_back_word_index(partition_index, w)), look_back_encode(value, state, w),
                    gl_ScopeDevice, 0, gl_SemanticsRelaxed);
}

void look_back_post(uint partition_index, look_back_value value)
{
    if (gl_LocalInvocationIndex != 0u)
        return;
    for (uint w = 0u; w < LOOK_BACK_COMPONENTS; w++)
        atomicCompSwap(LOOK_BACK_WORD(look_back_word_index(partition_index, w)), LOOK_BACK_EMPTY,
                       look_back_encode(value, LOOK_BACK_AGGREGATE, w), gl_ScopeDevice, 0, gl_SemanticsRelaxed, 0,
                       gl_SemanticsRelaxed);
}

/* Returns the state of a partition and gives its value. Words that differ in state count as LOOK_BACK_EMPTY too: their
 * owner is between two stores, or stopped there. */
uint look_back_read(uint partition_index, out look_back_value value)
{
    uint state = LOOK_BACK_EMPTY;
    value = look_back_identity();
    for (uint w = 0u; w < LOOK_BACK_COMPONENTS; w++) {
        uint word = atomicLoad(LOOK_BACK_WORD(look_back_word_index(partition_index, w)), gl_ScopeDevice, 0,
                               gl_SemanticsRelaxed);
        value.part[w] = word & LOOK_BACK_MAX;
        state = w == 0u || word >> 30 == state ? word >> 30 : LOOK_BACK_EMPTY;
    }
    return state;
}

/* Combines the values of a subgroup's lanes, of which higher ones hold earlier partitions. */
look_back_value look_back_reduce(look_back_value value, uint lane_count)
{
    uint lane = gl_SubgroupInvocationID;
    for (uint step = 1u; step < lane_count; step <<= 1) {
        look_back_value other;
        for (uint c = 0u; c < LOOK_BACK_COMPONENTS; c++)
            other.part[c] = subgroupShuffleXor(value.part[c], step);
        if ((lane ^ step) < lane_count) {
            if ((lane & step) == 0u)
                value = look_back_combine(other, value);
            else
                value = look_back_combine(value, other);
        }
    }
    return value;
}

/* Folds partitions next - 1, next - 2, ... into prefix, by one subgroup, until it knows all (next becomes 0) or has
 * polled enough for the partition below next. Polls are limited in total too, since the loops of an invocation share
 * one budget on some devices. */
void look_back_walk(inout uint next, inout look_back_value prefix, inout uint polls_left)
{
    uint lane = gl_SubgroupInvocationID;
    uint lane_count = subgroupBallotBitCount(subgroupBallot(true));
    uint waited = 0u;
    while (next != 0u) {
        look_back_value value = look_back_identity();
        uint state = LOOK_BACK_INCLUSIVE;
        if (lane < next)
            state = look_back_read(next - 1u - lane, value);
        uvec4 empty = subgroupBallot(state == LOOK_BACK_EMPTY);
        uvec4 last =
            subgroupBallot(state != LOOK_BACK_EMPTY && (state == LOOK_BACK_INCLUSIVE || look_back_ends(value)));
        uint first_empty = subgroupBallotBitCount(empty) != 0u ? subgroupBallotFindLSB(empty) : lane_count;
        uint first_last = subgroupBallotBitCount(last) != 0u ? subgroupBallotFindLSB(last) : lane_count;
        bool ended = first_last < first_empty;
        uint taken = ended ? first_last + 1u : first_empty;
        if (taken == 0u) {
            waited++;
            if (waited > LOOK_BACK_SPIN_LIMIT_A_PARTITION || polls_left == 0u)
                break;
            polls_left--;
            continue;
        }
        if (lane >= taken)
            value = look_back_identity();
        look_back_value folded = look_back_reduce(value, lane_count);
        for (uint c = 0u; c < LOOK_BACK_COMPONENTS; c++)
            folded.part[c] = subgroupBroadcastFirst(folded.part[c]);
        prefix = look_back_combine(folded, prefix);
        next = ended ? 0u : next - taken;
        waited = 0u;
    }
}

uint look_back_ticket(uint partition_count)
{
    if (gl_LocalInvocationIndex == 0u)
        look_back_shared_ticket = atomicAdd(LOOK_BACK_WORD(0), 1u, gl_ScopeDevice, 0, gl_SemanticsRelaxed);
    barrier();
    uint ticket = look_back_shared_ticket;
    barrier();
    return look_back_partition(ticket, partition_count);
}

/* Partitions next to partition_index - 1 are known: prefix is their combination. */
struct look_back_search {
    look_back_value prefix;
    uint next;
    uint polls_left;
};

look_back_search look_back_begin(uint partition_index, look_back_value aggregate)
{
    look_back_search search;
    search.prefix = look_back_identity();
    search.next = partition_index;
    search.polls_left = look_back_spin_limit;
    if (partition_index != 0u)
        look_back_publish(partition_index, aggregate, LOOK_BACK_AGGREGATE);
    return search;
}

/* Returns whether all is known. If not, partition next - 1 has not published. */
bool look_back_walk_on(inout look_back_search search)
{
    if (search.next == 0u)
        return true;
    if (gl_SubgroupID == 0u) {
        look_back_walk(search.next, search.prefix, search.polls_left);
        if (subgroupElect()) {
            look_back_shared_next = search.next;
            for (uint c = 0u; c < LOOK_BACK_COMPONENTS; c++)
                look_back_shared_prefix[c] = search.prefix.part[c];
        }
    }
    barrier();
    search.next = look_back_shared_next;
    for (uint c = 0u; c < LOOK_BACK_COMPONENTS; c++)
        search.prefix.part[c] = look_back_shared_prefix[c];
    barrier();
    return search.next == 0u;
}

void look_back_give(inout look_back_search search, look_back_value missing)
{
    look_back_post(search.next - 1u, missing);
    search.prefix = look_back_combine(missing, search.prefix);
    search.next = look_back_ends(search.prefix) ? 0u : search.next - 1u;
}

look_back_value look_back_end(uint partition_index, look_back_value aggregate, look_back_search search)
{
    look_back_publish(partition_index, look_back_combine(search.prefix, aggregate), LOOK_BACK_INCLUSIVE);
    return search.prefix;
}

#ifndef LOOK_BACK_RECOMPUTED_INLINE

look_back_value look_back(uint partition_index, look_back_value aggregate)
{
    look_back_search search = look_back_begin(partition_index, aggregate);
    while (!look_back_walk_on(search))
        look_back_give(search, look_back_recompute(search.next - 1u));
    return look_back_end(partition_index, aggregate, search);
}

#endif

#endif

#endif
