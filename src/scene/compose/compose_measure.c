/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Looks at all instances: whether their numbers can be used, what they show, and how much of everything the whole
 * takes. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "base/transform.h"
#include "scene/color.h"
#include "scene/compose/composition.h"

#define NUMBER_MOST 1e17
#define WORDS_OF(type) (sizeof(type) / sizeof(uint32_t))

/* An instance of the call. */
typedef struct measured {
    pietra_composition *composition;
    const pietra_instance *instance;
    size_t number;
    pietra_error *error;
} measured;

#define REFUSE(measured, ...) refuse((measured), PIETRA_ERROR_INPUT, __VA_ARGS__)

static pietra_result refuse(const measured *m, pietra_result result, const char *what)
{
    return error_set(m->error, result, 0, "instance %zu: %s", m->number, what);
}

static pietra_result refuse_size(const measured *m)
{
    return refuse(m, PIETRA_ERROR_MEMORY, "out of memory, or more than fits into a stream");
}

static bool are_usable(const double *numbers, size_t count)
{
    bool usable = true;
    for (size_t i = 0; i < count; i++)
        usable = usable && fabs(numbers[i]) <= NUMBER_MOST;
    return usable;
}

static pietra_result check_instance(const measured *m)
{
    const pietra_instance *instance = m->instance;
    if (!instance->stream)
        return REFUSE(m, "its stream is NULL");
    if (instance->stream == m->composition->stream)
        return REFUSE(m, "it shows the composition's own stream");
    if (!are_usable(&instance->transform.a, 6))
        return REFUSE(m, "a number of its transform is not finite or too large");
    if (!isfinite(instance->transparency))
        return REFUSE(m, "its transparency is not finite");
    if (!are_usable(&instance->clip.x0, 4))
        return REFUSE(m, "a number of its clip is not finite or too large");
    if (!instance->slots && instance->slot_count > 0)
        return REFUSE(m, "its slots are NULL");
    return PIETRA_OK;
}

static bool has_clip(const pietra_instance *instance)
{
    const pietra_box *clip = &instance->clip;
    return clip->x0 != 0 || clip->y0 != 0 || clip->x1 != 0 || clip->y1 != 0;
}

/* Returns the opacity with which a group's layer is composited, as scenes have it. */
static uint32_t opacity_of(const pietra_instance *instance)
{
    return color_byte(color_clamp(1.0f - instance->transparency));
}

static bool shows_nothing(const pietra_instance *instance)
{
    return stream_get_header(instance->stream)->element_count == 0 || opacity_of(instance) == 0 ||
           transform_is_singular(transform_of_field(instance->transform)) ||
           (has_clip(instance) && box_is_empty(instance->clip));
}

static bool add_count(uint32_t *count, uint32_t more)
{
    if (more > STREAM_MAX_COUNT - *count)
        return false;
    *count += more;
    return true;
}

/* Counts what a stream brings once. */
static pietra_result add_source(const measured *m, uint32_t index)
{
    compose_plan *next = &m->composition->next;
    compose_source *source = &m->composition->sources.items[index];
    const stream_header *header = stream_get_header(m->instance->stream);
    stream_header *total = &next->total;
    source->call = m->composition->call;
    source->stream = m->instance->stream;
    source->first = *total;
    if (!add_count(&total->path_count, header->path_count) ||
        !add_count(&total->segment_count, header->segment_count) ||
        !add_count(&total->point_count, header->point_count) || !add_count(&total->style_count, header->style_count) ||
        !add_count(&total->dash_count, header->dash_count) || !add_count(&total->paint_count, header->paint_count) ||
        !add_count(&total->stop_count, header->stop_count) ||
        !add_count(&total->mip_level_count, header->mip_level_count) ||
        !add_count(&total->box_shadow_count, header->box_shadow_count) ||
        !add_count(&total->surface_count, header->surface_count) ||
        !add_count(&total->surface_word_count, header->surface_word_count) ||
        !add_count(&total->texel_count, header->texel_count) || !array_reserve(&next->ids, 1) ||
        !array_reserve(&next->sources, 1)) {
        return refuse_size(m);
    }
    next->words += header->word_count;
    next->ids.items[next->ids.count++] = source->id;
    next->sources.items[next->sources.count++] = index;
    return PIETRA_OK;
}

