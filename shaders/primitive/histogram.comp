/* histogram: how often each value of each 8-bit digit occurs in u32 keys.
 * Reads: keys, count. Writes: bins[4][256], lowest digit first, which must be zero before.
 * Dispatch: any number of workgroups; they share the keys between them. */
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require
#pragma use_vulkan_memory_model

#include "layout/primitive.h"

layout(local_size_x = HISTOGRAM_INVOCATIONS) in;

layout(scalar, binding = 0) readonly buffer keys_buffer { uint keys[]; };
layout(scalar, binding = 1) buffer bins_buffer { uint bins[]; };
layout(scalar, binding = 2) readonly buffer count_buffer { uint key_count; };
layout(push_constant, scalar) uniform push_block { histogram_push push; };

#define HISTOGRAM_BIN(i) bins[i]
#include "primitive/histogram.glsl"

void main()
{
    uint count = min(key_count, push.max_count);
    histogram_clear();
    for (uint i = gl_GlobalInvocationID.x; i < count; i += gl_NumWorkGroups.x * HISTOGRAM_INVOCATIONS)
        histogram_add(keys[i], 0u, HISTOGRAM_DIGITS);
    histogram_flush(HISTOGRAM_DIGITS);
}
