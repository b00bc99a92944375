/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/cpu/part_cost.h"

#include "render/cpu/band.h"
#include "render/frame/config.h"
#include "scene/stream.h"

/* How many times as long a frame may take; and as it may seem to take before all of it is known. */
#define SLOWEST 4u
#define SLOWEST_SO_FAR 8u

/* What things take, in picoseconds. At once: an element, a segment, a line in a band, if it is painted or hidden; a
 * pixel of the frame, of an element's box, and of one that is no plain colour; a touch that is sampled, a pixel of a
 * row of steps. */
#define ONCE_ELEMENT 500000u
#define ONCE_SEGMENT 30000u
#define ONCE_LINE 45000u
#define ONCE_HIDDEN_LINE 30000u
#define ONCE_PIXEL 800u
#define PAINTED_PIXEL 600u
#define SHADED_PIXEL 6500u
#define ONCE_TOUCH 55000u
#define ONCE_STEPPED_PIXEL 350000u
/* A line that is walked again to sample pixels. */
#define ONCE_WALKED_LINE 17000u
#define WALKED_LINE 11000u
/* In parts, in addition: an element that is walked past, a segment, a dash, a chord, a line of a stroked curve, a line
 * and a run in a strip, a pixel. */
#define WALKED_ELEMENT 20000u
#define SEGMENT 11000u
#define DASH 5000u
#define CHORD 18000u
#define STROKE_LINE 63000u
#define STRIP_LINE 20000u
#define STRIP_RUN 100000u
#define COPIED_PIXEL 500u
/* Where fills hide most of what lies below them, each batch paints the part as if it were painted so often. */
#define LAYERS_OF_BATCH 2u

static uint64_t more_than(uint64_t many, uint64_t some)
{
    return many > some ? many - some : 0;
}

part_cost part_cost_of(const uint32_t *words, const frame_config *whole, uint64_t budget_bytes)
{
    const stream_header *header = (const stream_header *)words;
    const pixel_box all = config_pixels(whole);
    const uint64_t width = (uint64_t)(all.x1 - all.x0), pixels = width * (uint64_t)(all.y1 - all.y0);
    const uint pitch = (uint)width + COVERAGE_OVERRUN;
    part_cost cost = {.has_dashes = header->dashed_count > 0,
                      .elements_left = header->element_count,
                      .segments_left = header->segment_count,
                      .touches_within = cpu_touches_within(budget_bytes, pitch),
                      .touches_at_once = cpu_touches_at_once(pitch)};
    cost.once_ps = ONCE_ELEMENT * (uint64_t)header->element_count + ONCE_SEGMENT * (uint64_t)header->segment_count +
                   ONCE_PIXEL * pixels;
    cost.extra_ps = COPIED_PIXEL * pixels;
    return cost;
}

/* Takes from what a part did what the frame would also do at once. Returns the rest. */
static uint64_t beyond_once(uint64_t *left, uint64_t count)
{
    const uint64_t rest = more_than(count, *left);
    *left = more_than(*left, count);
    return rest;
}

static void add_painting(part_cost *cost, const cpu_counts *counts)
{
    const uint64_t plain = counts->painted_pixels - counts->shaded_pixels;
    uint64_t shaded = counts->shaded_pixels;
    if (counts->is_painted_over) {
        const uint64_t repeated = LAYERS_OF_BATCH * more_than(counts->batch_pixels, counts->part_pixels);
        const uint64_t hidden = repeated < shaded ? repeated : shaded;
        shaded -= hidden;
        cost->extra_ps += SHADED_PIXEL * hidden;
    }
    cost->once_ps += PAINTED_PIXEL * plain + SHADED_PIXEL * shaded;
    cost->once_ps += (counts->is_painted_over ? ONCE_HIDDEN_LINE : ONCE_LINE) * counts->painted_lines;
}

/* With less room for touches, there are more passes over lines. */
static void add_sampling(part_cost *cost, const cpu_counts *counts)
{
    const uint64_t walked = more_than(counts->walked_lines, counts->painted_lines);
    const uint64_t once = walked * cost->touches_within / cost->touches_at_once;
    cost->once_ps +=
        ONCE_TOUCH * counts->touches + ONCE_STEPPED_PIXEL * counts->stepped_pixels + ONCE_WALKED_LINE * once;
    cost->extra_ps += WALKED_LINE * (walked - once);
}

void part_cost_add(part_cost *cost, const cpu_counts *counts)
{
    add_painting(cost, counts);
    add_sampling(cost, counts);
    cost->extra_ps +=
        WALKED_ELEMENT * beyond_once(&cost->elements_left, counts->walked) +
        (cost->has_dashes ? DASH * counts->flattened : SEGMENT * beyond_once(&cost->segments_left, counts->flattened)) +
        CHORD * counts->chords + STROKE_LINE * more_than(counts->stroke_lines, counts->painted_lines) +
        STRIP_LINE * more_than(counts->visited_lines, counts->painted_lines) +
        STRIP_RUN * more_than(counts->visited_runs, counts->painted_runs);
}

bool part_cost_is_too_high(const part_cost *cost, bool is_last)
{
    return cost->once_ps + cost->extra_ps > (is_last ? SLOWEST : SLOWEST_SO_FAR) * cost->once_ps;
}
