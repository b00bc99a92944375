/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Primitives of texels in place, as the reference has them, against the specification in doubles; and what must change
 * nothing. */
#include "render/effect/effect_fixture.h"

#include <math.h>

#include "layout/blend.h"
#include "render/effect/prepare.h"
#include "render/effect/tables.h"
#include "render/reference/effect_reference.h"

#define SIDE 256

static const effect_box SQUARE = {0, 0, SIDE, SIDE};

/* Every premultiplied pair of a channel and alpha of 8 bits, as 15-bit texels. */
static effect_image pairs_of_8_bits(void)
{
    static uint32_t pixels[SIDE * SIDE];
    effect_image image = new_image(SQUARE);
    for (uint32_t a = 0; a < SIDE; a++)
        for (uint32_t c = 0; c < SIDE; c++) {
            uint32_t held = c < a ? c : a;
            pixels[a * SIDE + c] = held | (a - held) << 8 | held << 16 | a << 24;
        }
    effect_reference()->load(NULL, pixels, SIDE, &image);
    return image;
}

static void assert_same_pixels(const effect_image *one, const effect_image *other, const char *what)
{
    static uint32_t pixels[2][SIDE * SIDE];
    effect_reference()->store(NULL, one, pixels[0], SIDE);
    effect_reference()->store(NULL, other, pixels[1], SIDE);
    for (int i = 0; i < SIDE * SIDE; i++)
        if (pixels[0][i] != pixels[1][i])
            fail_msg("%s: %08x, not %08x", what, pixels[0][i], pixels[1][i]);
}

static void test_8_bits(void **state)
{
    uint32_t pixels[] = {0, 0xffffffff, 0x80402010, 0x01010001, 0xff000000}, found[5];
    effect_image image = new_image((effect_box){-2, 7, 3, 8});

    (void)state;
    effect_reference()->load(NULL, pixels, 5, &image);
    assert_int_equal(at(&image, -1, 7)[0], EFFECT_ONE);
    assert_int_equal(at(&image, 0, 7)[3], 128 * 128);
    effect_reference()->store(NULL, &image, found, 5);
    assert_memory_equal(found, pixels, sizeof pixels);
    free_image(&image);
}

/* To linearRGB and back: the same 8 bits. */
static void test_round_trip(void **state)
{
    effect_image in = pairs_of_8_bits(), out = new_image(SQUARE);
    const effect_tables *tables = effect_color_tables();

    (void)state;
    effect_reference()->to_linear(NULL, &in, &out);
    assert_premultiplied(&out, "linear");
    effect_reference()->to_srgb(NULL, &out, &out);
    assert_premultiplied(&out, "sRGB");
    assert_same_pixels(&out, &in, "round trip");
    for (uint i = 0; i < EFFECT_ONE; i++) {
        assert_true(tables->to_linear[i] <= tables->to_linear[i + 1]);
        assert_true(tables->to_srgb[i] < tables->to_srgb[i + 1] || i > 7000);
    }
    assert_int_equal(tables->to_linear[EFFECT_ONE], EFFECT_ONE);
    assert_int_equal(tables->to_srgb[EFFECT_ONE], EFFECT_ONE);
    free_image(&in);
    free_image(&out);
}

/* No entry of the tables lies so near to the middle of two integers that another library of powers could round it
 * otherwise. */
static void test_tables_are_certain(void **state)
{
    (void)state;
    for (uint i = 0; i <= EFFECT_ONE; i++) {
        double x = (double)i / EFFECT_ONE;
        double linear = EFFECT_ONE * (x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4));
        double srgb = EFFECT_ONE * (x <= 0.0031308 ? 12.92 * x : 1.055 * pow(x, 1 / 2.4) - 0.055);
        assert_true(fabs(linear - floor(linear) - 0.5) > 1e-9);
        assert_true(fabs(srgb - floor(srgb) - 0.5) > 1e-9);
    }
}

