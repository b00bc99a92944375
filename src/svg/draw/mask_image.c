/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "svg/draw/mask_image.h"

#include <math.h>
#include <stdlib.h>

#include "base/transform.h"
#include "svg/draw/cell.h"
#include "svg/draw/image_content.h"
#include "svg/style/css_gradient.h"
#include "svg/xml/resource.h"

#define FARTHEST 1e9 /* where an image without a clip ends at the latest, in the scene's units */

/* An image for the frame at this index. */
typedef struct mask_image {
    svg_walk *walk;
    uint32_t frame;
    text gradient;              /* empty: it is none */
    svg_image_content *content; /* NULL: it is a gradient */
} mask_image;

/* Where cells of an image lie, in the user space of the element. */
typedef struct mask_cells {
    svg_rectangle seen;  /* what the mask lets through at most */
    svg_rectangle first; /* one of the cells */
    double step_x, step_y;
    bool repeats_x, repeats_y;
} mask_cells;

static const svg_walk_frame *owner_of(const mask_image *image)
{
    return &image->walk->frames.items[image->frame];
}

static svg_metrics metrics_of(const mask_image *image, double width, double height)
{
    const svg_inherited *style = &image->walk->styles.items[owner_of(image)->style];
    return svg_walk_metrics(image->walk, style->font_size, width, height);
}

/* ---- Reading ---- */

static text address_of(const svg_walk *walk, const svg_mask_layer *layer)
{
    return walk->document->texts.items[layer->image - 1].value;
}

bool svg_mask_image_is_read(const svg_walk *walk, const svg_mask_layer *layer)
{
    const bool read = walk->document->resources || svg_resource_is_data(address_of(walk, layer));
    if (!read)
        svg_warn(walk->warnings, svg_document_warning_line(walk->document, walk->node),
                 "an image is left out: only files below the resources directory are read, if that is asked for");
    return read;
}

/* Returns whether an address leads to a mask in the document at which it arrives. */
static bool leads_to_mask(const svg_image_content *content, text address)
{
    const text id = svg_resource_fragment(address);
    if (!content->document || id.count == 0)
        return false;
    const uint32_t node = svg_document_find(content->document, 0, id);
    return node != SVG_NO_NODE && content->document->nodes.items[node].element == SVG_MASK;
}

/* ---- Placing ---- */

static bool is_area(svg_rectangle box)
{
    return box.width > 0 && box.height > 0 && isfinite(box.x + box.y + box.width + box.height);
}

static svg_rectangle rectangle_of(pietra_box box)
{
    return (svg_rectangle){box.x0, box.y0, box.x1 - box.x0, box.y1 - box.y0};
}

static svg_rectangle intersection_of(svg_rectangle a, svg_rectangle b)
{
    const double x = fmax(a.x, b.x), y = fmax(a.y, b.y);
    return (svg_rectangle){x, y, fmin(a.x + a.width, b.x + b.width) - x, fmin(a.y + a.height, b.y + b.height) - y};
}

/* Returns all that can be seen, in the user space of the element. */
static svg_rectangle find_visible(const mask_image *image)
{
    pietra_box box = image->walk->visible;
    pietra_transform inward;
    if (!transform_invert(owner_of(image)->instance.transform, &inward))
        return (svg_rectangle){0, 0, 0, 0};
    box =
        (pietra_box){fmax(box.x0, -FARTHEST), fmax(box.y0, -FARTHEST), fmin(box.x1, FARTHEST), fmin(box.y1, FARTHEST)};
    return rectangle_of(transform_box(inward, box));
}

static svg_rectangle find_box(const mask_image *image, uint8_t box, uint8_t border)
{
    const svg_walk_frame *owner = owner_of(image);
    const svg_rectangle view = {0, 0, owner->instance.width, owner->instance.height};
    const svg_rectangle nothing = {0, 0, 0, 0};
    switch (box == SVG_MASK_BOX_BORDER ? border : box) {
    case SVG_MASK_BOX_VIEW:
        return view;
    case SVG_MASK_BOX_NONE:
        return find_visible(image);
    case SVG_MASK_BOX_FILL:
        return owner->extent.some ? rectangle_of(owner->extent.box) : nothing;
    default:
        return owner->extent.some ? rectangle_of(owner->extent.stroke) : nothing;
    }
}

