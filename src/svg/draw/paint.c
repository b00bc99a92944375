/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "svg/draw/paint.h"

#include "base/transform.h"
#include "svg/draw/gradient.h"
#include "svg/draw/text_layout.h"

static uint32_t server_of(const svg_walk *walk, const svg_style_paint *paint)
{
    return paint->form == SVG_PAINT_LINK ? walk->document->links.items[paint->link].node : SVG_NO_NODE;
}

bool svg_paint_takes_steps(const svg_walk *walk, const svg_style_paint *paint)
{
    if (paint->form == SVG_PAINT_CONTEXT_FILL || paint->form == SVG_PAINT_CONTEXT_STROKE)
        return true;
    uint32_t server = server_of(walk, paint);
    return server != SVG_NO_NODE && walk->document->nodes.items[server].element == SVG_PATTERN;
}

static void make_color(uint8_t form, pietra_color color, const svg_inherited *style, svg_source *source)
{
    source->painted = form == SVG_PAINT_COLOR || form == SVG_PAINT_CURRENT_COLOR;
    source->paint.kind = PIETRA_PAINT_SOLID;
    source->paint.color = svg_style_color(form, color, style);
}

/* Takes the paint of the element that shows this one, in that element's space. If there is no such element, there is no
 * paint. */
static void take_context(const svg_walk *walk, const svg_instance *instance, bool fill, svg_source *source)
{
    if (instance->context == 0)
        return;
    const svg_context *context = &walk->contexts.items[instance->context - 1];
    float transparency = source->paint.transparency;
    pietra_transform inverse;
    *source = fill ? context->fill : context->stroke;
    source->paint.transparency = transparency;
    if (source->paint.kind == PIETRA_PAINT_SOLID)
        return;
    if (transform_invert(instance->transform, &inverse))
        source->paint.transform =
            transform_multiply(transform_multiply(inverse, context->space), source->paint.transform);
    else
        source->painted = false;
}

static pietra_result take_server(svg_walk *walk, const svg_instance *instance, const svg_inherited *style,
                                 const svg_style_paint *paint, const svg_extent *extent, svg_source *source)
{
    pietra_result result = PIETRA_OK;
    uint32_t server = server_of(walk, paint);
    const svg_node *node = server == SVG_NO_NODE ? NULL : &walk->document->nodes.items[server];
    svg_gradient_state state = SVG_GRADIENT_FALLS_BACK;
    if (node && svg_is_gradient(node->element)) {
        state = svg_gradient_make(walk, server, instance, extent, &source->paint, &result);
    } else if (node && node->element == SVG_PATTERN && !(walk->flags[server] & SVG_NODE_REPEATING)) {
        source->pattern = server;
        source->extent = *extent;
        source->space = instance->transform;
        source->width = instance->width;
        source->height = instance->height;
        make_color(paint->fallback, paint->color, style, source);
        source->fallback = source->painted;
        source->fallback_color = source->paint.color;
        state = SVG_GRADIENT_PAINTS;
    }
    source->painted = state == SVG_GRADIENT_PAINTS;
    if (state == SVG_GRADIENT_FALLS_BACK)
        make_color(paint->fallback, paint->color, style, source);
    return result;
}

pietra_result svg_paint_resolve(svg_walk *walk, const svg_instance *instance, const svg_inherited *style,
                                const svg_style_paint *paint, double opacity, const svg_extent *extent,
                                svg_source *source)
{
    memset(&source->paint, 0, sizeof source->paint);
    source->painted = false;
    source->pattern = SVG_NO_NODE;
    source->paint.transparency = (float)(1 - opacity);
    if (paint->form == SVG_PAINT_NONE || opacity <= 0)
        return PIETRA_OK;
    if (paint->form == SVG_PAINT_COLOR || paint->form == SVG_PAINT_CURRENT_COLOR) {
        make_color(paint->form, paint->color, style, source);
        return PIETRA_OK;
    }
    if (paint->form != SVG_PAINT_LINK) {
        take_context(walk, instance, paint->form == SVG_PAINT_CONTEXT_FILL, source);
        return PIETRA_OK;
    }
    svg_extent own = {.some = false};
    if (!extent && instance->text)
        own = instance->text->extent; /* the box of the whole text (SVG 2, 11.9) */
    else if (!extent)
        own.some = svg_walk_bounds(walk, &own.box);
    return take_server(walk, instance, style, paint, extent ? extent : &own, source);
}

static pietra_result make_context(svg_walk *walk, const svg_instance *instance, const svg_inherited *style,
                                  const svg_extent *extent, uint32_t *number)
{
    svg_context context = {.space = instance->transform};
    pietra_result result = svg_paint_resolve(walk, instance, style, &style->fill, 1, extent, &context.fill);
    if (result == PIETRA_OK)
        result = svg_paint_resolve(walk, instance, style, &style->stroke, 1, extent, &context.stroke);
    if (result != PIETRA_OK)
        return result;
    svg_context *pushed = array_push(&walk->contexts);
    if (!pushed)
        return PIETRA_ERROR_MEMORY;
    *pushed = context;
    *number = (uint32_t)walk->contexts.count;
    return PIETRA_OK;
}

pietra_result svg_context_begin(svg_walk *walk, uint32_t index)
{
    svg_walk_frame *frame = &walk->frames.items[index];
    return make_context(walk, &frame->instance, &walk->styles.items[frame->style], &frame->extent,
                        &frame->instance.context);
}

pietra_result svg_context_of_shape(svg_walk *walk, const svg_instance *instance, const svg_inherited *style,
                                   uint32_t *context)
{
    return make_context(walk, instance, style, NULL, context);
}
