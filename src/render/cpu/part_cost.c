/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/cpu/part_cost.h"

#include "render/cpu/band.h"
#include "render/frame/config.h"
#include "scene/stream.h"

/* How many times as long, in percent, a frame may seem to take: at first, when little of it is known, and then less and
 * less until LEFT_TO_FINISH percent of it are left. To finish it then costs no more than to refuse it, so it may take
 * somewhat longer again. Less at first would refuse hawaii.svg within 128 KiB, which seems to take 6.5
 * times as long after a sixteenth, and takes three times. */
#define SLOWEST 400u
#define SLOWEST_AT_FIRST 900u
#define SLOWEST_TO_FINISH 500u
#define LEFT_TO_FINISH 25u
/* Where fills hide most of what lies below them, parts are alike, and what the frame takes at once is known early. */
#define SLOWEST_PAINTED_OVER 350u

/* A frame is not refused for less than this, in picoseconds. A frame of a millisecond then takes four times as long. */
#define EXTRA_LEAST 3000000000u

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
#define WALKED_LINE 5000u
/* In parts, in addition: an element that is walked past, a segment, a dash, a chord, a line of a stroked curve, a line
 * and a run in a strip, a pixel. */
#define WALKED_ELEMENT 20000u
#define SEGMENT 11000u
#define DASH 28000u
#define CHORD 45000u
#define STROKE_LINE 63000u
#define STRIP_LINE 20000u
#define STRIP_RUN 100000u
/* A run of a clip in a strip, at once or again. */
#define CLIP 1000000u
#define COPIED_PIXEL 500u
/* Where fills hide most of what lies below them, each batch paints the part as if it were painted so often. */
#define LAYERS_OF_BATCH 2u

/* A pixel of a part, again for each batch. */
#define BATCH_PIXEL 1000u

bool part_cost_prefers_halves(uint64_t pixels, uint64_t batches, uint64_t segments, const cpu_counts *counts)
{
    const uint64_t flattening = SEGMENT * segments + CHORD * counts->chords + STROKE_LINE * counts->stroke_lines;
    return flattening * batches + WALKED_ELEMENT * counts->walked < BATCH_PIXEL * pixels;
}

static uint64_t more_than(uint64_t many, uint64_t some)
{
    return many > some ? many - some : 0;
}

/* Returns the segments that a frame flattens at once: those of paths that elements share count again. */
static uint64_t segments_of(const uint32_t *words)
{
    const stream_view view = stream_view_of(words);
    uint64_t count = 0;
    for (uint i = 0; i < view.header->element_count; i++)
        count += view.elements[i].path != STREAM_NONE ? view.paths[view.elements[i].path].segment_count : 0;
    return count;
}

part_cost part_cost_of(const uint32_t *words, const frame_config *whole, uint64_t budget_bytes)
{
    const stream_header *header = (const stream_header *)words;
    const pixel_box all = config_pixels(whole);
    const uint64_t width = (uint64_t)(all.x1 - all.x0), pixels = width * (uint64_t)(all.y1 - all.y0);
    const uint pitch = (uint)width + COVERAGE_OVERRUN;
    part_cost cost = {.has_dashes = header->dashed_count > 0,
                      .elements_left = header->element_count,
                      .unseen_elements = header->element_count,
                      .segments_left = segments_of(words),
                      .touches_within = cpu_touches_within(budget_bytes, pitch),
                      .touches_at_once = cpu_touches_at_once(pitch)};
    cost.once_ps = WALKED_ELEMENT * (uint64_t)header->element_count + ONCE_PIXEL * pixels;
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

/* Runs of clips are seen again as often as others. */
static void add_clips(part_cost *cost, const cpu_counts *counts)
{
    if (counts->visited_runs == 0)
        return;
    const uint64_t once = counts->visited_clips * counts->painted_runs / counts->visited_runs;
    cost->once_ps += CLIP * once;
    cost->extra_ps += CLIP * more_than(counts->visited_clips, once);
}

/* Elements and segments that the frame does not show cost nothing at once but to be walked past. Parts prepare an
 * element twice. */
static void add_preparing(part_cost *cost, const cpu_counts *counts)
{
    const uint64_t seen = counts->prepared / 2u;
    cost->once_ps += ONCE_ELEMENT * (seen - beyond_once(&cost->unseen_elements, seen)) +
                     ONCE_SEGMENT * (counts->flattened < cost->segments_left ? counts->flattened : cost->segments_left);
}

void part_cost_add(part_cost *cost, const cpu_counts *counts)
{
    cost->box_pixels = counts->box_pixels > cost->box_pixels ? counts->box_pixels : cost->box_pixels;
    cost->painted_pixels += counts->painted_pixels;
    cost->is_painted_over = cost->is_painted_over || counts->is_painted_over;
    add_preparing(cost, counts);
    add_painting(cost, counts);
    add_sampling(cost, counts);
    add_clips(cost, counts);
    cost->extra_ps +=
        WALKED_ELEMENT * beyond_once(&cost->elements_left, counts->walked) +
        (cost->has_dashes ? DASH * counts->flattened : SEGMENT * beyond_once(&cost->segments_left, counts->flattened)) +
        CHORD * counts->chords + STROKE_LINE * more_than(counts->stroke_lines, counts->painted_lines) +
        STRIP_LINE * more_than(counts->visited_lines, counts->painted_lines) +
        STRIP_RUN * more_than(counts->visited_runs, counts->painted_runs);
}

/* Returns how many times as long a frame may seem to take, in percent, when that much of it is left, in percent. */
static uint64_t slowest_of(const part_cost *cost, uint64_t left)
{
    if (left < LEFT_TO_FINISH)
        return SLOWEST_TO_FINISH;
    if (cost->is_painted_over)
        return SLOWEST_PAINTED_OVER;
    const uint64_t most = 100u - LEFT_TO_FINISH, more = left - LEFT_TO_FINISH;
    return SLOWEST + (SLOWEST_AT_FIRST - SLOWEST) * more * more * more / (most * most * most);
}

/* Returns how much of the frame is left, in percent. What has been drawn says little of a frame if it is empty. */
static uint64_t left_of(const part_cost *cost, uint64_t tiles_left, uint64_t tiles)
{
    const uint64_t empty = 100u * tiles_left / tiles;
    if (tiles_left == 0 || cost->is_painted_over || cost->box_pixels == 0)
        return empty;
    const uint64_t unpainted = 100u * more_than(cost->box_pixels, cost->painted_pixels) / cost->box_pixels;
    return unpainted > empty ? unpainted : empty;
}

bool part_cost_is_too_high(const part_cost *cost, uint64_t tiles_left, uint64_t tiles)
{
    const uint64_t most = slowest_of(cost, left_of(cost, tiles_left, tiles));
    return cost->extra_ps >= EXTRA_LEAST && cost->extra_ps > cost->once_ps / 100u * (most - 100u);
}
