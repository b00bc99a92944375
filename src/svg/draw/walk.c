/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "svg/draw/walk.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/transform.h"
#include "svg/draw/boxes.h"
#include "svg/draw/clip.h"
#include "svg/draw/filter.h"
#include "svg/draw/filter_picture.h"
#include "svg/draw/paint_order.h"
#include "svg/tree/loops.h"
#include "svg/draw/mask.h"
#include "svg/draw/individual_transform.h"
#include "svg/draw/origins.h"
#include "svg/draw/paint.h"
#include "svg/draw/cell.h"
#include "svg/draw/text_element.h"
#include "svg/draw/text_faces.h"
#include "svg/draw/text_picture.h"
#include "svg/draw/transform_origin.h"
#include "svg/draw/visit.h"

#define FRAME_COST_ELEMENTS 256u /* elements of the scene whose cost is spent at once */

pietra_result svg_walk_check(const svg_walk *walk, uint32_t node, pietra_result result)
{
    if (result != PIETRA_OK && walk->error && walk->error->line == 0)
        walk->error->line = walk->document->nodes.items[node].line;
    return result;
}

pietra_result svg_walk_spend(svg_walk *walk, uint32_t node, uint64_t thousandths, uint64_t count)
{
    if (svg_budget_spend(walk->document->budget, thousandths, count))
        return PIETRA_OK;
    return svg_budget_error(walk->document->budget, SVG_LIMIT_steps, walk->error,
                            walk->document->nodes.items[node].line);
}

pietra_result svg_walk_meet(svg_walk *walk, uint32_t node, uint64_t count)
{
    walk->common->met += count;
    return svg_walk_spend(walk, node, SVG_STEP_node, count);
}

pietra_result svg_walk_follow_hrefs(svg_walk *walk, uint32_t first, bool (*is_link)(uint16_t element),
                                    svg_link_function *take, void *user)
{
    const svg_document *document = walk->document;
    pietra_result result = PIETRA_OK;
    uint32_t node = first;
    while (result == PIETRA_OK && node != SVG_NO_NODE && is_link(document->nodes.items[node].element) &&
           !(walk->flags[node] & SVG_NODE_CHAINED)) {
        walk->flags[node] |= SVG_NODE_CHAINED;
        result = take(walk, node, user);
        if (result == PIETRA_OK)
            result = svg_walk_meet(walk, node, 1);
        node = svg_document_href(document, node);
    }
    for (node = first; node != SVG_NO_NODE && walk->flags[node] & SVG_NODE_CHAINED;
         node = svg_document_href(document, node))
        walk->flags[node] &= (uint8_t)~SVG_NODE_CHAINED;
    return result;
}

pietra_result svg_walk_spend_frame(svg_walk *walk, uint32_t node)
{
    const uint32_t line = walk->document->nodes.items[node].line;
    svg_frame_cost *cost = walk->common->frame_cost;
    pietra_result result = svg_frame_cost_spend(cost, walk->document->budget, line, FRAME_COST_ELEMENTS);
    if (result == PIETRA_ERROR_INPUT)
        return svg_budget_error(walk->document->budget, SVG_LIMIT_steps, walk->error, svg_frame_cost_line(cost));
    return result;
}

uint64_t svg_walk_segments(const svg_walk *walk, uint32_t node)
{
    uint32_t path = walk->document->nodes.items[node].path;
    return path == SVG_NO_PATH ? 0 : walk->document->paths.paths.items[path].verb_count;
}

static bool has_arcs(const svg_walk *walk, uint32_t node)
{
    uint32_t path = walk->document->nodes.items[node].path;
    return path != SVG_NO_PATH && walk->document->paths.paths.items[path].has_arcs;
}

pietra_result svg_walk_spend_path(svg_walk *walk, uint32_t node)
{
    uint64_t segment = has_arcs(walk, node) ? SVG_STEP_arc : SVG_STEP_segment;
    return svg_walk_spend(walk, node, segment, svg_walk_segments(walk, node));
}

pietra_result svg_walk_spend_length(svg_walk *walk, uint32_t node)
{
    if (walk->document->nodes.items[node].path == SVG_NO_PATH)
        return svg_walk_spend(walk, node, SVG_STEP_measured_arc, 1);
    uint64_t segment = has_arcs(walk, node) ? SVG_STEP_measured_arc : SVG_STEP_measured_segment;
    return svg_walk_spend(walk, node, segment, svg_walk_segments(walk, node));
}

