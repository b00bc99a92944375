/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The encoder's threads: any number of them gives the same bytes. Paths are measured before it is known which element
 * needs them first. */
#include "property/random_scene.h"
#include "scene/build/scene.h"
#include "scene/scene_fixture.h"

#define SUBPATHS 12000u

static bool streams_equal(const pietra_stream *a, const pietra_stream *b)
{
    size_t a_count, b_count;
    const void *a_bytes = pietra_stream_bytes(a, &a_count), *b_bytes = pietra_stream_bytes(b, &b_count);
    return a_count == b_count && memcmp(a_bytes, b_bytes, a_count) == 0;
}

/* Adds every kind of subpath that is not written unchanged: points that become equal when narrowed, dots, and moves
 * that nothing follows. Now and then it lies far from 0, so that paths have origins. */
static void add_odd_path(pietra_scene *scene, random_source *source, uint32_t subpaths)
{
    pietra_path *path = pietra_path_create();
    double far = random_below(source, 3) == 0 ? 1e6 : 0;
    for (uint32_t i = 0; i < subpaths; i++) {
        double x = far + random_between(source, -50, 50), y = far + random_between(source, -50, 50);
        pietra_path_move_to(path, x, y);
        if (random_below(source, 4) == 0)
            pietra_path_line_to(path, x + 1e-13, y);
        if (random_below(source, 8) != 0) {
            pietra_path_cubic_to(path, x, y, x + random_between(source, 0, 3), y, x + 4, y + 4);
            pietra_path_line_to(path, x + 4, y + 4);
            pietra_path_line_to(path, x, y + 9);
        }
        if (random_below(source, 2))
            pietra_path_close(path);
    }
    pietra_transform transform = {.a = random_between(source, 0.1, 4), .d = 1};
    ASSERT_OK(
        pietra_scene_fill(scene, path, &transform, PIETRA_FILL_NONZERO, random_below(source, 2) ? &RED : &HALF, error));
    pietra_path_destroy(path);
}

static void test_any_number_of_threads(void **state)
{
    (void)state;
    random_source source = random_start(5);
    pietra_scene *scene = new_scene();
    for (uint32_t i = 0; i < 40; i++) {
        add_odd_path(scene, &source, i == 7 ? SUBPATHS : random_below(&source, 400));
        random_scene_add(scene, i, RANDOM_ANYTHING, 300);
    }
    pietra_stream *right, *stream;
    ASSERT_OK(pietra_stream_encode(scene, error, &right));
    const uint32_t threads[] = {0, 1, 2, 3, 7, 1000000};
    for (size_t i = 0; i < sizeof threads / sizeof threads[0]; i++) {
        ASSERT_OK(pietra_stream_encode_by(scene, threads[i], error, &stream));
        assert_true(streams_equal(stream, right));
        pietra_stream_destroy(stream);
    }
    pietra_stream_destroy(right);
    pietra_scene_destroy(scene);
}

/* Fills a path so far from 0 that its origin depends on the scale. */
static void fill_far(pietra_scene *scene, double scale, const pietra_paint *paint)
{
    pietra_path *path = path_from("R 3000 3000 8 8");
    ASSERT_OK(
        pietra_scene_fill(scene, path, &(pietra_transform){.a = scale, .d = scale}, PIETRA_FILL_NONZERO, paint, error));
    pietra_path_destroy(path);
}

/* An element that is not drawn does not influence a path's origin, even if it comes first. */
static void test_the_first_that_is_drawn_decides(void **state)
{
    (void)state;
    pietra_scene *alone = new_scene(), *behind = new_scene(), *other = new_scene();
    fill_far(alone, 4, &RED);
    fill_far(behind, 0.01, &(pietra_paint){.color = {1, 1, 1, 0}});
    fill_far(behind, 4, &RED);
    fill_far(other, 0.01, &RED);
    pietra_stream *right = encode_and_destroy(alone), *stream = encode_and_destroy(behind),
                  *wrong = encode_and_destroy(other);
    const stream_view near = stream_view_of(stream_words(right)), far = stream_view_of(stream_words(wrong));
    assert_true(near.points[0] < 2000.0f && far.points[0] == 3000.0f);
    assert_true(streams_equal(stream, right));
    pietra_stream_destroy(wrong);
    pietra_stream_destroy(stream);
    pietra_stream_destroy(right);
}

