/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The elements of a stream, with what layers around them turn out to be. */
#include "scene/encode/encode.h"

#include <stddef.h>
#include <string.h>

#include "base/hash.h"
#include "base/transform.h"
#include "lib/element_kind.h"
#include "scene/limit.h"
#include "scene/rules.h"
#include "scene/encode/encode_box.h"
#include "scene/build/style.h"

/* Returns whether two transforms differ at most in their place. Those of glyphs in a run do. */
static bool differ_in_place_only(const pietra_transform *a, const pietra_transform *b)
{
    return memcmp(a, b, offsetof(pietra_transform, e)) == 0;
}

/* Writes two floats as one word of 64 bits. Processors wait where such a word is read, here by the hash, while its
 * halves are still on their way to memory. */
static inline void write_pair(float *to, float first, float second)
{
    uint32_t low, high;
    memcpy(&low, &first, sizeof low);
    memcpy(&high, &second, sizeof high);
    const uint64_t word = low | (uint64_t)high << 32;
    memcpy(to, &word, sizeof word);
}

/* Narrows a transform. last_transform is the one that was narrowed before. */
static void encode_narrow(encoder *encoder, const pietra_transform *transform, stream_transform *made)
{
    float *linear = encoder->last_linear;
    if (!differ_in_place_only(transform, &encoder->last_transform)) {
        linear[0] = limit_to_float(transform->a);
        linear[1] = limit_to_float(transform->b);
        linear[2] = limit_to_float(transform->c);
        linear[3] = limit_to_float(transform->d);
    }
    float e, f, e_low, f_low;
    limit_to_floats(transform->e, &e, &e_low);
    limit_to_floats(transform->f, &f, &f_low);
    memcpy(&made->a, linear, sizeof encoder->last_linear);
    write_pair(&made->e, e, f);
    write_pair(&made->e_low, e_low, f_low);
}

/* Writes a transform, and returns its index. There must be room. */
static uint32_t encode_new_transform(encoder *encoder, const pietra_transform *transform)
{
    stream_transform *items = encoder->transforms.items, *made = &items[encoder->transforms.count];
    encode_narrow(encoder, transform, made);
    const uint64_t hash = hash_checksum(made, sizeof *made);
    uint32_t *slot = intern_slot(&encoder->transform_table, hash), *tag = &encoder->transform_tags[intern_number(hash)];
    /* The tag spares a look at what is nearly always another one, and was written long ago. */
    if (*tag == (uint32_t)hash && *slot - 1u < encoder->transforms.count &&
        memcmp(&items[*slot - 1u], made, sizeof *made) == 0) {
        return *slot - 1u;
    }
    encoder->transforms.count++;
    *slot = (uint32_t)encoder->transforms.count;
    *tag = (uint32_t)hash;
    return *slot - 1u;
}

/* Writes a transform. Neighbours usually share one. */
static bool encode_transform(encoder *encoder, const pietra_transform *transform, uint32_t *index)
{
    if (encoder->transforms.count == 0 || memcmp(&encoder->last_transform, transform, sizeof *transform) != 0) {
        if (encoder->transforms.count == encoder->transforms.capacity)
            return false;
        encoder->last_transform_index = encode_new_transform(encoder, transform);
        encoder->last_transform = *transform;
    }
    *index = encoder->last_transform_index;
    return true;
}

static bool transform_keeps_area(const pietra_transform *transform)
{
    double a = limit_to_float(transform->a), b = limit_to_float(transform->b);
    double c = limit_to_float(transform->c), d = limit_to_float(transform->d);
    return a * d - b * c != 0.0;
}

/* Returns whether a scene's transform leaves no area. */
static bool encode_flattens(encoder *encoder, uint32_t scene_transform)
{
    const pietra_transform *transform = &encoder->scene->transforms.items[scene_transform];
    if (!differ_in_place_only(transform, &encoder->judged_transform)) {
        encoder->judged_transform = *transform;
        encoder->judged_keeps_area = transform_keeps_area(transform);
    }
    return !encoder->judged_keeps_area;
}

