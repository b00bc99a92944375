/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Checks what elements refer to, what their flags claim, and how they nest. */
#include "lib/element_kind.h"
#include "scene/blend.h"
#include "scene/rules.h"
#include "scene/validate/validator.h"

/* Returns the flags that a kind may have. */
static uint32_t allowed_flags(const stream_element *element)
{
    switch (element->kind & ELEMENT_KIND_MASK) {
    case ELEMENT_FILL:
        return ELEMENT_EVEN_ODD | ELEMENT_RECT | ELEMENT_OPAQUE | ELEMENT_OCCLUDER | ELEMENT_IMAGE |
               ELEMENT_BOX_SHADOW | ELEMENT_ALIASED | ELEMENT_ALIASED_UPRIGHT;
    case ELEMENT_STROKE:
        return ELEMENT_OPAQUE | ELEMENT_DASHED | ELEMENT_IMAGE | ELEMENT_BOX_SHADOW | ELEMENT_ALIASED;
    case ELEMENT_BEGIN_CLIP:
        if (element->path != STREAM_NONE)
            return ELEMENT_SOLE_CHILD | ELEMENT_COPIES_DESTINATION | ELEMENT_EVEN_ODD | ELEMENT_RECT | ELEMENT_ALIASED;
        return ELEMENT_SOLE_CHILD |
               (kind_mode(element->kind) == MASK_NONE ? ELEMENT_COPIES_DESTINATION
                                                      : ELEMENT_ISOLATED | 3u << ELEMENT_MODE_SHIFT);
    case ELEMENT_BEGIN_EFFECT:
        return ELEMENT_BACKDROP;
    case ELEMENT_BEGIN_GROUP:
        return ELEMENT_SOLE_CHILD | ELEMENT_ISOLATED | ELEMENT_MODE_MASK << ELEMENT_MODE_SHIFT;
    default:
        return 0u;
    }
}

static bool kind_is_known(uint32_t kind)
{
    return kind == ELEMENT_FILL || kind == ELEMENT_STROKE || kind_begins(kind) || kind_ends(kind) ||
           kind_begins_effect(kind) || kind_ends_effect(kind);
}

static bool transform_is_stream_identity(const stream_transform *t)
{
    return t->a == 1.0f && t->b == 0.0f && t->c == 0.0f && t->d == 1.0f && t->e == 0.0f && t->f == 0.0f &&
           t->e_low == 0.0f && t->f_low == 0.0f;
}

static bool box_is_zero(const stream_element *element)
{
    return element->box_x0 == 0.0f && element->box_y0 == 0.0f && element->box_x1 == 0.0f && element->box_y1 == 0.0f;
}

/* Checks what an element refers to. */
static pietra_result check_references(validator *v, uint32_t index)
{
    const stream_element *element = &v->view.elements[index];
    const stream_header *header = v->view.header;
    uint32_t kind = element->kind & ELEMENT_KIND_MASK;
    bool drawing = kind == ELEMENT_FILL || kind == ELEMENT_STROKE;
    bool has_path = drawing || (kind == ELEMENT_BEGIN_CLIP && element->path != STREAM_NONE);
    if (has_path ? element->path >= header->path_count : element->path != STREAM_NONE)
        return REJECT(v, "element %u: path %u is not there", index, element->path);
    if (kind == ELEMENT_STROKE ? element->style >= header->style_count : element->style != STREAM_NONE)
        return REJECT(v, "element %u: style %u is not there", index, element->style);
    if (kind == ELEMENT_BEGIN_EFFECT) {
        /* Each effect belongs to one element, in their order. */
        if (element->paint != v->used_effects || v->used_effects >= header->effect_count)
            return REJECT(v, "element %u: effect %u is not there or not the next", index, element->paint);
        v->used_effects++;
    } else if (drawing ? element->paint >= header->paint_count : element->paint != STREAM_NONE) {
        return REJECT(v, "element %u: paint %u is not there", index, element->paint);
    }
    if (element->transform >= header->transform_count)
        return REJECT(v, "element %u: transform %u is not there", index, element->transform);
    if (!has_path && kind != ELEMENT_BEGIN_EFFECT &&
        !transform_is_stream_identity(&v->view.transforms[element->transform]))
        return REJECT(v, "element %u: a transform where only the identity may stand", index);
    if (drawing && v->view.paths[element->path].segment_count == 0)
        return REJECT(v, "element %u: draws a path of no segments", index);
    return PIETRA_OK;
}

