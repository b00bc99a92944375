/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "svg/draw/marker.h"

#include <math.h>

#include "base/number.h"
#include "base/transform.h"
#include "svg/draw/draw.h"
#include "svg/draw/paint.h"

enum { MARKER_START, MARKER_MID, MARKER_END };

static uint32_t marker_of(const svg_walk *walk, const svg_inherited *style, unsigned which)
{
    const svg_style_reference *marker = which == MARKER_START ? &style->marker_start
                                        : which == MARKER_MID ? &style->marker_mid
                                                              : &style->marker_end;
    if (marker->kind != SVG_REFERENCE_LINK)
        return SVG_NO_NODE;
    uint32_t node = walk->document->links.items[marker->link].node;
    return node != SVG_NO_NODE && walk->document->nodes.items[node].element == SVG_MARKER ? node : SVG_NO_NODE;
}

bool svg_marker_occurs(const svg_walk *walk, const svg_inherited *style)
{
    if (!(style->marker_start.kind | style->marker_mid.kind | style->marker_end.kind))
        return false;
    return marker_of(walk, style, MARKER_START) != SVG_NO_NODE || marker_of(walk, style, MARKER_MID) != SVG_NO_NODE ||
           marker_of(walk, style, MARKER_END) != SVG_NO_NODE;
}

pietra_result svg_marker_begin(svg_walk *walk, uint32_t index)
{
    svg_walk_frame *frame = &walk->frames.items[index];
    const svg_inherited *style = &walk->styles.items[frame->style];
    svg_metrics metrics = svg_walk_metrics(walk, style->font_size, frame->instance.width, frame->instance.height);
    if (!svg_marker_occurs(walk, style))
        return PIETRA_OK;
    svg_shape_markers *markers = &frame->shape.markers;
    markers->begin = (uint32_t)walk->marker_positions.count;
    if (!svg_marker_positions_add(walk->document, frame->instance.node, &metrics, &walk->marker_positions))
        return PIETRA_ERROR_MEMORY;
    markers->next = markers->begin;
    markers->end = (uint32_t)walk->marker_positions.count;
    /* The walk frames of markers drop their own contexts. This context lasts as long as the shape's walk frame. */
    return walk->document->uses_context ? svg_context_of_shape(walk, &frame->instance, style, &markers->context)
                                        : PIETRA_OK;
}

/* Returns the angle that `orient` gives, in degrees. *automatic becomes 1 for auto and 2 for auto-start-reverse. */
static double orient_of(const svg_walk *walk, uint32_t node, int *automatic)
{
    text value = text_trim(svg_attribute_text(walk->document, node, SVG_ORIENT));
    *automatic = text_equal(value, TEXT("auto")) ? 1 : text_equal(value, TEXT("auto-start-reverse")) ? 2 : 0;
    double degrees;
    return *automatic == 0 && svg_angle_parse(value, &degrees) ? degrees : 0;
}

static double side_of(const svg_walk *walk, uint32_t node, svg_name name, svg_axis axis, const svg_metrics *metrics)
{
    svg_length length = {3, SVG_UNIT_PX};
    svg_attribute_length(walk->document, node, name, &length);
    return svg_length_resolve(length, axis, metrics);
}

/* Makes the marker's space and viewport. False: nothing of the marker shows. */
static bool place_marker(svg_walk *walk, uint32_t marker, const svg_style_in_place *placed,
                         const svg_marker_position *position, bool first, double stroke_width, svg_walk_frame *frame)
{
    svg_metrics metrics =
        svg_walk_metrics(walk, placed->inherited.font_size, frame->instance.width, frame->instance.height);
    svg_rectangle view = {0, 0, side_of(walk, marker, SVG_MARKER_WIDTH, SVG_AXIS_X, &metrics),
                          side_of(walk, marker, SVG_MARKER_HEIGHT, SVG_AXIS_Y, &metrics)};
    svg_rectangle box = view;
    svg_view_box state = svg_view_box_parse(walk->document, marker, &box);
    int automatic;
    double angle = orient_of(walk, marker, &automatic);
    bool fixed =
        text_equal(text_trim(svg_attribute_text(walk->document, marker, SVG_MARKER_UNITS)), TEXT("userSpaceOnUse"));
    double scale = fixed ? 1 : stroke_width;
    if (!(view.width > 0) || !(view.height > 0) || !(scale > 0) || state == SVG_VIEW_BOX_EMPTY)
        return false;
    if (automatic)
        angle = position->angle + (automatic == 2 && first ? 180 : 0);
    pietra_transform fit = TRANSFORM_IDENTITY;
    if (state == SVG_VIEW_BOX_GOOD) {
        fit = svg_view_box_fit(walk->document, marker, box, view.width, view.height);
        metrics.width = box.width;
        metrics.height = box.height;
    }
    double x = svg_reference(walk->document, marker, SVG_REF_X, &metrics, box),
           y = svg_reference(walk->document, marker, SVG_REF_Y, &metrics, box);
    transform_point(fit, &x, &y);
    pietra_transform space = transform_multiply(transform_translate(position->x, position->y), transform_rotate(angle));
    space = transform_multiply(transform_multiply(space, transform_scale(scale, scale)), transform_translate(-x, -y));
    frame->instance.transform = transform_multiply(frame->instance.transform, space);
    frame->marker.children.local = fit;
    frame->marker.children.width = frame->instance.width; /* a marker's viewBox makes no viewport (SVG 2, 8.9) */
    frame->marker.children.height = frame->instance.height;
    frame->marker.effects.viewport = view;
    frame->marker.effects.viewport_clip = placed->noninherited.overflow != SVG_OVERFLOW_VISIBLE;
    return transform_invert(frame->instance.transform, &fit);
}

