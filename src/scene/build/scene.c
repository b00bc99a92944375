/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "scene/build/scene_parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/transform.h"
#include "scene/build/arcs_join.h"
#include "scene/build/paint.h"
#include "scene/build/style.h"

#define HASHED_POINTS 4u
#define FIRST_OUTLINE_BYTES 1024u /* small, because patterns make thousands of scenes of a few shapes for their cells */

pietra_scene *pietra_scene_create(void)
{
    pietra_scene *scene = calloc(1, sizeof *scene);
    if (scene)
        scene->outlines.block_bytes = FIRST_OUTLINE_BYTES;
    return scene;
}

/* Lets go of images and of what the caller wants released. */
static void scene_release(pietra_scene *scene)
{
    for (size_t i = 0; i < scene->images.count; i++)
        image_release(scene->images.items[i]);
    scene->images.count = 0;
    hash_free(&scene->image_table);
    for (size_t i = 0; i < scene->kept.count; i++)
        scene->kept.items[i].release(scene->kept.items[i].user);
    scene->kept.count = 0;
}

void pietra_scene_destroy(pietra_scene *scene)
{
    if (!scene)
        return;
    array_free(&scene->elements);
    array_free(&scene->labels);
    array_free(&scene->paths);
    arena_free(&scene->outlines);
    array_free(&scene->transforms);
    array_free(&scene->styles);
    array_free(&scene->dashes);
    array_free(&scene->paints);
    array_free(&scene->stops);
    array_free(&scene->ramps);
    array_free(&scene->given_stops);
    array_free(&scene->box_shadows);
    array_free(&scene->effects);
    array_free(&scene->effect_steps);
    array_free(&scene->effect_values);
    array_free(&scene->backdrops);
    array_free(&scene->open);
    array_free(&scene->pushed);
    scene_release(scene);
    array_free(&scene->images);
    intern_free(&scene->path_table);
    intern_free(&scene->transform_table);
    intern_free(&scene->paint_table);
    intern_free(&scene->pattern_table);
    intern_free(&scene->ramp_table);
    intern_free(&scene->stop_table);
    array_free(&scene->kept);
    free(scene);
}

void pietra_scene_reset(pietra_scene *scene)
{
    if (!scene)
        return;
    scene_clear(scene);
    scene_release(scene);
    scene->pushed.count = 0;
}

pietra_result pietra_scene_keep(pietra_scene *scene, void (*release)(void *user), void *user, pietra_error *error)
{
    if (!scene || !release)
        return error_set_null(error, !scene ? "scene" : "release");
    scene_kept *kept = array_push(&scene->kept);
    if (!kept)
        return error_set_memory(error);
    *kept = (scene_kept){release, user};
    return PIETRA_OK;
}

size_t scene_image_index(const pietra_scene *scene, const pietra_image *image)
{
    size_t last = scene->images.count - 1;
    if (scene->images.count > 0 && scene->images.items[last] == image)
        return last;
    hash_walk probe = hash_find(&scene->image_table, hash_bytes(&image, sizeof image));
    while (hash_found(&probe) && scene->images.items[probe.value] != image)
        hash_next(&probe);
    return hash_found(&probe) ? probe.value : scene->images.count;
}

bool scene_keep_image(pietra_scene *scene, const pietra_image *image)
{
    if (scene_image_index(scene, image) < scene->images.count)
        return true;
    if (scene->images.count >= SCENE_MAX_ITEMS || !array_reserve(&scene->images, 1) ||
        !hash_insert(&scene->image_table, hash_bytes(&image, sizeof image), (uint32_t)scene->images.count)) {
        return false;
    }
    scene->images.items[scene->images.count++] = image_keep(image);
    return true;
}

scene_mark scene_get_mark(const pietra_scene *scene)
{
    return (scene_mark){scene->paths.count,         scene->verb_count,        scene->point_count,
                        scene->transforms.count,    scene->styles.count,      scene->dashes.count,
                        scene->paints.count,        scene->stops.count,       scene->ramps.count,
                        scene->given_stops.count,   scene->effects.count,     scene->effect_steps.count,
                        scene->effect_values.count, scene->box_shadows.count, scene->elements.count,
                        scene->labels.count,        scene->open.count};
}

void scene_return_to(pietra_scene *scene, const scene_mark *mark)
{
    if (scene->paths.count > mark->paths)
        arena_shrink(&scene->outlines, (void *)scene->paths.items[mark->paths].view.points, 0);
    scene->paths.count = mark->paths;
    scene->verb_count = mark->verbs;
    scene->point_count = mark->points;
    scene->transforms.count = mark->transforms;
    scene->styles.count = mark->styles;
    scene->dashes.count = mark->dashes;
    scene->paints.count = mark->paints;
    scene->stops.count = mark->stops;
    scene->ramps.count = mark->ramps;
    scene->given_stops.count = mark->given_stops;
    scene->box_shadows.count = mark->box_shadows;
    scene->effects.count = mark->effects;
    scene->effect_steps.count = mark->effect_steps;
    scene->effect_values.count = mark->effect_values;
    scene->elements.count = mark->elements;
    scene->labels.count = mark->labels;
    scene->open.count = mark->open;
}

