/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "scene/rules.h"

#include <stddef.h>

#include "layout/blend.h"
#include "lib/element_kind.h"
#include "scene/limit.h"

bool rules_radial_covers(const stream_paint *paint)
{
    float growth = paint->dr < 0.0f ? -paint->dr : paint->dr;
    return paint->centre_distance < 0.999f * growth;
}

bool rules_paint_is_opaque(const stream_paint *paint, bool opaque_parts)
{
    if (paint->kind == PAINT_SOLID)
        return paint->color >> 24 == 255u;
    return opaque_parts && paint->opacity == 255u && (paint->kind != PAINT_RADIAL || rules_radial_covers(paint));
}

/* Radii are rounded after they were fitted to the sides. */
static bool radii_fit(float a, float b, float side)
{
    return a + b <= side * 1.00001f;
}

bool rules_shadow_is_sane(const stream_box_shadow *shadow)
{
    const float *numbers = &shadow->x0;
    for (size_t i = 0; i < offsetof(stream_box_shadow, is_inset) / sizeof *numbers; i++)
        if (!(numbers[i] >= (i < 4 ? -SHADOW_LIMIT : 0.0f) && numbers[i] <= SHADOW_LIMIT))
            return false;
    float width = shadow->x1 - shadow->x0, height = shadow->y1 - shadow->y0;
    return width > 0.0f && height > 0.0f && shadow->is_inset <= 1u &&
           radii_fit(shadow->top_left, shadow->top_right, width) &&
           radii_fit(shadow->bottom_left, shadow->bottom_right, width) &&
           radii_fit(shadow->top_left, shadow->bottom_left, height) &&
           radii_fit(shadow->top_right, shadow->bottom_right, height);
}

bool rules_stops_are_opaque(const stream_stop *stops, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (stops[i].base_a != 255.0f)
            return false;
    return true;
}

void rules_set_slopes(stream_stop *stop, const stream_stop *next)
{
    double width = (double)next->offset - stop->offset;
    bool apart = width > 0.0;
    stop->slope_r = apart ? limit_to_float(((double)next->base_r - stop->base_r) / width) : 0.0f;
    stop->slope_g = apart ? limit_to_float(((double)next->base_g - stop->base_g) / width) : 0.0f;
    stop->slope_b = apart ? limit_to_float(((double)next->base_b - stop->base_b) / width) : 0.0f;
    stop->slope_a = apart ? limit_to_float(((double)next->base_a - stop->base_a) / width) : 0.0f;
}

bool rules_path_is_rectangle(const uint8_t *tags, size_t segment_count, const float *p)
{
    if (segment_count != 3 && segment_count != 4)
        return false;
    for (size_t i = 0; i < segment_count; i++) {
        bool first = (tags[i] & TAG_FIRST) != 0;
        if ((tags[i] & TAG_POINTS_MASK) != 1u || first != (i == 0))
            return false;
    }
    if (segment_count == 4 && (p[8] != p[0] || p[9] != p[1]))
        return false;
    /* Opposite corners differ in both coordinates. The corners between them are the two ways around. */
    bool across_first = p[2] == p[4] && p[3] == p[1] && p[6] == p[0] && p[7] == p[5];
    bool down_first = p[2] == p[0] && p[3] == p[5] && p[6] == p[4] && p[7] == p[1];
    return p[0] != p[4] && p[1] != p[5] && (across_first || down_first);
}

static bool kind_is_group(uint32_t kind)
{
    return (kind & ELEMENT_KIND_MASK) == ELEMENT_BEGIN_GROUP;
}

static bool group_blends(uint32_t kind)
{
    return kind_is_group(kind) && kind_mode(kind) != BLEND_NORMAL;
}

/* A clip by a path has no mode. */
static bool kind_isolates(uint32_t kind)
{
    return kind_is_group(kind) || kind_mode(kind) != MASK_NONE;
}

uint32_t rules_layer_flags(uint32_t kind, bool content_blends)
{
    if (kind_isolates(kind))
        return content_blends || group_blends(kind) ? ELEMENT_ISOLATED : 0u;
    return content_blends ? ELEMENT_COPIES_DESTINATION : 0u;
}

bool rules_layer_shows_below(uint32_t kind, bool content_blends)
{
    return kind_isolates(kind) ? group_blends(kind) : content_blends;
}

rules_totals rules_count(const stream_element *elements, size_t element_count, const stream_path *paths)
{
    rules_totals totals = {0};
    for (size_t i = 0; i < element_count; i++)
        rules_add(&elements[i], paths, &totals);
    return totals;
}

void rules_set_totals(const rules_totals *totals, stream_header *header)
{
    header->clip_event_count = totals->clip_events;
    header->occluder_count = totals->occluders;
    header->dashed_count = totals->dashed;
    header->task_count = (uint32_t)totals->tasks;
}