/* Returns a new element to fill in. NULL: there are too many. */
static stream_element *encode_new_element(encoder *encoder)
{
    if (encoder->elements.count == STREAM_MAX_COUNT || encoder->elements.count == encoder->elements.capacity)
        return NULL;
    if (encoder->labels)
        encoder->labels[encoder->elements.count] = scene_label_of(encoder->scene, encoder->scene_element);
    return &encoder->elements.items[encoder->elements.count++];
}

static bool encode_push_element(encoder *encoder, const stream_element *element)
{
    stream_element *added = encode_new_element(encoder);
    if (!added)
        return false;
    *added = *element;
    rules_add(added, encoder->paths.items, &encoder->totals);
    return true;
}

/* Adds an element that has only a kind: an end, a group, or a clip by a source. */
static bool encode_push_bare(encoder *encoder, uint32_t kind, uint32_t opacity)
{
    stream_element element = {
        .kind = kind, .path = STREAM_NONE, .style = STREAM_NONE, .paint = STREAM_NONE, .opacity = opacity};
    return encode_transform(encoder, &TRANSFORM_IDENTITY, &element.transform) && encode_push_element(encoder, &element);
}

static encode_level *encode_top(encoder *encoder)
{
    return array_last(&encoder->levels);
}

/* Counts a level's content, without its box. */
static void level_count_children(encode_level *level, uint32_t count, uint32_t begin)
{
    level->child_count += count;
    level->child_begin = begin;
}

static void level_add_child(encode_level *level, uint32_t count, uint32_t begin, encode_box box)
{
    level_count_children(level, count, begin);
    level->box = encode_box_union(level->box, box);
}

/* Returns the opacity with which a group's layer is composited, 0 to 255. */
static uint32_t encode_opacity(const scene_element *group)
{
    return (uint32_t)floorf(255.0f * group->opacity + 0.5f);
}

static bool encode_write_path_clip(encoder *encoder, encode_level *level, const scene_element *source, uint32_t flags)
{
    const encoded_path *path = encode_path(encoder, source->path, source->transform);
    if (!path)
        return false;
    pietra_transform transform =
        encode_from_origin(encoder->scene->transforms.items[source->transform], encoded_origin(path));
    stream_element element = {
        .kind = source->kind | flags | (path->is_rectangle ? ELEMENT_RECT : 0u),
        .path = path->index,
        .style = STREAM_NONE,
        .paint = STREAM_NONE,
        .opacity = 255u,
        .box_x0 = path->x0,
        .box_y0 = path->y0,
        .box_x1 = path->x1,
        .box_y1 = path->y1,
    };
    if (encode_flattens(encoder, source->transform)) {
        encode_box_set(&element, encode_box_nothing);
        element.kind &= ~ELEMENT_RECT;
    }
    level->limit = encode_box_of(&element, transform);
    return encode_transform(encoder, &transform, &element.transform) && encode_push_element(encoder, &element);
}

/* Writes an effect, which shows at most its region, or the begin of one of its pictures. */
static bool encode_write_effect(encoder *encoder, encode_level *level, const scene_element *source)
{
    if ((source->kind & ELEMENT_KIND_MASK) == ELEMENT_BEGIN_EFFECT_PICTURE)
        return encode_push_bare(encoder, source->kind, 255u);
    pietra_box region = encoder->scene->effects.items[source->paint].region;
    encode_box box = {limit_down(region.x0), limit_down(region.y0), limit_up(region.x1), limit_up(region.y1)};
    pietra_transform transform = encoder->scene->transforms.items[source->transform];
    stream_element element = {.kind = source->kind, .path = STREAM_NONE, .style = STREAM_NONE, .opacity = 255u};
    encode_box_set(&element, box_is_empty(region) ? encode_box_unlimited : box);
    level->limit = encode_box_of(&element, transform);
    return encode_effect(encoder, source, &element.paint) &&
           encode_transform(encoder, &transform, &element.transform) && encode_push_element(encoder, &element);
}

