/* calc(), by precedence climbing with one function for each level. */
#include <math.h>

#include "base/number.h"
#include "svg/length.h"

#define DEEPEST_NEST 32u      /* of parentheses */

typedef struct calc {
    const char *at, *end;
    double dpi;
    unsigned depth;
} calc;

#define UNITS (SVG_UNIT_VMAX + 1)

/* A length, as a sum of all units, or a plain number, which has none. */
typedef struct term {
    double numbers[UNITS];    /* a plain one: the first */
    bool plain;
    svg_unit unit;            /* of the first length in it: what it is in when all is 0 */
} term;

static bool parse_sum(calc *calc, term *result);

/* Whether there was any. */
static bool skip_space(calc *calc)
{
    const char *begin = calc->at;
    while (calc->at < calc->end && text_is_space(*calc->at))
        calc->at++;
    return calc->at > begin;
}

static bool at_function(const calc *calc)
{
    return calc->end - calc->at > 5 && text_equal_ignoring_case((text){ calc->at, 5 }, TEXT("calc("));
}

static bool parse_value(calc *calc, term *result)
{
    bool function = at_function(calc);
    skip_space(calc);
    function = function || at_function(calc);
    if (calc->at < calc->end && (function || *calc->at == '(')) {
        calc->at += function ? 5 : 1;
        if (++calc->depth > DEEPEST_NEST || !parse_sum(calc, result))
            return false;
        calc->depth--;
        skip_space(calc);
        return calc->at < calc->end && *calc->at++ == ')';
    }
    const char *begin = calc->at;
    svg_length length;
    if (calc->at == calc->end || text_lower(*calc->at) == 'c' || !svg_length_scan(&calc->at, calc->end, calc->dpi, &length))
        return false;
    char last = calc->at > begin ? calc->at[-1] : 0;
    *result = (term){ .plain = (last >= '0' && last <= '9') || last == '.', .unit = length.unit };
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
        if (!parse_value(calc, &other) || (divides && (!other.plain || other.numbers[0] == 0)) || (!other.plain && !result->plain))
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

/* False: of more than two units, or too large. */
static bool make_length(const term *term, svg_length *length)
{
    svg_length parts[2] = { { 0, term->unit } };
    int count = 0;
    for (int i = 0; i < UNITS; i++) {
        if (!isfinite(term->numbers[i]) || (term->numbers[i] != 0 && count == 2))
            return false;
        if (term->numbers[i] != 0)
            parts[count++] = (svg_length){ term->numbers[i], (svg_unit)i };
    }
    *length = count == 2 ? svg_length_sum(parts[0], parts[1]) : parts[0];
    return true;
}

bool svg_calc_scan(const char **at, const char *end, double dpi, svg_length *length, bool *plain)
{
    calc calc = { .at = *at, .end = end, .dpi = dpi };
    term result = { .plain = false };
    if (!at_function(&calc) || !parse_value(&calc, &result) || !make_length(&result, length))
        return false;
    *plain = result.plain;
    *at = calc.at;
    return true;
}
