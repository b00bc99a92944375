#include "svg/draw.h"

#include <math.h>

#include "svg/gradient.h"

typedef struct svg_drawing {
    svg_walk *walk;
    const svg_instance *instance;
    const svg_inherited *style;
    bool filled, stroked;
    pietra_paint fill, stroke;
    pietra_stroke outline;
} svg_drawing;

static pietra_result collect_dashes(svg_drawing *drawing)
{
    svg_walk *walk = drawing->walk;
    const svg_inherited *style = drawing->style;
    svg_metrics metrics = svg_walk_metrics(walk, style->dash_font_size, drawing->instance->width, drawing->instance->height);
    walk->dashes.count = 0;
    if (!array_reserve(&walk->dashes, style->dash_count))
        return PIETRA_ERROR_MEMORY;
    for (uint32_t i = 0; i < style->dash_count; i++)
        walk->dashes.items[i] = svg_length_resolve(walk->document->lengths.items[style->dash_begin + i], SVG_AXIS_DIAGONAL, &metrics);
    walk->dashes.count = style->dash_count;
    drawing->outline.dashes = walk->dashes.items;
    drawing->outline.dash_count = walk->dashes.count;
    return PIETRA_OK;
}

static pietra_result prepare_stroke(svg_drawing *drawing)
{
    svg_walk *walk = drawing->walk;
    const svg_inherited *style = drawing->style;
    if (style->stroke.form == SVG_PAINT_NONE)
        return PIETRA_OK;
    svg_metrics metrics = svg_walk_metrics(walk, style->font_size, drawing->instance->width, drawing->instance->height);
    drawing->outline = (pietra_stroke){
        .width = svg_length_resolve(style->stroke_width, SVG_AXIS_DIAGONAL, &metrics),
        .cap = (pietra_cap)style->cap,
        .join = (pietra_join)style->join,
        .miter_limit = style->miter_limit,
        .dash_offset = svg_length_resolve(style->dash_offset, SVG_AXIS_DIAGONAL, &metrics),
    };
    if (!(drawing->outline.width > 0) || !isfinite(drawing->outline.width) || !isfinite(drawing->outline.dash_offset))
        return PIETRA_OK;
    pietra_result result = svg_paint_resolve(walk, drawing->instance, style, &style->stroke, style->stroke_opacity, &drawing->stroke,
                                             &drawing->stroked);
    return result == PIETRA_OK && drawing->stroked ? collect_dashes(drawing) : result;
}

/* A line has no inside: its fill would cover nothing. */
static pietra_result prepare_fill(svg_drawing *drawing)
{
    const svg_walk *walk = drawing->walk;
    if (walk->document->nodes.items[drawing->instance->node].element == SVG_LINE)
        return PIETRA_OK;
    return svg_paint_resolve(drawing->walk, drawing->instance, drawing->style, &drawing->style->fill, drawing->style->fill_opacity,
                             &drawing->fill, &drawing->filled);
}

static pietra_result draw_fill(const svg_drawing *drawing)
{
    const svg_walk *walk = drawing->walk;
    return pietra_scene_fill(walk->scene, walk->path, &drawing->instance->transform, (pietra_fill_rule)drawing->style->fill_rule, &drawing->fill,
                             walk->error);
}

static pietra_result draw_stroke(const svg_drawing *drawing)
{
    const svg_walk *walk = drawing->walk;
    return pietra_scene_stroke(walk->scene, walk->path, &drawing->instance->transform, &drawing->outline, &drawing->stroke, walk->error);
}

static pietra_result draw_both(const svg_drawing *drawing)
{
    bool stroke_first = drawing->style->order == SVG_ORDER_STROKE_FIRST;
    pietra_result result = stroke_first ? draw_stroke(drawing) : draw_fill(drawing);
    if (result != PIETRA_OK)
        return result;
    return stroke_first ? draw_fill(drawing) : draw_stroke(drawing);
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
    svg_drawing drawing = { .walk = walk, .instance = instance, .style = style };
    pietra_result result = prepare_fill(&drawing);
    if (result == PIETRA_OK)
        result = prepare_stroke(&drawing);
    if (result != PIETRA_OK)
        return result;
    bool both = drawing.filled && drawing.stroked;
    if (!both) {
        drawing.fill.opacity_loss = (float)(1 - style->fill_opacity * instance->opacity);
        drawing.stroke.opacity_loss = (float)(1 - style->stroke_opacity * instance->opacity);
    }
    if (both && instance->opacity < 1)
        result = draw_group(&drawing, instance->opacity);
    else if (both)
        result = draw_both(&drawing);
    else if (drawing.filled)
        result = draw_fill(&drawing);
    else if (drawing.stroked)
        result = draw_stroke(&drawing);
    return svg_walk_check(walk, instance->node, result);
}
