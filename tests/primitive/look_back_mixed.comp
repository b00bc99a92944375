/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* look_back_kinds.glsl: two segmented sums and a plain one. */
#version 450
#extension GL_GOOGLE_include_directive : require
#define KIND_COMPONENTS 3
#define KIND_SUMS 1
#include "../tests/primitive/look_back_kinds.glsl"
