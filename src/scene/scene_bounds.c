#include <float.h>
#include <math.h>

#include "scene/scene.h"
#include "scene/style.h"

/* Whether strokes of the path may have joins: more than one segment in a subpath, the closing one included. */
static bool path_has_joins(path_view path)
{
    size_t segments = 0;
    for (size_t i = 0; i < path.verb_count; i++) {
        segments = path.verbs[i] == PATH_MOVE ? 0 : segments + 1;
        if (segments > 1) {
            return true;
        }
    }
    return false;
}

static bool bounds_of_element(const pietra_scene *scene, const scene_element *element, pietra_box *box)
{
    path_view path = scene_path_view(scene, element->path);
    pietra_transform transform = scene->transforms.items[element->transform];
    if (!path_bounds(path, transform, box)) {
        return false;
    }
    if ((element->kind & ELEMENT_KIND_MASK) == ELEMENT_STROKE) {
        const stream_style *style = &scene->styles.items[element->style];
        double reach = style_reach(style, path_has_joins(path)) * style->half_width;
        double x = reach * hypot(transform.a, transform.c);
        double y = reach * hypot(transform.b, transform.d);
        *box = (pietra_box){ box->x0 - x, box->y0 - y, box->x1 + x, box->y1 + y };
    }
    return true;
}

/* A solid of alpha 0 also stands for paints that paint nothing. */
static bool bounds_is_painted(const pietra_scene *scene, const scene_element *element)
{
    const stream_paint *paint = &scene->paints.items[element->paint].paint;
    return paint->kind != PAINT_SOLID || paint->color >> 24 != 0;
}

/* Numbers whose product is beyond all doubles count as the largest. */
static double held(double value)
{
    return fmax(-DBL_MAX, fmin(value, DBL_MAX));
}

bool pietra_scene_bounds(const pietra_scene *scene, pietra_box *box)
{
    if (scene == NULL || box == NULL) {
        return false;
    }
    pietra_box found = { INFINITY, INFINITY, -INFINITY, -INFINITY };
    size_t open_sources = 0;
    for (size_t i = 0; i < scene->elements.count; i++) {
        const scene_element *element = &scene->elements.items[i];
        uint32_t kind = element->kind & ELEMENT_KIND_MASK;
        open_sources += kind == ELEMENT_BEGIN_CLIP_SOURCE;
        open_sources -= kind == ELEMENT_END_CLIP_SOURCE;
        pietra_box own;
        if ((kind == ELEMENT_FILL || kind == ELEMENT_STROKE) && open_sources == 0 && bounds_is_painted(scene, element) &&
            bounds_of_element(scene, element, &own)) {
            found = (pietra_box){ fmin(found.x0, own.x0), fmin(found.y0, own.y0), fmax(found.x1, own.x1), fmax(found.y1, own.y1) };
        }
    }
    if (!(found.x0 <= found.x1) || !(found.y0 <= found.y1)) {
        return false;
    }
    *box = (pietra_box){ held(found.x0), held(found.y0), held(found.x1), held(found.y1) };
    return true;
}
