/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Converts decimal numbers to doubles, correctly rounded (to nearest, ties to even), in every locale.
 *
 * Each of four ways is exact for the numbers that take it. Numbers in drawings have few digits, so nearly all take the
 * first:
 *   1. mantissas up to 2^53 and powers of ten up to 10^22 are exact doubles: one multiplication or division rounds once
 *      (W. D. Clinger, How to read floating point numbers accurately, 1990);
 *   2. mantissas up to 19 digits and powers of ten up to 10^19: one division of 128-bit integers;
 *   3. more digits: the first 19, and the same plus one unit, give the same double;
 *   4. long division of big integers. */
#ifndef PIETRA_BASE_NUMBER_H
#define PIETRA_BASE_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/* Reads [+-]? (digits [. digits?] | . digits) ([eE] [+-]? digits)? at *at, before end. An `e` without digits after it
 * does not belong to the number (1em). True: *at is moved behind the number; *value is infinite if the number exceeds
 * the range of doubles. False: there is no number at *at, and nothing is written. */
bool number_parse(const char **at, const char *end, double *value);

#define NUMBER_EXACT_POWERS 22 /* exponent of the largest power of ten that is a double */
extern const double number_exact_powers[NUMBER_EXACT_POWERS + 1];

/* Does the same as number_parse, with the first way inline, for lists of millions of numbers. */
static inline bool number_scan(const char **at, const char *end, double *value)
{
    const char *c = *at;
    bool negative = c < end && *c == '-';
    if (c < end && (*c == '-' || *c == '+'))
        c++;
    const char *begin = c, *fraction;
    uint64_t mantissa = 0;
    for (; c < end && (unsigned)*c - '0' <= 9; c++)
        mantissa = mantissa * 10 + ((unsigned)*c - '0');
    if (c < end && *c == '.') {
        fraction = ++c;
        for (; c < end && (unsigned)*c - '0' <= 9; c++)
            mantissa = mantissa * 10 + ((unsigned)*c - '0');
    } else {
        fraction = c;
    }
    /* 15 characters are less than 2^53. */
    if (c - begin > 15 || c == begin || (c - begin == 1 && *begin == '.') || (c < end && (*c == 'e' || *c == 'E')))
        return number_parse(at, end, value);
    double magnitude = (double)mantissa / number_exact_powers[c - fraction];
    *value = negative ? -magnitude : magnitude;
    *at = c;
    return true;
}

#endif
