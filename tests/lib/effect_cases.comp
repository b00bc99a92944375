/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#version 460
/* Computes one kind of the cases of effect_cases.h, four words for each. */
#extension GL_GOOGLE_include_directive : require
#include "layout/glue.h"

float value_at(uint index);
uint word_at(uint index);

#include "lib/effect_band.h"
#include "lib/effect_blend.h"
#include "lib/effect_extreme.h"
#include "lib/effect_light.h"
#include "lib/effect_matrix.h"
#include "lib/effect_noise.h"
#include "lib/effect_point.h"
#include "../tests/lib/effect_cases.h"

layout(local_size_x = 64) in;
layout(std430, set = 0, binding = 0) buffer Results
{
    uint results[];
};
layout(push_constant) uniform Push
{
    uint kind;
    uint count;
};

float value_at(uint index)
{
    return case_float(12345u, index);
}

uint word_at(uint index)
{
    return case_word(index);
}

void main()
{
    uint seed = gl_GlobalInvocationID.x;
    if (seed < count) {
        effect_texel found = effect_case(kind, seed);
        results[4u * seed] = found.r;
        results[4u * seed + 1u] = found.g;
        results[4u * seed + 2u] = found.b;
        results[4u * seed + 3u] = found.a;
    }
}
