/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* effects: measures the filter primitives of stage 11 on the CPU device.
 *
 *     effects [--threads N] [--sides N,N,...] [--set NAME] [--only WORD]
 *
 * Each primitive makes an image of N x N * 9 / 16 texels from others of that size, which hold opaque, transparent and
 * translucent runs. Prints the milliseconds of the least of several runs, of processor time if there is one thread,
 * else of wall time, and the nanoseconds a texel takes. Lines that begin with `8 bit` take pixels of 8 bits and give
 * such pixels, conversions included. --set takes the kernels of one instruction set (plain, avx2, avx512); --only
 * takes the primitives whose names hold a word. */
#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/parallel.h"
#include "effect_inputs.h"
#include "layout/blend.h"
#include "render/cpu/effects.h"

#define SECONDS_EACH 0.6

typedef struct measurement {
    const effect_functions *f;
    parallel_pool *pool;
    effect_image in, in2, out;
    effect_box region;
    uint32_t *pixels;
} measurement;

static void stop(const char *why)
{
    fprintf(stderr, "effects: %s\n", why);
    exit(1);
}

static double seconds_of(clockid_t clock)
{
    struct timespec now;

    clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static double seconds(const measurement *measured)
{
    return seconds_of(parallel_pool_threads(measured->pool) == 1 ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC);
}

static void stop_unless(bool done)
{
    if (!done)
        stop("out of memory");
}

static void blur(const measurement *measured, double sigma)
{
    effect_blur blur;
    effect_blur_of(sigma, sigma, EFFECT_EDGE_NONE, &blur);
    stop_unless(measured->f->blur(measured->pool, &blur, measured->region, &measured->in, &measured->out));
}

static void load(const measurement *measured)
{
    measured->f->load(measured->pool, measured->pixels, (size_t)measured->region.right, &measured->in);
}

static void store(const measurement *measured)
{
    measured->f->store(measured->pool, &measured->out, measured->pixels, (size_t)measured->region.right);
}

static void run_load(const measurement *measured, double number)
{
    (void)number;
    load(measured);
}

static void run_store(const measurement *measured, double number)
{
    (void)number;
    store(measured);
}

static void run_blur(const measurement *measured, double sigma)
{
    blur(measured, sigma);
}

static void run_8_bit_blur(const measurement *measured, double sigma)
{
    load(measured);
    blur(measured, sigma);
    store(measured);
}

static void run_linear_blur(const measurement *measured, double sigma)
{
    load(measured);
    measured->f->to_linear(measured->pool, &measured->in, &measured->in);
    blur(measured, sigma);
    measured->f->to_srgb(measured->pool, &measured->out, &measured->out);
    store(measured);
}

static void run_to_linear(const measurement *measured, double number)
{
    (void)number;
    measured->f->to_linear(measured->pool, &measured->in, &measured->out);
}

static void run_flood(const measurement *measured, double number)
{
    (void)number;
    measured->f->flood(measured->pool, effect_color_of(1, 2, 3, 0.5, false), &measured->out);
}

static void run_offset(const measurement *measured, double distance)
{
    effect_offset offset;
    effect_offset_of(distance, distance, &offset);
    measured->f->offset(measured->pool, offset, &measured->in, &measured->out);
}

static void run_merge(const measurement *measured, double number)
{
    (void)number;
    measured->f->merge(measured->pool, &measured->in, &measured->out);
}

static void run_composite(const measurement *measured, double operation)
{
    effect_composite composite;
    effect_composite_of((uint32_t)operation, 0.2, 0.3, 0.4, 0.1, &composite);
    measured->f->composite(measured->pool, &composite, &measured->in, &measured->in2, &measured->out);
}

static void run_blend(const measurement *measured, double mode)
{
    measured->f->blend(measured->pool, (uint)mode, &measured->in, &measured->in2, &measured->out);
}

static void run_color_matrix(const measurement *measured, double degrees)
{
    effect_color_matrix matrix;
    effect_hue_rotate_of(degrees, &matrix);
    measured->f->color_matrix(measured->pool, &matrix, &measured->in, &measured->out);
}

static void run_transfer(const measurement *measured, double exponent)
{
    effect_function function = effect_gamma_function(1, exponent, 0);
    effect_transfer transfer = {function, function, function, effect_identity_function()};
    measured->f->transfer(measured->pool, &transfer, NULL, &measured->in, &measured->out);
}

static void run_tile(const measurement *measured, double side)
{
    measured->f->tile(measured->pool, (effect_box){0, 0, (int)side, (int)side}, &measured->in, &measured->out);
}

static void run_displace(const measurement *measured, double scale)
{
    effect_displacement displacement;
    effect_displacement_of(scale, scale, 0, 1, &displacement);
    measured->f->displace(measured->pool, &displacement, &measured->in, &measured->in2, &measured->out);
}

static void run_shadow(const measurement *measured, double distance)
{
    effect_shadow shadow = {.color = effect_color_of(1, 2, 3, 0.5, false)};
    effect_offset_of(distance, distance, &shadow.offset);
    measured->f->shadow(measured->pool, &shadow, &measured->in, &measured->in2, &measured->out);
}

static void run_convolve(const measurement *measured, double side)
{
    float turned[KERNEL_MOST];
    effect_convolution convolution;
    make_convolution(side, &convolution, turned);
    stop_unless(
        measured->f->convolve(measured->pool, &convolution, turned, measured->region, &measured->in, &measured->out));
}

static void run_extreme(const measurement *measured, double radius)
{
    effect_extreme extreme;
    effect_extreme_of(radius, radius, true, &extreme);
    stop_unless(measured->f->extreme(measured->pool, &extreme, &measured->in, &measured->out));
}

static void run_light(const measurement *measured, double exponent)
{
    effect_light light;
    make_light(exponent, &light);
    measured->f->light(measured->pool, &light, measured->region, &measured->in, &measured->out);
}

static void run_noise(const measurement *measured, double octaves)
{
    uint words[EFFECT_NOISE_WORDS];
    effect_noise noise;
    make_noise(octaves, &noise, words);
    measured->f->noise(measured->pool, &noise, words, &measured->out);
}

typedef struct effect_case {
    const char *name;
    double number; /* of which the name says what it is */
    void (*run)(const measurement *measured, double number);
} effect_case;

static const effect_case CASES[] = {
    {"load", 0, run_load},
    {"store", 0, run_store},
    {"to linear", 0, run_to_linear},
    {"8 bit blur, sigma", 1, run_8_bit_blur},
    {"8 bit blur, sigma", 2, run_8_bit_blur},
    {"8 bit blur, sigma", 5, run_8_bit_blur},
    {"8 bit blur, sigma", 20, run_8_bit_blur},
    {"8 bit blur, sigma", 100, run_8_bit_blur},
    {"8 bit linear blur, sigma", 5, run_linear_blur},
    {"blur, sigma", 1, run_blur},
    {"blur, sigma", 3.9, run_blur},
    {"blur, sigma", 5, run_blur},
    {"blur, sigma", 20, run_blur},
    {"blur, sigma", 100, run_blur},
    {"flood", 0, run_flood},
    {"offset", 3, run_offset},
    {"offset", 3.5, run_offset},
    {"merge", 0, run_merge},
    {"composite, in", EFFECT_IN, run_composite},
    {"composite, arithmetic", EFFECT_ARITHMETIC, run_composite},
    {"blend, multiply", BLEND_MULTIPLY, run_blend},
    {"blend, soft-light", BLEND_SOFT_LIGHT, run_blend},
    {"blend, hue", BLEND_HUE, run_blend},
    {"color matrix, hueRotate", 40, run_color_matrix},
    {"transfer, gamma", 2.2, run_transfer},
    {"tile, side", 50, run_tile},
    {"displacement, scale", 20, run_displace},
    {"shadow, offset", 2.5, run_shadow},
    {"convolution, side", 3, run_convolve},
    {"convolution, side", 9, run_convolve},
    {"extreme, radius", 1, run_extreme},
    {"extreme, radius", 10, run_extreme},
    {"extreme, radius", 100, run_extreme},
    {"diffuse light", 0, run_light},
    {"specular light, exponent", 20, run_light},
    {"noise, octaves", 1, run_noise},
    {"noise, octaves", 4, run_noise},
};

static void measure(const measurement *measured, const effect_case *given)
{
    double least = 1e9, end = seconds_of(CLOCK_MONOTONIC) + SECONDS_EACH;
    double texels = (double)measured->region.right * measured->region.bottom;

    do {
        double start = seconds(measured);
        given->run(measured, given->number);
        double taken = seconds(measured) - start;
        least = taken < least ? taken : least;
    } while (seconds_of(CLOCK_MONOTONIC) < end);
    printf("%5d x %-5d %-26s %5g %9.2f ms %8.3f ns\n", measured->region.right, measured->region.bottom, given->name,
           given->number, least * 1e3, least * 1e9 / texels);
    fflush(stdout);
}

static effect_image make_image(effect_box box)
{
    size_t width = (size_t)box.right, height = (size_t)box.bottom;
    effect_image image = {.texels = malloc(width * height * 4 * sizeof *image.texels), .stride = width, .box = box};
    stop_unless(image.texels);
    return image;
}

/* Runs of up to 64 pixels that are opaque, transparent or anything. */
static void fill_pixels(uint32_t *pixels, size_t count, uint64_t state)
{
    for (size_t i = 0, kind = 0, left = 0; i < count; i++, left--) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        if (left == 0) {
            kind = state >> 40 & 3;
            left = 1 + (state >> 50 & 63);
        }
        uint32_t a = kind == 0 ? 0 : kind == 1 ? (uint32_t)(state >> 60) | 0xc0 : 255;
        pixels[i] = a << 24 | (uint32_t)(state >> 32) % (a + 1) << 16 | (uint32_t)(state >> 36) % (a + 1) << 8 |
                    (uint32_t)(state >> 44) % (a + 1);
    }
}