/* Filters that change nothing change no bit, at any texel of 15 bits. */
static void check_identities(const effect_image *in)
{
    static const float ends[] = {0, 1}, thirds[] = {0, 1.0f / 3, 2.0f / 3, 1};
    const effect_functions *f = effect_reference();
    effect_image out = new_image(in->box), nothing = new_image(in->box);
    double values[20] = {[0] = 1, [6] = 1, [12] = 1, [18] = 1};
    effect_color_matrix matrix;
    effect_composite composite;
    effect_function functions[] = {
        effect_identity_function(),
        effect_linear_function(1, 0),
        effect_gamma_function(1, 1, 0),
        effect_table_function(EFFECT_TABLE, 0, 2),
    };

    effect_color_matrix_of(values, &matrix);
    f->color_matrix(NULL, &matrix, in, &out);
    assert_same_texels(&out, in, in->box, "identity matrix");
    assert_int_equal(effect_saturate_of(1, &matrix), EFFECT_RUNS);
    f->color_matrix(NULL, &matrix, in, &out);
    assert_same_texels(&out, in, in->box, "saturate 1");
    assert_int_equal(effect_hue_rotate_of(720, &matrix), EFFECT_RUNS);
    f->color_matrix(NULL, &matrix, in, &out);
    assert_same_texels(&out, in, in->box, "hueRotate 720");
    for (int i = 0; i < 4; i++) {
        effect_transfer transfer = {functions[i], functions[i], functions[i], functions[i]};
        f->transfer(NULL, &transfer, ends, in, &out);
        assert_same_texels(&out, in, in->box, "identity function");
    }
    effect_transfer transfer = {functions[3], functions[3], functions[3], functions[3]};
    transfer.r.count = transfer.a.count = 4;
    transfer.g = transfer.b = effect_identity_function();
    f->transfer(NULL, &transfer, thirds, in, &out);
    assert_same_texels(&out, in, in->box, "table of thirds");
    effect_composite_of(EFFECT_ARITHMETIC, 0, 1, 0, 0, &composite);
    f->composite(NULL, &composite, in, &nothing, &out);
    assert_same_texels(&out, in, in->box, "arithmetic k2");
    effect_composite_of(EFFECT_ARITHMETIC, 0, 0, 1, 0, &composite);
    f->composite(NULL, &composite, &nothing, in, &out);
    assert_same_texels(&out, in, in->box, "arithmetic k3");
    f->flood(NULL, (effect_texel){0, 0, 0, EFFECT_ONE}, &nothing);
    effect_composite_of(EFFECT_IN, 0, 0, 0, 0, &composite);
    f->composite(NULL, &composite, in, &nothing, &out);
    assert_same_texels(&out, in, in->box, "in opaque");
    f->tile(NULL, in->box, in, &out);
    assert_same_texels(&out, in, in->box, "a tile of all");
    free_image(&out);
    free_image(&nothing);
}

static void test_identities(void **state)
{
    effect_image in = pairs_of_8_bits();

    (void)state;
    check_identities(&in);
    free_image(&in);
    in = random_image((effect_box){-100, -90, 200, 150}, 5);
    check_identities(&in);
    free_image(&in);
}

/* Texels in doubles, from 0 to 1. */
typedef struct texel {
    double c[4];
} texel;

static texel texel_at(const effect_image *image, int x, int y)
{
    texel found = {0};
    if (x >= image->box.left && x < image->box.right && y >= image->box.top && y < image->box.bottom)
        for (int i = 0; i < 4; i++)
            found.c[i] = (double)at(image, x, y)[i] / EFFECT_ONE;
    return found;
}

static double hold_to_one(double x)
{
    return x < 0 ? 0 : x > 1 ? 1 : x;
}

static texel straight_of(texel t)
{
    for (int i = 0; i < 3; i++)
        t.c[i] = t.c[3] > 0 ? t.c[i] / t.c[3] : 0;
    return t;
}

static texel premultiplied_of(texel t)
{
    t.c[3] = hold_to_one(t.c[3]);
    for (int i = 0; i < 3; i++)
        t.c[i] = hold_to_one(t.c[i]) * t.c[3];
    return t;
}

