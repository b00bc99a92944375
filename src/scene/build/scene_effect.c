/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Effects on groups, as pietra_effect.h promises. */
#include "base/error.h"
#include "base/transform.h"
#include "scene/build/effect.h"
#include "scene/build/scene_parts.h"

/* Adds the pictures that an effect's steps ask for, in the units of the scene. */
static pietra_result add_pictures(pietra_scene *scene, const pietra_effect *effect, pietra_transform to_scene,
                                  pietra_error *error)
{
    pietra_result result = PIETRA_OK;
    for (size_t i = 0; i < effect->step_count && result == PIETRA_OK; i++) {
        const pietra_effect_step *step = &effect->steps[i];
        if (step->kind != PIETRA_EFFECT_IMAGE)
            continue;
        pietra_transform transform = transform_multiply(to_scene, transform_of_field(step->image.transform));
        scene_element begin = scene_bare_element(ELEMENT_BEGIN_EFFECT_PICTURE);
        scene_element end = scene_bare_element(ELEMENT_END_EFFECT_PICTURE);
        result = scene_add_element(scene, &begin, error);
        if (result == PIETRA_OK && step->image.scene)
            result = pietra_scene_append(scene, step->image.scene, &transform, error);
        if (result == PIETRA_OK)
            result = scene_add_element(scene, &end, error);
    }
    return result;
}

static pietra_result begin_effect(pietra_scene *scene, const pietra_effect *effect, const pietra_transform *transform,
                                  pietra_error *error)
{
    scene_element element = scene_bare_element(ELEMENT_BEGIN_EFFECT);
    pietra_result result = effect_add(scene, effect, error, &element.paint);
    if (result == PIETRA_OK)
        result = scene_add_transform(scene, transform, error, &element.transform);
    if (result == PIETRA_OK)
        result = scene_begin(scene, &element, SCENE_OPEN_EFFECT, error);
    return result == PIETRA_OK ? add_pictures(scene, effect, transform_of_pointer(transform), error) : result;
}

pietra_result pietra_scene_begin_effect(pietra_scene *scene, const pietra_effect *effect,
                                        const pietra_transform *transform, pietra_error *error)
{
    if (!scene || !effect)
        return error_set_null(error, !scene ? "scene" : "effect");
    if (scene->open_sources > 0)
        return error_set(error, PIETRA_ERROR_INPUT, 0, "an effect cannot stand in a clip's source");
    scene_mark mark = scene_get_mark(scene);
    pietra_result result = begin_effect(scene, effect, transform, error);
    if (result != PIETRA_OK)
        scene_return_to(scene, &mark);
    return result;
}

pietra_result pietra_scene_end_effect(pietra_scene *scene, pietra_error *error)
{
    return scene_end(scene, SCENE_OPEN_EFFECT, SCENE_OPEN_NOTHING, ELEMENT_END_EFFECT,
                     "end_effect, but the innermost open thing is not an effect", error);
}
