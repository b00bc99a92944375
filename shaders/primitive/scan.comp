/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* scan, second half: prefix sums of u32 items, modulo 2^32. scan_partition.glsl says how.
 * Reads: items, count, the sums that scan_begin left. Writes: sums, scratch. Dispatch: one workgroup a partition,
 * surplus ones leave at once. The order of workgroups decides how long they take, never whether they end. Polling is
 * bounded, and then a workgroup adds up the missing far partitions from the items and posts their sums. So sums may
 * not overlap items. */
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_vote : require
#pragma use_vulkan_memory_model

#include "layout/primitive.h"

layout(local_size_x = 256, local_size_x_id = PRIMITIVE_CONSTANT_INVOCATIONS) in;

#define LOOK_BACK_CONSTANTS_ONLY
#include "primitive/look_back.glsl"
#include "primitive/scan_partition.glsl"

layout(scalar, binding = 3) writeonly buffer sums_buffer
{
    uint sums[];
};
layout(scalar, binding = 3) writeonly buffer sum_groups_buffer
{
    uvec4 sum_groups[];
};

#define SCAN_THERE 0x80000000u

/* What a subgroup reports to the others. */
struct subgroup_part {
    uint sum;     /* sum of its items of the partition */
    uint far_sum; /* sum of its items of the far partition */
    uint before;  /* sum of the partitions before */
    uint missing; /* whether some sums of those are missing */
};

shared subgroup_part parts[gl_WorkGroupSize.x / 4u]; /* no device has subgroups of fewer than 4 */
shared uint lowest_missing;

uint chunk_word(uint chunk, uint half_index)
{
    return push.look_ahead + 2u * chunk + half_index;
}

uint far_word(uint far, uint half_index)
{
    return push.look_ahead + 2u * (push.chunks + far) + half_index;
}

uint read_word(uint word)
{
    return atomicLoad(scratch[word], gl_ScopeDevice, 0, gl_SemanticsRelaxed);
}

/* Posts a far partition's sum. Its owner and whoever missed it may do so at the same time. Each half counts once. */
void post(uint far, uint sum)
{
    if (gl_LocalInvocationIndex > 1u)
        return;
    uint half_index = gl_LocalInvocationIndex;
    uint value = sum >> 16u * half_index & 0xffffu;
    if (atomicCompSwap(scratch[far_word(far, half_index)], 0u, SCAN_THERE | value, gl_ScopeDevice, 0,
                       gl_SemanticsRelaxed, 0, gl_SemanticsRelaxed) == 0u)
        atomicAdd(scratch[chunk_word(far / SCAN_CHUNK, half_index)], 1u << 24 | value, gl_ScopeDevice, 0,
                  gl_SemanticsRelaxed);
}

bool read_far(uint far, out uint sum)
{
    uint low = read_word(far_word(far, 0u)), high = read_word(far_word(far, 1u));
    sum = (low & 0xffffu) + (high << 16);
    return (low & high & SCAN_THERE) != 0u;
}

/* Returns the invocation's share of the sum of the first far_count far partitions, from complete chunks and the
 * partitions of the last chunk. */
uint sum_of_far(uint far_count, out bool missing)
{
    uint chunks = far_count / SCAN_CHUNK;
    uint sum = 0u;
    missing = false;
    for (uint c = gl_WorkGroupSize.x - 1u - gl_LocalInvocationIndex; c < chunks; c += gl_WorkGroupSize.x) {
        uint low = read_word(chunk_word(c, 0u)), high = read_word(chunk_word(c, 1u));
        sum += (low & 0xffffffu) + (high << 16);
        missing = missing || low >> 24 != SCAN_CHUNK || high >> 24 != SCAN_CHUNK;
    }
    for (uint f = chunks * SCAN_CHUNK + gl_LocalInvocationIndex; f < far_count; f += gl_WorkGroupSize.x) {
        uint partition_sum;
        missing = !read_far(f, partition_sum) || missing;
        sum += partition_sum;
    }
    return sum;
}

/* Returns the invocation's share of the sum of the first partitions. */
uint sum_of_first(uint count)
{
    uint sum = 0u;
    for (uint t = gl_LocalInvocationIndex; t < count; t += gl_WorkGroupSize.x)
        sum += scratch[t];
    return sum;
}

/* Adds up every part over the workgroup, except `sum`, which it adds up over the earlier subgroups. */
subgroup_part join(subgroup_part own)
{
    if (subgroupElect())
        parts[gl_SubgroupID] = own;
    barrier();
    subgroup_part all = subgroup_part(0u, 0u, 0u, 0u);
    for (uint i = gl_SubgroupInvocationID; i < gl_NumSubgroups; i += gl_SubgroupSize) {
        subgroup_part part = parts[i];
        all.sum += i < gl_SubgroupID ? part.sum : 0u;
        all.far_sum += part.far_sum;
        all.before += part.before;
        all.missing |= part.missing;
    }
    return subgroup_part(subgroupAdd(all.sum), subgroupAdd(all.far_sum), subgroupAdd(all.before),
                         uint(subgroupAny(all.missing != 0u)));
}

