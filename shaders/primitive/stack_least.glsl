/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Stack monoid: minima over the invocations of a workgroup, in order.
 * How to use it: define STACK_LEAST_TYPE, an int or a vector of them, and include it; no value is kept for another
 * use. */
#ifndef STACK_LEAST_GLSL
#define STACK_LEAST_GLSL

shared STACK_LEAST_TYPE stack_shared_subgroup[STACK_INVOCATIONS / 4u]; /* no device has subgroups of fewer than 4 */

/* Least of all values up to this invocation's, component by component. Contains a barrier, and none after it. */
STACK_LEAST_TYPE stack_least_up_to(STACK_LEAST_TYPE value)
{
    STACK_LEAST_TYPE least = subgroupInclusiveMin(value);
    if (gl_SubgroupInvocationID == gl_SubgroupSize - 1u)
        stack_shared_subgroup[gl_SubgroupID] = least;
    barrier();
    for (uint s = 0u; s < gl_NumSubgroups; s++)
        least = min(least, s < gl_SubgroupID ? stack_shared_subgroup[s] : least);
    return least;
}

#endif
