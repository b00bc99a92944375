/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Stack monoid, last dispatch: finds what is open after each bracket of a partition (stack_table.glsl).
 * Reads: brackets, the table, slices and values below. Writes: what stack_store_* do with the results. */
#ifndef STACK_RESOLVE_GLSL
#define STACK_RESOLVE_GLSL

#include "primitive/stack_near.glsl"

stack_part stack_get_part(stack_value value, uint part);
void stack_set_part(inout stack_value value, uint part, stack_part bits);
stack_part stack_part_of(uint word);
uint stack_word_of(stack_part part);
void stack_store_match(uint i, uint match);
void stack_store_four(uint i, uint count, uvec4 contexts, uvec4 depths);
void stack_store_value(uint i, stack_value value);

/* A run's values stay in registers. What other runs need of them passes through shared memory, one part at a time. So a
 * workgroup takes little shared memory, and many workgroups are resident.
 *
 * An outer end is an end that pops an entry from before its run. What is open before a run is the base of the brackets
 * up to the run's first outer end. What an outer end leaves open is the base of the brackets up to the next outer end.
 * A link names a base. A link less than STACK_OUTSIDE is a bracket of the partition, counted from the partition's
 * start. Any other link, less STACK_OUTSIDE, says how far a level lies below the top of the stack before the
 * partition. */
#define STACK_OUTSIDE STACK_PARTITION_MOST
#define STACK_UNREPORTED (STACK_NONE - 1u)
#define STACK_STEP max(128u / STACK_RUN / STACK_PART_BYTES, 1u) /* runs whose parts fill 32 banks */
shared stack_part stack_shared_part[STACK_PARTITION];           /* one after another: parts of values, links, matches */
shared uint stack_shared_open[STACK_INVOCATIONS];  /* places of what a run leaves open, the bottom highest */
shared uint stack_shared_under[STACK_INVOCATIONS]; /* the run whose entry lies under that, or STACK_NONE */
/* for each level before the partition, from the top down: its begin, or STACK_NONE */
shared uint stack_shared_outside[STACK_INVOCATIONS];
shared stack_value stack_shared_outside_value[STACK_INVOCATIONS]; /* and what is open there */

/* These belong to this invocation's run. stack_values has the brackets' values, which later become what is open after
 * each bracket. stack_bases has the begin of each base, or STACK_NONE; the base before the run is last.
 * stack_base_value is what is open at that last base. The values of the other bases lie in stack_values, at their outer
 * ends. */
stack_value stack_values[STACK_RUN];
uint stack_bases[STACK_RUN + 1u];
stack_value stack_base_value;

/* A permutation spreads the parts of a run, so that invocations that go through their runs in lockstep use different
 * banks of shared memory. */
uint stack_slot(uint run, uint place)
{
    return run * STACK_RUN + (place ^ run / STACK_STEP % STACK_RUN);
}

uint stack_link_slot(uint link)
{
    return stack_slot(link / STACK_RUN, link % STACK_RUN);
}

/* Exchanges values between two neighbouring invocations, each of which has two. The lower one gets both first values,
 * the upper one both second values. */
void stack_exchange(inout stack_value first, inout stack_value second)
{
    bool upper = (gl_SubgroupInvocationID & 1u) != 0u;
    stack_value sent = second;
    if (upper)
        sent = first;
    sent = stack_shuffle(sent, gl_SubgroupInvocationID ^ 1u);
    if (upper)
        first = sent;
    else
        second = sent;
}

void stack_exchange(inout uvec4 first, inout uvec4 second)
{
    bool upper = (gl_SubgroupInvocationID & 1u) != 0u;
    uvec4 sent = subgroupShuffle(upper ? first : second, gl_SubgroupInvocationID ^ 1u);
    first = upper ? sent : first;
    second = upper ? second : sent;
}

void stack_load_values(uint first, uint begins)
{
    [[unroll]] for (uint j = 0u; j < STACK_RUN; j++) {
        if ((begins >> j & 1u) != 0u)
            stack_values[j] = stack_load(first + j);
    }
}

/* The link of the entry that a run left at a level. */
uint stack_link_in(uint run, int level)
{
    uint open = atomicLoad(stack_shared_open[run], gl_ScopeWorkgroup, 0, gl_SemanticsRelaxed);
    int low = stack_tree(STACK_LEAVES + run);
    return run * STACK_RUN + (open >> 28u - 4u * uint(level - low) & 15u);
}

/* Finds the links of a run's bases from the top down. The last is `bottom`. Returns the link of the first, and stores
 * the links that outer ends leave at the places of these ends. Under an entry lies the next entry of the same run, or
 * the top entry of the run under it. */
