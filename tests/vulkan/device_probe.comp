/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#version 460
/* Writes seed + factor * index, with the factor as a specialisation constant, to the words of a range. */
layout(local_size_x = 64) in;
layout(constant_id = 0) const uint factor = 1u;
layout(constant_id = 1) const uint divisor = 1u;
layout(std430, set = 0, binding = 0) readonly buffer Parameters
{
    uint seeds[];
};
layout(std430, set = 0, binding = 1) writeonly buffer Words
{
    uint words[];
};
layout(push_constant) uniform Push
{
    uint count;
    uint addend;
};

void main()
{
    uint i = gl_GlobalInvocationID.x;
    if (i < count)
        words[i] = seeds[0] + addend + factor * i / divisor;
}
