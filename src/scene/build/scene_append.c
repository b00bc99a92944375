/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Appends one scene to another: copies its pools behind the scene's, moves indices, and composes transforms in double
 * precision. */
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/transform.h"
#include "scene/build/scene.h"
#include "scene/build/scene_backdrop.h"
#include "scene/rules.h"

static uint32_t append_index(uint32_t index, size_t offset)
{
    return index == STREAM_NONE ? STREAM_NONE : index + (uint32_t)offset;
}

static bool append_labels(const pietra_scene *scene, const pietra_scene *other)
{
    return scene->label != 0 || other->labels.count > 0;
}

static bool append_reserve(pietra_scene *scene, const pietra_scene *other)
{
    return array_reserve(&scene->elements, other->elements.count) && array_reserve(&scene->paths, other->paths.count) &&
           array_reserve(&scene->transforms, other->transforms.count) &&
           array_reserve(&scene->styles, other->styles.count) && array_reserve(&scene->dashes, other->dashes.count) &&
           array_reserve(&scene->paints, other->paints.count) && array_reserve(&scene->stops, other->stops.count) &&
           array_reserve(&scene->box_shadows, other->box_shadows.count) &&
           array_reserve(&scene->effects, other->effects.count) &&
           array_reserve(&scene->effect_steps, other->effect_steps.count) &&
           array_reserve(&scene->effect_values, other->effect_values.count) &&
           (!append_labels(scene, other) || scene_reserve_labels(scene, other->elements.count));
}

static bool append_fits(size_t count, size_t more)
{
    return count <= UINT32_MAX / 4 && more <= UINT32_MAX / 4 - count;
}

/* Returns whether all indices stay within the builder's limits. */
static bool append_all_fit(const pietra_scene *scene, const pietra_scene *other)
{
    return append_fits(scene->elements.count, other->elements.count) &&
           append_fits(scene->paths.count, other->paths.count) &&
           append_fits(scene->transforms.count, other->transforms.count) &&
           append_fits(scene->styles.count, other->styles.count) &&
           append_fits(scene->dashes.count, other->dashes.count) &&
           append_fits(scene->paints.count, other->paints.count) &&
           append_fits(scene->stops.count, other->stops.count) &&
           append_fits(scene->box_shadows.count, other->box_shadows.count) &&
           append_fits(scene->effects.count, other->effects.count) &&
           append_fits(scene->effect_steps.count, other->effect_steps.count) &&
           append_fits(scene->effect_values.count, other->effect_values.count);
}

static bool append_transforms_stay_finite(const pietra_scene *other, pietra_transform outer)
{
    for (size_t i = 0; i < other->transforms.count; i++)
        if (!transform_is_finite(transform_multiply(outer, other->transforms.items[i])))
            return false;
    return true;
}

static void append_paths(pietra_scene *scene, const pietra_scene *other, char *outlines)
{
    for (size_t i = 0; i < other->paths.count; i++) {
        const scene_path *path = &other->paths.items[i];
        scene->paths.items[scene->paths.count++] =
            (scene_path){.view = scene_copy_path(path->view, outlines), .hash = path->hash, .is_own = 1};
        size_t bytes = scene_path_bytes(path->view.verb_count, path->view.point_count);
        outlines += (bytes + sizeof(double) - 1) / sizeof(double) * sizeof(double);
    }
    scene->verb_count += other->verb_count;
    scene->point_count += other->point_count;
}

/* Images that are kept do no harm if something fails later. */
static bool append_images(pietra_scene *scene, const pietra_scene *other)
{
    bool kept = true;
    for (size_t i = 0; kept && i < other->images.count; i++)
        kept = scene_keep_image(scene, other->images.items[i]);
    return kept;
}

/* Appends the stops and returns the number of the first one. A scene that is shown again and again brings the same ones
 * each time, which are kept once. */
static size_t append_stops(pietra_scene *scene, const pietra_scene *other)
{
    const size_t count = other->stops.count, bytes = count * sizeof other->stops.items[0], end = scene->stops.count;
    if (count == 0)
        return end;
    uint32_t *slot = intern_slot(&scene->stop_table, hash_checksum(other->stops.items, bytes));
    const size_t known = *slot - 1u;
    if (known < end && count <= end - known && memcmp(scene->stops.items + known, other->stops.items, bytes) == 0)
        return known;
    *slot = (uint32_t)end + 1u;
    memcpy(scene->stops.items + end, other->stops.items, bytes);
    scene->stops.count += count;
    return end;
}

