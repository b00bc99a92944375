/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* feTurbulence, as the reference has it, against the specification in doubles. */
#include "render/effect/effect_fixture.h"

#include <math.h>

#include "render/effect/prepare.h"
#include "render/reference/effect_reference.h"

#define LATTICE 256
#define FAR 4096 /* the specification adds it to places, so that they are not negative */

typedef struct lattice {
    int selector[2 * LATTICE + 2];
    double gradient[4][2 * LATTICE + 2][2];
} lattice;

static long next_number(long *seed)
{
    *seed = 16807 * (*seed % 127773) - 2836 * (*seed / 127773);
    *seed += *seed <= 0 ? 2147483647 : 0;
    return *seed;
}

static void make_lattice(lattice *made, long seed)
{
    if (seed <= 0)
        seed = -(seed % 2147483646) + 1;
    if (seed > 2147483646)
        seed = 2147483646;
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < LATTICE; i++) {
            double *g = made->gradient[k][i];
            made->selector[i] = i;
            for (int j = 0; j < 2; j++)
                g[j] = (double)(next_number(&seed) % (2 * LATTICE) - LATTICE) / LATTICE;
            double length = sqrt(g[0] * g[0] + g[1] * g[1]);
            g[0] /= length;
            g[1] /= length;
        }
    for (int i = LATTICE - 1; i > 0; i--) {
        int k = made->selector[i], j = (int)(next_number(&seed) % LATTICE);
        made->selector[i] = made->selector[j];
        made->selector[j] = k;
    }
    for (int i = 0; i < LATTICE + 2; i++) {
        made->selector[LATTICE + i] = made->selector[i];
        for (int k = 0; k < 4; k++)
            for (int j = 0; j < 2; j++)
                made->gradient[k][LATTICE + i][j] = made->gradient[k][i][j];
    }
}

/* Where stitched noise begins anew, FAR included. */
typedef struct stitching {
    int width, height, wrap_x, wrap_y;
} stitching;

static double ease(double t)
{
    return t * t * (3 - 2 * t);
}

static double mix(double t, double a, double b)
{
    return a + t * (b - a);
}

static double noise_at(const lattice *from, int channel, double x, double y, const stitching *stitch)
{
    double tx = x + FAR, ty = y + FAR;
    int bx0 = (int)tx, bx1 = bx0 + 1, by0 = (int)ty, by1 = by0 + 1;
    double rx0 = tx - (int)tx, rx1 = rx0 - 1, ry0 = ty - (int)ty, ry1 = ry0 - 1;
    if (stitch) {
        bx0 -= bx0 >= stitch->wrap_x ? stitch->width : 0;
        bx1 -= bx1 >= stitch->wrap_x ? stitch->width : 0;
        by0 -= by0 >= stitch->wrap_y ? stitch->height : 0;
        by1 -= by1 >= stitch->wrap_y ? stitch->height : 0;
    }
    bx0 &= LATTICE - 1, bx1 &= LATTICE - 1, by0 &= LATTICE - 1, by1 &= LATTICE - 1;
    int i = from->selector[bx0], j = from->selector[bx1];
    const double *g00 = from->gradient[channel][from->selector[i + by0]];
    const double *g10 = from->gradient[channel][from->selector[j + by0]];
    const double *g01 = from->gradient[channel][from->selector[i + by1]];
    const double *g11 = from->gradient[channel][from->selector[j + by1]];
    double a = mix(ease(rx0), rx0 * g00[0] + ry0 * g00[1], rx1 * g10[0] + ry0 * g10[1]);
    double b = mix(ease(rx0), rx0 * g01[0] + ry1 * g01[1], rx1 * g11[0] + ry1 * g11[1]);
    return mix(ease(ry0), a, b);
}

static double stitched_frequency(double frequency, double side)
{
    double low = floor(side * frequency) / side, high = ceil(side * frequency) / side;
    return frequency == 0 ? 0 : frequency / low < high / frequency ? low : high;
}

static double turbulence_at(const lattice *from, const effect_turbulence *given, int channel, double x, double y)
{
    double fx = given->frequency_x, fy = given->frequency_y, sum = 0, ratio = 1;
    stitching stitch;
    if (given->stitches) {
        fx = stitched_frequency(fx, given->width);
        fy = stitched_frequency(fy, given->height);
        stitch.width = (int)(given->width * fx + 0.5);
        stitch.height = (int)(given->height * fy + 0.5);
        stitch.wrap_x = (int)(given->left * fx + FAR + stitch.width);
        stitch.wrap_y = (int)(given->top * fy + FAR + stitch.height);
    }
    double place_x = x * fx, place_y = y * fy;
    for (int octave = 0; octave < (int)given->octaves; octave++, ratio *= 2) {
        double noise = noise_at(from, channel, place_x, place_y, given->stitches ? &stitch : NULL);
        sum += (given->fractal ? noise : fabs(noise)) / ratio;
        place_x *= 2;
        place_y *= 2;
        if (given->stitches) {
            stitch.width *= 2;
            stitch.wrap_x = 2 * stitch.wrap_x - FAR;
            stitch.height *= 2;
            stitch.wrap_y = 2 * stitch.wrap_y - FAR;
        }
    }
    sum = given->fractal ? (sum + 1) / 2 : sum;
    return sum < 0 ? 0 : sum > 1 ? 1 : sum;
}

