/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Surfaces that the GPU draws itself: the same bytes as from the CPU device, at every scale, wherever they lie in their
 * atlas and in however many pieces. No surface is drawn by the CPU. */
#include <math.h>

#include "pietra/pietra_effect.h"
#include "pietra/pietra_explain.h"
#include "property/random_effect.h"
#include "render/device.h"
#include "render/gpu/gpu_pair.h"
#include "scene/scene_fixture.h"
#include "vulkan/context.h"

#define SIDE 128u

static random_source *shuffle; /* NULL: sheets stand on shelves */
static uint32_t submissions, cpu_drawings, allocations, atlases;
static bool gpu_draws;

/* ---- What the library does ---- */

bool __real_sheet_pack(frame_sheet *sheets, size_t count, int *columns, int *rows);
bool __wrap_sheet_pack(frame_sheet *sheets, size_t count, int *columns, int *rows);
/* Puts each sheet to the right of those before it, in random order and with gaps. */
bool __wrap_sheet_pack(frame_sheet *sheets, size_t count, int *columns, int *rows)
{
    atlases++;
    if (!shuffle || count > 64)
        return __real_sheet_pack(sheets, count, columns, rows);
    size_t order[64];
    for (size_t i = 0; i < count; i++) {
        const size_t other = random_below(shuffle, (uint32_t)i + 1);
        order[i] = order[other];
        order[other] = i;
    }
    *columns = *rows = 1;
    for (size_t i = 0; i < count; i++) {
        frame_sheet *sheet = &sheets[order[i]];
        const int top = (int)random_below(shuffle, 3), bottom = top + sheet->box.y1 - sheet->box.y0;
        sheet->x = *columns - sheet->box.x0;
        sheet->y = top - sheet->box.y0;
        *columns += sheet->box.x1 - sheet->box.x0 + (int)random_below(shuffle, 3);
        *rows = bottom > *rows ? bottom : *rows;
    }
    return true;
}

pietra_result __real_gpu_recorder_submit(gpu_recorder *recorder, pietra_error *error);
pietra_result __wrap_gpu_recorder_submit(gpu_recorder *recorder, pietra_error *error);
pietra_result __wrap_gpu_recorder_submit(gpu_recorder *recorder, pietra_error *error)
{
    submissions++;
    return __real_gpu_recorder_submit(recorder, error);
}

pietra_result __real_cpu_renderer_draw(cpu_device *device, const pietra_stream *stream, const frame_config *whole,
                                       part_budget *budget, const pietra_target *target, pietra_error *error,
                                       pietra_stats *stats);
pietra_result __wrap_cpu_renderer_draw(cpu_device *device, const pietra_stream *stream, const frame_config *whole,
                                       part_budget *budget, const pietra_target *target, pietra_error *error,
                                       pietra_stats *stats);
pietra_result __wrap_cpu_renderer_draw(cpu_device *device, const pietra_stream *stream, const frame_config *whole,
                                       part_budget *budget, const pietra_target *target, pietra_error *error,
                                       pietra_stats *stats)
{
    cpu_drawings += gpu_draws;
    return __real_cpu_renderer_draw(device, stream, whole, budget, target, error, stats);
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);

void *__wrap_malloc(size_t size)
{
    allocations++;
    return __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    allocations++;
    return __real_calloc(count, size);
}

void *__wrap_realloc(void *block, size_t size)
{
    allocations++;
    return __real_realloc(block, size);
}

/* ---- Scenes ---- */

static void fill_circle(pietra_scene *scene, double x, double y, double radius, const pietra_paint *paint)
{
    pietra_path *path = pietra_path_create();
    pietra_path_ellipse(path, x, y, radius, radius);
    ASSERT_OK(pietra_scene_fill(scene, path, NULL, PIETRA_FILL_NONZERO, paint, error));
    pietra_path_destroy(path);
}

static pietra_image *image_of(pietra_scene *scene, double width, double height)
{
    pietra_image *image;
    ASSERT_OK(pietra_image_create_from_scene(scene, width, height, error, &image));
    pietra_scene_destroy(scene);
    return image;
}

/* Fills a box with a repeated image, which it destroys. */
static void fill_pattern(pietra_scene *scene, const char *box, pietra_image *image, pietra_transform transform)
{
    const pietra_paint paint = {
        .kind = PIETRA_PAINT_IMAGE, .image = image, .spread = PIETRA_SPREAD_REPEAT, .transform = transform};
    fill(scene, box, &paint);
    pietra_image_destroy(image);
}

static void begin_blur(pietra_scene *scene, double sigma)
{
    const pietra_effect_step step = {.kind = PIETRA_EFFECT_GAUSSIAN_BLUR,
                                     .gaussian_blur = {.sigma_x = sigma, .sigma_y = sigma}};
    const pietra_effect effect = {.steps = &step, .step_count = 1};
    ASSERT_OK(pietra_scene_begin_effect(scene, &effect, NULL, error));
}

