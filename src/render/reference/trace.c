/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/reference/trace.h"

#include <string.h>

#include "lib/element.h"
#include "render/frame/config.h"

_Static_assert((int)PAINT_SOLID == (int)PIETRA_PAINT_SOLID && (int)PAINT_SWEEP == (int)PIETRA_PAINT_SWEEP,
               "other kinds of paint are reported as they are");

/* No frame sees a surface. */
static pietra_paint_kind public_kind(uint kind)
{
    return kind == PAINT_BOX_SHADOW ? PIETRA_PAINT_BOX_SHADOW : (pietra_paint_kind)kind;
}

void trace_note(reference_trace *trace, const trace_event *event)
{
    trace_event *added = array_push(&trace->events);
    if (!added) {
        trace->out_of_memory = true;
        return;
    }
    *added = *event;
}

static void add_step(reference_trace *trace, uint order, const pietra_pixel_step *step)
{
    trace_step *added = array_push(&trace->steps);
    if (!added) {
        trace->out_of_memory = true;
        return;
    }
    *added = (trace_step){order, *step};
}

/* ---- What stage 10 fine did not see ---- */

/* The traced pixel, and the tile and the bin that hold it. */
typedef struct trace_place {
    const reference_frame *frame;
    int x, y;        /* pixel */
    int column, row; /* tile */
    uint tile, bin;  /* indices within the part */
} trace_place;

static trace_place place_of(const reference_frame *frame, const reference_trace *trace)
{
    bin_grid grid = bins_of(frame->config.part);
    trace_place place = {
        .frame = frame, .x = trace->x, .y = trace->y, .column = trace->x >> TILE_SHIFT, .row = trace->y >> TILE_SHIFT};
    place.tile = config_tile_number(&frame->config, place.column, place.row);
    place.bin =
        (uint)(((place.row >> BIN_SHIFT_TILES) - grid.y0) * grid.columns + (place.column >> BIN_SHIFT_TILES) - grid.x0);
    return place;
}

/* Returns the element's index among the visible ones, which stand in the order of elements. Returns NONE if it is not
 * visible. */
static uint visible_of(const reference_frame *frame, uint element)
{
    uint low = 0, high = frame->counters.visible_count;
    while (low < high) {
        uint middle = (low + high) / 2;
        if (frame->visible[middle].element < element)
            low = middle + 1;
        else
            high = middle;
    }
    return low < frame->counters.visible_count && frame->visible[low].element == element ? low : NONE;
}

/* Returns the innermost begin around an element whose own box leaves the pixel out. */
static uint clip_without_pixel(const trace_place *place, uint element)
{
    const reference_frame *frame = place->frame;
    uint rank = reference_context_before(frame, element).context;
    while (rank != NONE && box_has_pixel(frame->clip_events[rank].box, place->x, place->y))
        rank = reference_context_before(frame, frame->clip_events[rank].element).context;
    return rank == NONE ? NONE : frame->clip_events[rank].element;
}

/* Returns the outermost of the begins around an element that have nothing in the tile. */
static uint unopened_begin(const reference_frame *frame, uint element, uint open)
{
    uint begin = frame->visible[visible_of(frame, element)].layer;
    for (uint outer = visible_of(frame, begin); outer != NONE && frame->visible[outer].layer != open;
         outer = visible_of(frame, begin)) {
        begin = frame->visible[outer].layer;
    }
    return begin;
}

