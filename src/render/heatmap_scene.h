/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The colour scale of heat maps, for the scene that shows one. */
#ifndef PIETRA_RENDER_HEATMAP_SCENE_H
#define PIETRA_RENDER_HEATMAP_SCENE_H

#include "pietra/pietra_explain.h"

#define HEATMAP_COLORS 256u

/* Returns where a count stands on the scale: 0 for 0 to 1 for `most`, and 0 if that is 0. */
double heatmap_place(uint32_t count, uint32_t most);
/* Gives the colour of a level from 0 to HEATMAP_COLORS - 1: R, G, B, A. */
void heatmap_color_at(uint32_t level, uint8_t color[4]);

#endif
