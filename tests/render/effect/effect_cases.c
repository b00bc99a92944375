/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/effect/effect_cases.h"

#include <math.h>

#include "layout/blend.h"
#include "render/effect/prepare.h"
#include "render/reference/effect_reference.h"

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

/* Returns an image of pixels, with as much room between rows as new_image leaves. */
static effect_image new_pixels(effect_box box)
{
    size_t stride = box_width(box) + 3;
    effect_image image = {.pixels = calloc(stride * box_height(box) + 1, 4), .stride = stride, .box = box};
    assert_non_null(image.pixels);
    return image;
}

/* Does what a function that takes pixels does. */
static void blur_pixels(const effect_functions *f, parallel_pool *pool, const effect_blur *blur, effect_box region,
                        const effect_image *in, const effect_image *out)
{
    effect_image from = in->pixels ? new_image(in->box) : *in, to = out->pixels ? new_image(out->box) : *out;
    if (in->pixels)
        f->load(pool, in->pixels, in->stride, &from);
    if (in->has_alpha_alone)
        f->alpha(pool, &from, &from);
    assert_true(f->blur(pool, blur, region, &from, &to));
    if (out->pixels)
        f->store(pool, &to, out->pixels, out->stride);
    if (in->pixels)
        free_image(&from);
    if (out->pixels)
        free_image(&to);
}

/* A blur of pixels, to pixels, or both, along one axis or two. */
static void run_blur_of_pixels(const effect_functions *f, parallel_pool *pool, const effect_case *given,
                               const effect_image *out)
{
    uint64_t seed = given->seed;
    const uint32_t edge = random_below(&seed, 2) ? EFFECT_EDGE_NONE : EFFECT_EDGE_DUPLICATE;
    const uint32_t reads = random_below(&seed, 3), axes = random_below(&seed, 4);
    const double x = pow(2, between(&seed, -2, 6)), y = pow(2, between(&seed, -2, 6));
    const bool writes = reads == 0 || random_below(&seed, 2);
    effect_image in = reads ? new_pixels(given->in.box) : given->in, to = writes ? new_pixels(out->box) : *out;
    effect_blur blur;
    effect_blur_of(axes == 0 ? 0 : x, axes == 1 ? 0 : y, edge, &blur);
    if (reads)
        effect_reference()->store(NULL, &given->in, in.pixels, in.stride);
    in.has_alpha_alone = reads == 2;
    if (f->takes_pixels)
        assert_true(f->blur(pool, &blur, given->region, &in, &to));
    else
        blur_pixels(f, pool, &blur, given->region, &in, &to);
    if (writes)
        effect_reference()->load(NULL, to.pixels, to.stride, out);
    if (reads)
        free(in.pixels);
    if (writes)
        free(to.pixels);
}

static void run_to_srgb_pixels(const effect_functions *f, parallel_pool *pool, const effect_case *given,
                               const effect_image *out)
{
    effect_image to = new_pixels(out->box);
    if (f->takes_pixels) {
        f->to_srgb(pool, &given->in, &to);
    } else {
        f->to_srgb(pool, &given->in, out);
        f->store(pool, out, to.pixels, to.stride);
    }
    effect_reference()->load(NULL, to.pixels, to.stride, out);
    free(to.pixels);
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

const effect_case_kind effect_case_kinds[] = {
    {"flood", run_flood, 2, false},
    {"offset", run_offset, 8, false},
    {"merge", run_merge, 4, false},
    {"composite", run_composite, 24, false},
    {"blend", run_blend, 32, false},
    {"color matrix", run_color_matrix, 8, false},
    {"transfer", run_transfer, 12, false},
    {"tile", run_tile, 6, false},
    {"displacement", run_displace, 8, false},
    {"shadow", run_shadow, 6, false},
    {"to linear", run_to_linear, 6, false},
    {"to sRGB", run_to_srgb, 6, false},
    {"alpha", run_alpha, 2, false},
    {"8 bits", run_8_bits, 4, false},
    {"blur", run_blur, 60, true},
    {"blur of pixels", run_blur_of_pixels, 40, true},
    {"to sRGB, stored", run_to_srgb_pixels, 3, false},
    {"convolution", run_convolve, 40, false},
    {"extreme", run_extreme, 40, false},
    {"light", run_light, 24, false},
    {"noise", run_noise, 16, false},
};
const size_t effect_case_kind_count = sizeof effect_case_kinds / sizeof effect_case_kinds[0];

static effect_box random_box(uint64_t *seed, int reach, int most)
{
    int left = (int)random_below(seed, 2 * (uint32_t)reach) - reach,
        top = (int)random_below(seed, 2 * (uint32_t)reach) - reach;
    return (effect_box){left, top, left + (int)random_below(seed, (uint32_t)most),
                        top + (int)random_below(seed, (uint32_t)most)};
}

effect_case effect_case_small(size_t kind, uint32_t number, effect_box *box)
{
    uint64_t seed = 1000 * kind + number;
    *box = random_box(&seed, 40, number % 7 == 0 ? 3 : 90);
    effect_case given = {.seed = number, .region = effect_box_grow(random_box(&seed, 40, 80), 1, 1)};
    given.in = random_image(random_box(&seed, 40, 90), seed);
    given.in2 = random_image(random_box(&seed, 40, 90), seed + 1);
    return given;
}

effect_case effect_case_large(uint32_t number, effect_box *box)
{
    const effect_box wide = {-301, -7, 1111, 40};
    const effect_box tall = {-40, -200, 270 + 5 * (int)number, 61 + 3 * (int)number};
    const effect_box region = number % 2 ? tall : wide;
    effect_case given = {.seed = 50 + number, .region = region};
    given.in = random_image(effect_box_grow(region, -5, 1), 3);
    given.in2 = random_image(effect_box_grow(region, 2, -1), 4);
    *box = region;
    return given;
}

void effect_case_free(effect_case *given)
{
    free_image(&given->in);
    free_image(&given->in2);
}

effect_box effect_case_piece(effect_box box, uint64_t *seed)
{
    int left = (int)random_below(seed, (uint32_t)box_width(box)),
        top = (int)random_below(seed, (uint32_t)box_height(box));
    int width = 1 + (int)random_below(seed, (uint32_t)box_width(box) - (uint32_t)left);
    int height = 1 + (int)random_below(seed, (uint32_t)box_height(box) - (uint32_t)top);
    return (effect_box){box.left + left, box.top + top, box.left + left + width, box.top + top + height};
}
