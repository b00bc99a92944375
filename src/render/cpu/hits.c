/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* One walk over the elements. A clip is judged at its begin, so all that the walk then meets lies inside of what is
 * open. What a clip leaves out is passed over, and so are the sources of masks and the pictures of effects, which are
 * not seen where they stand. */
#include "render/cpu/hits.h"

#include "base/error.h"
#include "lib/element.h"
#include "lib/winding.h"
#include "render/cpu/prepare.h"

/* A begin that is open. */
typedef struct open_begin {
    float opacity; /* of all groups up to this one */
    uint source;   /* the innermost one, up to this one, that is the source of a clip; 0: none */
    bool masked;   /* this or a begin around it is a mask */
    bool is_hit;   /* for a source: something in it contains the point */
} open_begin;

typedef struct hit_walk {
    stream_view stream;
    const frame_config *config;
    cpu_winding winding;
    ARRAY(open_begin) open; /* the first stands for the picture */
    uint next;              /* the element after the current one */
    cpu_last_matrix last;
    cpu_hits *hits;
    pietra_error *error;
} hit_walk;

/* Decides whether a fill, a stroke or a clip by a path contains the point. */
static pietra_result contains(hit_walk *walk, uint index, bool *inside)
{
    const stream_element *element = &walk->stream.elements[index];
    const affine matrix = cpu_element_matrix(&walk->last, walk->config, &walk->stream, element);
    const element_info info = cpu_element_info(&walk->stream, element, matrix);
    const pixel_box pixel = cpu_point_pixel(walk->winding.at);
    *inside = box_has_pixel(info.box, pixel.x0, pixel.y0);
    if (!*inside || (info.flags & (INFO_SNAPPED | INFO_FOLDED)) != 0) /* such a box is all of the element */
        return PIETRA_OK;
    int turns;
    pietra_result result = cpu_winding_count(&walk->winding, index, matrix, walk->error, &turns);
    if (result == PIETRA_OK)
        *inside = is_inside(element->kind, turns);
    return result;
}

/* Moves the walk behind the end of the innermost open begin, in the stream's order. */
static void pass_over(hit_walk *walk)
{
    for (uint depth = 1; depth > 0; walk->next++) {
        const uint kind = walk->stream.elements[walk->next].kind & ELEMENT_KIND_MASK;
        depth += kind_begins(kind) || kind_begins_effect(kind) ? 1u : 0u;
        depth -= kind_ends(kind) || kind_ends_effect(kind) ? 1u : 0u;
    }
}

static pietra_result push_begin(hit_walk *walk, open_begin begin)
{
    open_begin *pushed = array_push(&walk->open);
    if (!pushed)
        return error_set_memory(walk->error);
    *pushed = begin;
    return PIETRA_OK;
}

static float paint_opacity(const stream_paint *paint)
{
    const bool has_color = paint->kind == PAINT_SOLID || paint->kind == PAINT_BOX_SHADOW;
    return (float)(has_color ? paint->color >> 24 : paint->opacity) / 255.0f;
}

/* A source contains the point if something in it does. */
static pietra_result take_hit(hit_walk *walk, uint index)
{
    const open_begin around = *array_last(&walk->open);
    if (around.source != 0) {
        walk->open.items[around.source].is_hit = true;
        return PIETRA_OK;
    }
    cpu_hit *hit = array_push(walk->hits);
    if (!hit)
        return error_set_memory(walk->error);
    *hit = (cpu_hit){.element = index, .masked = around.masked};
    hit->opacity = around.opacity * paint_opacity(&walk->stream.paints[walk->stream.elements[index].paint]);
    return PIETRA_OK;
}

static pietra_result visit_shape(hit_walk *walk, uint index)
{
    bool inside;
    pietra_result result = contains(walk, index, &inside);
    return result == PIETRA_OK && inside ? take_hit(walk, index) : result;
}

static pietra_result visit_clip(hit_walk *walk, uint index)
{
    const stream_element *element = &walk->stream.elements[index];
    open_begin begin = *array_last(&walk->open);
    begin.masked = begin.masked || kind_mode(element->kind) != MASK_NONE;
    bool inside = true;
    pietra_result result = element->path == STREAM_NONE ? PIETRA_OK : contains(walk, index, &inside);
    if (result != PIETRA_OK)
        return result;
    if (inside)
        return push_begin(walk, begin);
    pass_over(walk);
    return PIETRA_OK;
}

/* The begin of the clip or the mask stands just before its source. */
static pietra_result visit_source(hit_walk *walk, uint index)
{
    if (kind_mode(walk->stream.elements[index - 1].kind) == MASK_NONE)
        return push_begin(walk, (open_begin){.source = (uint)walk->open.count});
    pass_over(walk);
    return PIETRA_OK;
}

static void visit_source_end(hit_walk *walk)
{
    const bool is_hit = array_last(&walk->open)->is_hit;
    walk->open.count--;
    if (!is_hit) {
        pass_over(walk);
        walk->open.count--;
    }
}

static pietra_result visit_group(hit_walk *walk, uint index)
{
    open_begin begin = *array_last(&walk->open);
    begin.opacity *= (float)(walk->stream.elements[index].opacity & ELEMENT_OPACITY_MASK) / 255.0f;
    return push_begin(walk, begin);
}

static pietra_result visit(hit_walk *walk, uint index)
{
    switch (walk->stream.elements[index].kind & ELEMENT_KIND_MASK) {
    case ELEMENT_FILL:
    case ELEMENT_STROKE:
        return visit_shape(walk, index);
    case ELEMENT_BEGIN_CLIP:
        return visit_clip(walk, index);
    case ELEMENT_BEGIN_CLIP_SOURCE:
        return visit_source(walk, index);
    case ELEMENT_END_CLIP_SOURCE:
        visit_source_end(walk);
        return PIETRA_OK;
    case ELEMENT_BEGIN_GROUP:
    case ELEMENT_BEGIN_EFFECT:
        return visit_group(walk, index);
    case ELEMENT_BEGIN_EFFECT_PICTURE:
        pass_over(walk);
        return PIETRA_OK;
    default: /* an end */
        walk->open.count--;
        return PIETRA_OK;
    }
}

pietra_result cpu_find_hits(const uint32_t *words, const frame_config *config, cpu_point at, pietra_error *error,
                            cpu_hits *hits)
{
    hit_walk walk = {
        .stream = stream_view_of(words), .config = config, .last.transform = NONE, .hits = hits, .error = error};
    cpu_winding_begin(&walk.winding, words, config, at);
    pietra_result result = push_begin(&walk, (open_begin){.opacity = 1.0f});
    while (result == PIETRA_OK && walk.next < walk.stream.header->element_count) {
        walk.next++;
        result = visit(&walk, walk.next - 1);
    }
    cpu_winding_end(&walk.winding);
    array_free(&walk.open);
    return result;
}
