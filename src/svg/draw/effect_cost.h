/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What it costs to draw effects of a scene. */
#ifndef PIETRA_SVG_DRAW_EFFECT_COST_H
#define PIETRA_SVG_DRAW_EFFECT_COST_H

#include "scene/build/scene.h"

/* Returns the cost of the steps of an effect for each pixel that it shows, in thousandths of a step of the budget. */
double svg_effect_pixel_cost(const pietra_scene *scene, uint32_t effect);

#endif
