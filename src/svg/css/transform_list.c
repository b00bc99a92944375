/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "svg/css/transform_list.h"

#include <math.h>

#include "base/number.h"
#include "base/transform.h"
#include "svg/css/length.h"

#define MOST_ARGUMENTS 6

typedef enum function_id {
    FUNCTION_MATRIX,
    FUNCTION_TRANSLATE,
    FUNCTION_TRANSLATE_X,
    FUNCTION_TRANSLATE_Y,
    FUNCTION_SCALE,
    FUNCTION_SCALE_X,
    FUNCTION_SCALE_Y,
    FUNCTION_ROTATE,
    FUNCTION_SKEW,
    FUNCTION_SKEW_X,
    FUNCTION_SKEW_Y,
} function_id;

typedef struct function_entry {
    text name;      /* in lower case; CSS ignores case */
    text attribute; /* its name in an attribute, where case matters; empty: attributes lack it */
    uint8_t counts; /* bit n is set if it may have n arguments */
} function_entry;

static const function_entry functions[] = {
    [FUNCTION_MATRIX] = {TEXT_LITERAL("matrix"), TEXT_LITERAL("matrix"), 1 << 6},
    [FUNCTION_TRANSLATE] = {TEXT_LITERAL("translate"), TEXT_LITERAL("translate"), 1 << 1 | 1 << 2},
    [FUNCTION_TRANSLATE_X] = {TEXT_LITERAL("translatex"), {NULL, 0}, 1 << 1},
    [FUNCTION_TRANSLATE_Y] = {TEXT_LITERAL("translatey"), {NULL, 0}, 1 << 1},
    [FUNCTION_SCALE] = {TEXT_LITERAL("scale"), TEXT_LITERAL("scale"), 1 << 1 | 1 << 2},
    [FUNCTION_SCALE_X] = {TEXT_LITERAL("scalex"), {NULL, 0}, 1 << 1},
    [FUNCTION_SCALE_Y] = {TEXT_LITERAL("scaley"), {NULL, 0}, 1 << 1},
    [FUNCTION_ROTATE] = {TEXT_LITERAL("rotate"), TEXT_LITERAL("rotate"), 1 << 1 | 1 << 3},
    [FUNCTION_SKEW] = {TEXT_LITERAL("skew"), {NULL, 0}, 1 << 1 | 1 << 2},
    [FUNCTION_SKEW_X] = {TEXT_LITERAL("skewx"), TEXT_LITERAL("skewX"), 1 << 1},
    [FUNCTION_SKEW_Y] = {TEXT_LITERAL("skewy"), TEXT_LITERAL("skewY"), 1 << 1},
};

static pietra_transform evaluate(function_id id, const double *v, int count)
{
    switch (id) {
    case FUNCTION_MATRIX:
        return (pietra_transform){v[0], v[1], v[2], v[3], v[4], v[5]};
    case FUNCTION_TRANSLATE:
        return transform_translate(v[0], count > 1 ? v[1] : 0);
    case FUNCTION_TRANSLATE_X:
        return transform_translate(v[0], 0);
    case FUNCTION_TRANSLATE_Y:
        return transform_translate(0, v[0]);
    case FUNCTION_SCALE:
        return transform_scale(v[0], count > 1 ? v[1] : v[0]);
    case FUNCTION_SCALE_X:
        return transform_scale(v[0], 1);
    case FUNCTION_SCALE_Y:
        return transform_scale(1, v[0]);
    case FUNCTION_ROTATE: {
        pietra_transform rotation = transform_rotate(v[0]);
        if (count == 1)
            return rotation;
        return transform_multiply(transform_multiply(transform_translate(v[1], v[2]), rotation),
                                  transform_translate(-v[1], -v[2]));
    }
    case FUNCTION_SKEW:
        return (pietra_transform){
            1, count > 1 ? tan(v[1] * RADIANS_PER_DEGREE) : 0, tan(v[0] * RADIANS_PER_DEGREE), 1, 0, 0};
    case FUNCTION_SKEW_X:
        return (pietra_transform){1, 0, tan(v[0] * RADIANS_PER_DEGREE), 1, 0, 0};
    case FUNCTION_SKEW_Y:
        break;
    }
    return (pietra_transform){1, tan(v[0] * RADIANS_PER_DEGREE), 0, 1, 0, 0};
}

/* Applies the unit of an angle that follows a number. */
static bool apply_unit(const char **at, const char *end, double *value)
{
    const char *stop = *at;
    while (stop < end && ((text_lower(*stop) >= 'a' && text_lower(*stop) <= 'z') || *stop == '%'))
        stop++;
    text unit = text_from(*at, stop);
    *at = stop;
    if (unit.count == 0)
        return true;
    double degrees = svg_angle_unit(unit);
    *value *= degrees;
    return degrees != 0;
}

