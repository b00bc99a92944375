/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What frames of the CPU device take when memory is short: the same bytes in at most a few times the time, or an error
 * that names a budget which draws. With the budget that pietra.h states there is no error. Times are judged at night
 * alone. */
#include <math.h>
#include <time.h>

#include "all_sizes.h"
#include "property/random_scene.h"
#include "render/open_device.h"

#define SIDE 1024u
#define LEAST 32768u
#define MOST (16u << 20)
/* The most parts of a frame of small elements, with this budget or more. */
#define FEW_PARTS_LEAST 131072u
#define FEW_PARTS 16u
/* How many times as long a frame may take, and an error, which is found out on the way and names a budget that was
 * tried. Clocks of busy machines need room. Before parts were few, frames took 45 times as long. */
#define SLOWEST 6.0
#define SLOWEST_ERROR 7.0

static double processor_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

typedef struct drawing {
    pietra_result result;
    pietra_error error;
    pietra_stats stats;
    double milliseconds; /* the least of a few runs */
} drawing;

static drawing draw(const pietra_stream *stream, uint64_t budget, bool may_spoil, uint32_t *pixels)
{
    drawing made = {.milliseconds = INFINITY};
    for (int run = 0; run < (all_sizes() ? 2 : 1); run++) {
        const pietra_target target = {.width = SIDE, .height = SIDE, .pixels = pixels, .may_spoil = may_spoil};
        pietra_device *device = open_device(PIETRA_DEVICE_CPU, 1, budget);
        double start = processor_ms();
        made.result = pietra_render(device, stream, NULL, &target, &made.error, &made.stats);
        double took = processor_ms() - start;
        made.milliseconds = took < made.milliseconds ? took : made.milliseconds;
        pietra_device_destroy(device);
    }
    return made;
}

/* The budget of pietra_device_options.memory_budget_bytes that is sure to suffice. */
static uint64_t sufficient_budget(const pietra_stats *stats)
{
    return ((uint64_t)1 << 20) + 1024u * SIDE + 256u * (uint64_t)stats->elements + 64u * (uint64_t)stats->segments;
}

static void check_named(const pietra_stream *stream, const drawing *refused, const uint32_t *whole)
{
    static uint32_t pixels[SIDE * SIDE];
    const char *number = strpbrk(refused->error.message, "0123456789");
    assert_int_equal(refused->result, PIETRA_ERROR_BUDGET);
    assert_non_null(number);
    drawing named = draw(stream, strtoull(number, NULL, 10), false, pixels);
    if (named.result != PIETRA_OK)
        fail_msg("\"%s\", and then \"%s\"", refused->error.message, named.error.message);
    assert_memory_equal(pixels, whole, sizeof pixels);
}

static void check_budgets(const char *name, pietra_stream *stream)
{
    static uint32_t whole[SIDE * SIDE], pixels[SIDE * SIDE];
    const drawing first = draw(stream, 0, false, whole);
    const uint64_t sufficient = sufficient_budget(&first.stats);
    const uint64_t factor = all_sizes() ? 2 : few_cases() ? 16 : 4;
    bool was_refused = false, may_spoil = false;
    assert_int_equal(first.result, PIETRA_OK);
    for (uint64_t budget = LEAST; budget <= MOST; budget *= factor, may_spoil = !may_spoil) {
        const drawing small = draw(stream, budget, may_spoil, pixels);
        if (all_sizes() &&
            small.milliseconds > (small.result == PIETRA_OK ? SLOWEST : SLOWEST_ERROR) * first.milliseconds) {
            fail_msg("%s: %llu bytes: %.1f ms, not %.1f", name, (unsigned long long)budget, small.milliseconds,
                     first.milliseconds);
        }
        if (small.result == PIETRA_OK) {
            assert_memory_equal(pixels, whole, sizeof pixels);
            continue;
        }
        if (budget >= sufficient)
            fail_msg("%s: %s, but %llu should do", name, small.error.message, (unsigned long long)sufficient);
        if (!was_refused)
            check_named(stream, &small, whole);
        was_refused = true;
    }
    assert_true(was_refused);
    assert_int_equal(draw(stream, sufficient, false, pixels).result, PIETRA_OK);
    assert_memory_equal(pixels, whole, sizeof pixels);
    pietra_stream_destroy(stream);
}

static double anywhere(random_source *source)
{
    return random_between(source, 0, SIDE);
}

static void stroke_dashes(pietra_scene *scene, pietra_path *path, pietra_cap cap)
{
    const double dashes[] = {3, 2};
    const pietra_stroke stroke = {.width = 1, .miter_limit = 4, .dashes = dashes, .dash_count = 2, .cap = cap};
    ASSERT_OK(pietra_scene_stroke(scene, path, NULL, &stroke, &RED, error));
    pietra_path_destroy(path);
}

