#include "svg/mask.h"

#include <math.h>

#include "base/transform.h"

uint32_t svg_mask_target(const svg_walk *walk, const svg_other *other)
{
    if (other->mask != SVG_REFERENCE_LINK)
        return SVG_NO_NODE;
    uint32_t node = walk->document->links.items[other->mask_link].node;
    if (node == SVG_NO_NODE || walk->document->nodes.items[node].element != SVG_MASK || walk->flags[node] & SVG_NODE_MASKING)
        return SVG_NO_NODE;
    return node;
}

/* In units of the box a percentage is a hundredth, and a number is what it is. */
static double length_of(const svg_walk *walk, uint32_t mask, svg_name name, svg_axis axis, bool box_units, double standard,
                        const svg_metrics *metrics)
{
    svg_length length = { standard, SVG_UNIT_PERCENT };
    svg_attribute_length(walk->document, mask, name, &length);
    return box_units ? svg_length_resolve_fraction(length, axis, metrics) : svg_length_resolve(length, axis, metrics);
}

static svg_rectangle find_region(const svg_walk *walk, uint32_t mask, const svg_metrics *metrics, bool box_units, const pietra_box *box)
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
    return (svg_rectangle){ box->x0 + region.x * width, box->y0 + region.y * height, region.width * width, region.height * height };
}

static bool says(const svg_walk *walk, uint32_t mask, svg_name name, text value)
{
    return text_equal(text_trim(svg_attribute_text(walk->document, mask, name)), value);
}

/* False: nothing can be seen through it. */
static bool place_source(const svg_walk *walk, uint32_t mask, const svg_native *native, const svg_frame *owner, svg_frame *frame)
{
    svg_metrics metrics = svg_walk_metrics(walk, native->inherited.font_size, owner->instance.width, owner->instance.height);
    bool box_units = !says(walk, mask, SVG_MASK_UNITS, TEXT("userSpaceOnUse"));
    bool box_content = says(walk, mask, SVG_MASK_CONTENT_UNITS, TEXT("objectBoundingBox"));
    pietra_box box = owner->extent.box;
    bool area = owner->extent.some && box.x1 > box.x0 && box.y1 > box.y0;
    if ((box_units || box_content) && !area)
        return false;
    frame->viewport = find_region(walk, mask, &metrics, box_units, &box);
    frame->viewport_clip = true;
    frame->local = box_content ? (pietra_transform){ box.x1 - box.x0, 0, 0, box.y1 - box.y0, box.x0, box.y0 } : TRANSFORM_IDENTITY;
    const svg_rectangle *region = &frame->viewport;
    return region->width > 0 && region->height > 0 && isfinite(region->x + region->y + region->width + region->height);
}

pietra_result svg_mask_begin(svg_walk *walk, uint32_t index)
{
    const svg_frame *owner = &walk->frames.items[index];
    uint32_t mask = owner->mask;
    const svg_native *native = svg_walk_native(walk, mask);
    if (!native)
        return PIETRA_ERROR_MEMORY;
    svg_frame frame = {
        .instance = owner->instance,
        .kind = SVG_FRAME_MASK_SOURCE,
        .next = mask + 1,
        .end = walk->document->nodes.items[mask].end,
        .clip_first = SVG_NO_NODE,
        .clip_next = SVG_NO_NODE,
        .shown_by = SVG_NO_NODE,
        .inner_width = owner->instance.width,
        .inner_height = owner->instance.height,
        .handed_opacity = 1,
        .extent = owner->extent,
        .extent_known = true,
    };
    frame.instance.node = mask;
    frame.instance.mode = SVG_MODE_DRAW;
    frame.instance.opacity = 1;
    frame.instance.other = native->other;
    frame.instance.other.opacity = 1; /* neither opacity nor blending mean anything on a mask */
    frame.instance.other.blend = PIETRA_BLEND_NORMAL;
    if (!place_source(walk, mask, native, owner, &frame)) {
        walk->frames.items[index].mask = SVG_NO_NODE;
        walk->frames.items[index].skipped = true;
        return PIETRA_OK;
    }
    walk->flags[mask] |= SVG_NODE_MASKING;
    bool linear = native->inherited.interpolation == SVG_INTERPOLATE_LINEAR;
    uint8_t mode = owner->instance.other.mask_mode == SVG_MASK_AS_SOURCE ? native->other.mask_type : owner->instance.other.mask_mode;
    pietra_mask_kind kind = mode == SVG_MASK_ALPHA ? PIETRA_MASK_ALPHA
                            : linear                                  ? PIETRA_MASK_LUMINANCE_LINEAR
                                                                      : PIETRA_MASK_LUMINANCE;
    walk->frames.items[index].mask_begun = true;
    pietra_result result = svg_walk_open(walk, &frame);
    if (result == PIETRA_OK)
        result = svg_walk_check(walk, mask, pietra_scene_begin_mask_source(walk->scene, kind, walk->error));
    if (result == PIETRA_OK)
        result = svg_walk_count(walk, mask, 1);
    return result == PIETRA_OK ? svg_walk_push(walk, &frame, &native->inherited) : result;
}
