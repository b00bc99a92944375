/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "svg/draw/image_element.h"

#include <math.h>

#include "base/transform.h"
#include "svg/draw/boxes.h"
#include "svg/draw/image_content.h"
#include "svg/draw/visit.h"

/* ---- Placing ---- */

/* A missing length counts as auto. An auto side is that of the image itself, scaled with the other side if that is
 * given. */
static bool find_viewport(const svg_walk *walk, const svg_instance *instance, const svg_inherited *style,
                          const svg_image_content *content, svg_rectangle *view)
{
    svg_metrics metrics = svg_walk_metrics(walk, style->font_size, instance->width, instance->height);
    svg_length length;
    uint32_t node = instance->node;
    bool has_width = svg_attribute_length(walk->document, node, SVG_WIDTH, &length);
    view->width = has_width ? svg_length_resolve(length, SVG_AXIS_X, &metrics) : 0;
    has_width = has_width && view->width >= 0;
    bool has_height = svg_attribute_length(walk->document, node, SVG_HEIGHT, &length);
    view->height = has_height ? svg_length_resolve(length, SVG_AXIS_Y, &metrics) : 0;
    has_height = has_height && view->height >= 0;
    view->x = svg_attribute_pixels(walk->document, node, SVG_X, SVG_AXIS_X, &metrics);
    view->y = svg_attribute_pixels(walk->document, node, SVG_Y, SVG_AXIS_Y, &metrics);
    if (!has_width)
        view->width = has_height ? view->height / content->height * content->width : content->width;
    if (!has_height)
        view->height = has_width ? view->width / content->width * content->height : content->height;
    return view->width > 0 && view->height > 0 && isfinite(view->x + view->y + view->width + view->height);
}

bool svg_image_element_build(svg_walk *walk, const svg_instance *instance, const svg_inherited *style,
                             const pietra_transform *transform)
{
    svg_image_content *content;
    svg_rectangle view;
    pietra_result result = svg_image_content_find(walk, instance->node, &content);
    if (result == PIETRA_ERROR_INPUT)
        svg_budget_exceed(walk->document->budget, walk->document->budget->refused);
    else if (result != PIETRA_OK)
        svg_budget_lack_memory(walk->document->budget);
    if (result != PIETRA_OK)
        return false;
    if (!content || (!content->image && !content->document) || !find_viewport(walk, instance, style, content, &view))
        return false;
    pietra_path_reset(walk->path);
    if (!transform) {
        pietra_path_rect(walk->path, view.x, view.y, view.width, view.height);
        return true;
    }
    const double corners[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    for (int i = 0; i < 4; i++) {
        double x = view.x + corners[i][0] * view.width, y = view.y + corners[i][1] * view.height;
        transform_point(*transform, &x, &y);
        (i ? pietra_path_line_to : pietra_path_move_to)(walk->path, x, y);
    }
    pietra_path_close(walk->path);
    return true;
}

/* ---- Drawing ---- */

static pietra_result begin_clip(svg_walk *walk, pietra_transform transform, svg_rectangle box)
{
    pietra_path_reset(walk->path);
    pietra_path_rect(walk->path, box.x, box.y, box.width, box.height);
    svg_walk_set_edges(walk, false);
    return pietra_scene_begin_clip(walk->scene, walk->path, &transform, PIETRA_FILL_NONZERO, walk->error);
}

static pietra_box box_of(svg_rectangle r)
{
    return (pietra_box){r.x, r.y, r.x + r.width, r.y + r.height};
}

/* Draws a slice: its viewport, painted with the image. An image in a clip to the viewport would have two edges in one
 * place where it fits, and the product of their coverage. */
static pietra_result draw_slice(svg_walk *walk, const svg_instance *instance, const svg_inherited *style,
                                const pietra_image *image, pietra_transform fit, svg_rectangle view)
{
    pietra_paint paint = {.kind = PIETRA_PAINT_IMAGE, .image = image, .filter = svg_image_filter(style)};
    paint.transform = transform_multiply(transform_translate(view.x, view.y), fit);
    pietra_path_reset(walk->path);
    pietra_path_rect(walk->path, view.x, view.y, view.width, view.height);
    return pietra_scene_fill(walk->scene, walk->path, &instance->transform, PIETRA_FILL_NONZERO, &paint, walk->error);
}

pietra_result svg_image_element_draw(svg_walk *walk, const svg_instance *instance, const svg_inherited *style)
{
    svg_image_content *content;
    svg_rectangle view;
    pietra_result result = svg_image_content_find(walk, instance->node, &content);
    if (result != PIETRA_OK || !content || (!content->image && !content->document) ||
        !find_viewport(walk, instance, style, content, &view))
        return result;
    /* A document without a size of its own takes all the room that there is. */
    bool definite = content->image || svg_viewport_is_definite(content->document);
    const svg_rectangle own = {0, 0, definite ? content->width : view.width, definite ? content->height : view.height};
    pietra_transform fit = svg_view_box_fit(walk->document, instance->node, own, view.width, view.height);
    pietra_transform transform = transform_multiply(
                         transform_multiply(instance->transform, transform_translate(view.x, view.y)), fit),
                     inverse;
    if (!transform_invert(transform, &inverse))
        return PIETRA_OK;
    /* Pixels exceed the viewport only if they are sliced. A document may draw anywhere. */
    bool slice = own.width * fit.a > view.width * (1 + 1e-9) || own.height * fit.d > view.height * (1 + 1e-9);
    bool hidden = instance->noninherited.overflow != SVG_OVERFLOW_VISIBLE && (slice || content->document);
    pietra_box seen = hidden ? transform_box(instance->transform, box_of(view)) : transform_box(transform, box_of(own));
    svg_boxes_hide(walk);
    if (content->document) {
        result = begin_clip(walk, hidden ? instance->transform : transform, hidden ? view : own);
        if (result == PIETRA_OK)
            result = svg_image_content_draw_document(walk, instance->node, content, own, transform, seen);
        if (result == PIETRA_OK)
            result = pietra_scene_end_clip(walk->scene, walk->error);
    } else {
        walk->pixels += (uint64_t)(content->width * content->height);
        svg_walk_set_edges(walk, style->shape_rendering == SVG_EDGES_ALIASED);
        result = hidden ? draw_slice(walk, instance, style, content->image, fit, view)
                        : pietra_scene_draw_image(walk->scene, content->image, &transform, svg_image_filter(style),
                                                  walk->error);
    }
    svg_boxes_show(walk, &seen);
    return svg_walk_check(walk, instance->node, result);
}