bool scene_is_empty(const pietra_scene *scene)
{
    return scene->elements.count == 0 && scene->pushed.count == 0;
}

void scene_clear(pietra_scene *scene)
{
    scene_return_to(scene, &(scene_mark){0});
    scene->label = 0;
    scene->open_sources = 0;
    scene->backdrops.count = 0;
    scene->blends = false;
    scene->aliased = false;
}

pietra_transform scene_transform(const pietra_scene *scene, const pietra_transform *transform)
{
    pietra_transform own = transform_of_pointer(transform);
    return scene->pushed.count > 0 ? transform_multiply(*array_last(&scene->pushed), own) : own;
}

pietra_result pietra_scene_push_transform(pietra_scene *scene, const pietra_transform *transform, pietra_error *error)
{
    if (!scene)
        return error_set_null(error, "scene");
    pietra_transform composed = scene_transform(scene, transform);
    if (!transform_is_finite(composed))
        return error_set(error, PIETRA_ERROR_INPUT, 0, "a transform has a number that is not finite");
    pietra_transform *pushed = array_push(&scene->pushed);
    if (!pushed)
        return error_set_memory(error);
    *pushed = composed;
    return PIETRA_OK;
}

pietra_result pietra_scene_pop_transform(pietra_scene *scene, pietra_error *error)
{
    if (!scene)
        return error_set_null(error, "scene");
    if (scene->pushed.count == 0)
        return error_set(error, PIETRA_ERROR_INPUT, 0, "pop_transform, but no transform is pushed");
    scene->pushed.count--;
    return PIETRA_OK;
}

pietra_result scene_add_transform(pietra_scene *scene, const pietra_transform *transform, pietra_error *error,
                                  uint32_t *index)
{
    pietra_transform meant = scene_transform(scene, transform);
    if (!transform_is_finite(meant))
        return error_set(error, PIETRA_ERROR_INPUT, 0, "a transform has a number that is not finite");
    uint32_t *slot = intern_slot(&scene->transform_table, hash_checksum(&meant, sizeof meant));
    if (*slot - 1u < scene->transforms.count &&
        memcmp(&scene->transforms.items[*slot - 1u], &meant, sizeof meant) == 0) {
        *index = *slot - 1u;
        return PIETRA_OK;
    }
    if (scene->transforms.count >= SCENE_MAX_ITEMS)
        return error_set(error, PIETRA_ERROR_INPUT, 0, "the scene has too many transforms");
    pietra_transform *added = array_push(&scene->transforms);
    if (!added)
        return error_set_memory(error);
    *added = meant;
    *index = (uint32_t)(scene->transforms.count - 1);
    *slot = *index + 1u;
    return PIETRA_OK;
}

path_view scene_copy_path(path_view path, char *room)
{
    char *verbs = room + path.point_count * sizeof *path.points;
    if (path.verb_count > 0) {
        memcpy(room, path.points, path.point_count * sizeof *path.points);
        memcpy(verbs, path.verbs, path.verb_count);
    }
    return (path_view){(const uint8_t *)verbs, path.verb_count, (const path_point *)room, path.point_count,
                       path.corner_verb_count};
}

/* Hashes the counts and a few points. Paths that differ only elsewhere are rare, and are compared in full. */
static uint64_t scene_hash_path(path_view path)
{
    uint64_t hash = path.verb_count << 32 ^ path.point_count;
    for (size_t i = 0; i < HASHED_POINTS && path.point_count > 0; i++) {
        const path_point *point = &path.points[i * (path.point_count - 1) / (HASHED_POINTS - 1)];
        hash = hash * 31 ^ hash_checksum(point, sizeof *point);
    }
    return hash;
}

static bool scene_has_path(const pietra_scene *scene, uint32_t index, path_view path, uint64_t hash)
{
    if (index >= scene->paths.count || scene->paths.items[index].hash != hash)
        return false;
    path_view known = scene_path_view(scene, index);
    if (known.verb_count != path.verb_count || known.point_count != path.point_count ||
        known.corner_verb_count != path.corner_verb_count) {
        return false;
    }
    /* A path to which two elements refer need not be compared. */
    return (known.verbs == path.verbs && known.points == path.points) ||
           ((path.verb_count == 0 || memcmp(known.verbs, path.verbs, path.verb_count) == 0) &&
            (path.point_count == 0 || memcmp(known.points, path.points, path.point_count * sizeof *path.points) == 0));
}

