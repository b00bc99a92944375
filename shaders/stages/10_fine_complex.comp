/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* 10 fine: the pixels of tiles with what few pictures have: blending, masks, images and aliased edges. This kernel is
 * separate, so that it does not slow down the others.
 *
 * Reads what 10_fine_plain reads, and texels; writes target, and saved layers in spill. One workgroup draws one tile of
 * the list. */
#version 450
#extension GL_GOOGLE_include_directive : require
#define FINE_CLASS TILE_CLASS_COMPLEX
#define FINE_COMPLEX
#include "stages/fine_layers.glsl"
