/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "svg/css/length.h"

#include <math.h>

#include "base/number.h"

typedef struct unit_entry {
    char name[5];
    uint8_t count;
    uint8_t unit;
    double inches; /* size of an absolute unit; 0: it is relative */
} unit_entry;

static const unit_entry units[] = {
    {"px", 2, SVG_UNIT_PX, 0},        {"em", 2, SVG_UNIT_EM, 0},        {"ex", 2, SVG_UNIT_EX, 0},
    {"in", 2, SVG_UNIT_PX, 1},        {"cm", 2, SVG_UNIT_PX, 1 / 2.54}, {"mm", 2, SVG_UNIT_PX, 1 / 25.4},
    {"q", 1, SVG_UNIT_PX, 1 / 101.6}, {"pt", 2, SVG_UNIT_PX, 1 / 72.0}, {"pc", 2, SVG_UNIT_PX, 1 / 6.0},
    {"ch", 2, SVG_UNIT_CH, 0},        {"rem", 3, SVG_UNIT_REM, 0},      {"vw", 2, SVG_UNIT_VW, 0},
    {"vh", 2, SVG_UNIT_VH, 0},        {"vmin", 4, SVG_UNIT_VMIN, 0},    {"vmax", 4, SVG_UNIT_VMAX, 0},
};

bool svg_length_begins_function(char c)
{
    return text_is_letter(c);
}

double svg_angle_unit(text name)
{
    static const struct {
        text name;
        double degrees;
    } angles[] = {
        {TEXT_LITERAL("deg"), 1},
        {TEXT_LITERAL("rad"), 57.29577951308232},
        {TEXT_LITERAL("grad"), 0.9},
        {TEXT_LITERAL("turn"), 360},
    };
    for (size_t i = 0; i < sizeof angles / sizeof angles[0]; i++)
        if (text_equal_ignoring_case(name, angles[i].name))
            return angles[i].degrees;
    return 0;
}

bool svg_length_scan(const char **at, const char *end, double dpi, svg_length *length)
{
    const char *c = *at;
    double number;
    bool plain;
    if (c < end && svg_length_begins_function(*c))
        return svg_calc_scan(at, end, dpi, length, &plain);
    if (!number_scan(&c, end, &number) || !isfinite(number))
        return false;
    svg_length result = {number, SVG_UNIT_PX};
    if (c < end && *c == '%') {
        result.unit = SVG_UNIT_PERCENT;
        c++;
    } else if (c < end && text_is_letter(*c)) {
        const char *name = c;
        while (c < end && text_is_letter(*c))
            c++;
        size_t i = 0, count = sizeof units / sizeof units[0];
        while (i < count && !text_equal_ignoring_case(text_from(name, c), (text){units[i].name, units[i].count}))
            i++;
        if (i == count)
            return false;
        result.unit = (svg_unit)units[i].unit;
        if (units[i].inches > 0)
            result.number *= units[i].inches * dpi;
    }
    *length = result;
    *at = c;
    return true;
}

bool svg_length_parse(text value, double dpi, svg_length *length)
{
    text trimmed = text_trim(value);
    const char *at = trimmed.bytes, *end = at + trimmed.count;
    svg_length result;
    if (!svg_length_scan(&at, end, dpi, &result) || at != end)
        return false;
    *length = result;
    return true;
}

bool svg_length_scan_any(const char **at, const char *end, svg_units *units, svg_length *length)
{
    /* These sizes only serve to test whether the text is an expression. */
    static const svg_metrics any = {1, 1, 1, 1, 1, 1, NULL};
    const char *c = *at;
    double pixels;
    if (svg_length_scan(at, end, units->dpi, length))
        return true;
    if (c == end || !svg_length_begins_function(*c) ||
        !svg_calc_resolve(&c, end, units->dpi, SVG_AXIS_X, &any, &pixels) ||
        c - *at > (ptrdiff_t)SVG_LONGEST_EXPRESSION)
        return false;
    uint32_t kept = css_name_intern(&units->expressions, text_from(*at, c));
    if (!kept)
        *units->lacks_memory = true;
    *length = (svg_length){kept, SVG_UNIT_EXPRESSION};
    *at = c;
    return kept != 0;
}

bool svg_length_parse_any(text value, svg_units *units, svg_length *length)
{
    text trimmed = text_trim(value);
    const char *at = trimmed.bytes, *end = at + trimmed.count;
    svg_length result;
    if (!svg_length_scan_any(&at, end, units, &result) || at != end)
        return false;
    *length = result;
    return true;
}

bool svg_length_scan_pixels(const char **at, const char *end, double dpi, svg_axis axis, const svg_metrics *metrics,
                            double *pixels)
{
    svg_length length;
    if (*at < end && svg_length_begins_function(**at))
        return svg_calc_resolve(at, end, dpi, axis, metrics, pixels);
    if (!svg_length_scan(at, end, dpi, &length))
        return false;
    *pixels = svg_length_resolve(length, axis, metrics);
    return true;
}

