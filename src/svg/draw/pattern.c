/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "svg/draw/pattern.h"

#include <math.h>

#include "base/transform.h"
#include "svg/draw/cell.h"
#include "svg/draw/transform_origin.h"

enum { PATTERN_X, PATTERN_Y, PATTERN_WIDTH, PATTERN_HEIGHT, PATTERN_LENGTHS };

/* A pattern with everything that it takes over along its hrefs: for each attribute, the node that gives it. */
typedef struct pattern {
    uint32_t lengths[PATTERN_LENGTHS];
    uint32_t units, content_units, transform, view_box, aspect, content;
    bool box_units, box_content;
} pattern;

static const svg_name length_names[PATTERN_LENGTHS] = {SVG_X, SVG_Y, SVG_WIDTH, SVG_HEIGHT};

static bool has_element(const svg_document *document, uint32_t node)
{
    uint32_t child = node + 1, end = document->nodes.items[node].end;
    while (child < end &&
           (document->nodes.items[child].element == SVG_FOREIGN || document->nodes.items[child].element == SVG_UNKNOWN))
        child = document->nodes.items[child].end;
    return child < end;
}

static void take_node(const svg_document *document, uint32_t node, svg_name name, uint32_t *taken)
{
    if (*taken == SVG_NO_NODE && svg_attribute_find(document, node, name))
        *taken = node;
}

/* A value in error counts as not given. */
static void take_units(const svg_document *document, uint32_t node, svg_name name, uint32_t *taken, bool *box)
{
    text units = text_trim(svg_attribute_text(document, node, name));
    bool user = text_equal(units, TEXT("userSpaceOnUse")), own = text_equal(units, TEXT("objectBoundingBox"));
    if (*taken != SVG_NO_NODE || (!user && !own))
        return;
    *taken = node;
    *box = own;
}

static void take_attributes(const svg_document *document, uint32_t node, pattern *pattern)
{
    svg_rectangle box;
    for (int i = 0; i < PATTERN_LENGTHS; i++)
        take_node(document, node, length_names[i], &pattern->lengths[i]);
    take_node(document, node, SVG_PATTERN_TRANSFORM, &pattern->transform);
    take_node(document, node, SVG_PRESERVE_ASPECT_RATIO, &pattern->aspect);
    take_units(document, node, SVG_PATTERN_UNITS, &pattern->units, &pattern->box_units);
    take_units(document, node, SVG_PATTERN_CONTENT_UNITS, &pattern->content_units, &pattern->box_content);
    if (pattern->view_box == SVG_NO_NODE && svg_view_box_parse(document, node, &box) != SVG_VIEW_BOX_NONE)
        pattern->view_box = node;
    if (pattern->content == SVG_NO_NODE && has_element(document, node))
        pattern->content = node;
}

static bool is_pattern(uint16_t element)
{
    return element == SVG_PATTERN;
}

static pietra_result take_link(svg_walk *walk, uint32_t node, void *user)
{
    take_attributes(walk->document, node, user);
    return PIETRA_OK;
}

static pietra_result take_pattern(svg_walk *walk, uint32_t node, pattern *pattern)
{
    memset(pattern, 0xff, sizeof *pattern);
    pattern->box_units = true;
    pattern->box_content = false;
    return svg_walk_follow_hrefs(walk, node, is_pattern, take_link, pattern);
}

static double length_of(const svg_walk *walk, const pattern *pattern, int i, const svg_metrics *metrics,
                        const pietra_box *box)
{
    svg_length length = {0, SVG_UNIT_PX};
    svg_axis axis = i == PATTERN_X || i == PATTERN_WIDTH ? SVG_AXIS_X : SVG_AXIS_Y;
    if (pattern->lengths[i] != SVG_NO_NODE)
        svg_attribute_length(walk->document, pattern->lengths[i], length_names[i], &length);
    if (!pattern->box_units)
        return svg_length_resolve(length, axis, metrics);
    double fraction = svg_length_resolve_fraction(length, axis, metrics);
    double from = i == PATTERN_X ? box->x0 : i == PATTERN_Y ? box->y0 : 0;
    return from + fraction * (axis == SVG_AXIS_X ? box->x1 - box->x0 : box->y1 - box->y0);
}

static bool needs_area(const pattern *pattern)
{
    return pattern->box_units || (pattern->box_content && pattern->view_box == SVG_NO_NODE);
}

static bool has_area(const svg_source *source)
{
    return source->extent.some && source->extent.box.x1 > source->extent.box.x0 &&
           source->extent.box.y1 > source->extent.box.y0;
}