/* A thousand cells of equal size but different content, each in a place of its own. */
static pietra_stream *thousand(void)
{
    pietra_scene *scene = new_scene();
    for (int i = 0; i < 1000; i++) {
        char box[64];
        const double x = 5.0 * (i % 32), y = 5.0 * (i / 32);
        pietra_scene *cell = new_scene();
        fill_circle(cell, 1, 1, 0.5 + 0.001 * i, i % 3 == 0 ? &RED : &HALF);
        snprintf(box, sizeof box, "R %g %g 4.5 4.5", x, y);
        fill_pattern(scene, box, image_of(cell, 2, 2), (pietra_transform){1, 0, 0, 1, x, y});
    }
    return encode_and_destroy(scene);
}

/* A cell with circles, with one of them blurred. */
static pietra_image *spotted(double sigma)
{
    pietra_scene *cell = new_scene();
    fill_circle(cell, 2, 2, 1.5, &HALF);
    begin_blur(cell, sigma);
    fill_circle(cell, 5, 4, 2, &RED);
    ASSERT_OK(pietra_scene_end_effect(cell, error));
    return image_of(cell, 7, 6);
}

/* Patterns in patterns, three deep, with effects in them and around them, in clips and groups, at several angles; some
 * cells show one image at two sizes. */
static pietra_stream *nested(void)
{
    pietra_scene *scene = new_scene(), *middle = new_scene(), *outer = new_scene();
    fill_pattern(middle, "R 0 0 17 9", spotted(0.7), (pietra_transform){1, 0.1, -0.1, 1, 0, 0});
    fill_pattern(middle, "R 2 8 17 9", spotted(1.2), (pietra_transform){0.4, 0, 0, 0.5, 1, 1});
    pietra_image *pair = image_of(middle, 20, 18);
    begin_blur(outer, 1);
    fill_pattern(outer, "M 2 2 L 40 9 L 20 38 Z", pair, (pietra_transform){1, 0, 0, 1, 0.3, 0.7});
    ASSERT_OK(pietra_scene_end_effect(outer, error));
    fill_pattern(outer, "R 30 0 20 50", spotted(0.3), (pietra_transform){2, 0, 0, 2, 0, 0});
    fill_pattern(scene, "R 0 0 150 70", image_of(outer, 50, 40), (pietra_transform){1, 0, 0, 1, 4, 4});
    begin_blur(scene, 2);
    fill_pattern(scene, "M 20 80 L 140 75 L 80 155 Z", spotted(0.5), (pietra_transform){2, 1, -1, 2, 0, 0});
    ASSERT_OK(pietra_scene_end_effect(scene, error));
    pietra_scene *empty = new_scene();
    fill_pattern(scene, "R 0 140 20 20", image_of(empty, 3, 3), (pietra_transform){1, 0, 0, 1, 0, 0});
    return encode_and_destroy(scene);
}

/* One large image, whose atlas takes a megabyte. */
static pietra_stream *large(void)
{
    pietra_scene *scene = new_scene();
    pietra_scene *shown = new_scene();
    for (int i = 0; i < 40; i++)
        fill_circle(shown, 3.0 * i, 127.0 - 2.5 * i, 4 + 0.3 * i, i % 2 == 0 ? &RED : &HALF);
    begin_blur(shown, 1);
    fill_circle(shown, 80, 90, 20, &HALF);
    ASSERT_OK(pietra_scene_end_effect(shown, error));
    pietra_image *image = image_of(shown, SIDE, SIDE);
    ASSERT_OK(pietra_scene_draw_image(scene, image, NULL, PIETRA_FILTER_SMOOTH, error));
    pietra_image_destroy(image);
    return encode_and_destroy(scene);
}

/* Random scenes with effects, as images in one another. */
static pietra_stream *random_surfaces(uint64_t seed)
{
    pietra_scene *scene = new_scene();
    for (int i = 0; i < 3; i++) {
        const double turn = 0.7 * i, size = 0.1 + 0.15 * i;
        pietra_scene *cell = random_effect_scene_create(seed + (uint64_t)i, SIDE);
        fill_pattern(cell, "R 20 20 90 60", spotted(0.5), (pietra_transform){3, 0, 0, 2, 0, 0});
        fill_pattern(scene, i == 1 ? "M 0 80 L 150 0 L 120 150 Z" : "R 10 5 100 120", image_of(cell, SIDE, SIDE),
                     (pietra_transform){size * cos(turn), size * sin(turn), -size * sin(turn), size * cos(turn), 3, 0});
    }
    return encode_and_destroy(scene);
}

/* ---- Devices ---- */

