/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <stdlib.h>

#include "base/error.h"
#include "scene/build/scene_parts.h"

#define LARGE_PATH_POINTS ((size_t)1 << 16) /* a megabyte */

/* The arrays of a path that belong to a scene. */
typedef struct taken_path {
    uint8_t *verbs;
    path_point *points;
} taken_path;

static void release_taken(void *user)
{
    taken_path *taken = user;
    free(taken->verbs);
    free(taken->points);
    free(taken);
}

/* Gives back the room that was meant for growing. */
static void *shrink(void *items, size_t byte_count)
{
    void *shrunk = realloc(items, byte_count);
    return shrunk ? shrunk : items;
}

pietra_result scene_take_large_path(pietra_scene *scene, pietra_path *path, pietra_error *error)
{
    if (path_is_referred(path) || path->points.count < LARGE_PATH_POINTS)
        return PIETRA_OK;
    path_view view = path_view_of(path), known;
    if (scene_find_path(scene, view, &known)) { /* text that is used many times makes its path each time */
        path->verbs.count = path->points.count = 0;
        path->referred = known;
        return PIETRA_OK;
    }
    taken_path *taken = malloc(sizeof *taken);
    if (!taken)
        return error_set_memory(error);
    taken->verbs = shrink(path->verbs.items, view.verb_count);
    taken->points = shrink(path->points.items, view.point_count * sizeof *view.points);
    view.verbs = path->verbs.items = taken->verbs;
    view.points = path->points.items = taken->points;
    path->verbs.capacity = view.verb_count;
    path->points.capacity = view.point_count;
    pietra_result result = pietra_scene_keep(scene, release_taken, taken, error);
    if (result != PIETRA_OK) {
        free(taken);
        return result;
    }
    path->verbs.base = (array_base){0};
    path->points.base = (array_base){0};
    path->referred = view;
    return PIETRA_OK;
}

#define MOST_SEARCHED 64u /* each search walks all paths */

void scene_own_taken_paths(pietra_scene *scene)
{
    size_t searched = 0;
    for (size_t i = 0; i < scene->kept.count && searched < MOST_SEARCHED; i++) {
        if (scene->kept.items[i].release != release_taken)
            continue;
        const taken_path *taken = scene->kept.items[i].user;
        scene_path *found = NULL;
        bool once = true;
        for (size_t k = 0; k < scene->paths.count; k++) {
            if (scene->paths.items[k].view.points == taken->points) {
                once = !found;
                found = &scene->paths.items[k];
            }
        }
        if (found)
            found->is_own = once;
        searched++;
    }
}
