/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* feDiffuseLighting and feSpecularLighting, as the reference has them, against the specification in doubles. */
#include "render/effect/effect_fixture.h"

#include <math.h>

#include "render/effect/prepare.h"
#include "render/reference/effect_reference.h"

static const effect_box BOX = {-8, -5, 19, 14};

typedef struct vector {
    double x, y, z;
} vector;

static double dot(vector a, vector b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static vector unit(vector v)
{
    double length = sqrt(dot(v, v));
    return (vector){v.x / length, v.y / length, v.z / length};
}

static double height(const effect_image *in, int x, int y)
{
    bool held = x >= in->box.left && x < in->box.right && y >= in->box.top && y < in->box.bottom;
    return held ? (double)at(in, x, y)[3] / EFFECT_ONE : 0;
}

/* The nine cases of the specification, as its table has them: for each of the columns on the left, in the middle and
 * on the right, and each of the rows, the factor and the nine weights along x. Those along y follow by turning. */
static const double WEIGHTS[3][3][10] = {
    {{2.0 / 3, 0, 0, 0, 0, -2, 2, 0, -1, 1},
     {1.0 / 3, 0, 0, 0, -2, 0, 2, -1, 0, 1},
     {2.0 / 3, 0, 0, 0, -2, 2, 0, -1, 1, 0}},
    {{1.0 / 2, 0, -1, 1, 0, -2, 2, 0, -1, 1},
     {1.0 / 4, -1, 0, 1, -2, 0, 2, -1, 0, 1},
     {1.0 / 2, -1, 1, 0, -2, 2, 0, -1, 1, 0}},
    {{2.0 / 3, 0, -1, 1, 0, -2, 2, 0, 0, 0},
     {1.0 / 3, -1, 0, 1, -2, 0, 2, 0, 0, 0},
     {2.0 / 3, -1, 1, 0, -2, 2, 0, 0, 0, 0}},
};

static int place(int i, int from, int end)
{
    return i == from ? 0 : i == end - 1 ? 2 : 1;
}

static vector normal_at(const effect_lamp *lamp, effect_box region, const effect_image *in, int x, int y)
{
    int column = place(x, region.left, region.right), row = place(y, region.top, region.bottom);
    const double *across = WEIGHTS[row][column], *down = WEIGHTS[column][row];
    vector normal = {0, 0, 1};
    for (int i = 0; i < 9; i++) {
        normal.x -= lamp->surface_scale * across[0] * across[1 + i] * height(in, x + i % 3 - 1, y + i / 3 - 1);
        normal.y -= lamp->surface_scale * down[0] * down[1 + i] * height(in, x + i / 3 - 1, y + i % 3 - 1);
    }
    return unit(normal);
}

static vector light_at(const effect_lamp *lamp, const effect_image *in, int x, int y)
{
    double azimuth = lamp->azimuth * 3.14159265358979 / 180, elevation = lamp->elevation * 3.14159265358979 / 180;
    if (lamp->kind == EFFECT_LIGHT_DISTANT)
        return (vector){cos(azimuth) * cos(elevation), sin(azimuth) * cos(elevation), sin(elevation)};
    return unit((vector){lamp->x - (x + 0.5), lamp->y - (y + 0.5), lamp->z - lamp->surface_scale * height(in, x, y)});
}

/* Returns what comes of a spot, and how near the place lies to the border of its cone. */
static double spot_at(const effect_lamp *lamp, vector light, double *from_border)
{
    vector axis = unit((vector){lamp->points_x - lamp->x, lamp->points_y - lamp->y, lamp->points_z - lamp->z});
    double cosine = -dot(light, axis), border = lamp->cone_angle ? cos(*lamp->cone_angle * 3.14159265358979 / 180) : -2;
    *from_border = fmin(fabs(cosine - border), fabs(cosine));
    return cosine <= 0 || cosine < border ? 0 : pow(cosine, lamp->spot_exponent);
}

static void check_lamp(const effect_lamp *lamp, effect_box region, const effect_image *in)
{
    const double colors[] = {lamp->r / 255.0, lamp->g / 255.0, lamp->b / 255.0};
    effect_image out = new_image(BOX);
    effect_light light;

    assert_int_equal(effect_light_of(lamp, &light), EFFECT_RUNS);
    effect_reference()->light(NULL, &light, region, in, &out);
    assert_premultiplied(&out, "light");
    for (int y = BOX.top; y < BOX.bottom; y++)
        for (int x = BOX.left; x < BOX.right; x++) {
            const uint16_t *texel = at(&out, x, y);
            if (x < region.left || x >= region.right || y < region.top || y >= region.bottom) {
                assert_int_equal(texel[3], 0);
                continue;
            }
            vector normal = normal_at(lamp, region, in, x, y), towards = light_at(lamp, in, x, y);
            vector half = unit((vector){towards.x, towards.y, towards.z + 1});
            double cosine = dot(normal, lamp->specular ? half : towards), from_border = 1;
            double amount = cosine <= 0 ? 0 : lamp->constant * pow(cosine, lamp->specular ? lamp->exponent : 1);
            amount *= lamp->kind == EFFECT_LIGHT_SPOT ? spot_at(lamp, towards, &from_border) : 1;
            for (int i = 0; i < 3 && from_border > 1e-5; i++) {
                double right = EFFECT_ONE * fmin(amount * colors[i], 1);
                if (fabs(texel[i] - right) > 1)
                    fail_msg("kind %u, channel %d at %d, %d is %d, not %g", lamp->kind, i, x, y, texel[i], right);
            }
            uint16_t most = texel[0] > texel[1] ? texel[0] : texel[1];
            assert_int_equal(texel[3], !lamp->specular ? (int)EFFECT_ONE : most > texel[2] ? most : texel[2]);
        }
    free_image(&out);
}

static void test_lights(void **state)
{
    static const double narrow = 25, wide = -60;
    effect_lamp lamps[] = {
        {.kind = EFFECT_LIGHT_DISTANT, .surface_scale = 3, .constant = 0.8, .azimuth = 215, .elevation = 40},
        {.kind = EFFECT_LIGHT_DISTANT, .surface_scale = -10, .constant = 2, .azimuth = -30, .elevation = 90},
        {.kind = EFFECT_LIGHT_POINT, .surface_scale = 5, .constant = 1, .x = 3.25, .y = 2, .z = 9},
        {.kind = EFFECT_LIGHT_POINT, .surface_scale = 1, .constant = 1, .x = 300, .y = -200, .z = -50},
        {.kind = EFFECT_LIGHT_SPOT,
         .surface_scale = 2,
         .constant = 1.5,
         .x = 20,
         .y = 20,
         .z = 15,
         .points_x = 2,
         .points_y = 3,
         .points_z = 1,
         .spot_exponent = 1},
        {.kind = EFFECT_LIGHT_SPOT,
         .surface_scale = 2,
         .constant = 1.5,
         .x = -5,
         .y = 0,
         .z = 12,
         .points_x = 8,
         .points_y = 6,
         .spot_exponent = 12.5,
         .cone_angle = &narrow},
        {.kind = EFFECT_LIGHT_SPOT,
         .surface_scale = 0,
         .constant = 1,
         .x = 1,
         .y = 1,
         .z = 10,
         .points_x = 1,
         .points_y = 1,
         .spot_exponent = 0,
         .cone_angle = &wide},
    };
    effect_image in = random_image(effect_box_grow(BOX, -2, 1), 5);
    effect_box regions[] = {BOX, effect_box_grow(BOX, -3, -4), effect_box_grow(BOX, 5, 5)};

    (void)state;
    for (size_t i = 0; i < sizeof lamps / sizeof lamps[0]; i++)
        for (uint32_t k = 0; k < 6; k++) {
            lamps[i].specular = k % 2;
            lamps[i].exponent = k < 3 ? 1 : 20;
            lamps[i].r = 255;
            lamps[i].g = 128;
            check_lamp(&lamps[i], regions[k / 2], &in);
        }
    free_image(&in);
}

/* Regions of one row or column have slopes along the other axis alone, and none at one texel. */
static void test_thin_regions(void **state)
{
    static const effect_box regions[] = {{0, 0, 1, 9}, {0, 0, 9, 1}, {0, 0, 1, 1}};
    effect_image in = random_image(BOX, 6), out = new_image(BOX);
    effect_lamp lamp = {.kind = EFFECT_LIGHT_DISTANT, .surface_scale = 4, .constant = 1, .elevation = 90, .r = 255};
    effect_light light;

    (void)state;
    assert_int_equal(effect_light_of(&lamp, &light), EFFECT_RUNS);
    for (int i = 0; i < 3; i++) {
        effect_reference()->light(NULL, &light, regions[i], &in, &out);
        for (int k = 0; k < (i < 2 ? 9 : 1); k++) {
            int before = k > 0 ? k - 1 : 0, after = i < 2 && k < 8 ? k + 1 : k;
            double slope = 4 * (i == 0 ? height(&in, 0, after) - height(&in, 0, before)
                                       : height(&in, after, 0) - height(&in, before, 0));
            slope *= after - before == 1 ? 2 : 1;
            double right = EFFECT_ONE / sqrt(slope * slope + 1);
            assert_true(fabs(at(&out, i == 0 ? 0 : k, i == 0 ? k : 0)[0] - right) < 1);
        }
    }
    free_image(&in);
    free_image(&out);
}

static void test_preparation(void **state)
{
    static const double exponents[] = {0.99, 128.5, -1, NAN, INFINITY};
    effect_lamp lamp = {.kind = EFFECT_LIGHT_SPOT, .constant = 1, .surface_scale = 1, .r = 255, .z = 5};
    effect_image in = random_image(BOX, 7), out = new_image(BOX);
    effect_light light;

    (void)state;
    for (size_t i = 0; i < sizeof exponents / sizeof exponents[0]; i++) {
        lamp.specular = true;
        lamp.exponent = exponents[i];
        assert_int_equal(effect_light_of(&lamp, &light), EFFECT_TRANSPARENT);
        lamp.specular = false;
        assert_int_equal(effect_light_of(&lamp, &light), EFFECT_RUNS);
    }
    /* A spot that points at itself, and a constant below 0, light nothing. */
    lamp.points_z = 5;
    assert_int_equal(effect_light_of(&lamp, &light), EFFECT_RUNS);
    effect_reference()->light(NULL, &light, BOX, &in, &out);
    assert_true(at(&out, 0, 0)[0] == 0 && at(&out, 0, 0)[3] == EFFECT_ONE);
    lamp.kind = EFFECT_LIGHT_POINT;
    lamp.constant = -3;
    assert_int_equal(effect_light_of(&lamp, &light), EFFECT_RUNS);
    assert_true(light.constant == 0);
    /* Numbers beyond all texels stay finite. */
    lamp = (effect_lamp){.kind = EFFECT_LIGHT_SPOT,
                         .specular = true,
                         .exponent = 3,
                         .surface_scale = -1e300,
                         .constant = INFINITY,
                         .x = 1e300,
                         .y = -INFINITY,
                         .z = NAN,
                         .points_x = -1e300,
                         .spot_exponent = 1e300,
                         .linear = true,
                         .g = 10};
    assert_int_equal(effect_light_of(&lamp, &light), EFFECT_RUNS);
    effect_reference()->light(NULL, &light, BOX, &in, &out);
    assert_premultiplied(&out, "huge numbers");
    effect_box demand = effect_demand_of_light(BOX, (effect_box){BOX.left - 50, 0, BOX.left + 1, 1});
    assert_true(demand.left == BOX.left && demand.right == BOX.left + 2 && demand.top == -1 && demand.bottom == 2);
    free_image(&in);
    free_image(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lights), cmocka_unit_test(test_thin_regions),
                                       cmocka_unit_test(test_preparation)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