static uint32_t encode_layer_flags(const encoder *encoder, uint32_t scene_element)
{
    return encoder->layer_flags ? encoder->layer_flags[scene_element] : 0u;
}

static bool encode_write_begin(encoder *encoder, encode_level *level)
{
    const scene_element *source = &encoder->scene->elements.items[level->scene_element];
    uint32_t flags = encode_layer_flags(encoder, level->scene_element);
    level->begin = (uint32_t)encoder->elements.count;
    level->before = encoder->totals;
    switch (source->kind & ELEMENT_KIND_MASK) {
    case ELEMENT_BEGIN_EFFECT:
    case ELEMENT_BEGIN_EFFECT_PICTURE:
        return encode_write_effect(encoder, level, source);
    case ELEMENT_BEGIN_CLIP:
        return encode_write_path_clip(encoder, level, source, flags);
    case ELEMENT_BEGIN_CLIP_SOURCE:
        flags |= kind_mode(source->kind) << ELEMENT_MODE_SHIFT;
        return encode_push_bare(encoder, ELEMENT_BEGIN_CLIP | flags, 255u) &&
               encode_push_bare(encoder, ELEMENT_BEGIN_CLIP_SOURCE, 255u);
    default:
        return encode_push_bare(encoder, source->kind | flags, encode_opacity(source));
    }
}

/* Writes the begins that waited for content. */
static bool encode_write_levels(encoder *encoder)
{
    uint32_t content = encoder->scene_element;
    while (encoder->written_levels < encoder->levels.count) {
        encode_level *level = &encoder->levels.items[encoder->written_levels];
        encoder->scene_element = level->scene_element;
        if (!level->is_elided && !encode_write_begin(encoder, level))
            return false;
        encoder->written_levels++;
    }
    encoder->scene_element = content;
    return true;
}

static bool encode_open(encoder *encoder, uint32_t scene_element, bool is_elided)
{
    encode_level *level = array_push(&encoder->levels);
    if (!level)
        return false;
    *level = (encode_level){.scene_element = scene_element,
                            .child_begin = STREAM_NONE,
                            .box = encode_box_nothing,
                            .limit = encode_box_everything,
                            .is_elided = is_elided};
    encoder->layer_count += !is_elided;
    return true;
}

/* Returns whether nothing changes if a group and all that is in it is left out. */
static bool group_changes_nothing(const scene_element *group)
{
    return kind_mode(group->kind) == BLEND_DESTINATION ||
           (encode_opacity(group) == 0u && !scene_begins_unbounded(group));
}

static bool encode_begin(encoder *encoder, uint32_t index)
{
    const scene_element *source = &encoder->scene->elements.items[index];
    uint32_t kind = source->kind & ELEMENT_KIND_MASK;
    bool is_group = kind == ELEMENT_BEGIN_GROUP;
    if (encoder->skipped_levels > 0 || (is_group && group_changes_nothing(source))) {
        encoder->skipped_levels++;
        return true;
    }
    if (!encode_open(encoder, index,
                     is_group && encode_opacity(source) == 255u && encode_layer_flags(encoder, index) == 0u)) {
        return false;
    }
    if (kind == ELEMENT_BEGIN_CLIP_SOURCE) {
        encoder->open_sources += kind_mode(source->kind) == MASK_NONE;
        return encode_write_levels(encoder);
    }
    /* Even without content an unbounded group changes what lies below. */
    return !scene_begins_unbounded(source) || encode_write_levels(encoder);
}

/* An effect is written at once, since it may show something without content. */
static bool encode_begin_effect(encoder *encoder, uint32_t index)
{
    const scene_element *source = &encoder->scene->elements.items[index];
    bool flattens = source->transform != STREAM_NONE && encode_flattens(encoder, source->transform);
    if (encoder->skipped_levels > 0 || flattens) {
        encoder->skipped_levels++;
        return true;
    }
    if (!encode_open(encoder, index, false))
        return false;
    return encode_write_levels(encoder);
}

