/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What must hold for blurs beside their error: plans, continuity, edge modes, boxes, cuts. */
#include "render/effect/effect_fixture.h"

#include <math.h>

#include "render/effect/prepare.h"
#include "render/reference/effect_reference.h"

static void run(const effect_blur *blur, effect_box region, const effect_image *in, const effect_image *out)
{
    assert_true(effect_reference()->blur(NULL, blur, region, in, out));
}

static void check_axis(const effect_blur_axis *axis)
{
    int sum = axis->weights[0];
    assert_true(axis->radius <= EFFECT_RADIUS_MOST && axis->halvings <= EFFECT_HALVINGS_MOST);
    for (int t = 1; t <= axis->radius; t++) {
        assert_true(axis->weights[t] >= 0 && axis->weights[t] <= axis->weights[t - 1]);
        sum += 2 * axis->weights[t];
    }
    if (axis->radius > 0)
        assert_int_equal(sum, 32768);
}

static void test_plans(void **state)
{
    effect_blur blur;

    (void)state;
    for (double sigma = 0.01; sigma < 1e9; sigma *= 1.003) {
        effect_outcome outcome = effect_blur_of(sigma, 1, EFFECT_EDGE_NONE, &blur);
        assert_int_equal(outcome, EFFECT_RUNS);
        check_axis(&blur.x);
        check_axis(&blur.y);
        assert_true(blur.x.radius > 0 || sigma < 0.2125);
        assert_true(blur.x.radius == 0 || sigma > 0.2115);
        assert_true(blur.x.halvings == 0 || blur.x.radius >= 6);
    }
}

/* What no Gaussian is, and what is too narrow to see. */
static void test_passes(void **state)
{
    static const double bad[] = {-1, -0.0001, NAN, -INFINITY};
    effect_blur blur;

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(effect_blur_of(bad[i], 3, EFFECT_EDGE_NONE, &blur), EFFECT_PASSES);
        assert_int_equal(effect_blur_of(3, bad[i], EFFECT_EDGE_NONE, &blur), EFFECT_PASSES);
    }
    assert_int_equal(effect_blur_of(0, 0.2, EFFECT_EDGE_NONE, &blur), EFFECT_PASSES);
    assert_int_equal(effect_blur_of(INFINITY, 0, EFFECT_EDGE_NONE, &blur), EFFECT_RUNS);
    check_axis(&blur.x);
    assert_int_equal(blur.x.halvings, EFFECT_HALVINGS_MOST);
}

/* A disc and a bar of several colours, which leave the box on two sides. */
static effect_image picture(effect_box box)
{
    effect_image image = new_image(box);
    for (int y = box.top; y < box.bottom; y++)
        for (int x = box.left; x < box.right; x++) {
            bool disc = (x - 20) * (x - 20) + (y - 15) * (y - 15)<200, bar = x + 2 * y> 60 && x + 2 * y < 90;
            uint16_t *texel = at(&image, x, y);
            texel[0] = disc ? EFFECT_ONE : 0;
            texel[1] = bar ? EFFECT_ONE : 0;
            texel[2] = disc && bar ? EFFECT_ONE : 0;
            texel[3] = disc || bar ? EFFECT_ONE : 0;
        }
    return image;
}

static const effect_box BOX = {-7, -5, 53, 40};

/* A picture that is zoomed must not jump where a halving is added. */
static void test_continuity(void **state)
{
    effect_image in = picture(BOX), one = new_image(BOX), other = new_image(BOX);

    (void)state;
    for (double sigma = 0.3; sigma < 40; sigma *= sigma < 3.9 || sigma > 4.1 ? 1.07 : 1.001) {
        effect_blur blur;
        effect_blur_of(sigma, 1.5 * sigma, EFFECT_EDGE_NONE, &blur);
        run(&blur, BOX, &in, &one);
        effect_blur_of(1.001 * sigma, 1.5 * 1.001 * sigma, EFFECT_EDGE_NONE, &blur);
        run(&blur, BOX, &in, &other);
        for (int y = BOX.top; y < BOX.bottom; y++)
            for (int x = BOX.left; x < BOX.right; x++)
                for (int i = 0; i < 4; i++)
                    assert_true(labs(lround(at(&one, x, y)[i] / 128.0) - lround(at(&other, x, y)[i] / 128.0)) <= 1);
    }
    free_image(&in);
    free_image(&one);
    free_image(&other);
}

