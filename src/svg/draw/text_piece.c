/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What is drawn of a text, in paint order: its elements' effects, lines and glyphs. */
#include "svg/draw/clip.h"
#include "svg/draw/mask.h"
#include "svg/draw/text_layout.h"
#include "svg/draw/text_picture.h"

/* Returns whether the effects of an element inside the text make a walk frame of its own, or its box is asked for. */
static bool is_opened(svg_walk *walk, const svg_text_layout *layout, const svg_text_element *element)
{
    svg_noninherited room;
    const svg_noninherited *style = svg_text_noninherited(layout, element, &room);
    if (element->parent == SVG_NO_INDEX)
        return false;
    const bool clipped =
        style->clip_path.kind == SVG_REFERENCE_SHAPE || svg_clip_target(walk, element->node, style) != SVG_NO_NODE;
    return clipped || svg_group_opacity(style) < 1 || svg_mask_occurs(walk, style) ||
           svg_walk_isolates(walk, style, clipped) ||
           (walk->boxes && svg_attribute_find(walk->document, element->node, SVG_ID));
}

static bool add(svg_text_layout *layout, svg_text_piece_kind kind, uint32_t element, uint32_t begin, uint32_t end)
{
    svg_text_piece *piece = array_push(&layout->pieces);
    if (piece)
        *piece = (svg_text_piece){(uint8_t)kind, element, begin, end};
    return piece != NULL;
}

/* Lines of outer elements lie below those of inner ones. */
static void reverse(svg_text_layout *layout, size_t begin)
{
    for (size_t i = begin, j = layout->pieces.count; i + 1 < j; i++) {
        j--;
        const svg_text_piece piece = layout->pieces.items[i];
        layout->pieces.items[i] = layout->pieces.items[j];
        layout->pieces.items[j] = piece;
    }
}

/* Adds the lines of all elements around some characters; those below the glyphs, or those above. */
static pietra_result add_lines(svg_walk *walk, svg_text_layout *layout, uint32_t element, uint32_t begin, uint32_t end,
                               bool above)
{
    uint32_t decorated = layout->elements.items[element].decorated;
    const size_t before = layout->pieces.count;
    while (decorated != SVG_NO_INDEX) {
        svg_noninherited room;
        const svg_text_element *of = &layout->elements.items[decorated];
        const unsigned lines = svg_text_noninherited(layout, of, &room)->text_decoration;
        const pietra_result result = svg_walk_spend(walk, of->node, SVG_STEP_node, 1);
        if (result != PIETRA_OK)
            return result;
        if (!above && lines & SVG_UNDERLINE && !add(layout, SVG_TEXT_UNDERLINE, decorated, begin, end))
            return PIETRA_ERROR_MEMORY;
        if (!above && lines & SVG_OVERLINE && !add(layout, SVG_TEXT_OVERLINE, decorated, begin, end))
            return PIETRA_ERROR_MEMORY;
        if (above && lines & SVG_LINE_THROUGH && !add(layout, SVG_TEXT_LINE_THROUGH, decorated, begin, end))
            return PIETRA_ERROR_MEMORY;
        decorated = of->parent == SVG_NO_INDEX ? SVG_NO_INDEX : layout->elements.items[of->parent].decorated;
    }
    reverse(layout, before);
    return PIETRA_OK;
}

/* Adds glyphs, those that are pictures apart from the others. */
static bool add_glyphs(const svg_walk *walk, svg_text_layout *layout, uint32_t element, uint32_t begin, uint32_t end)
{
    bool pictures = false;
    for (uint32_t i = begin; i < end; i++) {
        const svg_text_character *character = &layout->characters.items[i];
        if (!character->starts_cluster || svg_text_shows_pictures(walk, layout, character) == pictures)
            continue;
        if (i > begin && !add(layout, pictures ? SVG_TEXT_PICTURES : SVG_TEXT_GLYPHS, element, begin, i))
            return false;
        pictures = !pictures;
        begin = i;
    }
    return add(layout, pictures ? SVG_TEXT_PICTURES : SVG_TEXT_GLYPHS, element, begin, end);
}

