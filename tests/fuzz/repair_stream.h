/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Makes a nearly valid stream valid: numbers move into their ranges and indices into their arrays, and what follows
 * from other parts is set. Surfaces are left out. */
#ifndef TESTS_FUZZ_REPAIR_STREAM_H
#define TESTS_FUZZ_REPAIR_STREAM_H

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "lib/element_kind.h"
#include "scene/blend.h"
#include "scene/rules.h"
#include "scene/stream.h"

#define MOST_ELEMENTS 96u
#define MOST_ITEMS 64u /* the most of every other kind */
#define MOST_POINTS 400u
#define MOST_TEXELS 2048u
#define MOST_SIDE 9u

/* The repaired parts. Each array is as long as its header says. */
typedef struct repaired {
    stream_header header;
    stream_element elements[MOST_ELEMENTS + 8];
    stream_path paths[MOST_ITEMS];
    uint8_t tags[MOST_ITEMS];
    float points[MOST_POINTS][2];
    stream_transform transforms[MOST_ITEMS];
    stream_style styles[MOST_ITEMS];
    float dashes[MOST_ITEMS];
    stream_paint paints[MOST_ITEMS];
    stream_stop stops[MOST_ITEMS];
    stream_mip_level mip_levels[MOST_ITEMS];
    stream_box_shadow box_shadows[MOST_ITEMS];
    uint32_t texels[MOST_TEXELS];
    bool opaque[MOST_ITEMS]; /* for each paint */
} repaired;

static uint32_t repair_count(uint32_t count, uint32_t most)
{
    return count < most ? count : most;
}

static float repair_float(float value, float limit)
{
    return value != value ? 0.0f : value > limit ? limit : value < -limit ? -limit : value;
}

static float repair_between(float value, float low, float high)
{
    return !(value >= low) ? low : value > high ? high : value;
}

/* ---- Paths ---- */

typedef struct path_source {
    const stream_view *view;
    uint32_t at; /* the next point to take */
} path_source;

static void take_point(repaired *r, path_source *source)
{
    uint32_t count = source->view->header->point_count;
    float *point = r->points[r->header.point_count++];
    const float *from = source->view->points + 2 * (size_t)(count > 0 ? source->at++ % count : 0);
    point[0] = count > 0 ? repair_float(from[0], STREAM_LIMIT) : 1.0f;
    point[1] = count > 0 ? repair_float(from[1], STREAM_LIMIT) : 1.0f;
}

static bool has_no_length(const repaired *r, uint32_t start, uint32_t own)
{
    bool equal = true;
    for (uint32_t i = start + 1; i <= start + own; i++)
        equal = equal && r->points[i][0] == r->points[start][0] && r->points[i][1] == r->points[start][1];
    return equal;
}

/* Returns a number that differs from this one: for 0 it is 1, else the negative. */
static float other_number(float value)
{
    return value == 0.0f ? 1.0f : -value;
}

/* Takes a segment whose start is there already. `begin` is where its subpath begins. */
static void take_segment(repaired *r, path_source *source, uint32_t begin, uint8_t *tag)
{
    uint32_t start = r->header.point_count - 1, own = *tag & TAG_POINTS_MASK;
    for (uint32_t i = 0; i < own; i++)
        take_point(r, source);
    bool closes = (*tag & TAG_CLOSED) != 0 && (*tag & TAG_LAST) != 0;
    if (closes)
        memcpy(r->points[start + own], r->points[begin], sizeof r->points[0]);
    if (!has_no_length(r, start, own))
        return;
    if ((*tag & TAG_FIRST) != 0 && (*tag & TAG_LAST) != 0) {
        r->header.point_count = start + 2;
        memcpy(r->points[start + 1], r->points[start], sizeof r->points[0]);
        *tag = 1u | TAG_FIRST | TAG_LAST | TAG_DOT;
    } else if (closes && own == 1) { /* it closes by a curve that goes out and comes back */
        r->header.point_count = start + 3;
        memcpy(r->points[start + 2], r->points[begin], sizeof r->points[0]);
        r->points[start + 1][0] = other_number(r->points[begin][0]);
        r->points[start + 1][1] = r->points[begin][1];
        *tag = (uint8_t)((*tag & ~TAG_POINTS_MASK) | 2u);
    } else {
        r->points[start + 1][0] = other_number(r->points[start + 1][0]);
    }
}

