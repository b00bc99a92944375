/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* copy: words from one range to another. Bench compares all else with this speed of the device's memory.
 * Reads: from. Writes: to. Dispatch: COPY_PARTITION words a workgroup. */
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#extension GL_EXT_scalar_block_layout : require

#include "layout/primitive.h"

layout(local_size_x = COPY_INVOCATIONS) in;

layout(scalar, binding = 0) readonly buffer from_buffer
{
    uvec4 from[];
};
layout(scalar, binding = 1) writeonly buffer to_buffer
{
    uvec4 to[];
};
layout(push_constant, scalar) uniform push_block
{
    copy_push push;
};

void main()
{
    uint first =
        (gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x) * (COPY_PARTITION / 4u) + gl_LocalInvocationIndex;
    uvec4 groups[COPY_IN_FLIGHT];
    [[unroll]] for (uint k = 0u; k < COPY_IN_FLIGHT; k++) {
        if (first + k * COPY_INVOCATIONS < push.groups)
            groups[k] = from[first + k * COPY_INVOCATIONS];
    }
    [[unroll]] for (uint k = 0u; k < COPY_IN_FLIGHT; k++) {
        if (first + k * COPY_INVOCATIONS < push.groups)
            to[first + k * COPY_INVOCATIONS] = groups[k];
    }
}
