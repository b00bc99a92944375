/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "svg/draw/text_element.h"

#include "base/transform.h"
#include "svg/draw/boxes.h"
#include "svg/draw/origins.h"
#include "svg/draw/paint_order.h"
#include "svg/draw/text_picture.h"
#include "svg/draw/visit.h"

bool svg_text_is_drawn(const svg_walk *walk)
{
    return walk->document->settings.fonts != NULL;
}

static pietra_result push(svg_walk *walk, svg_walk_frame *frame, const svg_inherited *style, bool plain)
{
    svg_text_layout *layout = frame->text.layout;
    frame->extent = layout->extent;
    frame->extent_known = true;
    frame->phase = SVG_PHASE_BODY;
    pietra_result result = plain ? PIETRA_OK : svg_walk_open(walk, frame);
    if (result == PIETRA_OK)
        result = svg_walk_push(walk, frame, style);
    layout->users += result == PIETRA_OK;
    return result;
}

pietra_result svg_text_visit(svg_walk *walk, const svg_instance *instance, const svg_inherited *style,
                             uint32_t shown_by, uint32_t gatherer, bool around_only)
{
    svg_walk_frame frame = {.instance = *instance, .kind = SVG_WALK_FRAME_TEXT};
    pietra_result result = svg_text_lay_out(walk, instance, style, shown_by, &frame.text.layout);
    if (result != PIETRA_OK)
        return result;
    if (instance->mode == SVG_MODE_BOX) {
        svg_extent extent = {.some = false};
        svg_text_find_extent(frame.text.layout, &instance->transform, &extent);
        if (extent.some)
            svg_extent_join(&walk->frames.items[gatherer].extent, extent.box, extent.stroke);
        return PIETRA_OK;
    }
    frame.text.end = (uint32_t)frame.text.layout->pieces.count;
    return frame.text.end ? push(walk, &frame, style, around_only) : PIETRA_OK;
}

/* Returns whether only an element beside this one, or inside of it, is drawn. */
static bool is_beside_only(const svg_walk *walk, const svg_instance *instance, uint32_t node)
{
    const svg_node *nodes = walk->document->nodes.items;
    return instance->in_place && walk->only != SVG_NO_NODE && !(walk->only <= node && node < nodes[walk->only].end);
}

static pietra_result open_element(svg_walk *walk, uint32_t index, const svg_text_piece *piece)
{
    const svg_walk_frame *outer = &walk->frames.items[index];
    svg_text_layout *layout = outer->text.layout;
    const svg_text_element *element = &layout->elements.items[piece->element];
    svg_walk_frame frame = {
        .instance = outer->instance,
        .kind = SVG_WALK_FRAME_TEXT,
        .text = {.layout = layout, .next = (uint32_t)(piece - layout->pieces.items) + 1, .end = piece->end},
    };
    frame.instance.node = element->node;
    svg_inherited room;
    frame.instance.noninherited = *svg_text_noninherited(layout, element, &frame.instance.noninherited);
    frame.instance.opacity = svg_group_opacity(&frame.instance.noninherited);
    const bool boxed = walk->boxes && outer->instance.in_place && outer->instance.mode == SVG_MODE_DRAW &&
                       svg_attribute_find(walk->document, element->node, SVG_ID);
    if (boxed && !svg_boxes_begin(walk, element->node))
        return PIETRA_ERROR_MEMORY;
    frame.boxed = boxed;
    svg_origin_of_child(walk, element->node);
    return push(walk, &frame, svg_text_inherited(layout, element, &room),
                is_beside_only(walk, &frame.instance, element->node));
}

static bool is_line(uint8_t kind)
{
    return kind == SVG_TEXT_UNDERLINE || kind == SVG_TEXT_OVERLINE || kind == SVG_TEXT_LINE_THROUGH;
}

/* Returns whether a piece is the last one of its text, and is built once: it is a fill without steps. */
static bool is_drawn_last(const svg_walk *walk, const svg_instance *instance, const svg_inherited *style)
{
    const svg_text_layout *layout = instance->text;
    return instance->mode == SVG_MODE_DRAW && layout->users == 1 && instance->piece + 1 == layout->pieces.count &&
           style->stroke.form == SVG_PAINT_NONE && !svg_paint_order_is_needed(walk, instance, style);
}

static pietra_result draw_piece(svg_walk *walk, uint32_t index, uint32_t number)
{
    const svg_walk_frame *frame = &walk->frames.items[index];
    const svg_text_layout *layout = frame->text.layout;
    const svg_text_element *element = &layout->elements.items[layout->pieces.items[number].element];
    svg_inherited style = *svg_text_inherited(layout, element, &style);
    svg_noninherited room;
    const svg_noninherited *noninherited = svg_text_noninherited(layout, element, &room);
    svg_instance instance = frame->instance;
    if (style.visibility != SVG_VISIBLE || is_beside_only(walk, &instance, element->node))
        return PIETRA_OK;
    const uint8_t kind = layout->pieces.items[number].kind;
    if (noninherited->text_decoration_color.form != SVG_PAINT_NONE && is_line(kind)) {
        style.fill = noninherited->text_decoration_color;
        style.fill_opacity = 1;
        style.stroke.form = SVG_PAINT_NONE;
    }
    instance.node = element->node;
    instance.opacity = 1;
    instance.noninherited = svg_noninherited_initial; /* the frames around it have the effects */
    instance.noninherited.vector_effect = noninherited->vector_effect;
    instance.text = layout;
    instance.piece = number;
    svg_origin_of_child(walk, element->node);
    if (kind == SVG_TEXT_PICTURES && instance.mode == SVG_MODE_DRAW)
        return svg_text_draw_pictures(walk, &instance, &style);
    if (is_drawn_last(walk, &instance, &style))
        svg_text_give_back(frame->text.layout);
    return svg_visit_piece(walk, &instance, &style);
}

pietra_result svg_text_step(svg_walk *walk, uint32_t index, bool *done)
{
    svg_walk_frame *frame = &walk->frames.items[index];
    *done = frame->text.next >= frame->text.end;
    if (*done)
        return PIETRA_OK;
    const uint32_t number = frame->text.next++;
    const svg_text_piece *piece = &frame->text.layout->pieces.items[number];
    if (piece->kind == SVG_TEXT_CLOSE)
        return PIETRA_OK;
    if (piece->kind != SVG_TEXT_OPEN)
        return draw_piece(walk, index, number);
    frame->text.next = piece->end;
    return open_element(walk, index, piece);
}