/* Makes the pattern's cell. False: it has none. */
static bool make_cell(const svg_walk *walk, const pattern *pattern, const svg_style_in_place *placed,
                      const svg_source *source, svg_cell_grid *grid)
{
    svg_metrics metrics = svg_walk_metrics(walk, placed->inherited.font_size, source->width, source->height);
    pietra_box box = source->extent.box;
    double v[PATTERN_LENGTHS];
    for (int i = 0; i < PATTERN_LENGTHS; i++)
        v[i] = length_of(walk, pattern, i, &metrics, &box);
    grid->cell = (svg_rectangle){v[PATTERN_X], v[PATTERN_Y], v[PATTERN_WIDTH], v[PATTERN_HEIGHT]};
    if (!(grid->cell.width > 0) || !(grid->cell.height > 0) || !isfinite(v[0] + v[1] + v[2] + v[3]))
        return false;
    grid->local = TRANSFORM_IDENTITY;
    grid->inner_width = source->width; /* even with a viewBox, which makes no viewport here (SVG 2, 8.9) */
    grid->inner_height = source->height;
    if (pattern->view_box != SVG_NO_NODE) {
        svg_rectangle view;
        if (svg_view_box_parse(walk->document, pattern->view_box, &view) != SVG_VIEW_BOX_GOOD)
            return false;
        uint32_t aspect = pattern->aspect != SVG_NO_NODE ? pattern->aspect : grid->pattern;
        grid->local = svg_view_box_fit(walk->document, aspect, view, grid->cell.width, grid->cell.height);
    } else if (pattern->box_content) {
        grid->local = transform_scale(box.x1 - box.x0, box.y1 - box.y0);
    }
    return true;
}

/* Finds the visible box of what is painted, in the scene. */
static bool find_region(const svg_walk *walk, const svg_instance *instance, const pietra_stroke *outline,
                        pietra_box *region)
{
    pietra_box box;
    if (!svg_walk_bounds(walk, &box))
        return false;
    if (outline) {
        bool pointed = outline->join != PIETRA_JOIN_ROUND && outline->join != PIETRA_JOIN_BEVEL;
        double reach = outline->width / 2 * (pointed ? fmax(outline->miter_limit + 1, 1.5) : 1.5);
        box = (pietra_box){box.x0 - reach, box.y0 - reach, box.x1 + reach, box.y1 + reach};
    }
    box = transform_box(instance->transform, box);
    *region = box_overlap(box, walk->visible);
    return !box_is_empty(*region);
}

pietra_result svg_pattern_resolve(svg_walk *walk, const svg_instance *instance, const svg_source *source,
                                  const pietra_stroke *outline, svg_cell_grid *grid, svg_pattern_state *state)
{
    pattern pattern;
    *state = SVG_PATTERN_PAINTS_NOTHING;
    memset(grid, 0, sizeof *grid);
    grid->pattern = source->pattern;
    pietra_result result = take_pattern(walk, source->pattern, &pattern);
    const svg_style_in_place *placed = svg_walk_style_in_place(walk, source->pattern);
    if (!placed)
        return PIETRA_ERROR_MEMORY;
    if (result == PIETRA_OK && needs_area(&pattern) && !has_area(source)) {
        *state = SVG_PATTERN_FALLS_BACK; /* SVG 2, 8.11: a box without area gives no units */
        return PIETRA_OK;
    }
    if (result != PIETRA_OK || pattern.content == SVG_NO_NODE || !make_cell(walk, &pattern, placed, source, grid) ||
        !find_region(walk, instance, outline, &grid->region))
        return result;
    grid->content = pattern.content;
    grid->clipped = placed->noninherited.overflow != SVG_OVERFLOW_VISIBLE;
    grid->space = source->space;
    if (pattern.transform != SVG_NO_NODE) {
        svg_metrics metrics = svg_walk_metrics(walk, placed->inherited.font_size, source->width, source->height);
        pietra_transform own =
            svg_attribute_transform(walk->document, pattern.transform, SVG_PATTERN_TRANSFORM, &metrics);
        own = svg_transform_about_origin(walk->document, pattern.transform, &metrics, own);
        grid->space = transform_multiply(grid->space, own);
    }
    pietra_transform inverse;
    if (walk->pattern_depth == SVG_DEEPEST_PATTERN)
        svg_warn(walk->warnings, svg_document_warning_line(walk->document, grid->pattern),
                 "patterns in more than %u others are left out", SVG_DEEPEST_PATTERN);
    else if (transform_invert(grid->space, &inverse))
        *state = SVG_PATTERN_PAINTS;
    return PIETRA_OK;
}
