/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "svg/draw/clip.h"

#include "base/transform.h"
#include "svg/tree/conditions.h"
#include "svg/style/css_shape.h"
#include "svg/draw/shape.h"
#include "svg/draw/text_element.h"
#include "svg/tree/viewport.h"

uint32_t svg_clip_target(svg_walk *walk, uint32_t node, const svg_noninherited *noninherited)
{
    const svg_document *document = walk->document;
    if (noninherited->clip_path.kind == SVG_REFERENCE_OTHER)
        svg_warn(walk->warnings, svg_document_warning_line(document, node),
                 "a clip-path that is neither url() nor a known shape is left out");
    if (noninherited->clip_path.kind != SVG_REFERENCE_LINK)
        return SVG_NO_NODE;
    uint32_t clip = document->links.items[noninherited->clip_path.link].node;
    if (clip == SVG_NO_NODE || document->nodes.items[clip].element != SVG_CLIP_PATH_ELEMENT ||
        walk->flags[clip] & SVG_NODE_CLIPPING)
        return SVG_NO_NODE;
    return clip;
}

pietra_result svg_clip_next(svg_walk *walk, uint32_t clip, uint32_t *next)
{
    const svg_style_in_place *placed = svg_walk_style_in_place(walk, clip);
    if (!placed)
        return PIETRA_ERROR_MEMORY;
    *next = svg_clip_target(walk, clip, &placed->noninherited);
    return PIETRA_OK;
}

bool svg_clip_needs_extent(const svg_walk *walk, uint32_t clip)
{
    return text_equal(text_trim(svg_attribute_text(walk->document, clip, SVG_CLIP_PATH_UNITS)),
                      TEXT("objectBoundingBox"));
}

/* Makes the space of a clipPath's children. False: it has no area, so the clipPath has no inside. */
static bool make_content_space(svg_walk *walk, uint32_t clip, const svg_instance *instance, const svg_extent *extent,
                               pietra_transform *content)
{
    const svg_style_in_place *placed = svg_walk_style_in_place(walk, clip);
    svg_metrics metrics =
        svg_walk_metrics(walk, placed ? placed->inherited.font_size : 0, instance->width, instance->height);
    pietra_transform own, inverse;
    if (!svg_walk_transform(walk, clip, &metrics, &own))
        return false;
    *content = transform_multiply(instance->transform, own);
    if (svg_clip_needs_extent(walk, clip)) {
        pietra_box box = extent->box;
        if (!extent->some)
            return false;
        *content =
            transform_multiply(*content, (pietra_transform){box.x1 - box.x0, 0, 0, box.y1 - box.y0, box.x0, box.y0});
    }
    return transform_invert(*content, &inverse);
}

/* Finds the only child that makes a clipPath's inside. *only is SVG_NO_NODE if there is none, and *several tells that
 * there are more. */
static pietra_result find_only_child(svg_walk *walk, uint32_t clip, uint32_t *only, bool *several)
{
    const svg_node *nodes = walk->document->nodes.items;
    uint64_t steps = 0;
    *only = SVG_NO_NODE;
    *several = false;
    for (uint32_t child = clip + 1; child < nodes[clip].end && !*several; child = nodes[child].end, steps++) {
        const bool text = nodes[child].element == SVG_TEXT && svg_text_is_drawn(walk);
        if (nodes[child].element == SVG_TEXT && !text)
            svg_warn(walk->warnings, svg_document_warning_line(walk->document, child),
                     "<text> in a clipPath is left out");
        if (nodes[child].element != SVG_USE && !text && !svg_is_shape(nodes[child].element))
            continue;
        *several = *only != SVG_NO_NODE;
        *only = child;
    }
    return svg_walk_meet(walk, clip, steps);
}

typedef struct only_shape {
    uint32_t node;
    pietra_transform transform; /* leads to the space of the clipPath's children */
    svg_inherited style;
    bool visible;
    bool clipped; /* it has a clip-path of its own */
} only_shape;

/* Computes the style and the transform of a child, one step down. */
static void enter_child(svg_walk *walk, const svg_instance *instance, uint32_t node, const svg_inherited *parent,
                        const svg_noninherited *parent_noninherited, only_shape *shape, svg_noninherited *noninherited)
{
    svg_inherited style;
    svg_style_compute(walk->document, walk->document->nodes.items[node].declarations, parent, parent_noninherited,
                      walk->root_font_size, &style, noninherited);
    svg_metrics metrics = svg_walk_metrics(walk, style.font_size, instance->width, instance->height);
    pietra_transform own = TRANSFORM_IDENTITY;
    shape->visible = shape->visible && svg_walk_transform(walk, node, &metrics, &own) &&
                     noninherited->display != SVG_DISPLAY_NONE && svg_conditions_hold(walk->document, node);
    shape->transform = transform_multiply(shape->transform, own);
    shape->clipped = shape->clipped || walk->document->nodes.items[node].element == SVG_TEXT ||
                     noninherited->clip_path.kind == SVG_REFERENCE_SHAPE ||
                     svg_clip_target(walk, node, noninherited) != SVG_NO_NODE;
    shape->style = style;
    shape->node = node;
}

