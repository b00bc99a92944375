/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "svg/draw/visit.h"

#include "base/transform.h"
#include "svg/draw/backdrop.h"
#include "svg/draw/boxes.h"
#include "svg/tree/conditions.h"
#include "svg/draw/filter.h"
#include "svg/draw/origins.h"
#include "svg/draw/shape.h"
#include "svg/draw/text_element.h"

/* What an element inherits from its place. */
typedef struct svg_place {
    const svg_inherited *style;
    const svg_noninherited *noninherited;
    pietra_transform transform; /* the transform of its parent's content */
    double width, height;       /* size of the viewport */
    double opacity;             /* handed on by groups around it */
    uint8_t mode;
    bool in_place;
    uint32_t context;
    uint32_t shown_by; /* the `use` that shows it, or SVG_NO_NODE */
    uint32_t gatherer; /* in BOX mode: the frame to whose box it adds */
} svg_place;

static svg_place place_in(const svg_walk *walk, uint32_t frame_index)
{
    svg_walk_frame *frame = &walk->frames.items[frame_index];
    const svg_children *children = svg_walk_frame_children(frame);
    bool itself = frame->kind == SVG_WALK_FRAME_CONTAINER ||
                  (frame->kind == SVG_WALK_FRAME_BOX && frame->box.purpose != SVG_GATHER_FOR_OWNER);
    bool by_use = walk->document->nodes.items[frame->instance.node].element == SVG_USE;
    return (svg_place){
        .style = &walk->styles.items[frame->style],
        .noninherited = &frame->instance.noninherited,
        .transform = transform_multiply(frame->instance.transform, children->local),
        .width = children->width,
        .height = children->height,
        .opacity = children->handed_opacity,
        .mode = frame->instance.mode,
        .in_place = frame->instance.in_place && itself && !by_use,
        .context = frame->instance.context,
        .shown_by = by_use ? frame->instance.node : SVG_NO_NODE,
        .gatherer = frame->kind == SVG_WALK_FRAME_BOX ? frame->box.gatherer : 0,
    };
}

/* ---- What is left out ---- */

static void warn_of_element(svg_walk *walk, uint32_t node)
{
    const uint16_t element = walk->document->nodes.items[node].element;
    if ((element == SVG_TEXT && !svg_text_is_drawn(walk)) || element == SVG_FOREIGN_OBJECT) {
        text name = svg_name_text((svg_name)element);
        svg_warn(walk->warnings, svg_document_warning_line(walk->document, node), "<%.*s> is left out",
                 TEXT_PRINT(name));
    }
}

/* ---- Containers ---- */

/* Returns whether the element only surrounds the element that is drawn alone. Then only its space counts. */
static bool is_around_only(const svg_walk *walk, const svg_instance *instance)
{
    return instance->in_place && walk->only != SVG_NO_NODE && instance->node < walk->only &&
           walk->only < walk->document->nodes.items[instance->node].end;
}

static bool is_beside_only(const svg_walk *walk, const svg_place *place, uint32_t node)
{
    const svg_node *nodes = walk->document->nodes.items;
    return place->in_place && walk->only != SVG_NO_NODE &&
           (nodes[node].end <= walk->only || node >= nodes[walk->only].end);
}

/* If at most one child can draw anything, that child takes over the opacity, and no group is needed. */
static pietra_result hand_opacity(svg_walk *walk, svg_walk_frame *frame)
{
    const svg_node *nodes = walk->document->nodes.items;
    uint64_t steps = 0, drawn = 0;
    svg_container_frame *container = &frame->container;
    for (uint32_t child = container->children.next; child < container->children.end && drawn < 2;
         child = nodes[child].end, steps++) {
        switch ((svg_name)nodes[child].element) {
        case SVG_A:
        case SVG_G:
        case SVG_SVG:
        case SVG_SWITCH:
        case SVG_TEXT:
        case SVG_USE:
            drawn++;
            break;
        default:
            drawn += svg_is_shape(nodes[child].element) || nodes[child].element == SVG_IMAGE;
            break;
        }
    }
    if (drawn < 2) {
        container->effects.group = false;
        container->children.handed_opacity = frame->instance.opacity;
    }
    return svg_walk_meet(walk, frame->instance.node, steps);
}

