/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Large pictures, whose elements come in several batches and give every thread its share. The bytes are the reference
 * device's, for any number of threads, for any budget, and from one frame to the next. */
#include "all_sizes.h"
#include "property/random_scene.h"
#include "scene/scene_fixture.h"

#define SIDE 700u
#define SPIRALS (all_sizes() ? 30u : 15u)
#define TURNS 300u
#define SHARED_TURNS 4500u
#define SCATTERED 100u /* shapes upon each spiral */
#define ROWS (all_sizes() ? 400u : few_cases() ? 60u : 100u)
#define COLUMNS 500u

/* Adds a long curve that crosses itself. It has many lines in each band, in some bands more than 32-bit sums surely
 * hold. Threads share the longest one. */
static void add_spiral(pietra_scene *scene, random_source *source, uint32_t turns)
{
    pietra_path *path = pietra_path_create();
    double x = random_between(source, 0, SIDE), y = random_between(source, 0, SIDE);
    pietra_path_move_to(path, x, y);
    for (uint32_t i = 0; i < turns; i++) {
        double reach = random_between(source, 2, 60);
        pietra_path_cubic_to(path, x + reach, y - reach, x + 2 * reach, y + reach,
                             x + random_between(source, -reach, reach), y);
    }
    pietra_path_close(path);
    pietra_paint paint = {.color = {(float)random_between(source, 0, 1), 0.5f, 0.25f, 0.5f}};
    ASSERT_OK(pietra_scene_fill(scene, path, NULL, random_below(source, 2) ? PIETRA_FILL_NONZERO : PIETRA_FILL_EVEN_ODD,
                                &paint, error));
    pietra_path_destroy(path);
}

static void add_scattered(pietra_scene *scene, random_source *source)
{
    pietra_path *path = pietra_path_create();
    double x = random_between(source, -20, SIDE), y = random_between(source, -20, SIDE);
    pietra_path_move_to(path, x, y);
    pietra_path_quad_to(path, x + random_between(source, 0, 30), y, x + 10, y + random_between(source, 0, 30));
    pietra_path_line_to(path, x, y + 12);
    pietra_stroke stroke = {
        .width = random_between(source, 0.2, 6), .join = (pietra_join)random_below(source, 3), .miter_limit = 4};
    pietra_paint paint = {
        .color = {0.2f, (float)random_between(source, 0, 1), 0.7f, random_below(source, 2) ? 1.0f : 0.4f}};
    if (random_below(source, 2))
        ASSERT_OK(pietra_scene_fill(scene, path, NULL, PIETRA_FILL_NONZERO, &paint, error));
    else
        ASSERT_OK(pietra_scene_stroke(scene, path, NULL, &stroke, &paint, error));
    pietra_path_destroy(path);
}

static pietra_stream *large_scene(void)
{
    random_source source = random_start(11);
    pietra_scene *scene = new_scene();
    for (uint32_t i = 0; i < SPIRALS; i++) {
        add_spiral(scene, &source, i % 15 == 14 ? SHARED_TURNS : TURNS);
        for (uint32_t k = 0; k < SCATTERED; k++)
            add_scattered(scene, &source);
        if (i % 3 == 0)
            random_scene_add(scene, i, RANDOM_ANYTHING, SIDE);
    }
    return encode_and_destroy(scene);
}

static void draw_reference(const pietra_stream *stream, uint32_t *pixels)
{
    pietra_device_options options = {.kind = PIETRA_DEVICE_REFERENCE};
    pietra_target target = {
        .width = SIDE, .height = SIDE, .format = PIETRA_FORMAT_RGBA8_PREMULTIPLIED, .pixels = pixels};
    pietra_device *device;
    ASSERT_OK(pietra_device_create(&options, error, &device));
    ASSERT_OK(pietra_render(device, stream, NULL, &target, error, NULL));
    pietra_device_destroy(device);
}