static pietra_result draw(pietra_device *device, const pietra_stream *stream, const pietra_transform *transform,
                          pietra_error *error, uint32_t *pixels)
{
    const pietra_frame frame = {.transform = *transform, .background = {1, 1, 0.5f, 1}};
    const pietra_target target = {
        .width = SIDE, .height = SIDE, .format = PIETRA_FORMAT_RGBA8_PREMULTIPLIED, .pixels = pixels};
    memset(pixels, 0xa5, 4 * SIDE * SIDE);
    submissions = allocations = atlases = 0;
    gpu_draws = device->renderer;
    pietra_result result = pietra_render(device, stream, &frame, &target, error, NULL);
    gpu_draws = false;
    return result;
}

static void expect_same_in(const gpu_pair *test, const pietra_stream *stream, pietra_transform transform)
{
    static uint32_t expected[SIDE * SIDE], found[SIDE * SIDE];
    ASSERT_OK(draw(test->cpu, stream, &transform, error, expected));
    ASSERT_OK(draw(test->device, stream, &transform, error, found));
    assert_memory_equal(expected, found, sizeof expected);
    assert_int_equal(cpu_drawings, 0);
    assert_null(test->device->surfaces.cpu);
}

static void expect_same(const gpu_pair *test, const pietra_stream *stream, double scale)
{
    expect_same_in(test, stream, (pietra_transform){scale, 0, 0, scale, 0.25, 3});
}

static uint64_t drawn_count(const gpu_pair *test)
{
    return test->device->packed_surfaces.drawn_count;
}

/* ---- Tests ---- */

/* All surfaces that show no other are drawn at once, and none of them again while their sizes stay. Such frames
 * allocate nothing. */
static void test_thousand(void **state)
{
    const gpu_pair *test = *state;
    pietra_stream *stream = thousand();
    const uint64_t before = drawn_count(test);
    expect_same(test, stream, 1);
    assert_int_equal(drawn_count(test) - before, 1000);
    assert_true(submissions <= 12);
    for (int i = 0; i < 2; i++) {
        expect_same_in(test, stream, (pietra_transform){1, 0, 0, 1, 7.5 * i, 3});
        assert_int_equal(submissions, 2); /* the frame, and its pixels */
    }
    assert_int_equal(allocations, 0);
    expect_same_in(test, stream, (pietra_transform){0, 1, -1, 0, SIDE, 0});
    assert_int_equal(drawn_count(test) - before, 1000);
    pietra_stream_destroy(stream);
}

/* Surfaces that keep their sizes are not drawn again when others change theirs, unless they show others. */
static void test_kept(void **state)
{
    const gpu_pair *test = *state;
    pietra_scene *scene = new_scene(), *large = new_scene(), *outer = new_scene();
    for (int i = 0; i < 3; i++) {
        pietra_scene *cell = new_scene();
        fill_circle(cell, 1, 1, 0.5 + 0.2 * i, i == 1 ? &RED : &HALF);
        fill_pattern(i == 2 ? outer : scene, i == 0 ? "R 5 5 40 60" : "R 0 0 30 70", image_of(cell, 2, 2),
                     (pietra_transform){1, 0, 0, 1, 0, 0});
    }
    fill_pattern(scene, "R 50 5 60 60", image_of(outer, 2, 2), (pietra_transform){1, 0, 0, 1, 0, 0});
    fill_circle(large, 20, 20, 19, &RED);
    fill_pattern(scene, "R 5 70 110 50", image_of(large, 40, 40), (pietra_transform){1, 0, 0, 1, 0, 0});
    pietra_stream *stream = encode_and_destroy(scene);
    static const struct {
        double scale;
        uint32_t drawn;
    } frames[] = {{1, 5}, {1.02, 2}, {1.021, 0}, {1.04, 2}, {2, 5}, {2.02, 2}};
    for (size_t i = 0; i < sizeof frames / sizeof frames[0]; i++) {
        const uint64_t before = drawn_count(test);
        expect_same(test, stream, frames[i].scale);
        assert_int_equal(drawn_count(test) - before, frames[i].drawn);
    }
    pietra_stream_destroy(stream);
}

/* A document that is zoomed stays on the device. What was drawn between does not matter. */
static void test_zoom(void **state)
{
    const gpu_pair *test = *state;
    pietra_stream *stream = nested(), *other = encode_and_destroy(surface_scene());
    for (int i = 0; i < 20; i++) {
        const uint64_t before = drawn_count(test);
        const double scale = 0.2 * pow(1.09, i);
        expect_same(test, stream, scale);
        assert_true(drawn_count(test) > before);
        if (i % 7 > 0)
            continue;
        expect_same(test, other, scale);
        expect_same(test, stream, scale);
    }
    pietra_stream_destroy(stream);
    pietra_stream_destroy(other);
}

