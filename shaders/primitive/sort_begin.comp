/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* sort, first dispatch: sorts few keys at once; of many it counts all digits, and the last workgroup to finish plans
 * the passes.
 * Reads: keys_a, values_a, counts. Writes: plan, tables (cleared for the passes), and keys_a, values_a when they are
 * few.
 * Dispatch: any number of workgroups; they share the keys between them.
 * Invariant: a digit in which all keys agree gets a pass of no workgroups, and the halves alternate over the others
 * alone.
 * Source: Adinets and Merrill, "Onesweep: A Faster Least Significant Digit Radix Sort for GPUs", 2022. */
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require
#pragma use_vulkan_memory_model

#include "layout/primitive.h"

layout(local_size_x = SORT_BEGIN_INVOCATIONS) in;

#include "primitive/sort_ranges.glsl"
#define WORKGROUP_SCAN_TYPE uvec4
#include "primitive/workgroup_scan.glsl"

#define HISTOGRAM_BIN(i) plan.bins[i]
#include "primitive/histogram.glsl"

/* A run does only one of the two. They share memory, so that more workgroups are resident. */
#define BITONIC_WORD(i) histogram_shared[i]
#include "primitive/bitonic.glsl"

layout(constant_id = PRIMITIVE_CONSTANT_RING) const uint ring_slots = 0u;

#define SMALL_ITEMS (BITONIC_CAPACITY / SORT_BEGIN_INVOCATIONS)

shared uint is_last;
shared uint agreed_digits;

void sort_few(uint count, uint bits)
{
    uint size = bitonic_size(count);
    for (uint first = 0u; first < size; first += SORT_BEGIN_INVOCATIONS) {
        uint i = first + gl_LocalInvocationIndex;
        if (i < size)
            bitonic_set(i, i < count ? significant(keys_a[i], bits) : sort_key(0xffffffffu));
    }
    bitonic_sort(count);
    sort_key sorted_keys[SMALL_ITEMS];
#ifdef SORT_VALUES
    uint sorted_values[SMALL_ITEMS];
#endif
    for (uint k = 0u; k < SMALL_ITEMS; k++) {
        uint i = gl_LocalInvocationIndex + k * SORT_BEGIN_INVOCATIONS;
        if (i < count) {
            sorted_keys[k] = keys_a[bitonic_position(i)];
#ifdef SORT_VALUES
            sorted_values[k] = values_a[bitonic_position(i)];
#endif
        }
    }
    controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsBuffer, gl_SemanticsAcquireRelease);
    for (uint k = 0u; k < SMALL_ITEMS; k++) {
        uint i = gl_LocalInvocationIndex + k * SORT_BEGIN_INVOCATIONS;
        if (i < count) {
            keys_a[i] = sorted_keys[k];
#ifdef SORT_VALUES
            values_a[i] = sorted_values[k];
#endif
        }
    }
}

void clear_table(uint start, uint words)
{
    for (uint i = gl_GlobalInvocationID.x; i < words; i += gl_NumWorkGroups.x * SORT_BEGIN_INVOCATIONS)
        tables[start + i] = 0u;
}

void clear_tables(uint count, uint passes)
{
    if (ring_slots != 0u) {
        clear_table(0u, min(sort_partition_count(count), ring_slots) * SORT_RING_SLOT_WORDS);
        return;
    }
    for (uint pass = 0u; pass < passes; pass++)
        clear_table(sort_table(pass), sort_partition_count(count) * SORT_BINS);
}

void count_key(uint key, uint bits, uint passes, uint copies)
{
    histogram_add(significant(key, bits), 0u, 0u, passes, copies);
}

void count_key(uvec2 key, uint bits, uint passes, uint copies)
{
    uvec2 key_bits = significant(key, bits);
    histogram_add(key_bits.x, 0u, 0u, min(passes, 4u), copies);
    histogram_add(key_bits.y, 0u, 4u, max(passes, 4u) - 4u, copies);
}

void count_group(uvec4 group, uint bits, uint passes, uint copies)
{
#ifdef SORT_U64
    count_key(group.xy, bits, passes, copies);
    count_key(group.zw, bits, passes, copies);
#else
    [[unroll]] for (uint k = 0u; k < 4u; k++)
        count_key(group[k], bits, passes, copies);
#endif
}

#define COUNT_IN_FLIGHT 4u