/* Returns whether `switch` passes over a child: a description, or a child whose conditions do not hold. */
static bool is_passed_over(const svg_walk *walk, uint32_t child)
{
    uint16_t element = walk->document->nodes.items[child].element;
    return element == SVG_FOREIGN || element == SVG_DESC || element == SVG_TITLE || element == SVG_METADATA ||
           !svg_conditions_hold(walk->document, child);
}

/* Chooses the child that `switch` shows: the first whose conditions hold. */
static pietra_result choose_child(svg_walk *walk, uint32_t node, svg_children *children)
{
    const svg_node *nodes = walk->document->nodes.items;
    uint64_t steps = 1;
    uint32_t child = children->next;
    while (child < children->end && is_passed_over(walk, child)) {
        child = nodes[child].end;
        steps++;
    }
    children->next = child;
    children->end = child < children->end ? nodes[child].end : child;
    return svg_walk_meet(walk, node, steps);
}

/* Enters the viewport that an element establishes. Its clips and masks lie in the same space as its content. */
static bool enter_viewport(const svg_walk *walk, const svg_metrics *metrics, svg_walk_frame *frame)
{
    svg_inner_space inner;
    svg_children *children = svg_walk_frame_children(frame);
    const pietra_transform around = frame->instance.transform;
    if (!svg_viewport_inner(walk->document, frame->instance.node, children->shown_by, metrics, &inner))
        return false;
    children->width = inner.width;
    children->height = inner.height;
    frame->instance.transform = transform_multiply(around, inner.inward);
    if (frame->kind == SVG_WALK_FRAME_BOX)
        return true;
    svg_effects *effects = &frame->container.effects;
    effects->around = around;
    effects->viewport = inner.view;
    effects->viewport_outside = true;
    effects->viewport_clip =
        frame->instance.mode == SVG_MODE_DRAW && frame->instance.noninherited.overflow != SVG_OVERFLOW_VISIBLE;
    return true;
}

/* Enters the outermost svg. It fills its viewport, and nothing beyond is cut off here. False: its viewBox is empty. */
static bool enter_root(const svg_walk *walk, svg_children *children)
{
    svg_rectangle box;
    svg_view_box state = svg_view_box_parse(walk->document, 0, &box);
    if (state == SVG_VIEW_BOX_GOOD) {
        children->local = svg_view_box_fit(walk->document, 0, box, children->width, children->height);
        children->width = box.width;
        children->height = box.height;
    }
    return state != SVG_VIEW_BOX_EMPTY;
}

/* Of a use of another file the reader has warned. */
static void warn_of_use(const svg_walk *walk, uint32_t node)
{
    const text reference = text_trim(svg_document_reference(walk->document, node));
    if (reference.count > 1 && reference.bytes[0] == '#' && svg_document_href(walk->document, node) == SVG_NO_NODE)
        svg_warn(walk->warnings, svg_document_warning_line(walk->document, node),
                 "a <use> is left out: there is no element %.*s", TEXT_PRINT(reference));
}

/* Returns false if the `use` shows nothing. */
static bool enter_use(const svg_walk *walk, const svg_metrics *metrics, svg_walk_frame *frame)
{
    const svg_node *nodes = walk->document->nodes.items;
    uint32_t node = frame->instance.node, target = svg_walk_use_target(walk, node);
    if (target == SVG_NO_NODE) {
        warn_of_use(walk, node);
        return false;
    }
    if (frame->instance.mode == SVG_MODE_CLIP && !svg_is_shape(nodes[target].element) &&
        nodes[target].element != SVG_TEXT)
        return false; /* a `use` in a clipPath must refer to a shape directly (CSS Masking 1, 6.1) */
    /* The offset is appended to the element's own transform, so its clips are translated too. */
    pietra_transform offset = svg_use_offset(walk->document, node, metrics);
    frame->instance.transform = transform_multiply(frame->instance.transform, offset);
    svg_children *children = svg_walk_frame_children(frame);
    children->next = target;
    children->end = nodes[target].end;
    return true;
}

