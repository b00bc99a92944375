/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* sort of not so many keys, the first of two dispatches a digit: each partition counts its keys by bin.
 * Reads: counts, one half of the keys. Writes: the table, and in the first pass where the result will lie. Dispatch: a
 * workgroup a partition. */
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_KHR_memory_scope_semantics : require
#pragma use_vulkan_memory_model

#include "layout/primitive.h"

layout(local_size_x = 256, local_size_x_id = PRIMITIVE_CONSTANT_INVOCATIONS) in;

#include "primitive/sort_ranges.glsl"

layout(constant_id = PRIMITIVE_CONSTANT_ITEMS) const uint items_per_invocation = 4u;

#define SORT_INVOCATIONS gl_WorkGroupSize.x
#define SORT_PARTITION (SORT_INVOCATIONS * items_per_invocation)

#include "primitive/sort_table.glsl"

shared uint bin_count[BINS];

void main()
{
    uint count = sort_count();
    uint bits = sort_bits();
    uint partition_index = gl_WorkGroupID.x;
    if (push.pass == 0u && partition_index == 0u && gl_LocalInvocationIndex == 0u)
        plan.result_half = pass_count(bits) & 1u;
    if (push.pass >= pass_count(bits) || partition_index >= sort_partition_count(count))
        return;
    uint valid = min(count - partition_index * SORT_PARTITION, SORT_PARTITION);
    uint keys[items_per_invocation];
    [[unroll]] for (uint k = 0u; k < items_per_invocation; k++) {
        uint i = k * SORT_INVOCATIONS + gl_LocalInvocationIndex;
        if (i < valid)
            keys[k] = keys_a[partition_index * SORT_PARTITION + i];
    }
    [[unroll]] for (uint i = 0u; i < BINS; i += SORT_INVOCATIONS) {
        if (i + gl_LocalInvocationIndex < BINS)
            bin_count[i + gl_LocalInvocationIndex] = 0u;
    }
    barrier();
    uint width = digit_width(bits);
    uint first_bit = push.pass * width;
    [[unroll]] for (uint k = 0u; k < items_per_invocation; k++) {
        if (k * SORT_INVOCATIONS + gl_LocalInvocationIndex < valid)
            atomicAdd(bin_count[digit_of(keys[k], first_bit, min(width, bits - first_bit))], 1u, gl_ScopeWorkgroup, 0,
                      gl_SemanticsRelaxed);
    }
    barrier();
    [[unroll]] for (uint i = 0u; i < BIN_PAIRS; i += SORT_INVOCATIONS) {
        uint pair = i + gl_LocalInvocationIndex;
        if (pair < BIN_PAIRS)
            tables[partition_index * BIN_PAIRS + pair] = bin_count[2u * pair] | bin_count[2u * pair + 1u] << 16;
    }
}
