/* Stack monoid: from what each run of brackets stands on to the value of all that is below it, by pointer doubling.
 *
 * How to use it: define STACK_RUNS, how many runs a workgroup joins at most; in uniform control flow, and after a barrier if it was
 * called before, stack_join_below(...). Ends in a barrier. */
#ifndef STACK_BELOW_GLSL
#define STACK_BELOW_GLSL

#include "primitive/stack_table.glsl"

shared uint stack_shared_stands_on[STACK_RUNS]; /* an earlier run, or STACK_NONE */
shared stack_value stack_shared_below[STACK_RUNS];

/* value: of what this run stands on alone, or of everything below where that is no run of these (on is STACK_NONE). `present`: this
 * invocation has a run, the run-th of so many. */
stack_value stack_join_below(uint run, uint runs, bool present, uint on, stack_value value)
{
    if (present) {
        stack_shared_stands_on[run] = on;
        stack_shared_below[run] = value;
    }
    barrier();
    for (uint reach = 1u; reach < runs; reach <<= 1) {
        uint next = STACK_NONE;
        if (on != STACK_NONE) {
            value = stack_combine(stack_shared_below[on], value);
            next = stack_shared_stands_on[on];
        }
        barrier();
        on = next;
        if (present) {
            stack_shared_stands_on[run] = on;
            stack_shared_below[run] = value;
        }
        barrier();
    }
    return value;
}

#endif
