/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Exclusive scan over the invocations of a workgroup: within each subgroup first, then every subgroup sums those before
 * it.
 *
 * How to use it: after layout(local_size_x = N) with N a multiple of 64, optionally
 *     #define WORKGROUP_SCAN_TYPE uvec2                       default uint; any vector of 32-bit integers, added by
 *                                                             component
 * or, for another operation on a uint whose identity is zero (it need not commute):
 *     #define WORKGROUP_SCAN_COMBINE(earlier, later) ...
 *     (and GL_KHR_shader_subgroup_shuffle_relative, GL_KHR_shader_subgroup_shuffle)
 * then #include it and, in uniform control flow:
 *     uint before = workgroup_exclusive_scan(value, total);   total: of the whole workgroup, in every invocation
 * Needs GL_KHR_shader_subgroup_{basic,arithmetic,ballot}. Ends in a barrier. Invocations count by subgroup and lane,
 * which is workgroup_invocation(): take items by that number, not by gl_LocalInvocationIndex. */
#ifndef WORKGROUP_SCAN_GLSL
#define WORKGROUP_SCAN_GLSL

#ifndef WORKGROUP_SCAN_TYPE
#define WORKGROUP_SCAN_TYPE uint
#endif

/* No device has subgroups of fewer than 4. */
shared WORKGROUP_SCAN_TYPE workgroup_scan_shared[gl_WorkGroupSize.x / 4u];

uint workgroup_invocation()
{
    return gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID;
}

#ifdef WORKGROUP_SCAN_COMBINE

WORKGROUP_SCAN_TYPE workgroup_scan_subgroup(WORKGROUP_SCAN_TYPE value)
{
    for (uint step = 1u; step < gl_SubgroupSize; step <<= 1) {
        WORKGROUP_SCAN_TYPE earlier = subgroupShuffleUp(value, step);
        if (gl_SubgroupInvocationID >= step)
            value = WORKGROUP_SCAN_COMBINE(earlier, value);
    }
    return value;
}

WORKGROUP_SCAN_TYPE workgroup_exclusive_scan(WORKGROUP_SCAN_TYPE value, out WORKGROUP_SCAN_TYPE total)
{
    uint lane = gl_SubgroupInvocationID;
    uint last = gl_SubgroupSize - 1u;
    WORKGROUP_SCAN_TYPE inclusive = workgroup_scan_subgroup(value);
    if (lane == last)
        workgroup_scan_shared[gl_SubgroupID] = inclusive;
    barrier();
    WORKGROUP_SCAN_TYPE before = WORKGROUP_SCAN_TYPE(0u);
    total = WORKGROUP_SCAN_TYPE(0u);
    for (uint first = 0u; first < gl_NumSubgroups; first += gl_SubgroupSize) {
        uint i = first + lane;
        WORKGROUP_SCAN_TYPE sum = i < gl_NumSubgroups ? workgroup_scan_shared[i] : WORKGROUP_SCAN_TYPE(0u);
        sum = workgroup_scan_subgroup(sum);
        if (gl_SubgroupID > first) {
            WORKGROUP_SCAN_TYPE here = subgroupShuffle(sum, min(gl_SubgroupID - first - 1u, last));
            before = WORKGROUP_SCAN_COMBINE(before, here);
        }
        sum = subgroupShuffle(sum, last);
        total = WORKGROUP_SCAN_COMBINE(total, sum);
    }
    WORKGROUP_SCAN_TYPE previous = subgroupShuffleUp(inclusive, 1u);
    if (lane != 0u)
        before = WORKGROUP_SCAN_COMBINE(before, previous);
    barrier();
    return before;
}

#else

WORKGROUP_SCAN_TYPE workgroup_exclusive_scan(WORKGROUP_SCAN_TYPE value, out WORKGROUP_SCAN_TYPE total)
{
    WORKGROUP_SCAN_TYPE inclusive = subgroupInclusiveAdd(value);
    if (gl_SubgroupInvocationID == gl_SubgroupSize - 1u)
        workgroup_scan_shared[gl_SubgroupID] = inclusive;
    barrier();
    WORKGROUP_SCAN_TYPE before = WORKGROUP_SCAN_TYPE(0u);
    total = WORKGROUP_SCAN_TYPE(0u);
    for (uint first = 0u; first < gl_NumSubgroups; first += gl_SubgroupSize) {
        uint i = first + gl_SubgroupInvocationID;
        WORKGROUP_SCAN_TYPE sum = i < gl_NumSubgroups ? workgroup_scan_shared[i] : WORKGROUP_SCAN_TYPE(0u);
        before += subgroupAdd(i < gl_SubgroupID ? sum : WORKGROUP_SCAN_TYPE(0u));
        total += subgroupAdd(sum);
    }
    barrier();
    return before + inclusive - value;
}

#endif

#endif
