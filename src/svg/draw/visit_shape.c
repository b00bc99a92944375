/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Visits what is drawn by itself: shapes, images, and pieces of text. */
#include "svg/draw/boxes.h"
#include "svg/draw/clip.h"
#include "svg/draw/draw.h"
#include "svg/draw/filter.h"
#include "svg/draw/image_element.h"
#include "svg/draw/mask.h"
#include "svg/draw/paint_order.h"
#include "svg/draw/shape.h"
#include "svg/draw/text_element.h"
#include "svg/draw/visit.h"

static bool is_image(const svg_walk *walk, uint32_t node)
{
    return walk->document->nodes.items[node].element == SVG_IMAGE;
}

/* Draws the shape in walk->path, or fills it into a clip's source. */
static pietra_result paint_shape(svg_walk *walk, const svg_instance *instance, const svg_inherited *style)
{
    if (is_image(walk, instance->node))
        return svg_image_element_draw(walk, instance, style);
    if (instance->mode == SVG_MODE_DRAW)
        return svg_draw_shape(walk, instance, style);
    svg_walk_set_edges(walk, false);
    pietra_paint paint = {.color = {0, 0, 0, 1}};
    return svg_walk_check(walk, instance->node,
                          pietra_scene_fill(walk->scene, walk->path, &instance->transform,
                                            instance->text ? PIETRA_FILL_NONZERO : (pietra_fill_rule)style->clip_rule,
                                            &paint, walk->error));
}

bool svg_visit_build_shape(svg_walk *walk, const svg_instance *instance, const svg_inherited *style,
                           const pietra_transform *transform)
{
    if (instance->text)
        return svg_text_build_piece(walk, instance->text, instance->piece, transform);
    if (is_image(walk, instance->node))
        return svg_image_element_build(walk, instance, style, transform);
    svg_metrics metrics = svg_walk_metrics(walk, style->font_size, instance->width, instance->height);
    return svg_shape_build(walk->document, instance->node, &metrics, transform, walk->path);
}

void svg_visit_stroke_box(svg_walk *walk, const svg_instance *instance, const svg_inherited *style,
                          const pietra_transform *transform, pietra_box *box)
{
    const pietra_paint black = {.color = {0, 0, 0, 1}};
    pietra_stroke outline;
    pietra_box around;
    bool some = false;
    if (is_image(walk, instance->node) || style->stroke.form == SVG_PAINT_NONE ||
        svg_stroke_resolve(walk, instance, style, &outline, &some) != PIETRA_OK || !some ||
        !svg_visit_build_shape(walk, instance, style, NULL))
        return;
    outline.dash_count = 0;
    pietra_scene *scene = pietra_scene_create();
    pietra_result result =
        scene ? pietra_scene_stroke(scene, walk->path, transform, &outline, &black, NULL) : PIETRA_ERROR_MEMORY;
    if (result == PIETRA_ERROR_MEMORY)
        svg_budget_lack_memory(walk->document->budget);
    if (result == PIETRA_OK && pietra_scene_bounds(scene, &around))
        *box = around;
    pietra_scene_destroy(scene);
}

void svg_visit_shape_extent(svg_walk *walk, uint32_t frame_index)
{
    svg_walk_frame *frame = &walk->frames.items[frame_index];
    bool built = svg_visit_build_shape(walk, &frame->instance, &walk->styles.items[frame->style], NULL);
    frame->extent.some = built && svg_walk_bounds(walk, &frame->extent.box);
    frame->extent.stroke = frame->extent.box;
    if (frame->extent.some && walk->document->stroke_boxes)
        svg_visit_stroke_box(walk, &frame->instance, &walk->styles.items[frame->style], NULL, &frame->extent.stroke);
    frame->extent_known = true;
}

/* A shape that is more than a fill and a stroke is drawn in steps. */
static pietra_result push_shape(svg_walk *walk, const svg_instance *instance, const svg_inherited *style)
{
    svg_walk_frame frame = {.instance = *instance, .kind = SVG_WALK_FRAME_SHAPE};
    pietra_result result = svg_walk_open(walk, &frame);
    bool image = is_image(walk, instance->node);
    frame.shape.whole = image || !svg_paint_order_is_needed(walk, instance, style);
    if (frame.shape.whole && !frame.shape.effects.group_outside && !image && !frame.shape.effects.filtered)
        frame.shape.effects.group = false; /* svg_draw_shape applies its opacity */
    return result == PIETRA_OK ? svg_walk_push(walk, &frame, style) : result;
}

pietra_result svg_visit_whole_shape(svg_walk *walk, uint32_t index)
{
    const svg_walk_frame *frame = &walk->frames.items[index];
    svg_instance instance = frame->instance;
    svg_inherited style = walk->styles.items[frame->style];
    if (frame->shape.effects.group)
        instance.opacity = 1;
    return svg_visit_build_shape(walk, &instance, &style, NULL) ? paint_shape(walk, &instance, &style) : PIETRA_OK;
}

pietra_result svg_visit_piece(svg_walk *walk, const svg_instance *instance, const svg_inherited *style)
{
    const bool drawn = instance->mode == SVG_MODE_DRAW;
    if (drawn && style->fill.form == SVG_PAINT_NONE && style->stroke.form == SVG_PAINT_NONE)
        return PIETRA_OK;
    if (drawn && svg_paint_order_is_needed(walk, instance, style))
        return push_shape(walk, instance, style);
    return svg_visit_build_shape(walk, instance, style, NULL) ? paint_shape(walk, instance, style) : PIETRA_OK;
}

pietra_result svg_visit_shape(svg_walk *walk, uint32_t gatherer, const svg_instance *instance,
                              const svg_inherited *style)
{
    if (instance->mode == SVG_MODE_BOX) {
        pietra_box box;
        if (svg_visit_build_shape(walk, instance, style, &instance->transform) && svg_walk_bounds(walk, &box)) {
            pietra_box stroke = box;
            if (walk->document->stroke_boxes)
                svg_visit_stroke_box(walk, instance, style, &instance->transform, &stroke);
            svg_extent_join(&walk->frames.items[gatherer].extent, box, stroke);
        }
        return PIETRA_OK;
    }
    bool image = is_image(walk, instance->node);
    bool stepwise = image ? instance->opacity < 1
                          : instance->mode == SVG_MODE_DRAW && svg_paint_order_is_needed(walk, instance, style);
    bool filtered = instance->mode == SVG_MODE_DRAW && svg_filter_occurs(walk, &instance->noninherited);
    bool painted = stepwise || image || filtered || instance->mode == SVG_MODE_CLIP ||
                   style->fill.form != SVG_PAINT_NONE || style->stroke.form != SVG_PAINT_NONE;
    if (style->visibility != SVG_VISIBLE || !painted || !svg_visit_build_shape(walk, instance, style, NULL))
        return PIETRA_OK;
    bool clipped = svg_clip_target(walk, instance->node, &instance->noninherited) != SVG_NO_NODE ||
                   instance->noninherited.clip_path.kind == SVG_REFERENCE_SHAPE;
    bool grouped = instance->mode == SVG_MODE_DRAW && (svg_walk_isolates(walk, &instance->noninherited, clipped) ||
                                                       svg_mask_occurs(walk, &instance->noninherited));
    walk->segments += svg_walk_segments(walk, instance->node);
    if (stepwise || clipped || grouped || filtered)
        return push_shape(walk, instance, style);
    return paint_shape(walk, instance, style);
}