/* Fails unless the texel at x, y is the right one but for `slack` steps of 15 bits. */
static void assert_near(const effect_image *image, int x, int y, texel right, double slack, const char *what)
{
    for (int i = 0; i < 4; i++)
        if (fabs(at(image, x, y)[i] - EFFECT_ONE * right.c[i]) > slack)
            fail_msg("%s: channel %d at %d, %d is %d, not %g", what, i, x, y, at(image, x, y)[i],
                     EFFECT_ONE * right.c[i]);
}

static const effect_box SMALL = {-31, -20, 40, 33};

static void test_composite(void **state)
{
    static const double numbers[][4] = {{1, 0, 0, 0},     {0.3, 0.5, -0.2, 0.1}, {-1, 2, 3, -0.5},
                                        {1e30, -1, 0, 0}, {0, 0, 0, 1e300},      {NAN, INFINITY, 0, 0}};
    effect_image in = random_image(SMALL, 1), in2 = random_image(effect_box_grow(SMALL, -3, 4), 2);
    effect_image out = new_image(SMALL);

    (void)state;
    for (uint32_t operation = EFFECT_OVER; operation < EFFECT_ARITHMETIC + 6; operation++) {
        bool arithmetic = operation >= EFFECT_ARITHMETIC;
        const double *k = numbers[arithmetic ? operation - EFFECT_ARITHMETIC : 0];
        effect_composite composite;
        effect_composite_of(arithmetic ? EFFECT_ARITHMETIC : operation, k[0], k[1], k[2], k[3], &composite);
        effect_reference()->composite(NULL, &composite, &in, &in2, &out);
        assert_premultiplied(&out, "composite");
        for (int y = SMALL.top; y < SMALL.bottom; y++)
            for (int x = SMALL.left; x < SMALL.right; x++) {
                texel s = texel_at(&in, x, y), d = texel_at(&in2, x, y), right;
                for (int i = 3; i >= 0; i--) {
                    double source = s.c[i], below = d.c[i], sa = s.c[3], da = d.c[3];
                    const double of[] = {source + below * (1 - sa),
                                         source * da,
                                         source * (1 - da),
                                         source * da + below * (1 - sa),
                                         source * (1 - da) + below * (1 - sa),
                                         fmin(source + below, 1)};
                    right.c[i] = arithmetic ? hold_to_one(k[0] * source * below + k[1] * source + k[2] * below + k[3])
                                            : of[operation];
                    right.c[i] = fmin(right.c[i], right.c[3]);
                }
                if (!isnan(k[0]))
                    assert_near(&out, x, y, right, arithmetic ? 0.52 : 0.501, "composite");
            }
    }
    free_image(&in);
    free_image(&in2);
    free_image(&out);
}

static void test_merge(void **state)
{
    effect_image over = random_image(effect_box_grow(SMALL, 2, -2), 3), out = random_image(SMALL, 4);
    effect_image right = new_image(SMALL);
    effect_composite composite;

    (void)state;
    effect_composite_of(EFFECT_OVER, 0, 0, 0, 0, &composite);
    effect_reference()->composite(NULL, &composite, &over, &out, &right);
    effect_reference()->merge(NULL, &over, &out);
    assert_same_texels(&out, &right, SMALL, "merge");
    free_image(&over);
    free_image(&out);
    free_image(&right);
}

static void test_color_matrix(void **state)
{
    effect_image in = random_image(SMALL, 5), out = new_image(SMALL);
    uint64_t seed = 6;

    (void)state;
    for (int i = 0; i < 40; i++) {
        double values[20];
        effect_color_matrix matrix;
        for (int k = 0; k < 20; k++)
            values[k] = (random_below(&seed, 2001) - 1000.0) / (i % 4 == 0 ? 1e-17 : 500);
        assert_int_equal(effect_color_matrix_of(values, &matrix), EFFECT_RUNS);
        effect_reference()->color_matrix(NULL, &matrix, &in, &out);
        assert_premultiplied(&out, "color_matrix");
        for (int y = SMALL.top; i % 4 != 0 && y < SMALL.bottom; y++)
            for (int x = SMALL.left; x < SMALL.right; x++) {
                texel from = straight_of(texel_at(&in, x, y)), to;
                for (int row = 0; row < 4; row++) {
                    to.c[row] = values[5 * row + 4];
                    for (int column = 0; column < 4; column++)
                        to.c[row] += values[5 * row + column] * from.c[column];
                }
                assert_near(&out, x, y, premultiplied_of(to), 1.05, "color_matrix");
            }
    }
    double bad[20] = {0};
    effect_color_matrix matrix;
    bad[7] = NAN;
    assert_int_equal(effect_color_matrix_of(bad, &matrix), EFFECT_PASSES);
    assert_int_equal(effect_saturate_of(-0.1, &matrix), EFFECT_PASSES);
    assert_int_equal(effect_saturate_of(INFINITY, &matrix), EFFECT_PASSES);
    assert_int_equal(effect_hue_rotate_of(NAN, &matrix), EFFECT_PASSES);
    free_image(&in);
    free_image(&out);
}

