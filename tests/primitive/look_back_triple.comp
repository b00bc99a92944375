/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* look_back_kinds.glsl: three sums. */
#version 450
#extension GL_GOOGLE_include_directive : require
#define KIND_COMPONENTS 3
#include "../tests/primitive/look_back_kinds.glsl"