static void repair_path(repaired *r, const stream_view *view, path_source *source, uint32_t count)
{
    stream_path *path = &r->paths[r->header.path_count++];
    *path = (stream_path){
        .first_segment = r->header.segment_count, .segment_count = count, .first_point = r->header.point_count};
    uint32_t begin = 0;
    uint8_t kind = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t index = r->header.segment_count++;
        uint8_t given = view->tags[index],
                tag = (uint8_t)((given & TAG_POINTS_MASK) == 0 ? 1u : given & TAG_POINTS_MASK);
        bool first = i == 0 || (r->tags[index - 1] & TAG_LAST) != 0;
        if (first) {
            kind = given & TAG_CLOSED ? given & (TAG_CLOSED | TAG_CORNER) : 0;
            begin = r->header.point_count;
            take_point(r, source);
        }
        tag |= (uint8_t)(kind | (first ? TAG_FIRST : 0u) | (i + 1 == count ? TAG_LAST : given & TAG_LAST));
        take_segment(r, source, begin, &tag);
        r->tags[index] = tag;
    }
    path->point_count = r->header.point_count - path->first_point;
}

static void repair_paths(repaired *r, const stream_view *view)
{
    path_source source = {.view = view};
    uint32_t paths = repair_count(view->header->path_count, MOST_ITEMS),
             left = repair_count(view->header->segment_count, MOST_ITEMS);
    for (uint32_t i = 0; i < paths; i++) {
        uint32_t count = i + 1 == paths ? left : view->paths[i].segment_count % (left + 1);
        repair_path(r, view, &source, count);
        left -= count;
    }
}

/* ---- Styles ---- */

static void repair_dashes(repaired *r, const stream_view *view, stream_style *style)
{
    uint32_t count = style->dash_count % 7 & ~1u, used = r->header.dash_count, sharing = style->first_dash;
    uint32_t left = repair_count(view->header->dash_count, MOST_ITEMS) - used;
    style->first_dash = style->dash_count = 0;
    for (uint32_t i = 0; i + 1 < r->header.style_count && style->dash_count == 0 && (sharing & 1) != 0; i++) {
        style->first_dash = r->styles[i].first_dash;
        style->dash_count = r->styles[i].dash_count;
    }
    if (style->dash_count == 0 && count > 0 && count <= left) {
        float before = 0.0f;
        for (uint32_t i = 0; i < count; i++) {
            before = repair_between(fabsf(view->dashes[used + i]), before, STREAM_BOX_LIMIT);
            r->dashes[used + i] = before = i + 1 == count && before == 0.0f ? 1.0f : before;
        }
        style->first_dash = used;
        style->dash_count = count;
        r->header.dash_count += count;
    }
    style->dash_period = style->dash_count > 0 ? r->dashes[style->first_dash + style->dash_count - 1] : 0.0f;
    style->dash_phase = style->dash_phase >= 0.0f && style->dash_phase < style->dash_period ? style->dash_phase : 0.0f;
}

static void repair_styles(repaired *r, const stream_view *view)
{
    for (uint32_t i = 0; i < repair_count(view->header->style_count, MOST_ITEMS); i++) {
        stream_style *style = &r->styles[r->header.style_count++];
        *style = view->styles[i];
        style->half_width =
            fabsf(style->half_width) > 0.0f ? repair_float(fabsf(style->half_width), STREAM_LIMIT) : 1.0f;
        style->miter_limit = repair_between(style->miter_limit, 1.0f, STREAM_LIMIT);
        style->cap %= STYLE_CAP_SQUARE + 1;
        style->join %= STYLE_JOIN_MITER_CLIP + 1;
        repair_dashes(r, view, style);
    }
}