/* Applies what an element of this kind does to the space of its children. False: it shows nothing. */
static bool enter_container(const svg_walk *walk, const svg_metrics *metrics, svg_walk_frame *frame)
{
    switch ((svg_name)walk->document->nodes.items[frame->instance.node].element) {
    case SVG_USE:
        return enter_use(walk, metrics, frame);
    case SVG_SVG:
    case SVG_SYMBOL:
        return frame->instance.node == 0 ? enter_root(walk, svg_walk_frame_children(frame))
                                         : enter_viewport(walk, metrics, frame);
    default:
        return true;
    }
}

/* In BOX mode, a container gathers a box of its own, which is remembered, if an axis-aligned map leads to its parent's
 * space. Only then is the box of the mapped box exact. Otherwise its shapes add to the walk frame to which its parent
 * adds. Returns whether the box was known already. */
static bool gather_extent(svg_walk *walk, const svg_place *place, svg_walk_frame *frame)
{
    pietra_transform t = frame->instance.transform;
    frame->box.gatherer = place->gatherer;
    if (!((t.b == 0 && t.c == 0) || (t.a == 0 && t.d == 0)))
        return false;
    svg_known_extent key = svg_extent_key(frame);
    if (svg_extent_find(walk, &key, &key.extent)) {
        if (key.extent.some)
            svg_extent_join(&walk->frames.items[place->gatherer].extent, transform_box(t, key.extent.box),
                            transform_box(t, key.extent.stroke));
        return true;
    }
    frame->box.outer_gatherer = place->gatherer;
    frame->box.gatherer = (uint32_t)walk->frames.count;
    frame->box.outward = t;
    frame->instance.transform = TRANSFORM_IDENTITY;
    return false;
}

static pietra_result visit_container(svg_walk *walk, const svg_place *place, const svg_instance *instance,
                                     const svg_inherited *style, uint32_t place_style)
{
    const svg_node *node = &walk->document->nodes.items[instance->node];
    svg_metrics metrics = svg_walk_metrics(walk, style->font_size, instance->width, instance->height);
    const bool drawn = instance->mode != SVG_MODE_BOX;
    svg_walk_frame frame = {
        .instance = *instance,
        .kind = drawn ? SVG_WALK_FRAME_CONTAINER : SVG_WALK_FRAME_BOX,
        .phase = SVG_PHASE_BODY,
        .style = place_style,
    };
    svg_children *children = svg_walk_frame_children(&frame);
    svg_effects *effects = &frame.container.effects; /* if it is drawn */
    *children = (svg_children){
        .next = instance->node + 1,
        .end = node->end,
        .shown_by = place->shown_by,
        .outer_font_size = place->style->font_size,
        .local = TRANSFORM_IDENTITY,
        .width = instance->width,
        .height = instance->height,
        .handed_opacity = 1,
    };
    pietra_result result = PIETRA_OK;
    if (!enter_container(walk, &metrics, &frame))
        return PIETRA_OK;
    if (node->element == SVG_SWITCH)
        result = choose_child(walk, instance->node, children);
    /* A filter can show something where nothing stands. */
    bool empty = children->next >= children->end &&
                 !(instance->mode == SVG_MODE_DRAW && svg_filter_occurs(walk, &instance->noninherited));
    if (result != PIETRA_OK || empty)
        return result;
    if (!drawn && gather_extent(walk, place, &frame))
        return PIETRA_OK;
    if (drawn && is_around_only(walk, instance)) {
        effects->viewport_clip = false;
    } else if (drawn) {
        result = svg_walk_open(walk, &frame);
        if (result == PIETRA_OK && effects->group && !effects->group_outside && !effects->filtered)
            result = hand_opacity(walk, &frame);
        if (node->element == SVG_USE && instance->mode == SVG_MODE_DRAW && walk->document->uses_context)
            frame.phase = SVG_PHASE_CONTEXT;
    }
    if (result != PIETRA_OK)
        return result;
    bool own_style = instance->node == 0 || svg_style_changes_inherited(walk->document, node->declarations);
    return svg_walk_push(walk, &frame, own_style ? style : NULL);
}

/* ---- Any element ---- */