uint stack_link_bases(uint run, uint ends, int popped, int depth, int start, uint bottom)
{
    uint owner = run - 1u; /* for the first run STACK_NONE */
    uint top = bottom;
    uint place = STACK_RUN;
    /* as many for all: lavapipe loses invocations otherwise */
    [[dont_unroll]] for (int r = 0; r < int(STACK_RUN); r++) {
        if (r >= popped)
            continue;
        int level = depth - 1 - r;
        if (owner != STACK_NONE && stack_tree(STACK_LEAVES + owner) > level)
            owner = atomicLoad(stack_shared_under[owner], gl_ScopeWorkgroup, 0, gl_SemanticsRelaxed);
        uint link = owner != STACK_NONE ? stack_link_in(owner, level) : STACK_OUTSIDE + uint(start - 1 - level);
        if (r == 0)
            top = link;
        else
            stack_shared_part[stack_slot(run, place)] = stack_part_of(link);
        place = uint(findLSB(ends));
        ends &= ends - 1u;
    }
    if (popped != 0)
        stack_shared_part[stack_slot(run, place)] = stack_part_of(bottom);
    return top;
}

/* Finds the bases from their links. Returns one bit for each base: whether it lies before the partition. */
uint stack_take_bases(uint run, uint ends, uint top, uint partition_start)
{
    uint outside = 0u;
    [[unroll]] for (uint j = 0u; j <= STACK_RUN; j++) {
        uint link = top;
        if (j < STACK_RUN)
            link = (ends >> j & 1u) != 0u ? stack_word_of(stack_shared_part[stack_slot(run, j)]) : 0u;
        stack_bases[j] = partition_start + link;
        if (link >= STACK_OUTSIDE) {
            outside |= 1u << j;
            stack_bases[j] = stack_shared_outside[min(link - STACK_OUTSIDE, STACK_INVOCATIONS - 1u)];
        }
    }
    return outside;
}

/* The number of a run's outer ends up to the base at place j. */
int stack_base_number(uint ends, uint j)
{
    return j == STACK_RUN ? 0 : bitCount(ends & (2u << j) - 1u);
}

void stack_set_base_value(uint j, stack_value value)
{
    if (j == STACK_RUN)
        stack_base_value = value;
    else
        stack_values[min(j, STACK_RUN - 1u)] = value;
}

/* Takes the values of the bases that lie before the partition. top: how far the run's first base lies below the depth
 * at the partition's start. */
void stack_take_outside_values(uint outside, uint ends, int top)
{
    [[unroll]] for (uint j = 0u; j <= STACK_RUN; j++) {
        if ((outside >> j & 1u) != 0u)
            stack_set_base_value(
                j, stack_shared_outside_value[min(uint(top + stack_base_number(ends, j)), STACK_INVOCATIONS - 1u)]);
    }
}

/* For each begin that the run leaves open, stores one part of what is open after it at the begin's place. value: what
 * lies below them all. */
void stack_publish(uint run, uint open, uint part, stack_value value)
{
    [[unroll]] for (uint j = 0u; j < STACK_RUN; j++) {
        if ((open >> j & 1u) != 0u) {
            value = stack_combine(value, stack_values[j]);
            stack_shared_part[stack_slot(run, j)] = stack_get_part(value, part);
        }
    }
}

/* Takes the values of the bases that lie in the partition. */
void stack_take_values(uint run, stack_run walked, stack_value below, uint partition_start)
{
    [[unroll]] for (uint part = 0u; part < STACK_PARTS; part++) {
        stack_publish(run, walked.open, part, below);
        barrier();
        if (walked.popped != 0 && stack_bases[STACK_RUN] - partition_start < STACK_PARTITION)
            stack_set_part(stack_base_value, part,
                           stack_shared_part[stack_link_slot(stack_bases[STACK_RUN] - partition_start)]);
        [[unroll]] for (uint j = 0u; j < STACK_RUN - 1u; j++) {
            if ((walked.ends >> j & 1u) != 0u && walked.ends >> j != 1u &&
                stack_bases[j] - partition_start < STACK_PARTITION)
                stack_set_part(stack_values[j], part,
                               stack_shared_part[stack_link_slot(stack_bases[j] - partition_start)]);
        }
        barrier();
    }
}

/* Finds what is open after each bracket. What is open after an end was also open before its begin. An end and its begin
 * are an odd distance apart. */
void stack_fill_values(stack_run run)
{
    [[unroll]] for (uint j = 0u; j < STACK_RUN; j++) {
        bool begins = (run.begins >> j & 1u) != 0u;
        if (begins)
            stack_values[j] =
                stack_combine(j == 0u ? stack_base_value : stack_values[max(j, 1u) - 1u], stack_values[j]);
        uint match = begins ? STACK_NO_PLACE : stack_place(run.matches, j);
        [[unroll]] for (uint begin = j & 1u ^ 1u; begin < j; begin += 2u) {
            if (match == begin)
                stack_values[j] = begin == 0u ? stack_base_value : stack_values[max(begin, 1u) - 1u];
        }
    }
}