/* Enters the child: a shape, or a `use` and the shape to which it refers. */
static pietra_result enter_only_child(svg_walk *walk, uint32_t clip, const svg_instance *instance, uint32_t child,
                                      only_shape *shape)
{
    const svg_node *nodes = walk->document->nodes.items;
    const svg_style_in_place *placed = svg_walk_style_in_place(walk, clip);
    svg_noninherited noninherited;
    if (!placed)
        return PIETRA_ERROR_MEMORY;
    *shape = (only_shape){.transform = TRANSFORM_IDENTITY, .visible = true};
    enter_child(walk, instance, child, &placed->inherited, &placed->noninherited, shape, &noninherited);
    if (nodes[child].element == SVG_USE) {
        uint32_t target = svg_walk_use_target(walk, child);
        const bool text = target != SVG_NO_NODE && nodes[target].element == SVG_TEXT && svg_text_is_drawn(walk);
        if (target == SVG_NO_NODE || (!text && !svg_is_shape(nodes[target].element))) {
            shape->visible = false;
            return PIETRA_OK;
        }
        svg_metrics metrics = svg_walk_metrics(walk, shape->style.font_size, instance->width, instance->height);
        shape->transform = transform_multiply(shape->transform, svg_use_offset(walk->document, child, &metrics));
        svg_inherited parent = shape->style;
        svg_noninherited parent_noninherited = noninherited;
        enter_child(walk, instance, target, &parent, &parent_noninherited, shape, &noninherited);
    }
    shape->visible = shape->visible && shape->style.visibility == SVG_VISIBLE;
    return PIETRA_OK;
}

pietra_result svg_clip_begin(svg_walk *walk, uint32_t clip, const svg_instance *instance, const svg_extent *extent,
                             svg_clip_outcome *outcome, pietra_transform *content)
{
    uint32_t child;
    bool several;
    only_shape shape = {.clipped = true};
    *outcome = SVG_CLIP_EVERYTHING;
    svg_walk_set_edges(walk, false);
    pietra_result result = find_only_child(walk, clip, &child, &several);
    if (result != PIETRA_OK || child == SVG_NO_NODE || !make_content_space(walk, clip, instance, extent, content))
        return result;
    if (!several) {
        result = enter_only_child(walk, clip, instance, child, &shape);
        if (result != PIETRA_OK || !shape.visible)
            return result;
    }
    if (shape.clipped) {
        *outcome = SVG_CLIP_SOURCE;
        return svg_walk_check(walk, instance->node, pietra_scene_begin_clip_source(walk->scene, walk->error));
    }
    svg_metrics metrics = svg_walk_metrics(walk, shape.style.font_size, instance->width, instance->height);
    pietra_transform transform = transform_multiply(*content, shape.transform);
    if (!transform_is_finite(transform) ||
        !svg_shape_build(walk->document, shape.node, &metrics, NULL, walk->clip_path))
        return PIETRA_OK;
    *outcome = SVG_CLIP_BEGUN;
    return svg_walk_check(walk, shape.node,
                          pietra_scene_begin_clip(walk->scene, walk->clip_path, &transform,
                                                  (pietra_fill_rule)shape.style.clip_rule, walk->error));
}

static svg_rectangle rectangle_of(bool some, pietra_box box)
{
    return some ? (svg_rectangle){box.x0, box.y0, box.x1 - box.x0, box.y1 - box.y0} : (svg_rectangle){0, 0, 0, 0};
}

pietra_result svg_clip_begin_shape(svg_walk *walk, uint32_t shape, const svg_instance *instance,
                                   const svg_inherited *style, const svg_extent *extent, bool *begun)
{
    const css_shape_space space = {
        .metrics = svg_walk_metrics(walk, style->font_size, instance->width, instance->height),
        .dpi = walk->document->units.dpi,
        .view_box = {0, 0, instance->width, instance->height},
        .fill_box = rectangle_of(extent->some, extent->box),
        .stroke_box = rectangle_of(extent->some, extent->stroke),
    };
    pietra_fill_rule rule = PIETRA_FILL_NONZERO;
    text value = walk->document->texts.items[shape].value;
    svg_document_count_text(walk->document, value);
    pietra_result result = css_shape_build(value, &space, walk->clip_path, &rule, begun);
    if (result != PIETRA_OK || !*begun)
        return result;
    svg_walk_set_edges(walk, false);
    return svg_walk_check(
        walk, instance->node,
        pietra_scene_begin_clip(walk->scene, walk->clip_path, &instance->transform, rule, walk->error));
}
