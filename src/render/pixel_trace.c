/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/pixel_trace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/transform.h"
#include "lib/element_kind.h"
#include "render/frame/config.h"
#include "render/reference/effect_reference.h"
#include "render/reference/reference_renderer.h"
#include "render/reference/trace.h"
#include "render/sheets.h"

/* What happens at one element, in this order. */
enum { RANK_END, RANK_STEP, RANK_BEGIN };

typedef struct ranked_step {
    uint32_t order, rank;
    size_t number; /* of the step among all, as they were found */
    pietra_pixel_step step;
} ranked_step;

typedef struct tracer {
    stream_view view; /* of the stream in which the effects stand */
    bool has_place;
    double x, y; /* the middle of the pixel, in the stream's units */
    uint8_t background[4];
    bool out_of_memory;
    ARRAY(ranked_step) found;
    ARRAY(pietra_pixel_step) around; /* the step before each source that is open */
} tracer;

static uint32_t kind_of(const tracer *tracer, uint32_t element)
{
    return tracer->view.elements[element].kind & ELEMENT_KIND_MASK;
}

static void color_of_pixel(uint32_t pixel, uint8_t color[4])
{
    for (int i = 0; i < 4; i++)
        color[i] = (uint8_t)(pixel >> (8 * i));
}

/* ---- Steps that were found ---- */

static void add_found(tracer *tracer, uint32_t order, uint32_t rank, const pietra_pixel_step *step)
{
    const size_t number = tracer->found.count;
    ranked_step *added = array_push(&tracer->found);
    if (added)
        *added = (ranked_step){order, rank, number, *step};
    else
        tracer->out_of_memory = true;
}

static uint32_t effect_end(const tracer *tracer, uint32_t begin)
{
    uint32_t end = begin, open = 1;
    while (open > 0) {
        end++;
        open += kind_begins_effect(kind_of(tracer, end));
        open -= kind_ends_effect(kind_of(tracer, end));
    }
    return end;
}

/* Adds the steps of a picture whose first element is `begin` of the stream. An effect's image is painted where the
 * effect ends, after what it was made of. */
static void add_steps(tracer *tracer, const reference_trace *trace, uint32_t begin)
{
    for (size_t i = 0; i < trace->steps.count; i++) {
        pietra_pixel_step step = trace->steps.items[i].step;
        uint32_t order = begin + trace->steps.items[i].order;
        step.element += begin;
        if (step.other != PIETRA_NO_ELEMENT)
            step.other += begin;
        if (kind_of(tracer, order) == ELEMENT_BEGIN_EFFECT) {
            step.kind = PIETRA_PIXEL_EFFECT;
            order = effect_end(tracer, order);
        }
        add_found(tracer, order, RANK_STEP, &step);
    }
}

/* ---- Sources of effects ---- */

/* Returns the effect of a source, which stands before its elements, and before the pictures in front of them. */
static uint32_t effect_of_source(const tracer *tracer, uint32_t begin)
{
    uint32_t element = begin, closed = 0;
    do {
        element--;
        if (kind_ends_effect(kind_of(tracer, element)))
            closed++;
        else if (kind_begins_effect(kind_of(tracer, element)) && closed > 0)
            closed--;
        else if (kind_of(tracer, element) == ELEMENT_BEGIN_EFFECT)
            return element;
    } while (element > 0);
    return element;
}

/* Returns false if the sheet does not have the texel at the place of the pixel. */
static bool find_texel(const tracer *tracer, const frame_config *config, reference_trace *trace)
{
    const tile_box part = config->part;
    double x = tracer->x, y = tracer->y;
    transform_point(config_widened(&config->transform), &x, &y);
    if (!tracer->has_place ||
        !(x >= part.x0 * TILE_SIDE && x < part.x1 * TILE_SIDE && y >= part.y0 * TILE_SIDE && y < part.y1 * TILE_SIDE))
        return false;
    trace->x = (int)floor(x);
    trace->y = (int)floor(y);
    return true;
}

static void add_source(tracer *tracer, const reference_trace *trace, uint32_t begin, uint32_t end, uint32_t pixel)
{
    pietra_pixel_step step = {.event = PIETRA_PIXEL_BEGINS,
                              .kind = PIETRA_PIXEL_EFFECT,
                              .element = effect_of_source(tracer, begin),
                              .other = PIETRA_NO_ELEMENT,
                              .coverage = 255,
                              .level = 255,
                              .is_picture = kind_of(tracer, begin - 1) == ELEMENT_BEGIN_EFFECT_PICTURE};
    add_found(tracer, begin - 1, RANK_BEGIN, &step);
    add_steps(tracer, trace, begin);
    step.event = PIETRA_PIXEL_ENDS;
    color_of_pixel(pixel, step.source);
    add_found(tracer, end, RANK_END, &step);
}

/* The stream shows the elements of one source alone (made_stream_show). */
static uint32_t first_element(const tracer *tracer, const pietra_stream *shown)
{
    const uint32_t words = stream_get_header(shown)->elements - tracer->view.header->elements;
    return words / (uint32_t)(sizeof(stream_element) / sizeof(uint32_t));
}