/* ---- Paints ---- */

static uint32_t repair_color(uint32_t color)
{
    uint32_t alpha = color >> 24, repaired = alpha << 24;
    for (unsigned shift = 0; shift < 24; shift += 8) {
        uint32_t channel = color >> shift & 0xffu;
        repaired |= (channel < alpha ? channel : alpha) << shift;
    }
    return repaired;
}

/* Now and then gives a gradient or an image the stops or mip levels of an earlier paint of its kind. */
static bool share_parts(repaired *r, stream_paint *paint, bool *opaque)
{
    uint32_t index = r->header.paint_count - 1;
    for (uint32_t i = 0; i < index && (paint->first_stop & 1) != 0; i++) {
        const stream_paint *other = &r->paints[i];
        if (other->stop_count > 0 && (other->kind == PAINT_IMAGE) == (paint->kind == PAINT_IMAGE)) {
            paint->first_stop = other->first_stop;
            paint->stop_count = other->stop_count;
            if (paint->kind == PAINT_IMAGE) {
                paint->r0 = other->r0;
                const stream_mip_level *level = &r->mip_levels[other->first_stop];
                uint32_t texels = level->width * level->height;
                *opaque = true;
                for (uint32_t k = 1; k < other->stop_count; k++)
                    texels += level[k].width * level[k].height;
                for (uint32_t k = 0; k < texels; k++)
                    *opaque = *opaque && r->texels[level->first_texel + k] >> 24 == 255u;
            } else {
                *opaque = rules_stops_are_opaque(r->stops + other->first_stop, other->stop_count);
            }
            return true;
        }
    }
    return false;
}

static bool take_stops(repaired *r, const stream_view *view, stream_paint *paint)
{
    uint32_t used = r->header.stop_count, left = repair_count(view->header->stop_count, MOST_ITEMS) - used;
    uint32_t count = left > 0 ? 1 + paint->stop_count % left : 0;
    float offset = 0.0f;
    for (uint32_t i = used; i < used + count; i++) {
        stream_stop *stop = &r->stops[i];
        *stop = view->stops[i];
        stop->offset = offset = i == used ? 0.0f : repair_between(stop->offset, offset, 1.0f);
        stop->base_r = repair_between(stop->base_r, 0.0f, 255.0f);
        stop->base_g = repair_between(stop->base_g, 0.0f, 255.0f);
        stop->base_b = repair_between(stop->base_b, 0.0f, 255.0f);
        stop->base_a = repair_between(stop->base_a, 0.0f, 255.0f);
    }
    for (uint32_t i = used; i < used + count; i++)
        rules_set_slopes(&r->stops[i], &r->stops[i + 1 < used + count ? i + 1 : i]);
    paint->first_stop = used;
    paint->stop_count = count;
    r->header.stop_count += count;
    return count > 0;
}

static bool take_mip_levels(repaired *r, const stream_view *view, stream_paint *paint)
{
    uint32_t used = r->header.mip_level_count, left = repair_count(view->header->mip_level_count, MOST_ITEMS) - used;
    uint32_t count = left > 0 ? 1 + paint->stop_count % (left < 4 ? left : 4) : 0;
    uint32_t width = count > 0 ? 1 + view->mip_levels[used].width % MOST_SIDE : 0,
             height = count > 0 ? 1 + view->mip_levels[used].height % MOST_SIDE : 0;
    if (r->header.texel_count + 2 * MOST_SIDE * MOST_SIDE > MOST_TEXELS)
        count = 0;
    paint->r0 = paint->r0 >= 1.0f && paint->r0 <= 9.0f ? floorf(paint->r0) : 0.0f; /* an external image's id */
    for (uint32_t i = used; i < used + count; i++) {
        r->mip_levels[i] = (stream_mip_level){width, height, r->header.texel_count};
        for (uint32_t k = 0; k < width * height; k++, r->header.texel_count++) {
            uint32_t given = view->header->texel_count;
            const uint32_t color = repair_color(given > 0 ? view->texels[r->header.texel_count % given] : UINT32_MAX);
            r->texels[r->header.texel_count] = paint->r0 != 0.0f ? 0 : color;
        }
        width = (width + 1) / 2;
        height = (height + 1) / 2;
    }
    paint->first_stop = used;
    paint->stop_count = count;
    r->header.mip_level_count += count;
    return count > 0;
}

