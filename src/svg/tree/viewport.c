/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "svg/tree/viewport.h"

#include <math.h>

#include "base/number.h"
#include "base/transform.h"

#define STANDARD_WIDTH 300 /* CSS 2, 10.3.2 */
#define STANDARD_HEIGHT 150

svg_view_box svg_view_box_parse(const svg_document *document, uint32_t node, svg_rectangle *box)
{
    text value = text_trim(svg_attribute_text(document, node, SVG_VIEW_BOX));
    const char *at = value.bytes, *end = at + value.count;
    double numbers[4];
    for (int i = 0; i < 4; i++) {
        bool comma = false;
        for (; i > 0 && at < end && (text_is_space(*at) || (*at == ',' && !comma)); at++)
            comma = comma || *at == ',';
        if (!number_scan(&at, end, &numbers[i]) || !isfinite(numbers[i]))
            return SVG_VIEW_BOX_NONE;
    }
    if (at != end || numbers[2] < 0 || numbers[3] < 0)
        return SVG_VIEW_BOX_NONE;
    *box = (svg_rectangle){numbers[0], numbers[1], numbers[2], numbers[3]};
    return numbers[2] == 0 || numbers[3] == 0 ? SVG_VIEW_BOX_EMPTY : SVG_VIEW_BOX_GOOD;
}

typedef struct aspect {
    bool none, slice;
    double x, y; /* 0 is min, 1/2 is mid, 1 is max */
} aspect;

static text take_word(text *rest)
{
    *rest = text_trim(*rest);
    size_t count = 0;
    while (count < rest->count && !text_is_space(rest->bytes[count]))
        count++;
    text word = {rest->bytes, count};
    if (count)
        *rest = text_from(rest->bytes + count, rest->bytes + rest->count);
    return word;
}

static bool parse_position(const char *bytes, double *position)
{
    if (memcmp(bytes, "Min", 3) == 0)
        *position = 0;
    else if (memcmp(bytes, "Mid", 3) == 0)
        *position = 0.5;
    else if (memcmp(bytes, "Max", 3) == 0)
        *position = 1;
    else
        return false;
    return true;
}

/* Parses the value. If it is not valid, the result is xMidYMid meet. */
static aspect parse_aspect(text rest)
{
    const aspect standard = {.x = 0.5, .y = 0.5};
    aspect result = standard;
    text word = take_word(&rest);
    if (text_equal(word, TEXT("defer")))
        word = take_word(&rest);
    if (text_equal(word, TEXT("none")))
        result.none = true;
    else if (word.count != 8 || word.bytes[0] != 'x' || word.bytes[4] != 'Y' ||
             !parse_position(word.bytes + 1, &result.x) || !parse_position(word.bytes + 5, &result.y))
        return standard;
    word = take_word(&rest);
    result.slice = text_equal(word, TEXT("slice"));
    if ((word.count && !result.slice && !text_equal(word, TEXT("meet"))) || text_trim(rest).count)
        return standard;
    return result;
}

pietra_transform svg_view_box_fit(const svg_document *document, uint32_t node, svg_rectangle box, double width,
                                  double height)
{
    aspect aspect = parse_aspect(svg_attribute_text(document, node, SVG_PRESERVE_ASPECT_RATIO));
    double scale_x = width / box.width, scale_y = height / box.height;
    if (!aspect.none)
        scale_x = scale_y = aspect.slice ? fmax(scale_x, scale_y) : fmin(scale_x, scale_y);
    double x = aspect.none ? 0 : (width - box.width * scale_x) * aspect.x;
    double y = aspect.none ? 0 : (height - box.height * scale_y) * aspect.y;
    return (pietra_transform){scale_x, 0, 0, scale_y, x - box.x * scale_x, y - box.y * scale_y};
}

/* Returns the length to which percentages of the outermost svg refer, in one direction. */
static double outer_length(double option, svg_view_box state, double box, double standard)
{
    return option > 0 ? option : state == SVG_VIEW_BOX_GOOD ? box : standard;
}

/* Gives a side of the outermost svg. Returns whether the document states it; otherwise it is 100 %. */
static bool root_length(const svg_document *document, svg_name name, svg_axis axis, const svg_metrics *metrics,
                        double *side)
{
    svg_length length;
    bool given = svg_attribute_length(document, 0, name, &length) && !svg_length_is_negative(length);
    if (!given)
        length = (svg_length){100, SVG_UNIT_PERCENT};
    *side = svg_length_resolve(length, axis, metrics);
    return given;
}

bool svg_viewport_outermost(const svg_document *document, double asked_width, double asked_height, double font_size,
                            double *width, double *height)
{
    svg_rectangle box = {0, 0, 0, 0};
    svg_view_box state = svg_view_box_parse(document, 0, &box);
    double outer_width = outer_length(asked_width, state, box.width, STANDARD_WIDTH);
    double outer_height = outer_length(asked_height, state, box.height, STANDARD_HEIGHT);
    svg_metrics metrics = {font_size,   font_size,    outer_width,     outer_height,
                           outer_width, outer_height, &document->units};
    bool has_width = root_length(document, SVG_WIDTH, SVG_AXIS_X, &metrics, width);
    bool has_height = root_length(document, SVG_HEIGHT, SVG_AXIS_Y, &metrics, height);
    /* If only one side is given, the ratio decides the other (CSS Images 3, 5.3). */
    if (state == SVG_VIEW_BOX_GOOD && has_width && !has_height && asked_height == 0)
        *height = *width / box.width * box.height;
    if (state == SVG_VIEW_BOX_GOOD && has_height && !has_width && asked_width == 0)
        *width = *height / box.height * box.width;
    return *width > 0 && *height > 0 && isfinite(*width) && isfinite(*height);
}