/* Takes one item after the other, since this seldom runs and must not take registers. */
uint recompute(uint far, uint count)
{
    uint first = (push.look_ahead + far) * PARTITION + gl_LocalInvocationIndex;
    uint sum = 0u;
    [[dont_unroll]] for (uint k = 0u; k < 4u * scan_groups; k++) {
        uint i = first + k * gl_WorkGroupSize.x;
        if (i < count)
            sum += items[i];
    }
    barrier();
    return join(subgroup_part(0u, 0u, subgroupAdd(sum), 0u)).before;
}

/* Returns the lowest number that an invocation of the workgroup has. */
uint lowest_of(uint far)
{
    barrier();
    if (gl_LocalInvocationIndex == 0u)
        lowest_missing = LOOK_BACK_NO_PARTITION;
    barrier();
    if (far != LOOK_BACK_NO_PARTITION)
        atomicMin(lowest_missing, far, gl_ScopeWorkgroup, 0, gl_SemanticsRelaxed);
    barrier();
    return lowest_missing;
}

/* Returns the sum of the first far_count far partitions from their own words. Missing ones are computed from the items.
 * */
uint sum_of_far_recomputed(uint far_count, uint count)
{
    uint sum = 0u;
    [[dont_unroll]] for (uint first = 0u; first < far_count; first += gl_WorkGroupSize.x) {
        uint far = first + gl_LocalInvocationIndex;
        uint own = 0u;
        bool missing = far < far_count && !read_far(far, own);
        uint lowest = lowest_of(missing ? far : LOOK_BACK_NO_PARTITION);
        while (lowest != LOOK_BACK_NO_PARTITION) {
            uint partition_sum = recompute(lowest, count);
            post(lowest, partition_sum);
            if (far == lowest) {
                own = partition_sum;
                missing = false;
            }
            lowest = lowest_of(missing ? far : LOOK_BACK_NO_PARTITION);
        }
        sum += own;
    }
    return sum;
}

/* Does the same for a workgroup that missed some. It waits for a bounded time. */
uint wait_for_far(uint far_count, uint count)
{
    bool missing = true;
    uint sum = 0u;
    for (uint polled = 0u; polled < LOOK_BACK_SPIN_LIMIT_A_PARTITION && subgroupAny(missing); polled++)
        sum = sum_of_far(far_count, missing);
    barrier();
    subgroup_part all = join(subgroup_part(0u, 0u, subgroupAdd(sum), uint(subgroupAny(missing))));
    if (all.missing == 0u)
        return all.before;
    sum = sum_of_far_recomputed(far_count, count);
    barrier();
    return join(subgroup_part(0u, 0u, subgroupAdd(sum), 0u)).before;
}

uvec4 scan_items[scan_groups];
uvec4 far_items[scan_groups];

/* Turns the partition's items into the sums to be stored, less what lies before the subgroup. Returns the sum of the
 * subgroup's items. */
uint sum_items()
{
    uint carry = 0u;
    [[unroll]] for (uint r = 0u; r < scan_groups; r++) {
        uvec4 own = push.inclusive != 0u ? uvec4(0u) : scan_items[r];
        uvec4 group = scan_items[r];
        group.y += group.x;
        group.z += group.y;
        group.w += group.z;
        uint inclusive = subgroupInclusiveAdd(group.w);
        scan_items[r] = group - own + (carry + inclusive - group.w);
        carry += subgroupShuffle(inclusive, gl_SubgroupSize - 1u);
    }
    return carry;
}

void store_partition(uint partition_index, uint count, uint before)
{
    if (partition_index < count / PARTITION) {
        [[unroll]] for (uint r = 0u; r < scan_groups; r++)
            sum_groups[group_index(partition_index, r)] = scan_items[r] + before;
        return;
    }
    [[unroll]] for (uint r = 0u; r < scan_groups; r++) {
        uint first = 4u * group_index(partition_index, r);
        for (uint k = 0u; k < 4u; k++) {
            if (first + k < count)
                sums[first + k] = scan_items[r][k] + before;
        }
    }
}

void main()
{
    uint count = min(item_count, push.max_count);
    uint partition_count = count / PARTITION + uint(count % PARTITION != 0u);
    uint partition_index =
        look_back_partition(gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x, partition_count);
    if (partition_index == LOOK_BACK_NO_PARTITION)
        return;
    bool adds = partition_index + push.look_ahead < partition_count;
    uint far_count = partition_index - min(partition_index, push.look_ahead);
    /* All loads start before anything waits for one. */
    if (adds) {
        LOAD_PARTITION(far_items, partition_index + push.look_ahead, count)
    }
    LOAD_PARTITION(scan_items, partition_index, count)
    bool missing;
    uint before = sum_of_far(far_count, missing);
    before += sum_of_first(min(partition_index, push.look_ahead));
    uint far_sum = 0u;
    if (adds) {
        [[unroll]] for (uint r = 0u; r < scan_groups; r++)
            far_sum += sum_of_group(far_items[r]);
    }
    uint sum = sum_items();
    subgroup_part all = join(subgroup_part(sum, subgroupAdd(far_sum), subgroupAdd(before), uint(subgroupAny(missing))));
    if (adds && !look_back_is_faulty(partition_index))
        post(partition_index, all.far_sum);
    if (all.missing != 0u) {
        uint first = sum_of_first(min(partition_index, push.look_ahead));
        all.before = wait_for_far(far_count, count);
        barrier();
        all.before += join(subgroup_part(0u, 0u, subgroupAdd(first), 0u)).before;
    }
    store_partition(partition_index, count, all.sum + all.before);
}
