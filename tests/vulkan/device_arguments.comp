/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#version 460
/* Writes the arguments of an indirect dispatch: enough workgroups of 64 for the count it reads. */
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Arguments
{
    uint count;
    uint pad;
    uint groups[3];
};

void main()
{
    groups[0] = (count + 63u) / 64u;
    groups[1] = 1u;
    groups[2] = 1u;
}