/* Returns what lies below all entries that the run leaves. If `under` is STACK_NONE, the value comes from the stack
 * before the partition and is whole. Otherwise it comes from the run under this one and starts at the bottom of what
 * that run leaves. */
stack_value stack_take_under(uint run, uint open, uint under, uint bottom)
{
    stack_value value = stack_identity();
    [[unroll]] for (uint part = 0u; part < STACK_PARTS; part++) {
        stack_publish(run, open, part, stack_identity());
        barrier();
        if (under != STACK_NONE)
            stack_set_part(value, part, stack_shared_part[stack_link_slot(bottom)]);
        if (part + 1u < STACK_PARTS)
            barrier();
    }
    if (under == STACK_NONE)
        value = stack_shared_outside_value[min(bottom - STACK_OUTSIDE, STACK_INVOCATIONS - 1u)];
    return value;
}

/* Finds the bases that lie so deep before the partition that stack_shared_outside has no place for their levels. */
void stack_find_deep(stack_run run, uint outside, int top, uint partition_index, uint partitions, int start)
{
    [[dont_unroll]] for (uint i = 0u; i <= STACK_RUN; i++) {
        int level = top + stack_base_number(run.ends, i);
        if ((outside >> i & 1u) == 0u || level < int(STACK_INVOCATIONS))
            continue;
        stack_value value;
        uint index = stack_find_before(partition_index, partitions, start - 1 - level, value);
        [[unroll]] for (uint j = 0u; j <= STACK_RUN; j++) {
            if (i == j)
                stack_bases[j] = index;
        }
    }
}

/* Finds the values of those bases. under: receives the value of the last base, if that is one of them. */
void stack_find_deep_values(stack_run run, uint outside, int top, uint partition_index, uint partitions, int start,
                            inout stack_value under)
{
    [[dont_unroll]] for (uint i = 0u; i <= STACK_RUN; i++) {
        int number = stack_base_number(run.ends, i);
        if ((outside >> i & 1u) == 0u || top + number < int(STACK_INVOCATIONS))
            continue;
        stack_value value;
        stack_find_before(partition_index, partitions, start - 1 - top - number, value);
        [[unroll]] for (uint j = 0u; j <= STACK_RUN; j++) {
            if (i == j)
                stack_set_base_value(j, value);
        }
        if (number == run.popped)
            under = value;
    }
}

void stack_store_values(uint first, uint count)
{
    uint upper = gl_SubgroupInvocationID & 1u;
    [[unroll]] for (uint j = 0u; j < STACK_RUN; j += 2u) {
        uint i = first - upper * STACK_RUN + j + upper;
        stack_exchange(stack_values[j], stack_values[j + 1u]);
        if (i < count)
            stack_store_value(i, stack_values[j]);
        if (i + STACK_RUN < count)
            stack_store_value(i + STACK_RUN, stack_values[j + 1u]);
    }
}

/* Stores contexts and depths. A depth counts from the least depth so far, because an end on an empty stack pops
 * nothing. */
void stack_store_contexts(stack_run run, uint first, uint count, int depth, int least)
{
    uint base = stack_bases[STACK_RUN];
    uvec4 contexts[STACK_RUN / 4u], depths[STACK_RUN / 4u];
    [[unroll]] for (uint j = 0u; j < STACK_RUN; j++) {
        bool begins = (run.begins >> j & 1u) != 0u;
        if ((run.ends >> j & 1u) != 0u)
            base = stack_bases[j];
        uint context = begins ? j : stack_place(run.contexts, j);
        contexts[j / 4u][j % 4u] = context != STACK_NO_PLACE ? first + context : base;
        depth += begins ? 1 : -1;
        least = min(least, depth);
        depths[j / 4u][j % 4u] = uint(depth - least);
    }
    uint upper = gl_SubgroupInvocationID & 1u;
    stack_exchange(contexts[0], contexts[1]);
    stack_exchange(depths[0], depths[1]);
    uint i = first - upper * STACK_RUN + upper * 4u;
    stack_store_four(i, count, contexts[0], depths[0]);
    stack_store_four(i + STACK_RUN, count, contexts[1], depths[1]);
}

/* Stores matches. A run first finds the matches inside it. Then each outer end gives its number to its begin in another
 * run. A begin whose end is in another partition receives its match there, or by stack_unmatched. */