/* Takes those parts of a layer's place that the longhands say. */
static svg_mask_place find_place(const mask_image *image, const svg_mask_layer *layer)
{
    const svg_noninherited *style = &owner_of(image)->instance.noninherited;
    const svg_mask_place *places = image->walk->document->mask_places.items;
    const uint32_t i = layer->index;
    svg_mask_place place = layer->place;
    if (style->mask_position.count) {
        const svg_mask_place *said = &places[style->mask_position.begin + i % style->mask_position.count];
        place.x = said->x;
        place.y = said->y;
        place.from_right = said->from_right;
        place.from_bottom = said->from_bottom;
    }
    if (style->mask_size.count) {
        const svg_mask_place *said = &places[style->mask_size.begin + i % style->mask_size.count];
        place.size = said->size;
        place.width = said->width;
        place.height = said->height;
        place.given_width = said->given_width;
        place.given_height = said->given_height;
    }
    if (style->mask_repeat.count) {
        const svg_mask_place *said = &places[style->mask_repeat.begin + i % style->mask_repeat.count];
        place.repeat_x = said->repeat_x;
        place.repeat_y = said->repeat_y;
    }
    if (style->mask_origin.count)
        place.origin = places[style->mask_origin.begin + i % style->mask_origin.count].origin;
    if (style->mask_clip.count)
        place.clip = places[style->mask_clip.begin + i % style->mask_clip.count].clip;
    return place;
}

/* What an image says of its own size (CSS Images 3, 4.1). */
typedef struct own_size {
    double width, height; /* 0: none */
    double ratio;         /* of the width to the height; 0: none */
} own_size;

/* Returns whether the outermost svg of a document has this side by itself. */
static bool has_side(const svg_document *document, svg_name name)
{
    svg_length length;
    return svg_attribute_length(document, 0, name, &length) && !svg_length_has_percentage(length);
}

static own_size find_own_size(const svg_image_content *content)
{
    if (!content || (content->document && !svg_viewport_is_definite(content->document)))
        return (own_size){0, 0, 0};
    const double ratio = content->width / content->height;
    if (content->document && !has_side(content->document, SVG_WIDTH) && !has_side(content->document, SVG_HEIGHT))
        return (own_size){0, 0, ratio};
    return (own_size){content->width, content->height, ratio};
}

/* Finds the size of a cell (CSS Backgrounds 3, 3.9). */
static void find_size(const mask_image *image, const svg_mask_place *place, svg_rectangle area, double *width,
                      double *height)
{
    const own_size own = find_own_size(image->content);
    const svg_metrics metrics = metrics_of(image, area.width, area.height);
    const bool automatic = !place->given_width && !place->given_height;
    *width = place->given_width ? svg_length_resolve(place->width, SVG_AXIS_X, &metrics) : own.width;
    *height = place->given_height ? svg_length_resolve(place->height, SVG_AXIS_Y, &metrics) : own.height;
    if (place->size == SVG_SIZE_GIVEN && !automatic) {
        if (!place->given_width)
            *width = own.ratio > 0 ? *height * own.ratio : area.width;
        if (!place->given_height)
            *height = own.ratio > 0 ? *width / own.ratio : area.height;
    } else if (place->size != SVG_SIZE_GIVEN || own.width <= 0) {
        const double across = own.ratio > 0 ? own.ratio : area.width / area.height;
        const bool wide = (area.width / area.height > across) == (place->size == SVG_SIZE_COVER);
        *width = wide ? area.width : area.height * across;
        *height = wide ? area.width / across : area.height;
    }
}

/* Makes cells so large that a whole number of them fits (CSS Backgrounds 3, 3.4). */
static void round_size(const svg_mask_place *place, double ratio, svg_rectangle area, double *width, double *height)
{
    if (place->repeat_x == SVG_REPEAT_ROUNDED)
        *width = area.width / fmax(round(area.width / *width), 1);
    if (place->repeat_y == SVG_REPEAT_ROUNDED)
        *height = area.height / fmax(round(area.height / *height), 1);
    const bool automatic = place->size == SVG_SIZE_GIVEN && ratio > 0;
    if (automatic && place->repeat_x == SVG_REPEAT_ROUNDED && place->repeat_y != SVG_REPEAT_ROUNDED &&
        !place->given_height)
        *height = *width / ratio;
    if (automatic && place->repeat_y == SVG_REPEAT_ROUNDED && place->repeat_x != SVG_REPEAT_ROUNDED &&
        !place->given_width)
        *width = *height * ratio;
}