/* Returns whether the box is the four sides of the path, a rectangle. */
static bool box_is_rectangle(const stream_element *element, const float *p)
{
    return element->box_x0 == fminf(p[0], p[4]) && element->box_x1 == fmaxf(p[0], p[4]) &&
           element->box_y0 == fminf(p[1], p[5]) && element->box_y1 == fmaxf(p[1], p[5]);
}

static pietra_result reject_flag_of_paint(validator *v, uint32_t index, uint32_t wrong)
{
    const char *what = wrong & ELEMENT_OPAQUE ? "opaque" : wrong & ELEMENT_IMAGE ? "an image" : "a box shadow";
    return REJECT(v, "element %u: is marked as %s and is not, or the other way round", index, what);
}

static pietra_result check_flags(validator *v, uint32_t index)
{
    const stream_element *element = &v->view.elements[index];
    uint32_t kind = element->kind & ELEMENT_KIND_MASK;
    if (kind == ELEMENT_FILL || (kind == ELEMENT_BEGIN_CLIP && element->path != STREAM_NONE)) {
        const stream_path *path = &v->view.paths[element->path];
        const float *points = v->view.points + 2 * (size_t)path->first_point;
        bool rectangle = element->box_x0 <= element->box_x1 &&
                         rules_path_is_rectangle(v->view.tags + path->first_segment, path->segment_count, points);
        if (rectangle != ((element->kind & ELEMENT_RECT) != 0) || (rectangle && !box_is_rectangle(element, points)))
            return REJECT(v, "element %u: is marked as a rectangle and is none, or the other way round", index);
    }
    if (kind == ELEMENT_FILL || kind == ELEMENT_STROKE) {
        uint32_t wrong = (element->kind ^ v->paint_flags[element->paint]) & ELEMENT_OF_PAINT;
        if (wrong != 0)
            return reject_flag_of_paint(v, index, wrong);
    }
    if (kind == ELEMENT_STROKE &&
        (v->view.styles[element->style].dash_count > 0) != ((element->kind & ELEMENT_DASHED) != 0)) {
        return REJECT(v, "element %u: is marked as dashed and is not, or the other way round", index);
    }
    if (kind == ELEMENT_BEGIN_GROUP && kind_mode(element->kind) >= BLEND_COUNT)
        return REJECT(v, "element %u: blend mode %u is not known", index, kind_mode(element->kind));
    bool occluder = v->levels.count == 1 && rules_may_occlude(element->kind);
    if (occluder != ((element->kind & ELEMENT_OCCLUDER) != 0))
        return REJECT(v, "element %u: is marked as an occluder and is none, or the other way round", index);
    return PIETRA_OK;
}

static validate_level *top_level(validator *v)
{
    return array_last(&v->levels);
}

static pietra_result open_level(validator *v, uint32_t begin_kind, uint32_t begin_flags)
{
    validate_level *level = array_push(&v->levels);
    if (!level)
        return error_set_memory(v->error);
    *level = (validate_level){.begin_kind = begin_kind, .begin_flags = begin_flags};
    return PIETRA_OK;
}

static pietra_result open_effect(validator *v, uint32_t index)
{
    const stream_element *element = &v->view.elements[index];
    if (v->open_sources > 0)
        return REJECT(v, "element %u: an effect stands in a clip's source", index);
    top_level(v)->child_count += top_level(v)->child_count < 2;
    top_level(v)->last_is_begin = false;
    pietra_result result = open_level(v, ELEMENT_BEGIN_EFFECT, element->kind);
    if (result == PIETRA_OK)
        top_level(v)->pictures = v->view.effects[element->paint].picture_count;
    return result;
}

