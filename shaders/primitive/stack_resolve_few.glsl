/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Stack monoid, last dispatch if brackets are few and values large: finds what is open after each bracket of a
 * partition (stack_table.glsl). Values lie in shared memory. That leaves room for few workgroups, but takes few
 * instructions, and with a single wave of workgroups fetching instructions takes longest.
 * Reads: brackets, the table, slices and values below. Writes: what stack_store does with the results. */
#ifndef STACK_RESOLVE_FEW_GLSL
#define STACK_RESOLVE_FEW_GLSL

#define WORKGROUP_SCAN_TYPE int
#include "primitive/stack_partition.glsl"
#define STACK_LEAVES uint(STACK_INVOCATIONS)
#include "primitive/stack_tree.glsl"
#define STACK_RUNS STACK_INVOCATIONS
#include "primitive/stack_below.glsl"
#define STACK_LEAST_TYPE ivec2
#include "primitive/stack_least.glsl"

/* An open begin, or STACK_NONE, and what is open there. */
struct stack_entry {
    uint index;
    stack_value value;
};

struct stack_result {
    uint index; /* of the bracket */
    bool begins;
    uint match;   /* the other end; STACK_NONE: an end without a begin, or a begin without an end in its partition */
    bool reports; /* an end whose begin is in an earlier partition: only this end knows that begin's match */
    uint context; /* innermost begin open after the bracket, or STACK_NONE: a begin is its own */
    uint depth;   /* begins open after the bracket */
    stack_value value; /* of these, combined from the outermost */
};

void stack_store(stack_result result);

/* An entry of the stack lies in the slot of its begin where that is in the partition: its value from the bottom of its
 * run. What is open after an end that pops what was there before its run (an outer end) lies in that end's slot, and
 * what is open before a run in the slot of the run: their values are whole. Such an end or run is the base of the
 * brackets up to the next outer end. */
#define STACK_SLOTS (STACK_PARTITION + STACK_INVOCATIONS)
shared stack_value stack_shared_value[STACK_SLOTS];
/* of a base: the innermost open begin; of another begin: its end; or STACK_NONE */
shared uint stack_shared_link[STACK_SLOTS];
shared int stack_shared_depth[STACK_INVOCATIONS];      /* before each run */
shared int stack_shared_least[STACK_INVOCATIONS + 1u]; /* from the partition on, before each run */
shared uint stack_shared_begins[STACK_INVOCATIONS];    /* and the outer ends, from bit 8 on */
shared uint stack_shared_matches[STACK_INVOCATIONS];
shared uint stack_shared_contexts[STACK_INVOCATIONS];
shared ivec4 stack_shared_left[STACK_INVOCATIONS]; /* stack_left, as a vector, which is loaded at once */
/* least low of the nearest partitions before this one, one and more of them */
shared int stack_shared_near[STACK_INVOCATIONS];

/* What a run leaves on the stack. */
struct stack_left {
    uint open;      /* places, as in stack_run */
    int depth, low; /* after the run, and below what it leaves */
    uint under;     /* the run whose entry lies under that, or STACK_NONE */
};

void stack_leave(uint run, stack_left left)
{
    stack_shared_left[run] = ivec4(int(left.open), left.depth, left.low, int(left.under));
}

stack_left stack_left_by(uint run)
{
    ivec4 left = stack_shared_left[run];
    return stack_left(uint(left.x), left.y, left.z, uint(left.w));
}

/* Slots of a run lie apart by a permutation, so that invocations that go through their runs in step do not meet in a
 * bank. */
uint stack_slot(uint run, uint place)
{
    return run * STACK_RUN + (place ^ run & STACK_RUN - 1u);
}

uint stack_run_slot(uint run)
{
    return STACK_PARTITION + run;
}

/* Values of the run's begins, from its bottom. */
void stack_fold_run(uint run, uint begins)
{
    uint open = 0u, depth = 0u;
    [[unroll]] for (uint j = 0u; j < STACK_RUN; j++) {
        if ((begins >> j & 1u) != 0u) {
            if (depth != 0u) {
                uint slot = stack_slot(run, j);
                stack_shared_value[slot] =
                    stack_combine(stack_shared_value[stack_slot(run, open & 15u)], stack_shared_value[slot]);
            }
            open = open << 4 | j;
            depth++;
        } else if (depth != 0u) {
            open >>= 4;
            depth--;
        }
    }
}

/* The low of the partition that lies so many before this one. */
int stack_low_near(uint partition_index, uint partitions, uint distance)
{
    return distance <= partition_index ? STACK_TREE(partitions, stack_leaves(partitions) + partition_index - distance)
                                       : STACK_WHOLE_MAX;
}

/* The slot of what is open at a depth to which the partition goes down for the first time, or of what was open before
 * it. */
