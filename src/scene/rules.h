/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Computes from the stream what the flags of an element claim. The encoder sets flags by these rules, and the validator
 * checks streams against them. */
#ifndef PIETRA_SCENE_RULES_H
#define PIETRA_SCENE_RULES_H

#include <stdbool.h>
#include <stddef.h>

#include "layout/stream.h"
#include "lib/element_kind.h"

/* Returns whether a paint is an image or a surface. */
static inline bool rules_paint_is_image(const stream_paint *paint)
{
    return paint->kind == PAINT_IMAGE || paint->kind == PAINT_SURFACE;
}

static inline bool rules_paint_is_shadow(const stream_paint *paint)
{
    return paint->kind == PAINT_BOX_SHADOW;
}

/* Returns whether a paint, or a colour in its place, may show. */
static inline bool rules_paint_shows(const stream_paint *paint)
{
    return paint->kind != PAINT_SOLID || paint->color >> 24 != 0u || paint->first_stop != 0u;
}

/* Returns whether the circles of a radial gradient reach every point of the plane, so that no cone stays outside. A
 * margin allows for rounding in the solver of the offset. */
bool rules_radial_covers(const stream_paint *paint);
/* Returns whether a paint is opaque everywhere. opaque_parts says whether its stops or its image's texels are; a solid
 * ignores it, and a box shadow has none. */
bool rules_paint_is_opaque(const stream_paint *paint, bool opaque_parts);
/* Returns whether the numbers of a box shadow are a rounded rectangle and a Gaussian. */
bool rules_shadow_is_sane(const stream_box_shadow *shadow);
bool rules_stops_are_opaque(const stream_stop *stops, size_t count);
/* Sets the slopes of a stop from its own bases and the next stop's. They are 0 if both have the same offset. */
void rules_set_slopes(stream_stop *stop, const stream_stop *next);

/* Returns whether a path is one axis-aligned rectangle with an inside. It has four lines and is closed or ends where it
 * starts, or three lines that filling closes. `points` holds x and y from the path's first point on. */
bool rules_path_is_rectangle(const uint8_t *tags, size_t segment_count, const float *points);

/* Returns whether an element with these flags hides what lies below it, if nothing is open around it. */
static inline bool rules_may_occlude(uint32_t kind)
{
    uint32_t needed = ELEMENT_RECT | ELEMENT_OPAQUE;
    return (kind & ELEMENT_KIND_MASK) == ELEMENT_FILL && (kind & needed) == needed;
}

/* For a group, a clip or a mask: content_blends says whether something in its content sees what lies below it. Gives
 * the flag, ELEMENT_ISOLATED or ELEMENT_COPIES_DESTINATION, that its begin needs then, and whether for the same reason
 * its parent's content sees what lies below. */
uint32_t rules_layer_flags(uint32_t kind, bool content_blends);
bool rules_layer_shows_below(uint32_t kind, bool content_blends);

/* The totals that the header keeps. Indices of paths must be in range. */
typedef struct rules_totals {
    uint32_t clip_events, occluders, dashed;
    uint64_t tasks;
} rules_totals;

rules_totals rules_count(const stream_element *elements, size_t element_count, const stream_path *paths);
/* Adds one element. */
static inline void rules_add(const stream_element *element, const stream_path *paths, rules_totals *totals)
{
    uint32_t kind = element->kind & ELEMENT_KIND_MASK;
    totals->clip_events += kind_begins(kind) || kind_ends(kind);
    totals->occluders += (element->kind & ELEMENT_OCCLUDER) != 0;
    totals->dashed += (element->kind & ELEMENT_DASHED) != 0;
    totals->tasks += element->path != STREAM_NONE ? paths[element->path].segment_count : 0u;
}
/* Sets them in a header that can hold them. */
void rules_set_totals(const rules_totals *totals, stream_header *header);

#endif
