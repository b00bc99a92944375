/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* feConvolveMatrix and feMorphology, as the reference has them, against the specification by brute force. */
#include "render/effect/effect_fixture.h"

#include <math.h>

#include "render/effect/prepare.h"
#include "render/reference/effect_reference.h"

static const effect_box BOX = {-9, -6, 21, 17};

/* Returns the channel of a texel, from 0 to 1, that an edge mode reads. */
static double channel_at(const effect_image *image, effect_box region, uint32_t edge, int x, int y, int channel)
{
    int width = region.right - region.left, height = region.bottom - region.top;
    if (edge == EFFECT_EDGE_DUPLICATE) {
        x = x < region.left ? region.left : x >= region.right ? region.right - 1 : x;
        y = y < region.top ? region.top : y >= region.bottom ? region.bottom - 1 : y;
    } else if (edge == EFFECT_EDGE_WRAP) {
        x = region.left + ((x - region.left) % width + width) % width;
        y = region.top + ((y - region.top) % height + height) % height;
    }
    bool held = x >= image->box.left && x < image->box.right && y >= image->box.top && y < image->box.bottom;
    return held ? (double)at(image, x, y)[channel] / EFFECT_ONE : 0;
}

/* Returns one channel of the result, as the specification has it: the kernel is turned by 180 degrees. */
static double convolved_channel(const effect_kernel *kernel, effect_box region, const effect_image *in, int x, int y,
                                int channel)
{
    int columns = (int)kernel->columns, rows = (int)kernel->rows;
    int target_x = kernel->target_x ? (int)*kernel->target_x : columns / 2;
    int target_y = kernel->target_y ? (int)*kernel->target_y : rows / 2;
    double sum = 0, divisor = 0, alpha = channel_at(in, region, kernel->edge, x, y, 3);
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) {
            int from_x = x - target_x + j, from_y = y - target_y + i;
            double number = kernel->numbers[(rows - i - 1) * columns + columns - j - 1];
            double value = channel_at(in, region, kernel->edge, from_x, from_y, channel);
            double its_alpha = channel_at(in, region, kernel->edge, from_x, from_y, 3);
            sum += number * (!kernel->preserves_alpha ? value : its_alpha > 0 ? value / its_alpha : 0);
            divisor += number;
        }
    divisor = kernel->divisor ? *kernel->divisor : divisor == 0 ? 1 : divisor;
    if (kernel->preserves_alpha)
        return channel == 3 ? alpha : fmin(fmax(sum / divisor + kernel->bias, 0), 1) * alpha;
    return fmin(fmax(sum / divisor + kernel->bias * alpha, 0), 1);
}

static void check_kernel(const effect_kernel *kernel, effect_box region, const effect_image *in)
{
    effect_image out = new_image(BOX);
    effect_convolution convolution;
    float turned[64];

    assert_int_equal(effect_convolution_of(kernel, &convolution, turned), EFFECT_RUNS);
    assert_true(effect_reference()->convolve(NULL, &convolution, turned, region, in, &out));
    assert_premultiplied(&out, "convolution");
    for (int y = BOX.top; y < BOX.bottom; y++)
        for (int x = BOX.left; x < BOX.right; x++) {
            double alpha = convolved_channel(kernel, region, in, x, y, 3);
            for (int i = 0; i < 4; i++) {
                double right = fmin(convolved_channel(kernel, region, in, x, y, i), alpha);
                if (fabs(at(&out, x, y)[i] - EFFECT_ONE * right) > 0.6)
                    fail_msg("channel %d at %d, %d is %d, not %g", i, x, y, at(&out, x, y)[i], EFFECT_ONE * right);
            }
        }
    free_image(&out);
}

