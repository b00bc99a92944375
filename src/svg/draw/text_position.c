/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The lists x, y, dx, dy and rotate (SVG 2, 11.4). A value belongs to the character of that number in its element; what
 * lies further inside prevails. */
#include <math.h>

#include "base/number.h"
#include "svg/draw/text_layout.h"

typedef struct list_reader {
    svg_walk *walk;
    svg_text_layout *layout;
    svg_metrics metrics;
} list_reader;

/* Takes the next number off a list. False: it ends, or is bad from here on. */
static bool take_length(const list_reader *reader, text *rest, svg_axis axis, double *value)
{
    const char *at = text_skip_space(rest->bytes, rest->bytes + rest->count), *end = rest->bytes + rest->count;
    if (at < end && *at == ',')
        at = text_skip_space(at + 1, end);
    if (at >= end ||
        !svg_length_scan_pixels(&at, end, reader->walk->document->units.dpi, axis, &reader->metrics, value))
        return false;
    *rest = text_from(at, end);
    return true;
}

/* Does the same without units. */
static bool take_number(text *rest, double *value)
{
    const char *at = text_skip_space(rest->bytes, rest->bytes + rest->count), *end = rest->bytes + rest->count;
    if (at < end && *at == ',')
        at = text_skip_space(at + 1, end);
    if (at >= end || !number_scan(&at, end, value) || !isfinite(*value) ||
        (at < end && !text_is_space(*at) && *at != ',' && *at != '-' && *at != '+' && *at != '.'))
        return false;
    *rest = text_from(at, end);
    return true;
}

svg_text_place *svg_text_own_place(svg_text_layout *layout, uint32_t character)
{
    uint32_t *index = &layout->characters.items[character].place;
    if (*index)
        return &layout->places.items[*index];
    svg_text_place *place = array_push(&layout->places);
    if (place) {
        *place = (svg_text_place){NAN, NAN, NAN, NAN};
        *index = (uint32_t)layout->places.count - 1;
    }
    return place;
}

static double *field_of(svg_text_place *place, svg_name name)
{
    return name == SVG_X ? &place->x : name == SVG_Y ? &place->y : name == SVG_DX ? &place->dx : &place->dy;
}

static bool read_list(const list_reader *reader, const svg_text_element *element, svg_name name)
{
    text rest = svg_attribute_text(reader->walk->document, element->node, name);
    const svg_axis axis = name == SVG_X || name == SVG_DX ? SVG_AXIS_X : SVG_AXIS_Y;
    double value;
    for (uint32_t i = element->begin; i < element->end && take_length(reader, &rest, axis, &value); i++) {
        svg_text_place *place = svg_text_own_place(reader->layout, i);
        if (!place)
            return false;
        *field_of(place, name) = value;
    }
    return true;
}

static bool read_rotations(const list_reader *reader, uint32_t index)
{
    svg_text_layout *layout = reader->layout;
    svg_text_element *element = &layout->elements.items[index];
    text rest = svg_attribute_text(reader->walk->document, element->node, SVG_ROTATE_LIST);
    double value;
    element->rotations = (uint32_t)layout->rotations.count;
    while (element->rotation_count < element->end - element->begin && take_number(&rest, &value)) {
        double *added = array_push(&layout->rotations);
        if (!added)
            return false;
        *added = value;
        element->rotation_count++;
    }
    if (element->rotation_count)
        element->rotated = index;
    else if (element->parent != SVG_NO_INDEX)
        element->rotated = layout->elements.items[element->parent].rotated;
    return true;
}

/* The last rotation holds for the characters behind it, too. */
static void rotate_characters(svg_text_layout *layout)
{
    for (uint32_t i = 0; i < layout->characters.count; i++) {
        svg_text_character *character = &layout->characters.items[i];
        const uint32_t rotated = layout->elements.items[character->element].rotated;
        if (rotated == SVG_NO_INDEX)
            continue;
        const svg_text_element *element = &layout->elements.items[rotated];
        const uint32_t number = i - element->begin, last = element->rotation_count - 1;
        character->rotation = (float)layout->rotations.items[element->rotations + (number < last ? number : last)];
    }
}

pietra_result svg_text_read_lists(svg_walk *walk, const svg_instance *instance, svg_text_layout *layout)
{
    static const svg_name names[] = {SVG_X, SVG_Y, SVG_DX, SVG_DY};
    svg_text_place *nowhere = array_push(&layout->places);
    if (!nowhere)
        return PIETRA_ERROR_MEMORY;
    *nowhere = (svg_text_place){NAN, NAN, NAN, NAN};
    for (uint32_t i = 0; i < layout->elements.count; i++) {
        const svg_text_element *element = &layout->elements.items[i];
        const list_reader reader = {
            walk, layout,
            svg_walk_metrics(walk, svg_text_font_size(layout, element), instance->width, instance->height)};
        const uint16_t kind = walk->document->nodes.items[element->node].element;
        const bool listed = kind != SVG_A && kind != SVG_TEXT_PATH;
        for (size_t k = 0; listed && k < sizeof names / sizeof names[0]; k++)
            if (svg_attribute_find(walk->document, element->node, names[k]) && !read_list(&reader, element, names[k]))
                return PIETRA_ERROR_MEMORY;
        if (!read_rotations(&reader, i))
            return PIETRA_ERROR_MEMORY;
    }
    if (layout->rotations.count)
        rotate_characters(layout);
    return PIETRA_OK;
}