/* Returns the index of an element's first tile_path. */
static uint first_tile_path(const reference_frame *frame, uint visible)
{
    uint low = 0, high = frame->counters.tile_path_count;
    while (low < high) {
        uint middle = (low + high) / 2;
        if (frame->tile_paths[middle].visible < visible)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Returns the coverage of the pixel by an element that stage 08 left out of the tile. */
static uint8_t occluded_coverage(const trace_place *place, uint visible)
{
    const reference_frame *frame = place->frame;
    uint8_t coverage[TILE_PIXELS];
    for (uint i = first_tile_path(frame, visible);
         i < frame->counters.tile_path_count && frame->tile_paths[i].visible == visible; i++) {
        const tile_path *r = &frame->tile_paths[i];
        if (r->y == place->row && r->x <= place->column && (r->x == place->column || place->column < r->span_end)) {
            uint command = r->x == place->column ? i : TILE_COMMAND_SOLID | visible;
            reference_command_coverage(frame, &frame->visible[visible], command, place->column, place->row, coverage);
            return coverage[(place->y - place->row * TILE_SIDE) * TILE_SIDE + place->x - place->column * TILE_SIDE];
        }
    }
    return 0;
}

/* Finds what keeps a fill or a stroke from the pixel. Returns false if nothing does. */
static bool explain_missing(const trace_place *place, uint element, pietra_pixel_step *step)
{
    const reference_frame *frame = place->frame;
    uint visible = visible_of(frame, element);
    if (!box_has_pixel(frame->elements[element].box, place->x, place->y))
        return false;
    if (!box_has_pixel(reference_context_before(frame, element).box, place->x, place->y)) {
        step->event = PIETRA_PIXEL_CLIPPED;
        step->other = clip_without_pixel(place, element);
        return true;
    }
    step->event = PIETRA_PIXEL_OCCLUDED;
    if (visible == NONE) {
        step->other = frame->bin_occluders[place->bin] - 1;
        return frame->bin_occluders[place->bin] > element + 1;
    }
    if (frame->tile_occluders[place->tile] <= visible + 1)
        return false;
    step->other = frame->visible[frame->tile_occluders[place->tile] - 1].element;
    step->coverage = occluded_coverage(place, visible);
    return step->coverage > 0;
}

static bool explain_folded(const trace_place *place, uint element, pietra_pixel_step *step)
{
    const element_info *info = &place->frame->elements[element];
    step->event = PIETRA_PIXEL_FOLDS;
    step->kind = PIETRA_PIXEL_CLIP;
    step->coverage = 255;
    return (info->flags & INFO_FOLDED) != 0 && box_has_pixel(info->box, place->x, place->y);
}

/* Finds the step of an element that caused no event at the pixel. Its state follows from `before`, the step before it.
 * Returns false if there is no such step. */
static bool explain_silent(const trace_place *place, uint element, const pietra_pixel_step *before,
                           pietra_pixel_step *step)
{
    uint kind = place->frame->stream.elements[element].kind & ELEMENT_KIND_MASK;
    *step = (pietra_pixel_step){.element = element, .other = NONE, .depth = before->depth, .level = before->level};
    step->kind = kind == ELEMENT_STROKE ? PIETRA_PIXEL_STROKE : PIETRA_PIXEL_FILL;
    memcpy(step->color, before->color, sizeof step->color);
    if (kind == ELEMENT_FILL || kind == ELEMENT_STROKE)
        return explain_missing(place, element, step);
    return kind == ELEMENT_BEGIN_CLIP && explain_folded(place, element, step);
}

/* ---- All ---- */

static void add_event(const reference_frame *frame, reference_trace *trace, const trace_event *event)
{
    pietra_pixel_step step = event->step;
    const stream_element *element = &frame->stream.elements[step.element];
    if (step.event == PIETRA_PIXEL_PAINTS)
        step.paint = public_kind(frame->stream.paints[element->paint].kind);
    else if (step.event == PIETRA_PIXEL_CLIPPED)
        step.other = unopened_begin(frame, step.element, event->open);
    step.has_source = (element->kind & ELEMENT_KIND_MASK) == ELEMENT_BEGIN_CLIP && element->path == STREAM_NONE;
    add_step(trace, event->order, &step);
}

void trace_finish(const reference_frame *frame, reference_trace *trace)
{
    const trace_place place = place_of(frame, trace);
    pietra_pixel_step before = {.level = 255}, step;
    for (int i = 0; i < 4; i++)
        before.color[i] = (uint8_t)(frame->config.background >> (8 * i));
    trace->steps.count = 0;
    size_t next = 0;
    for (uint i = 0; i < frame->stream.header->element_count; i++) {
        bool silent = next == trace->events.count || trace->events.items[next].order != i;
        if (silent && explain_silent(&place, i, &before, &step))
            add_step(trace, i, &step);
        for (; next < trace->events.count && trace->events.items[next].order == i; next++) {
            const trace_event *event = &trace->events.items[next];
            add_event(frame, trace, event);
            before = event->step;
            before.level = event->level;
        }
    }
}

void trace_free(reference_trace *trace)
{
    array_free(&trace->events);
    array_free(&trace->steps);
}