/* Returns the place in a range that an edge mode reads for i, or -1: it is transparent. */
static int place_in(int i, int from, int end, uint32_t edge)
{
    if (i >= from && i < end)
        return i - from;
    if (edge == EFFECT_EDGE_DUPLICATE)
        return i < from ? 0 : end - from - 1;
    int rest = (i - from) % (end - from);
    return edge == EFFECT_EDGE_WRAP ? (rest < 0 ? rest + end - from : rest) : -1;
}

/* Convolves `count` doubles that lie `step` apart. */
static void convolve(double *values, int count, size_t step, double sigma, uint32_t edge)
{
    int radius = (int)(8 * sigma) + 1;
    double *was = malloc((size_t)count * sizeof *was), *weights = malloc(((size_t)radius + 1) * sizeof *weights);
    double all = 0;

    assert_true(was && weights);
    for (int i = 0; i < count; i++)
        was[i] = values[(size_t)i * step];
    for (int t = 0; t <= radius; t++) {
        weights[t] = exp(-0.5 * t * t / (sigma * sigma));
        all += t == 0 ? weights[t] : 2 * weights[t];
    }
    for (int i = 0; i < count; i++) {
        double sum = 0;
        for (int t = -radius; t <= radius; t++) {
            int place = place_in(i + t, 0, count, edge);
            sum += place < 0 ? 0 : weights[abs(t)] * was[place];
        }
        values[(size_t)i * step] = sum / all;
    }
    free(was);
    free(weights);
}

/* Blurs the picture's part within a region in doubles and compares. */
static void check_edges(effect_box region, const effect_image *in, double sigma_x, double sigma_y, uint32_t edge)
{
    int width = region.right - region.left, height = region.bottom - region.top;
    double *values = malloc((size_t)(4 * width * height) * sizeof *values);
    effect_image out = new_image(region);
    effect_blur blur;

    assert_non_null(values);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            for (int i = 0; i < 4; i++) {
                int from_x = region.left + x, from_y = region.top + y;
                bool held = from_x >= in->box.left && from_x < in->box.right && from_y >= in->box.top &&
                            from_y < in->box.bottom;
                values[4 * (y * width + x) + i] = held ? at(in, from_x, from_y)[i] / 128.0 : 0;
            }
    for (int y = 0; y < height; y++)
        for (int i = 0; i < 4; i++)
            convolve(values + 4 * y * width + i, width, 4, sigma_x, edge);
    for (int x = 0; x < width; x++)
        for (int i = 0; i < 4; i++)
            convolve(values + 4 * x + i, height, 4 * (size_t)width, sigma_y, edge);
    assert_int_equal(effect_blur_of(sigma_x, sigma_y, edge, &blur), EFFECT_RUNS);
    run(&blur, region, in, &out);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            for (int i = 0; i < 4; i++) {
                double right = values[4 * (y * width + x) + i];
                double found = at(&out, region.left + x, region.top + y)[i] / 128.0;
                if (labs(lround(found) - lround(right)) > 1)
                    fail_msg("sigma %g, %g, edge %u, channel %d at %d, %d: %g, not %g", sigma_x, sigma_y, edge, i, x, y,
                             found, right);
            }
    free(values);
    free_image(&out);
}

static void test_edge_modes(void **state)
{
    static const double sigmas[][2] = {{0.7, 3}, {5, 1}, {6.5, 9}, {18, 4.5}, {70, 33}};
    effect_box inside = {BOX.left + 3, BOX.top + 4, BOX.right - 10, BOX.bottom - 2};
    effect_box wider = effect_box_grow(BOX, 9, 6);
    effect_image in = picture(BOX);
    uint64_t seed = 3;

    (void)state;
    for (uint32_t edge = EFFECT_EDGE_NONE; edge <= EFFECT_EDGE_WRAP; edge++)
        for (size_t i = 0; i < sizeof sigmas / sizeof sigmas[0]; i++) {
            check_edges(BOX, &in, sigmas[i][0], sigmas[i][1], edge);
            check_edges(wider, &in, sigmas[i][1], sigmas[i][0], edge);
            if (edge != EFFECT_EDGE_NONE)
                check_edges(inside, &in, sigmas[i][0], sigmas[i][1], edge);
        }
    /* A constant stays one, whatever the deviation. */
    for (int i = 0; i < 20; i++) {
        double sigma = pow(2, random_below(&seed, 16) + 0.1 * i);
        effect_image flat = new_image(BOX), out = new_image(BOX);
        effect_blur blur;
        effect_reference()->flood(NULL, (effect_texel){1, 4711, EFFECT_ONE - 1, EFFECT_ONE}, &flat);
        for (uint32_t edge = EFFECT_EDGE_DUPLICATE; edge <= EFFECT_EDGE_WRAP; edge++) {
            effect_blur_of(sigma, 0.01 * sigma, edge, &blur);
            run(&blur, BOX, &flat, &out);
            assert_same_texels(&out, &flat, BOX, "a constant");
        }
        free_image(&flat);
        free_image(&out);
    }
    free_image(&in);
}