static bool is_definite(const svg_document *document, svg_name name)
{
    svg_length length;
    return svg_attribute_length(document, 0, name, &length) && length.unit != SVG_UNIT_PERCENT &&
           !svg_length_is_negative(length);
}

bool svg_viewport_is_definite(const svg_document *document)
{
    svg_rectangle box;
    return svg_view_box_parse(document, 0, &box) != SVG_VIEW_BOX_NONE ||
           (is_definite(document, SVG_WIDTH) && is_definite(document, SVG_HEIGHT));
}

/* Returns a side of an svg or a symbol. That of the `use` that shows it overrides its own (SVG 2, 5.5). */
static double inner_length(const svg_document *document, uint32_t node, uint32_t shown_by, svg_name name, svg_axis axis,
                           const svg_metrics *metrics)
{
    svg_length length;
    bool given = shown_by != SVG_NO_NODE && svg_attribute_length(document, shown_by, name, &length) &&
                 !svg_length_is_negative(length);
    given = given || (svg_attribute_length(document, node, name, &length) && !svg_length_is_negative(length));
    return svg_length_resolve(given ? length : (svg_length){100, SVG_UNIT_PERCENT}, axis, metrics);
}

double svg_reference(const svg_document *document, uint32_t node, svg_name name, const svg_metrics *metrics,
                     svg_rectangle box)
{
    text value = text_trim(svg_attribute_text(document, node, name));
    bool across = name == SVG_REF_X;
    double from = across ? box.x : box.y, size = across ? box.width : box.height, pixels;
    if (text_equal(value, across ? TEXT("left") : TEXT("top")))
        return from;
    if (text_equal(value, TEXT("center")))
        return from + size / 2;
    if (text_equal(value, across ? TEXT("right") : TEXT("bottom")))
        return from + size;
    return svg_length_parse_pixels(value, document->units.dpi, across ? SVG_AXIS_X : SVG_AXIS_Y, metrics, &pixels)
               ? pixels
               : 0;
}

/* The reference point of a symbol, if it has one, takes the place of its viewport's corner (SVG 2, 5.5). */
static void move_to_reference(const svg_document *document, uint32_t node, const svg_metrics *metrics,
                              svg_rectangle box, svg_inner_space *inner)
{
    svg_metrics own = *metrics;
    own.width = box.width;
    own.height = box.height;
    double x = svg_reference(document, node, SVG_REF_X, &own, box),
           y = svg_reference(document, node, SVG_REF_Y, &own, box);
    transform_point(inner->inward, &x, &y);
    x = svg_attribute_find(document, node, SVG_REF_X) ? inner->view.x - x : 0;
    y = svg_attribute_find(document, node, SVG_REF_Y) ? inner->view.y - y : 0;
    inner->inward = transform_multiply(transform_translate(x, y), inner->inward);
    inner->view.x += x;
    inner->view.y += y;
}

bool svg_viewport_inner(const svg_document *document, uint32_t node, uint32_t shown_by, const svg_metrics *metrics,
                        svg_inner_space *inner)
{
    svg_rectangle view = {
        svg_attribute_pixels(document, node, SVG_X, SVG_AXIS_X, metrics),
        svg_attribute_pixels(document, node, SVG_Y, SVG_AXIS_Y, metrics),
        inner_length(document, node, shown_by, SVG_WIDTH, SVG_AXIS_X, metrics),
        inner_length(document, node, shown_by, SVG_HEIGHT, SVG_AXIS_Y, metrics),
    };
    svg_rectangle box;
    svg_view_box state = svg_view_box_parse(document, node, &box);
    if (!(view.width > 0) || !(view.height > 0) || state == SVG_VIEW_BOX_EMPTY)
        return false;
    *inner = (svg_inner_space){view, transform_translate(view.x, view.y), view.width, view.height};
    if (state == SVG_VIEW_BOX_GOOD) {
        inner->inward =
            transform_multiply(inner->inward, svg_view_box_fit(document, node, box, view.width, view.height));
        inner->width = box.width;
        inner->height = box.height;
    }
    if (document->nodes.items[node].element == SVG_SYMBOL)
        move_to_reference(document, node, metrics,
                          state == SVG_VIEW_BOX_GOOD ? box : (svg_rectangle){0, 0, view.width, view.height}, inner);
    return transform_is_finite(inner->inward);
}

pietra_transform svg_use_offset(const svg_document *document, uint32_t node, const svg_metrics *metrics)
{
    return transform_translate(svg_attribute_pixels(document, node, SVG_X, SVG_AXIS_X, metrics),
                               svg_attribute_pixels(document, node, SVG_Y, SVG_AXIS_Y, metrics));
}
