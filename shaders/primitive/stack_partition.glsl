/* The stack monoid within one partition: its runs, the depths before them and the tree of their lows. stack_table.glsl says what these
 * are. A run is walked by one invocation with a stack of its own, eight places of four bits in a word: work for a bracket is a few
 * instructions of one lane, where ballots over a subgroup's brackets take dozens of all lanes. */
#ifndef STACK_PARTITION_GLSL
#define STACK_PARTITION_GLSL

#include "primitive/stack_table.glsl"
#define WORKGROUP_SCAN_TYPE int
#include "primitive/workgroup_scan.glsl"

#define STACK_LEAVES uint(STACK_INVOCATIONS)
#include "primitive/stack_tree.glsl"

/* Which of the STACK_RUN brackets from `first` on are begins, a bit each; none of those from `count` on. */
uint stack_begins(uint first, uint count);
stack_value stack_load(uint i);
stack_value stack_shuffle(stack_value value, uint lane);
void stack_unmatched(uint i);

/* What a run is by itself. Places are in four bits each, of the bracket with that number; 8: none. */
struct stack_run {
    uint begins;               /* bits */
    uint ends;                 /* those that pop what was there before the run */
    uint matches;              /* places: the other end, if it is in the run */
    uint contexts;             /* places, of ends alone: innermost begin of the run that is open after it */
    uint open;                 /* places, as a stack, the top lowest: begins that are open after the run */
    int pushed, popped;        /* how many these are, and those ends */
};

#define STACK_NO_PLACE 8u

uint stack_place(uint places, uint i)
{
    return places >> 4u * i & 15u;
}

stack_run stack_walk_run(uint begins, uint count)
{
    stack_run run = stack_run(begins, 0u, 0x88888888u, 0x88888888u, 0u, 0, 0);
    [[unroll]] for (uint j = 0u; j < STACK_RUN; j++) {
        if ((begins >> j & 1u) != 0u) {
            run.open = run.open << 4 | j;
            run.pushed++;
        } else if (j < count) {
            if (run.pushed == 0) {
                run.ends |= 1u << j;
                run.popped++;
            } else {
                uint begin = run.open & 15u;
                run.matches ^= (STACK_NO_PLACE ^ begin) << 4u * j | (STACK_NO_PLACE ^ j) << 4u * begin;
                run.open >>= 4;
                run.pushed--;
                if (run.pushed != 0)
                    run.contexts ^= (STACK_NO_PLACE ^ (run.open & 15u)) << 4u * j;
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