static void append_pools(pietra_scene *scene, const pietra_scene *other, pietra_transform outer)
{
    for (size_t i = 0; i < other->transforms.count; i++)
        scene->transforms.items[scene->transforms.count++] = transform_multiply(outer, other->transforms.items[i]);
    for (size_t i = 0; i < other->styles.count; i++) {
        stream_style style = other->styles.items[i];
        style.first_dash += (uint32_t)(style.dash_count > 0 ? scene->dashes.count : 0);
        scene->styles.items[scene->styles.count++] = style;
    }
    const size_t first_stop = append_stops(scene, other);
    for (size_t i = 0; i < other->paints.count; i++) {
        scene_paint paint = other->paints.items[i];
        if (rules_paint_is_shadow(&paint.paint))
            paint.paint.first_stop += (uint32_t)scene->box_shadows.count;
        else if (!paint.image && paint.paint.stop_count > 0)
            paint.paint.first_stop += (uint32_t)first_stop;
        scene->paints.items[scene->paints.count++] = paint;
    }
    for (size_t i = 0; i < other->effects.count; i++) {
        scene_effect effect = other->effects.items[i];
        effect.effect.first_step += (uint32_t)scene->effect_steps.count;
        scene->effects.items[scene->effects.count++] = effect;
    }
    for (size_t i = 0; i < other->effect_steps.count; i++) {
        stream_effect_step step = other->effect_steps.items[i];
        step.first_value += (uint32_t)scene->effect_values.count;
        scene->effect_steps.items[scene->effect_steps.count++] = step;
    }
#define APPEND_PLAIN(pool) \
    do { \
        if (other->pool.count > 0) { \
            memcpy(scene->pool.items + scene->pool.count, other->pool.items, \
                   other->pool.count * sizeof *other->pool.items); \
            scene->pool.count += other->pool.count; \
        } \
    } while (0)
    APPEND_PLAIN(dashes);
    APPEND_PLAIN(box_shadows);
    APPEND_PLAIN(effect_values);
#undef APPEND_PLAIN
}

/* Appends a scene in which backdrops have become the content of their effects: in the other scene they saw no more. */
static pietra_result append_settled(pietra_scene *scene, const pietra_scene *other, const pietra_transform *transform,
                                    pietra_error *error)
{
    pietra_scene settled;
    if (!scene_settle(other, &settled))
        return error_set_memory(error);
    pietra_result result = pietra_scene_append(scene, &settled, transform, error);
    scene_settled_free(&settled);
    return result;
}

pietra_result pietra_scene_append(pietra_scene *scene, const pietra_scene *other, const pietra_transform *transform,
                                  pietra_error *error)
{
    if (!scene || !other)
        return error_set_null(error, !scene ? "scene" : "other");
    pietra_transform outer = scene_transform(scene, transform);
    if (scene == other)
        return error_set(error, PIETRA_ERROR_INPUT, 0, "a scene cannot be appended to itself");
    if (other->open.count > 0)
        return error_set(error, PIETRA_ERROR_INPUT, 0, "a scene must be balanced to be appended");
    if (scene->open_sources > 0)
        return error_set(error, PIETRA_ERROR_INPUT, 0, "a scene cannot be appended to a clip's source");
    if (!transform_is_finite(outer) || !append_transforms_stay_finite(other, outer))
        return error_set(error, PIETRA_ERROR_INPUT, 0, "a transform has a number that is not finite");
    if (!append_all_fit(scene, other))
        return error_set(error, PIETRA_ERROR_INPUT, 0, "the scene has too many elements");
    if (transform_is_singular(outer))
        return PIETRA_OK;
    if (other->backdrops.count > 0)
        return append_settled(scene, other, transform, error);
    /* Each path starts aligned, so there may be gaps between paths. */
    size_t outline_bytes =
        scene_path_bytes(other->verb_count, other->point_count) + other->paths.count * sizeof(double);
    char *outlines = arena_alloc(&scene->outlines, outline_bytes, sizeof(double));
    if (!outlines || !append_reserve(scene, other) || !append_images(scene, other))
        return error_set_memory(error);
    scene_mark mark = scene_get_mark(scene);
    append_paths(scene, other, outlines);
    append_pools(scene, other, outer);
    scene->blends = scene->blends || other->blends;
    for (size_t i = 0; i < other->elements.count; i++) {
        scene_element element = other->elements.items[i];
        element.path = append_index(element.path, mark.paths);
        element.transform = append_index(element.transform, mark.transforms);
        element.style = append_index(element.style, mark.styles);
        bool is_effect = (element.kind & ELEMENT_KIND_MASK) == ELEMENT_BEGIN_EFFECT;
        element.paint = append_index(element.paint, is_effect ? mark.effects : mark.paints);
        scene->elements.items[scene->elements.count++] = element;
        if (append_labels(scene, other)) {
            uint32_t label = scene_label_of(other, i);
            scene_add_label(scene, label != 0 ? label : scene->label);
        }
    }
    return PIETRA_OK;
}