static float repair_radius(float radius, const stream_box_shadow *shadow)
{
    return repair_between(radius, 0.0f, 0.5f * fminf(shadow->x1 - shadow->x0, shadow->y1 - shadow->y0));
}

/* Takes the shadow that follows. Its colour is that of its paint. */
static bool take_shadow(repaired *r, const stream_view *view, stream_paint *paint)
{
    const uint32_t used = r->header.box_shadow_count;
    if (used >= repair_count(view->header->box_shadow_count, MOST_ITEMS))
        return false;
    stream_box_shadow *shadow = &r->box_shadows[used];
    *shadow = view->box_shadows[used];
    shadow->x0 = repair_float(shadow->x0, 0.5f * SHADOW_LIMIT);
    shadow->y0 = repair_float(shadow->y0, 0.5f * SHADOW_LIMIT);
    shadow->x1 =
        shadow->x1 > shadow->x0 ? repair_float(shadow->x1, SHADOW_LIMIT) : 0.5f * SHADOW_LIMIT + fabsf(shadow->x0);
    shadow->y1 =
        shadow->y1 > shadow->y0 ? repair_float(shadow->y1, SHADOW_LIMIT) : 0.5f * SHADOW_LIMIT + fabsf(shadow->y0);
    shadow->top_left = repair_radius(shadow->top_left, shadow);
    shadow->top_right = repair_radius(shadow->top_right, shadow);
    shadow->bottom_right = repair_radius(shadow->bottom_right, shadow);
    shadow->bottom_left = repair_radius(shadow->bottom_left, shadow);
    shadow->sigma = repair_between(shadow->sigma, 0.0f, SHADOW_LIMIT);
    shadow->is_inset &= 1u;
    paint->first_stop = used;
    paint->stop_count = 0;
    r->header.box_shadow_count++;
    return true;
}

static void repair_geometry(stream_paint *paint)
{
    float *numbers = &paint->a;
    for (size_t i = 0; i < (offsetof(stream_paint, dr) - offsetof(stream_paint, a)) / sizeof(float) + 1; i++)
        numbers[i] = repair_float(numbers[i], STREAM_LIMIT);
    if (paint->kind == PAINT_RADIAL) {
        paint->centre_distance = fabsf(paint->centre_distance);
        paint->r0 = fabsf(paint->r0);
        paint->dr = repair_between(paint->dr, -paint->r0, STREAM_LIMIT);
        paint->dr = paint->centre_distance == 0.0f && paint->dr == 0.0f ? 1.0f : paint->dr;
    }
}

