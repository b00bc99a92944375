/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Blurs against convolutions with a Gaussian in doubles, at all places of the pyramid's levels. */
#include "render/effect/effect_fixture.h"

#include <math.h>

#include "all_sizes.h"
#include "render/effect/prepare.h"
#include "render/effect/tables.h"
#include "render/reference/effect_reference.h"

#define SHAPES 4
#define REACH 8 /* deviations, beyond which the doubles take a Gaussian for 0 */

/* A row of texels: a step, a bar as wide as the deviation, a line, and stripes. */
static double shape_at(int shape, int x, double sigma)
{
    int width = sigma < 1 ? 1 : (int)sigma;
    switch (shape) {
    case 0:
        return x >= 0;
    case 1:
        return x >= 0 && x < 2 * width;
    case 2:
        return x == 0;
    default:
        return x >= 0 && x / width % 3 == 0;
    }
}

typedef struct profile {
    int from, end;
    double *values; /* one for each texel from `from` to end - 1 */
} profile;

static profile new_profile(int from, int end)
{
    profile made = {from, end, malloc((size_t)(end - from) * sizeof(double))};
    assert_non_null(made.values);
    return made;
}

/* Returns a blurred shape in doubles, from -reach to reach. */
static profile blurred_shape(int shape, double sigma, int reach)
{
    int radius = (int)(REACH * sigma) + 1;
    profile found = new_profile(-reach, reach), source = new_profile(-reach - radius, reach + radius);
    double *weights = malloc(((size_t)radius + 1) * sizeof *weights), sum = 1;

    assert_non_null(weights);
    weights[0] = 1;
    for (int t = 1; t <= radius; t++) {
        weights[t] = exp(-0.5 * t * t / (sigma * sigma));
        sum += 2 * weights[t];
    }
    for (int x = source.from; x < source.end; x++)
        source.values[x - source.from] = shape_at(shape, x, sigma);
    for (int x = found.from; x < found.end; x++) {
        const double *middle = &source.values[x - source.from];
        double value = middle[0] * weights[0];
        for (int t = 1; t <= radius; t++)
            value += weights[t] * (middle[-t] + middle[t]);
        found.values[x - found.from] = value / sum;
    }
    free(weights);
    free(source.values);
    return found;
}

/* Returns a row or column of the four shapes that starts at `from`, with 0 of the shapes at `place`. */
static effect_image shapes_along(bool vertical, int place, int from, int end, double sigma)
{
    effect_image image = new_image(vertical ? (effect_box){0, from, 1, end} : (effect_box){from, 0, end, 1});
    for (int i = from; i < end; i++)
        for (int shape = 0; shape < SHAPES; shape++)
            at(&image, vertical ? 0 : i, vertical ? i : 0)[shape] =
                (uint16_t)(EFFECT_ONE * shape_at(shape, i - place, sigma));
    return image;
}

static double srgb_of(double light)
{
    return light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1.0 / 2.4) - 0.055;
}

typedef struct worst {
    double plain, light, srgb; /* levels of 255 before they are rounded; and where they are linear and become sRGB */
} worst;

/* Compares one row or column, and returns the greatest differences. */
static void check_place(bool vertical, int place, double sigma, const profile *right, worst *worst)
{
    const effect_tables *tables = effect_color_tables();
    int reach = right[0].end, far = (int)(REACH * sigma) + 64;
    effect_image in = shapes_along(vertical, place, place - reach - far, place + reach + far, sigma);
    effect_box box =
        vertical ? (effect_box){0, place - reach, 1, place + reach} : (effect_box){place - reach, 0, place + reach, 1};
    effect_image out = new_image(box);
    effect_blur blur;

    assert_int_equal(effect_blur_of(vertical ? 0 : sigma, vertical ? sigma : 0, EFFECT_EDGE_NONE, &blur), EFFECT_RUNS);
    assert_true(effect_reference()->blur(NULL, &blur, box, &in, &out));
    for (int i = -reach; i < reach; i++)
        for (int shape = 0; shape < SHAPES; shape++) {
            double value = right[shape].values[i - right[shape].from];
            int found = at(&out, vertical ? 0 : place + i, vertical ? place + i : 0)[shape];
            double off = fabs(found / 128.0 - 255 * value);
            double off_srgb = fabs(tables->to_srgb[found] / 128.0 - 255 * srgb_of(value));
            if (labs(lround(found / 128.0) - lround(255 * value)) > 1)
                fail_msg("sigma %g, place %d, shape %d at %d: %g, not %g", sigma, place, shape, i, found / 128.0,
                         255 * value);
            worst->plain = fmax(worst->plain, off);
            worst->srgb = fmax(worst->srgb, off_srgb);
        }
    free_image(&in);
    free_image(&out);
}

/* By day a few of the places that a level has, at night each. */
static void check_sigma(double sigma, worst *worst)
{
    int period = 1 << (int)fmax(0, ceil(log2(sigma / 4))), step = all_sizes() || period < 4 ? 1 : period / 3;
    profile right[SHAPES];

    for (int shape = 0; shape < SHAPES; shape++)
        right[shape] = blurred_shape(shape, sigma, (int)(5 * sigma) + 4);
    for (int place = 0; place < period; place += step) {
        check_place(place % 2 == 1, place, sigma, right, worst);
        check_place(place % 2 == 0, -3 * place - 1, sigma, right, worst);
    }
    for (int shape = 0; shape < SHAPES; shape++)
        free(right[shape].values);
}

static void test_error(void **state)
{
    worst worst = {0};
    double factor = all_sizes() ? 1.01 : 1.11;

    (void)state;
    for (double sigma = 0.3; sigma <= 300; sigma *= factor)
        check_sigma(sigma, &worst);
    /* On both sides of where a halving more is made. */
    for (double sigma = 4; sigma <= (all_sizes() ? 256 : 32); sigma *= 2) {
        check_sigma(sigma, &worst);
        check_sigma(0.9999 * sigma, &worst);
    }
    print_message("worst: %.3f levels of 255, %.3f where they were linear\n", worst.plain, worst.srgb);
    assert_true(worst.plain < 0.35);
    assert_true(worst.srgb < 0.8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_error)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