static pietra_result open_picture(validator *v, uint32_t index)
{
    validate_level *level = top_level(v);
    if (level->begin_kind != ELEMENT_BEGIN_EFFECT || level->child_count > 0 || level->pictures == 0)
        return REJECT(v, "element %u: a picture of an effect that asks for none here", index);
    level->pictures--;
    return open_level(v, ELEMENT_BEGIN_EFFECT_PICTURE, v->view.elements[index].kind);
}

/* Returns whether children claim to be the only child exactly where they are, and never in a source or at the top. */
static bool sole_children_are_right(const validate_level *level)
{
    bool layer = level->begin_kind == ELEMENT_BEGIN_CLIP || level->begin_kind == ELEMENT_BEGIN_GROUP;
    return level->sole_count == (layer && level->child_count == 1 && level->last_is_begin ? 1u : 0u);
}

static pietra_result close_level(validator *v, uint32_t index, uint32_t begin_kind)
{
    const validate_level *level = top_level(v);
    if (level->begin_kind != begin_kind)
        return REJECT(v, "element %u: ends what is not open", index);
    if (!sole_children_are_right(level)) {
        return REJECT(v, "element %u: a begin before it is marked as the only child and is not, or the other way round",
                      index);
    }
    if (begin_kind == ELEMENT_BEGIN_CLIP_SOURCE) {
        v->levels.count--;
        return PIETRA_OK;
    }
    if ((rules_layer_flags(level->begin_flags, level->blends) & ~level->begin_flags) != 0) {
        return REJECT(v, "element %u: ends a group or clip in which something blends, which its begin does not say",
                      index);
    }
    bool shows_below = rules_layer_shows_below(level->begin_flags, level->blends);
    v->levels.count--;
    top_level(v)->blends = top_level(v)->blends || shows_below;
    return PIETRA_OK;
}

/* Closes an effect or a picture of one. What is in it was drawn apart, so nothing outside sees whether it blends. */
static pietra_result close_effect(validator *v, uint32_t index, uint32_t begin_kind)
{
    const validate_level *level = top_level(v);
    if (level->begin_kind != begin_kind)
        return REJECT(v, "element %u: ends what is not open", index);
    if (!sole_children_are_right(level))
        return REJECT(v, "element %u: a begin in an effect is marked as the only child", index);
    if (level->pictures > 0)
        return REJECT(v, "element %u: ends an effect that lacks pictures", index);
    v->levels.count--;
    return PIETRA_OK;
}

static void add_child(validator *v, const stream_element *element, bool is_begin)
{
    validate_level *level = top_level(v);
    level->child_count += level->child_count < 2;
    level->sole_count += (element->kind & ELEMENT_SOLE_CHILD) != 0;
    level->last_is_begin = is_begin;
}

/* Begins a clip. The elements of a clip's source are inside the level of ELEMENT_BEGIN_CLIP, but are not its
 * children. */
static pietra_result check_begin_clip(validator *v, uint32_t index)
{
    const stream_element *element = &v->view.elements[index];
    bool source_follows =
        index + 1 < v->view.header->element_count && (element[1].kind & ELEMENT_KIND_MASK) == ELEMENT_BEGIN_CLIP_SOURCE;
    if (source_follows != (element->path == STREAM_NONE))
        return REJECT(v, "element %u: a clip has a path and a source, or neither", index);
    if (v->open_sources > 0 && kind_mode(element->kind) != MASK_NONE)
        return REJECT(v, "element %u: a mask stands in a clip's source", index);
    add_child(v, element, true);
    return open_level(v, ELEMENT_BEGIN_CLIP, element->kind);
}

static pietra_result close_source(validator *v, uint32_t index)
{
    pietra_result result = close_level(v, index, ELEMENT_BEGIN_CLIP_SOURCE);
    if (result == PIETRA_OK)
        v->open_sources -= kind_mode(top_level(v)->begin_flags) == MASK_NONE;
    return result;
}

