/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Whole pictures have the reference's bytes with every instruction set of this machine that the CPU device has kernels
 * for, with one thread and with several. */
#include "all_sizes.h"
#include "lib/paint.h"
#include "render/cpu/kernels.h"
#include "render/frame/config.h"
#include "render/cpu/cpu_renderer.h"
#include "render/reference/reference_renderer.h"
#include "property/random_scene.h"
#include "scene/blend.h"
#include "scene/scene_fixture.h"

/* An emulator draws fewer: see .ci/cross. */
#ifndef RANDOM_SCENES
#define RANDOM_SCENES (few_cases() ? 6u : all_sizes() ? 60u : 20u)
#endif
#define WIDTH_MOST 331u
#define HEIGHT_MOST 203u

static const uint32_t SIZES[][2] = {{157, 93}, {WIDTH_MOST, HEIGHT_MOST}};
static const uint32_t THREADS[] = {1, 3};
static const pietra_stop STOPS[] = {
    {0.05f, {1, 0.5f, 0, 1}},
    {0.4f, {0, 0.5f, 1, 0.3f}},
    {0.4f, {1, 1, 0, 1}},
    {0.9f, {0.2f, 1, 0.3f, 1}},
};

static void fill_with(pietra_scene *scene, const char *data, pietra_fill_rule rule, const pietra_paint *paint)
{
    pietra_path *path = path_from(data);
    ASSERT_OK(pietra_scene_fill(scene, path, NULL, rule, paint, error));
    pietra_path_destroy(path);
}

/* Gradients along rows, along columns, diagonal, radial, radial with the focus elsewhere, and sweeping from either
 * side, with every spread. */
static pietra_scene *gradients(void)
{
    static const double ends[][6] = {
        {20, 0, 0, 90, 0, 0},    {0, 10, 0, 0, 70, 0},    {10, 5, 0, 120, 80, 0},
        {90, 40, 3, 90, 40, 50}, {60, 30, 0, 90, 50, 60}, {70, 60.5, 0, 0, 0, 0},
    };
    pietra_scene *scene = new_scene();
    for (int i = 0; i < 18; i++) {
        const double *end = ends[i % 6];
        pietra_paint paint = {.kind = i % 6 < 3    ? PIETRA_PAINT_LINEAR
                                      : i % 6 == 5 ? PIETRA_PAINT_SWEEP
                                                   : PIETRA_PAINT_RADIAL,
                              .start_degrees = 40 * i - 200,
                              .end_degrees = 170,
                              .stops = STOPS,
                              .stop_count = 4,
                              .interpolation = (pietra_interpolation)(i & 1)};
        paint.spread = (pietra_spread)(i / 6);
        paint.x0 = end[0];
        paint.y0 = end[1];
        paint.r0 = end[2];
        paint.x1 = end[3];
        paint.y1 = end[4];
        paint.r1 = end[5];
        char data[200];
        snprintf(data, sizeof data, "M %d 3.3 C 400 90 -100 60 310 %d L %d 190.6 Q 20 100 %d 4 Z", 5 + i, 150 + i,
                 30 * i, 25 * i);
        fill_with(scene, i == 0 ? "R 0 0 331 203" : data, i & 1 ? PIETRA_FILL_EVEN_ODD : PIETRA_FILL_NONZERO, &paint);
    }
    return scene;
}

/* Shadows of boxes, sharp and blurred, in maps that are upright, turned and skewed. */
static pietra_scene *shadows(void)
{
    pietra_scene *scene = new_scene();
    for (int i = 0; i < 40; i++) {
        const pietra_shadow shadow = {.box = {90, 50, 150 + 9 * i, 110},
                                      .radii = {i, 30, i % 7, 0.5 * i},
                                      .sigma = i % 3 == 0 ? 0.1 * i : i,
                                      .inset = i % 5 == 0,
                                      .color = {0.02f * (float)i, 0.4f, 1 - 0.02f * (float)i, 0.3f}};
        pietra_paint paint = pietra_box_shadow(&shadow);
        if (i % 4 != 0)
            paint.transform = (pietra_transform){1, i % 4 == 1 ? 0 : 0.3, 0.02 * i, 0.7, 0, 0};
        else if (i % 8 != 0)
            paint.transform = (pietra_transform){-0.1 * i, 0, 0, 1.3, 400, -20};
        fill_with(scene, "R 0 0 331 203", PIETRA_FILL_NONZERO, &paint);
    }
    return scene;
}

