/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/cpu/part_cost.h"

#include "scene/stream.h"

/* How many times as long a frame may take; and as it may seem to take before all of it is known. */
#define SLOWEST 4u
#define SLOWEST_SO_FAR 8u

/* What things take, in picoseconds. At once: an element, a segment, a line in a band (of dashes; where most are
 * hidden), a pixel of an element's box, a pixel of the frame, a touch that is sampled. */
#define ONCE_ELEMENT 300000u
#define ONCE_SEGMENT 60000u
#define ONCE_LINE 100000u
#define ONCE_DASHED_LINE 200000u
#define ONCE_HIDDEN_LINE 30000u
#define ONCE_BOX_PIXEL 500u
#define ONCE_PIXEL 600u
#define ONCE_TOUCH 50000u
/* In parts, in addition: an element that is walked past, one that is seen, a segment, a dash, a chord, a line of a
 * stroked curve, a line and a run in a strip, a pixel. */
#define WALKED_ELEMENT 15000u
#define SEEN_ELEMENT 130000u
#define SEGMENT 30000u
#define DASH 10000u
#define CHORD 7000u
#define STROKE_LINE 45000u
#define STRIP_LINE 20000u
#define STRIP_RUN 15000u
#define COPIED_PIXEL 500u

part_cost part_cost_of(const uint32_t *words, const frame_config *whole)
{
    const stream_header *header = (const stream_header *)words;
    const uint64_t pixels = (uint64_t)whole->width * (uint64_t)whole->height;
    part_cost cost = {.has_dashes = header->dashed_count > 0};
    cost.once_ps = ONCE_ELEMENT * (uint64_t)header->element_count + ONCE_SEGMENT * (uint64_t)header->segment_count +
                   ONCE_PIXEL * pixels;
    cost.extra_ps = COPIED_PIXEL * pixels;
    return cost;
}

void part_cost_add(part_cost *cost, const cpu_counts *counts)
{
    const uint64_t line = counts->is_painted_over ? ONCE_HIDDEN_LINE : cost->has_dashes ? ONCE_DASHED_LINE : ONCE_LINE;
    cost->once_ps += line * counts->painted_lines + ONCE_TOUCH * counts->sampled;
    if (!counts->is_painted_over)
        cost->once_ps += ONCE_BOX_PIXEL * counts->painted_boxes;
    cost->extra_ps += WALKED_ELEMENT * counts->walked + SEEN_ELEMENT * counts->prepared +
                      (cost->has_dashes ? DASH : SEGMENT) * counts->flattened + CHORD * counts->chords +
                      STROKE_LINE * counts->stroke_lines + STRIP_LINE * counts->visited_lines +
                      STRIP_RUN * counts->visited_runs;
}

bool part_cost_is_too_high(const part_cost *cost, bool is_last)
{
    return cost->once_ps + cost->extra_ps > (is_last ? SLOWEST : SLOWEST_SO_FAR) * cost->once_ps;
}