/* Gives a colour a paint of its own, or one that another instance has. */
static bool add_color(pietra_composition *composition, uint32_t color, uint32_t *index)
{
    compose_plan *next = &composition->next;
    uint32_t *known = &composition->color_table[color * 0x9e3779b1u >> 24];
    if (*known >= next->colors.count || next->colors.items[*known] != color) {
        uint32_t *added = array_push(&next->colors);
        if (!added)
            return false;
        *added = color;
        next->words += WORDS_OF(stream_paint);
        *known = (uint32_t)(next->colors.count - 1);
    }
    *index = *known;
    return true;
}

/* Finds the colours that stand in place of the stream's slots. */
static pietra_result add_repaints(const measured *m, uint32_t *first)
{
    compose_plan *next = &m->composition->next;
    const stream_view view = stream_view_of(stream_words(m->instance->stream));
    const uint32_t count = view.header->paint_count;
    if (next->repaints.count > STREAM_MAX_COUNT || !array_reserve(&next->repaints, count))
        return refuse_size(m);
    *first = (uint32_t)next->repaints.count;
    for (uint32_t i = 0; i < count; i++) {
        const stream_paint *paint = &view.paints[i];
        uint32_t *repaint = &next->repaints.items[*first + i];
        *repaint = STREAM_NONE;
        if (paint->kind != PAINT_SOLID || paint->first_stop == 0 || paint->first_stop > m->instance->slot_count)
            continue;
        const pietra_color *color = &m->instance->slots[paint->first_stop - 1];
        if (!color_is_finite(color))
            return REFUSE(m, "a colour of its slots is not finite");
        if (!add_color(m->composition, color_of_channels(color, (float)paint->opacity / 255.0f), repaint))
            return refuse_size(m);
    }
    next->repaints.count += count;
    return PIETRA_OK;
}

/* Counts what stands in the whole for each instance. */
static bool add_copies(compose_plan *next, const stream_header *header, const compose_shown *shown)
{
    stream_header *total = &next->total;
    next->words += (uint64_t)header->element_count * WORDS_OF(stream_element) +
                   (uint64_t)header->transform_count * WORDS_OF(stream_transform) +
                   (uint64_t)header->effect_count * WORDS_OF(stream_effect) +
                   (uint64_t)header->effect_step_count * WORDS_OF(stream_effect_step) + header->effect_value_count +
                   4 * WORDS_OF(stream_element) + WORDS_OF(stream_transform);
    next->tasks += header->task_count;
    if (shown->has_clip)
        next->tasks += 4;
    total->clip_event_count += header->clip_event_count + 2 * compose_layers(shown);
    total->dashed_count += header->dashed_count;
    return next->tasks <= STREAM_MAX_COUNT && next->words <= UINT32_MAX &&
           add_count(&total->element_count, header->element_count + 2 * compose_layers(shown)) &&
           add_count(&total->transform_count, header->transform_count + shown->has_clip) &&
           add_count(&total->effect_count, header->effect_count) &&
           add_count(&total->effect_step_count, header->effect_step_count) &&
           add_count(&total->effect_value_count, header->effect_value_count);
}

static void set_look(const pietra_instance *instance, const compose_source *source, compose_shown *shown)
{
    const bool has_slots = source->has_slots && instance->slot_count > 0;
    shown->look = (compose_look){
        .stream = source->id,
        .transform = transform_of_field(instance->transform),
        .clip = instance->clip,
        .layers = shown->opacity << 2 | (uint32_t)shown->has_group << 1 | shown->has_clip,
        .slots = has_slots ? hash_checksum(instance->slots, instance->slot_count * sizeof *instance->slots) : 0,
    };
    shown->box = source->box;
    shown->reach = source->reach;
}

static pietra_result add_instance(const measured *m)
{
    compose_plan *next = &m->composition->next;
    const pietra_stream *stream = m->instance->stream;
    const stream_header *header = stream_get_header(stream);
    uint32_t index;
    if (!compose_find_source(m->composition, stream, &index))
        return refuse_size(m);
    if (m->composition->sources.items[index].call != m->composition->call) {
        const pietra_result result = add_source(m, index);
        if (result != PIETRA_OK)
            return result;
    }
    compose_source *source = &m->composition->sources.items[index];
    const uint32_t opacity = opacity_of(m->instance);
    compose_shown shown = {
        .instance = m->number,
        .id = m->instance->id,
        .source = index,
        .first_element = next->total.element_count,
        .first_transform = next->total.transform_count,
        .first_effect = next->total.effect_count,
        .first_effect_step = next->total.effect_step_count,
        .first_effect_value = next->total.effect_value_count,
        .element_count = header->element_count,
        .first_repaint = STREAM_NONE,
        .transparency = m->instance->transparency,
        .opacity = opacity,
        .has_slots = source->has_slots,
        .has_clip = has_clip(m->instance),
        .has_group = m->instance->transparency > 0 && (opacity < 255u || source->blends),
    };
    if (source->has_slots && m->instance->slot_count > 0) {
        const pietra_result result = add_repaints(m, &shown.first_repaint);
        if (result != PIETRA_OK)
            return result;
    }
    compose_find_box(source);
    set_look(m->instance, source, &shown);
    if (!add_copies(next, header, &shown) || next->colors.count > STREAM_MAX_COUNT - next->total.paint_count)
        return refuse_size(m);
    next->has_labels = next->has_labels || stream->label_count > 0;
    next->shows_below = next->shows_below || shown.reach == COMPOSE_REACHES_BELOW;
    next->shown.items[next->shown.count++] = shown; /* there is room for all */
    return PIETRA_OK;
}