typedef struct opened {
    uint32_t element, piece;
} opened;

typedef ARRAY(opened) opened_list;

/* Ends the effects of elements that do not reach so far. */
static bool close(svg_text_layout *layout, opened_list *open, uint32_t next)
{
    while (open->count && layout->elements.items[array_last(open)->element].end <= next) {
        layout->pieces.items[array_last(open)->piece].end = (uint32_t)layout->pieces.count;
        if (!add(layout, SVG_TEXT_CLOSE, array_last(open)->element, 0, 0))
            return false;
        open->count--;
    }
    return true;
}

static bool open_element(svg_text_layout *layout, opened_list *open, uint32_t element)
{
    opened *pushed = array_push(open);
    if (pushed)
        *pushed = (opened){element, (uint32_t)layout->pieces.count};
    return pushed && add(layout, SVG_TEXT_OPEN, element, 0, 0);
}

/* Returns the end of the characters of one element. */
static uint32_t find_end(const svg_text_layout *layout, uint32_t at)
{
    const uint32_t element = layout->characters.items[at].element;
    while (at < layout->characters.count && layout->characters.items[at].element == element)
        at++;
    return at;
}

/* Returns the end of the characters that have the same lines and effects as one, so that each line is drawn whole. */
static uint32_t find_stretch(const svg_text_layout *layout, uint32_t at)
{
    const svg_text_element *elements = layout->elements.items;
    const svg_text_element *first = &elements[layout->characters.items[at].element];
    for (; at < layout->characters.count; at++) {
        const svg_text_element *element = &elements[layout->characters.items[at].element];
        if (element->decorated != first->decorated || element->opened_by != first->opened_by)
            break;
    }
    return at;
}

static pietra_result add_stretch(svg_walk *walk, svg_text_layout *layout, uint32_t begin, uint32_t end)
{
    const uint32_t element = layout->characters.items[begin].element;
    pietra_result result = add_lines(walk, layout, element, begin, end, false);
    for (uint32_t at = begin, next; at < end && result == PIETRA_OK; at = next) {
        next = find_end(layout, at);
        if (!add_glyphs(walk, layout, layout->characters.items[at].element, at, next))
            result = PIETRA_ERROR_MEMORY;
    }
    return result == PIETRA_OK ? add_lines(walk, layout, element, begin, end, true) : result;
}

static pietra_result list_pieces(svg_walk *walk, svg_text_layout *layout, opened_list *open)
{
    pietra_result result = PIETRA_OK;
    uint32_t next_element = 1;
    for (uint32_t at = 0, end; at < layout->characters.count && result == PIETRA_OK; at = end) {
        const uint32_t element = layout->characters.items[at].element;
        if (!close(layout, open, at))
            return PIETRA_ERROR_MEMORY;
        for (; next_element <= element; next_element++)
            if (layout->elements.items[next_element].opened_by == next_element &&
                layout->elements.items[next_element].end > at && !open_element(layout, open, next_element))
                return PIETRA_ERROR_MEMORY;
        end = find_stretch(layout, at);
        result = add_stretch(walk, layout, at, end);
    }
    return result == PIETRA_OK && !close(layout, open, (uint32_t)layout->characters.count) ? PIETRA_ERROR_MEMORY
                                                                                           : result;
}

static void find_opened(svg_walk *walk, svg_text_layout *layout)
{
    for (uint32_t i = 0; i < layout->elements.count; i++) {
        svg_text_element *element = &layout->elements.items[i];
        element->opened_by = is_opened(walk, layout, element)  ? i
                             : element->parent == SVG_NO_INDEX ? SVG_NO_INDEX
                                                               : layout->elements.items[element->parent].opened_by;
    }
}

pietra_result svg_text_list_pieces(svg_walk *walk, svg_text_layout *layout)
{
    opened_list open = {0};
    find_opened(walk, layout);
    const pietra_result result = list_pieces(walk, layout, &open);
    array_free(&open);
    return result;
}
