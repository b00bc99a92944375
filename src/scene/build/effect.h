/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Adds effects to a scene, in the form that they have in the stream. */
#ifndef PIETRA_SCENE_BUILD_EFFECT_H
#define PIETRA_SCENE_BUILD_EFFECT_H

#include "pietra/pietra_effect.h"
#include "scene/build/scene.h"

/* Checks an effect and adds it. After a failure the caller removes what was added. */
pietra_result effect_add(pietra_scene *scene, const pietra_effect *effect, pietra_error *error, uint32_t *index);

#endif
