/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "svg/draw/paint_order.h"

#include "svg/draw/boxes.h"
#include "svg/draw/draw.h"
#include "svg/draw/marker.h"
#include "svg/draw/paint.h"
#include "svg/draw/pattern.h"
#include "svg/draw/shape.h"
#include "svg/draw/cell.h"
#include "svg/draw/visit.h"

bool svg_paint_order_is_needed(const svg_walk *walk, const svg_instance *instance, const svg_inherited *style)
{
    return (!instance->text && svg_marker_occurs(walk, style)) || svg_paint_takes_steps(walk, &style->fill) ||
           svg_paint_takes_steps(walk, &style->stroke);
}

/* A pattern's cells count as the shape that they fill. The shape's outline, if it has one, was added from position
 * `from` on. */
static void count_cells(svg_walk *walk, const svg_instance *instance, const svg_inherited *style, bool filled,
                        size_t from)
{
    pietra_box box;
    bool some;
    if (!walk->boxes)
        return;
    if (filled)
        some = svg_visit_build_shape(walk, instance, style, &instance->transform) && svg_walk_bounds(walk, &box);
    else
        some = pietra_scene_bounds_between(walk->scene, from, pietra_scene_position(walk->scene), &box);
    svg_boxes_show(walk, some ? &box : NULL);
}

/* If outline is NULL, this draws a fill. */
static pietra_result draw_paint(svg_walk *walk, const svg_instance *instance, const svg_inherited *style,
                                const pietra_stroke *outline, const pietra_paint *paint)
{
    return outline ? svg_draw_stroke(walk, instance, style, outline, paint)
                   : svg_draw_fill(walk, instance, style, paint);
}

/* Begins a group and a clip around the cells. */
static pietra_result begin_cells(svg_walk *walk, const svg_instance *instance, const svg_inherited *style,
                                 const pietra_stroke *outline, float opacity)
{
    svg_boxes_hide(walk);
    pietra_result result = pietra_scene_begin_group(walk->scene, opacity, walk->error);
    svg_walk_set_edges(walk, svg_edges_are_aliased(instance, style));
    if (result == PIETRA_OK && !outline) {
        result = pietra_scene_begin_clip(walk->scene, walk->path, &instance->transform,
                                         svg_fill_rule_of(instance, style), walk->error);
        count_cells(walk, instance, style, true, 0);
        return result;
    }
    if (result == PIETRA_OK)
        result = pietra_scene_begin_clip_source(walk->scene, walk->error);
    const pietra_paint black = {.color = {0, 0, 0, 1}};
    size_t from = pietra_scene_position(walk->scene);
    if (result == PIETRA_OK)
        result = svg_draw_stroke(walk, instance, style, outline, &black);
    count_cells(walk, instance, style, false, from);
    return result == PIETRA_OK ? pietra_scene_end_clip_source(walk->scene, walk->error) : result;
}

static pietra_result draw_cells(svg_walk *walk, const svg_instance *instance, const svg_inherited *style,
                                const pietra_stroke *outline, const svg_source *source, const svg_cell_grid *grid,
                                svg_cell_drawing *drawing)
{
    svg_cell_range range;
    pietra_paint paint;
    if (!svg_cell_find_range(drawing, grid, &range))
        return PIETRA_OK;
    if (!svg_cell_range_is_exact(walk, drawing, grid, &range)) {
        pietra_result result = svg_cell_make_paint(walk, drawing, grid, instance->transform, &paint);
        paint.transparency = source->paint.transparency;
        return result == PIETRA_OK && drawing->image ? draw_paint(walk, instance, style, outline, &paint) : result;
    }
    pietra_result result = begin_cells(walk, instance, style, outline, 1 - source->paint.transparency);
    if (result == PIETRA_OK)
        result = svg_cell_draw_range(walk, drawing, grid, &range);
    svg_boxes_show(walk, NULL);
    if (result == PIETRA_OK)
        result = pietra_scene_end_clip(walk->scene, walk->error);
    return result == PIETRA_OK ? pietra_scene_end_group(walk->scene, walk->error) : result;
}

