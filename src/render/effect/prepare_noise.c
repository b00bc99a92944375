/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The lattice, its gradients and its random numbers are those that W3C's "Filter Effects Module Level 1" (2018) gives,
 * section 9.21. The generator is that of S. K. Park and K. W. Miller, "Random number generators: good ones are hard to
 * find", 1988. */
#include "render/effect/prepare.h"

#include <math.h>

#include "layout/glue.h"
#include "render/effect/held.h"

#define RANDOM_MODULUS 2147483647
#define RANDOM_FACTOR 16807
#define STITCH_MOST 65535 /* cells, so that octaves of them fit 31 bits */

static int32_t next_random(int32_t *seed)
{
    *seed = (int32_t)((int64_t)RANDOM_FACTOR * *seed % RANDOM_MODULUS);
    return *seed;
}

/* Truncates the seed and brings it into 1 to RANDOM_MODULUS - 1. */
static int32_t first_seed(double seed)
{
    int64_t whole = (int64_t)trunc(held(seed, RANDOM_MODULUS));

    if (whole <= 0)
        whole = -(whole % (RANDOM_MODULUS - 1)) + 1;
    return (int32_t)(whole > RANDOM_MODULUS - 1 ? RANDOM_MODULUS - 1 : whole);
}

/* Writes the gradient of a channel, as a unit vector. */
static void make_gradient(int32_t *seed, uint *words)
{
    double x, y;

    do {
        x = (next_random(seed) % (2 * (int32_t)EFFECT_LATTICE) - (int32_t)EFFECT_LATTICE) / (double)EFFECT_LATTICE;
        y = (next_random(seed) % (2 * (int32_t)EFFECT_LATTICE) - (int32_t)EFFECT_LATTICE) / (double)EFFECT_LATTICE;
    } while (x == 0 && y == 0);
    double length = sqrt(x * x + y * y);
    words[0] = BITS_OF_FLOAT((float)(x / length));
    words[4] = BITS_OF_FLOAT((float)(y / length));
}

static void make_words(double first, uint *words)
{
    int32_t seed = first_seed(first);

    for (uint channel = 0; channel < 4; channel++)
        for (uint i = 0; i < EFFECT_LATTICE; i++)
            make_gradient(&seed, words + 2 * EFFECT_LATTICE + 8 * i + channel);
    for (uint i = 0; i < EFFECT_LATTICE; i++)
        words[i] = i;
    for (uint i = EFFECT_LATTICE - 1; i > 0; i--) {
        uint other = (uint)next_random(&seed) % EFFECT_LATTICE, held_back = words[i];
        words[i] = words[other];
        words[other] = held_back;
    }
    for (uint i = 0; i < EFFECT_LATTICE; i++)
        words[EFFECT_LATTICE + i] = words[i];
}

/* Writes a number of cells as 32.32 bits, rounded, modulo 2^32. */
static void write_place(double cells, uint *high, uint *low)
{
    double rest = isfinite(cells) ? fmod(cells, 0x1p32) : 0, whole = floor(rest);
    uint64_t fraction = (uint64_t)((rest - whole) * 0x1p32 + 0.5);

    *high = (uint)(int64_t)whole + (uint)(fraction >> 32);
    *low = (uint)fraction;
}

/* Changes the frequency along one axis so that a whole number of cells fits the subregion, and finds where stitched
 * noise begins anew. False: there are too many cells. */
static bool stitch(double from, double side, double *frequency, int *right, int *width)
{
    if (!(side > 0))
        return false;
    double low = floor(side * *frequency) / side, high = ceil(side * *frequency) / side;
    if (*frequency > 0)
        *frequency = low > 0 && *frequency / low < high / *frequency ? low : high;
    double cells = floor(side * *frequency + 0.5), end = floor(from * *frequency) + cells;
    if (!(fabs(end) <= STITCH_MOST && cells <= STITCH_MOST))
        return false;
    *width = (int)cells;
    *right = (int)end;
    return true;
}

effect_outcome effect_noise_of(const effect_turbulence *turbulence, effect_noise *noise, uint *words)
{
    double x = turbulence->frequency_x, y = turbulence->frequency_y;

    if (!(x >= 0 && y >= 0 && isfinite(x) && isfinite(y)))
        return EFFECT_TRANSPARENT;
    *noise = (effect_noise){.octaves = (uint)held(fmax(turbulence->octaves, 0), EFFECT_OCTAVES_MOST),
                            .fractal = turbulence->fractal};
    if (turbulence->stitches) {
        bool stitches_x = stitch(turbulence->left, turbulence->width, &x, &noise->stitch_right, &noise->stitch_width);
        bool stitches_y = stitch(turbulence->top, turbulence->height, &y, &noise->stitch_bottom, &noise->stitch_height);
        noise->stitches = stitches_x && stitches_y;
    }
    write_place(turbulence->origin_x * x, &noise->start_x_high, &noise->start_x_low);
    write_place(turbulence->origin_y * y, &noise->start_y_high, &noise->start_y_low);
    write_place(turbulence->texel_x * x, &noise->step_x_high, &noise->step_x_low);
    write_place(turbulence->texel_y * y, &noise->step_y_high, &noise->step_y_low);
    make_words(turbulence->seed, words);
    return EFFECT_RUNS;
}