static pietra_stream *dashed_circles(void)
{
    pietra_scene *scene = new_scene();
    for (int i = 1; i < 150; i++) {
        pietra_path *path = pietra_path_create();
        pietra_path_ellipse(path, SIDE / 2, SIDE / 2, 5 * i, 5 * i);
        stroke_dashes(scene, path, i < 75 ? PIETRA_CAP_BUTT : PIETRA_CAP_ROUND);
    }
    return encode_and_destroy(scene);
}

static void test_dashed_circles(void **state)
{
    (void)state;
    check_budgets("dashed circles", dashed_circles());
}

static void test_huge_strokes(void **state)
{
    (void)state;
    random_source source = random_start(1);
    pietra_scene *scene = new_scene();
    for (int i = 0; i < (few_cases() ? 4 : all_sizes() ? 12 : 6); i++) {
        const pietra_stroke stroke = {
            .width = random_between(&source, 50, 800), .join = PIETRA_JOIN_ROUND, .cap = PIETRA_CAP_ROUND};
        pietra_path *path = pietra_path_create();
        pietra_path_move_to(path, anywhere(&source), anywhere(&source));
        for (int k = 0; k < 8; k++) {
            pietra_path_cubic_to(path, anywhere(&source), anywhere(&source), anywhere(&source), anywhere(&source),
                                 anywhere(&source), anywhere(&source));
        }
        ASSERT_OK(pietra_scene_stroke(scene, path, NULL, &stroke, &HALF, error));
        pietra_path_destroy(path);
    }
    check_budgets("huge strokes", encode_and_destroy(scene));
}

/* Rectangles in clips, of which each part sees few and walks past all. */
static void test_many_clips(void **state)
{
    (void)state;
    random_source source = random_start(2);
    pietra_scene *scene = new_scene();
    for (int i = 0; i < 15000; i++) {
        double x = anywhere(&source), y = anywhere(&source);
        pietra_path *clip = pietra_path_create(), *path = pietra_path_create();
        pietra_path_ellipse(clip, x, y, 9, 9);
        pietra_path_rect(path, x, y, 15, 7);
        ASSERT_OK(pietra_scene_begin_clip(scene, clip, NULL, PIETRA_FILL_NONZERO, error));
        ASSERT_OK(pietra_scene_fill(scene, path, NULL, PIETRA_FILL_NONZERO, &RED, error));
        ASSERT_OK(pietra_scene_end_clip(scene, error));
        pietra_path_destroy(clip);
        pietra_path_destroy(path);
    }
    check_budgets("many clips", encode_and_destroy(scene));
}

/* Circles that hide one another. */
static void test_overdraw(void **state)
{
    (void)state;
    random_source source = random_start(3);
    pietra_scene *scene = new_scene();
    for (int i = 0; i < 4000; i++) {
        const pietra_paint paint = {.color = {(float)random_between(&source, 0, 1), 0.5f, 0.2f, 1}};
        pietra_path *path = pietra_path_create();
        pietra_path_ellipse(path, anywhere(&source), anywhere(&source), 250, 300);
        ASSERT_OK(pietra_scene_fill(scene, path, NULL, PIETRA_FILL_NONZERO, &paint, error));
        pietra_path_destroy(path);
    }
    check_budgets("overdraw", encode_and_destroy(scene));
}

/* Each part walks the whole stream again, so there are few parts, however many elements there are: they come in
 * batches. Before, this was refused, after hundreds of parts. */
static void test_few_parts(void **state)
{
    (void)state;
    static uint32_t whole[SIDE * SIDE], pixels[SIDE * SIDE];
    random_source source = random_start(5);
    pietra_scene *scene = new_scene();
    for (int i = 0; i < 30000; i++) {
        pietra_path *path = pietra_path_create();
        pietra_path_ellipse(path, anywhere(&source), anywhere(&source), 4, 3);
        ASSERT_OK(pietra_scene_fill(scene, path, NULL, PIETRA_FILL_NONZERO, &HALF, error));
        pietra_path_destroy(path);
    }
    pietra_stream *stream = encode_and_destroy(scene);
    assert_int_equal(draw(stream, 0, false, whole).result, PIETRA_OK);
    for (uint64_t budget = FEW_PARTS_LEAST; budget <= MOST; budget *= few_cases() ? 8 : 2) {
        const drawing small = draw(stream, budget, false, pixels);
        assert_int_equal(small.result, PIETRA_OK);
        assert_in_range(small.stats.parts, 1, FEW_PARTS);
        assert_memory_equal(pixels, whole, sizeof pixels);
    }
    pietra_stream_destroy(stream);
}