bool svg_length_parse_pixels(text value, double dpi, svg_axis axis, const svg_metrics *metrics, double *pixels)
{
    text trimmed = text_trim(value);
    const char *at = trimmed.bytes, *end = at + trimmed.count;
    return svg_length_scan_pixels(&at, end, dpi, axis, metrics, pixels) && at == end;
}

static double percent_base(svg_axis axis, const svg_metrics *metrics)
{
    switch (axis) {
    case SVG_AXIS_X:
        return metrics->width;
    case SVG_AXIS_Y:
        return metrics->height;
    case SVG_AXIS_DIAGONAL:
        break;
    }
    return sqrt((metrics->width * metrics->width + metrics->height * metrics->height) / 2);
}

svg_length svg_length_sum(svg_length first, svg_length second)
{
    const float numbers[2] = {(float)first.number, (float)second.number};
    svg_length sum = {.unit = (svg_unit)(first.unit | (second.unit + 1u) << SVG_UNIT_SECOND_SHIFT)};
    memcpy(&sum.number, numbers, sizeof sum.number);
    return sum;
}

/* Gives the parts of a length, one for each unit. Returns their number, 1 or 2. */
static unsigned split(svg_length length, svg_length parts[2])
{
    float numbers[2];
    parts[0] = length;
    if (length.unit >> SVG_UNIT_SECOND_SHIFT == 0)
        return 1;
    memcpy(numbers, &length.number, sizeof length.number);
    parts[0] = (svg_length){(double)numbers[0], (svg_unit)(length.unit & ((1u << SVG_UNIT_SECOND_SHIFT) - 1))};
    parts[1] = (svg_length){(double)numbers[1], (svg_unit)((length.unit >> SVG_UNIT_SECOND_SHIFT) - 1u)};
    return 2;
}

bool svg_length_is_negative(svg_length length)
{
    return length.unit >> SVG_UNIT_SECOND_SHIFT == 0 && length.number < 0;
}

bool svg_length_has_percentage(svg_length length)
{
    svg_length parts[2];
    unsigned count = split(length, parts);
    return parts[0].unit == SVG_UNIT_PERCENT || (count == 2 && parts[1].unit == SVG_UNIT_PERCENT);
}

static svg_length part_with_font(svg_length part, double font_size)
{
    if (part.unit != SVG_UNIT_EM && part.unit != SVG_UNIT_EX && part.unit != SVG_UNIT_CH)
        return part;
    return (svg_length){svg_length_resolve(part, SVG_AXIS_X, &(svg_metrics){.font_size = font_size}), SVG_UNIT_PX};
}

svg_length svg_length_with_font(svg_length length, double font_size)
{
    svg_length parts[2];
    if (split(length, parts) == 1)
        return part_with_font(length, font_size);
    svg_length first = part_with_font(parts[0], font_size), second = part_with_font(parts[1], font_size);
    if (first.unit == second.unit)
        return (svg_length){first.number + second.number, first.unit};
    return svg_length_sum(first, second);
}

double svg_length_resolve_fraction(svg_length length, svg_axis axis, const svg_metrics *metrics)
{
    svg_metrics unit = *metrics;
    unit.width = unit.height = 1;
    return svg_length_resolve(length, axis, &unit);
}

static double resolve_sum(svg_length length, svg_axis axis, const svg_metrics *metrics)
{
    svg_length parts[2];
    split(length, parts);
    return svg_length_resolve(parts[0], axis, metrics) + svg_length_resolve(parts[1], axis, metrics);
}

static double resolve_expression(svg_length length, svg_axis axis, const svg_metrics *metrics)
{
    double pixels = 0;
    if (metrics->units) {
        text expression = metrics->units->expressions.items.items[(uint32_t)length.number - 1u];
        svg_length_parse_pixels(expression, metrics->units->dpi, axis, metrics, &pixels);
    }
    return pixels;
}

double svg_length_resolve(svg_length length, svg_axis axis, const svg_metrics *metrics)
{
    if (length.unit >> SVG_UNIT_SECOND_SHIFT != 0)
        return resolve_sum(length, axis, metrics);
    switch (length.unit) {
    case SVG_UNIT_PX:
        break;
    case SVG_UNIT_PERCENT:
        return length.number * percent_base(axis, metrics) / 100;
    case SVG_UNIT_EM:
        return length.number * metrics->font_size;
    case SVG_UNIT_EX: /* without a font at hand, both are half an em (CSS Values 4, section 6.1.1) */
    case SVG_UNIT_CH:
        return length.number * metrics->font_size / 2;
    case SVG_UNIT_REM:
        return length.number * metrics->root_font_size;
    case SVG_UNIT_VW:
        return length.number * metrics->root_width / 100;
    case SVG_UNIT_VH:
        return length.number * metrics->root_height / 100;
    case SVG_UNIT_VMIN:
        return length.number * fmin(metrics->root_width, metrics->root_height) / 100;
    case SVG_UNIT_VMAX:
        return length.number * fmax(metrics->root_width, metrics->root_height) / 100;
    case SVG_UNIT_EXPRESSION:
        return resolve_expression(length, axis, metrics);
    }
    return length.number;
}
