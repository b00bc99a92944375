/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Writes the stream of instances that were measured. */
#include <stdlib.h>
#include <string.h>

#include "base/transform.h"
#include "lib/element_kind.h"
#include "scene/compose/composition.h"
#include "scene/limit.h"
#include "scene/rules.h"

#define ARRAY_OF(stream, type, name) ((type *)((stream)->words + stream_get_header(stream)->name))

/* ---- What stands in the whole once for each stream ---- */

/* Copies an array of a source behind those of the sources before it. Returns its place. */
#define COPY_ARRAY(made, source, view, type, name, counter, numbers) \
    ((type *)memcpy(ARRAY_OF(made, type, name) + (numbers) * (size_t)(source)->first.counter, (view)->name, \
                    (numbers) * (size_t)(view)->header->counter * sizeof(type)))

static void copy_paints(pietra_stream *made, const compose_source *source, const stream_view *view)
{
    const stream_header *first = &source->first;
    stream_paint *paints = COPY_ARRAY(made, source, view, stream_paint, paints, paint_count, 1);
    for (uint32_t i = 0; i < view->header->paint_count; i++)
        if (paints[i].kind == PAINT_IMAGE)
            paints[i].first_stop += first->mip_level_count;
        else if (paints[i].kind == PAINT_SURFACE)
            paints[i].first_stop += first->surface_count;
        else if (paints[i].kind == PAINT_BOX_SHADOW)
            paints[i].first_stop += first->box_shadow_count;
        else if (paints[i].kind != PAINT_SOLID)
            paints[i].first_stop += first->stop_count;
}

static void copy_source(pietra_stream *made, const compose_source *source)
{
    const stream_view view = stream_view_of(stream_words(source->stream));
    const stream_header *header = view.header, *first = &source->first;
    stream_path *paths = COPY_ARRAY(made, source, &view, stream_path, paths, path_count, 1);
    stream_style *styles = COPY_ARRAY(made, source, &view, stream_style, styles, style_count, 1);
    stream_mip_level *levels = COPY_ARRAY(made, source, &view, stream_mip_level, mip_levels, mip_level_count, 1);
    stream_surface *surfaces = COPY_ARRAY(made, source, &view, stream_surface, surfaces, surface_count, 1);
    COPY_ARRAY(made, source, &view, uint8_t, tags, segment_count, 1);
    COPY_ARRAY(made, source, &view, float, points, point_count, 2);
    COPY_ARRAY(made, source, &view, float, dashes, dash_count, 1);
    COPY_ARRAY(made, source, &view, stream_stop, stops, stop_count, 1);
    COPY_ARRAY(made, source, &view, stream_box_shadow, box_shadows, box_shadow_count, 1);
    COPY_ARRAY(made, source, &view, uint32_t, surface_words, surface_word_count, 1);
    COPY_ARRAY(made, source, &view, uint32_t, texels, texel_count, 1);
    for (uint32_t i = 0; i < header->path_count; i++) {
        paths[i].first_segment += first->segment_count;
        paths[i].first_point += first->point_count;
    }
    for (uint32_t i = 0; i < header->style_count; i++)
        styles[i].first_dash += styles[i].dash_count > 0 ? first->dash_count : 0u;
    for (uint32_t i = 0; i < header->mip_level_count; i++)
        levels[i].first_texel += first->texel_count;
    /* Their streams refer to one another from where they stand, so they move as one. */
    for (uint32_t i = 0; i < header->surface_count; i++)
        surfaces[i].first_word += first->surface_word_count;
    copy_paints(made, source, &view);
}

static void write_square(pietra_stream *made)
{
    static const float corners[5][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}, {0, 0}};
    static const uint8_t tags[4] = {1u | TAG_CLOSED | TAG_FIRST, 1u | TAG_CLOSED, 1u | TAG_CLOSED,
                                    1u | TAG_CLOSED | TAG_LAST};
    ARRAY_OF(made, stream_path, paths)[COMPOSE_SQUARE] = (stream_path){.segment_count = 4, .point_count = 5};
    memcpy(ARRAY_OF(made, float, points), corners, sizeof corners);
    memcpy(ARRAY_OF(made, uint8_t, tags), tags, sizeof tags);
}