static double table_value(const float *values, int count, double c, bool discrete)
{
    int k = (int)(c * (discrete ? count : count - 1));
    if (k >= count - 1)
        return values[count - 1];
    return discrete ? values[k] : values[k] + (c * (count - 1) - k) * ((double)values[k + 1] - values[k]);
}

static double function_value(const effect_function *f, const float *values, double c)
{
    switch (f->type) {
    case EFFECT_TABLE:
    case EFFECT_DISCRETE:
        return table_value(values + f->first, (int)f->count, c, f->type == EFFECT_DISCRETE);
    case EFFECT_LINEAR:
        return f->slope * c + f->intercept;
    case EFFECT_GAMMA:
        return f->amplitude * pow(c, f->exponent) + f->offset;
    default:
        return c;
    }
}

static void test_transfer(void **state)
{
    static const float values[] = {0.1f, 0.9f, 0.3f, -0.5f, 0.7f, 1.5f, 0.2f};
    const effect_function functions[] = {effect_identity_function(),
                                         effect_table_function(EFFECT_TABLE, 0, 7),
                                         effect_table_function(EFFECT_TABLE, 3, 1),
                                         effect_linear_function(1.7, -0.2),
                                         effect_gamma_function(0.9, 2.2, 0.05),
                                         effect_gamma_function(2, 0.4, -0.3),
                                         effect_gamma_function(1, 0, 0),
                                         effect_gamma_function(1e-3, -1, 0),
                                         effect_linear_function(-1e30, 0.5),
                                         effect_gamma_function(NAN, INFINITY, 1e300),
                                         effect_table_function(EFFECT_DISCRETE, 1, 5)};
    const int count = sizeof functions / sizeof functions[0];
    effect_image in = random_image(SMALL, 7), out = new_image(SMALL);

    (void)state;
    for (int i = 0; i < count; i++) {
        effect_transfer transfer = {functions[i], functions[(i + 1) % count], functions[(i + 4) % count],
                                    functions[i * 3 % count]};
        const effect_function *by[] = {&transfer.r, &transfer.g, &transfer.b, &transfer.a};
        effect_reference()->transfer(NULL, &transfer, values, &in, &out);
        assert_premultiplied(&out, "transfer");
        for (int y = SMALL.top; y < SMALL.bottom; y++)
            for (int x = SMALL.left; x < SMALL.right; x++) {
                texel from = straight_of(texel_at(&in, x, y)), to;
                for (int channel = 0; channel < 4; channel++)
                    to.c[channel] = function_value(by[channel], values, from.c[channel]);
                texel right = premultiplied_of(to);
                for (int channel = 0; channel < 4; channel++)
                    if (by[channel]->type == EFFECT_DISCRETE &&
                        fabs(5 * from.c[channel] - round(5 * from.c[channel])) < 1e-9)
                        right.c[channel] = (double)at(&out, x, y)[channel] / EFFECT_ONE;
                assert_near(&out, x, y, right, 1.1, "transfer");
            }
    }
    free_image(&in);
    free_image(&out);
}