static void check_turbulence(const effect_turbulence *given, effect_box box)
{
    static lattice from;
    effect_image out = new_image(box);
    uint words[EFFECT_NOISE_WORDS];
    effect_noise noise;

    make_lattice(&from, (long)given->seed);
    assert_int_equal(effect_noise_of(given, &noise, words), EFFECT_RUNS);
    effect_reference()->noise(NULL, &noise, words, &out);
    assert_premultiplied(&out, "noise");
    for (int y = box.top; y < box.bottom; y++)
        for (int x = box.left; x < box.right; x++) {
            double user_x = given->origin_x + x * given->texel_x, user_y = given->origin_y + y * given->texel_y;
            double alpha = turbulence_at(&from, given, 3, user_x, user_y);
            for (int i = 0; i < 4; i++) {
                double right = i == 3 ? alpha : alpha * turbulence_at(&from, given, i, user_x, user_y);
                if (fabs(at(&out, x, y)[i] - EFFECT_ONE * right) > 1.2)
                    fail_msg("channel %d at %d, %d is %d, not %g", i, x, y, at(&out, x, y)[i], EFFECT_ONE * right);
            }
        }
    free_image(&out);
}

static void test_noise(void **state)
{
    effect_turbulence cases[] = {
        {.frequency_x = 0.05, .frequency_y = 0.05, .octaves = 1, .texel_x = 1, .texel_y = 1},
        {.frequency_x = 0.013, .frequency_y = 0.21, .octaves = 4, .seed = 20, .texel_x = 0.5, .texel_y = 0.5},
        {.frequency_x = 0.05, .octaves = 3, .seed = -20, .texel_x = 1, .texel_y = 1},
        {.frequency_x = 0.31,
         .frequency_y = 0.17,
         .octaves = 8,
         .seed = 12345678,
         .texel_x = 0.37,
         .texel_y = 2.9,
         .origin_x = -17.3,
         .origin_y = 1000.7},
        {.frequency_x = 1.7,
         .frequency_y = 0.9,
         .octaves = 2,
         .seed = 2.9,
         .texel_x = 0.0625,
         .texel_y = 0.0625,
         .origin_x = -500},
    };
    effect_box box = {-23, -19, 41, 37};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (uint32_t kind = 0; kind < 4; kind++) {
            effect_turbulence given = cases[i];
            given.fractal = kind & 1;
            given.stitches = kind >> 1;
            given.left = -10.5;
            given.top = 3;
            given.width = 61;
            given.height = 40.25;
            check_turbulence(&given, box);
        }
}

/* Noise that is stitched has the same texels on both edges of its subregion. */
static void test_stitching(void **state)
{
    effect_turbulence given = {.frequency_x = 0.047,
                               .frequency_y = 0.081,
                               .octaves = 3,
                               .stitches = true,
                               .fractal = true,
                               .left = 10,
                               .top = 20,
                               .width = 100,
                               .height = 60,
                               .texel_x = 1,
                               .texel_y = 1};
    effect_image left = new_image((effect_box){10, 20, 11, 80}), right = new_image((effect_box){110, 20, 111, 80});
    uint words[EFFECT_NOISE_WORDS];
    effect_noise noise;

    (void)state;
    assert_int_equal(effect_noise_of(&given, &noise, words), EFFECT_RUNS);
    effect_reference()->noise(NULL, &noise, words, &left);
    effect_reference()->noise(NULL, &noise, words, &right);
    for (int y = 20; y < 80; y++)
        for (int i = 0; i < 4; i++)
            assert_true(abs(at(&left, 10, y)[i] - at(&right, 110, y)[i]) <= 1);
    free_image(&left);
    free_image(&right);
}

static void test_preparation(void **state)
{
    static const double bad[] = {-0.001, NAN, INFINITY, -INFINITY};
    effect_image out = new_image((effect_box){-3, -3, 4, 4});
    uint words[EFFECT_NOISE_WORDS];
    effect_noise noise;

    (void)state;
    for (int i = 0; i < 4; i++) {
        effect_turbulence given = {.frequency_x = bad[i], .octaves = 1, .texel_x = 1, .texel_y = 1};
        assert_int_equal(effect_noise_of(&given, &noise, words), EFFECT_TRANSPARENT);
        given.frequency_y = given.frequency_x;
        given.frequency_x = 0;
        assert_int_equal(effect_noise_of(&given, &noise, words), EFFECT_TRANSPARENT);
    }
    /* No octaves: transparent, or half of everything. */
    effect_turbulence given = {.frequency_x = 1, .frequency_y = 1, .octaves = -3, .texel_x = 1, .texel_y = 1};
    assert_int_equal(effect_noise_of(&given, &noise, words), EFFECT_RUNS);
    effect_reference()->noise(NULL, &noise, words, &out);
    assert_int_equal(at(&out, 0, 0)[3], 0);
    noise.fractal = 1;
    effect_reference()->noise(NULL, &noise, words, &out);
    assert_int_equal(at(&out, 0, 0)[3], EFFECT_ONE / 2);
    assert_int_equal(at(&out, 0, 0)[0], EFFECT_ONE / 4);
    /* What no texel can show is held. */
    given = (effect_turbulence){.frequency_x = 1e300,
                                .frequency_y = 1e9,
                                .octaves = 1e9,
                                .seed = -1e300,
                                .stitches = true,
                                .left = -1e300,
                                .top = NAN,
                                .width = INFINITY,
                                .height = 1e-300,
                                .origin_x = 1e300,
                                .origin_y = NAN,
                                .texel_x = INFINITY,
                                .texel_y = 1e9};
    assert_int_equal(effect_noise_of(&given, &noise, words), EFFECT_RUNS);
    assert_int_equal(noise.octaves, EFFECT_OCTAVES_MOST);
    assert_int_equal(noise.stitches, 0);
    effect_reference()->noise(NULL, &noise, words, &out);
    assert_premultiplied(&out, "huge numbers");
    free_image(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_noise), cmocka_unit_test(test_stitching),
                                       cmocka_unit_test(test_preparation)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
