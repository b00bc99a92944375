/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "svg/draw/filter_picture.h"

#include <math.h>

#include "base/transform.h"
#include "svg/draw/image_content.h"

/* ---- Elements ---- */

uint32_t svg_filter_image_target(const svg_document *document, uint32_t node)
{
    return svg_document_href(document, node);
}

/* The element stands where a `use` in the corner of the subregion would show it. Its style is that of its own place. */
static pietra_result push_frame(const svg_filter_build *build, uint32_t node, uint32_t target,
                                const svg_rectangle *subregion)
{
    svg_walk *walk = build->walk;
    const svg_instance *owner = &walk->frames.items[build->frame].instance;
    const uint32_t parent = walk->document->nodes.items[target].parent;
    const svg_style_in_place *placed = parent == SVG_NO_NODE ? NULL : svg_walk_style_in_place(walk, parent);
    const svg_inherited initial = svg_style_initial(walk->document);
    if (!placed && parent != SVG_NO_NODE)
        return PIETRA_ERROR_MEMORY;
    svg_walk_frame frame = {
        .instance =
            {
                .node = node,
                .mode = SVG_MODE_DRAW,
                .transform = transform_multiply(owner->transform, transform_translate(subregion->x, subregion->y)),
                .width = owner->width,
                .height = owner->height,
                .opacity = 1,
                .noninherited = placed ? placed->noninherited : svg_noninherited_initial,
            },
        .kind = SVG_WALK_FRAME_PICTURE,
        .phase = SVG_PHASE_BODY,
        .picture.children =
            {
                .next = target,
                .end = walk->document->nodes.items[target].end,
                .shown_by = SVG_NO_NODE,
                .local = TRANSFORM_IDENTITY,
                .width = owner->width,
                .height = owner->height,
                .handed_opacity = 1,
            },
    };
    return svg_walk_push(walk, &frame, placed ? &placed->inherited : &initial);
}

pietra_result svg_filter_begin_picture(const svg_filter_build *build, uint32_t node, uint32_t function,
                                       const svg_rectangle *subregion)
{
    svg_walk *walk = build->walk;
    const svg_rectangle *region = &build->region;
    const pietra_box seen = {region->x, region->y, region->x + region->width, region->y + region->height};
    svg_filter_picture picture = {
        .scene = pietra_scene_create(),
        .function = function,
        .filter = build->filter.node,
        .outer = walk->scene,
        .outer_visible = walk->visible,
        .outer_is_aliased = walk->is_aliased,
        .outer_boxes = walk->boxes,
        .outer_label = walk->label,
    };
    pietra_result result = svg_walk_spend(walk, node, SVG_STEP_picture, 1);
    svg_filter_picture *pushed = result == PIETRA_OK && picture.scene ? array_push(&walk->filter_pictures) : NULL;
    if (!pushed) {
        pietra_scene_destroy(picture.scene);
        return result == PIETRA_OK ? PIETRA_ERROR_MEMORY : result;
    }
    *pushed = picture;
    walk->scene = picture.scene;
    walk->visible = transform_box(walk->frames.items[build->frame].instance.transform, seen);
    walk->is_aliased = false;
    walk->boxes = NULL;
    walk->label = 0;
    walk->flags[picture.filter] |= SVG_NODE_FILTERING;
    return push_frame(build, node, svg_filter_image_target(walk->document, node), subregion);
}

void svg_filter_end_picture(svg_walk *walk)
{
    const svg_filter_picture *picture = array_last(&walk->filter_pictures);
    walk->scene = picture->outer;
    walk->visible = picture->outer_visible;
    walk->is_aliased = picture->outer_is_aliased;
    walk->boxes = picture->outer_boxes;
    walk->label = picture->outer_label;
    walk->flags[picture->filter] &= (uint8_t)~SVG_NODE_FILTERING;
}

void svg_filter_free_pictures(svg_walk *walk, size_t first)
{
    while (walk->filter_pictures.count > first)
        pietra_scene_destroy(walk->filter_pictures.items[--walk->filter_pictures.count].scene);
}

/* ---- Images ---- */

static pietra_result draw_image(svg_walk *walk, uint32_t node, svg_image_content *content, pietra_transform space,
                                const svg_rectangle *view)
{
    const bool definite = content->image || svg_viewport_is_definite(content->document);
    const svg_rectangle own = {0, 0, definite ? content->width : view->width,
                               definite ? content->height : view->height};
    const pietra_transform fit = svg_view_box_fit(walk->document, node, own, view->width, view->height);
    const pietra_transform transform =
        transform_multiply(transform_multiply(space, transform_translate(view->x, view->y)), fit);
    const svg_style_in_place *placed = svg_walk_style_in_place(walk, node);
    pietra_transform inverse;
    if (!placed)
        return PIETRA_ERROR_MEMORY;
    if (!transform_invert(transform, &inverse))
        return PIETRA_OK;
    if (content->document) {
        const pietra_box box = {view->x, view->y, view->x + view->width, view->y + view->height};
        return svg_image_content_draw_document(walk, node, content, own, transform, transform_box(space, box));
    }
    walk->pixels += (uint64_t)(content->width * content->height);
    return pietra_scene_draw_image(walk->scene, content->image, &transform, svg_image_filter(&placed->inherited),
                                   walk->error);
}

/* Draws the image to which feImage refers into a scene of its own. It fills the subregion as preserveAspectRatio
 * says. */
static pietra_result make_scene(svg_filter_build *build, uint32_t node, const svg_rectangle *subregion,
                                pietra_scene **scene)
{
    svg_walk *walk = build->walk;
    svg_image_content *content;
    pietra_result result = svg_image_content_find(walk, node, &content);
    *scene = NULL;
    if (result != PIETRA_OK || !content || (!content->image && !content->document))
        return result;
    pietra_scene *made = pietra_scene_create(), *const outer = walk->scene;
    pietra_scene **kept = made ? array_push(&build->scenes) : NULL;
    if (!kept) {
        pietra_scene_destroy(made);
        return PIETRA_ERROR_MEMORY;
    }
    *kept = *scene = made;
    const bool outer_is_aliased = walk->is_aliased;
    walk->scene = made;
    walk->is_aliased = false;
    pietra_scene_set_label(made, walk->label);
    result = draw_image(walk, node, content, walk->frames.items[build->frame].instance.transform, subregion);
    walk->scene = outer;
    walk->is_aliased = outer_is_aliased;
    return result;
}

pietra_result svg_filter_make_image(svg_filter_build *build, uint32_t node, const svg_rectangle *subregion,
                                    pietra_effect_step *step)
{
    svg_walk *walk = build->walk;
    pietra_scene *scene;
    if (svg_filter_image_target(walk->document, node) != SVG_NO_NODE) {
        scene = walk->filter_pictures.items[build->picture++].scene;
    } else {
        const pietra_result result = make_scene(build, node, subregion, &scene);
        if (result != PIETRA_OK)
            return result;
    }
    step->image.scene = scene;
    /* There is an inverse, since otherwise nothing of the element is drawn. */
    transform_invert(walk->frames.items[build->frame].instance.transform, &step->image.transform);
    return scene ? svg_walk_spend(walk, node, SVG_STEP_copy, pietra_scene_position(scene)) : PIETRA_OK;
}
