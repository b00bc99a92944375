/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* histogram: how often each value of each of some 8-bit digits occurs in u32 keys.
 * Reads: keys, count. Writes: bins[digits][256], lowest digit first, which must be zero before.
 * Dispatch: any number of workgroups; they share the keys between them. */
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

layout(local_size_x = HISTOGRAM_INVOCATIONS) in;

layout(scalar, binding = 0) readonly buffer keys_buffer
{
    uint keys[];
};
layout(scalar, binding = 0) readonly buffer key_groups_buffer
{
    uvec4 key_groups[];
};
layout(scalar, binding = 1) buffer bins_buffer
{
    uint bins[];
};
layout(scalar, binding = 2) readonly buffer count_buffer
{
    uint key_count;
};
layout(push_constant, scalar) uniform push_block
{
    histogram_push push;
};

#define HISTOGRAM_BIN(i) bins[i]
#include "primitive/histogram.glsl"

void add_group(uvec4 group, uint copies)
{
    [[unroll]] for (uint k = 0u; k < 4u; k++)
        histogram_add(group[k], push.first_bit, 0u, push.digits, copies);
}

/* Several groups are loaded at a time, so that their loads are on their way at once. */
void main()
{
    uint count = min(key_count, push.max_count);
    uint copies = histogram_copies(push.digits);
    uint stride = gl_NumWorkGroups.x * HISTOGRAM_INVOCATIONS;
    uint i = gl_GlobalInvocationID.x;
    histogram_clear();
    for (; i + (HISTOGRAM_IN_FLIGHT - 1u) * stride < count / 4u; i += HISTOGRAM_IN_FLIGHT * stride) {
        uvec4 groups[HISTOGRAM_IN_FLIGHT];
        [[unroll]] for (uint k = 0u; k < HISTOGRAM_IN_FLIGHT; k++)
            groups[k] = key_groups[i + k * stride];
        [[unroll]] for (uint k = 0u; k < HISTOGRAM_IN_FLIGHT; k++)
            add_group(groups[k], copies);
    }
    for (; i < count / 4u; i += stride)
        add_group(key_groups[i], copies);
    uint rest = count / 4u * 4u + gl_GlobalInvocationID.x;
    if (rest < count)
        histogram_add(keys[rest], push.first_bit, 0u, push.digits, copies);
    histogram_flush(push.digits);
}
