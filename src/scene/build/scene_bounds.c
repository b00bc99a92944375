/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <float.h>
#include <math.h>

#include "scene/rules.h"
#include "scene/build/scene.h"
#include "scene/build/stroke_bounds.h"

static bool bounds_of_element(const pietra_scene *scene, const scene_element *element, pietra_box *box)
{
    path_view path = scene_path_view(scene, element->path);
    pietra_transform transform = scene->transforms.items[element->transform];
    if ((element->kind & ELEMENT_KIND_MASK) == ELEMENT_STROKE)
        return stroke_bounds(path, &scene->styles.items[element->style], transform, box);
    return path_bounds(path, transform, box);
}

/* A solid of alpha 0 also stands for paints that paint nothing. */
static bool bounds_is_painted(const pietra_scene *scene, const scene_element *element)
{
    const stream_paint *paint = &scene->paints.items[element->paint].paint;
    return rules_paint_shows(paint);
}

/* Numbers that overflowed count as the largest double. */
static double held(double value)
{
    return fmax(-DBL_MAX, fmin(value, DBL_MAX));
}

size_t pietra_scene_position(const pietra_scene *scene)
{
    return scene ? scene->elements.count : 0;
}

bool pietra_scene_bounds_between(const pietra_scene *scene, size_t begin, size_t end, pietra_box *box)
{
    if (!scene || !box)
        return false;
    pietra_box found = {INFINITY, INFINITY, -INFINITY, -INFINITY};
    size_t open_sources = 0;
    for (size_t i = begin; i < end && i < scene->elements.count; i++) {
        const scene_element *element = &scene->elements.items[i];
        uint32_t kind = element->kind & ELEMENT_KIND_MASK;
        open_sources += kind == ELEMENT_BEGIN_CLIP_SOURCE || kind == ELEMENT_BEGIN_EFFECT_PICTURE;
        open_sources -= kind == ELEMENT_END_CLIP_SOURCE || kind == ELEMENT_END_EFFECT_PICTURE;
        pietra_box own;
        if ((kind == ELEMENT_FILL || kind == ELEMENT_STROKE) && open_sources == 0 &&
            bounds_is_painted(scene, element) && bounds_of_element(scene, element, &own)) {
            found = (pietra_box){fmin(found.x0, own.x0), fmin(found.y0, own.y0), fmax(found.x1, own.x1),
                                 fmax(found.y1, own.y1)};
        }
    }
    if (!(found.x0 <= found.x1) || !(found.y0 <= found.y1))
        return false;
    *box = (pietra_box){held(found.x0), held(found.y0), held(found.x1), held(found.y1)};
    return true;
}

bool pietra_scene_bounds(const pietra_scene *scene, pietra_box *box)
{
    return pietra_scene_bounds_between(scene, 0, SIZE_MAX, box);
}