/* A channel on a step belongs to the upper side, at every alpha. */
static void test_discrete_steps(void **state)
{
    static const float values[] = {0, 0.25f, 0.75f, 1};
    effect_function steps = effect_table_function(EFFECT_DISCRETE, 0, 4);
    effect_transfer transfer = {steps, steps, steps, effect_identity_function()};
    effect_image in = new_image((effect_box){0, 0, 8160, 1}), out = new_image(in.box);

    (void)state;
    for (int x = 0; x < 8160; x++) {
        uint16_t *texel = at(&in, x, 0);
        texel[3] = (uint16_t)(4 * (x + 1));
        for (int i = 0; i < 3; i++)
            texel[i] = (uint16_t)((i + 1) * (x + 1) - (x % 2));
    }
    effect_reference()->transfer(NULL, &transfer, values, &in, &out);
    for (int x = 0; x < 8160; x++)
        for (int i = 0; i < 3; i++) {
            double right = values[x % 2 == 0 ? i + 1 : i] * at(&in, x, 0)[3];
            assert_true(fabs(at(&out, x, 0)[i] - right) <= 0.51);
        }
    free_image(&in);
    free_image(&out);
}

static void test_offset(void **state)
{
    static const double offsets[][2] = {{3, -2}, {0.5, 0}, {-1.25, 7.75}, {0, -0.0625}, {-40.996, 0.004}};
    effect_image in = random_image(SMALL, 8), out = new_image(effect_box_grow(SMALL, 12, 11));
    effect_offset offset;

    (void)state;
    for (size_t i = 0; i < sizeof offsets / sizeof offsets[0]; i++) {
        assert_int_equal(effect_offset_of(offsets[i][0], offsets[i][1], &offset), EFFECT_RUNS);
        effect_reference()->offset(NULL, offset, &in, &out);
        assert_premultiplied(&out, "offset");
        for (int y = out.box.top; y < out.box.bottom; y++)
            for (int x = out.box.left; x < out.box.right; x++) {
                double from_x = x - round(256 * offsets[i][0]) / 256, from_y = y - round(256 * offsets[i][1]) / 256;
                int left = (int)floor(from_x), top = (int)floor(from_y);
                double fx = from_x - left, fy = from_y - top;
                texel corners[] = {texel_at(&in, left, top), texel_at(&in, left + 1, top), texel_at(&in, left, top + 1),
                                   texel_at(&in, left + 1, top + 1)};
                texel right;
                for (int channel = 0; channel < 4; channel++)
                    right.c[channel] = (1 - fx) * (1 - fy) * corners[0].c[channel] +
                                       fx * (1 - fy) * corners[1].c[channel] + (1 - fx) * fy * corners[2].c[channel] +
                                       fx * fy * corners[3].c[channel];
                assert_near(&out, x, y, right, 0.501, "offset");
            }
        effect_box demand = effect_demand_of_offset(offset, SMALL);
        assert_int_equal(demand.left, SMALL.left - (int)ceil(offsets[i][0] - 0.001));
        effect_box reach = effect_reach_of_offset(offset, SMALL);
        assert_int_equal(reach.bottom, SMALL.bottom + (int)ceil(round(256 * offsets[i][1]) / 256));
    }
    assert_int_equal(effect_offset_of(0.001, NAN, &offset), EFFECT_PASSES);
    assert_int_equal(effect_offset_of(1e300, -INFINITY, &offset), EFFECT_RUNS);
    assert_int_equal(offset.x, 1 << 27);
    assert_int_equal(offset.y, -(1 << 27));
    effect_reference()->offset(NULL, offset, &in, &out);
    assert_int_equal(at(&out, 0, 0)[3], 0);
    free_image(&in);
    free_image(&out);
}

static void test_tile(void **state)
{
    effect_box tile = {-5, 3, 8, 10};
    effect_image in = random_image(SMALL, 9), out = new_image(effect_box_grow(SMALL, 50, 50));

    (void)state;
    effect_reference()->tile(NULL, tile, &in, &out);
    for (int y = out.box.top; y < out.box.bottom; y++)
        for (int x = out.box.left; x < out.box.right; x++) {
            int from_x = -5 + ((x + 5) % 13 + 13) % 13, from_y = 3 + ((y - 3) % 7 + 7) % 7;
            assert_memory_equal(at(&out, x, y), at(&in, from_x, from_y), 4 * sizeof(uint16_t));
        }
    free_image(&in);
    free_image(&out);
}

