/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What every kernel of stage 11 begins with: its jobs, their words, and texels.
 *
 * The includer defines main, which returns unless find_job does. Loops over shared memory have equally many rounds for
 * all invocations of a workgroup (stage.glsl says why). */
#ifndef EFFECT_GLSL
#define EFFECT_GLSL

#extension GL_EXT_scalar_block_layout : require

#include "layout/effect_job.h"

float value_at(uint index);
uint word_at(uint index);

#include "lib/effect_texel.h"

layout(local_size_x = EFFECT_INVOCATIONS) in;

layout(scalar, set = 0, binding = 0) readonly buffer job_buffer
{
    effect_job jobs[];
};
layout(scalar, set = 0, binding = 1) readonly buffer word_buffer
{
    uint words[];
};
layout(scalar, set = 0, binding = 2) readonly buffer input1_buffer
{
    uvec2 input1_texels[];
};
layout(scalar, set = 0, binding = 3) readonly buffer input2_buffer
{
    uvec2 input2_texels[];
};
layout(scalar, set = 0, binding = 4) writeonly buffer result_buffer
{
    uvec2 result_texels[];
};

/* EFFECT_JOB_*, of stems that have several. */
layout(constant_id = 1) const uint OPERATION = 0u;

layout(push_constant) uniform Push
{
    uint first_job;
    uint job_count;
    uint group_count;
};

effect_job job;

/* Returns whether the workgroup has a job, and which part of it. */
bool find_job(out uint across, out uint down)
{
    uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    if (group >= group_count) {
        return false;
    }
    uint low = first_job;
    uint end = first_job + job_count;
    while (end - low > 1u) {
        uint middle = low + (end - low) / 2u;
        if (jobs[middle].first_group <= group) {
            low = middle;
        } else {
            end = middle;
        }
    }
    job = jobs[low];
    across = (group - job.first_group) % job.groups_across;
    down = (group - job.first_group) / job.groups_across;
    return true;
}

/* ---- Parameters ---- */

uint parameter(uint index)
{
    return words[job.words + index];
}

int int_parameter(uint index)
{
    return int(words[job.words + index]);
}

float float_parameter(uint index)
{
    return uintBitsToFloat(words[job.words + index]);
}

effect_box box_parameter(uint index)
{
    effect_box made;
    made.left = int_parameter(index);
    made.top = int_parameter(index + 1u);
    made.right = int_parameter(index + 2u);
    made.bottom = int_parameter(index + 3u);
    return made;
}

/* ---- Texels ---- */

effect_texel unpacked(uvec2 texel)
{
    return effect_texel_of(texel.x & 0xffffu, texel.x >> 16, texel.y & 0xffffu, texel.y >> 16);
}

uvec2 packed(effect_texel texel)
{
    return uvec2(texel.r | (texel.g << 16), texel.b | (texel.a << 16));
}

bool view_holds(effect_view view, int x, int y)
{
    return x >= view.box.left && x < view.box.right && y >= view.box.top && y < view.box.bottom;
}

uint view_index(effect_view view, int x, int y)
{
    return view.first + uint(y - view.box.top) * view.stride + uint(x - view.box.left);
}

uvec2 input1_packed(int x, int y)
{
    return view_holds(job.input1, x, y) ? input1_texels[view_index(job.input1, x, y)] : uvec2(0u);
}

effect_texel input1_at(int x, int y)
{
    return unpacked(input1_packed(x, y));
}

uvec2 input2_packed(int x, int y)
{
    return view_holds(job.input2, x, y) ? input2_texels[view_index(job.input2, x, y)] : uvec2(0u);
}

effect_texel input2_at(int x, int y)
{
    return unpacked(input2_packed(x, y));
}

void set_result_packed(int x, int y, uvec2 texel)
{
    result_texels[view_index(job.result, x, y)] = texel;
}

void set_result(int x, int y, effect_texel texel)
{
    set_result_packed(x, y, packed(texel));
}

#endif
