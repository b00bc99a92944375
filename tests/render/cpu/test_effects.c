/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Every function of stage 11 writes the reference's bytes with each instruction set of this machine, with one thread
 * and with several, whole and in pieces. */
#include "render/effect/effect_fixture.h"

#include <math.h>

#include "layout/blend.h"
#include "render/cpu/effects.h"
#include "render/effect/prepare.h"
#include "render/reference/effect_reference.h"

/* What a case runs on. The inputs have boxes of their own. */
typedef struct effect_case {
    effect_image in, in2;
    effect_box region;
    uint64_t seed; /* of the parameters */
} effect_case;

typedef void run_function(const effect_functions *f, parallel_pool *pool, const effect_case *given,
                          const effect_image *out);

static double between(uint64_t *seed, double low, double high)
{
    return low + (high - low) * (double)random_below(seed, 1 << 20) / (1 << 20);
}

static void run_flood(const effect_functions *f, parallel_pool *pool, const effect_case *given, const effect_image *out)
{
    (void)given;
    f->flood(pool, effect_color_of(12, 200, 99, 0.7, true), out);
}

static void run_offset(const effect_functions *f, parallel_pool *pool, const effect_case *given,
                       const effect_image *out)
{
    uint64_t seed = given->seed;
    effect_offset offset;
    bool whole = random_below(&seed, 2);
    double x = between(&seed, -20, 20), y = between(&seed, -20, 20);
    effect_offset_of(whole ? floor(x) : x, whole ? floor(y) : y, &offset);
    f->offset(pool, offset, &given->in, out);
}

static void run_merge(const effect_functions *f, parallel_pool *pool, const effect_case *given, const effect_image *out)
{
    f->offset(pool, (effect_offset){0}, &given->in2, out);
    f->merge(pool, &given->in, out);
}

static void run_composite(const effect_functions *f, parallel_pool *pool, const effect_case *given,
                          const effect_image *out)
{
    uint64_t seed = given->seed;
    effect_composite composite;
    uint operation = random_below(&seed, EFFECT_ARITHMETIC + 1);
    double k[4];
    for (int i = 0; i < 4; i++)
        k[i] = between(&seed, -2, 2);
    effect_composite_of(operation, k[0], k[1], k[2], k[3], &composite);
    f->composite(pool, &composite, &given->in, &given->in2, out);
}

static void run_blend(const effect_functions *f, parallel_pool *pool, const effect_case *given, const effect_image *out)
{
    f->blend(pool, (uint)(given->seed % (BLEND_LUMINOSITY + 1)), &given->in, &given->in2, out);
}

static void run_color_matrix(const effect_functions *f, parallel_pool *pool, const effect_case *given,
                             const effect_image *out)
{
    uint64_t seed = given->seed;
    effect_color_matrix matrix;
    double values[20];
    for (int i = 0; i < 20; i++)
        values[i] = between(&seed, -1.5, 1.5);
    effect_color_matrix_of(values, &matrix);
    f->color_matrix(pool, &matrix, &given->in, out);
}

static void run_transfer(const effect_functions *f, parallel_pool *pool, const effect_case *given,
                         const effect_image *out)
{
    static const float values[] = {0.3f, 1.2f, -0.1f, 0.8f, 0.5f};
    uint64_t seed = given->seed;
    effect_function functions[4];
    for (int i = 0; i < 4; i++) {
        const effect_function choices[] = {
            effect_identity_function(),
            effect_table_function(EFFECT_TABLE, random_below(&seed, 3), 1 + random_below(&seed, 3)),
            effect_table_function(EFFECT_DISCRETE, 0, 5),
            effect_linear_function(between(&seed, -2, 2), between(&seed, -1, 1)),
            effect_gamma_function(between(&seed, 0, 2), between(&seed, 0.1, 4), between(&seed, -0.5, 0.5)),
        };
        functions[i] = choices[random_below(&seed, 5)];
    }
    effect_transfer transfer = {functions[0], functions[1], functions[2], functions[3]};
    f->transfer(pool, &transfer, values, &given->in, out);
}

static void run_tile(const effect_functions *f, parallel_pool *pool, const effect_case *given, const effect_image *out)
{
    uint64_t seed = given->seed;
    effect_box tile = {(int)random_below(&seed, 30) - 15, (int)random_below(&seed, 30) - 15, 0, 0};
    tile.right = tile.left + 1 + (int)random_below(&seed, 40);
    tile.bottom = tile.top + 1 + (int)random_below(&seed, 40);
    f->tile(pool, tile, &given->in, out);
}

static void run_displace(const effect_functions *f, parallel_pool *pool, const effect_case *given,
                         const effect_image *out)
{
    uint64_t seed = given->seed;
    effect_displacement displacement;
    effect_displacement_of(between(&seed, -50, 50), between(&seed, -50, 50), random_below(&seed, 4),
                           random_below(&seed, 4), &displacement);
    f->displace(pool, &displacement, &given->in, &given->in2, out);
}