static void repair_paint(repaired *r, const stream_view *view, uint32_t index)
{
    stream_paint *paint = &r->paints[r->header.paint_count++];
    bool opaque = false;
    *paint = view->paints[index];
    paint->kind %= PAINT_SWEEP + 2;
    if (paint->kind == PAINT_SWEEP + 1)
        paint->kind = take_shadow(r, view, paint) ? PAINT_BOX_SHADOW : PAINT_SOLID;
    paint->spread %= SPREAD_REPEAT + 1;
    paint->opacity &= 255u;
    repair_geometry(paint);
    if (paint->kind != PAINT_SOLID && paint->kind != PAINT_BOX_SHADOW && !share_parts(r, paint, &opaque)) {
        bool some = paint->kind == PAINT_IMAGE ? take_mip_levels(r, view, paint) : take_stops(r, view, paint);
        paint->kind = some ? paint->kind : PAINT_SOLID;
        if (some) {
            opaque = true;
            for (uint32_t i = 0; i < paint->stop_count && paint->kind == PAINT_IMAGE; i++) {
                const stream_mip_level *level = &r->mip_levels[paint->first_stop + i];
                for (uint32_t k = 0; k < level->width * level->height; k++)
                    opaque = opaque && r->texels[level->first_texel + k] >> 24 == 255u;
            }
            opaque = paint->kind == PAINT_IMAGE
                         ? opaque
                         : rules_stops_are_opaque(r->stops + paint->first_stop, paint->stop_count);
        }
    }
    if (paint->kind == PAINT_SOLID) {
        paint->stop_count = 0;
        paint->first_stop %= PAINT_SLOT_MOST + 1;
        paint->color = repair_color(paint->color);
    } else if (paint->kind == PAINT_BOX_SHADOW) {
        paint->color = repair_color(paint->color);
    } else if (paint->kind == PAINT_IMAGE) {
        paint->color %= FILTER_HIGH + 1;
    }
    r->opaque[r->header.paint_count - 1] = rules_paint_is_opaque(paint, opaque);
}

/* ---- Elements ---- */

typedef struct open_level {
    uint32_t begin; /* index of the begin; STREAM_NONE: the stream itself */
    uint32_t kind;  /* ELEMENT_BEGIN_CLIP, ELEMENT_BEGIN_CLIP_SOURCE or ELEMENT_BEGIN_GROUP */
    uint32_t children, last_begin;
    bool blends;
} open_level;

typedef struct element_walk {
    repaired *r;
    const stream_view *view;
    open_level levels[MOST_ELEMENTS + 1];
    uint32_t depth;   /* number of levels, less 1 */
    uint32_t sources; /* open sources of clips */
} element_walk;

static stream_element *add_element(element_walk *walk, uint32_t kind)
{
    stream_element *element = &walk->r->elements[walk->r->header.element_count++];
    *element = (stream_element){
        .kind = kind, .path = STREAM_NONE, .style = STREAM_NONE, .paint = STREAM_NONE, .opacity = 255u};
    return element;
}

static void add_child(element_walk *walk, bool is_begin)
{
    open_level *level = &walk->levels[walk->depth];
    level->children++;
    level->last_begin = is_begin ? walk->r->header.element_count - 1 : STREAM_NONE;
}

static void open_level_of(element_walk *walk, uint32_t kind)
{
    walk->levels[++walk->depth] =
        (open_level){.begin = walk->r->header.element_count - 1, .kind = kind, .last_begin = STREAM_NONE};
}

static void set_box(stream_element *element, const stream_element *given)
{
    element->box_x0 = repair_float(given->box_x0, STREAM_BOX_LIMIT);
    element->box_y0 = repair_float(given->box_y0, STREAM_BOX_LIMIT);
    element->box_x1 = repair_float(given->box_x1, STREAM_BOX_LIMIT);
    element->box_y1 = repair_float(given->box_y1, STREAM_BOX_LIMIT);
    if ((given->opacity & 1) != 0) {
        element->box_x0 = element->box_y0 = -STREAM_BOX_LIMIT;
        element->box_x1 = element->box_y1 = STREAM_BOX_LIMIT;
    }
}

/* Sets the path, and what follows from it. */
static void set_path(element_walk *walk, stream_element *element, const stream_element *given, uint32_t index)
{
    const repaired *r = walk->r;
    const stream_path *path = &r->paths[index];
    const float *p = r->points[path->first_point];
    element->path = index;
    element->transform = given->transform % r->header.transform_count;
    set_box(element, given);
    uint32_t kind = element->kind & ELEMENT_KIND_MASK;
    element->kind |= given->kind & (ELEMENT_ALIASED | (kind == ELEMENT_STROKE ? 0u : ELEMENT_EVEN_ODD) |
                                    (kind == ELEMENT_FILL ? ELEMENT_ALIASED_UPRIGHT : 0u));
    if (kind != ELEMENT_STROKE && rules_path_is_rectangle(r->tags + path->first_segment, path->segment_count, p)) {
        element->kind |= ELEMENT_RECT;
        element->box_x0 = fminf(p[0], p[4]);
        element->box_x1 = fmaxf(p[0], p[4]);
        element->box_y0 = fminf(p[1], p[5]);
        element->box_y1 = fmaxf(p[1], p[5]);
    }
}