static void write_shared(pietra_composition *composition)
{
    pietra_stream *made = composition->stream;
    const compose_plan *next = &composition->next;
    const stream_header *header = stream_get_header(made);
    const uint32_t surfaces_end = header->surface_words + header->surface_word_count;
    /* The last word of tags may have fewer than four. */
    made->words[header->points - 1] = 0;
    memset(made->words + surfaces_end, 0, (header->texels - surfaces_end) * sizeof(uint32_t));
    for (size_t i = 0; i < next->sources.count; i++)
        copy_source(made, &composition->sources.items[next->sources.items[i]]);
    write_square(made);
}

/* ---- What stands in the whole for each instance ---- */

/* Where the next instance's go. */
typedef struct compose_writer {
    const compose_plan *next;
    pietra_stream *made;
    uint32_t first_color; /* the paint of the first colour */
    uint32_t element, transform, effect, effect_step, effect_value;
    uint32_t occluders;
} compose_writer;

static const stream_element bare = {
    .path = STREAM_NONE, .style = STREAM_NONE, .paint = STREAM_NONE, .transform = COMPOSE_IDENTITY, .opacity = 255u};

static void set_box(stream_element *element, pietra_box box)
{
    element->box_x0 = limit_down(box.x0);
    element->box_y0 = limit_down(box.y0);
    element->box_x1 = limit_up(box.x1);
    element->box_y1 = limit_up(box.y1);
}

/* Moves a box that is in units of the instance's stream. An empty one stays. */
static void move_box(stream_element *element, pietra_transform outer)
{
    const pietra_box box = {element->box_x0, element->box_y0, element->box_x1, element->box_y1};
    if (box.x0 <= box.x1 && box.y0 <= box.y1)
        set_box(element, transform_box(outer, box));
}

/* Composes transforms in double precision. */
static void write_transforms(compose_writer *writer, const stream_view *from, pietra_transform m)
{
    stream_transform *made = ARRAY_OF(writer->made, stream_transform, transforms) + writer->transform;
    for (uint32_t i = 0; i < from->header->transform_count; i++) {
        const stream_transform t = from->transforms[i];
        const double e = (double)t.e + t.e_low, f = (double)t.f + t.f_low;
        made[i].a = limit_to_float(m.a * t.a + m.c * t.b);
        made[i].b = limit_to_float(m.b * t.a + m.d * t.b);
        made[i].c = limit_to_float(m.a * t.c + m.c * t.d);
        made[i].d = limit_to_float(m.b * t.c + m.d * t.d);
        limit_to_floats(m.a * e + m.c * f + m.e, &made[i].e, &made[i].e_low);
        limit_to_floats(m.b * e + m.d * f + m.f, &made[i].f, &made[i].f_low);
    }
    writer->transform += from->header->transform_count;
}

/* Begins a clip by the unit square, which its transform makes the box. */
static void begin_clip(compose_writer *writer, pietra_box clip, uint32_t flags)
{
    stream_transform made = {.a = limit_to_float(clip.x1 - clip.x0), .d = limit_to_float(clip.y1 - clip.y0)};
    limit_to_floats(clip.x0, &made.e, &made.e_low);
    limit_to_floats(clip.y0, &made.f, &made.f_low);
    stream_element *element = ARRAY_OF(writer->made, stream_element, elements) + writer->element++;
    *element = bare;
    element->kind = ELEMENT_BEGIN_CLIP | ELEMENT_RECT | flags;
    element->path = COMPOSE_SQUARE;
    element->transform = writer->transform;
    element->box_x1 = element->box_y1 = 1;
    ARRAY_OF(writer->made, stream_transform, transforms)[writer->transform++] = made;
}