static pietra_result draw_sheet(void *user, const pietra_stream *stream, const frame_config *config,
                                part_budget *budget, pietra_error *error, uint32_t *pixels)
{
    tracer *tracer = user;
    const uint32_t begin = first_element(tracer, stream), end = begin + stream_get_header(stream)->element_count;
    reference_trace trace = {.out_of_memory = false};
    const bool has_texel = find_texel(tracer, config, &trace);
    pietra_stats stats = {.parts = 0};
    part_budget own = part_budget_of(budget->bytes);
    own.watch = budget->watch;
    uint32_t *drawn;
    pietra_result result = reference_draw(stream, config, &own, NULL, has_texel ? &trace : NULL, error, &stats, &drawn);
    tracer->out_of_memory |= trace.out_of_memory;
    if (result == PIETRA_OK) {
        memcpy(pixels, drawn, (size_t)config_target_pixels(config) * sizeof *pixels);
        free(drawn);
        if (trace.steps.count > 0) {
            const size_t row = (size_t)(trace.y - config->part.y0 * TILE_SIDE);
            add_source(tracer, &trace, begin, end,
                       pixels[row * config->target_pitch + (size_t)(trace.x - config->part.x0 * TILE_SIDE)]);
        }
    }
    trace_free(&trace);
    return result;
}

/* ---- Steps in order ---- */

static int compare_steps(const void *a, const void *b)
{
    const ranked_step *first = a, *second = b;
    if (first->order != second->order)
        return first->order < second->order ? -1 : 1;
    if (first->rank != second->rank)
        return first->rank < second->rank ? -1 : 1;
    return first->number < second->number ? -1 : 1;
}

/* Sets what follows from the steps around a source. `before` is the step before this one. */
static bool place_step(tracer *tracer, const ranked_step *found, const pietra_pixel_step *before,
                       pietra_pixel_step *step)
{
    *step = found->step;
    if (found->rank == RANK_END) {
        const pietra_pixel_step *around = &tracer->around.items[--tracer->around.count];
        memcpy(step->color, around->color, sizeof step->color);
        step->depth = around->depth;
        return true;
    }
    if (found->rank == RANK_BEGIN) {
        pietra_pixel_step *around = array_push(&tracer->around);
        if (!around)
            return false;
        *around = *before;
    }
    if (tracer->around.count > 0)
        step->depth += array_last(&tracer->around)->depth + 1;
    return true;
}

static bool order_steps(tracer *tracer, pixel_trace *trace)
{
    pietra_pixel_step before = {.level = 255};
    memcpy(before.color, tracer->background, sizeof before.color);
    if (tracer->found.count > 0)
        qsort(tracer->found.items, tracer->found.count, sizeof *tracer->found.items, compare_steps);
    for (size_t i = 0; i < tracer->found.count; i++) {
        pietra_pixel_step *step = array_push(&trace->steps);
        if (!step || !place_step(tracer, &tracer->found.items[i], &before, step))
            return false;
        before = *step;
    }
    return true;
}

/* ---- All ---- */

static pietra_result draw_frame(tracer *tracer, const pietra_stream *stream, const frame_config *config,
                                part_budget *budget, parallel_pool *pool, reference_trace *trace, pietra_error *error,
                                uint32_t **pixels)
{
    const sheet_device sheets = {.draw = draw_sheet, .user = tracer, .functions = effect_reference()};
    pietra_stats stats = {.parts = 0};
    pietra_stream *made = NULL;
    sheet_needs needs;
    pietra_result result = PIETRA_OK;
    if (stream_get_header(stream)->effect_count > 0)
        result = sheets_draw(&sheets, stream, config, budget, error, &needs, &made);
    if (result == PIETRA_OK && part_budget_is_raised(budget))
        result = part_budget_error(budget, error);
    if (result == PIETRA_OK) {
        part_budget own = part_budget_of(budget->bytes);
        own.watch = budget->watch;
        result = reference_draw(made ? made : stream, config, &own, pool, trace, error, &stats, pixels);
    }
    pietra_stream_destroy(made);
    return result;
}

pietra_result pixel_trace_draw(const pietra_stream *stream, const frame_config *config, part_budget *budget,
                               parallel_pool *pool, int x, int y, pietra_error *error, pixel_trace *trace,
                               uint32_t **pixels)
{
    tracer tracer = {.view = stream_view_of(stream_words(stream)), .x = x + 0.5, .y = y + 0.5};
    reference_trace of_frame = {.x = x, .y = y};
    pietra_transform to_scene;
    tracer.has_place = transform_invert(config_widened(&config->transform), &to_scene);
    if (tracer.has_place)
        transform_point(to_scene, &tracer.x, &tracer.y);
    color_of_pixel(config->background, tracer.background);
    pietra_result result = draw_frame(&tracer, stream, config, budget, pool, &of_frame, error, pixels);
    if (result == PIETRA_OK) {
        add_steps(&tracer, &of_frame, 0);
        if (of_frame.out_of_memory || tracer.out_of_memory || !order_steps(&tracer, trace)) {
            free(*pixels);
            result = error_set_memory(error);
        }
    }
    trace_free(&of_frame);
    array_free(&tracer.found);
    array_free(&tracer.around);
    return result;
}

void pixel_trace_free(pixel_trace *trace)
{
    array_free(&trace->steps);
}
