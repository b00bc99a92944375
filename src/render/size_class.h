/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Classes of sizes. What is known of all frames of a class is known of each of them, and for at most a fifth too much
 * along either axis. */
#ifndef PIETRA_RENDER_SIZE_CLASS_H
#define PIETRA_RENDER_SIZE_CLASS_H

#include <math.h>

/* Returns the least quarter power of two (2^(k/4)) that is larger than a number which is not below 0; 0 for 0. */
static inline double size_class_above(double x)
{
    static const double quarters[3] = {0.5946035575013605, 0.7071067811865476, 0.8408964152537145};
    int exponent;
    const double mantissa = frexp(x, &exponent);
    for (int i = 0; i < 3; i++)
        if (mantissa < quarters[i])
            return x == 0 ? 0 : ldexp(quarters[i], exponent);
    return ldexp(1, exponent);
}

#endif