static pietra_result scene_check_path(const pietra_path *path, pietra_error *error)
{
    if (!path)
        return error_set_null(error, "path");
    if (path->result == PIETRA_ERROR_MEMORY)
        return error_set(error, PIETRA_ERROR_MEMORY, 0, "a path ran out of memory while it was built");
    if (path->result != PIETRA_OK)
        return error_set(error, path->result, 0, "a path has a coordinate that is not finite");
    return PIETRA_OK;
}

bool scene_find_path(pietra_scene *scene, path_view view, path_view *known)
{
    const uint64_t hash = scene_hash_path(view) >> 1;
    const uint32_t index = *intern_slot(&scene->path_table, hash) - 1u;
    const bool found = scene_has_path(scene, index, view, hash);
    if (found)
        *known = scene_path_view(scene, index);
    return found;
}

/* Adds a path to the pool. stays: the arrays need not be copied. */
static pietra_result scene_add_view(pietra_scene *scene, path_view view, bool stays, pietra_error *error,
                                    uint32_t *index)
{
    uint64_t hash = scene_hash_path(view) >> 1;
    uint32_t *slot = intern_slot(&scene->path_table, hash);
    if (scene_has_path(scene, *slot - 1u, view, hash)) {
        *index = *slot - 1u;
        return PIETRA_OK;
    }
    if (scene->paths.count >= SCENE_MAX_ITEMS)
        return error_set(error, PIETRA_ERROR_INPUT, 0, "the scene has too many paths");
    if (!array_reserve(&scene->paths, 1))
        return error_set_memory(error);
    path_view kept = view;
    if (!stays) {
        char *room = arena_alloc(&scene->outlines, scene_path_bytes(view.verb_count, view.point_count), sizeof(double));
        if (!room)
            return error_set_memory(error);
        kept = scene_copy_path(view, room);
    }
    scene->paths.items[scene->paths.count++] =
        (scene_path){.view = kept, .hash = hash & (UINT64_MAX >> 1), .is_own = !stays};
    scene->verb_count += view.verb_count;
    scene->point_count += view.point_count;
    *index = (uint32_t)(scene->paths.count - 1);
    *slot = *index + 1u;
    return PIETRA_OK;
}

static pietra_result scene_add_path(pietra_scene *scene, const pietra_path *path, pietra_error *error, uint32_t *index)
{
    pietra_result result = scene_check_path(path, error);
    return result == PIETRA_OK ? scene_add_view(scene, path_view_of(path), path_is_referred(path), error, index)
                               : result;
}

/* Adds a path to stroke, with its corners if the join asks for them. */
static pietra_result scene_add_stroked_path(pietra_scene *scene, const pietra_path *path, const pietra_stroke *stroke,
                                            pietra_error *error, uint32_t *index)
{
    pietra_result result = scene_check_path(path, error);
    if (result != PIETRA_OK || !style_has_arcs(stroke)) {
        return result == PIETRA_OK ? scene_add_view(scene, path_view_of(path), path_is_referred(path), error, index)
                                   : result;
    }
    pietra_path *cornered = pietra_path_create();
    if (!cornered)
        return error_set_memory(error);
    path_view plain = path_view_of(path);
    pietra_path_append(cornered, plain.verbs, plain.verb_count, plain.point_count > 0 ? &plain.points[0].x : NULL);
    arcs_join_add(plain, 0.5 * stroke->width, style_miter_limit(stroke), cornered);
    result = scene_check_path(cornered, error);
    if (result == PIETRA_OK) {
        path_view view = path_view_of(cornered);
        view.corner_verb_count = view.verb_count - plain.verb_count;
        result = scene_add_view(scene, view, false, error, index);
    }
    pietra_path_destroy(cornered);
    return result;
}

bool scene_reserve_labels(pietra_scene *scene, size_t extra)
{
    return array_reserve(&scene->labels, scene->elements.count + extra - scene->labels.count);
}

void scene_add_label(pietra_scene *scene, uint32_t label)
{
    while (scene->labels.count + 1 < scene->elements.count)
        scene->labels.items[scene->labels.count++] = 0;
    scene->labels.items[scene->labels.count++] = label;
}

pietra_result scene_reserve_elements(pietra_scene *scene, size_t count, pietra_error *error)
{
    if (count > SCENE_MAX_ITEMS || scene->elements.count > SCENE_MAX_ITEMS - count)
        return error_set(error, PIETRA_ERROR_INPUT, 0, "the scene has too many elements");
    if (!array_reserve(&scene->elements, count) || (scene->label != 0 && !scene_reserve_labels(scene, count)))
        return error_set_memory(error);
    return PIETRA_OK;
}

