/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Filtered backdrops. A scene keeps each as an effect without content, in its place. Before the scene is encoded or
 * appended, the begins of these effects move to where what lies below them begins, so that it becomes their content. */
#ifndef PIETRA_SCENE_BUILD_SCENE_BACKDROP_H
#define PIETRA_SCENE_BUILD_SCENE_BACKDROP_H

#include "scene/build/scene.h"

/* Makes a view of a scene in which the begins have moved, and which shares all else with the scene. Only `elements` and
 * `labels` of the view are its own: scene_settled_free frees them. False: out of memory. */
bool scene_settle(const pietra_scene *scene, pietra_scene *settled);
void scene_settled_free(pietra_scene *settled);

#endif