static void test_any_place(void **state)
{
    const gpu_pair *test = *state;
    random_source random = random_start(9);
    for (uint64_t seed = 40; seed < 49; seed += 3) {
        pietra_stream *stream = random_surfaces(seed);
        shuffle = seed % 2 == 0 ? &random : NULL;
        expect_same(test, stream, 0.8);
        shuffle = NULL;
        pietra_stream_destroy(stream);
    }
}

/* Where kernels see little at once, surfaces are drawn one after the other, and in pieces. */
static void test_small_bindings(void **state)
{
    const gpu_pair *test = *state;
    gpu_limits *limits = &test->device->gpu->limits;
    const uint64_t before = limits->max_binding_bytes;
    const struct {
        pietra_stream *stream;
        uint64_t bytes;
        uint32_t atlases_least; /* tried ones included */
    } cases[] = {{nested(), 3000000, 4}, {large(), (1u << 20) + 100u, 4}, {thousand(), 3000000, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        limits->max_binding_bytes = cases[i].bytes;
        expect_same(test, cases[i].stream, 1);
        assert_true(atlases >= cases[i].atlases_least);
        limits->max_binding_bytes = before;
        pietra_stream_destroy(cases[i].stream);
    }
}

/* Either a budget draws, or the error names one that does. What suffices depends on the shapes of the device's
 * kernels. */
static void test_small_budgets(void **state)
{
    const gpu_pair *test = *state;
    const uint64_t before = test->device->budget_bytes;
    static uint32_t pixels[SIDE * SIDE];
    const pietra_transform transform = {1, 0, 0, 1, 0.25, 3};
    const struct {
        pietra_stream *stream;
        uint64_t budget;
        bool refused; /* by any device */
    } cases[] = {{nested(), 1u << 21, false},
                 {nested(), 1u << 14, true},
                 {large(), 1u << 19, false},
                 {encode_and_destroy(surface_scene()), 1u << 12, true}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        pietra_error error;
        test->device->budget_bytes = cases[i].budget;
        pietra_result result = draw(test->device, cases[i].stream, &transform, &error, pixels);
        if (result != PIETRA_OK || cases[i].refused) {
            assert_int_equal(result, PIETRA_ERROR_BUDGET);
            const char *number = strstr(error.message, "needs ");
            assert_non_null(number);
            assert_true(strtoull(number + 6, NULL, 10) > cases[i].budget);
            test->device->budget_bytes = strtoull(number + 6, NULL, 10);
        }
        expect_same(test, cases[i].stream, 1);
        pietra_stream_destroy(cases[i].stream);
    }
    test->device->budget_bytes = before;
}

static void count_step(void *user, const pietra_pixel_step *step)
{
    *(uint32_t *)user += step->event == PIETRA_PIXEL_PAINTS;
}

/* A pixel is explained, and stages are compared, with the surfaces that frames of the device show. */
static void test_explained(void **state)
{
    gpu_pair *test = *state;
    static uint32_t drawn[SIDE * SIDE], explained[SIDE * SIDE];
    const pietra_transform once = {1, 0, 0, 1, 0, 0};
    const pietra_frame frame = {.transform = once, .background = {1, 1, 0.5f, 1}};
    const pietra_target target = {
        .width = SIDE, .height = SIDE, .format = PIETRA_FORMAT_RGBA8_PREMULTIPLIED, .pixels = explained};
    pietra_stream *stream = thousand();
    pietra_stage_difference difference;
    ASSERT_OK(draw(test->cpu, stream, &once, error, drawn));
    for (int i = 0; i < 2; i++) {
        uint32_t paints = 0;
        cpu_drawings = 0;
        gpu_draws = true;
        ASSERT_OK(pietra_explain_pixel(test->device, stream, &frame, &target, 2, 2, count_step, &paints, error));
        ASSERT_OK(pietra_compare_stages(test->device, stream, &frame, SIDE, SIDE, error, &difference));
        gpu_draws = false;
        assert_true(paints > 0);
        assert_int_equal(cpu_drawings, 0);
        assert_memory_equal(explained, drawn, sizeof drawn);
        if (difference.stage)
            fail_msg("%s: %s: %s", difference.stage, difference.buffer, difference.text);
    }
    pietra_stream_destroy(stream);
}

static int setup(void **state)
{
    static gpu_pair pair;
    gpu_pair_open(&pair);
    *state = &pair;
    return 0;
}

static int teardown(void **state)
{
    gpu_pair_close(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kept),      cmocka_unit_test(test_thousand),       cmocka_unit_test(test_zoom),
        cmocka_unit_test(test_any_place), cmocka_unit_test(test_small_bindings), cmocka_unit_test(test_small_budgets),
        cmocka_unit_test(test_explained),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