/* Every join and cap, curved and straight, solid and dashed, from hairlines to pens wider than their curves. */
static pietra_scene *strokes(void)
{
    static const double widths[] = {0.3, 1.5, 9, 45}, dashes[] = {7, 3, 0, 4.5};
    static const char *const paths[] = {"M 10 100 C 300 -150 20 300 320 90 Q 200 10 160 180",
                                        "M 5 5 L 320 190 L 60 150 L 310 20 Z",
                                        "M 165 3 Q 900 100 160 200 Q -500 100 165 3 Z"};
    pietra_scene *scene = new_scene();
    for (unsigned i = 0; i < 24; i++) {
        pietra_stroke style = {
            .width = widths[i / 3 % 4], .cap = (pietra_cap)(i % 3), .join = (pietra_join)(i % 5), .miter_limit = 4};
        pietra_paint paint = {
            .kind = i % 4 == 0 ? PIETRA_PAINT_LINEAR : PIETRA_PAINT_SOLID, .stops = STOPS, .stop_count = 4, .x1 = 331};
        paint.color = (pietra_color){0.1f * (float)(i % 10), 0.4f, 1 - 0.1f * (float)(i % 10), 0.6f};
        style.dashes = dashes;
        style.dash_count = i >= 12 ? 1 + i % 4 : 0;
        pietra_path *path = path_from(paths[i % 3]);
        ASSERT_OK(pietra_scene_stroke(scene, path, NULL, &style, &paint, error));
        pietra_path_destroy(path);
    }
    return scene;
}

/* Groups of every blend mode, in clips by paths and by sources, and in masks. */
static pietra_scene *layers(void)
{
    pietra_paint gradient = {.kind = PIETRA_PAINT_LINEAR, .stops = STOPS, .stop_count = 4, .x1 = 331, .y1 = 40};
    pietra_scene *scene = new_scene();
    fill(scene, "R 9.5 7.25 300 180", &gradient);
    for (int mode = 0; mode < BLEND_COUNT; mode++) {
        if (mode % 3 == 0) {
            begin_clip(scene, "M 160 -5 C 400 60 300 260 100 190 L 3 60 Z");
        } else if (mode % 3 == 1) {
            begin_source(scene);
            fill(scene, "M 2 2 Q 400 90 20 200 Z", &RED);
            stroke(scene, "M 300 5 L 40 170", &(pietra_stroke){.width = 25});
            end_source(scene);
        } else {
            ASSERT_OK(pietra_scene_begin_mask_source(scene, (pietra_mask_kind)(mode / 3 % 3), error));
            fill(scene, "M 320 10 C 200 250 100 250 5 30 Z", &gradient);
            ASSERT_OK(pietra_scene_end_mask_source(scene, error));
        }
        begin_group(scene, 0.1f * (float)(mode % 11));
        ASSERT_OK(pietra_scene_begin_blended_group(scene, mode % 2 ? 0.7f : 1.0f, (pietra_blend)mode, error));
        char data[200];
        snprintf(data, sizeof data, "M %d 10 L 330 %d L %d 200 C 9 9 150 40 60 5 Z", 8 * mode, 9 * mode, 15 * mode);
        fill(scene, data, mode % 4 ? &gradient : &HALF);
        end_group(scene);
        end_group(scene);
        if (mode % 3 == 2)
            ASSERT_OK(pietra_scene_end_mask(scene, error));
        else
            end_clip(scene);
    }
    return scene;
}

static pietra_scene *scene_of(uint32_t index)
{
    pietra_scene *(*const made[])(void) = {gradients,     shadows,       strokes,        layers,
                                           complex_scene, masking_scene, blending_scene, image_scene};
    const uint32_t count = sizeof made / sizeof made[0];
    return index < count                   ? made[index]()
           : index < count + RANDOM_SCENES ? random_scene_create(index, RANDOM_ANYTHING, HEIGHT_MOST)
                                           : NULL;
}

typedef struct picture_case {
    uint32_t scene;
    const pietra_stream *stream;
    pietra_target target;
    frame_config config;
    const uint32_t *right; /* the expected pixels, in rows of config.target_pitch */
} picture_case;

static bool draws_right(const picture_case *given, const cpu_kernels *kernels, parallel_pool *pool)
{
    cpu_device *device = cpu_device_create(pool, kernels);
    assert_non_null(device);
    pietra_stats stats = {0};
    memset(given->target.pixels, 0x5a, (size_t)given->target.width * given->target.height * 4);
    ASSERT_OK(cpu_renderer_draw(device, given->stream, &given->config, &(part_budget){.bytes = 0}, &given->target,
                                error, &stats));
    cpu_device_destroy(device);
    for (uint32_t y = 0; y < given->target.height; y++) {
        const uint32_t *row = (const uint32_t *)given->target.pixels + (size_t)y * given->target.width;
        if (memcmp(row, given->right + (size_t)y * given->config.target_pitch, 4 * (size_t)given->target.width) != 0) {
            print_error("scene %u, %u pixels wide, %u threads, kernels %s: row %u differs\n", given->scene,
                        given->target.width, parallel_pool_threads(pool), kernels->name, y);
            return false;
        }
    }
    return true;
}

/* All sets draw before the test fails: whether one or all are wrong says where to look. */
static void expect_all_sets(const picture_case *given)
{
    uint right = 0, wrong = 0;
    for (size_t i = 0; i < sizeof THREADS / sizeof THREADS[0]; i++) {
        parallel_pool *pool = parallel_pool_create(THREADS[i]);
        assert_non_null(pool);
        bool end = false;
        for (uint set = 0; !end; set++) {
            const cpu_kernels *kernels = cpu_kernels_at(set, &end);
            if (kernels && draws_right(given, kernels, pool))
                right++;
            else if (kernels)
                wrong++;
        }
        parallel_pool_destroy(pool);
    }
    if (wrong)
        fail_msg("%u pictures differ, named above; %u are right", wrong, right);
}

