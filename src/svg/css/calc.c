/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Reads calc(), min(), max() and clamp() by precedence climbing, with one function for each level. */
#include <math.h>

#include "base/number.h"
#include "svg/css/length.h"

#define DEEPEST_NEST 32u /* how deep parentheses may nest */

typedef struct calc {
    const char *at, *end;
    double dpi;
    unsigned depth;
    const svg_metrics *metrics; /* NULL: the sizes of units are not known yet */
    svg_axis axis;
} calc;

#define LENGTH_UNITS (SVG_UNIT_VMAX + 1)
#define DEGREES LENGTH_UNITS
#define UNITS (LENGTH_UNITS + 1)

/* A plain number, or a length or angle as a sum over all units. */
typedef struct term {
    double numbers[UNITS]; /* one for each unit; a plain number stands in the first */
    bool plain;
    unsigned unit; /* the unit of the term's first part, which a sum that is 0 has */
} term;

typedef enum function { FUNCTION_CALC, FUNCTION_MIN, FUNCTION_MAX, FUNCTION_CLAMP, FUNCTION_NONE } function;

static const text functions[] = {TEXT_LITERAL("calc("), TEXT_LITERAL("min("), TEXT_LITERAL("max("),
                                 TEXT_LITERAL("clamp(")};

static bool parse_sum(calc *calc, term *result);

/* Returns whether there was any space. */
static bool skip_space(calc *calc)
{
    const char *begin = calc->at;
    calc->at = text_skip_space(begin, calc->end);
    return calc->at > begin;
}

static function find_function(const calc *calc)
{
    unsigned i = FUNCTION_CALC;
    while (i < FUNCTION_NONE && !((size_t)(calc->end - calc->at) > functions[i].count &&
                                  text_equal_ignoring_case((text){calc->at, functions[i].count}, functions[i])))
        i++;
    return (function)i;
}

/* Takes the sign, and blanks before it. */
static bool take(calc *calc, char sign)
{
    skip_space(calc);
    if (calc->at == calc->end || *calc->at != sign)
        return false;
    calc->at++;
    return true;
}

/* Sets *result to the larger or the smaller of two terms. False: they have different units, and which of them is larger
 * depends on the sizes of these. */
static bool choose(term *result, const term *other, bool larger)
{
    double ours = 0, theirs = 0;
    int units = 0;
    for (int i = 0; i < UNITS; i++) {
        if (result->numbers[i] == 0 && other->numbers[i] == 0)
            continue;
        ours = result->numbers[i];
        theirs = other->numbers[i];
        units++;
    }
    if (units > 1 || result->plain != other->plain || (result->unit == DEGREES) != (other->unit == DEGREES))
        return false;
    if (larger ? theirs > ours : theirs < ours)
        *result = *other;
    return true;
}

static bool parse_clamp(calc *calc, term *result)
{
    term low, high;
    return parse_sum(calc, &low) && take(calc, ',') && parse_sum(calc, result) && take(calc, ',') &&
           parse_sum(calc, &high) && choose(result, &high, false) && choose(result, &low, true);
}

static bool parse_arguments(calc *calc, function function, term *result)
{
    if (function == FUNCTION_CLAMP)
        return parse_clamp(calc, result);
    if (!parse_sum(calc, result))
        return false;
    while (function != FUNCTION_CALC && take(calc, ',')) {
        term other;
        if (!parse_sum(calc, &other) || !choose(result, &other, function == FUNCTION_MAX))
            return false;
    }
    return true;
}

static bool scan_angle(calc *calc, term *result)
{
    const char *at = calc->at, *unit;
    double number;
    if (!number_scan(&at, calc->end, &number))
        return false;
    for (unit = at; at < calc->end && text_lower(*at) >= 'a' && text_lower(*at) <= 'z';)
        at++;
    double degrees = svg_angle_unit(text_from(unit, at));
    if (degrees == 0)
        return false;
    *result = (term){.unit = DEGREES};
    result->numbers[DEGREES] = number * degrees;
    calc->at = at;
    return true;
}

static bool parse_value(calc *calc, term *result)
{
    skip_space(calc);
    function function = find_function(calc);
    if (calc->at < calc->end && (function != FUNCTION_NONE || *calc->at == '(')) {
        calc->at += function == FUNCTION_NONE ? 1 : functions[function].count;
        if (++calc->depth > DEEPEST_NEST ||
            !parse_arguments(calc, function == FUNCTION_NONE ? FUNCTION_CALC : function, result))
            return false;
        calc->depth--;
        return take(calc, ')');
    }
    if (scan_angle(calc, result))
        return true;
    const char *begin = calc->at;
    svg_length length;
    if (calc->at == calc->end || svg_length_begins_function(*calc->at) ||
        !svg_length_scan(&calc->at, calc->end, calc->dpi, &length))
        return false;
    char last = calc->at > begin ? calc->at[-1] : 0;
    *result = (term){.plain = (last >= '0' && last <= '9') || last == '.', .unit = length.unit};
    if (calc->metrics && !result->plain) {
        length = (svg_length){svg_length_resolve(length, calc->axis, calc->metrics), SVG_UNIT_PX};
        result->unit = SVG_UNIT_PX;
    }
    result->numbers[length.unit] = length.number;
    return true;
}

