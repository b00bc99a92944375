/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "svg/draw/mask.h"

#include <math.h>
#include <stdlib.h>

#include "base/transform.h"
#include "svg/draw/origins.h"
#include "svg/style/css_gradient.h"

static uint32_t composite_of(const svg_noninherited *noninherited)
{
    return noninherited->mask_composite != SVG_COMPOSITE_UNSAID ? noninherited->mask_composite
                                                                : noninherited->mask.layers & 0xff;
}

static uint32_t layer_count(const svg_noninherited *noninherited)
{
    if (noninherited->mask.kind != SVG_REFERENCE_LAYERS)
        return noninherited->mask.kind == SVG_REFERENCE_LINK;
    return composite_of(noninherited) == SVG_COMPOSITE_SEVERAL_WAYS ? 1 : noninherited->mask.layers >> 8;
}

static bool layers_are_joined(const svg_noninherited *noninherited)
{
    return layer_count(noninherited) > 1 && composite_of(noninherited) == SVG_COMPOSITE_ADD;
}

/* A layer that shows: a mask, or else a gradient. */
typedef struct layer_source {
    uint32_t node;     /* SVG_NO_NODE: it is no mask */
    uint32_t gradient; /* index of its text, counted from 1; 0: it is none */
    uint32_t mode;     /* SVG_MASK_... */
} layer_source;

static layer_source find_layer(const svg_walk *walk, const svg_noninherited *noninherited, uint32_t layer)
{
    const svg_document *document = walk->document;
    bool several = noninherited->mask.kind == SVG_REFERENCE_LAYERS;
    const svg_mask_layer found = several
                                     ? document->mask_layers.items[noninherited->mask.link + layer]
                                     : (svg_mask_layer){noninherited->mask.link, 0, (uint8_t)noninherited->mask.layers};
    layer_source source = {SVG_NO_NODE, found.gradient, found.mode};
    if (noninherited->mask_mode.count)
        source.mode = noninherited->mask_mode.modes >> 2 * (layer % noninherited->mask_mode.count) & 3u;
    if (found.gradient)
        return source;
    uint32_t node = document->links.items[found.link].node;
    if (node != SVG_NO_NODE && document->nodes.items[node].element == SVG_MASK &&
        !(walk->flags[node] & SVG_NODE_MASKING))
        source.node = node;
    return source;
}

static bool shows(const layer_source *source)
{
    return source->node != SVG_NO_NODE || source->gradient != 0;
}

bool svg_mask_occurs(const svg_walk *walk, const svg_noninherited *noninherited)
{
    for (uint32_t i = 0; i < layer_count(noninherited); i++) {
        const layer_source source = find_layer(walk, noninherited, i);
        if (shows(&source))
            return true;
    }
    return false;
}

/* In units of the box, a percentage is in hundredths and a number counts as it is. */
static double length_of(const svg_walk *walk, uint32_t mask, svg_name name, svg_axis axis, bool box_units,
                        double standard, const svg_metrics *metrics)
{
    svg_length length = {standard, SVG_UNIT_PERCENT};
    svg_attribute_length(walk->document, mask, name, &length);
    return box_units ? svg_length_resolve_fraction(length, axis, metrics) : svg_length_resolve(length, axis, metrics);
}

static svg_rectangle find_region(const svg_walk *walk, uint32_t mask, const svg_metrics *metrics, bool box_units,
                                 const pietra_box *box)
{
    svg_rectangle region = {
        length_of(walk, mask, SVG_X, SVG_AXIS_X, box_units, -10, metrics),
        length_of(walk, mask, SVG_Y, SVG_AXIS_Y, box_units, -10, metrics),
        length_of(walk, mask, SVG_WIDTH, SVG_AXIS_X, box_units, 120, metrics),
        length_of(walk, mask, SVG_HEIGHT, SVG_AXIS_Y, box_units, 120, metrics),
    };
    if (!box_units)
        return region;
    double width = box->x1 - box->x0, height = box->y1 - box->y0;
    return (svg_rectangle){box->x0 + region.x * width, box->y0 + region.y * height, region.width * width,
                           region.height * height};
}

static bool says(const svg_walk *walk, uint32_t mask, svg_name name, text value)
{
    return text_equal(text_trim(svg_attribute_text(walk->document, mask, name)), value);
}

