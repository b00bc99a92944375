/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "scene/build/scene_places.h"

#include <stdlib.h>

#include "base/error.h"
#include "base/transform.h"
#include "scene/build/scene_parts.h"

/* Returns the transform under which a path stands at a place. */
static pietra_transform at_place(pietra_transform transform, double scale, const scene_place *place)
{
    return (pietra_transform){scale * transform.a,
                              scale * transform.b,
                              scale * transform.c,
                              scale * transform.d,
                              transform.a * place->x + transform.c * place->y + transform.e,
                              transform.b * place->x + transform.d * place->y + transform.f};
}

/* Places nearly always differ, so nothing looks for equal transforms. */
static pietra_result add_places(pietra_scene *scene, const scene_element *paths, double scale,
                                const scene_place *places, size_t count, pietra_transform transform,
                                pietra_error *error)
{
    pietra_result result = scene_reserve_elements(scene, count, error);
    if (result != PIETRA_OK)
        return result;
    if (count > SCENE_MAX_ITEMS - scene->transforms.count)
        return error_set(error, PIETRA_ERROR_INPUT, 0, "the scene has too many transforms");
    if (!array_reserve(&scene->transforms, count))
        return error_set_memory(error);
    for (size_t i = 0; i < count; i++) {
        pietra_transform placed = at_place(transform, scale, &places[i]);
        if (!transform_is_finite(placed))
            return error_set(error, PIETRA_ERROR_INPUT, 0, "a transform has a number that is not finite");
        scene->transforms.items[scene->transforms.count + i] = placed;
    }
    for (size_t i = 0; i < count; i++) {
        scene_element element = paths[places[i].path];
        element.transform = (uint32_t)(scene->transforms.count + i);
        scene->elements.items[scene->elements.count++] = element;
        if (scene->label != 0)
            scene_add_label(scene, scene->label);
    }
    scene->transforms.count += count;
    return PIETRA_OK;
}

pietra_result scene_fill_places(pietra_scene *scene, pietra_path *const *paths, size_t path_count, double scale,
                                const scene_place *places, size_t place_count, const pietra_transform *transform,
                                const pietra_paint *paint, pietra_error *error)
{
    scene_mark mark = scene_get_mark(scene);
    scene_element *elements = malloc((path_count + 1) * sizeof *elements);
    uint32_t paint_index;
    pietra_result result = elements ? scene_add_paint(scene, paint, error, &paint_index) : error_set_memory(error);
    for (size_t i = 0; result == PIETRA_OK && i < path_count; i++) {
        elements[i] = (scene_element){.style = STREAM_NONE, .paint = paint_index};
        result = scene_add_area(scene, ELEMENT_FILL | scene_aliased_flag(scene), paths[i], transform,
                                PIETRA_FILL_NONZERO, error, &elements[i]);
    }
    /* What draws nothing is checked like anything else and then left out. */
    bool draws = result == PIETRA_OK && !scene_is_flattened(scene, transform);
    if (draws)
        result = add_places(scene, elements, scale, places, place_count, scene_transform(scene, transform), error);
    if (!draws || result != PIETRA_OK)
        scene_return_to(scene, &mark);
    free(elements);
    return result;
}