static bool encode_end_effect(encoder *encoder, uint32_t end_kind)
{
    if (encoder->skipped_levels > 0) {
        encoder->skipped_levels--;
        return true;
    }
    encode_level level = *encode_top(encoder);
    encoder->levels.count--;
    encoder->written_levels--;
    encoder->layer_count--;
    if (end_kind == ELEMENT_END_EFFECT)
        level_add_child(encode_top(encoder), 1, STREAM_NONE, level.limit);
    return encode_push_bare(encoder, end_kind, 255u);
}

static bool encode_end_source(encoder *encoder)
{
    if (encoder->skipped_levels > 0)
        return true;
    encode_level *level = encode_top(encoder);
    encode_box_set(&encoder->elements.items[level->begin], level->box);
    encode_box_set(&encoder->elements.items[level->begin + 1], level->box);
    level->limit = level->box;
    level->box = encode_box_nothing;
    level->child_count = 0;
    level->child_begin = STREAM_NONE;
    encoder->open_sources -= kind_mode(encoder->scene->elements.items[level->scene_element].kind) == MASK_NONE;
    return encode_push_bare(encoder, ELEMENT_END_CLIP_SOURCE, 255u);
}

/* Closes a level that was written and has content. */
static bool encode_finish_level(encoder *encoder, const encode_level *level, uint32_t end_kind)
{
    if (end_kind == ELEMENT_END_GROUP)
        encode_box_set(&encoder->elements.items[level->begin], level->box);
    if (level->child_count == 1 && level->child_begin != STREAM_NONE)
        encoder->elements.items[level->child_begin].kind |= ELEMENT_SOLE_CHILD;
    level_add_child(encode_top(encoder), 1, level->begin, encode_box_intersection(level->box, level->limit));
    return encode_push_bare(encoder, end_kind, 255u);
}

static bool encode_end(encoder *encoder, uint32_t end_kind)
{
    if (encoder->skipped_levels > 0) {
        encoder->skipped_levels--;
        return true;
    }
    encode_level level = *encode_top(encoder);
    bool written = encoder->written_levels == encoder->levels.count;
    encoder->levels.count--;
    encoder->written_levels -= written;
    encoder->layer_count -= !level.is_elided;
    if (level.is_elided) {
        if (level.child_count > 0)
            level_add_child(encode_top(encoder), level.child_count, level.child_begin, level.box);
        return true;
    }
    if (written && level.child_count == 0 &&
        !scene_begins_unbounded(&encoder->scene->elements.items[level.scene_element])) {
        /* Only the source of a clip was written, or begins around such a clip, which itself was left out. */
        encoder->elements.count = level.begin;
        encoder->totals = level.before;
        return true;
    }
    return !written || encode_finish_level(encoder, &level, end_kind);
}

/* Widens the box of a path to the box of its stroke. */
static void encode_widen(stream_element *element, const stream_style *style, const encoded_path *path)
{
    double reach = style_reach(style, path->has_joins) * style->half_width;
    element->box_x0 = limit_down(path->x0 - reach);
    element->box_y0 = limit_down(path->y0 - reach);
    element->box_x1 = limit_up(path->x1 + reach);
    element->box_y1 = limit_up(path->y1 + reach);
}

static bool fill_has_inside(const encoded_path *path)
{
    return path->has_lines && path->x0 < path->x1 && path->y0 < path->y1;
}

static bool encode_is_painted(const encoder *encoder, const scene_element *source)
{
    const stream_paint *paint = &encoder->scene->paints.items[source->paint].paint;
    return encoder->open_sources > 0 || rules_paint_shows(paint);
}