static bool parse_product(calc *calc, term *result)
{
    if (!parse_value(calc, result))
        return false;
    for (;;) {
        const char *before = calc->at;
        skip_space(calc);
        if (calc->at == calc->end || (*calc->at != '*' && *calc->at != '/')) {
            calc->at = before;
            return true;
        }
        bool divides = *calc->at++ == '/';
        term other;
        skip_space(calc);
        if (!parse_value(calc, &other) || (divides && (!other.plain || other.numbers[0] == 0)) ||
            (!other.plain && !result->plain))
            return false;
        double factor = other.plain ? other.numbers[0] : result->numbers[0];
        if (!other.plain)
            *result = other;
        for (int i = 0; i < UNITS; i++)
            result->numbers[i] = divides ? result->numbers[i] / factor : result->numbers[i] * factor;
    }
}

static bool parse_sum(calc *calc, term *result)
{
    skip_space(calc);
    if (!parse_product(calc, result))
        return false;
    for (;;) {
        const char *before = calc->at;
        bool blank = skip_space(calc);
        if (calc->at == calc->end || (*calc->at != '+' && *calc->at != '-')) {
            calc->at = before;
            return true;
        }
        bool minus = *calc->at++ == '-';
        term other;
        if (!blank || !skip_space(calc) || !parse_product(calc, &other))
            return false;
        if (result->plain != other.plain)
            return false;
        for (int i = 0; i < UNITS; i++)
            result->numbers[i] += minus ? -other.numbers[i] : other.numbers[i];
    }
}

/* Returns false if the term has more than two units, is an angle, or is too large. */
static bool make_length(const term *term, svg_length *length)
{
    svg_length parts[2] = {{0, (svg_unit)term->unit}};
    int count = 0;
    if (term->unit == DEGREES || term->numbers[DEGREES] != 0)
        return false;
    for (int i = 0; i < LENGTH_UNITS; i++) {
        if (!isfinite(term->numbers[i]) || (term->numbers[i] != 0 && count == 2))
            return false;
        if (term->numbers[i] != 0)
            parts[count++] = (svg_length){term->numbers[i], (svg_unit)i};
    }
    *length = count == 2 ? svg_length_sum(parts[0], parts[1]) : parts[0];
    return true;
}

bool svg_calc_scan_value(const char **at, const char *end, double *value, svg_calc_kind *kind)
{
    calc calc = {.at = *at, .end = end, .dpi = 96};
    term result = {.plain = false};
    if (find_function(&calc) == FUNCTION_NONE || !parse_value(&calc, &result))
        return false;
    unsigned unit = result.plain ? 0 : result.unit;
    for (unsigned i = 0; i < UNITS; i++)
        if (i != unit && result.numbers[i] != 0)
            return false;
    if ((!result.plain && unit != DEGREES && unit != SVG_UNIT_PERCENT) || !isfinite(result.numbers[unit]))
        return false;
    *kind = result.plain ? SVG_CALC_NUMBER : unit == DEGREES ? SVG_CALC_ANGLE : SVG_CALC_PERCENT;
    *value = result.numbers[unit];
    *at = calc.at;
    return true;
}

/* Reads a number, or a length with at most two units, and moves *at behind it. */
static bool scan(calc calc, const char **at, svg_length *length, bool *plain)
{
    term result = {.plain = false};
    if (find_function(&calc) == FUNCTION_NONE || !parse_value(&calc, &result) || !make_length(&result, length))
        return false;
    *plain = result.plain;
    *at = calc.at;
    return true;
}

bool svg_calc_scan(const char **at, const char *end, double dpi, svg_length *length, bool *plain)
{
    return scan((calc){.at = *at, .end = end, .dpi = dpi}, at, length, plain);
}

bool svg_calc_resolve(const char **at, const char *end, double dpi, svg_axis axis, const svg_metrics *metrics,
                      double *pixels)
{
    svg_length length;
    bool plain;
    if (!scan((calc){.at = *at, .end = end, .dpi = dpi, .metrics = metrics, .axis = axis}, at, &length, &plain))
        return false;
    *pixels = length.number;
    return true;
}