svg_metrics svg_walk_metrics(const svg_walk *walk, double font_size, double width, double height)
{
    return (svg_metrics){font_size,         walk->root_font_size,  width, height, walk->root_width,
                         walk->root_height, &walk->document->units};
}

bool svg_walk_transform(const svg_walk *walk, uint32_t node, const svg_metrics *metrics, pietra_transform *transform)
{
    const svg_attribute *attribute = svg_attribute_find(walk->document, node, SVG_TRANSFORM);
    if (!attribute && !walk->document->transforms_individually) {
        *transform = TRANSFORM_IDENTITY;
        return true;
    }
    pietra_transform listed = svg_attribute_transform(walk->document, node, SVG_TRANSFORM, metrics);
    if (walk->document->transforms_individually)
        listed = transform_multiply(svg_individual_transform(walk->document, node, metrics), listed);
    pietra_transform inverse, result = svg_transform_about_origin(walk->document, node, metrics, listed);
    if (!transform_invert(result, &inverse))
        return false;
    *transform = result;
    return true;
}

bool svg_walk_bounds(const svg_walk *walk, pietra_box *box)
{
    if (pietra_path_check(walk->path) == PIETRA_ERROR_MEMORY)
        svg_budget_lack_memory(walk->document->budget);
    return pietra_path_bounds(walk->path, box);
}

uint32_t svg_walk_use_target(const svg_walk *walk, uint32_t node)
{
    return walk->flags[node] & SVG_NODE_CIRCULAR ? SVG_NO_NODE : svg_document_href(walk->document, node);
}

/* ---- Frames ---- */

static svg_walk_frame *top_frame(svg_walk *walk)
{
    return array_last(&walk->frames);
}

void svg_walk_set_edges(svg_walk *walk, bool aliased)
{
    if (walk->is_aliased != aliased)
        pietra_scene_set_aliased(walk->scene, aliased);
    walk->is_aliased = aliased;
}

pietra_result svg_walk_push(svg_walk *walk, const svg_walk_frame *frame, const svg_inherited *style)
{
    uint32_t mark = (uint32_t)walk->styles.count;
    svg_walk_frame copy = *frame; /* the argument may itself lie in the array */
    svg_walk_frame *pushed = array_push(&walk->frames);
    if (!pushed || !array_reserve(&walk->styles, 1))
        return PIETRA_ERROR_MEMORY;
    *pushed = copy;
    pushed->style_mark = mark;
    pushed->context_mark = (uint32_t)walk->contexts.count;
    if (style) {
        pushed->style = mark;
        *array_push(&walk->styles) = *style;
    }
    return svg_origin_push(walk) ? PIETRA_OK : PIETRA_ERROR_MEMORY;
}

pietra_result svg_walk_open(svg_walk *walk, svg_walk_frame *frame)
{
    const svg_instance *instance = &frame->instance;
    svg_effects *effects = svg_walk_frame_effects(frame);
    effects->clip_first = effects->clip_next = svg_clip_target(walk, instance->node, &instance->noninherited);
    effects->clip_shape = instance->noninherited.clip_path.kind == SVG_REFERENCE_SHAPE;
    bool clipped = effects->clip_first != SVG_NO_NODE || effects->clip_shape;
    bool drawn = instance->mode == SVG_MODE_DRAW;
    effects->masked = drawn && svg_mask_occurs(walk, &instance->noninherited);
    effects->group_outside = drawn && (effects->masked || svg_walk_isolates(walk, &instance->noninherited, clipped));
    effects->group =
        drawn && (effects->group_outside ? walk->document->blends || instance->opacity < 1 : instance->opacity < 1);
    effects->filtered = drawn && svg_filter_occurs(walk, &instance->noninherited);
    effects->primitive_next = SVG_NO_NODE;
    frame->phase = effects->group_outside ? SVG_PHASE_GROUP
                   : clipped              ? SVG_PHASE_CLIPS
                   : effects->filtered    ? SVG_PHASE_FILTER
                                          : SVG_PHASE_OPEN;
    return PIETRA_OK;
}

bool svg_walk_isolates(const svg_walk *walk, const svg_noninherited *noninherited, bool clipped)
{
    return walk->document->blends &&
           (noninherited->mix_blend_mode != PIETRA_BLEND_NORMAL || noninherited->isolation == SVG_ISOLATION_ISOLATE ||
            svg_group_opacity(noninherited) < 1 || noninherited->filter.kind != SVG_REFERENCE_NONE || clipped);
}