/* Places cells along an axis. `metrics` have what a cell leaves free as both sides. */
static double place_cells(uint8_t repeat, double from, double side, double cell, svg_length distance, bool from_end,
                          svg_metrics metrics, double *step, bool *repeats)
{
    const double free = side - cell, whole = floor(side / cell * (1 + 1e-12));
    metrics.width = metrics.height = free;
    const double offset = svg_length_resolve(distance, SVG_AXIS_X, &metrics);
    *repeats = repeat != SVG_REPEAT_NOT;
    *step = cell;
    if (repeat == SVG_REPEAT_SPACED) {
        *repeats = whole > 1;
        *step = whole > 1 ? cell + (side - whole * cell) / (whole - 1) : cell;
        if (whole > 1)
            return from;
    }
    return from + (from_end ? free - offset : offset);
}

/* Returns false if nothing is to be seen. */
static bool lay_out(const mask_image *image, const svg_mask_layer *layer, mask_cells *cells)
{
    const svg_mask_place place = find_place(image, layer);
    const svg_rectangle area = find_box(image, place.origin, SVG_MASK_BOX_FILL);
    const svg_metrics metrics = metrics_of(image, area.width, area.height);
    cells->seen = intersection_of(find_box(image, place.clip, SVG_MASK_BOX_STROKE), find_visible(image));
    if (!is_area(area) || !is_area(cells->seen))
        return false;
    svg_rectangle *first = &cells->first;
    find_size(image, &place, area, &first->width, &first->height);
    if (!(first->width > 0) || !(first->height > 0))
        return false;
    round_size(&place, find_own_size(image->content).ratio, area, &first->width, &first->height);
    first->x = place_cells(place.repeat_x, area.x, area.width, first->width, place.x, place.from_right, metrics,
                           &cells->step_x, &cells->repeats_x);
    first->y = place_cells(place.repeat_y, area.y, area.height, first->height, place.y, place.from_bottom, metrics,
                           &cells->step_y, &cells->repeats_y);
    return is_area(*first) && isfinite(cells->step_x + cells->step_y);
}

/* Moves the first cell to the first one that can be seen, and finds out whether there are others. */
static void find_seen(double from, double side, double cell, double step, double *first, bool *repeats)
{
    if (!*repeats)
        return;
    *first += ceil((from - cell - *first) / step + 1e-9) * step;
    *repeats = *first + step < from + side - 1e-9 * step;
}

/* ---- Drawing ---- */

static pietra_result fill(const mask_image *image, svg_rectangle area, pietra_transform space,
                          const pietra_paint *paint)
{
    svg_walk *walk = image->walk;
    if (!is_area(area))
        return PIETRA_OK;
    pietra_path_reset(walk->clip_path);
    pietra_path_rect(walk->clip_path, area.x, area.y, area.width, area.height);
    svg_walk_set_edges(walk, false);
    return pietra_scene_fill(walk->scene, walk->clip_path, &space, PIETRA_FILL_NONZERO, paint, walk->error);
}

static pietra_result draw_gradient(const mask_image *image, svg_rectangle cell, svg_rectangle seen,
                                   pietra_transform space)
{
    svg_walk *walk = image->walk;
    const svg_walk_frame *owner = owner_of(image);
    const css_gradient_space gradient = {
        .metrics = metrics_of(image, owner->instance.width, owner->instance.height),
        .dpi = walk->document->units.dpi,
        .area = cell,
        .current = walk->styles.items[owner->style].color,
    };
    const size_t most = css_gradient_most_stops(image->gradient);
    svg_document_count_text(walk->document, image->gradient);
    pietra_result result = svg_walk_spend(walk, owner->instance.node, SVG_STEP_entry, most);
    pietra_stop *stops = result == PIETRA_OK ? malloc(most * sizeof *stops) : NULL;
    pietra_paint paint;
    if (!stops)
        return result != PIETRA_OK ? result : PIETRA_ERROR_MEMORY;
    if (css_gradient_read(image->gradient, &gradient, stops, &paint))
        result = fill(image, seen, space, &paint);
    free(stops);
    return result;
}