static uint32_t encode_paint_flags(const encoder *encoder, const scene_element *source)
{
    const scene_paint *paint = &encoder->scene->paints.items[source->paint];
    return (paint->is_opaque ? ELEMENT_OPAQUE : 0u) | (paint->image ? ELEMENT_IMAGE : 0u) |
           (rules_paint_is_shadow(&paint->paint) ? ELEMENT_BOX_SHADOW : 0u);
}

static uint32_t encode_fill_flags(const encoded_path *path)
{
    return path->is_rectangle ? ELEMENT_RECT : 0u;
}

static uint32_t encode_stroke_flags(const encoder *encoder, const scene_element *source)
{
    return encoder->scene->styles.items[source->style].dash_count > 0 ? ELEMENT_DASHED : 0u;
}

/* Encodes a fill or a stroke. One that would paint nothing is left out. */
static bool encode_drawing(encoder *encoder, const scene_element *source)
{
    bool is_fill = (source->kind & ELEMENT_KIND_MASK) == ELEMENT_FILL, is_white = encoder->open_sources > 0;
    if (encoder->skipped_levels > 0 || !encode_is_painted(encoder, source) ||
        encode_flattens(encoder, source->transform)) {
        return true;
    }
    const encoded_path *path = encode_path(encoder, source->path, source->transform);
    if (!path)
        return false;
    if (path->segment_count == 0 || (is_fill && !fill_has_inside(path)))
        return true;
    pietra_transform transform =
        encode_from_origin(encoder->scene->transforms.items[source->transform], encoded_origin(path));
    uint32_t transform_index, paint_index;
    if (!encode_write_levels(encoder) || !encode_transform(encoder, &transform, &transform_index) ||
        !(is_white ? encode_white(encoder, &paint_index) : encode_paint(encoder, source->paint, path, &paint_index))) {
        return false;
    }
    stream_element *element = encode_new_element(encoder);
    if (!element)
        return false;
    uint32_t kind = source->kind | (is_white ? ELEMENT_OPAQUE : encode_paint_flags(encoder, source)) |
                    (is_fill ? encode_fill_flags(path) : encode_stroke_flags(encoder, source));
    kind |= encoder->layer_count == 0 && rules_may_occlude(kind) ? ELEMENT_OCCLUDER : 0u;
    *element = (stream_element){
        .kind = kind,
        .path = path->index,
        .style = source->style,
        .paint = paint_index,
        .transform = transform_index,
        .box_x0 = path->x0,
        .box_y0 = path->y0,
        .box_x1 = path->x1,
        .box_y1 = path->y1,
        .opacity = 255u,
    };
    rules_add(element, encoder->paths.items, &encoder->totals);
    if (!is_fill)
        encode_widen(element, &encoder->scene->styles.items[source->style], path);
    /* Only open levels need its box. */
    if (encoder->layer_count > 0)
        level_add_child(encode_top(encoder), 1, STREAM_NONE, encode_box_of(element, transform));
    else
        level_count_children(encode_top(encoder), 1, STREAM_NONE);
    return true;
}

bool encode_elements(encoder *encoder)
{
    const pietra_scene *scene = encoder->scene;
    bool fits = encode_open(encoder, 0, true);
    encoder->written_levels = 1;
    for (size_t i = 0; fits && i < scene->elements.count; i++) {
        const scene_element *element = &scene->elements.items[i];
        uint32_t kind = element->kind & ELEMENT_KIND_MASK;
        encoder->scene_element = (uint32_t)i;
        if (kind_begins(kind))
            fits = encode_begin(encoder, (uint32_t)i);
        else if (kind_begins_effect(kind))
            fits = encode_begin_effect(encoder, (uint32_t)i);
        else if (kind_ends_effect(kind))
            fits = encode_end_effect(encoder, kind);
        else if (kind == ELEMENT_END_CLIP_SOURCE)
            fits = encode_end_source(encoder);
        else if (kind_ends(kind))
            fits = encode_end(encoder, kind);
        else
            fits = encode_drawing(encoder, element);
    }
    return fits;
}