uint stack_outside_slot(int start, int depth)
{
    if (depth >= start)
        return stack_run_slot(0u);
    uint node = 1u;
    [[dont_unroll]] for (uint width = 1u; width < STACK_LEAVES; width <<= 1) {
        node <<= 1;
        if (stack_tree(node) > depth)
            node++;
    }
    uint run = node - STACK_LEAVES;
    uint ends = stack_shared_begins[run] >> 8;
    int skipped = stack_shared_depth[run] - 1 - depth;
    [[unroll]] for (int s = 0; s < int(STACK_RUN) - 1; s++)
        ends &= s < skipped ? ends - 1u : ends;
    return stack_slot(run, uint(findLSB(ends)));
}

/* The entry of a level of the stack before the partition. Its owner is mostly near: the lows of those were all fetched
 * at once, where a search in the partitions' tree is a round trip to memory for each level of it. */
stack_entry stack_search_before(uint partition_index, uint partitions, int level)
{
    uint near = 0u;
    [[dont_unroll]] for (uint width = STACK_INVOCATIONS >> 1; width != 0u; width >>= 1)
        near += atomicLoad(stack_shared_near[near + width - 1u], gl_ScopeWorkgroup, 0, gl_SemanticsRelaxed) > level
                    ? width
                    : 0u;
    int low = atomicLoad(stack_shared_near[near], gl_ScopeWorkgroup, 0, gl_SemanticsRelaxed);
    uint owner = partition_index - near - 1u;
    if (low > level) {
        if (partition_index <= STACK_INVOCATIONS)
            return stack_entry(STACK_NONE, stack_identity());
        owner =
            stack_search_partitions(partitions, stack_leaves(partitions) + partition_index - STACK_INVOCATIONS, level);
        if (owner == STACK_NONE)
            return stack_entry(STACK_NONE, stack_identity());
        low = STACK_TREE(partitions, stack_leaves(partitions) + owner);
    }
    uint entry = owner * STACK_PARTITION + uint(level - low);
    return stack_entry(STACK_SLICE_INDEX(entry), stack_combine(STACK_BELOW(owner), STACK_SLICE_VALUE(entry)));
}

/* What is open before the partition, and at each depth to which it goes down: all at once, since a search takes many
 * round trips to memory, one after the other. */
void stack_fetch_before(uint partition_index, uint partitions, int start)
{
    int least = stack_tree(1u);
    [[dont_unroll]] for (int top = start; top >= least; top -= int(STACK_INVOCATIONS)) {
        int depth = top - int(workgroup_invocation());
        if (depth < least)
            continue;
        stack_entry entry = stack_entry(STACK_NONE, stack_identity());
        if (partition_index != 0u)
            entry = stack_search_before(partition_index, partitions, depth - 1);
        uint slot = stack_outside_slot(start, depth);
        stack_shared_link[slot] = entry.index;
        stack_shared_value[slot] = entry.value;
    }
}

/* The slot of a run's entry at a level. */
uint stack_entry_slot(uint run, stack_left left, int level)
{
    return stack_slot(run, stack_place(left.open, uint(left.depth - 1 - level)));
}

/* Value of all that lies below what each run leaves. */
void stack_join_values(uint run, int start)
{
    stack_left left = stack_left_by(run);
    uint slot;
    if (left.under != STACK_NONE)
        slot = stack_entry_slot(left.under, stack_left_by(left.under), left.low - 1);
    else
        slot = stack_outside_slot(start, left.low);
    stack_fold_below(run, left.under, stack_shared_value[slot]);
}

/* The bases of a run, from the top down: what lies under one entry is the next entry of the same run, or the top of the
 * run under it. */
void stack_find_bases(uint run, uint first, uint partition_start, int start)
{
    int depth = stack_shared_depth[run];
    uint ends = stack_shared_begins[run] >> 8;
    uint base = stack_run_slot(run);
    uint owner = run - 1u; /* for the first run STACK_NONE */
    stack_left left = stack_left_by(max(run, 1u) - 1u);
    bool known = false; /* the rest, from stack_fetch_before; all take the same rounds */
    [[dont_unroll]] for (uint r = 0u; r <= STACK_RUN; r++) {
        if (known)
            continue;
        if (owner != STACK_NONE && left.low >= depth) {
            owner = left.under;
            left = stack_left_by(min(owner, run));
        }
        uint popped = STACK_NONE; /* slot of the entry which the next outer end pops */
        if (owner != STACK_NONE) {
            popped = stack_entry_slot(owner, left, depth - 1);
            stack_shared_link[base] =
                partition_start + owner * STACK_RUN + (popped & STACK_RUN - 1u ^ owner & STACK_RUN - 1u);
            stack_shared_value[base] = stack_combine(stack_shared_below[owner], stack_shared_value[popped]);
        } else {
            uint slot = stack_outside_slot(start, depth);
            if (slot != base) {
                stack_shared_link[base] = stack_shared_link[slot];
                stack_shared_value[base] = stack_shared_value[slot];
            }
        }
        known = ends == 0u || owner == STACK_NONE;
        if (known)
            continue;
        uint place = uint(findLSB(ends));
        ends &= ends - 1u;
        stack_shared_link[popped] = first + place;
        base = stack_slot(run, place);
        depth--;
    }
}