/* Lines that meet in nearly every pixel that they touch. Sampling takes most of the time, and no part repeats it, so
 * this is not refused. */
static void test_time_series(void **state)
{
    (void)state;
    static uint32_t whole[SIDE * SIDE], pixels[SIDE * SIDE];
    random_source source = random_start(6);
    const pietra_stroke stroke = {.width = 1.5};
    pietra_scene *scene = new_scene();
    pietra_path *path = pietra_path_create();
    pietra_path_move_to(path, 0, SIDE / 2);
    for (int i = 1; i < 3000; i++)
        pietra_path_line_to(path, i * (SIDE / 3000.0), SIDE / 2 + random_between(&source, -90, 90));
    ASSERT_OK(pietra_scene_stroke(scene, path, NULL, &stroke, &RED, error));
    pietra_path_destroy(path);
    pietra_stream *stream = encode_and_destroy(scene);
    assert_int_equal(draw(stream, 0, false, whole).result, PIETRA_OK);
    assert_int_equal(draw(stream, FEW_PARTS_LEAST, false, pixels).result, PIETRA_OK);
    assert_memory_equal(pixels, whole, sizeof pixels);
    pietra_stream_destroy(stream);
}

/* Where a part ran out of memory, its halves go on. So what the parts that were drawn show is less than the frame. */
static void test_halves_go_on(void **state)
{
    (void)state;
    static uint32_t pixels[SIDE * SIDE];
    random_source source = random_start(7);
    pietra_scene *scene = new_scene();
    for (int i = 0; i < 200; i++) {
        pietra_path *path = pietra_path_create();
        for (int k = 0; k < (i < 190 ? 40 : 1000); k++)
            pietra_path_rect(path, anywhere(&source), i < 190 ? 2 : anywhere(&source), 9, 9);
        ASSERT_OK(pietra_scene_fill(scene, path, NULL, PIETRA_FILL_NONZERO, &HALF, error));
        pietra_path_destroy(path);
    }
    pietra_stream *stream = encode_and_destroy(scene);
    const drawing whole = draw(stream, 0, false, pixels), parts = draw(stream, FEW_PARTS_LEAST, false, pixels);
    assert_int_equal(parts.result, PIETRA_OK);
    assert_in_range(parts.stats.parts, 2, FEW_PARTS);
    assert_in_range(parts.stats.tile_lines, 1, whole.stats.tile_lines * 9 / 10);
    pietra_stream_destroy(stream);
}

/* Nothing is painted to find the budget that an error names. So a frame that is refused early leaves its last row. The
 * lines of one element fit in few rows alone, and parts begin with the first rows. */
static void test_refusal_paints_little(void **state)
{
    (void)state;
    static uint32_t pixels[SIDE * SIDE];
    pietra_scene *scene = new_scene();
    pietra_path *path = pietra_path_create();
    for (int i = 1; i < 150; i++)
        pietra_path_ellipse(path, SIDE / 2, SIDE / 2, 5 * i, 5 * i);
    stroke_dashes(scene, path, PIETRA_CAP_ROUND);
    pietra_stream *stream = encode_and_destroy(scene);
    memset(pixels, 0x5a, sizeof pixels);
    assert_int_equal(draw(stream, 2 * LEAST, true, pixels).result, PIETRA_ERROR_BUDGET);
    for (size_t i = SIDE * (SIDE - 1); i < SIDE * SIDE; i++)
        assert_int_equal(pixels[i], 0x5a5a5a5a);
    pietra_stream_destroy(stream);
}

static void test_one_path(void **state)
{
    (void)state;
    random_source source = random_start(4);
    pietra_scene *scene = new_scene();
    pietra_path *path = pietra_path_create();
    pietra_path_move_to(path, anywhere(&source), anywhere(&source));
    for (int i = 0; i < 700; i++)
        pietra_path_line_to(path, anywhere(&source), anywhere(&source));
    ASSERT_OK(pietra_scene_fill(scene, path, NULL, PIETRA_FILL_EVEN_ODD, &RED, error));
    pietra_path_destroy(path);
    check_budgets("one path", encode_and_destroy(scene));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_dashed_circles),
                                       cmocka_unit_test(test_huge_strokes),
                                       cmocka_unit_test(test_many_clips),
                                       cmocka_unit_test(test_overdraw),
                                       cmocka_unit_test(test_one_path),
                                       cmocka_unit_test(test_few_parts),
                                       cmocka_unit_test(test_time_series),
                                       cmocka_unit_test(test_halves_go_on),
                                       cmocka_unit_test(test_refusal_paints_little)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
