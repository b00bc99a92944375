/* Decimal numbers to doubles: correctly rounded (to nearest, ties to even), whatever the locale.
 *
 * Numbers in drawings have few digits, so nearly all take the first of four ways; each is exact where it is taken:
 *   1. up to 2^53 and a power of ten up to 10^22, both exact doubles: one multiplication or division rounds once
 *      (W. D. Clinger, How to read floating point numbers accurately, 1990);
 *   2. up to 19 digits and a power of ten up to 10^19: one division of integers of 128 bits;
 *   3. more digits: the first 19, and the same plus one unit, give the same double;
 *   4. long division of big integers. */
#ifndef PIETRA_BASE_NUMBER_H
#define PIETRA_BASE_NUMBER_H

#include <stdbool.h>

/* Reads [+-]? (digits [. digits?] | . digits) ([eE] [+-]? digits)? at *at, before end. An `e` that no digits follow is not part of
 * the number (1em). True: *at stands behind it; *value may be infinite when it is past the range of doubles. False: there is no
 * number at *at, nothing is written. */
bool number_parse(const char **at, const char *end, double *value);

#endif