static pietra_result push_source(svg_walk *walk, uint32_t clip, pietra_transform content)
{
    const svg_walk_frame *owner = top_frame(walk);
    const svg_style_in_place *placed = svg_walk_style_in_place(walk, clip);
    svg_walk_frame frame = {
        .instance =
            {
                .node = clip,
                .mode = SVG_MODE_CLIP,
                .transform = content,
                .width = owner->instance.width,
                .height = owner->instance.height,
                .opacity = 1,
            },
        .kind = SVG_WALK_FRAME_CLIP_SOURCE,
        .phase = SVG_PHASE_BODY,
        .clip.children =
            {
                .next = clip + 1,
                .end = walk->document->nodes.items[clip].end,
                .shown_by = SVG_NO_NODE,
                .local = TRANSFORM_IDENTITY,
                .width = owner->instance.width,
                .height = owner->instance.height,
                .handed_opacity = 1,
            },
    };
    if (!placed)
        return PIETRA_ERROR_MEMORY;
    frame.instance.noninherited = placed->noninherited;
    return svg_walk_push(walk, &frame, &placed->inherited);
}

/* Finds the box of the topmost walk frame's content. Unless the box is known, a walk frame of its own gathers it. */
static pietra_result find_extent(svg_walk *walk)
{
    svg_walk_frame *owner = top_frame(walk);
    if (owner->kind == SVG_WALK_FRAME_SHAPE) {
        svg_visit_shape_extent(walk, (uint32_t)walk->frames.count - 1);
        return PIETRA_OK;
    }
    svg_known_extent key = svg_extent_key(owner);
    if (svg_extent_find(walk, &key, &owner->extent)) {
        owner->extent_known = true;
        return PIETRA_OK;
    }
    svg_walk_frame frame = {
        .instance = owner->instance,
        .kind = SVG_WALK_FRAME_BOX,
        .phase = SVG_PHASE_BODY,
        .style = owner->style,
        .box =
            {
                .children = *svg_walk_frame_children(owner),
                .purpose = SVG_GATHER_FOR_OWNER,
                .gatherer = (uint32_t)walk->frames.count,
            },
    };
    frame.instance.mode = SVG_MODE_BOX;
    frame.instance.transform = TRANSFORM_IDENTITY;
    return svg_walk_push(walk, &frame, NULL);
}

/* All clipPaths of the chain have begun, so none of them is being computed any more. */
static void unmark_chain(svg_walk *walk, const svg_effects *effects)
{
    uint32_t clip = effects->clip_first;
    for (uint32_t i = 0; i < effects->chain_count; i++) {
        walk->flags[clip] &= (uint8_t)~SVG_NODE_CLIPPING;
        /* The style has been known since the clip began. */
        const svg_style_in_place *placed = svg_walk_style_in_place(walk, clip);
        if (i + 1 < effects->chain_count) /* the last clipPath may have no link */
            clip = walk->document->links.items[placed->noninherited.clip_path.link].node;
    }
}

/* Begins the next clip of the topmost frame's chain. */
static pietra_result begin_next_clip(svg_walk *walk)
{
    svg_walk_frame *frame = top_frame(walk);
    svg_effects *effects = svg_walk_frame_effects(frame);
    uint32_t clip = effects->clip_next;
    const svg_style_in_place *placed = svg_walk_style_in_place(walk, clip);
    if (!placed)
        return PIETRA_ERROR_MEMORY;
    bool shape = placed->noninherited.clip_path.kind == SVG_REFERENCE_SHAPE, begun = false;
    if ((svg_clip_needs_extent(walk, clip) || shape) && !frame->extent_known)
        return find_extent(walk);
    svg_clip_outcome outcome;
    pietra_transform content;
    walk->flags[clip] |= SVG_NODE_CLIPPING;
    effects->chain_count++;
    svg_origin_of_referred(walk, clip);
    pietra_result result = svg_walk_meet(walk, clip, 1);
    if (result == PIETRA_OK && shape)
        result = svg_clip_begin_shape(walk, placed->noninherited.clip_path.link, &frame->instance,
                                      &walk->styles.items[frame->style], &frame->extent, &begun);
    effects->clip_count += begun;
    if (result == PIETRA_OK)
        result = svg_clip_next(walk, clip, &effects->clip_next);
    if (result == PIETRA_OK)
        result = svg_clip_begin(walk, clip, &frame->instance, &frame->extent, &outcome, &content);
    if (result != PIETRA_OK)
        return result;
    if (outcome == SVG_CLIP_EVERYTHING) {
        effects->skipped = true;
        effects->clip_next = SVG_NO_NODE;
        return PIETRA_OK;
    }
    effects->clip_count++;
    return outcome == SVG_CLIP_SOURCE ? push_source(walk, clip, content) : PIETRA_OK;
}