static pietra_paint paint_of(const mask_image *image, const pietra_image *pixels, svg_rectangle cell)
{
    const svg_inherited *style = &image->walk->styles.items[owner_of(image)->style];
    const double width = image->content->width, height = image->content->height;
    return (pietra_paint){.kind = PIETRA_PAINT_IMAGE,
                          .image = pixels,
                          .filter = svg_image_filter(style),
                          .transform = {cell.width / width, 0, 0, cell.height / height, cell.x, cell.y}};
}

/* A document with a viewBox is fitted into the cell by itself. One with a size alone is stretched. */
static pietra_result draw_document(const mask_image *image, svg_rectangle cell, svg_rectangle seen,
                                   pietra_transform space)
{
    svg_walk *walk = image->walk;
    svg_image_content *content = image->content;
    const uint32_t node = owner_of(image)->instance.node;
    svg_rectangle box, own = {0, 0, cell.width, cell.height};
    if (svg_view_box_parse(content->document, 0, &box) == SVG_VIEW_BOX_NONE &&
        svg_viewport_is_definite(content->document))
        own = (svg_rectangle){0, 0, content->width, content->height};
    const pietra_transform fit = {cell.width / own.width, 0, 0, cell.height / own.height, cell.x, cell.y};
    const pietra_box shown = {seen.x, seen.y, seen.x + seen.width, seen.y + seen.height};
    pietra_path_reset(walk->path);
    pietra_path_rect(walk->path, seen.x, seen.y, seen.width, seen.height);
    svg_walk_set_edges(walk, false);
    pietra_result result = pietra_scene_begin_clip(walk->scene, walk->path, &space, PIETRA_FILL_NONZERO, walk->error);
    if (result == PIETRA_OK)
        result = svg_image_content_draw_document(walk, node, content, own, transform_multiply(space, fit),
                                                 transform_box(space, shown));
    return result == PIETRA_OK ? pietra_scene_end_clip(walk->scene, walk->error) : result;
}

/* Draws one cell in a space that leads to the scene. */
static pietra_result draw_cell(const mask_image *image, svg_rectangle cell, svg_rectangle seen, pietra_transform space)
{
    seen = intersection_of(cell, seen);
    if (!is_area(seen))
        return PIETRA_OK;
    if (image->gradient.count)
        return draw_gradient(image, cell, seen, space);
    if (image->content->document)
        return draw_document(image, cell, seen, space);
    image->walk->pixels += (uint64_t)(image->content->width * image->content->height);
    const pietra_paint paint = paint_of(image, image->content->image, cell);
    return fill(image, seen, space, &paint);
}

/* Draws a cell, and the gaps behind it, as an image that repeats. */
static pietra_result make_cell(const mask_image *image, const mask_cells *cells, uint32_t line, pietra_image **made)
{
    svg_walk *walk = image->walk;
    const svg_rectangle cell = {0, 0, cells->first.width, cells->first.height};
    const pietra_box outer_visible = walk->visible;
    pietra_scene *outer = walk->scene;
    const uint64_t pixels = walk->pixels;
    const unsigned shows = walk->shows;
    svg_boxes *boxes = walk->boxes;
    svg_budget *budget = walk->document->budget;
    const bool is_aliased = walk->is_aliased;
    *made = NULL;
    walk->scene = pietra_scene_create();
    if (!walk->scene) {
        walk->scene = outer;
        return PIETRA_ERROR_MEMORY;
    }
    walk->visible = (pietra_box){0, 0, cell.width, cell.height};
    walk->boxes = NULL;
    walk->is_aliased = false;
    walk->pattern_depth++;
    pietra_result result = draw_cell(image, cell, cell, TRANSFORM_IDENTITY);
    if (result == PIETRA_OK && !svg_budget_take(budget, SVG_LIMIT_image_pixels, walk->pixels - pixels))
        result = svg_budget_error(budget, budget->refused, walk->error, line);
    if (result == PIETRA_OK)
        result = pietra_image_create_from_scene(walk->scene, cells->step_x, cells->step_y, walk->error, made);
    if (result == PIETRA_OK && !svg_frame_cost_of_image(*made, walk->scene, cells->step_x, cells->step_y))
        result = PIETRA_ERROR_MEMORY;
    pietra_scene_destroy(walk->scene);
    walk->scene = outer;
    walk->visible = outer_visible;
    walk->boxes = boxes;
    walk->is_aliased = is_aliased;
    walk->shows |= shows;
    walk->pattern_depth--;
    return result;
}