static bool is_container(uint16_t element, const svg_place *place)
{
    switch ((svg_name)element) {
    case SVG_USE:
        return true;
    case SVG_A:
    case SVG_G:
    case SVG_SVG:
    case SVG_SWITCH:
        return place->mode != SVG_MODE_CLIP;
    case SVG_SYMBOL:
        return place->mode != SVG_MODE_CLIP && place->shown_by != SVG_NO_NODE;
    default:
        return false;
    }
}

static bool is_transformed(const svg_walk *walk, uint32_t node)
{
    return walk->document->transforms_individually || svg_attribute_find(walk->document, node, SVG_TRANSFORM);
}

/* Returns the key of a container's box in this place, without a box. */
static svg_known_extent extent_in(const svg_place *place, uint32_t node)
{
    return (svg_known_extent){
        .node = node,
        .shown_by = place->shown_by,
        .outer_font_size = place->style->font_size,
        .width = place->width,
        .height = place->height,
    };
}

/* Finds the box of an element in its user space. False: the element is a container that has not been measured yet. */
static bool find_reference_box(svg_walk *walk, const svg_place *place, const svg_instance *instance,
                               const svg_inherited *style, const svg_metrics *metrics, pietra_box *box)
{
    uint32_t node = instance->node;
    svg_known_extent key = extent_in(place, node);
    *box = (pietra_box){0, 0, 0, 0};
    if (svg_is_shape(walk->document->nodes.items[node].element) ||
        walk->document->nodes.items[node].element == SVG_IMAGE) {
        bool some = svg_visit_build_shape(walk, instance, style, NULL) && svg_walk_bounds(walk, box);
        if (some && instance->noninherited.transform_box == SVG_BOX_STROKE)
            svg_visit_stroke_box(walk, instance, style, NULL, box);
        return true;
    }
    if (walk->document->nodes.items[node].element == SVG_TEXT) {
        svg_text_layout *layout;
        if (svg_text_lay_out(walk, instance, style, place->shown_by, &layout) != PIETRA_OK)
            svg_budget_lack_memory(walk->document->budget);
        else if (layout->extent.some)
            *box = layout->extent.box;
        return true;
    }
    if (!svg_extent_find(walk, &key, &key.extent))
        return false;
    if (!key.extent.some)
        return true;
    *box = instance->noninherited.transform_box == SVG_BOX_STROKE ? key.extent.stroke : key.extent.box;
    if (walk->document->nodes.items[node].element == SVG_USE)
        *box = transform_box(svg_use_offset(walk->document, node, metrics), *box);
    svg_inner_space inner;
    bool establishes =
        walk->document->nodes.items[node].element == SVG_SVG || walk->document->nodes.items[node].element == SVG_SYMBOL;
    /* The box is wanted in the space around the element. */
    if (establishes && svg_viewport_inner(walk->document, node, place->shown_by, metrics, &inner))
        *box = transform_box(inner.inward, *box);
    return true;
}

/* Gathers the box of a container whose transform depends on it. The container is visited again afterwards. */
static pietra_result measure_container(svg_walk *walk, const svg_place *place, uint32_t frame, svg_instance *instance,
                                       const svg_inherited *style)
{
    svg_place inside = *place;
    size_t frames = walk->frames.count;
    inside.mode = instance->mode = SVG_MODE_BOX;
    instance->transform = TRANSFORM_IDENTITY;
    pietra_result result = visit_container(walk, &inside, instance, style, walk->frames.items[frame].style);
    if (result != PIETRA_OK)
        return result;
    svg_walk_frame_children(&walk->frames.items[frame])->next = instance->node;
    if (walk->frames.count > frames) {
        array_last(&walk->frames)->box.purpose = SVG_GATHER_FOR_ITSELF;
        return PIETRA_OK;
    }
    svg_known_extent nothing = extent_in(place, instance->node);
    return svg_extent_add(walk, &nothing) ? PIETRA_OK : PIETRA_ERROR_MEMORY;
}

