/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Attributes of filter primitives. */
#include <math.h>

#include "base/number.h"
#include "svg/draw/filter_parts.h"

double svg_filter_hold(double value)
{
    return fmax(-SVG_FILTER_MOST, fmin(value, SVG_FILTER_MOST));
}

double svg_filter_number(const svg_document *document, uint32_t node, svg_name name, double missing)
{
    const text value = text_trim(svg_attribute_text(document, node, name));
    const char *at = value.bytes, *end = at + value.count;
    double number;
    return number_scan(&at, end, &number) && at == end ? svg_filter_hold(number) : missing;
}

/* Takes the next number, and the comma behind it. *good becomes false if something else stands there. */
static bool take_number(const char **at, const char *end, double *number, bool *good)
{
    *at = text_skip_space(*at, end);
    if (*at == end)
        return false;
    const char *begin = *at;
    *good = number_scan(at, end, number);
    const char *behind = text_skip_space(*at, end);
    const bool comma = behind < end && *behind == ',';
    /* A sign may follow at once. */
    *good = *good && (behind > *at || behind == end || comma || *behind == '-' || *behind == '+');
    *at = comma ? behind + 1 : behind;
    *good = *good && *at > begin && !(comma && text_skip_space(*at, end) == end);
    *number = svg_filter_hold(*number);
    return *good;
}

bool svg_filter_pair(const svg_document *document, uint32_t node, svg_name name, double pair[2])
{
    const text value = svg_attribute_text(document, node, name);
    const char *at = value.bytes, *end = at + value.count;
    bool good = true;
    double more;
    if (!take_number(&at, end, &pair[0], &good))
        return false;
    if (!take_number(&at, end, &pair[1], &good))
        pair[1] = pair[0];
    return good && !take_number(&at, end, &more, &good) && good;
}

const float *svg_filter_numbers(svg_filter_build *build, uint32_t node, svg_name name, size_t *count)
{
    const text value = svg_attribute_text(build->walk->document, node, name);
    const char *at = value.bytes, *end = at + value.count;
    /* A number and what parts it from the next take two bytes. */
    float *numbers =
        value.count ? arena_alloc(&build->arena, (value.count + 1) / 2 * sizeof *numbers, sizeof *numbers) : NULL;
    bool good = true;
    double number;
    *count = 0;
    if (!numbers && value.count)
        svg_budget_lack_memory(build->walk->document->budget);
    while (numbers && take_number(&at, end, &number, &good))
        numbers[(*count)++] = (float)number;
    if (!good)
        *count = 0;
    if (numbers)
        arena_shrink(&build->arena, numbers, *count * sizeof *numbers);
    return *count ? numbers : NULL;
}

bool svg_filter_says(const svg_document *document, uint32_t node, svg_name name, text value)
{
    return text_equal(text_trim(svg_attribute_text(document, node, name)), value);
}

double svg_filter_unit(const svg_filter_build *build, svg_axis axis)
{
    const pietra_box *box = &build->walk->frames.items[build->frame].extent.box;
    const double width = box->x1 - box->x0, height = box->y1 - box->y0;
    if (!build->filter.box_primitive_units)
        return 1;
    return axis == SVG_AXIS_X ? width : axis == SVG_AXIS_Y ? height : sqrt((width * width + height * height) / 2);
}