static void draw_element(element_walk *walk, const stream_element *given)
{
    const repaired *r = walk->r;
    bool stroke = (given->kind & 1) == 0 && r->header.style_count > 0;
    uint32_t index = r->header.path_count > 0 ? given->path % r->header.path_count : 0;
    if (r->header.paint_count == 0 || r->header.path_count == 0 || r->paths[index].segment_count == 0)
        return;
    stream_element *element = add_element(walk, stroke ? ELEMENT_STROKE : ELEMENT_FILL);
    set_path(walk, element, given, index);
    element->paint = given->paint % r->header.paint_count;
    element->kind |= (r->opaque[element->paint] ? ELEMENT_OPAQUE : 0u) |
                     (r->paints[element->paint].kind == PAINT_IMAGE ? ELEMENT_IMAGE : 0u) |
                     (r->paints[element->paint].kind == PAINT_BOX_SHADOW ? ELEMENT_BOX_SHADOW : 0u);
    if (stroke) {
        element->style = given->style % r->header.style_count;
        element->kind |= r->styles[element->style].dash_count > 0 ? ELEMENT_DASHED : 0u;
    }
    element->kind |= walk->depth == 0 && rules_may_occlude(element->kind) ? ELEMENT_OCCLUDER : 0u;
    add_child(walk, false);
}

static void begin_element(element_walk *walk, const stream_element *given, uint32_t choice)
{
    repaired *r = walk->r;
    bool group = choice == 0 && walk->sources == 0, by_path = choice == 1 && r->header.path_count > 0;
    stream_element *element = add_element(walk, group ? ELEMENT_BEGIN_GROUP : ELEMENT_BEGIN_CLIP);
    add_child(walk, true);
    if (by_path) {
        element->kind |= given->kind & ELEMENT_COPIES_DESTINATION;
        set_path(walk, element, given, given->path % r->header.path_count);
    } else {
        set_box(element, given);
    }
    if (group) {
        element->opacity = given->opacity & 255u;
        element->kind |= (given->kind & ELEMENT_ISOLATED) | kind_mode(given->kind) % BLEND_COUNT << ELEMENT_MODE_SHIFT;
    }
    open_level_of(walk, group ? ELEMENT_BEGIN_GROUP : ELEMENT_BEGIN_CLIP);
    if (!group && !by_path) {
        uint32_t mode = walk->sources > 0 ? MASK_NONE : given->kind >> ELEMENT_MODE_SHIFT & 3u;
        element->kind |= mode << ELEMENT_MODE_SHIFT |
                         (given->kind & (mode == MASK_NONE ? ELEMENT_COPIES_DESTINATION : ELEMENT_ISOLATED));
        add_element(walk, ELEMENT_BEGIN_CLIP_SOURCE);
        open_level_of(walk, ELEMENT_BEGIN_CLIP_SOURCE);
        walk->sources += mode == MASK_NONE;
    }
}

static void end_element(element_walk *walk)
{
    repaired *r = walk->r;
    open_level level = walk->levels[walk->depth--], *outer = &walk->levels[walk->depth];
    if (level.kind == ELEMENT_BEGIN_CLIP_SOURCE) {
        walk->sources -= kind_mode(r->elements[level.begin - 1].kind) == MASK_NONE;
        add_element(walk, ELEMENT_END_CLIP_SOURCE);
        return;
    }
    uint32_t *kind = &r->elements[level.begin].kind;
    if (level.children == 1 && level.last_begin != STREAM_NONE)
        r->elements[level.last_begin].kind |= ELEMENT_SOLE_CHILD;
    *kind |= rules_layer_flags(*kind, level.blends);
    outer->blends = outer->blends || rules_layer_shows_below(*kind, level.blends);
    add_element(walk, level.kind == ELEMENT_BEGIN_GROUP ? ELEMENT_END_GROUP : ELEMENT_END_CLIP);
}