static pietra_result check_nesting(validator *v, uint32_t index)
{
    const stream_element *element = &v->view.elements[index];
    switch (element->kind & ELEMENT_KIND_MASK) {
    case ELEMENT_BEGIN_CLIP:
        return check_begin_clip(v, index);
    case ELEMENT_BEGIN_CLIP_SOURCE:
        if (index == 0 || (element[-1].kind & ELEMENT_KIND_MASK) != ELEMENT_BEGIN_CLIP)
            return REJECT(v, "element %u: a clip's source does not stand at the clip's begin", index);
        v->open_sources += kind_mode(element[-1].kind) == MASK_NONE;
        return open_level(v, ELEMENT_BEGIN_CLIP_SOURCE, element->kind);
    case ELEMENT_BEGIN_GROUP:
        if (v->open_sources > 0)
            return REJECT(v, "element %u: a group stands in a clip's source", index);
        add_child(v, element, true);
        return open_level(v, ELEMENT_BEGIN_GROUP, element->kind);
    case ELEMENT_BEGIN_EFFECT:
        return open_effect(v, index);
    case ELEMENT_BEGIN_EFFECT_PICTURE:
        return open_picture(v, index);
    case ELEMENT_END_EFFECT:
        return close_effect(v, index, ELEMENT_BEGIN_EFFECT);
    case ELEMENT_END_EFFECT_PICTURE:
        return close_effect(v, index, ELEMENT_BEGIN_EFFECT_PICTURE);
    case ELEMENT_END_CLIP:
        return close_level(v, index, ELEMENT_BEGIN_CLIP);
    case ELEMENT_END_CLIP_SOURCE:
        return close_source(v, index);
    case ELEMENT_END_GROUP:
        return close_level(v, index, ELEMENT_BEGIN_GROUP);
    default:
        add_child(v, element, false);
        return PIETRA_OK;
    }
}

static pietra_result check_element(validator *v, uint32_t index)
{
    const stream_element *element = &v->view.elements[index];
    uint32_t kind = element->kind & ELEMENT_KIND_MASK;
    if (!kind_is_known(kind))
        return REJECT(v, "element %u: kind %u is unknown or not in use yet", index, kind);
    if ((element->kind & ~ELEMENT_KIND_MASK & ~allowed_flags(element)) != 0)
        return REJECT(v, "element %u: flags that its kind cannot have", index);
    if (kind == ELEMENT_BEGIN_GROUP ? element->opacity > 255u : element->opacity != 255u)
        return REJECT(v, "element %u: opacity %u out of range", index, element->opacity);
    bool has_no_box = kind_ends(kind) || kind_ends_effect(kind) || kind == ELEMENT_BEGIN_EFFECT_PICTURE;
    if (!are_sane(&element->box_x0, 4, STREAM_BOX_LIMIT) || (has_no_box && !box_is_zero(element)))
        return REJECT(v, "element %u: a box that is not finite, or at an end", index);
    pietra_result result = check_references(v, index);
    if (result != PIETRA_OK)
        return result;
    result = check_flags(v, index);
    if (result != PIETRA_OK)
        return result;
    rules_add(element, v->view.paths, &v->totals);
    return check_nesting(v, index);
}

pietra_result validate_elements(validator *v)
{
    const stream_header *header = v->view.header;
    pietra_result result = open_level(v, 0, 0);
    for (uint32_t i = 0; result == PIETRA_OK && i < header->element_count; i++)
        result = check_element(v, i);
    if (result != PIETRA_OK)
        return result;
    if (v->levels.count != 1)
        return REJECT(v, "%zu begins have no end", v->levels.count - 1);
    if (v->used_effects != header->effect_count)
        return REJECT(v, "effects belong to no element");
    if (!sole_children_are_right(top_level(v)))
        return REJECT(v, "a begin outside all others is marked as the only child");
    return PIETRA_OK;
}
