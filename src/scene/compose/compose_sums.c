/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The sums of a composition's stream: those of the streams that it shows, each in its places. */
#include "base/transform.h"
#include "lib/element_kind.h"
#include "scene/compose/composition.h"

/* Products of larger numbers do not fit into a stream, which limits them. */
#define NUMBER_MOST 1e17

static bool is_within(const sums_part *part)
{
    double most = 0;
    for (const double *number = &part->transform.a; number <= &part->transform.f; number++)
        most = fabs(*number) > most ? fabs(*number) : most;
    return most * (double)part->sums->largest <= NUMBER_MOST;
}

static bool set_part(sums_part *part, const stream_sums *shown, pietra_transform t)
{
    *part = (sums_part){.sums = shown, .transform = t, .box = sums_box_in(&t, shown->box)};
    return is_within(part);
}

/* Returns the transform that makes a box of the unit square. */
static pietra_transform square_to(pietra_box box)
{
    return (pietra_transform){box.x1 - box.x0, 0, 0, box.y1 - box.y0, box.x0, box.y0};
}

static bool has_part_of_group(const compose_shown *shown)
{
    return shown->has_group && box_is_something(shown->box);
}

/* Sets the parts of an instance: its layers, and what it shows. */
static bool set_parts(pietra_composition *composition, const compose_shown *shown)
{
    sums_part *part = &composition->parts.items[shown->first_part];
    bool fits = true;
    if (shown->has_clip)
        fits = set_part(part++, &composition->clip.sums, square_to(shown->look.clip));
    if (has_part_of_group(shown))
        fits =
            set_part(part++, &composition->group.sums, square_to(transform_box(shown->look.transform, shown->box))) &&
            fits;
    return set_part(part, &composition->sources.items[shown->source].sums, shown->look.transform) && fits;
}

/* Adds an instance. There is room for its parts. */
static bool add_shown(pietra_composition *composition, compose_shown *shown)
{
    stream_sums *all = &composition->composed.sums;
    compose_source *source = &composition->sources.items[shown->source];
    if (source->sums.id == 0 && !stream_sums_make(source->stream, &source->sums))
        return false;
    const uint32_t depth = source->sums.depth + compose_layers(shown);
    all->depth = depth > all->depth ? depth : all->depth;
    all->is_complex = all->is_complex || source->sums.is_complex || source->blends;
    all->is_bounded = all->is_bounded && source->sums.is_bounded;
    shown->first_part = (uint32_t)composition->parts.count;
    composition->parts.count += 1u + shown->has_clip + has_part_of_group(shown);
    return set_parts(composition, shown);
}

static void sum_layer(const pietra_composition *composition, uint32_t kind, uint32_t path, compose_layer *layer)
{
    const stream_view view = stream_view_of(stream_words(composition->stream));
    const stream_element element = {.kind = kind,
                                    .path = path,
                                    .style = STREAM_NONE,
                                    .paint = STREAM_NONE,
                                    .transform = COMPOSE_IDENTITY,
                                    .box_x1 = 1,
                                    .box_y1 = 1};
    layer->sums = stream_sums_of_layer(&view, &element, &layer->element);
}

static bool make_sums(pietra_composition *composition)
{
    compose_plan *plan = &composition->plan;
    composition->parts.count = 0;
    composition->composed.sums = (stream_sums){.id = stream_id(composition->stream), .is_bounded = true};
    sum_layer(composition, ELEMENT_BEGIN_CLIP | ELEMENT_RECT, COMPOSE_SQUARE, &composition->clip);
    sum_layer(composition, ELEMENT_BEGIN_GROUP, STREAM_NONE, &composition->group);
    if (!array_reserve(&composition->parts, 3 * plan->shown.count))
        return false;
    for (size_t i = 0; i < plan->shown.count; i++)
        if (!add_shown(composition, &plan->shown.items[i]))
            return false;
    composition->composed.sums.parts = composition->parts.items;
    composition->composed.sums.part_count = composition->parts.count;
    return true;
}

void compose_make_sums(pietra_composition *composition)
{
    composed_sums *composed = &composition->composed;
    composition->stream->composed = composed;
    composed->are_made = atomic_load_explicit(&composed->are_wanted, memory_order_relaxed) && make_sums(composition);
}

void compose_move_sums(pietra_composition *composition)
{
    composed_sums *composed = &composition->composed;
    composed->sums.id = stream_id(composition->stream);
    for (size_t i = 0; i < composition->changes.count && composed->are_made; i++)
        composed->are_made =
            set_parts(composition, &composition->plan.shown.items[composition->changes.items[i].shown]);
}