static void begin_plan(compose_plan *next)
{
    next->shown.count = next->ids.count = next->sources.count = next->repaints.count = next->colors.count = 0;
    next->total = (stream_header){.path_count = COMPOSE_SQUARE + 1,
                                  .segment_count = 4,
                                  .point_count = 5,
                                  .transform_count = COMPOSE_IDENTITY + 1};
    next->words =
        STREAM_HEADER_WORDS + WORDS_OF(stream_path) + 1 + 10 + WORDS_OF(stream_transform) + STREAM_TEXEL_ALIGNMENT;
    next->tasks = 0;
    next->has_labels = next->shows_below = false;
}

pietra_result compose_measure(pietra_composition *composition, const pietra_instance *instances, size_t count,
                              pietra_error *error)
{
    compose_plan *next = &composition->next;
    begin_plan(next);
    if (!array_reserve(&next->shown, count))
        return error_set_memory(error);
    for (size_t i = 0; i < count; i++) {
        const measured m = {composition, &instances[i], i, error};
        pietra_result result = check_instance(&m);
        if (result == PIETRA_OK && !shows_nothing(m.instance))
            result = add_instance(&m);
        if (result != PIETRA_OK)
            return result;
    }
    next->total.paint_count += (uint32_t)next->colors.count;
    return PIETRA_OK;
}

/* ---- Instances as before ---- */

static bool has_same_slots(const compose_shown *shown, const pietra_instance *instance)
{
    if (!instance->slots && instance->slot_count > 0)
        return false; /* which is refused */
    if (!shown->has_slots || instance->slot_count == 0)
        return shown->first_repaint == STREAM_NONE;
    return shown->first_repaint != STREAM_NONE &&
           hash_checksum(instance->slots, instance->slot_count * sizeof *instance->slots) == shown->look.slots;
}

/* Returns whether an instance has the place of the shown one, and differs in its transform and its clip alone. */
static bool is_alike(const compose_shown *shown, const pietra_instance *instance)
{
    return instance->stream && stream_id(instance->stream) == shown->look.stream &&
           memcmp(&instance->transparency, &shown->transparency, sizeof shown->transparency) == 0 &&
           has_same_slots(shown, instance);
}

static bool is_in_place(const compose_shown *shown, const pietra_instance *instance)
{
    return memcmp(&instance->transform, &shown->look.transform, sizeof shown->look.transform) == 0 &&
           memcmp(&instance->clip, &shown->look.clip, sizeof shown->look.clip) == 0;
}

bool compose_find_changes(pietra_composition *composition, const pietra_instance *instances, size_t count)
{
    const compose_plan *plan = &composition->plan;
    composition->changes.count = 0;
    if (plan->shown.count != count || !array_reserve(&composition->changes, count))
        return false;
    for (size_t i = 0; i < count; i++) {
        const compose_shown *shown = &plan->shown.items[i];
        const pietra_instance *instance = &instances[i];
        if (!is_alike(shown, instance))
            return false;
        if (is_in_place(shown, instance))
            continue;
        const measured m = {composition, instance, i, NULL};
        if (check_instance(&m) != PIETRA_OK || has_clip(instance) != shown->has_clip || shows_nothing(instance))
            return false;
        compose_change *change = &composition->changes.items[composition->changes.count];
        *change = (compose_change){.shown = i, .look = shown->look};
        change->look.transform = transform_of_field(instance->transform); /* all zeros and the identity are the same */
        change->look.clip = instance->clip;
        composition->changes.count += memcmp(&change->look, &shown->look, sizeof shown->look) != 0;
    }
    return true;
}