static void test_pictures(void **state)
{
    (void)state;
    static uint32_t pixels[WIDTH_MOST * HEIGHT_MOST];
    pietra_scene *scene;
    for (uint32_t index = 0; (scene = scene_of(index)); index++) {
        pietra_stream *stream = encode_and_destroy(scene);
        for (size_t i = 0; i < sizeof SIZES / sizeof SIZES[0]; i++) {
            picture_case given = {.scene = index, .stream = stream};
            pietra_stats stats = {0};
            uint32_t *right;
            given.target = (pietra_target){.width = SIZES[i][0], .height = SIZES[i][1], .pixels = pixels};
            given.target.format = (index + i) % 2 ? PIETRA_FORMAT_RGBA8_PREMULTIPLIED : PIETRA_FORMAT_RGBA8_STRAIGHT;
            ASSERT_OK(config_of_frame(NULL, &given.target, error, &given.config));
            ASSERT_OK(
                reference_draw(stream, &given.config, &(part_budget){.bytes = 0}, NULL, NULL, error, &stats, &right));
            given.right = right;
            expect_all_sets(&given);
            free(right);
        }
        pietra_stream_destroy(stream);
    }
}

/* This kernel is not chosen by the device: the best one of the process cuts curves (src/render/cpu/flatten.c). */
static void test_subdivide(void **state)
{
    (void)state;
    random_source source = random_start(3);
    for (int i = 0; i < 20000; i++) {
        float values[8];
        double reach = i % 3 == 0 ? 4 : i % 3 == 1 ? 300 : 30000;
        for (int k = 0; k < 8; k++)
            values[k] = (float)random_between(&source, -reach, reach);
        curve cut = {.order = 2 + (uint)i % 2, .x0 = values[0], .y0 = values[1], .x1 = values[2], .y1 = values[3]};
        cut.x2 = cut.order == 3 ? values[4] : values[6];
        cut.y2 = cut.order == 3 ? values[5] : values[7];
        cut.x3 = values[6];
        cut.y3 = values[7];
        curve_bend bend = bend_of_curve(cut);
        float bound = (float)(random_between(&source, 0, 2) * reach);
        subdivision right = subdivision_by_bend(bend, bound);
        bool end = false;
        uint wrong = 0;
        for (uint set = 0; !end; set++) {
            const cpu_kernels *kernels = cpu_kernels_at(set, &end);
            if (!kernels)
                continue;
            subdivision found = kernels->subdivide(&bend, bound);
            if (found.pieces != right.pieces || memcmp(&found.part, &right.part, sizeof found.part) != 0 ||
                found.weights != right.weights || found.later_weights != right.later_weights) {
                print_error("curve %d, kernels %s: cut in %u, not %u\n", i, kernels->name, found.pieces, right.pieces);
                wrong++;
            }
        }
        assert_int_equal(wrong, 0);
    }
}

static uint32_t stored(uint32_t pixel, cpu_stored_as as)
{
    const uint32_t color = as.straight ? color_straight(pixel) : pixel;
    const uint32_t r = color & 255u, b = color >> 16 & 255u;
    const uint32_t ordered = as.blue_first ? (color & 0xff00ff00u) | b | r << 16 : color;
    return as.opaque ? ordered | 0xff000000u : ordered;
}

static bool stores_right(const cpu_kernels *kernels, const uint32_t *pixels, int count, cpu_stored_as as)
{
    static uint8_t bytes[4 * 257];
    memset(bytes, 0x5a, sizeof bytes);
    kernels->store_row(bytes, pixels, count, as);
    for (int x = 0; x < count; x++) {
        const uint32_t right = stored(pixels[x], as);
        for (int i = 0; i < 4; i++)
            if (bytes[4 * x + i] != (uint8_t)(right >> 8 * i)) {
                print_error("kernels %s: byte %d of %08x is %u\n", kernels->name, i, pixels[x], bytes[4 * x + i]);
                return false;
            }
    }
    return bytes[4 * count] == 0x5a;
}

/* Every channel of every alpha is stored in every format, in rows of each length modulo a vector's. */
static void test_stored_colors(void **state)
{
    (void)state;
    uint32_t pixels[256];
    uint wrong = 0;
    for (uint32_t alpha = 0; alpha < 256; alpha++) {
        for (uint32_t i = 0; i <= alpha; i++)
            pixels[i] = i | (alpha - i) << 8 | (i * 7 % (alpha + 1)) << 16 | alpha << 24;
        bool end = false;
        for (uint set = 0; !end; set++) {
            const cpu_kernels *kernels = cpu_kernels_at(set, &end);
            for (uint as = 0; kernels && as < 8; as++)
                wrong += !stores_right(kernels, pixels, (int)alpha + 1,
                                       (cpu_stored_as){(as & 1) != 0, (as & 2) != 0, (as & 4) != 0});
        }
    }
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pictures), cmocka_unit_test(test_subdivide),
                                       cmocka_unit_test(test_stored_colors)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