/* Computes a transform with transform-box fill-box or stroke-box, where the box stands in for the viewport. */
static bool transform_in_box(const svg_walk *walk, uint32_t node, svg_metrics metrics, const pietra_box *box,
                             pietra_transform *own)
{
    metrics.width = box->x1 - box->x0;
    metrics.height = box->y1 - box->y0;
    if (!svg_walk_transform(walk, node, &metrics, own))
        return false;
    *own = transform_multiply(transform_multiply(transform_translate(box->x0, box->y0), *own),
                              transform_translate(-box->x0, -box->y0));
    return true;
}

/* Makes the instance. False: nothing of it shows, or its box must be measured first. */
static bool make_instance(svg_walk *walk, const svg_place *place, uint32_t node, svg_instance *instance,
                          svg_inherited *style, bool *unmeasured)
{
    *unmeasured = false;
    uint32_t set = walk->document->nodes.items[node].declarations;
    walk->document->file = svg_document_file(walk->document, node);
    svg_style_compute(walk->document, set, place->style, place->noninherited, walk->root_font_size, style,
                      &instance->noninherited);
    /* `display` does not hide a symbol that a `use` shows (SVG 2, 5.5). */
    bool shown_symbol = place->shown_by != SVG_NO_NODE && walk->document->nodes.items[node].element == SVG_SYMBOL;
    if ((instance->noninherited.display == SVG_DISPLAY_NONE && !shown_symbol) ||
        !svg_conditions_hold(walk->document, node))
        return false;
    instance->node = node;
    instance->text = NULL;
    instance->mode = place->mode;
    instance->width = place->width;
    instance->height = place->height;
    instance->opacity = svg_group_opacity(&instance->noninherited) * place->opacity;
    instance->in_place = place->in_place;
    instance->context = place->context;
    if (is_around_only(walk, instance))
        instance->opacity = 1;
    svg_metrics metrics = svg_walk_metrics(walk, style->font_size, place->width, place->height);
    pietra_transform own, inverse;
    bool boxed = instance->noninherited.transform_box != SVG_BOX_VIEW && is_transformed(walk, node) && node != 0;
    pietra_box box;
    bool shape = svg_is_shape(walk->document->nodes.items[node].element);
    *unmeasured = (boxed || (svg_backdrop_occurs(instance) && !shape)) &&
                  !find_reference_box(walk, place, instance, style, &metrics, &box);
    if (*unmeasured ||
        !(boxed ? transform_in_box(walk, node, metrics, &box, &own) : svg_walk_transform(walk, node, &metrics, &own)))
        return false;
    instance->transform = transform_multiply(place->transform, own);
    if (instance->noninherited.vector_effect == SVG_EFFECT_FIXED_STROKE)
        walk->shows |= SVG_CELL_EXACT;
    if (!transform_invert(instance->transform, &inverse))
        return false;
    return place->mode != SVG_MODE_DRAW || instance->opacity > 0;
}

/* Filters what lies below an element: inside of a shape, or of the box of what has none of its own. */
static pietra_result filter_backdrop(svg_walk *walk, const svg_place *place, const svg_instance *instance,
                                     const svg_inherited *style)
{
    const uint32_t node = instance->node;
    pietra_fill_rule rule = (pietra_fill_rule)style->fill_rule;
    if (!svg_backdrop_occurs(instance) || is_around_only(walk, instance))
        return PIETRA_OK;
    if (!svg_is_shape(walk->document->nodes.items[node].element)) {
        svg_metrics metrics = svg_walk_metrics(walk, style->font_size, place->width, place->height);
        svg_instance plain = *instance;
        pietra_box box;
        plain.noninherited.transform_box = SVG_BOX_FILL;
        if (!find_reference_box(walk, place, &plain, style, &metrics, &box) || box_is_empty(box))
            return PIETRA_OK;
        pietra_path_reset(walk->path);
        pietra_path_rect(walk->path, box.x0, box.y0, box.x1 - box.x0, box.y1 - box.y0);
    } else if (style->visibility != SVG_VISIBLE || !svg_visit_build_shape(walk, instance, style, NULL)) {
        return PIETRA_OK;
    }
    return svg_backdrop_draw(walk, instance, style, rule);
}