static void begin_group(compose_writer *writer, const compose_shown *shown, pietra_box box, uint32_t flags)
{
    stream_element *element = ARRAY_OF(writer->made, stream_element, elements) + writer->element++;
    *element = bare;
    element->kind = ELEMENT_BEGIN_GROUP | flags;
    element->opacity = shown->opacity;
    element->box_x1 = element->box_y1 = -1;
    if (box.x0 <= box.x1 && box.y0 <= box.y1)
        set_box(element, box);
}

static void begin_layers(compose_writer *writer, const compose_shown *shown, const compose_source *source,
                         const pietra_instance *instance, pietra_transform outer)
{
    if (shown->has_clip) {
        const bool blends = !shown->has_group && source->blends;
        begin_clip(writer, instance->clip, rules_layer_flags(ELEMENT_BEGIN_CLIP, blends));
    }
    if (shown->has_group) {
        const bool is_empty = !(source->box.x0 <= source->box.x1 && source->box.y0 <= source->box.y1);
        begin_group(writer, shown, is_empty ? source->box : transform_box(outer, source->box),
                    rules_layer_flags(ELEMENT_BEGIN_GROUP, source->blends) |
                        (shown->has_clip ? ELEMENT_SOLE_CHILD : 0u));
    }
}

static void end_layers(compose_writer *writer, const compose_shown *shown)
{
    stream_element *elements = ARRAY_OF(writer->made, stream_element, elements);
    if (shown->has_group) {
        elements[writer->element] = bare;
        elements[writer->element++].kind = ELEMENT_END_GROUP;
    }
    if (shown->has_clip) {
        elements[writer->element] = bare;
        elements[writer->element++].kind = ELEMENT_END_CLIP;
    }
}

/* Gives a fill or a stroke the colour in place of its paint's slot. An opaque one may hide what lies below. */
static void repaint(compose_writer *writer, stream_element *element, uint32_t color, bool is_outermost)
{
    element->paint = writer->first_color + color;
    element->kind &= ~(ELEMENT_OPAQUE | ELEMENT_OCCLUDER);
    if (writer->next->colors.items[color] >> 24 == 255u)
        element->kind |= ELEMENT_OPAQUE;
    if (is_outermost && rules_may_occlude(element->kind))
        element->kind |= ELEMENT_OCCLUDER;
}

/* Copies the elements of a stream. */
static void write_elements(compose_writer *writer, const compose_shown *shown, const compose_source *source,
                           const stream_view *from, pietra_transform outer)
{
    const uint32_t count = shown->element_count, first_transform = writer->transform;
    const bool is_layered = compose_layers(shown) > 0;
    const uint32_t lost = is_layered ? ELEMENT_OCCLUDER : 0u;
    const uint32_t *repaints =
        shown->first_repaint != STREAM_NONE ? writer->next->repaints.items + shown->first_repaint : NULL;
    stream_element *made = ARRAY_OF(writer->made, stream_element, elements) + writer->element;
    uint32_t depth = 0, occluders = 0;
    for (uint32_t i = 0; i < count; i++) {
        stream_element element = from->elements[i];
        const uint32_t kind = element.kind & ELEMENT_KIND_MASK;
        if (kind == ELEMENT_FILL || kind == ELEMENT_STROKE) {
            const uint32_t color = repaints ? repaints[element.paint] : STREAM_NONE;
            element.kind &= ~lost;
            element.path += source->first.path_count;
            element.transform += first_transform;
            element.paint += source->first.paint_count;
            if (kind == ELEMENT_STROKE)
                element.style += source->first.style_count;
            if (color != STREAM_NONE)
                repaint(writer, &element, color, !is_layered && depth == 0);
            occluders += (element.kind & ELEMENT_OCCLUDER) != 0;
        } else if (kind == ELEMENT_BEGIN_CLIP && element.path != STREAM_NONE) {
            element.path += source->first.path_count;
            element.transform += first_transform;
            depth++;
        } else if (kind == ELEMENT_BEGIN_EFFECT) {
            element.paint += writer->effect;
            element.transform += first_transform;
            depth++;
        } else {
            const bool ends = kind_ends(kind) || kind_ends_effect(kind);
            element.transform = COMPOSE_IDENTITY;
            if (!ends && kind != ELEMENT_BEGIN_EFFECT_PICTURE)
                move_box(&element, outer);
            depth += ends ? UINT32_MAX : 1u;
        }
        made[i] = element;
    }
    if (is_layered && source->only_child != STREAM_NONE)
        made[source->only_child].kind |= ELEMENT_SOLE_CHILD;
    writer->element += count;
    writer->occluders += occluders;
}

