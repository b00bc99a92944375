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

/* A length, or a plain number, which has no unit. */
typedef struct term {
    svg_length length;
    bool plain;
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
    if (calc->at == calc->end || text_lower(*calc->at) == 'c' || !svg_length_scan(&calc->at, calc->end, calc->dpi, &result->length))
        return false;
    char last = calc->at > begin ? calc->at[-1] : 0;
    result->plain = (last >= '0' && last <= '9') || last == '.';
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
        if (!parse_value(calc, &other) || (divides && (!other.plain || other.length.number == 0)) || (!other.plain && !result->plain))
            return false;
        double product = divides ? result->length.number / other.length.number : result->length.number * other.length.number;
        if (result->plain)
            *result = other;
        result->length.number = product;
    }
}

static bool is_same_kind(const term *a, const term *b)
{
    return a->plain == b->plain && (a->plain || a->length.unit == b->length.unit);
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
        /* Nothing of another unit changes nothing. */
        bool nothing = !other.plain && !result->plain && other.length.number == 0;
        if (!nothing && !is_same_kind(result, &other)) {
            if (result->plain || other.plain || result->length.number != 0)
                return false;
            result->length.unit = other.length.unit;
        }
        if (!nothing)
            result->length.number += minus ? -other.length.number : other.length.number;
    }
}

bool svg_calc_scan(const char **at, const char *end, double dpi, svg_length *length, bool *plain)
{
    calc calc = { .at = *at, .end = end, .dpi = dpi };
    term result = { .plain = false };
    if (!at_function(&calc) || !parse_value(&calc, &result) || !isfinite(result.length.number))
        return false;
    *length = result.length;
    *plain = result.plain;
    *at = calc.at;
    return true;
}