/* The results of one bracket, number i of the partition; alone: there is no other partition. */
void stack_answer(uint i, uint partition_start, int low_before, bool alone)
{
    uint run = i / STACK_RUN;
    uint place = i % STACK_RUN;
    uint run_start = partition_start + run * STACK_RUN;
    uint slot = stack_slot(run, place);
    uint begins = stack_shared_begins[run];
    uint ends = begins >> 8;
    uint before = (1u << place) - 1u;
    uint after = 2u * before + 1u;
    bool outer = (ends >> place & 1u) != 0u;
    uint base = (ends & before) != 0u ? stack_slot(run, uint(findMSB(ends & before))) : stack_run_slot(run);
    uint match = stack_place(stack_shared_matches[run], place);

    stack_result result;
    result.index = partition_start + i;
    result.begins = (begins >> place & 1u) != 0u;
    result.reports = false;
    result.match = run_start + match;
    if (match == STACK_NO_PLACE) {
        result.match = stack_shared_link[result.begins ? slot : base];
        result.reports = outer && result.match != STACK_NONE && result.match < partition_start;
    }
    int depth = stack_shared_depth[run];
    int least = min(min(low_before, stack_shared_least[run]), depth - bitCount(ends & after));
    result.depth = uint(depth + 2 * bitCount(begins & after) - int(place) - 1 - least);
    uint context = result.begins ? place : stack_place(stack_shared_contexts[run], place);
    if (outer)
        base = slot;
    result.context = context != STACK_NO_PLACE ? run_start + context : stack_shared_link[base];
    result.value = stack_shared_value[base];
    if (context != STACK_NO_PLACE)
        result.value = stack_combine(result.value, stack_shared_value[stack_slot(run, context)]);
    if (alone && result.begins && result.match == STACK_NONE)
        stack_unmatched(result.index);
    stack_store(result);
}

void stack_resolve(uint partition_index, uint count)
{
    uint partitions = stack_partition_count(count);
    uint partition_start = partition_index * STACK_PARTITION;
    uint own = workgroup_invocation();
    uint first = partition_start + own * STACK_RUN;
    /* All loads first, so that they are on their way at once. */
    uint begins = stack_begins(first, count);
    int start = 0;
    int near = STACK_WHOLE_MAX;
    int low_before = 0;
    if (partition_index != 0u) {
        start = STACK_DEPTH(partitions, partition_index);
        near = stack_low_near(partition_index, partitions, own + 1u);
        low_before = stack_low_before(partition_index, partitions);
    }
    stack_value values[STACK_RUN];
    [[unroll]] for (uint r = 0u; r < STACK_RUN; r++)
        values[r] = stack_load(min(partition_start + r * STACK_INVOCATIONS + own, count - 1u));
    stack_run run = stack_walk_run(begins, stack_run_count(first, count));
    [[unroll]] for (uint r = 0u; r < STACK_RUN; r++) {
        uint i = r * STACK_INVOCATIONS + own;
        stack_shared_value[stack_slot(i / STACK_RUN, i % STACK_RUN)] = values[r];
        stack_shared_link[i] = STACK_NONE;
    }
    stack_shared_begins[own] = run.begins | run.ends << 8;
    stack_shared_matches[own] = run.matches;
    stack_shared_contexts[own] = run.contexts;
    int total;
    int depth = start + workgroup_exclusive_scan(run.pushed - run.popped, total);
    int low = depth - run.popped;
    stack_shared_depth[own] = depth;
    ivec2 least = stack_least_up_to(ivec2(low, near));
    stack_shared_least[own + 1u] = min(start, least.x);
    stack_shared_near[own] = least.y;
    if (own == 0u)
        stack_shared_least[0] = start;
    low_before = subgroupMin(low_before);
    stack_fold_run(own, run.begins);
    stack_make_tree(own, low);
    stack_leave(own, stack_left(run.stack, depth + run.pushed - run.popped, low, stack_search_tree(own, low - 1)));
    stack_fetch_before(partition_index, partitions, start);
    barrier();
    stack_join_values(own, start);
    stack_find_bases(own, first, partition_start, start);
    barrier();
    [[dont_unroll]] for (uint r = 0u; r < STACK_RUN; r++) {
        uint i = r * STACK_INVOCATIONS + own;
        if (partition_start + i < count)
            stack_answer(i, partition_start, low_before, partitions == 1u);
    }
}

#endif