/* If metrics is NULL, the length must be in pixels. */
static bool read_length(const char **at, const char *end, double dpi, svg_axis axis, const svg_metrics *metrics,
                        double *value)
{
    svg_length length;
    if (metrics)
        return svg_length_scan_pixels(at, end, dpi, axis, metrics, value) && isfinite(*value);
    if (!svg_length_scan(at, end, dpi, &length) || length.unit != SVG_UNIT_PX)
        return false;
    *value = length.number;
    return isfinite(*value);
}

bool svg_angle_parse(text value, double *degrees)
{
    const char *at = value.bytes, *end = at + value.count;
    double number;
    if (!number_parse(&at, end, &number) || !isfinite(number) || !apply_unit(&at, end, &number) || at != end)
        return false;
    *degrees = number;
    return true;
}

static bool read_number(const char **at, const char *end, bool css, double *value)
{
    svg_calc_kind kind;
    if (css && svg_calc_scan_value(at, end, value, &kind))
        return kind == SVG_CALC_NUMBER;
    return number_scan(at, end, value) && isfinite(*value);
}

/* Reads a factor of a scale. A percentage is in hundredths (CSS Transforms 2, 7). */
static bool read_factor(const char **at, const char *end, bool css, double *value)
{
    if (!read_number(at, end, css, value))
        return false;
    if (css && *at < end && **at == '%') {
        *value /= 100;
        ++*at;
    }
    return true;
}

static bool read_angle(const char **at, const char *end, double *value)
{
    svg_calc_kind kind;
    if (svg_calc_scan_value(at, end, value, &kind))
        return kind == SVG_CALC_ANGLE;
    if (!number_scan(at, end, value) || !isfinite(*value))
        return false;
    const char *unit = *at;
    return apply_unit(at, end, value) && (*at > unit || *value == 0);
}

static bool is_named(const function_entry *entry, text name, bool css)
{
    return css ? text_equal_ignoring_case(name, entry->name) : name.count && text_equal(name, entry->attribute);
}

/* Reads `name ( arguments )`. Returns the number of arguments; 0: it is not valid. */
static int parse_function(const char **at, const char *end, bool css, double dpi, const svg_metrics *metrics,
                          function_id *id, double values[MOST_ARGUMENTS])
{
    const char *name = *at;
    while (*at < end && text_lower(**at) >= 'a' && text_lower(**at) <= 'z')
        ++*at;
    text name_text = text_from(name, *at);
    size_t i = 0, known = sizeof functions / sizeof functions[0];
    while (i < known && !is_named(&functions[i], name_text, css))
        i++;
    if (!css)
        *at = text_skip_space(*at, end);
    if (i == known || *at == end || **at != '(')
        return 0;
    ++*at;
    *id = (function_id)i;
    bool factors = i >= FUNCTION_SCALE && i <= FUNCTION_SCALE_Y;
    bool plain = !css || i == FUNCTION_MATRIX;
    bool angles = css && i >= FUNCTION_SKEW;
    for (int count = 0; count < MOST_ARGUMENTS;) {
        *at = text_skip_space(*at, end);
        double *value = &values[count];
        bool angle = angles || (css && i == FUNCTION_ROTATE && count == 0);
        svg_axis axis = i == FUNCTION_TRANSLATE_Y || count == (i == FUNCTION_ROTATE ? 2 : 1) ? SVG_AXIS_Y : SVG_AXIS_X;
        bool good = angle     ? read_angle(at, end, value)
                    : factors ? read_factor(at, end, css, value)
                    : plain   ? read_number(at, end, css, value)
                              : read_length(at, end, dpi, axis, metrics, value);
        if (!good || (css && i == FUNCTION_ROTATE && count > 0))
            return 0;
        count++;
        *at = text_skip_space(*at, end);
        if (*at < end && **at == ')') {
            ++*at;
            return functions[i].counts >> count & 1 ? count : 0;
        }
        if (*at < end && **at == ',')
            ++*at;
    }
    return 0;
}

bool svg_transform_parse(text value, bool css, double dpi, const svg_metrics *metrics, pietra_transform *transform)
{
    text trimmed = text_trim(value);
    const char *at = trimmed.bytes, *end = at + trimmed.count;
    pietra_transform result = TRANSFORM_IDENTITY;
    if (text_equal(trimmed, TEXT("none")))
        at = end;
    while (at < end) {
        double values[MOST_ARGUMENTS];
        function_id id;
        int count = parse_function(&at, end, css, dpi, metrics, &id, values);
        if (count == 0)
            return false;
        result = transform_multiply(result, evaluate(id, values, count));
        at = text_skip_space(at, end);
        if (at < end && *at == ',')
            at = text_skip_space(at + 1, end);
    }
    *transform = result;
    return true;
}