/* Copies effects. Each belongs to one element. */
static void write_effects(compose_writer *writer, const stream_view *from)
{
    const stream_header *header = from->header;
    stream_effect *effects = ARRAY_OF(writer->made, stream_effect, effects) + writer->effect;
    stream_effect_step *steps = ARRAY_OF(writer->made, stream_effect_step, effect_steps) + writer->effect_step;
    if (header->effect_count == 0)
        return;
    memcpy(ARRAY_OF(writer->made, uint32_t, effect_values) + writer->effect_value, from->effect_values,
           header->effect_value_count * sizeof(uint32_t));
    for (uint32_t i = 0; i < header->effect_count; i++) {
        effects[i] = from->effects[i];
        effects[i].first_step += writer->effect_step;
    }
    for (uint32_t i = 0; i < header->effect_step_count; i++) {
        steps[i] = from->effect_steps[i];
        steps[i].first_value += writer->effect_value;
    }
    writer->effect += header->effect_count;
    writer->effect_step += header->effect_step_count;
    writer->effect_value += header->effect_value_count;
}

/* Labels lie behind the words. */
static void write_labels(compose_writer *writer, const compose_shown *shown, const pietra_stream *stream)
{
    uint32_t *labels = writer->made->words + writer->made->word_count + shown->first_element;
    const uint32_t layers = compose_layers(shown), count = shown->element_count;
    for (uint32_t i = 0; i < layers; i++)
        labels[i] = labels[layers + count + i] = 0;
    if (stream->label_count > 0)
        memcpy(labels + layers, stream->words + stream->word_count, count * sizeof *labels);
    else
        memset(labels + layers, 0, count * sizeof *labels);
}

static void write_instance(compose_writer *writer, const compose_shown *shown, const compose_source *source,
                           const pietra_instance *instance)
{
    const stream_view from = stream_view_of(stream_words(source->stream));
    const pietra_transform outer = transform_of_field(instance->transform);
    begin_layers(writer, shown, source, instance, outer);
    write_elements(writer, shown, source, &from, outer);
    write_transforms(writer, &from, outer);
    write_effects(writer, &from);
    end_layers(writer, shown);
    if (writer->next->has_labels)
        write_labels(writer, shown, source->stream);
}

static compose_writer writer_at(const compose_plan *plan, pietra_stream *made, const compose_shown *shown)
{
    return (compose_writer){.next = plan,
                            .made = made,
                            .first_color = plan->total.paint_count - (uint32_t)plan->colors.count,
                            .element = shown->first_element,
                            .transform = shown->first_transform,
                            .effect = shown->first_effect,
                            .effect_step = shown->first_effect_step,
                            .effect_value = shown->first_effect_value};
}

/* Writes what depends on the place of an instance. */
static void write_place(pietra_composition *composition, const compose_shown *shown, const pietra_instance *instance)
{
    compose_source *source = &composition->sources.items[shown->source];
    compose_writer writer = writer_at(&composition->plan, composition->stream, shown);
    source->stream = instance->stream; /* another stream may be in that place, with the same content */
    if (compose_layers(shown) > 0 || source->has_boxes) {
        write_instance(&writer, shown, source, instance);
    } else {
        const stream_view from = stream_view_of(stream_words(source->stream));
        write_transforms(&writer, &from, shown->look.transform);
    }
}

