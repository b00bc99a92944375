/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "scene/build/scene_backdrop.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/transform.h"
#include "layout/stream.h"
#include "pietra/pietra_effect.h"
#include "scene/build/scene_parts.h"
#include "scene/color.h"

/* ---- Steps ---- */

/* The steps behind the caller's: the shape as a picture, what shows through it, what stays beside it, and their sum. So
 * a pixel that the shape covers by half has half of each. */
#define OWN_STEPS 4u

/* Nothing of the filtered source is needed outside of the shape's box. */
static void set_own_steps(pietra_effect_step *steps, size_t count, const pietra_scene *shape)
{
    pietra_box box = {0, 0, 0, 0};
    const pietra_effect_input filtered = count > 0 ? PIETRA_EFFECT_RESULT(count - 1) : PIETRA_EFFECT_SOURCE;
    steps[count] = (pietra_effect_step){.kind = PIETRA_EFFECT_IMAGE};
    steps[count].image.scene = shape;
    (void)pietra_scene_bounds(shape, &box);
    steps[count].region = box;
    steps[count + 1] =
        (pietra_effect_step){.kind = PIETRA_EFFECT_COMPOSITE, .in = filtered, .in2 = PIETRA_EFFECT_RESULT(count)};
    steps[count + 1].composite.operation = PIETRA_EFFECT_IN;
    steps[count + 1].region = box;
    steps[count + 2] = (pietra_effect_step){
        .kind = PIETRA_EFFECT_COMPOSITE, .in = PIETRA_EFFECT_SOURCE, .in2 = PIETRA_EFFECT_RESULT(count)};
    steps[count + 2].composite.operation = PIETRA_EFFECT_OUT;
    steps[count + 3] = (pietra_effect_step){
        .kind = PIETRA_EFFECT_COMPOSITE, .in = PIETRA_EFFECT_RESULT(count + 1), .in2 = PIETRA_EFFECT_RESULT(count + 2)};
    steps[count + 3].composite.operation = PIETRA_EFFECT_LIGHTER;
}

/* Adds the effect, and the elements of its pictures. */
static pietra_result add_backdrop(pietra_scene *scene, const pietra_effect *effect, const pietra_transform *transform,
                                  const pietra_scene *shape, pietra_error *error)
{
    const size_t count = effect->step_count;
    if (count > SCENE_MAX_ITEMS - OWN_STEPS)
        return error_set(error, PIETRA_ERROR_INPUT, 0, "a backdrop's effect has too many steps");
    pietra_effect_step *steps = malloc((count + OWN_STEPS) * sizeof *steps);
    if (!steps || !array_reserve(&scene->backdrops, 1)) {
        free(steps);
        return error_set_memory(error);
    }
    if (count > 0)
        memcpy(steps, effect->steps, count * sizeof *steps);
    for (size_t i = 0; i < count; i++)
        if (box_is_empty(steps[i].region))
            steps[i].region = effect->region;
    set_own_steps(steps, count, shape);
    const pietra_effect whole = {.steps = steps, .step_count = count + OWN_STEPS};
    const uint32_t begin = (uint32_t)scene->elements.count;
    pietra_result result = pietra_scene_begin_effect(scene, &whole, transform, error);
    free(steps);
    if (result != PIETRA_OK)
        return result;
    scene->elements.items[begin].kind |= ELEMENT_BACKDROP;
    result = pietra_scene_end_effect(scene, error);
    if (result != PIETRA_OK)
        return result;
    scene->backdrops.items[scene->backdrops.count++] = begin;
    return PIETRA_OK;
}

static pietra_result make_shape(const pietra_path *path, pietra_fill_rule rule, float opacity, bool aliased,
                                pietra_error *error, pietra_scene **shape)
{
    const pietra_paint white = pietra_solid(1, 1, 1, opacity);
    *shape = pietra_scene_create();
    if (!*shape)
        return error_set_memory(error);
    pietra_scene_set_aliased(*shape, aliased);
    return pietra_scene_fill(*shape, path, NULL, rule, &white, error);
}

pietra_result pietra_scene_filter_backdrop(pietra_scene *scene, const pietra_effect *effect, const pietra_path *path,
                                           const pietra_transform *transform, pietra_fill_rule rule, float opacity,
                                           pietra_error *error)
{
    if (!scene || !effect || !path)
        return error_set_null(error, !scene ? "scene" : !effect ? "effect" : "path");
    if (!effect->steps && effect->step_count > 0)
        return error_set_null(error, "effect.steps");
    if (!isfinite(opacity))
        return error_set(error, PIETRA_ERROR_INPUT, 0, "a backdrop's opacity is not a finite number");
    const pietra_box *region = &effect->region;
    if (!isfinite(region->x0) || !isfinite(region->y0) || !isfinite(region->x1) || !isfinite(region->y1))
        return error_set(error, PIETRA_ERROR_INPUT, 0, "an effect's region has a number that is not finite");
    pietra_scene *shape;
    pietra_result result = make_shape(path, rule, color_clamp(opacity), scene->aliased, error, &shape);
    const scene_mark mark = scene_get_mark(scene);
    if (result == PIETRA_OK)
        result = add_backdrop(scene, effect, transform, shape, error);
    pietra_scene_destroy(shape);
    if (result != PIETRA_OK)
        scene_return_to(scene, &mark);
    return result;
}

