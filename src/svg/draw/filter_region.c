/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Filter elements: what they take over from others, their primitives, their regions and those of the primitives. */
#include <math.h>

#include "svg/draw/filter_parts.h"

bool svg_filter_is_primitive(uint16_t element)
{
    switch ((svg_name)element) {
    case SVG_FE_BLEND:
    case SVG_FE_COLOR_MATRIX:
    case SVG_FE_COMPONENT_TRANSFER:
    case SVG_FE_COMPOSITE:
    case SVG_FE_CONVOLVE_MATRIX:
    case SVG_FE_DIFFUSE_LIGHTING:
    case SVG_FE_DISPLACEMENT_MAP:
    case SVG_FE_DROP_SHADOW:
    case SVG_FE_FLOOD:
    case SVG_FE_GAUSSIAN_BLUR:
    case SVG_FE_IMAGE:
    case SVG_FE_MERGE:
    case SVG_FE_MORPHOLOGY:
    case SVG_FE_OFFSET:
    case SVG_FE_SPECULAR_LIGHTING:
    case SVG_FE_TILE:
    case SVG_FE_TURBULENCE:
        return true;
    default:
        return false;
    }
}

/* Returns the first primitive among the children from `child` on. */
static uint32_t find_primitive(const svg_document *document, uint32_t child, uint32_t end)
{
    const svg_node *nodes = document->nodes.items;
    while (child < end && !svg_filter_is_primitive(nodes[child].element)) {
        child = nodes[child].end;
        svg_budget_spend(document->budget, SVG_STEP_node, 1);
    }
    return child < end ? child : SVG_NO_NODE;
}

uint32_t svg_filter_first_primitive(const svg_document *document, const svg_filter *filter)
{
    return filter->content == SVG_NO_NODE
               ? SVG_NO_NODE
               : find_primitive(document, filter->content + 1, document->nodes.items[filter->content].end);
}

uint32_t svg_filter_next_primitive(const svg_document *document, const svg_filter *filter, uint32_t child)
{
    return find_primitive(document, document->nodes.items[child].end, document->nodes.items[filter->content].end);
}

/* ---- What a filter takes over ---- */

static void take_node(const svg_document *document, uint32_t node, svg_name name, uint32_t *taken)
{
    if (*taken == SVG_NO_NODE && svg_attribute_find(document, node, name))
        *taken = node;
}

/* A value in error counts as not given. */
static void take_units(const svg_document *document, uint32_t node, svg_name name, uint32_t *taken, bool *box)
{
    const text units = text_trim(svg_attribute_text(document, node, name));
    const bool user = text_equal(units, TEXT("userSpaceOnUse")), own = text_equal(units, TEXT("objectBoundingBox"));
    if (*taken != SVG_NO_NODE || (!user && !own))
        return;
    *taken = node;
    *box = own;
}

static bool is_filter(uint16_t element)
{
    return element == SVG_FILTER;
}

static pietra_result take_link(svg_walk *walk, uint32_t node, void *user)
{
    const svg_document *document = walk->document;
    svg_filter *filter = user;
    take_node(document, node, SVG_X, &filter->x);
    take_node(document, node, SVG_Y, &filter->y);
    take_node(document, node, SVG_WIDTH, &filter->width);
    take_node(document, node, SVG_HEIGHT, &filter->height);
    take_units(document, node, SVG_FILTER_UNITS, &filter->units_set, &filter->box_units);
    take_units(document, node, SVG_PRIMITIVE_UNITS, &filter->primitive_units_set, &filter->box_primitive_units);
    if (filter->content == SVG_NO_NODE &&
        find_primitive(document, node + 1, document->nodes.items[node].end) != SVG_NO_NODE)
        filter->content = node;
    return PIETRA_OK;
}

pietra_result svg_filter_take(svg_walk *walk, uint32_t node, svg_filter *filter)
{
    *filter = (svg_filter){node,        SVG_NO_NODE, SVG_NO_NODE, SVG_NO_NODE, SVG_NO_NODE,
                           SVG_NO_NODE, SVG_NO_NODE, SVG_NO_NODE, true,        false};
    return svg_walk_follow_hrefs(walk, node, is_filter, take_link, filter);
}