static void write_colors(const compose_writer *writer)
{
    stream_paint *paints = ARRAY_OF(writer->made, stream_paint, paints) + writer->first_color;
    for (size_t i = 0; i < writer->next->colors.count; i++)
        paints[i] = (stream_paint){.kind = PAINT_SOLID, .color = writer->next->colors.items[i]};
}

static void write_instances(pietra_composition *composition, const pietra_instance *instances)
{
    const compose_plan *next = &composition->next;
    compose_writer writer = {.next = next, .made = composition->stream};
    writer.first_color = next->total.paint_count - (uint32_t)next->colors.count;
    ARRAY_OF(writer.made, stream_transform, transforms)
    [writer.transform++] = (stream_transform){.a = 1, .d = 1};
    for (size_t i = 0; i < next->shown.count; i++) {
        const compose_shown *shown = &next->shown.items[i];
        write_instance(&writer, shown, &composition->sources.items[shown->source], &instances[shown->instance]);
    }
    write_colors(&writer);
    ((stream_header *)writer.made->words)->occluder_count = writer.occluders;
}

/* ---- The stream ---- */

/* Returns whether the same streams are shown as before, so that what stands once for each has the same indices. */
static bool has_same_sources(const pietra_composition *composition)
{
    const compose_plan *plan = &composition->plan, *next = &composition->next;
    const size_t count = next->ids.count;
    return plan->ids.count == count &&
           (count == 0 || memcmp(plan->ids.items, next->ids.items, count * sizeof *next->ids.items) == 0);
}

/* Returns whether what stands once for each stream is in its place already. */
static bool is_kept(const pietra_composition *composition, const stream_header *made)
{
    const stream_header *had = &composition->plan.total;
    return has_same_sources(composition) && had->paths == made->paths && had->styles == made->styles &&
           had->paints == made->paints && had->stops == made->stops && had->surfaces == made->surfaces &&
           had->texels == made->texels;
}

static bool make_room(pietra_composition *composition, size_t words, bool *is_new)
{
    *is_new = words > composition->capacity;
    if (!*is_new)
        return true;
    const size_t capacity = words > SIZE_MAX / 2 ? words : words + words / 2;
    pietra_stream *stream = stream_allocate(capacity, false);
    if (!stream)
        return false;
    free(composition->stream);
    composition->stream = stream;
    composition->capacity = capacity;
    return true;
}

bool compose_write(pietra_composition *composition, const pietra_instance *instances)
{
    compose_plan *next = &composition->next;
    stream_header *header = &next->total;
    header->magic = STREAM_MAGIC;
    header->version = STREAM_VERSION;
    header->task_count = (uint32_t)next->tasks;
    const size_t words = (size_t)stream_lay_out(header), labels = next->has_labels ? header->element_count : 0;
    bool is_new;
    if (!make_room(composition, words + labels, &is_new))
        return false;
    pietra_stream *made = composition->stream;
    made->word_count = words;
    made->label_count = labels;
    memcpy(made->words, header, sizeof *header);
    if (is_new || !is_kept(composition, header))
        write_shared(composition);
    write_instances(composition, instances);
    stream_renew_id(made);
    return true;
}

void compose_write_changes(pietra_composition *composition, const pietra_instance *instances)
{
    compose_plan *plan = &composition->plan;
    for (size_t i = 0; i < composition->changes.count; i++) {
        compose_change *change = &composition->changes.items[i];
        compose_shown *shown = &plan->shown.items[change->shown];
        const compose_look before = shown->look;
        shown->look = change->look;
        change->look = before;
        write_place(composition, shown, &instances[change->shown]);
    }
    for (size_t i = 0; i < plan->shown.count; i++) {
        plan->shown.items[i].instance = i;
        plan->shown.items[i].id = instances[i].id;
    }
    stream_renew_id(composition->stream);
}
