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

/* A run's values stay in registers; what other runs need of them goes through shared memory a part at a time, so that
 * workgroups are small and many stay.
 *
 * An end that pops what was there before its run is an outer end. What it leaves open, and what is open before the run,
 * is a base: of the brackets up to the next outer end. A base is given by a link: a bracket of the partition, counted
 * from its start, or, from STACK_OUTSIDE on, how far a level lies below the top of the stack before the partition. */
#define STACK_OUTSIDE STACK_PARTITION_MOST
#define STACK_UNTOLD (STACK_NONE - 1u)
#define STACK_STEP max(128u / STACK_RUN / STACK_PART_BYTES, 1u) /* runs whose parts fill 32 banks */
shared stack_part stack_shared_part[STACK_PARTITION];           /* in turn: parts of values, links, matches */
shared uint stack_shared_open[STACK_INVOCATIONS];  /* places of what a run leaves open, the bottom highest */
shared uint stack_shared_under[STACK_INVOCATIONS]; /* the run whose entry lies under that, or STACK_NONE */
/* of levels before the partition, from the top down: the begin, or STACK_NONE */
shared uint stack_shared_outside[STACK_INVOCATIONS];
shared stack_value stack_shared_outside_value[STACK_INVOCATIONS]; /* and what is open there */

/* Belong to this invocation's run: its brackets' values, which become what is open after each; its bases, with the
 * one before the run last, each the begin or STACK_NONE; and what is open at that last base. The other bases' values
 * lie with their outer ends. */
stack_value stack_values[STACK_RUN];
uint stack_bases[STACK_RUN + 1u];
stack_value stack_base_value;

/* Parts of a run lie apart by a permutation, so that invocations that go through their runs in step do not meet in a
 * bank. */
uint stack_slot(uint run, uint place)
{
    return run * STACK_RUN + (place ^ run / STACK_STEP % STACK_RUN);
}

uint stack_link_slot(uint link)
{
    return stack_slot(link / STACK_RUN, link % STACK_RUN);
}

/* Two neighbours hand each other one of two values: the lower one gets both first ones, the upper one both second
 * ones. */
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

/* Link of the entry that a run left at a level. */
uint stack_link_in(uint run, int level)
{
    uint open = atomicLoad(stack_shared_open[run], gl_ScopeWorkgroup, 0, gl_SemanticsRelaxed);
    int low = stack_tree(STACK_LEAVES + run);
    return run * STACK_RUN + (open >> 28u - 4u * uint(level - low) & 15u);
}

/* Links of a run's bases from the top down, but for the last, which is `bottom`; those that outer ends leave go to the
 * ends' places. Returns the first. What lies under one entry is the next entry of the same run, or the top of the run
 * under it. */
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

/* Bases from links. Returns which of them lie before the partition, a bit each. */
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

/* How many outer ends of a run lead up to a base. */
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

/* Values of the bases before the partition; top: how far below its start the first of the run would lie. */
void stack_take_outside_values(uint outside, uint ends, int top)
{
    [[unroll]] for (uint j = 0u; j <= STACK_RUN; j++) {
        if ((outside >> j & 1u) != 0u)
            stack_set_base_value(
                j, stack_shared_outside_value[min(uint(top + stack_base_number(ends, j)), STACK_INVOCATIONS - 1u)]);
    }
}

/* Puts parts of what is open after each begin that the run leaves open in its place; value: what lies below them
 * all. */
void stack_publish(uint run, uint open, uint part, stack_value value)
{
    [[unroll]] for (uint j = 0u; j < STACK_RUN; j++) {
        if ((open >> j & 1u) != 0u) {
            value = stack_combine(value, stack_values[j]);
            stack_shared_part[stack_slot(run, j)] = stack_get_part(value, part);
        }
    }
}

/* Values of the bases in the partition. */
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

/* Fills in what is open after each bracket. After an end that is what was open before its begin. The two are an odd
 * distance apart. */
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

/* What lies below all entries that the run leaves: of the stack before the partition at once, otherwise of the run
 * under it, from the bottom of what that one leaves. */
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

/* Finds bases that lie too deep before the partition for its invocations to look for all levels at once. */
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

/* Finds the values of those bases. under: the value of the last. */
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

/* Contexts, and depths: above the least depth so far, for an end on an empty stack pops nothing. */
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

/* Matches: what a run knows of its own, then what ends know of begins in other runs. A begin whose end is in another
 * partition receives it there, or by stack_unmatched. */
void stack_store_matches(uint run, stack_run walked, uint partition_start, uint count, bool alone)
{
    uint first = partition_start + run * STACK_RUN;
    uint popped = stack_bases[STACK_RUN];
    barrier(); /* all have what they need of values */
    [[unroll]] for (uint j = 0u; j < STACK_RUN; j++) {
        uint place = stack_place(walked.matches, j);
        uint match = place != STACK_NO_PLACE                     ? first + place
                     : (walked.begins >> j & 1u) != 0u && !alone ? STACK_UNTOLD
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
        if (partition_start + i < count && match != STACK_UNTOLD)
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

    /* Each invocation looks for one level before the partition that the partition comes down to. This is first
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

    /* First comes what needs no values, so that values are not kept meanwhile. */
    stack_store_contexts(run, first, count, depth, least_depth);
    stack_store_matches(own, run, partition_start, count, partitions == 1u);
    stack_load_values(first, begins);
    stack_take_outside_values(bases_outside, run.ends, start - depth);
    if (deep)
        stack_find_deep_values(run, bases_outside, start - depth, partition_index, partitions, start, value);
    barrier(); /* stack_shared_below had what is below partitions */
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
