/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* residency: how many workgroups of a shape the device runs at once. For bench: no stage has use for it.
 * Writes: active, and peak, its largest value. Dispatch: far more workgroups than can be resident. Every workgroup
 * stays for a while. */
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_scalar_block_layout : require
#extension GL_KHR_memory_scope_semantics : require
#pragma use_vulkan_memory_model

#include "layout/primitive.h"

layout(local_size_x = 256, local_size_x_id = PRIMITIVE_CONSTANT_INVOCATIONS) in;

layout(constant_id = PRIMITIVE_CONSTANT_SHARED_WORDS) const uint shared_words = 256u;

layout(scalar, binding = 0) buffer residency_buffer
{
    uint active_groups;
    uint peak;
};

shared uint pool[shared_words];

#define STAY 400u /* round trips to memory */

void main()
{
    pool[gl_LocalInvocationIndex % shared_words] = gl_NumWorkGroups.y - 1u; /* zero, which a compiler cannot know */
    barrier();
    if (gl_LocalInvocationIndex != 0u)
        return;
    uint now = atomicAdd(active_groups, 1u, gl_ScopeDevice, 0, gl_SemanticsRelaxed) + 1u;
    atomicMax(peak, now + pool[0], gl_ScopeDevice, 0, gl_SemanticsRelaxed);
    uint seen = 0u;
    for (uint k = 0u; k < STAY; k++)
        seen |= atomicLoad(peak, gl_ScopeDevice, 0, gl_SemanticsRelaxed) >> 31;
    atomicAdd(active_groups, 0xffffffffu + seen, gl_ScopeDevice, 0, gl_SemanticsRelaxed);
}