/* Places the mask's area. False: nothing can be seen through it. */
static bool place_source(const svg_walk *walk, uint32_t mask, const svg_style_in_place *placed,
                         const svg_walk_frame *owner, svg_walk_frame *frame)
{
    svg_metrics metrics =
        svg_walk_metrics(walk, placed->inherited.font_size, owner->instance.width, owner->instance.height);
    bool box_units = !says(walk, mask, SVG_MASK_UNITS, TEXT("userSpaceOnUse"));
    bool box_content = says(walk, mask, SVG_MASK_CONTENT_UNITS, TEXT("objectBoundingBox"));
    pietra_box box = owner->extent.box;
    bool area = owner->extent.some && box.x1 > box.x0 && box.y1 > box.y0;
    if ((box_units || box_content) && !area)
        return false;
    frame->mask.effects.viewport = find_region(walk, mask, &metrics, box_units, &box);
    frame->mask.effects.viewport_clip = true;
    frame->mask.children.local =
        box_content ? (pietra_transform){box.x1 - box.x0, 0, 0, box.y1 - box.y0, box.x0, box.y0} : TRANSFORM_IDENTITY;
    const svg_rectangle *region = &frame->mask.effects.viewport;
    return region->width > 0 && region->height > 0 && isfinite(region->x + region->y + region->width + region->height);
}

/* Begins the source of a mask of the walk frame at this index, and pushes the walk frame of its content. If *begun is
 * false, the mask has no area. */
static pietra_result begin_layer(svg_walk *walk, uint32_t index, uint32_t mask, uint32_t mode, bool *begun)
{
    const svg_walk_frame *owner = &walk->frames.items[index];
    const svg_style_in_place *placed = svg_walk_style_in_place(walk, mask);
    if (!placed)
        return PIETRA_ERROR_MEMORY;
    svg_walk_frame frame = {
        .instance = owner->instance,
        .kind = SVG_WALK_FRAME_MASK_SOURCE,
        .extent_known = true,
        .extent = owner->extent,
        .mask.children =
            {
                .next = mask + 1,
                .end = walk->document->nodes.items[mask].end,
                .shown_by = SVG_NO_NODE,
                .width = owner->instance.width,
                .height = owner->instance.height,
                .handed_opacity = 1,
            },
    };
    frame.instance.node = mask;
    frame.instance.mode = SVG_MODE_DRAW;
    frame.instance.opacity = 1;
    frame.instance.noninherited = placed->noninherited;
    svg_clear_group(&frame.instance.noninherited); /* a mask has neither opacity nor blending */
    *begun = place_source(walk, mask, placed, owner, &frame);
    if (!*begun)
        return PIETRA_OK;
    walk->flags[mask] |= SVG_NODE_MASKING;
    bool linear = placed->inherited.color_interpolation == SVG_INTERPOLATE_LINEAR;
    mode = mode == SVG_MASK_AS_SOURCE ? placed->noninherited.mask_type : mode;
    pietra_mask_kind kind = mode == SVG_MASK_ALPHA ? PIETRA_MASK_ALPHA
                            : linear               ? PIETRA_MASK_LUMINANCE_LINEAR
                                                   : PIETRA_MASK_LUMINANCE;
    pietra_result result = svg_walk_open(walk, &frame);
    svg_origin_of_referred(walk, mask);
    if (result == PIETRA_OK)
        result = svg_walk_check(walk, mask, pietra_scene_begin_mask_source(walk->scene, kind, walk->error));
    if (result == PIETRA_OK)
        result = svg_walk_meet(walk, mask, 1);
    return result == PIETRA_OK ? svg_walk_push(walk, &frame, &placed->inherited) : result;
}

/* Fills a box with a gradient. */
static pietra_result fill_gradient(svg_walk *walk, const svg_walk_frame *owner, text value, const svg_rectangle *area)
{
    const svg_inherited *style = &walk->styles.items[owner->style];
    const css_gradient_space space = {
        .metrics = svg_walk_metrics(walk, style->font_size, owner->instance.width, owner->instance.height),
        .dpi = walk->document->units.dpi,
        .area = *area,
        .current = style->color,
    };
    const size_t most = css_gradient_most_stops(value);
    svg_document_count_text(walk->document, value);
    pietra_result result = svg_walk_spend(walk, owner->instance.node, SVG_STEP_entry, most);
    pietra_stop *stops = result == PIETRA_OK ? malloc(most * sizeof *stops) : NULL;
    pietra_paint paint;
    if (!stops)
        return result != PIETRA_OK ? result : PIETRA_ERROR_MEMORY;
    const bool good = css_gradient_read(value, &space, stops, &paint);
    pietra_path_reset(walk->clip_path);
    pietra_path_rect(walk->clip_path, area->x, area->y, area->width, area->height);
    if (good)
        result = pietra_scene_fill(walk->scene, walk->clip_path, &owner->instance.transform, PIETRA_FILL_NONZERO,
                                   &paint, walk->error);
    free(stops);
    return result;
}