static pietra_result draw_source(svg_walk *walk, uint32_t index, const svg_inherited *style,
                                 const pietra_stroke *outline, const svg_source *source)
{
    svg_walk_frame *frame = &walk->frames.items[index];
    const svg_instance *instance = &frame->instance;
    if (!source->painted)
        return PIETRA_OK;
    if (source->pattern == SVG_NO_NODE)
        return draw_paint(walk, instance, style, outline, &source->paint);
    svg_cell_grid grid;
    svg_pattern_state state;
    pietra_result result = svg_pattern_resolve(walk, instance, source, outline, &grid, &state);
    if (result == PIETRA_OK && state == SVG_PATTERN_FALLS_BACK && source->fallback) {
        const pietra_paint paint = {.color = source->fallback_color, .transparency = source->paint.transparency};
        return draw_paint(walk, instance, style, outline, &paint);
    }
    if (result != PIETRA_OK || state != SVG_PATTERN_PAINTS)
        return result;
    svg_cell_drawing *drawing = svg_cell_find(walk, &grid);
    walk->shows |= SVG_CELL_SCALED | (drawing ? drawing->shows : 0);
    if (drawing && drawing->outer)
        return PIETRA_OK; /* a pattern within itself is not drawn */
    if (drawing)
        return draw_cells(walk, instance, style, outline, source, &grid, drawing);
    frame->shape.step--; /* this step is repeated when the cell has been drawn */
    return svg_cell_begin(walk, &grid);
}

static pietra_result begin_step(svg_walk *walk, uint32_t index, unsigned step)
{
    svg_instance instance = walk->frames.items[index].instance;
    svg_inherited style = walk->styles.items[walk->frames.items[index].style];
    svg_source source = {.painted = false};
    pietra_stroke outline;
    bool some;
    pietra_result result = PIETRA_OK;
    result = svg_walk_meet(walk, instance.node, 1);
    if (result == PIETRA_OK)
        result = svg_walk_spend_path(walk, instance.node);
    if (result != PIETRA_OK || !svg_visit_build_shape(walk, &instance, &style, NULL))
        return result;
    switch (step) {
    case SVG_PAINT_STEP_FILL:
        if (walk->document->nodes.items[instance.node].element != SVG_LINE)
            result = svg_paint_resolve(walk, &instance, &style, &style.fill, style.fill_opacity, NULL, &source);
        return result == PIETRA_OK ? draw_source(walk, index, &style, NULL, &source) : result;
    case SVG_PAINT_STEP_STROKE:
        result = svg_stroke_resolve(walk, &instance, &style, &outline, &some);
        if (result != PIETRA_OK || !some)
            return result;
        result = svg_paint_resolve(walk, &instance, &style, &style.stroke, style.stroke_opacity, NULL, &source);
        return result == PIETRA_OK ? draw_source(walk, index, &style, &outline, &source) : result;
    default:
        return instance.text ? PIETRA_OK : svg_marker_begin(walk, index);
    }
}

pietra_result svg_paint_order_step(svg_walk *walk, uint32_t index, bool *done)
{
    svg_walk_frame *frame = &walk->frames.items[index];
    svg_shape_frame *shape = &frame->shape;
    uint32_t node = frame->instance.node;
    *done = false;
    if (shape->markers.next < shape->markers.end)
        return svg_marker_push(walk, index);
    if (shape->markers.end) {
        walk->marker_positions.count = shape->markers.begin;
        shape->markers.end = shape->markers.next = 0;
    }
    *done = shape->step >= SVG_PAINT_STEP_COUNT;
    if (*done)
        return PIETRA_OK;
    if (shape->whole || frame->instance.mode == SVG_MODE_CLIP) {
        shape->step = SVG_PAINT_STEP_COUNT;
        return svg_visit_whole_shape(walk, index);
    }
    unsigned order = walk->styles.items[frame->style].paint_order;
    unsigned step = order >> (2 * shape->step++) & 3;
    return svg_walk_check(walk, node, begin_step(walk, index, step));
}