/* Any piece of a result has the bytes of the whole, from nothing but its demand; and nothing lies beyond the reach. */
static void check_pieces(const effect_blur *blur, effect_box region, const effect_image *in, uint64_t *seed)
{
    effect_box reach = effect_reach_of_blur(blur, in->box);
    effect_box most = effect_box_meet(effect_box_grow(reach, 5, 4), effect_box_grow(in->box, 90, 80));
    effect_image whole = new_image(blur->edge == EFFECT_EDGE_NONE ? most : region);

    run(blur, region, in, &whole);
    for (int i = 0; i < 6; i++) {
        effect_box piece = whole.box;
        piece.left += (int)random_below(seed, (uint32_t)box_width(whole.box));
        piece.top += (int)random_below(seed, (uint32_t)box_height(whole.box));
        piece.right = piece.left + 1 + (int)random_below(seed, (uint32_t)(whole.box.right - piece.left));
        piece.bottom = piece.top + 1 + (int)random_below(seed, (uint32_t)(whole.box.bottom - piece.top));
        effect_image cut = poisoned_image(in, effect_demand_of_blur(blur, region, piece), 99);
        effect_image out = new_image(piece);
        run(blur, region, &cut, &out);
        assert_same_texels(&out, &whole, piece, "a piece");
        free_image(&cut);
        free_image(&out);
    }
    if (blur->edge == EFFECT_EDGE_NONE)
        for (int y = most.top; y < most.bottom; y++)
            for (int x = most.left; x < most.right; x++)
                if (x < reach.left || x >= reach.right || y < reach.top || y >= reach.bottom)
                    assert_memory_equal(at(&whole, x, y), ((uint16_t[4]){0}), 4 * sizeof(uint16_t));
    free_image(&whole);
}

static void test_pieces(void **state)
{
    static const double sigmas[][2] = {{0, 2}, {1, 0}, {3, 5}, {8.5, 4}, {13, 13}, {40, 0.4}};
    uint64_t seed = 7;

    (void)state;
    for (size_t i = 0; i < sizeof sigmas / sizeof sigmas[0]; i++)
        for (uint32_t edge = EFFECT_EDGE_NONE; edge <= EFFECT_EDGE_WRAP; edge++) {
            int left = (int)random_below(&seed, 40) - 20, top = (int)random_below(&seed, 40) - 20;
            effect_image in = random_image((effect_box){left, top, left + 37, top + 29}, seed);
            effect_box region = edge == EFFECT_EDGE_WRAP ? in.box : effect_box_grow(in.box, 4, -3);
            effect_blur blur;
            effect_blur_of(sigmas[i][0], sigmas[i][1], edge, &blur);
            check_pieces(&blur, region, &in, &seed);
            free_image(&in);
        }
}

/* Demand and reach of blurs that cover everything stay boxes. */
static void test_saturation(void **state)
{
    effect_blur blur;
    effect_box box, small = {0, 0, 10, 10};

    (void)state;
    effect_blur_of(1e9, 1e300, EFFECT_EDGE_NONE, &blur);
    box = effect_demand_of_blur(&blur, EVERYWHERE, EVERYWHERE);
    assert_memory_equal(&box, &EVERYWHERE, sizeof box);
    box = effect_reach_of_blur(&blur, EVERYWHERE);
    assert_memory_equal(&box, &EVERYWHERE, sizeof box);
    box = effect_demand_of_blur(&blur, small, small);
    assert_true(box.left < -200000 && box.right > 200000);
    blur.edge = EFFECT_EDGE_DUPLICATE;
    box = effect_demand_of_blur(&blur, small, (effect_box){50, -70, 60, 5});
    assert_memory_equal(&box, &small, sizeof box);
    assert_true(effect_box_is_empty(effect_demand_of_blur(&blur, small, (effect_box){5, 0, 5, 9})));
    assert_true(effect_box_is_empty(effect_reach_of_blur(&blur, (effect_box){5, 0, 3, 9})));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_plans),      cmocka_unit_test(test_passes),
                                       cmocka_unit_test(test_continuity), cmocka_unit_test(test_edge_modes),
                                       cmocka_unit_test(test_pieces),     cmocka_unit_test(test_saturation)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
