/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Clips, masks and groups: what begins and ends in a scene. */
#include <math.h>

#include "base/error.h"
#include "scene/blend.h"
#include "scene/build/scene_parts.h"

pietra_result scene_begin(pietra_scene *scene, const scene_element *element, scene_open opened, pietra_error *error)
{
    if (!array_reserve(&scene->open, 1))
        return error_set_memory(error);
    pietra_result result = scene_add_element(scene, element, error);
    if (result == PIETRA_OK)
        scene->open.items[scene->open.count++] = (uint8_t)opened;
    return result;
}

pietra_result pietra_scene_begin_clip(pietra_scene *scene, const pietra_path *path, const pietra_transform *transform,
                                      pietra_fill_rule rule, pietra_error *error)
{
    if (!scene)
        return error_set_null(error, "scene");
    scene_mark mark = scene_get_mark(scene);
    scene_element element = {.style = STREAM_NONE, .paint = STREAM_NONE};
    pietra_result result =
        scene_add_area(scene, ELEMENT_BEGIN_CLIP | scene_aliased_flag(scene), path, transform, rule, error, &element);
    if (result != PIETRA_OK)
        goto fail;
    if (scene_is_flattened(scene, transform)) {
        scene_return_to(scene, &mark);
        result = scene_add_nothing(scene, error, &element);
        if (result != PIETRA_OK)
            goto fail;
    }
    result = scene_begin(scene, &element, SCENE_OPEN_CLIP, error);
    if (result != PIETRA_OK)
        goto fail;
    return PIETRA_OK;
fail:
    scene_return_to(scene, &mark);
    return result;
}

scene_element scene_bare_element(uint32_t kind)
{
    return (scene_element){
        .kind = kind, .path = STREAM_NONE, .transform = STREAM_NONE, .style = STREAM_NONE, .paint = STREAM_NONE};
}

pietra_result pietra_scene_begin_clip_source(pietra_scene *scene, pietra_error *error)
{
    if (!scene)
        return error_set_null(error, "scene");
    scene_element element = scene_bare_element(ELEMENT_BEGIN_CLIP_SOURCE);
    pietra_result result = scene_begin(scene, &element, SCENE_OPEN_SOURCE, error);
    if (result == PIETRA_OK)
        scene->open_sources++;
    return result;
}

pietra_result pietra_scene_begin_mask_source(pietra_scene *scene, pietra_mask_kind kind, pietra_error *error)
{
    if (!scene)
        return error_set_null(error, "scene");
    if (scene->open_sources > 0)
        return error_set(error, PIETRA_ERROR_INPUT, 0, "a mask cannot stand in a clip's source");
    pietra_result result = error_check_enumerator(error, "a mask's kind", kind, PIETRA_MASK_LUMINANCE_LINEAR);
    if (result != PIETRA_OK)
        return result;
    uint32_t mode = MASK_ALPHA + (uint32_t)kind;
    scene_element element = scene_bare_element(ELEMENT_BEGIN_CLIP_SOURCE | mode << ELEMENT_MODE_SHIFT);
    return scene_begin(scene, &element, SCENE_OPEN_MASK_SOURCE, error);
}

pietra_result scene_end(pietra_scene *scene, scene_open what, scene_open then, uint32_t kind, const char *message,
                        pietra_error *error)
{
    if (!scene)
        return error_set_null(error, "scene");
    if (scene->open.count == 0 || scene->open.items[scene->open.count - 1] != what)
        return error_set(error, PIETRA_ERROR_INPUT, 0, "%s", message);
    scene_element element = scene_bare_element(kind);
    pietra_result result = scene_add_element(scene, &element, error);
    if (result != PIETRA_OK)
        return result;
    if (then != SCENE_OPEN_NOTHING)
        scene->open.items[scene->open.count - 1] = (uint8_t)then;
    else
        scene->open.count--;
    scene->open_sources -= what == SCENE_OPEN_SOURCE;
    return PIETRA_OK;
}

pietra_result pietra_scene_end_clip_source(pietra_scene *scene, pietra_error *error)
{
    return scene_end(scene, SCENE_OPEN_SOURCE, SCENE_OPEN_CLIP, ELEMENT_END_CLIP_SOURCE,
                     "end_clip_source, but the innermost open thing is not a clip's source", error);
}

pietra_result pietra_scene_end_mask_source(pietra_scene *scene, pietra_error *error)
{
    return scene_end(scene, SCENE_OPEN_MASK_SOURCE, SCENE_OPEN_MASK, ELEMENT_END_CLIP_SOURCE,
                     "end_mask_source, but the innermost open thing is not a mask's source", error);
}

pietra_result pietra_scene_end_mask(pietra_scene *scene, pietra_error *error)
{
    return scene_end(scene, SCENE_OPEN_MASK, SCENE_OPEN_NOTHING, ELEMENT_END_CLIP,
                     "end_mask, but the innermost open thing is not a mask", error);
}

pietra_result pietra_scene_end_clip(pietra_scene *scene, pietra_error *error)
{
    return scene_end(scene, SCENE_OPEN_CLIP, SCENE_OPEN_NOTHING, ELEMENT_END_CLIP,
                     "end_clip, but the innermost open thing is not a clip", error);
}

pietra_result pietra_scene_begin_group(pietra_scene *scene, float opacity, pietra_error *error)
{
    return pietra_scene_begin_blended_group(scene, opacity, PIETRA_BLEND_NORMAL, error);
}

pietra_result pietra_scene_begin_blended_group(pietra_scene *scene, float opacity, pietra_blend blend,
                                               pietra_error *error)
{
    if (!scene)
        return error_set_null(error, "scene");
    if (scene->open_sources > 0)
        return error_set(error, PIETRA_ERROR_INPUT, 0, "a group cannot stand in a clip's source");
    if (!isfinite(opacity))
        return error_set(error, PIETRA_ERROR_INPUT, 0, "a group's opacity is not a finite number");
    pietra_result result = error_check_enumerator(error, "a blend mode", blend, BLEND_COUNT - 1);
    if (result != PIETRA_OK)
        return result;
    scene_element element = scene_bare_element(ELEMENT_BEGIN_GROUP | (uint32_t)blend << ELEMENT_MODE_SHIFT);
    element.opacity = fminf(fmaxf(opacity, 0.0f), 1.0f);
    result = scene_begin(scene, &element, SCENE_OPEN_GROUP, error);
    scene->blends = scene->blends || (result == PIETRA_OK && blend != PIETRA_BLEND_NORMAL);
    return result;
}

pietra_result pietra_scene_end_group(pietra_scene *scene, pietra_error *error)
{
    return scene_end(scene, SCENE_OPEN_GROUP, SCENE_OPEN_NOTHING, ELEMENT_END_GROUP,
                     "end_group, but the innermost open thing is not a group", error);
}