static void test_convolution(void **state)
{
    static const double sharp[] = {0, -1, 0, -1, 5, -1, 0, -1, 0}, odd[] = {1, 2, -3, 4, 0.5, 0, 0.25, 1, -2, 7};
    static const double flat[] = {1, -1, 2, -2}, zero = 0, one = 1, four = 4, divisor = -3.5;
    const effect_kernel kernels[] = {
        {.columns = 3, .rows = 3, .numbers = sharp, .count = 9},
        {.columns = 3, .rows = 3, .numbers = sharp, .count = 9, .preserves_alpha = true, .bias = 0.1},
        {.columns = 5, .rows = 2, .numbers = odd, .count = 10, .target_x = &four, .target_y = &zero},
        {.columns = 2, .rows = 5, .numbers = odd, .count = 10, .divisor = &divisor, .bias = 0.4},
        {.columns = 1, .rows = 10, .numbers = odd, .count = 10, .preserves_alpha = true},
        {.columns = 4, .rows = 1, .numbers = flat, .count = 4, .target_x = &one},
    };
    effect_image in = random_image(effect_box_grow(BOX, -2, 3), 5);
    effect_box regions[] = {BOX, effect_box_grow(BOX, -4, -5), effect_box_grow(BOX, 7, 6), {3, 3, 4, 4}};

    (void)state;
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++)
        for (uint32_t edge = EFFECT_EDGE_NONE; edge <= EFFECT_EDGE_WRAP; edge++)
            for (size_t k = 0; k < sizeof regions / sizeof regions[0]; k++) {
                effect_kernel kernel = kernels[i];
                kernel.edge = edge;
                check_kernel(&kernel, regions[k], &in);
            }
    free_image(&in);
}

/* A kernel of one 1 moves texels and changes no bit. */
static void test_convolution_identity(void **state)
{
    double numbers[15] = {[7] = 1};
    effect_kernel kernel = {.columns = 5, .rows = 3, .numbers = numbers, .count = 15};
    effect_image in = random_image(BOX, 6), out = new_image(BOX);
    effect_convolution convolution;
    float turned[15];

    (void)state;
    for (int preserves = 0; preserves < 2; preserves++) {
        kernel.preserves_alpha = preserves;
        assert_int_equal(effect_convolution_of(&kernel, &convolution, turned), EFFECT_RUNS);
        assert_true(effect_reference()->convolve(NULL, &convolution, turned, BOX, &in, &out));
        assert_same_texels(&out, &in, BOX, "identity");
    }
    effect_box demand = effect_demand_of_convolution(&convolution, BOX, (effect_box){0, 0, 1, 1});
    assert_true(demand.left == -2 && demand.right == 3 && demand.top == -1 && demand.bottom == 2);
    convolution.edge = EFFECT_EDGE_WRAP;
    demand = effect_demand_of_convolution(&convolution, BOX, (effect_box){0, 0, 1, 1});
    assert_memory_equal(&demand, &BOX, sizeof demand);
    free_image(&in);
    free_image(&out);
}

static void test_bad_kernels(void **state)
{
    static const double nine[9] = {1, 1, 1, 1, 1, 1, 1, 1, 1}, bad[9] = {1, 1, NAN, 1}, three = 3, half = 0.5, zero = 0,
                        infinite = INFINITY, below = -1;
    const effect_kernel kernels[] = {
        {.columns = 0, .rows = 3, .numbers = nine, .count = 0},
        {.columns = -3, .rows = -3, .numbers = nine, .count = 9},
        {.columns = 1.5, .rows = 6, .numbers = nine, .count = 9},
        {.columns = 3, .rows = 2, .numbers = nine, .count = 9},
        {.columns = NAN, .rows = 3, .numbers = nine, .count = 9},
        {.columns = 1e300, .rows = 1e-300, .numbers = nine, .count = 1},
        {.columns = 3, .rows = 3, .numbers = bad, .count = 9},
        {.columns = 3, .rows = 3, .numbers = nine, .count = 9, .target_x = &three},
        {.columns = 3, .rows = 3, .numbers = nine, .count = 9, .target_y = &below},
        {.columns = 3, .rows = 3, .numbers = nine, .count = 9, .target_y = &half},
        {.columns = 3, .rows = 3, .numbers = nine, .count = 9, .divisor = &zero},
        {.columns = 3, .rows = 3, .numbers = nine, .count = 9, .divisor = &infinite},
        {.columns = 3, .rows = 3, .numbers = nine, .count = 9, .bias = NAN},
    };
    effect_convolution convolution;
    float turned[9];

    (void)state;
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++)
        assert_int_equal(effect_convolution_of(&kernels[i], &convolution, turned), EFFECT_TRANSPARENT);
    /* Numbers beyond what floats can sum are held. */
    double huge[] = {1e300, -1e300, 1e300};
    effect_kernel kernel = {.columns = 3, .rows = 1, .numbers = huge, .count = 3, .bias = -1e300};
    effect_image in = random_image(BOX, 7), out = new_image(BOX);
    assert_int_equal(effect_convolution_of(&kernel, &convolution, turned), EFFECT_RUNS);
    assert_true(effect_reference()->convolve(NULL, &convolution, turned, BOX, &in, &out));
    assert_premultiplied(&out, "huge numbers");
    free_image(&in);
    free_image(&out);
}

