/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* 10 fine: the pixels of tiles with plain clips and groups.
 *
 * Reads what 10_fine_plain reads; writes target, and saved layers in spill. One workgroup draws one tile of
 * the list. */
#version 450
#extension GL_GOOGLE_include_directive : require
#define FINE_CLASS TILE_CLASS_LAYERS
#include "stages/fine_layers.glsl"