/* Counts the digits of the workgroup's keys. It loads four words of neighbouring keys at a time, and several such
 * groups, so that their loads are on their way at once. */
void count_digits(uint count, uint bits, uint passes)
{
    uint groups = count / (4u / KEY_WORDS);
    uint copies = histogram_copies(passes);
    uint stride = gl_NumWorkGroups.x * SORT_BEGIN_INVOCATIONS;
    uint i = gl_GlobalInvocationID.x;
    histogram_clear();
    for (; i + (COUNT_IN_FLIGHT - 1u) * stride < groups; i += COUNT_IN_FLIGHT * stride) {
        uvec4 loaded[COUNT_IN_FLIGHT];
        [[unroll]] for (uint k = 0u; k < COUNT_IN_FLIGHT; k++)
            loaded[k] = key_groups_a[i + k * stride];
        [[unroll]] for (uint k = 0u; k < COUNT_IN_FLIGHT; k++)
            count_group(loaded[k], bits, passes, copies);
    }
    for (; i < groups; i += stride)
        count_group(key_groups_a[i], bits, passes, copies);
    uint rest = groups * (4u / KEY_WORDS) + gl_GlobalInvocationID.x;
    if (rest < count)
        count_key(keys_a[rest], bits, passes, copies);
    histogram_flush(passes);
}

/* Returns true in the workgroup that sees the sums of all. */
bool finish_counting()
{
    controlBarrier(gl_ScopeWorkgroup, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsAcquireRelease);
    if (gl_LocalInvocationIndex == 0u) {
        uint before =
            atomicAdd(plan.finished, 1u, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsAcquireRelease);
        is_last = uint(before == gl_NumWorkGroups.x - 1u);
    }
    controlBarrier(gl_ScopeWorkgroup, gl_ScopeDevice, gl_StorageSemanticsBuffer | gl_StorageSemanticsShared,
                   gl_SemanticsAcquireRelease);
    return is_last != 0u;
}

/* Turns the counts of four digits into offsets, and notes the digits in which all keys agree. */
void plan_four_digits(uint count, uint first_pass)
{
    uint bin = workgroup_invocation();
    uint first = first_pass * SORT_BINS + bin;
    uvec4 keys = uvec4(0u);
    for (uint d = 0u; d < 4u && bin < SORT_BINS; d++)
        keys[d] = atomicLoad(plan.bins[first + d * SORT_BINS], gl_ScopeDevice, 0, gl_SemanticsRelaxed);
    uvec4 total;
    uvec4 before = workgroup_exclusive_scan(keys, total);
    for (uint d = 0u; d < 4u && bin < SORT_BINS; d++) {
        atomicStore(plan.bins[first + d * SORT_BINS], before[d], gl_ScopeDevice, 0, gl_SemanticsRelaxed);
        if (keys[d] == count)
            atomicOr(agreed_digits, 1u << (first_pass + d), gl_ScopeWorkgroup, 0, gl_SemanticsRelaxed);
    }
    barrier();
}

/* Returns a bit for each digit in which all keys agree. */
uint plan_digits(uint count)
{
    if (gl_LocalInvocationIndex == 0u)
        agreed_digits = 0u;
    barrier();
    for (uint pass = 0u; pass < 4u * KEY_WORDS; pass += 4u)
        plan_four_digits(count, pass);
    return agreed_digits;
}

void plan_passes(uint count, uint bits, uint passes)
{
    uint agreed = plan_digits(count);
    if (gl_LocalInvocationIndex != 0u)
        return;
    uint partitions = sort_partition_count(count);
    uint x = min(partitions, 32768u);
    uint half_now = 0u;
    for (uint pass = 0u; pass < passes; pass++) {
        if ((agreed >> pass & 1u) != 0u)
            continue;
        plan.source_half[pass] = half_now;
        plan.pass[pass] = sort_arguments(x, (partitions + x - 1u) / x, 1u);
        half_now ^= 1u;
    }
    plan.result_half = half_now;
    plan.count = count;
    plan.bits = bits;
}

void main()
{
    uint count = sort_count();
    uint bits = sort_bits();
    if (count <= BITONIC_CAPACITY) {
        if (gl_WorkGroupID.x == 0u)
            sort_few(count, bits);
        return;
    }
    uint passes = (bits + 7u) / 8u;
    clear_tables(count, passes);
    count_digits(count, bits, passes);
    if (finish_counting())
        plan_passes(count, bits, passes);
}