/* Draws a gradient as the source of a mask. It fills the box with strokes, the border box of what SVG draws. */
static pietra_result draw_gradient(svg_walk *walk, uint32_t index, const layer_source *source)
{
    const svg_walk_frame *owner = &walk->frames.items[index];
    const pietra_box box = owner->extent.stroke;
    const svg_rectangle area = {box.x0, box.y0, box.x1 - box.x0, box.y1 - box.y0};
    const bool some =
        owner->extent.some && area.width > 0 && area.height > 0 && isfinite(area.x + area.y + area.width + area.height);
    svg_walk_set_edges(walk, false);
    pietra_result result = pietra_scene_begin_mask_source(
        walk->scene, source->mode == SVG_MASK_LUMINANCE ? PIETRA_MASK_LUMINANCE : PIETRA_MASK_ALPHA, walk->error);
    if (result == PIETRA_OK && some)
        result = fill_gradient(walk, owner, walk->document->texts.items[source->gradient - 1].value, &area);
    if (result == PIETRA_OK)
        result = svg_walk_meet(walk, owner->instance.node, 1);
    return result == PIETRA_OK ? pietra_scene_end_mask_source(walk->scene, walk->error) : result;
}

/* Paints white over everything visible, through the layer that has just ended. */
static pietra_result lay_down(svg_walk *walk)
{
    const double far = 1e9;
    const pietra_paint white = {.color = {1, 1, 1, 1}};
    pietra_box seen = walk->visible;
    seen = (pietra_box){fmax(seen.x0, -far), fmax(seen.y0, -far), fmin(seen.x1, far), fmin(seen.y1, far)};
    pietra_path_reset(walk->clip_path);
    pietra_path_rect(walk->clip_path, seen.x0, seen.y0, seen.x1 - seen.x0, seen.y1 - seen.y0);
    pietra_result result =
        pietra_scene_fill(walk->scene, walk->clip_path, NULL, PIETRA_FILL_NONZERO, &white, walk->error);
    return result == PIETRA_OK ? pietra_scene_end_mask(walk->scene, walk->error) : result;
}

/* Layers that are added are drawn on top of each other, the last one first, into the source of a single alpha mask.
 * Layers that intersect become masks within masks. */
pietra_result svg_mask_step(svg_walk *walk, uint32_t index)
{
    svg_walk_frame *frame = &walk->frames.items[index];
    svg_noninherited noninherited = frame->instance.noninherited;
    svg_effects *effects = svg_walk_frame_effects(frame);
    const uint32_t count = effects->masked ? layer_count(&noninherited) : 0;
    bool joined = layers_are_joined(&noninherited), begun = false;
    pietra_result result = PIETRA_OK;
    if (effects->mask_open) {
        effects->mask_open = false;
        result = lay_down(walk);
    }
    while (result == PIETRA_OK && !begun && !effects->skipped && effects->mask_next < count) {
        const uint32_t layer = effects->mask_next++;
        const layer_source source = find_layer(walk, &noninherited, joined ? count - 1 - layer : layer);
        if (!shows(&source))
            continue;
        if (joined && !effects->mask_joined) {
            effects->mask_joined = true;
            result = pietra_scene_begin_mask_source(walk->scene, PIETRA_MASK_ALPHA, walk->error);
        }
        if (result == PIETRA_OK && source.gradient) {
            result = draw_gradient(walk, index, &source);
            if (result == PIETRA_OK && joined)
                result = lay_down(walk);
            effects->mask_count += !joined;
            continue;
        }
        if (result == PIETRA_OK)
            result = begin_layer(walk, index, source.node, source.mode, &begun);
        frame = &walk->frames.items[index];
        effects = svg_walk_frame_effects(frame);
        effects->mask_open = begun && joined;
        effects->mask_count += begun && !joined;
        effects->skipped = effects->skipped || (!begun && !joined); /* nothing is seen through a mask without area */
    }
    if (result != PIETRA_OK || begun)
        return svg_walk_check(walk, frame->instance.node, result);
    if (effects->mask_joined) {
        result = pietra_scene_end_mask_source(walk->scene, walk->error);
        effects->mask_count++;
    }
    frame->phase++;
    return svg_walk_check(walk, frame->instance.node, result);
}