/* Begins a clip to a basic shape of CSS. */
static pietra_result begin_shape_clip(svg_walk *walk)
{
    svg_walk_frame *frame = top_frame(walk);
    if (!frame->extent_known)
        return find_extent(walk);
    bool begun;
    pietra_result result = svg_clip_begin_shape(walk, frame->instance.noninherited.clip_path.link, &frame->instance,
                                                &walk->styles.items[frame->style], &frame->extent, &begun);
    svg_walk_frame_effects(frame)->clip_shape = false;
    svg_walk_frame_effects(frame)->clip_count += begun;
    return result;
}

static pietra_result begin_group(svg_walk *walk, const svg_walk_frame *frame)
{
    return svg_walk_check(walk, frame->instance.node,
                          pietra_scene_begin_blended_group(walk->scene, (float)frame->instance.opacity,
                                                           (pietra_blend)frame->instance.noninherited.mix_blend_mode,
                                                           walk->error));
}

static void skip_body(svg_walk_frame *frame)
{
    svg_children *children = svg_walk_frame_children(frame);
    if (children)
        children->next = children->end;
    else if (frame->kind == SVG_WALK_FRAME_TEXT)
        frame->text.next = frame->text.end;
    else
        frame->shape.step = SVG_PAINT_STEP_COUNT;
}

/* Begins what comes after all clips: the group, if it is inside them, the filters, and the clip to the viewport. */
static pietra_result open_frame(svg_walk *walk)
{
    svg_walk_frame *frame = top_frame(walk);
    svg_effects *effects = svg_walk_frame_effects(frame);
    const svg_rectangle *viewport = &effects->viewport;
    pietra_result result = PIETRA_OK;
    unmark_chain(walk, effects);
    if (effects->skipped) {
        effects->group = effects->group && effects->group_outside;
        effects->viewport_clip = false;
        skip_body(frame);
        return PIETRA_OK;
    }
    if (effects->group && !effects->group_outside)
        result = begin_group(walk, frame);
    if (result == PIETRA_OK && effects->filtered) {
        result = svg_filter_begin(walk, (uint32_t)walk->frames.count - 1);
        frame = top_frame(walk);
    }
    if (result == PIETRA_OK && effects->viewport_clip) {
        pietra_path_reset(walk->path);
        pietra_path_rect(walk->path, viewport->x, viewport->y, viewport->width, viewport->height);
        svg_walk_set_edges(walk, false);
        const pietra_transform *space = effects->viewport_outside ? &effects->around : &frame->instance.transform;
        result = pietra_scene_begin_clip(walk->scene, walk->path, space, PIETRA_FILL_NONZERO, walk->error);
    }
    return svg_walk_check(walk, frame->instance.node, result);
}

/* Hands the box that a walk frame has gathered to the walk frame that asked for it. */
static pietra_result close_extent(svg_walk *walk, svg_walk_frame *frame, uint32_t index)
{
    const svg_box_frame *box = &frame->box;
    if (box->gatherer != index)
        return PIETRA_OK;
    svg_known_extent known = svg_extent_key(frame);
    if (!svg_extent_add(walk, &known))
        return PIETRA_ERROR_MEMORY;
    if (box->purpose == SVG_GATHER_FOR_OWNER) {
        walk->frames.items[index - 1].extent = frame->extent;
        walk->frames.items[index - 1].extent_known = true;
    } else if (box->purpose == SVG_GATHER_FOR_PARENT && frame->extent.some) {
        svg_extent_join(&walk->frames.items[box->outer_gatherer].extent, transform_box(box->outward, frame->extent.box),
                        transform_box(box->outward, frame->extent.stroke));
    }
    return PIETRA_OK;
}

