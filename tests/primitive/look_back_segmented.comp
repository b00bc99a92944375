/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* look_back_kinds.glsl: one segmented sum. */
#version 450
#extension GL_GOOGLE_include_directive : require
#define KIND_COMPONENTS 1
#define KIND_SUMS 0
#include "../tests/primitive/look_back_kinds.glsl"