/* ---- Regions ---- */

static bool is_area(const svg_rectangle *area)
{
    return area->width > 0 && area->height > 0 && isfinite(area->x + area->y + area->width + area->height);
}

/* Reads a length of the node, if it has one. In units of the box, a percentage is in hundredths and a number counts as
 * it is. */
static double length_of(const svg_document *document, uint32_t node, svg_name name, svg_axis axis, bool box_units,
                        svg_length missing, const svg_metrics *metrics)
{
    svg_length length = missing;
    if (node != SVG_NO_NODE)
        svg_attribute_length(document, node, name, &length);
    return box_units ? svg_length_resolve_fraction(length, axis, metrics) : svg_length_resolve(length, axis, metrics);
}

static svg_rectangle in_box(svg_rectangle part, const pietra_box *box)
{
    const double width = box->x1 - box->x0, height = box->y1 - box->y0;
    return (svg_rectangle){box->x0 + part.x * width, box->y0 + part.y * height, part.width * width,
                           part.height * height};
}

bool svg_filter_find_region(svg_walk *walk, const svg_walk_frame *frame, const svg_filter *filter,
                            svg_rectangle *region)
{
    const svg_style_in_place *placed = svg_walk_style_in_place(walk, filter->node);
    const pietra_box *box = &frame->extent.box;
    const bool area = frame->extent.some && box->x1 > box->x0 && box->y1 > box->y0;
    if (!placed)
        svg_budget_lack_memory(walk->document->budget);
    if (!placed || ((filter->box_units || filter->box_primitive_units) && !area))
        return false;
    const svg_metrics metrics =
        svg_walk_metrics(walk, placed->inherited.font_size, frame->instance.width, frame->instance.height);
    const svg_length before = {-10, SVG_UNIT_PERCENT}, side = {120, SVG_UNIT_PERCENT};
    const svg_document *document = walk->document;
    const bool units = filter->box_units;
    *region = (svg_rectangle){
        length_of(document, filter->x, SVG_X, SVG_AXIS_X, units, before, &metrics),
        length_of(document, filter->y, SVG_Y, SVG_AXIS_Y, units, before, &metrics),
        length_of(document, filter->width, SVG_WIDTH, SVG_AXIS_X, units, side, &metrics),
        length_of(document, filter->height, SVG_HEIGHT, SVG_AXIS_Y, units, side, &metrics),
    };
    if (units)
        *region = in_box(*region, box);
    return is_area(region);
}

/* Replaces the sides that the primitive gives. */
bool svg_filter_find_subregion(const svg_filter_build *build, uint32_t node, const svg_rectangle *whole,
                               svg_rectangle *subregion)
{
    static const svg_name names[4] = {SVG_X, SVG_Y, SVG_WIDTH, SVG_HEIGHT};
    svg_walk *walk = build->walk;
    const svg_walk_frame *frame = &walk->frames.items[build->frame];
    const pietra_box *box = &frame->extent.box;
    const bool units = build->filter.box_primitive_units;
    const svg_style_in_place *placed = svg_walk_style_in_place(walk, node);
    double *const sides[4] = {&subregion->x, &subregion->y, &subregion->width, &subregion->height};
    *subregion = *whole;
    if (!placed) {
        svg_budget_lack_memory(walk->document->budget);
        return false;
    }
    const svg_metrics metrics =
        svg_walk_metrics(walk, placed->inherited.font_size, frame->instance.width, frame->instance.height);
    for (int i = 0; i < 4; i++) {
        if (!svg_attribute_find(walk->document, node, names[i]))
            continue;
        const svg_length nothing = {0, SVG_UNIT_PX};
        const svg_axis axis = i % 2 ? SVG_AXIS_Y : SVG_AXIS_X;
        const double length = length_of(walk->document, node, names[i], axis, units, nothing, &metrics);
        const double side = axis == SVG_AXIS_X ? box->x1 - box->x0 : box->y1 - box->y0;
        const double from = i == 0 ? box->x0 : i == 1 ? box->y0 : 0;
        *sides[i] = units ? from + length * side : length;
    }
    return is_area(subregion);
}