static pietra_result close_effects(svg_walk *walk, const svg_walk_frame *frame, const svg_effects *effects)
{
    pietra_result result = PIETRA_OK;
    if (effects->viewport_clip)
        result = pietra_scene_end_clip(walk->scene, walk->error);
    if (result == PIETRA_OK)
        result = svg_filter_end(walk, frame, effects);
    if (result == PIETRA_OK && effects->group && !effects->group_outside)
        result = pietra_scene_end_group(walk->scene, walk->error);
    for (uint32_t i = 0; result == PIETRA_OK && i < effects->clip_count; i++)
        result = pietra_scene_end_clip(walk->scene, walk->error);
    for (uint32_t i = 0; result == PIETRA_OK && i < effects->mask_count; i++)
        result = pietra_scene_end_mask(walk->scene, walk->error);
    if (result == PIETRA_OK && effects->group && effects->group_outside)
        result = pietra_scene_end_group(walk->scene, walk->error);
    return result;
}

/* Ends what the walk frame's kind began beside its effects. If drawing has failed, it only resets what outlives the
 * scene. */
static pietra_result close_kind(svg_walk *walk, svg_walk_frame *frame, pietra_result result)
{
    switch ((svg_walk_frame_kind)frame->kind) {
    case SVG_WALK_FRAME_MARKER:
        walk->flags[frame->instance.node] &= (uint8_t)~SVG_NODE_MARKING;
        return result;
    case SVG_WALK_FRAME_CELL:
        walk->flags[frame->cell.pattern] &= (uint8_t)~SVG_NODE_REPEATING;
        return result == PIETRA_OK ? svg_cell_end(walk, frame->cell.drawing) : result;
    case SVG_WALK_FRAME_MASK_SOURCE:
        walk->flags[frame->instance.node] &= (uint8_t)~SVG_NODE_MASKING;
        return result == PIETRA_OK ? pietra_scene_end_mask_source(walk->scene, walk->error) : result;
    case SVG_WALK_FRAME_CLIP_SOURCE:
        return result == PIETRA_OK ? pietra_scene_end_clip_source(walk->scene, walk->error) : result;
    case SVG_WALK_FRAME_PICTURE:
        svg_filter_end_picture(walk);
        return result;
    case SVG_WALK_FRAME_BOX:
        return result == PIETRA_OK ? close_extent(walk, frame, (uint32_t)walk->frames.count - 1) : result;
    case SVG_WALK_FRAME_TEXT:
        frame->text.layout->users--;
        return result;
    case SVG_WALK_FRAME_CONTAINER:
    case SVG_WALK_FRAME_SHAPE:
        break;
    }
    return result;
}

static pietra_result close_frame(svg_walk *walk)
{
    svg_walk_frame frame = *top_frame(walk);
    const svg_effects *effects = svg_walk_frame_effects(&frame);
    pietra_result result = close_kind(walk, &frame, effects ? close_effects(walk, &frame, effects) : PIETRA_OK);
    if (result == PIETRA_OK && frame.boxed && !svg_boxes_end(walk))
        result = PIETRA_ERROR_MEMORY;
    walk->styles.count = frame.style_mark;
    walk->contexts.count = frame.context_mark;
    walk->frames.count--;
    walk->shown.count -= walk->origins != NULL;
    return svg_walk_check(walk, frame.instance.node, result);
}

/* Resolves the paints of a `use` for what it shows. */
static pietra_result begin_context(svg_walk *walk)
{
    svg_walk_frame *frame = top_frame(walk);
    if (!frame->extent_known)
        return find_extent(walk);
    frame->phase++;
    return svg_context_begin(walk, (uint32_t)walk->frames.count - 1);
}

static pietra_result step_body(svg_walk *walk)
{
    svg_walk_frame *frame = top_frame(walk);
    uint32_t index = (uint32_t)walk->frames.count - 1;
    svg_children *children = svg_walk_frame_children(frame);
    if (!children) {
        bool done;
        pietra_result result = frame->kind == SVG_WALK_FRAME_TEXT ? svg_text_step(walk, index, &done)
                                                                  : svg_paint_order_step(walk, index, &done);
        return result == PIETRA_OK && done ? close_frame(walk) : result;
    }
    uint32_t child = children->next;
    if (child >= children->end)
        return close_frame(walk);
    children->next = walk->document->nodes.items[child].end;
    return svg_visit(walk, index, child);
}