/* Returns the width of the stroke as painted, in user units (SVG 2, 13.7.1). A stroke with a width in pixels is divided
 * by the mean stretch of the axes. */
static double stroke_width_of(const svg_walk *walk, const svg_instance *instance, const svg_inherited *style)
{
    svg_metrics metrics = svg_walk_metrics(walk, style->font_size, instance->width, instance->height);
    double width = svg_length_resolve(style->stroke_width, SVG_AXIS_DIAGONAL, &metrics);
    const pietra_transform *space = &instance->transform;
    if (instance->noninherited.vector_effect != SVG_EFFECT_FIXED_STROKE)
        return width;
    return width / sqrt((space->a * space->a + space->b * space->b + space->c * space->c + space->d * space->d) / 2);
}

static pietra_result push_marker(svg_walk *walk, uint32_t index, uint32_t marker, const svg_marker_position *position,
                                 bool first)
{
    const svg_node *nodes = walk->document->nodes.items;
    const svg_walk_frame *owner = &walk->frames.items[index];
    const svg_style_in_place *placed = svg_walk_style_in_place(walk, marker);
    const svg_inherited *style = &walk->styles.items[owner->style];
    if (!placed)
        return PIETRA_ERROR_MEMORY;
    svg_walk_frame frame = {
        .instance = owner->instance,
        .kind = SVG_WALK_FRAME_MARKER,
        .marker.children = {.next = marker + 1, .end = nodes[marker].end, .shown_by = SVG_NO_NODE, .handed_opacity = 1},
    };
    frame.instance.node = marker;
    frame.instance.context = owner->shape.markers.context;
    frame.instance.noninherited = placed->noninherited;
    frame.instance.opacity = svg_group_opacity(&placed->noninherited);
    double width = stroke_width_of(walk, &owner->instance, style);
    if (!place_marker(walk, marker, placed, position, first, width, &frame) || frame.instance.opacity <= 0)
        return PIETRA_OK;
    pietra_result result = svg_walk_open(walk, &frame);
    walk->flags[marker] |= SVG_NODE_MARKING;
    return result == PIETRA_OK ? svg_walk_push(walk, &frame, &placed->inherited) : result;
}

pietra_result svg_marker_push(svg_walk *walk, uint32_t index)
{
    svg_walk_frame *frame = &walk->frames.items[index];
    const svg_inherited *style = &walk->styles.items[frame->style];
    svg_shape_markers *markers = &frame->shape.markers;
    svg_marker_position position = walk->marker_positions.items[markers->next];
    bool first = markers->next == markers->begin, last = markers->next + 1 == markers->end;
    /* If a path has a single vertex, it has both a start and an end marker there. */
    bool both = first && last && !markers->marked_start;
    unsigned which = first && (both || !last) ? MARKER_START : last ? MARKER_END : MARKER_MID;
    uint32_t marker = marker_of(walk, style, which);
    markers->marked_start = both;
    if (!both)
        markers->next++;
    /* A marker inside itself is an error, and is not drawn. */
    bool drawn =
        marker != SVG_NO_NODE && !(walk->flags[marker] & SVG_NODE_MARKING) && isfinite(position.x + position.y);
    pietra_result result = svg_walk_meet(walk, frame->instance.node, 1);
    return result == PIETRA_OK && drawn ? push_marker(walk, index, marker, &position, which == MARKER_START) : result;
}