/* Draws an element or opens its walk frame, and meanwhile gathers its box. */
static pietra_result draw_boxed(svg_walk *walk, const svg_place *place, const svg_instance *instance,
                                const svg_inherited *style, uint32_t place_style, bool shape)
{
    size_t frames = walk->frames.count;
    bool boxed = walk->boxes && instance->in_place && instance->mode == SVG_MODE_DRAW &&
                 (instance->node == 0 || svg_attribute_find(walk->document, instance->node, SVG_ID));
    if (boxed && !svg_boxes_begin(walk, instance->node))
        return PIETRA_ERROR_MEMORY;
    const bool text = walk->document->nodes.items[instance->node].element == SVG_TEXT;
    pietra_result result =
        text ? svg_text_visit(walk, instance, style, place->shown_by, place->gatherer, is_around_only(walk, instance))
        : shape ? svg_visit_shape(walk, place->gatherer, instance, style)
                : visit_container(walk, place, instance, style, place_style);
    if (walk->frames.count > frames)
        array_last(&walk->frames)->boxed = boxed;
    else if (boxed && !svg_boxes_end(walk))
        return PIETRA_ERROR_MEMORY;
    return result;
}

pietra_result svg_visit(svg_walk *walk, uint32_t frame, uint32_t node)
{
    walk->node = node;
    const svg_node *element = &walk->document->nodes.items[node];
    svg_place place = place_in(walk, frame);
    bool shape = svg_is_shape(element->element) || (element->element == SVG_IMAGE && place.mode != SVG_MODE_CLIP);
    pietra_result result = svg_walk_meet(walk, node, 1);
    if (result == PIETRA_OK && shape)
        result = svg_walk_spend_path(walk, node);
    if (result != PIETRA_OK)
        return result;
    const bool text = element->element == SVG_TEXT && svg_text_is_drawn(walk);
    if (!shape && !text && !is_container(element->element, &place)) {
        warn_of_element(walk, node);
        return PIETRA_OK;
    }
    svg_instance instance;
    svg_inherited style;
    bool unmeasured = false;
    if (is_beside_only(walk, &place, node) || !make_instance(walk, &place, node, &instance, &style, &unmeasured))
        return unmeasured ? measure_container(walk, &place, frame, &instance, &style) : PIETRA_OK;
    svg_origin_of_child(walk, node);
    result = filter_backdrop(walk, &place, &instance, &style);
    if (result != PIETRA_OK)
        return result;
    return draw_boxed(walk, &place, &instance, &style, walk->frames.items[frame].style, shape);
}

/* Draws the background-color of the outermost svg, which covers its viewport. */
static pietra_result draw_background(svg_walk *walk, const svg_instance *instance, const svg_inherited *style)
{
    const svg_style_paint *background = &instance->noninherited.background_color;
    if (background->form != SVG_PAINT_COLOR && background->form != SVG_PAINT_CURRENT_COLOR)
        return PIETRA_OK;
    const pietra_paint paint = {.color = svg_style_color(background->form, background->color, style)};
    pietra_path_reset(walk->path);
    pietra_path_rect(walk->path, 0, 0, instance->width, instance->height);
    svg_walk_set_edges(walk, false);
    return svg_walk_check(
        walk, 0, pietra_scene_fill(walk->scene, walk->path, &walk->base, PIETRA_FILL_NONZERO, &paint, walk->error));
}

pietra_result svg_visit_root(svg_walk *walk, double width, double height)
{
    const svg_inherited initial = svg_style_initial(walk->document);
    svg_place place = {
        .style = &initial,
        .noninherited = &svg_noninherited_initial,
        .transform = walk->base,
        .width = width,
        .height = height,
        .opacity = 1,
        .in_place = true,
        .shown_by = SVG_NO_NODE,
    };
    svg_instance instance;
    svg_inherited style;
    bool unmeasured;
    if (!make_instance(walk, &place, 0, &instance, &style, &unmeasured))
        return PIETRA_OK;
    walk->root_font_size = style.font_size;
    svg_origin_of_child(walk, 0);
    pietra_result result = is_around_only(walk, &instance) ? PIETRA_OK : draw_background(walk, &instance, &style);
    if (result != PIETRA_OK)
        return result;
    return draw_boxed(walk, &place, &instance, &style, 0, false);
}
