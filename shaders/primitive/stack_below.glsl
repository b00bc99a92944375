/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Stack monoid: finds the value of all that is below each run of brackets from the run that it stands on, by pointer
 * jumping.
 *
 * How to use it: define STACK_RUNS, how many runs a workgroup joins, one an invocation; in uniform control flow, and
 * after a barrier if it was called before, stack_fold_below(...). Ends in a barrier. */
#ifndef STACK_BELOW_GLSL
#define STACK_BELOW_GLSL

#include "primitive/stack_table.glsl"

shared uint stack_shared_stands_on[STACK_RUNS]; /* an earlier run, or STACK_NONE */
shared stack_value stack_shared_below[STACK_RUNS];

/* value: of only what this run stands on, or of everything below if it stands on none of these runs (on is
 * STACK_NONE). */
stack_value stack_fold_below(uint run, uint on, stack_value value)
{
    stack_shared_stands_on[run] = on;
    stack_shared_below[run] = value;
    barrier();
    /* Three steps a round, since a barrier takes longer than a step. */
    for (uint reach = 1u; reach < STACK_RUNS; reach <<= 2) {
        uint next = on;
        [[unroll]] for (uint step = 0u; step < 3u; step++) {
            if (next != STACK_NONE) {
                value = stack_combine(stack_shared_below[next], value);
                next = stack_shared_stands_on[next];
            }
        }
        barrier();
        on = next;
        stack_shared_stands_on[run] = on;
        stack_shared_below[run] = value;
        barrier();
    }
    return value;
}

#endif