/* ---- Order ---- */

static bool kind_opens(uint32_t kind)
{
    return kind == ELEMENT_BEGIN_CLIP || kind == ELEMENT_BEGIN_CLIP_SOURCE || kind == ELEMENT_BEGIN_GROUP ||
           kind == ELEMENT_BEGIN_EFFECT || kind == ELEMENT_BEGIN_EFFECT_PICTURE;
}

static bool kind_closes(uint32_t kind)
{
    return kind == ELEMENT_END_CLIP || kind == ELEMENT_END_GROUP || kind == ELEMENT_END_EFFECT ||
           kind == ELEMENT_END_EFFECT_PICTURE;
}

typedef struct settling {
    const pietra_scene *scene;
    pietra_scene *settled;
    ARRAY(uint32_t) starts; /* where the content of each open begin begins; the first is that of the scene */
    uint32_t *newest;       /* for each element: the newest backdrop whose begin moves before it; STREAM_NONE: none */
    uint32_t *older;        /* for each backdrop: the next one that moves to the same place */
} settling;

static bool open_content(settling *s, uint32_t start)
{
    uint32_t *opened = array_push(&s->starts);
    if (opened)
        *opened = start;
    return opened != NULL;
}

/* Follows what is open. The content of a clip by a source, and that of an effect with pictures, begins behind these. */
static bool pass_element(settling *s, uint32_t index)
{
    const uint32_t kind = s->scene->elements.items[index].kind & ELEMENT_KIND_MASK;
    if (kind_opens(kind))
        return open_content(s, index + 1);
    if (kind_closes(kind))
        s->starts.count--;
    if (kind == ELEMENT_END_CLIP_SOURCE || kind == ELEMENT_END_EFFECT_PICTURE)
        *array_last(&s->starts) = index + 1;
    return true;
}

/* Finds where each begin moves to. */
static bool find_places(settling *s)
{
    size_t next = 0;
    if (!open_content(s, 0))
        return false;
    for (uint32_t i = 0; i < s->scene->elements.count; i++) {
        if (next < s->scene->backdrops.count && s->scene->backdrops.items[next] == i) {
            const uint32_t start = *array_last(&s->starts);
            s->older[next] = s->newest[start];
            s->newest[start] = (uint32_t)next++;
        }
        if (!pass_element(s, i))
            return false;
    }
    return true;
}

static void copy_element(settling *s, uint32_t index)
{
    pietra_scene *settled = s->settled;
    settled->elements.items[settled->elements.count++] = s->scene->elements.items[index];
    if (s->scene->labels.count > 0)
        settled->labels.items[settled->labels.count++] = scene_label_of(s->scene, index);
}

/* Returns the end of a backdrop, which stays where it is. Before it stand its begin and its pictures. */
static uint32_t end_of(const settling *s, uint32_t begin)
{
    uint32_t depth = 0, index = begin;
    do {
        const uint32_t kind = s->scene->elements.items[index++].kind & ELEMENT_KIND_MASK;
        depth += kind_opens(kind);
        depth -= kind_closes(kind);
    } while (depth > 1 || (s->scene->elements.items[index].kind & ELEMENT_KIND_MASK) != ELEMENT_END_EFFECT);
    return index;
}

static void copy_begin(settling *s, uint32_t begin)
{
    const uint32_t end = end_of(s, begin);
    for (uint32_t i = begin; i < end; i++)
        copy_element(s, i);
}

static void copy_all(settling *s)
{
    const uint32_t count = (uint32_t)s->scene->elements.count;
    size_t next = 0;
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = s->newest[i]; k != STREAM_NONE; k = s->older[k])
            copy_begin(s, s->scene->backdrops.items[k]);
        if (next < s->scene->backdrops.count && s->scene->backdrops.items[next] == i) {
            i = end_of(s, i);
            next++;
        }
        copy_element(s, i);
    }
}

bool scene_settle(const pietra_scene *scene, pietra_scene *settled)
{
    const size_t count = scene->elements.count;
    settling s = {.scene = scene, .settled = settled};
    *settled = *scene;
    memset(&settled->elements, 0, sizeof settled->elements);
    memset(&settled->labels, 0, sizeof settled->labels);
    memset(&settled->backdrops, 0, sizeof settled->backdrops);
    s.newest = malloc((count + 1) * sizeof *s.newest);
    s.older = malloc((scene->backdrops.count + 1) * sizeof *s.older);
    bool fits = s.newest && s.older && array_reserve(&settled->elements, count) &&
                (scene->labels.count == 0 || array_reserve(&settled->labels, count));
    if (fits) {
        memset(s.newest, 0xff, (count + 1) * sizeof *s.newest);
        fits = find_places(&s);
    }
    if (fits)
        copy_all(&s);
    array_free(&s.starts);
    free(s.newest);
    free(s.older);
    if (!fits)
        scene_settled_free(settled);
    return fits;
}

void scene_settled_free(pietra_scene *settled)
{
    array_free(&settled->elements);
    array_free(&settled->labels);
}
