/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The stack monoid within one partition: its runs. stack_table.glsl says what these are. A run is walked by one
 * invocation with a stack of its own, eight places of four bits in a word: work for a bracket is a few instructions of
 * one lane, where ballots over a subgroup's brackets take dozens of all lanes. */
#ifndef STACK_PARTITION_GLSL
#define STACK_PARTITION_GLSL

#include "primitive/stack_table.glsl"
#include "primitive/workgroup_scan.glsl"

/* Which of the STACK_RUN brackets from `first` on are begins, a bit each; none of those from `count` on. */
uint stack_begins(uint first, uint count);
stack_value stack_load(uint i);
stack_value stack_shuffle(stack_value value, uint lane);
void stack_unmatched(uint i);

/* What a run is by itself. Places are in four bits each, of the bracket with that number; 8: none. */
struct stack_run {
    uint begins;        /* bits */
    uint ends;          /* those that pop what was there before the run */
    uint matches;       /* places: the other end, if it is in the run */
    uint contexts;      /* places, of ends alone: innermost begin of the run that is open after it */
    uint open;          /* bits: begins that are open after the run */
    uint stack;         /* their places, the top lowest */
    int pushed, popped; /* how many these are, and those ends */
};

#define STACK_NO_PLACE 8u

uint stack_place(uint places, uint i)
{
    return places >> 4u * i & 15u;
}

/* The place of an open begin, counted from the bottom of the run's stack. */
uint stack_place_above(stack_run run, int i)
{
    return stack_place(run.stack, uint(run.pushed - 1 - i));
}

stack_run stack_walk_run(uint begins, uint count)
{
    stack_run run = stack_run(begins, 0u, 0x88888888u, 0x88888888u, 0u, 0u, 0, 0);
    [[unroll]] for (uint j = 0u; j < STACK_RUN; j++) {
        if ((begins >> j & 1u) != 0u) {
            run.open |= 1u << j;
            run.stack = run.stack << 4 | j;
            run.pushed++;
        } else if (j < count) {
            if (run.pushed == 0) {
                run.ends |= 1u << j;
                run.popped++;
            } else {
                uint begin = run.stack & 15u;
                run.matches ^= (STACK_NO_PLACE ^ begin) << 4u * j | (STACK_NO_PLACE ^ j) << 4u * begin;
                run.open ^= 1u << begin;
                run.stack >>= 4;
                run.pushed--;
                if (run.pushed != 0)
                    run.contexts ^= (STACK_NO_PLACE ^ (run.stack & 15u)) << 4u * j;
            }
        }
    }
    return run;
}

/* Brackets of the row in the run that starts at `first`. */
uint stack_run_count(uint first, uint count)
{
    return first < count ? min(count - first, STACK_RUN) : 0u;
}

#endif
