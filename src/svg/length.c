#include "svg/length.h"

#include <math.h>

#include "base/number.h"

typedef struct unit_entry {
    char name[5];
    uint8_t count;
    uint8_t unit;
    double inches;            /* of an absolute unit; 0: it is relative */
} unit_entry;

static const unit_entry units[] = {
    { "px", 2, SVG_UNIT_PX, 0 },
    { "em", 2, SVG_UNIT_EM, 0 },
    { "ex", 2, SVG_UNIT_EX, 0 },
    { "in", 2, SVG_UNIT_PX, 1 },
    { "cm", 2, SVG_UNIT_PX, 1 / 2.54 },
    { "mm", 2, SVG_UNIT_PX, 1 / 25.4 },
    { "q", 1, SVG_UNIT_PX, 1 / 101.6 },
    { "pt", 2, SVG_UNIT_PX, 1 / 72.0 },
    { "pc", 2, SVG_UNIT_PX, 1 / 6.0 },
    { "ch", 2, SVG_UNIT_CH, 0 },
    { "rem", 3, SVG_UNIT_REM, 0 },
    { "vw", 2, SVG_UNIT_VW, 0 },
    { "vh", 2, SVG_UNIT_VH, 0 },
    { "vmin", 4, SVG_UNIT_VMIN, 0 },
    { "vmax", 4, SVG_UNIT_VMAX, 0 },
};

static bool is_letter(char c)
{
    char lower = text_lower(c);
    return lower >= 'a' && lower <= 'z';
}

bool svg_length_scan(const char **at, const char *end, double dpi, svg_length *length)
{
    const char *c = *at;
    double number;
    bool plain;
    if (c < end && (*c == 'c' || *c == 'C'))
        return svg_calc_scan(at, end, dpi, length, &plain);
    if (!number_scan(&c, end, &number) || !isfinite(number))
        return false;
    svg_length result = { number, SVG_UNIT_PX };
    if (c < end && *c == '%') {
        result.unit = SVG_UNIT_PERCENT;
        c++;
    } else if (c < end && is_letter(*c)) {
        const char *name = c;
        while (c < end && is_letter(*c))
            c++;
        size_t i = 0, count = sizeof units / sizeof units[0];
        while (i < count && !text_equal_ignoring_case(text_from(name, c), (text){ units[i].name, units[i].count }))
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

double svg_length_resolve(svg_length length, svg_axis axis, const svg_metrics *metrics)
{
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
    }
    return length.number;
}
