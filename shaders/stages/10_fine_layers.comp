/* 10 fine, tiles with plain clips and groups: the pixels.
 *
 * Reads what 10_fine_plain reads; writes target, and saved layers in spill. One tile of the list a workgroup. */
#version 450
#extension GL_GOOGLE_include_directive : require
#define FINE_CLASS TILE_CLASS_LAYERS
#include "stages/fine_layers.glsl"