pietra_result scene_add_element(pietra_scene *scene, const scene_element *element, pietra_error *error)
{
    pietra_result result = scene_reserve_elements(scene, 1, error);
    if (result != PIETRA_OK)
        return result;
    scene->elements.items[scene->elements.count++] = *element;
    if (scene->label != 0)
        scene_add_label(scene, scene->label);
    return PIETRA_OK;
}

uint32_t scene_aliased_flag(const pietra_scene *scene)
{
    return scene->aliased ? ELEMENT_ALIASED : 0u;
}

bool scene_is_flattened(const pietra_scene *scene, const pietra_transform *transform)
{
    return (transform || scene->pushed.count > 0) && transform_is_singular(scene_transform(scene, transform));
}

pietra_result scene_add_area(pietra_scene *scene, uint32_t kind_and_flags, const pietra_path *path,
                             const pietra_transform *transform, pietra_fill_rule rule, pietra_error *error,
                             scene_element *element)
{
    element->kind = kind_and_flags | (rule == PIETRA_FILL_EVEN_ODD ? ELEMENT_EVEN_ODD : 0u);
    pietra_result result = error_check_enumerator(error, "a fill rule", rule, PIETRA_FILL_EVEN_ODD);
    if (result == PIETRA_OK)
        result = scene_add_path(scene, path, error, &element->path);
    return result == PIETRA_OK ? scene_add_transform(scene, transform, error, &element->transform) : result;
}

pietra_result scene_add_nothing(pietra_scene *scene, pietra_error *error, scene_element *element)
{
    pietra_result result = scene_add_view(scene, (path_view){0}, true, error, &element->path);
    return result == PIETRA_OK ? scene_add_transform(scene, NULL, error, &element->transform) : result;
}

void pietra_scene_set_aliased(pietra_scene *scene, bool aliased)
{
    if (scene)
        scene->aliased = aliased;
}

void pietra_scene_set_label(pietra_scene *scene, uint32_t label)
{
    if (scene)
        scene->label = label;
}

pietra_result scene_add_paint(pietra_scene *scene, const pietra_paint *paint, pietra_error *error, uint32_t *index)
{
    return scene->open_sources > 0 ? paint_add_solid(scene, PAINT_OPAQUE_WHITE, error, index)
                                   : paint_add(scene, paint, error, index);
}

pietra_result scene_add_fill(pietra_scene *scene, uint32_t flags, const pietra_path *path,
                             const pietra_transform *transform, pietra_fill_rule rule, const pietra_paint *paint,
                             pietra_error *error)
{
    scene_mark mark = scene_get_mark(scene);
    scene_element element = {.style = STREAM_NONE};
    pietra_result result = scene_add_area(scene, ELEMENT_FILL | flags, path, transform, rule, error, &element);
    if (result != PIETRA_OK)
        goto fail;
    result = scene_add_paint(scene, paint, error, &element.paint);
    /* What draws nothing is checked like anything else and then left out. */
    if (result != PIETRA_OK || scene_is_flattened(scene, transform))
        goto fail;
    result = scene_add_element(scene, &element, error);
    if (result != PIETRA_OK)
        goto fail;
    return PIETRA_OK;
fail:
    scene_return_to(scene, &mark);
    return result;
}

pietra_result pietra_scene_fill(pietra_scene *scene, const pietra_path *path, const pietra_transform *transform,
                                pietra_fill_rule rule, const pietra_paint *paint, pietra_error *error)
{
    if (!scene)
        return error_set_null(error, "scene");
    return scene_add_fill(scene, scene_aliased_flag(scene), path, transform, rule, paint, error);
}

pietra_result pietra_scene_stroke(pietra_scene *scene, const pietra_path *path, const pietra_transform *transform,
                                  const pietra_stroke *stroke, const pietra_paint *paint, pietra_error *error)
{
    if (!scene || !stroke)
        return error_set_null(error, !scene ? "scene" : "stroke");
    scene_mark mark = scene_get_mark(scene);
    scene_element element = {.kind = ELEMENT_STROKE | scene_aliased_flag(scene)};
    pietra_result result = style_add(scene, stroke, error, &element.style);
    if (result != PIETRA_OK)
        goto fail;
    result = scene_add_stroked_path(scene, path, stroke, error, &element.path);
    if (result != PIETRA_OK)
        goto fail;
    result = scene_add_transform(scene, transform, error, &element.transform);
    if (result != PIETRA_OK)
        goto fail;
    result = scene_add_paint(scene, paint, error, &element.paint);
    if (result != PIETRA_OK || scene_is_flattened(scene, transform) || !style_draws(stroke))
        goto fail;
    result = scene_add_element(scene, &element, error);
    if (result != PIETRA_OK)
        goto fail;
    return PIETRA_OK;
fail:
    scene_return_to(scene, &mark);
    return result;
}