typedef struct referred {
    uint8_t verbs[4096];
    double coordinates[2 * 4096];
} referred;

static pietra_path *new_odd_path(uint64_t seed, uint32_t subpaths)
{
    pietra_path *path = pietra_path_create();
    random_source source = random_start(seed);
    for (uint32_t i = 0; i < subpaths; i++) {
        pietra_path_move_to(path, random_between(&source, 0, 50), random_between(&source, 0, 50));
        for (uint32_t k = random_below(&source, 9); k > 0; k--)
            pietra_path_line_to(path, random_between(&source, 0, 50), random_between(&source, 0, 50));
        if (random_below(&source, 2))
            pietra_path_close(path);
    }
    return path;
}

/* A scene of a path that it copies, one that it takes and has twice, and one of the caller's. */
static pietra_scene *scene_of_large_paths(referred *arrays)
{
    pietra_scene *scene = new_scene();
    pietra_path *copied = new_odd_path(1, 80000), *taken = new_odd_path(2, 70000), *refers = pietra_path_create();
    const pietra_stroke stroke = {.width = 1};
    for (size_t i = 0; i < 4096; i++) {
        arrays->verbs[i] = i % 64 ? PIETRA_VERB_LINE : PIETRA_VERB_MOVE;
        arrays->coordinates[2 * i] = (double)(i % 61);
        arrays->coordinates[2 * i + 1] = (double)(i % 47);
    }
    pietra_path_refer(refers, arrays->verbs, 4096, arrays->coordinates);
    ASSERT_OK(pietra_scene_fill(scene, copied, NULL, PIETRA_FILL_NONZERO, &RED, error));
    ASSERT_OK(scene_take_large_path(scene, taken, error));
    ASSERT_OK(pietra_scene_fill(scene, taken, NULL, PIETRA_FILL_NONZERO, &HALF, error));
    ASSERT_OK(pietra_scene_stroke(scene, taken, NULL, &stroke, &RED, error));
    ASSERT_OK(pietra_scene_fill(scene, refers, NULL, PIETRA_FILL_NONZERO, &RED, error));
    pietra_path_destroy(refers);
    pietra_path_destroy(taken);
    pietra_path_destroy(copied);
    return scene;
}

/* Memory that the encoder gives back is not read again, and is never the caller's. */
static void test_memory_is_given_back(void **state)
{
    static referred arrays, before;
    const uint32_t threads[] = {1, 3};
    (void)state;
    pietra_scene *scene = scene_of_large_paths(&before);
    pietra_stream *right, *stream;
    ASSERT_OK(pietra_stream_encode(scene, error, &right));
    pietra_scene_destroy(scene);
    for (size_t i = 0; i < 2; i++) {
        ASSERT_OK(pietra_stream_encode_and_destroy(scene_of_large_paths(&arrays), threads[i], error, &stream));
        assert_true(streams_equal(stream, right));
        assert_memory_equal(&arrays, &before, sizeof arrays);
        pietra_stream_destroy(stream);
    }
    pietra_stream_destroy(right);
    scene = new_scene();
    ASSERT_OK(pietra_scene_begin_group(scene, 0.5f, error));
    assert_int_equal(pietra_stream_encode_and_destroy(scene, 1, NULL, &stream), PIETRA_ERROR_INPUT);
    assert_int_equal(pietra_stream_encode_and_destroy(NULL, 1, NULL, &stream), PIETRA_ERROR_INPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_number_of_threads),
        cmocka_unit_test(test_the_first_that_is_drawn_decides),
        cmocka_unit_test(test_memory_is_given_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