static void check_extreme(const effect_extreme *extreme, const effect_image *in, effect_box box)
{
    effect_image out = new_image(box);
    effect_box reach = effect_reach_of_extreme(extreme, in->box);

    assert_true(effect_reference()->extreme(NULL, extreme, in, &out));
    for (int y = box.top; y < box.bottom; y++)
        for (int x = box.left; x < box.right; x++)
            for (int i = 0; i < 4; i++) {
                double right = extreme->dilates ? 0 : 1;
                for (int dy = -extreme->radius_y; dy <= extreme->radius_y; dy++)
                    for (int dx = -extreme->radius_x; dx <= extreme->radius_x; dx++) {
                        double c = channel_at(in, in->box, EFFECT_EDGE_NONE, x + dx, y + dy, i);
                        right = extreme->dilates ? fmax(right, c) : fmin(right, c);
                    }
                assert_int_equal(at(&out, x, y)[i], (int)lround(right * EFFECT_ONE));
                bool reached = x >= reach.left && x < reach.right && y >= reach.top && y < reach.bottom;
                assert_true(reached || right == 0);
            }
    free_image(&out);
}

static void test_extreme(void **state)
{
    static const int radii[][2] = {{1, 0}, {0, 1}, {1, 1}, {2, 5}, {7, 3}, {40, 1}};
    effect_image in = random_image(BOX, 8);

    (void)state;
    for (uint32_t dilates = 0; dilates < 2; dilates++)
        for (size_t i = 0; i < sizeof radii / sizeof radii[0]; i++)
            check_extreme(&(effect_extreme){radii[i][0], radii[i][1], dilates}, &in, effect_box_grow(BOX, 6, 4));
    free_image(&in);
}

static void test_radii(void **state)
{
    effect_extreme extreme;

    (void)state;
    assert_int_equal(effect_extreme_of(0.49, 0, true, &extreme), EFFECT_PASSES);
    assert_int_equal(effect_extreme_of(-1, 5, true, &extreme), EFFECT_PASSES);
    assert_int_equal(effect_extreme_of(5, NAN, true, &extreme), EFFECT_PASSES);
    assert_int_equal(effect_extreme_of(2.5, 0, false, &extreme), EFFECT_RUNS);
    assert_true(extreme.radius_x == 3 && extreme.radius_y == 0 && extreme.dilates == 0);
    assert_int_equal(effect_extreme_of(1e9, INFINITY, true, &extreme), EFFECT_RUNS);
    effect_box demand = effect_demand_of_extreme(&extreme, EVERYWHERE);
    assert_memory_equal(&demand, &EVERYWHERE, sizeof demand);
    /* A window that covers everything is no more work than one that just does. */
    effect_image in = random_image(BOX, 9), out = new_image(BOX);
    assert_true(effect_reference()->extreme(NULL, &extreme, &in, &out));
    for (int y = BOX.top; y < BOX.bottom; y++)
        for (int x = BOX.left; x < BOX.right; x++)
            assert_memory_equal(at(&out, x, y), at(&out, BOX.left, BOX.top), 4 * sizeof(uint16_t));
    free_image(&in);
    free_image(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_convolution), cmocka_unit_test(test_convolution_identity),
                                       cmocka_unit_test(test_bad_kernels), cmocka_unit_test(test_extreme),
                                       cmocka_unit_test(test_radii)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
