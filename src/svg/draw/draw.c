/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "svg/draw/draw.h"

#include <math.h>

#include "base/transform.h"
#include "scene/build/scene.h"
#include "svg/draw/paint.h"
#include "svg/draw/path_length.h"
#include "svg/draw/visit.h"

typedef struct svg_drawing {
    svg_walk *walk;
    const svg_instance *instance;
    const svg_inherited *style;
    svg_source fill, stroke;
    pietra_stroke outline;
} svg_drawing;

/* Stretches dashes to an infinite length, except those of length 0. The first of another length then ends the pattern:
 * as a line without end or as a gap without end. */
static void stretch_dashes(pietra_stroke *outline, double *dashes, size_t count, double length)
{
    size_t first = 0;
    while (first < count && !(dashes[first] > 0))
        first++;
    outline->dash_offset = 0;
    outline->dash_count = first < count && first % 2 == 1 ? 2 : 0;
    if (outline->dash_count) {
        dashes[0] = 0;
        dashes[1] = length + 1;
    }
}

static pietra_result collect_dashes(svg_walk *walk, const svg_instance *instance, const svg_inherited *style,
                                    pietra_stroke *outline)
{
    svg_metrics metrics = svg_walk_metrics(walk, style->stroke_dasharray.font_size, instance->width, instance->height);
    pietra_result result = svg_walk_spend(walk, instance->node, SVG_STEP_entry, style->stroke_dasharray.count);
    if (result != PIETRA_OK)
        return result;
    walk->dashes.count = 0;
    if (!array_reserve(&walk->dashes, style->stroke_dasharray.count))
        return PIETRA_ERROR_MEMORY;
    for (uint32_t i = 0; i < style->stroke_dasharray.count; i++)
        walk->dashes.items[i] = svg_length_resolve(walk->document->lengths.items[style->stroke_dasharray.begin + i],
                                                   SVG_AXIS_DIAGONAL, &metrics);
    const pietra_transform space =
        instance->noninherited.vector_effect == SVG_EFFECT_FIXED_STROKE ? instance->transform : TRANSFORM_IDENTITY;
    bool measured = !instance->text && style->stroke_dasharray.count &&
                    svg_attribute_find(walk->document, instance->node, SVG_PATH_LENGTH);
    if (measured)
        result = svg_walk_spend_length(walk, instance->node);
    if (result != PIETRA_OK)
        return result;
    double scale = style->stroke_dasharray.count && !instance->text
                       ? svg_path_length_scale(walk->document, instance->node, &metrics, &space)
                       : 1;
    walk->dashes.count = style->stroke_dasharray.count;
    outline->dashes = walk->dashes.items;
    outline->dash_count = walk->dashes.count;
    if (isinf(scale)) {
        stretch_dashes(outline, walk->dashes.items, walk->dashes.count,
                       svg_path_length(walk->document, instance->node, &metrics, &space));
        return PIETRA_OK;
    }
    for (uint32_t i = 0; i < style->stroke_dasharray.count; i++)
        walk->dashes.items[i] *= scale;
    outline->dash_offset *= scale;
    return PIETRA_OK;
}

pietra_result svg_stroke_resolve(svg_walk *walk, const svg_instance *instance, const svg_inherited *style,
                                 pietra_stroke *outline, bool *some)
{
    svg_metrics metrics = svg_walk_metrics(walk, style->font_size, instance->width, instance->height);
    *outline = (pietra_stroke){
        .width = svg_length_resolve(style->stroke_width, SVG_AXIS_DIAGONAL, &metrics),
        .cap = (pietra_cap)style->stroke_linecap,
        .join = (pietra_join)style->stroke_linejoin,
        .miter_limit = style->stroke_miterlimit,
        .dash_offset = svg_length_resolve(style->stroke_dashoffset, SVG_AXIS_DIAGONAL, &metrics),
    };
    *some = outline->width > 0 && isfinite(outline->width) && isfinite(outline->dash_offset);
    return *some ? collect_dashes(walk, instance, style, outline) : PIETRA_OK;
}

static pietra_result prepare_stroke(svg_drawing *drawing)
{
    const svg_inherited *style = drawing->style;
    bool some;
    if (style->stroke.form == SVG_PAINT_NONE)
        return PIETRA_OK;
    pietra_result result = svg_stroke_resolve(drawing->walk, drawing->instance, style, &drawing->outline, &some);
    if (result != PIETRA_OK || !some)
        return result;
    return svg_paint_resolve(drawing->walk, drawing->instance, style, &style->stroke, style->stroke_opacity, NULL,
                             &drawing->stroke);
}

/* A line has no inside, so it needs no fill. */
static pietra_result prepare_fill(svg_drawing *drawing)
{
    const svg_walk *walk = drawing->walk;
    if (walk->document->nodes.items[drawing->instance->node].element == SVG_LINE)
        return PIETRA_OK;
    return svg_paint_resolve(drawing->walk, drawing->instance, drawing->style, &drawing->style->fill,
                             drawing->style->fill_opacity, NULL, &drawing->fill);
}

bool svg_edges_are_aliased(const svg_instance *instance, const svg_inherited *style)
{
    return instance->text ? style->text_rendering == SVG_NONE : style->shape_rendering == SVG_EDGES_ALIASED;
}

