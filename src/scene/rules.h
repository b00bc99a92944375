/* What the flags of an element claim, worked out from the stream: the encoder sets flags by these rules and the validator holds
 * streams to them. */
#ifndef PIETRA_SCENE_RULES_H
#define PIETRA_SCENE_RULES_H

#include <stdbool.h>
#include <stddef.h>

#include "layout/stream.h"

/* Whether the circles of a radial gradient reach every point of the plane: neither family's edge leaves a cone outside, with a
 * margin for the rounding of whoever solves for the offset. */
bool rules_radial_covers(const stream_paint *paint);
/* Whether a paint is opaque everywhere, given whether its stops or its image's texels are; those do not matter to a solid. */
bool rules_paint_is_opaque(const stream_paint *paint, bool opaque_parts);
bool rules_stops_are_opaque(const stream_stop *stops, size_t count);
/* The slopes of a stop from its own bases and the next stop's; 0 where both have the same offset. */
void rules_set_slopes(stream_stop *stop, const stream_stop *next);

/* Whether a path is one axis-aligned rectangle with an inside: four lines, closed, or ending where they start; or three lines that
 * filling closes. points: x, y of the path's first point on. */
bool rules_path_is_rectangle(const uint8_t *tags, size_t segment_count, const float *points);

/* Whether an element with these flags hides what is below it, where nothing is open around it. */
static inline bool rules_may_cover(uint32_t kind)
{
    uint32_t needed = ELEMENT_RECT | ELEMENT_OPAQUE;
    return (kind & ELEMENT_KIND_MASK) == ELEMENT_FILL && (kind & needed) == needed;
}

/* ELEMENT_MODE: a group's BLEND_*, a clip's MASK_*. */
static inline uint32_t rules_mode(uint32_t kind) { return kind >> ELEMENT_MODE_SHIFT & ELEMENT_MODE_MAX; }

/* Of a group, a clip or a mask, given whether something in its content sees through to what is below it: the ELEMENT_ISOLATED or
 * ELEMENT_BACKDROP that its begin then needs, and whether its own parent's content sees through likewise. */
uint32_t rules_layer_flags(uint32_t kind, bool content_blends);
bool rules_layer_shows_below(uint32_t kind, bool content_blends);

/* The totals that the header keeps. Paths' indices must be in range. */
typedef struct rules_totals {
    uint32_t brackets, covers, dashed;
    uint64_t items;
} rules_totals;

rules_totals rules_count(const stream_element *elements, size_t element_count, const stream_path *paths);

#endif
