/* 10 fine, tiles with what few pictures have (blending, masks, images, aliased edges): the pixels. Apart, so as not to
 * weigh on the others.
 *
 * Reads what 10_fine_plain reads, and texels; writes target, and saved layers in spill. One tile of the list a
 * workgroup. */
#version 450
#extension GL_GOOGLE_include_directive : require
#define FINE_CLASS TILE_CLASS_COMPLEX
#define FINE_COMPLEX
#include "stages/fine_layers.glsl"