pietra_fill_rule svg_fill_rule_of(const svg_instance *instance, const svg_inherited *style)
{
    return instance->text ? PIETRA_FILL_NONZERO : (pietra_fill_rule)style->fill_rule;
}

pietra_result svg_draw_fill(svg_walk *walk, const svg_instance *instance, const svg_inherited *style,
                            const pietra_paint *paint)
{
    svg_walk_set_edges(walk, svg_edges_are_aliased(instance, style));
    return pietra_scene_fill(walk->scene, walk->path, &instance->transform, svg_fill_rule_of(instance, style), paint,
                             walk->error);
}

/* Draws a stroke of vector-effect: non-scaling-stroke (SVG 2, 8.13.2). The outline is computed in the scene's space,
 * where a unit is a CSS pixel. */
static pietra_result draw_fixed_stroke(svg_walk *walk, const svg_instance *instance, const svg_inherited *style,
                                       const pietra_stroke *outline, const pietra_paint *paint)
{
    pietra_paint moved = *paint;
    if (!svg_visit_build_shape(walk, instance, style, &instance->transform))
        return PIETRA_OK;
    moved.transform = transform_multiply(instance->transform, transform_of_field(paint->transform));
    return pietra_scene_stroke(walk->scene, walk->path, NULL, outline, &moved, walk->error);
}

pietra_result svg_draw_stroke(svg_walk *walk, const svg_instance *instance, const svg_inherited *style,
                              const pietra_stroke *outline, const pietra_paint *paint)
{
    svg_walk_set_edges(walk, svg_edges_are_aliased(instance, style));
    bool copied = instance->noninherited.vector_effect == SVG_EFFECT_FIXED_STROKE;
    uint64_t per_segment =
        (copied ? SVG_STEP_copied_segment : 0u) + (outline->join == PIETRA_JOIN_ARCS ? SVG_STEP_corner : 0u);
    pietra_result result = svg_walk_spend(walk, instance->node, per_segment, svg_walk_segments(walk, instance->node));
    if (result != PIETRA_OK)
        return result;
    if (copied)
        return draw_fixed_stroke(walk, instance, style, outline, paint);
    return pietra_scene_stroke(walk->scene, walk->path, &instance->transform, outline, paint, walk->error);
}

static pietra_result draw_fill(const svg_drawing *drawing)
{
    return svg_draw_fill(drawing->walk, drawing->instance, drawing->style, &drawing->fill.paint);
}

static pietra_result draw_stroke(const svg_drawing *drawing)
{
    return svg_draw_stroke(drawing->walk, drawing->instance, drawing->style, &drawing->outline, &drawing->stroke.paint);
}

static bool strokes_first(unsigned order)
{
    unsigned first = order & 3, second = order >> 2 & 3;
    return first == SVG_PAINT_STEP_STROKE || (first == SVG_PAINT_STEP_MARKERS && second == SVG_PAINT_STEP_STROKE);
}

static pietra_result draw_both(const svg_drawing *drawing)
{
    bool stroke_first = strokes_first(drawing->style->paint_order);
    pietra_result result = stroke_first ? draw_stroke(drawing) : draw_fill(drawing);
    if (result != PIETRA_OK || !stroke_first)
        return result == PIETRA_OK ? draw_stroke(drawing) : result;
    if (drawing->instance->noninherited.vector_effect == SVG_EFFECT_FIXED_STROKE)
        svg_visit_build_shape(drawing->walk, drawing->instance, drawing->style, NULL);
    return draw_fill(drawing);
}

static pietra_result draw_group(const svg_drawing *drawing, double opacity)
{
    const svg_walk *walk = drawing->walk;
    pietra_result result = pietra_scene_begin_group(walk->scene, (float)opacity, walk->error);
    if (result == PIETRA_OK)
        result = draw_both(drawing);
    return result == PIETRA_OK ? pietra_scene_end_group(walk->scene, walk->error) : result;
}

pietra_result svg_draw_shape(svg_walk *walk, const svg_instance *instance, const svg_inherited *style)
{
    svg_drawing drawing;
    drawing.walk = walk;
    drawing.instance = instance;
    drawing.style = style;
    drawing.fill.painted = drawing.stroke.painted = false;
    pietra_result result = prepare_fill(&drawing);
    if (result == PIETRA_OK)
        result = prepare_stroke(&drawing);
    if (result != PIETRA_OK)
        return result;
    result = scene_take_large_path(walk->scene, walk->path, walk->error);
    if (result != PIETRA_OK)
        return svg_walk_check(walk, instance->node, result);
    bool both = drawing.fill.painted && drawing.stroke.painted;
    if (!both) {
        drawing.fill.paint.transparency = (float)(1 - style->fill_opacity * instance->opacity);
        drawing.stroke.paint.transparency = (float)(1 - style->stroke_opacity * instance->opacity);
    }
    if (both && instance->opacity < 1)
        result = draw_group(&drawing, instance->opacity);
    else if (both)
        result = draw_both(&drawing);
    else if (drawing.fill.painted)
        result = draw_fill(&drawing);
    else if (drawing.stroke.painted)
        result = draw_stroke(&drawing);
    return svg_walk_check(walk, instance->node, result);
}