static void measure_side(measurement *measured, int side, const char *only)
{
    size_t count = (size_t)side * (size_t)(side * 9 / 16);

    measured->region = (effect_box){0, 0, side, side * 9 / 16};
    measured->in = make_image(measured->region);
    measured->in2 = make_image(measured->region);
    measured->out = make_image(measured->region);
    measured->pixels = malloc(count * sizeof *measured->pixels);
    stop_unless(measured->pixels);
    fill_pixels(measured->pixels, count, 1);
    measured->f->load(measured->pool, measured->pixels, (size_t)side, &measured->in2);
    fill_pixels(measured->pixels, count, 2);
    load(measured);
    measured->f->load(measured->pool, measured->pixels, (size_t)side, &measured->out);
    for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++)
        if (!only || strstr(CASES[i].name, only))
            measure(measured, &CASES[i]);
    free(measured->in.texels);
    free(measured->in2.texels);
    free(measured->out.texels);
    free(measured->pixels);
}

static const effect_functions *find_set(const char *name)
{
    const effect_functions *found = NULL;
    bool end = false;

    for (uint32_t i = 0; !end && !found; i++) {
        found = effect_cpu_at(i, &end);
        if (found && strcmp(found->name, name) != 0)
            found = NULL;
    }
    if (!found)
        stop("this machine has no such kernels");
    return found;
}

int main(int count, char **arguments)
{
    measurement measurement = {.f = effect_cpu()};
    const char *sides = "1024,2048,3840,8192", *only = NULL;
    uint32_t threads = 1;

    for (int i = 1; i + 1 < count; i += 2)
        if (strcmp(arguments[i], "--threads") == 0)
            threads = (uint32_t)strtoul(arguments[i + 1], NULL, 10);
        else if (strcmp(arguments[i], "--sides") == 0)
            sides = arguments[i + 1];
        else if (strcmp(arguments[i], "--set") == 0)
            measurement.f = find_set(arguments[i + 1]);
        else if (strcmp(arguments[i], "--only") == 0)
            only = arguments[i + 1];
        else
            stop("unknown option");
    measurement.pool = parallel_pool_create(threads);
    stop_unless(measurement.pool);
    printf("%s, %u threads\n", measurement.f->name, parallel_pool_threads(measurement.pool));
    for (char *at = (char *)sides; *at != '\0';) {
        long side = strtol(at, &at, 10);
        if (side < 16 || side > 16384)
            stop("a side lies outside 16 to 16384");
        measure_side(&measurement, (int)side, only);
        at += *at == ',';
    }
    parallel_pool_destroy(measurement.pool);
    return 0;
}