/* Does the next step before a walk frame's body, if there are effects around it. */
static pietra_result step_effects(svg_walk *walk, svg_walk_frame *frame, const svg_effects *effects)
{
    switch ((svg_phase)frame->phase) {
    case SVG_PHASE_CONTEXT:
        return begin_context(walk);
    case SVG_PHASE_GROUP:
        frame->phase++;
        return effects->group && effects->group_outside ? begin_group(walk, frame) : PIETRA_OK;
    case SVG_PHASE_MASK:
        if (effects->masked && !frame->extent_known)
            return find_extent(walk);
        return svg_mask_step(walk, (uint32_t)walk->frames.count - 1);
    case SVG_PHASE_CLIPS:
        if (effects->clip_shape)
            return begin_shape_clip(walk);
        if (effects->clip_next != SVG_NO_NODE)
            return begin_next_clip(walk);
        frame->phase++;
        return PIETRA_OK;
    case SVG_PHASE_FILTER:
        if (effects->filtered && !frame->extent_known && !effects->skipped &&
            svg_filter_needs_extent(walk, &frame->instance.noninherited))
            return find_extent(walk);
        return svg_filter_step(walk, (uint32_t)walk->frames.count - 1);
    case SVG_PHASE_OPEN:
        frame->phase++;
        return open_frame(walk);
    case SVG_PHASE_BODY:
        break;
    }
    return step_body(walk);
}

static pietra_result step(svg_walk *walk)
{
    svg_walk_frame *frame = top_frame(walk);
    svg_origin_of_frame(walk);
    return frame->phase == SVG_PHASE_BODY ? step_body(walk) : step_effects(walk, frame, svg_walk_frame_effects(frame));
}

/* Prepares the first run of a walk. */
static bool prepare(svg_walk *walk)
{
    walk->path = pietra_path_create();
    walk->clip_path = pietra_path_create();
    walk->flags = calloc(walk->document->nodes.count, 1);
    return walk->path && walk->clip_path && walk->flags &&
           svg_loops_find(walk->document, walk->flags, SVG_NODE_CIRCULAR);
}

/* Spends the cost of what was added to the scene of a cell, or of a picture, which the frame does not have yet. */
static pietra_result spend_aside(svg_walk *walk, const pietra_scene *scene, size_t before)
{
    const size_t count = scene == walk->scene ? pietra_scene_position(scene) : 0;
    if (count <= before || svg_frame_cost_is_of(walk->common->frame_cost, scene))
        return PIETRA_OK;
    return svg_walk_spend(walk, walk->node, SVG_STEP_element, count - before);
}

pietra_result svg_walk_run(svg_walk *walk, double width, double height)
{
    /* An element that is drawn alone is visible wherever it lies. For an inner document, its caller has set what is
     * visible. */
    if (walk->only == SVG_NO_NODE && walk->depth == 0)
        walk->visible = transform_box(walk->base, (pietra_box){0, 0, width, height});
    walk->root_width = width;
    walk->root_height = height;
    walk->root_font_size = svg_initial_font_size(walk->document);
    if (!walk->flags && !prepare(walk))
        return PIETRA_ERROR_MEMORY;
    const svg_budget *budget = walk->document->budget;
    pietra_result result = svg_visit_root(walk, width, height);
    while (result == PIETRA_OK && walk->frames.count && !budget->is_exceeded && !budget->lacks_memory) {
        walk->node = top_frame(walk)->instance.node;
        const pietra_scene *scene = walk->scene;
        const size_t before = pietra_scene_position(scene);
        result = step(walk);
        if (result == PIETRA_OK)
            result = spend_aside(walk, scene, before);
        if (result == PIETRA_OK)
            result = svg_walk_spend_frame(walk, walk->node);
    }
    if (result != PIETRA_OK)
        return result;
    return svg_budget_check(budget, walk->error, walk->document->nodes.items[walk->node].line);
}

void svg_walk_free(svg_walk *walk)
{
    svg_cell_free_all(walk);
    pietra_path_destroy(walk->path);
    pietra_path_destroy(walk->clip_path);
    free(walk->flags);
    svg_filter_free_pictures(walk, 0);
    array_free(&walk->filter_pictures);
    array_free(&walk->frames);
    array_free(&walk->shown);
    array_free(&walk->styles);
    array_free(&walk->contexts);
    array_free(&walk->marker_positions);
    array_free(&walk->dashes);
    array_free(&walk->styles_in_place);
    array_free(&walk->gradients);
    array_free(&walk->extents);
    for (size_t i = 0; i < walk->texts.count; i++)
        svg_text_layout_free(walk->texts.items[i]);
    array_free(&walk->texts);
    svg_text_free_pictures(walk);
    svg_text_close_fonts(walk);
    hash_free(&walk->style_in_place_table);
    hash_free(&walk->gradient_table);
    hash_free(&walk->extent_table);
    arena_free(&walk->arena);
}
