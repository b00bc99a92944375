/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/effect/prepare.h"

#include <math.h>

#include "render/effect/held.h"

/* Returns whether x is a whole number from `least` to `most`. */
static bool is_whole(double x, double least, double most)
{
    return x >= least && x <= most && x == floor(x);
}

/* Copies the numbers in reverse order, which turns the kernel, and sums them. False: one is not finite. */
static bool turn_kernel(const effect_kernel *kernel, float *turned, double *sum)
{
    *sum = 0;
    for (size_t i = 0; i < kernel->count; i++) {
        if (!isfinite(kernel->numbers[i]))
            return false;
        *sum += kernel->numbers[i];
        turned[kernel->count - 1 - i] = held_number(kernel->numbers[i]);
    }
    return true;
}

effect_outcome effect_convolution_of(const effect_kernel *kernel, effect_convolution *convolution, float *turned)
{
    double count = (double)kernel->count, columns = kernel->columns, rows = kernel->rows, divisor;
    double target_x = kernel->target_x ? *kernel->target_x : floor(0.5 * columns);
    double target_y = kernel->target_y ? *kernel->target_y : floor(0.5 * rows);

    if (!is_whole(columns, 1, count) || !is_whole(rows, 1, count) || columns * rows != count ||
        !is_whole(target_x, 0, columns - 1) || !is_whole(target_y, 0, rows - 1) ||
        !turn_kernel(kernel, turned, &divisor))
        return EFFECT_TRANSPARENT;
    if (divisor == 0)
        divisor = 1;
    if (kernel->divisor)
        divisor = *kernel->divisor;
    if (divisor == 0 || !isfinite(divisor) || !isfinite(kernel->bias))
        return EFFECT_TRANSPARENT;
    *convolution = (effect_convolution){.columns = (int)columns,
                                        .rows = (int)rows,
                                        .left = (int)target_x,
                                        .top = (int)target_y,
                                        .scale = held_number(1 / divisor),
                                        .bias = held_number(kernel->bias),
                                        .edge = kernel->edge,
                                        .preserves_alpha = kernel->preserves_alpha};
    return EFFECT_RUNS;
}