static void repair_elements(repaired *r, const stream_view *view)
{
    static element_walk walk;
    walk = (element_walk){.r = r, .view = view, .levels = {{.begin = STREAM_NONE, .last_begin = STREAM_NONE}}};
    for (uint32_t i = 0;
         i < view->header->element_count && r->header.element_count + 2 * walk.depth + 6 < MOST_ELEMENTS; i++) {
        const stream_element *given = &view->elements[i];
        switch (given->kind & ELEMENT_KIND_MASK) {
        case ELEMENT_BEGIN_CLIP:
            begin_element(&walk, given, given->path != STREAM_NONE ? 1 : 2);
            break;
        case ELEMENT_BEGIN_GROUP:
            begin_element(&walk, given, 0);
            break;
        case ELEMENT_BEGIN_CLIP_SOURCE:
            break;
        case ELEMENT_END_CLIP:
        case ELEMENT_END_CLIP_SOURCE:
        case ELEMENT_END_GROUP:
            if (walk.depth > 0)
                end_element(&walk);
            break;
        default:
            draw_element(&walk, given);
        }
    }
    while (walk.depth > 0)
        end_element(&walk);
}

static void repair_transforms(repaired *r, const stream_view *view)
{
    r->transforms[0] = (stream_transform){.a = 1.0f, .d = 1.0f};
    r->header.transform_count = 1;
    for (uint32_t i = 0; i < repair_count(view->header->transform_count, MOST_ITEMS - 1); i++) {
        float *numbers = &r->transforms[r->header.transform_count].a;
        r->transforms[r->header.transform_count++] = view->transforms[i];
        for (size_t k = 0; k < sizeof r->transforms[0] / sizeof(float); k++)
            numbers[k] = repair_float(numbers[k], STREAM_LIMIT);
    }
}

/* Returns one block for free(), with the word_count words of the repaired header. NULL: out of memory. */
static uint32_t *repair_stream(const stream_view *view)
{
    static repaired r;
    memset(&r, 0, sizeof r);
    r.header = (stream_header){.magic = STREAM_MAGIC, .version = STREAM_VERSION};
    repair_paths(&r, view);
    repair_transforms(&r, view);
    repair_styles(&r, view);
    for (uint32_t i = 0; i < repair_count(view->header->paint_count, MOST_ITEMS); i++)
        repair_paint(&r, view, i);
    repair_elements(&r, view);
    r.header.segment_count = r.header.path_count > 0 ? r.header.segment_count : 0;
    rules_totals totals = rules_count(r.elements, r.header.element_count, r.paths);
    r.header.clip_event_count = totals.clip_events;
    r.header.occluder_count = totals.occluders;
    r.header.dashed_count = totals.dashed;
    r.header.task_count = (uint32_t)totals.tasks;
    uint32_t *words = calloc(stream_lay_out(&r.header), sizeof *words);
    if (!words)
        return NULL;
    memcpy(words, &r.header, sizeof r.header);
#define COPY(array, number) memcpy(words + r.header.array, r.array, (number) * sizeof r.array[0])
    COPY(elements, r.header.element_count);
    COPY(paths, r.header.path_count);
    COPY(tags, r.header.segment_count);
    COPY(points, r.header.point_count);
    COPY(transforms, r.header.transform_count);
    COPY(styles, r.header.style_count);
    COPY(dashes, r.header.dash_count);
    COPY(paints, r.header.paint_count);
    COPY(stops, r.header.stop_count);
    COPY(mip_levels, r.header.mip_level_count);
    COPY(box_shadows, r.header.box_shadow_count);
    COPY(texels, r.header.texel_count);
#undef COPY
    return words;
}

#endif
