/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "svg/draw/mask.h"

#include <math.h>

#include "base/transform.h"
#include "svg/draw/mask_image.h"
#include "svg/draw/origins.h"

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

/* A layer that shows: a mask, or else an image. */
typedef struct layer_source {
    svg_mask_layer layer;
    uint32_t node; /* SVG_NO_NODE: it is no mask */
    uint32_t mode; /* SVG_MASK_... */
} layer_source;

static layer_source find_layer(const svg_walk *walk, const svg_noninherited *noninherited, uint32_t layer)
{
    const svg_document *document = walk->document;
    const bool several = noninherited->mask.kind == SVG_REFERENCE_LAYERS;
    layer_source source = {{.link = noninherited->mask.link, .mode = noninherited->mask.layers}, SVG_NO_NODE, 0};
    if (several)
        source.layer = document->mask_layers.items[noninherited->mask.link + layer];
    source.mode = source.layer.mode;
    if (noninherited->mask_mode.count)
        source.mode = noninherited->mask_mode.modes >> 2 * (source.layer.index % noninherited->mask_mode.count) & 3u;
    if (source.layer.gradient || source.layer.image)
        return source;
    uint32_t node = document->links.items[source.layer.link].node;
    if (node != SVG_NO_NODE && document->nodes.items[node].element == SVG_MASK &&
        !(walk->flags[node] & SVG_NODE_MASKING))
        source.node = node;
    return source;
}

static bool shows(const svg_walk *walk, const layer_source *source)
{
    return source->node != SVG_NO_NODE || source->layer.gradient ||
           (source->layer.image && svg_mask_image_is_read(walk, &source->layer));
}

bool svg_mask_occurs(const svg_walk *walk, const svg_noninherited *noninherited)
{
    for (uint32_t i = 0; i < layer_count(noninherited); i++) {
        const layer_source source = find_layer(walk, noninherited, i);
        if (shows(walk, &source))
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

/* Draws an image as the source of a mask. */
static pietra_result draw_image(svg_walk *walk, uint32_t index, const layer_source *source, bool alone)
{
    const uint32_t node = walk->frames.items[index].instance.node;
    pietra_result result = pietra_scene_begin_mask_source(
        walk->scene, source->mode == SVG_MASK_LUMINANCE ? PIETRA_MASK_LUMINANCE : PIETRA_MASK_ALPHA, walk->error);
    if (result == PIETRA_OK)
        result = svg_mask_image_draw(walk, index, &source->layer, alone);
    if (result == PIETRA_OK)
        result = svg_walk_meet(walk, node, 1);
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
        if (!shows(walk, &source))
            continue;
        if (joined && !effects->mask_joined) {
            effects->mask_joined = true;
            result = pietra_scene_begin_mask_source(walk->scene, PIETRA_MASK_ALPHA, walk->error);
        }
        if (result == PIETRA_OK && source.node == SVG_NO_NODE) {
            result = draw_image(walk, index, &source, !joined);
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