/* Draws twice, since the second frame finds the first frame's memory, and then into a target that may spoil. */
static void draw(pietra_device_options options, const pietra_stream *stream, const uint32_t *right, uint32_t *pixels)
{
    pietra_device *device;
    ASSERT_OK(pietra_device_create(&options, error, &device));
    for (int frame = 0; frame < 3; frame++) {
        memset(pixels, 0x5a, SIDE * SIDE * sizeof *pixels);
        pietra_target target = {
            .width = SIDE, .height = SIDE, .format = PIETRA_FORMAT_RGBA8_PREMULTIPLIED, .pixels = pixels};
        target.may_spoil = frame == 2;
        pietra_error error = {.message = ""};
        pietra_stats stats;
        if (pietra_render(device, stream, NULL, &target, &error, &stats) != PIETRA_OK) {
            fail_msg("%u threads, %llu bytes: %s", options.threads, (unsigned long long)options.memory_budget_bytes,
                     error.message);
        }
        if (memcmp(pixels, right, SIDE * SIDE * sizeof *pixels) != 0) {
            fail_msg("%u threads, %llu bytes: other pixels", options.threads,
                     (unsigned long long)options.memory_budget_bytes);
        }
    }
    pietra_device_destroy(device);
}

static void test_threads_and_budgets(void **state)
{
    (void)state;
    static uint32_t right[SIDE * SIDE], pixels[SIDE * SIDE];
    const uint32_t threads[] = {1, 2, 3, 7};
    const uint64_t budgets[] = {0, 40u << 20, 6u << 20};
    pietra_stream *stream = large_scene();
    draw_reference(stream, right);
    for (size_t i = 0; i < sizeof threads / sizeof threads[0]; i++) {
        for (size_t k = 0; k < sizeof budgets / sizeof budgets[0]; k++) {
            pietra_device_options options = {
                .kind = PIETRA_DEVICE_CPU, .threads = threads[i], .memory_budget_bytes = budgets[k]};
            /* By day each number of threads, and each budget. */
            if (all_sizes() || ((i + k) % 3 == 0 && !(few_cases() && i % 2 == 0)))
                draw(options, stream, right, pixels);
        }
    }
    pietra_stream_destroy(stream);
}

/* Small shapes in rows from the top to the bottom. A batch has lines in a few bands; the other bands wait in the
 * target. */
static pietra_stream *rows_of_shapes(void)
{
    random_source source = random_start(12);
    pietra_scene *scene = new_scene();
    for (uint32_t i = 0; i < ROWS * COLUMNS; i++) {
        pietra_path *path = pietra_path_create();
        double x = (double)SIDE / COLUMNS * (i % COLUMNS), y = (double)SIDE / ROWS * (i / COLUMNS);
        pietra_path_move_to(path, x, y);
        for (int corner = 0; corner < 4; corner++)
            pietra_path_line_to(path, x + random_between(&source, 0, 9), y + random_between(&source, 0, 9));
        pietra_paint paint = {.color = {(float)random_between(&source, 0, 1), 0.3f, 0.6f, 0.5f}};
        ASSERT_OK(pietra_scene_fill(scene, path, NULL, PIETRA_FILL_NONZERO, &paint, error));
        pietra_path_destroy(path);
    }
    return encode_and_destroy(scene);
}

static void test_batches_of_few_bands(void **state)
{
    (void)state;
    static uint32_t right[SIDE * SIDE], pixels[SIDE * SIDE];
    pietra_stream *stream = rows_of_shapes();
    draw_reference(stream, right);
    for (uint32_t threads = 1; threads < 4; threads += all_sizes() ? 1 : 2)
        draw((pietra_device_options){.kind = PIETRA_DEVICE_CPU, .threads = threads}, stream, right, pixels);
    pietra_stream_destroy(stream);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_threads_and_budgets),
                                       cmocka_unit_test(test_batches_of_few_bands)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
