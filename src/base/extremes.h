/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The lesser and the greater of two numbers, where many are compared: fmin and fmax heed NaN, and are calls. */
#ifndef PIETRA_BASE_EXTREMES_H
#define PIETRA_BASE_EXTREMES_H

static inline double lesser(double a, double b)
{
    return a < b ? a : b;
}

static inline double greater(double a, double b)
{
    return a > b ? a : b;
}

#endif