static void test_displacement(void **state)
{
    effect_image in = random_image(SMALL, 10), map = random_image(SMALL, 11), out = new_image(SMALL);
    effect_displacement displacement;

    (void)state;
    for (uint32_t i = 0; i < 16; i++) {
        double scale = i == 15 ? 1e9 : 2.37 * i - 11;
        assert_int_equal(effect_displacement_of(scale, 0.5 * scale, i % 4, i / 4, &displacement), EFFECT_RUNS);
        effect_reference()->displace(NULL, &displacement, &in, &map, &out);
        effect_box demand = effect_demand_of_displacement(&displacement, SMALL);
        for (int y = SMALL.top; i < 15 && y < SMALL.bottom; y++)
            for (int x = SMALL.left; x < SMALL.right; x++) {
                texel by = straight_of(texel_at(&map, x, y));
                double from_x = x + 0.5 + scale * (by.c[i % 4] - 0.5),
                       from_y = y + 0.5 + 0.5 * scale * (by.c[i / 4] - 0.5);
                int column = (int)floor(from_x), row = (int)floor(from_y);
                assert_true(column >= demand.left && column < demand.right && row >= demand.top && row < demand.bottom);
                if (fabs(from_x - round(from_x)) > 1e-4 && fabs(from_y - round(from_y)) > 1e-4)
                    assert_near(&out, x, y, texel_at(&in, column, row), 1e-6, "displacement");
            }
    }
    assert_int_equal(effect_displacement_of(NAN, 0, 0, 1, &displacement), EFFECT_PASSES);
    free_image(&in);
    free_image(&map);
    free_image(&out);
}

static void test_shadow(void **state)
{
    effect_image in = random_image(SMALL, 12), blurred = random_image(SMALL, 13), out = new_image(SMALL);
    effect_image color = new_image(SMALL), shadow = new_image(SMALL);
    effect_shadow parameters = {.color = effect_color_of(200, 10, 90, 0.6, true)};
    effect_composite composite;

    (void)state;
    effect_offset_of(2.3, -1.6, &parameters.offset);
    effect_reference()->shadow(NULL, &parameters, &in, &blurred, &out);
    /* The same as a chain. */
    effect_reference()->offset(NULL, parameters.offset, &blurred, &shadow);
    effect_reference()->flood(NULL, parameters.color, &color);
    effect_composite_of(EFFECT_IN, 0, 0, 0, 0, &composite);
    effect_image tinted = new_image(SMALL);
    effect_reference()->composite(NULL, &composite, &color, &shadow, &tinted);
    effect_reference()->merge(NULL, &in, &tinted);
    assert_same_texels(&out, &tinted, SMALL, "shadow");
    free_image(&in);
    free_image(&blurred);
    free_image(&out);
    free_image(&color);
    free_image(&shadow);
    free_image(&tinted);
}

static void test_colors(void **state)
{
    effect_texel color = effect_color_of(255, 128, 0, 0.5, false);

    (void)state;
    assert_int_equal(color.a, EFFECT_ONE / 2);
    assert_int_equal(color.r, EFFECT_ONE / 2);
    assert_int_equal(color.g, 64 * 128);
    color = effect_color_of(255, 128, 0, 7, true);
    assert_int_equal(color.a, EFFECT_ONE);
    assert_int_equal(color.r, EFFECT_ONE);
    assert_true(fabs(color.g - EFFECT_ONE * 0.2158605) < 0.6);
    color = effect_color_of(255, 255, 255, NAN, true);
    assert_int_equal(color.a + color.r + color.g + color.b, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_8_bits),
                                       cmocka_unit_test(test_round_trip),
                                       cmocka_unit_test(test_tables_are_certain),
                                       cmocka_unit_test(test_identities),
                                       cmocka_unit_test(test_composite),
                                       cmocka_unit_test(test_merge),
                                       cmocka_unit_test(test_color_matrix),
                                       cmocka_unit_test(test_transfer),
                                       cmocka_unit_test(test_discrete_steps),
                                       cmocka_unit_test(test_offset),
                                       cmocka_unit_test(test_tile),
                                       cmocka_unit_test(test_displacement),
                                       cmocka_unit_test(test_shadow),
                                       cmocka_unit_test(test_colors)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