static void run_shadow(const effect_functions *f, parallel_pool *pool, const effect_case *given,
                       const effect_image *out)
{
    uint64_t seed = given->seed;
    effect_shadow shadow = {.color = effect_color_of(250, 3, 77, between(&seed, 0, 1), false)};
    effect_offset_of(between(&seed, -9, 9), between(&seed, -9, 9), &shadow.offset);
    f->shadow(pool, &shadow, &given->in, &given->in2, out);
}

static void run_to_linear(const effect_functions *f, parallel_pool *pool, const effect_case *given,
                          const effect_image *out)
{
    f->to_linear(pool, &given->in, out);
    if (given->seed % 2)
        f->to_linear(pool, out, out);
}

static void run_to_srgb(const effect_functions *f, parallel_pool *pool, const effect_case *given,
                        const effect_image *out)
{
    f->to_srgb(pool, &given->in, out);
    if (given->seed % 2)
        f->to_srgb(pool, out, out);
}

static void run_alpha(const effect_functions *f, parallel_pool *pool, const effect_case *given, const effect_image *out)
{
    f->alpha(pool, &given->in, out);
}

static void run_8_bits(const effect_functions *f, parallel_pool *pool, const effect_case *given,
                       const effect_image *out)
{
    size_t stride = box_width(out->box) + 5;
    uint32_t *pixels = calloc(stride * box_height(out->box) + 1, sizeof *pixels);
    assert_non_null(pixels);
    f->offset(pool, (effect_offset){0}, &given->in, out);
    f->store(pool, out, pixels, stride);
    f->load(pool, pixels, stride, out);
    free(pixels);
}

static void run_blur(const effect_functions *f, parallel_pool *pool, const effect_case *given, const effect_image *out)
{
    uint64_t seed = given->seed;
    uint32_t edge = random_below(&seed, 8);
    double x = pow(2, between(&seed, -2, 6)), y = pow(2, between(&seed, -2, 6));
    uint32_t axes = random_below(&seed, 6);
    effect_blur blur;
    effect_blur_of(axes == 0 ? 0 : x, axes == 1 ? 0 : y, edge > EFFECT_EDGE_WRAP ? EFFECT_EDGE_NONE : edge, &blur);
    assert_true(f->blur(pool, &blur, given->region, &given->in, out));
}

static void run_convolve(const effect_functions *f, parallel_pool *pool, const effect_case *given,
                         const effect_image *out)
{
    uint64_t seed = given->seed;
    double columns = 1 + random_below(&seed, seed % 4 ? 6 : 90), rows = 1 + random_below(&seed, 5), numbers[90 * 5];
    effect_kernel kernel = {columns,
                            rows,
                            numbers,
                            (size_t)(columns * rows),
                            NULL,
                            NULL,
                            NULL,
                            between(&seed, -0.2, 0.2),
                            random_below(&seed, 3),
                            random_below(&seed, 2)};
    effect_convolution convolution;
    float turned[90 * 5];
    for (size_t i = 0; i < kernel.count; i++)
        numbers[i] = random_below(&seed, 4) ? between(&seed, -1, 2) : 0;
    assert_int_equal(effect_convolution_of(&kernel, &convolution, turned), EFFECT_RUNS);
    assert_true(f->convolve(pool, &convolution, turned, given->region, &given->in, out));
}

static void run_extreme(const effect_functions *f, parallel_pool *pool, const effect_case *given,
                        const effect_image *out)
{
    uint64_t seed = given->seed;
    uint32_t most = random_below(&seed, 4) ? 12 : 400;
    effect_extreme extreme = {(int)random_below(&seed, most), (int)random_below(&seed, most), random_below(&seed, 2)};
    assert_true(f->extreme(pool, &extreme, &given->in, out));
}

static void run_light(const effect_functions *f, parallel_pool *pool, const effect_case *given, const effect_image *out)
{
    uint64_t seed = given->seed;
    double angle = between(&seed, 10, 60);
    effect_lamp lamp = {.kind = random_below(&seed, 3),
                        .specular = random_below(&seed, 2),
                        .surface_scale = between(&seed, -5, 10),
                        .constant = between(&seed, 0, 2),
                        .exponent = between(&seed, 1, 40),
                        .r = 250,
                        .g = 190,
                        .b = 20,
                        .azimuth = between(&seed, 0, 360),
                        .elevation = between(&seed, 0, 90),
                        .x = between(&seed, -60, 60),
                        .y = between(&seed, -60, 60),
                        .z = between(&seed, -5, 60),
                        .points_x = between(&seed, -60, 60),
                        .spot_exponent = between(&seed, 0, 20),
                        .cone_angle = random_below(&seed, 2) ? &angle : NULL};
    effect_light light;
    assert_int_equal(effect_light_of(&lamp, &light), EFFECT_RUNS);
    f->light(pool, &light, given->region, &given->in, out);
}

