/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* How the calls that build a scene add to it. */
#ifndef PIETRA_SCENE_BUILD_SCENE_PARTS_H
#define PIETRA_SCENE_BUILD_SCENE_PARTS_H

#include "scene/build/scene.h"

/* Indices have 32 bits, and the stream counts the elements of clip sources twice. */
#define SCENE_MAX_ITEMS (UINT32_MAX / 4)

/* Removes what was added since the mark. What was open then must still be open. */
void scene_return_to(pietra_scene *scene, const scene_mark *mark);

/* Finds an equal path among those that were added lately. */
bool scene_find_path(pietra_scene *scene, path_view view, path_view *known);
pietra_result scene_add_transform(pietra_scene *scene, const pietra_transform *transform, pietra_error *error,
                                  uint32_t *index);
/* Adds a paint. In a clip's source colours do not matter: everything is painted in one. */
pietra_result scene_add_paint(pietra_scene *scene, const pietra_paint *paint, pietra_error *error, uint32_t *index);
/* Adds a fill with these flags beside the rule's. A failed call leaves the scene as it was. */
pietra_result scene_add_fill(pietra_scene *scene, uint32_t flags, const pietra_path *path,
                             const pietra_transform *transform, pietra_fill_rule rule, const pietra_paint *paint,
                             pietra_error *error);
/* Makes room for elements to come, and for their labels. */
pietra_result scene_reserve_elements(pietra_scene *scene, size_t count, pietra_error *error);
pietra_result scene_add_element(pietra_scene *scene, const scene_element *element, pietra_error *error);
/* Adds what an element of this kind and these flags covers by a rule, and sets its fields for it. */
pietra_result scene_add_area(pietra_scene *scene, uint32_t kind_and_flags, const pietra_path *path,
                             const pietra_transform *transform, pietra_fill_rule rule, pietra_error *error,
                             scene_element *element);
/* Adds an empty path for an element. */
pietra_result scene_add_nothing(pietra_scene *scene, pietra_error *error, scene_element *element);

uint32_t scene_aliased_flag(const pietra_scene *scene);
/* Returns whether a caller's transform leaves nothing of what is drawn under it. */
bool scene_is_flattened(const pietra_scene *scene, const pietra_transform *transform);

/* Returns an element that has only a kind. */
scene_element scene_bare_element(uint32_t kind);
/* Adds a begin. */
pietra_result scene_begin(pietra_scene *scene, const scene_element *element, scene_open opened, pietra_error *error);
/* Ends the innermost open begin. `then` is what remains open of it, or SCENE_OPEN_NOTHING. */
pietra_result scene_end(pietra_scene *scene, scene_open what, scene_open then, uint32_t kind, const char *message,
                        pietra_error *error);

#endif
