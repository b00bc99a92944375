/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The look-back of a sort's passes. For each bin it gives the number of keys in all earlier partitions, in bounded time
 * whatever those do.
 *
 * How to use it: a kernel of at least SORT_BINS invocations that has items_per_invocation, SORT_PARTITION,
 * SORT_INVOCATIONS and bin_count includes it, sets table_start, and defines
 *     uint digit_of(sort_key key)   the bin of a key in this pass
 * In uniform control flow: take_partition, or what it consists of; publish for each bin as soon as its count is known;
 * look_back_bin.
 * SORT_RING: the table is a ring (sort_ring.glsl). Then ring_take comes after take_partition, before a bin is
 * published.
 * Invariant: an invocation owns one bin. The half that is read is never written in a pass, so that a fallback can count
 * a missing partition again. */
#ifndef SORT_LOOK_BACK_GLSL
#define SORT_LOOK_BACK_GLSL

layout(constant_id = PRIMITIVE_CONSTANT_LOOK_AHEAD) const uint look_ahead = 4u;

shared uint shared_partition;
shared uint shared_stuck;

uint table_start; /* sort_table of the pass */

uint digit_of(sort_key key);

/* Takes a ticket. One invocation calls this, and hands the ticket to share_ticket. */
uint draw_ticket()
{
    return gl_LocalInvocationIndex == 0u
               ? atomicAdd(plan.tickets[push.pass], 1u, gl_ScopeDevice, 0, gl_SemanticsRelaxed)
               : 0u;
}

/* Ends in a barrier. */
uint share_ticket(uint ticket, uint partition_count)
{
    if (gl_LocalInvocationIndex == 0u)
        shared_partition = ticket;
    barrier();
    return look_back_partition(shared_partition, partition_count);
}

uint take_partition(uint partition_count)
{
    return share_ticket(draw_ticket(), partition_count);
}

#ifdef SORT_RING
#include "primitive/sort_ring.glsl"
#else

uint table_index(uint partition_index, uint bin)
{
    return table_start + partition_index * SORT_BINS + bin;
}

void publish(uint partition_index, uint bin, uint state, uint value)
{
    if (!look_back_is_faulty(partition_index))
        atomicStore(tables[table_index(partition_index, bin)], state << 30 | value, gl_ScopeDevice, 0,
                    gl_SemanticsRelaxed);
}

/* Folds the bin's predecessors until all are known (next becomes 0) or one does not answer. Some are read at once,
 * nearest first. */
void walk(uint bin, inout uint next, inout uint sum, inout uint polls_left)
{
    uint waited = 0u;
    while (next != 0u) {
        uint words[look_ahead];
        [[unroll]] for (uint k = 0u; k < look_ahead; k++)
            words[k] = atomicLoad(tables[table_index(next - 1u - min(k, next - 1u), bin)], gl_ScopeDevice, 0,
                                  gl_SemanticsRelaxed);
        bool missing = false;
        waited++;
        [[unroll]] for (uint k = 0u; k < look_ahead; k++) {
            missing = missing || words[k] >> 30 == LOOK_BACK_EMPTY;
            if (missing || next == 0u)
                continue;
            sum += words[k] & LOOK_BACK_MAX;
            next = words[k] >> 30 == LOOK_BACK_INCLUSIVE ? 0u : next - 1u;
            waited = 0u;
        }
        if (waited > LOOK_BACK_SPIN_LIMIT_A_PARTITION || (waited != 0u && polls_left == 0u))
            break;
        polls_left -= min(waited, 1u);
    }
}

#endif

/* Counts the bins of any earlier partition, which is full, into bin_count. */
void recompute(uint source, uint partition_index)
{
    if (gl_LocalInvocationIndex < SORT_BINS)
        bin_count[gl_LocalInvocationIndex] = 0u;
    barrier();
    for (uint k = 0u; k < items_per_invocation; k++) {
        uint i = partition_index * SORT_PARTITION + k * SORT_INVOCATIONS + gl_LocalInvocationIndex;
        sort_key key = source == 0u ? keys_a[i] : keys_b[i];
        atomicAdd(bin_count[digit_of(key)], 1u, gl_ScopeWorkgroup, 0, gl_SemanticsRelaxed);
    }
    barrier();
}

/* Returns the number of keys of the bin in all earlier partitions. Invocations without a bin take part in barriers
 * alone. */
uint look_back_bin(uint source, uint partition_index, uint bin, uint count)
{
    uint next = bin < SORT_BINS ? partition_index : 0u;
    uint sum = 0u;
    uint polls_left = look_back_spin_limit;
    while (true) {
        walk(bin, next, sum, polls_left);
        if (gl_LocalInvocationIndex == 0u)
            shared_stuck = 0u;
        barrier();
        if (next != 0u)
            atomicMax(shared_stuck, next, gl_ScopeWorkgroup, 0, gl_SemanticsRelaxed);
        barrier();
        uint stuck = shared_stuck;
        barrier();
        if (stuck == 0u)
            break;
        recompute(source, stuck - 1u);
        if (next == stuck) {
            uint missing = bin_count[bin];
#ifndef SORT_RING
            atomicCompSwap(tables[table_index(next - 1u, bin)], LOOK_BACK_EMPTY, LOOK_BACK_AGGREGATE << 30 | missing,
                           gl_ScopeDevice, 0, gl_SemanticsRelaxed, 0, gl_SemanticsRelaxed);
#endif
            sum += missing;
            next--;
        }
        barrier();
    }
#ifdef SORT_RING
    sum = ring_whole(sum);
#endif
    if (bin < SORT_BINS && partition_index != 0u)
        publish(partition_index, bin, LOOK_BACK_INCLUSIVE, sum + count);
    return sum;
}

#endif