static void run_noise(const effect_functions *f, parallel_pool *pool, const effect_case *given, const effect_image *out)
{
    uint64_t seed = given->seed;
    effect_turbulence turbulence = {.frequency_x = between(&seed, 0, 0.3),
                                    .frequency_y = between(&seed, 0, 0.3),
                                    .octaves = random_below(&seed, 7),
                                    .seed = between(&seed, -10, 1000),
                                    .fractal = random_below(&seed, 2),
                                    .stitches = random_below(&seed, 2),
                                    .left = -20,
                                    .top = 3,
                                    .width = 77,
                                    .height = 50.5,
                                    .origin_x = between(&seed, -9, 9),
                                    .origin_y = between(&seed, -9, 9),
                                    .texel_x = between(&seed, 0.1, 2),
                                    .texel_y = between(&seed, 0.1, 2)};
    uint words[EFFECT_NOISE_WORDS];
    effect_noise noise;
    assert_int_equal(effect_noise_of(&turbulence, &noise, words), EFFECT_RUNS);
    f->noise(pool, &noise, words, out);
}

static effect_box random_box(uint64_t *seed, int reach, int most)
{
    int left = (int)random_below(seed, 2 * (uint32_t)reach) - reach,
        top = (int)random_below(seed, 2 * (uint32_t)reach) - reach;
    return (effect_box){left, top, left + (int)random_below(seed, (uint32_t)most),
                        top + (int)random_below(seed, (uint32_t)most)};
}

static effect_box piece_of(effect_box box, uint64_t *seed)
{
    int left = (int)random_below(seed, (uint32_t)box_width(box)),
        top = (int)random_below(seed, (uint32_t)box_height(box));
    int width = 1 + (int)random_below(seed, (uint32_t)box_width(box) - (uint32_t)left);
    int height = 1 + (int)random_below(seed, (uint32_t)box_height(box) - (uint32_t)top);
    return (effect_box){box.left + left, box.top + top, box.left + left + width, box.top + top + height};
}

static void check_case(run_function *run, const char *name, const effect_case *given, effect_box box,
                       parallel_pool *const pools[2])
{
    uint64_t seed = given->seed + 1;
    effect_image right = new_image(box);
    bool end = false;

    run(effect_reference(), NULL, given, &right);
    assert_premultiplied(&right, name);
    for (uint32_t set = 0; !end; set++) {
        const effect_functions *f = effect_cpu_at(set, &end);
        for (int i = 0; f && i < 4; i++) {
            char what[80];
            effect_image out = random_image(i == 0 || effect_box_is_empty(box) ? box : piece_of(box, &seed), 1);
            snprintf(what, sizeof what, "%s, %s, seed %llu", name, f->name, (unsigned long long)given->seed);
            run(f, pools[i % 2], given, &out);
            assert_same_texels(&out, &right, out.box, what);
            free_image(&out);
        }
    }
    free_image(&right);
}

static const struct {
    const char *name;
    run_function *run;
    uint32_t count; /* of cases */
} CASES[] = {
    {"flood", run_flood, 2},           {"offset", run_offset, 8},       {"merge", run_merge, 4},
    {"composite", run_composite, 24},  {"blend", run_blend, 32},        {"color matrix", run_color_matrix, 8},
    {"transfer", run_transfer, 12},    {"tile", run_tile, 6},           {"displacement", run_displace, 8},
    {"shadow", run_shadow, 6},         {"to linear", run_to_linear, 6}, {"to sRGB", run_to_srgb, 6},
    {"alpha", run_alpha, 2},           {"8 bits", run_8_bits, 4},       {"blur", run_blur, 60},
    {"convolution", run_convolve, 40}, {"extreme", run_extreme, 40},    {"light", run_light, 24},
    {"noise", run_noise, 16},
};

static void test_small(void **state)
{
    parallel_pool *const pools[] = {NULL, parallel_pool_create(3)};

    (void)state;
    assert_non_null(pools[1]);
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++)
        for (uint32_t k = 0; k < CASES[i].count; k++) {
            uint64_t seed = 1000 * i + k;
            effect_box box = random_box(&seed, 40, k % 7 == 0 ? 3 : 90);
            effect_case given = {.seed = k, .region = effect_box_grow(random_box(&seed, 40, 80), 1, 1)};
            given.in = random_image(random_box(&seed, 40, 90), seed);
            given.in2 = random_image(random_box(&seed, 40, 90), seed + 1);
            check_case(CASES[i].run, CASES[i].name, &given, box, pools);
            free_image(&given.in);
            free_image(&given.in2);
        }
    parallel_pool_destroy(pools[1]);
}

/* Images that are worked on in several blocks, strips and pieces. */
static void test_large(void **state)
{
    parallel_pool *const pools[] = {NULL, parallel_pool_create(3)};
    effect_box box = {-301, -7, 1111, 40}, tall = {3, -200, 270, 61};

    (void)state;
    assert_non_null(pools[1]);
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++)
        for (uint32_t k = 0; k < (CASES[i].run == run_blur ? 8 : 1); k++) {
            effect_case given = {.seed = 50 + k, .region = box};
            given.in = random_image(effect_box_grow(box, -5, 1), 3);
            given.in2 = random_image(effect_box_grow(box, 2, -1), 4);
            check_case(CASES[i].run, CASES[i].name, &given, k % 2 ? tall : box, pools);
            free_image(&given.in);
            free_image(&given.in2);
        }
    parallel_pool_destroy(pools[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_small), cmocka_unit_test(test_large)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