void stack_store_matches(uint run, stack_run walked, uint partition_start, uint count, bool alone)
{
    uint first = partition_start + run * STACK_RUN;
    uint popped = stack_bases[STACK_RUN];
    barrier(); /* all invocations have read the values that they need */
    [[unroll]] for (uint j = 0u; j < STACK_RUN; j++) {
        uint place = stack_place(walked.matches, j);
        uint match = place != STACK_NO_PLACE                     ? first + place
                     : (walked.begins >> j & 1u) != 0u && !alone ? STACK_UNREPORTED
                                                                 : STACK_NONE;
        if ((walked.ends >> j & 1u) != 0u) {
            match = popped;
            if (popped < partition_start)
                stack_store_match(popped, first + j);
            popped = stack_bases[j];
        }
        stack_shared_part[stack_slot(run, j)] = stack_part_of(match);
    }
    barrier();
    popped = stack_bases[STACK_RUN];
    [[unroll]] for (uint j = 0u; j < STACK_RUN; j++) {
        if ((walked.ends >> j & 1u) != 0u) {
            if (popped - partition_start < STACK_PARTITION)
                stack_shared_part[stack_link_slot(popped - partition_start)] = stack_part_of(first + j);
            popped = stack_bases[j];
        }
    }
    barrier();
    [[dont_unroll]] for (uint i = run; i < STACK_PARTITION; i += STACK_INVOCATIONS) {
        uint match = stack_word_of(stack_shared_part[stack_link_slot(i)]);
        if (partition_start + i < count && match != STACK_UNREPORTED)
            stack_store_match(partition_start + i, match);
    }
}

void stack_resolve(uint partition_index, uint count)
{
    uint partitions = stack_partition_count(count);
    bool joined = stack_joined(partitions);
    uint partition_start = partition_index * STACK_PARTITION;
    uint own = workgroup_invocation();
    uint first = partition_start + own * STACK_RUN;
    uint begins = stack_begins(first, count);
    stack_near near = stack_load_near(partition_index, partitions);
    int start = joined ? STACK_DEPTH(partitions, partition_index) : 0;
    int low_before = joined ? stack_low_before(partition_index, partitions) : 0;
    stack_run run = stack_walk_run(begins, stack_run_count(first, count));
    stack_load_values(first, run.open);
    ivec2 total;
    ivec2 before = workgroup_exclusive_scan(ivec2(run.pushed - run.popped, near.total), total);
    if (!joined) {
        start = total.y;
        stack_place_near(near, start - before.y);
    }
    int depth = start + before.x;
    int low = depth - run.popped;
    ivec2 least = stack_least_before(ivec2(low, stack_least_near(near)));
    stack_value near_value = stack_keep_near(near, partition_index, partitions, min(least.y, start));
    stack_shared_open[own] = run.pushed == 0 ? 0u : run.stack << 32u - 4u * uint(run.pushed);
    if (!joined && partition_index != 0u)
        stack_shared_below[own] = stack_combine_after(near_value);
    stack_make_tree(own, low);
    if (!joined)
        low_before = min(0, stack_shared_near[STACK_NEAR - 1u]);
    int least_depth = min(min(start, depth), min(least.x, subgroupMin(low_before)));

    /* Each invocation searches for one level before the partition, as far down as the partition pops. This comes first
     * because it takes long. */
    uint outside = STACK_NONE;
    stack_value outside_value = stack_identity();
    if (start - int(own) >= stack_tree(1u))
        outside = stack_find_before(partition_index, partitions, start - 1 - int(own), outside_value);
    uint under = stack_search_tree(own, low - 1);
    uint bottom = under != STACK_NONE ? stack_link_in(under, low - 1) : STACK_OUTSIDE + uint(start - low);
    stack_shared_under[own] = under;
    stack_shared_outside[own] = outside;
    stack_shared_outside_value[own] = outside_value;
    stack_value value = stack_take_under(own, run.open, under, bottom);
    uint link = stack_link_bases(own, run.ends, run.popped, depth, start, bottom);
    uint bases_outside = stack_take_bases(own, run.ends, link, partition_start);
    bool deep = start - stack_tree(1u) >= int(STACK_INVOCATIONS);
    if (deep)
        stack_find_deep(run, bases_outside, start - depth, partition_index, partitions, start);

    /* What needs no values comes first, so that values occupy no registers meanwhile. */
    stack_store_contexts(run, first, count, depth, least_depth);
    stack_store_matches(own, run, partition_start, count, partitions == 1u);
    stack_load_values(first, begins);
    stack_take_outside_values(bases_outside, run.ends, start - depth);
    if (deep)
        stack_find_deep_values(run, bases_outside, start - depth, partition_index, partitions, start, value);
    barrier(); /* stack_shared_below held the values below partitions */
    value = stack_fold_below(own, under, value);
    if (run.popped == 0)
        stack_base_value = value;
    [[unroll]] for (uint j = 0u; j < STACK_RUN; j++) {
        if (run.ends >> j == 1u)
            stack_values[j] = value;
    }
    stack_take_values(own, run, value, partition_start);
    stack_fill_values(run);
    stack_store_values(first, count);
}

#endif