/* Draws the cells by one fill with an image that repeats. */
static pietra_result draw_repeated(const mask_image *image, const mask_cells *cells)
{
    svg_walk *walk = image->walk;
    svg_budget *budget = walk->document->budget;
    const svg_walk_frame *owner = owner_of(image);
    const uint32_t line = svg_document_warning_line(walk->document, owner->instance.node);
    const pietra_transform space = owner->instance.transform;
    const bool gaps = cells->step_x > cells->first.width || cells->step_y > cells->first.height;
    const svg_rectangle column = {cells->first.x, cells->seen.y, cells->first.width, cells->seen.height},
                        row = {cells->seen.x, cells->first.y, cells->seen.width, cells->first.height};
    pietra_paint paint = {.kind = PIETRA_PAINT_IMAGE};
    pietra_image *made = NULL;
    svg_rectangle area = cells->seen;
    area = cells->repeats_x ? area : intersection_of(area, column);
    area = cells->repeats_y ? area : intersection_of(area, row);
    if (walk->pattern_depth == SVG_DEEPEST_PATTERN) {
        svg_warn(walk->warnings, line, "images of masks in more than %u patterns are left out", SVG_DEEPEST_PATTERN);
        return PIETRA_OK;
    }
    if (!svg_budget_take(budget, SVG_LIMIT_cells, 1))
        return svg_budget_error(budget, budget->refused, walk->error, line);
    pietra_result result = PIETRA_OK;
    if (image->content && image->content->image && !gaps) {
        walk->pixels += (uint64_t)(image->content->width * image->content->height);
        paint = paint_of(image, image->content->image, cells->first);
    } else if ((result = make_cell(image, cells, line, &made)) == PIETRA_OK) {
        paint.image = made;
        paint.transform = transform_translate(cells->first.x, cells->first.y);
    }
    paint.spread = PIETRA_SPREAD_REPEAT;
    if (result == PIETRA_OK)
        result = fill(image, area, space, &paint);
    pietra_image_destroy(made);
    return result;
}

/* Lets everything through. */
static pietra_result fill_all(const mask_image *image)
{
    const pietra_paint white = {.color = {1, 1, 1, 1}};
    return fill(image, find_visible(image), owner_of(image)->instance.transform, &white);
}

pietra_result svg_mask_image_draw(svg_walk *walk, uint32_t frame, const svg_mask_layer *layer, bool alone)
{
    mask_image image = {.walk = walk, .frame = frame};
    const uint32_t node = owner_of(&image)->instance.node;
    const pietra_transform space = owner_of(&image)->instance.transform;
    mask_cells cells;
    if (layer->gradient) {
        image.gradient = walk->document->texts.items[layer->gradient - 1].value;
    } else {
        const text address = address_of(walk, layer);
        pietra_result result = svg_image_content_of(walk, node, address, &image.content);
        if (result != PIETRA_OK)
            return result;
        const bool mask = image.content && leads_to_mask(image.content, address);
        if (mask)
            svg_warn(walk->warnings, svg_document_warning_line(walk->document, node),
                     "masks of other documents are left out");
        if (mask || !image.content || (!image.content->image && !image.content->document))
            return alone ? fill_all(&image) : PIETRA_OK;
    }
    if (!lay_out(&image, layer, &cells))
        return PIETRA_OK;
    const svg_rectangle seen = cells.seen, first = cells.first;
    find_seen(seen.x, seen.width, first.width, cells.step_x, &cells.first.x, &cells.repeats_x);
    find_seen(seen.y, seen.height, first.height, cells.step_y, &cells.first.y, &cells.repeats_y);
    if (cells.repeats_x || cells.repeats_y)
        return draw_repeated(&image, &cells);
    return draw_cell(&image, cells.first, seen, space);
}
