/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Every outline is closed: at each height as many of its edges end as start. So the sum of dy over an element is 0, and
 * nothing that 05 to 10 compute from its edges can leak. */
#include <math.h>

#include "all_sizes.h"
#include "golden/scene_files.h"
#include "property/random_scene.h"
#include "scene/scene_fixture.h"
#include "render/reference/outline_frame.h"

typedef struct turn {
    uint visible;
    int y, sum; /* +1: an edge starts here, -1: one ends */
} turn;

static int compare_turns(const void *a, const void *b)
{
    const turn *first = a, *second = b;
    if (first->visible != second->visible)
        return first->visible < second->visible ? -1 : 1;
    return first->y < second->y ? -1 : first->y > second->y;
}

/* Returns whether an element has an outline. The one line on the left of a layer without a path is none. */
static bool has_outline(const reference_frame *frame, uint visible)
{
    return frame->stream.elements[frame->visible[visible].element].path != STREAM_NONE;
}

/* Returns how many edges were checked. */
static size_t assert_closed(const reference_frame *frame, const char *name)
{
    size_t count = 0, seen = 0;
    turn *turns = malloc((2 * (size_t)frame->counters.line_count + 1) * sizeof *turns);
    assert_non_null(turns);
    for (uint i = 0; i < frame->counters.line_count; i++) {
        edge e = frame->edges[i];
        if (has_outline(frame, e.visible)) {
            turns[count++] = (turn){e.visible, e.ay, 1};
            turns[count++] = (turn){e.visible, e.by, -1};
            seen++;
        }
    }
    qsort(turns, count, sizeof *turns, compare_turns);
    int open = 0;
    for (size_t i = 0; i < count; i++) {
        open += turns[i].sum;
        if ((i + 1 == count || compare_turns(&turns[i], &turns[i + 1]) != 0) && open != 0) {
            fail_msg("%s: element %u has %+d edges open at y = %g", name, frame->visible[turns[i].visible].element,
                     open, turns[i].y / 256.0);
        }
    }
    free(turns);
    return seen;
}

static size_t assert_stream_closed(pietra_stream *stream, double offset, uint32_t side, const char *name)
{
    reference_frame frame = outline_frame(stream, offset, side);
    size_t seen = assert_closed(&frame, name);
    reference_frame_free(&frame);
    pietra_stream_destroy(stream);
    return seen;
}

static const char *const SHAPES[] = {
    "M 10 10 L 90 20",
    "M 10 10 L 90 20 L 20 60 L 20.01 60.02 L 80 90",
    "M 10 10 L 90 20 L 50 80 Z",
    "M 10 10 L 90 10 L 10 10",
    "M 10 10 L 90 10 L 10 10 Z",
    "R 20 20 60 50",
    "M 50 50",
    "M 50 50 L 50 50",
    "M 50 50 Z",
    "M 50 50 L 50 50 Z",
    "M 50 50 Q 50 50 50 50 L 50 50 Z M 20 20 L 40 20",
    "M 10 50 C 90 90 10 90 90 50",
    "M 10 80 C 120 10 -20 10 90 80",
    "M 10 50 C 90 50 90 50 10 50",
    "M 10 50 Q 90 50 10 50",
    "M 10 50 Q 90 50 10 50.001 Z",
    "M 10 10 C 10 10 90 90 90 90 C 90 90 10 90 10 10 Z",
    "M 50 50 C 50 20 80 50 50 50 Z",
    "M 50 50 C 51 50 51 51 50 51 C 49 51 49 50 50 50 Z",
    "M 10 10 L 50 10 L 50 50 L 50 50 L 10 50 Z M 60 60 L 90 90 M 0 0 Z L 30 70",
    "M 20 20 L 20.0001 20 L 70 20 L 70 60 L 20 65 Z",
    "M 20 20 L 20.0001 20 L 20.0002 20 L 20.0003 20.0003 L 70 60 L 20 65.003 L 20 20.0001 Z",
    "M 20 20 L 20 20.0001 L 20 20 Q 80 20 20 20 Z",
    "M 0 0 L 0 1e-35 L 0 0 Q 60 0 0 0 Z",
    "M 20 20 L 20.00001 20 L 20 20.00001 Z",
    "M -300 50 L 400 51 M 50 -300 C 90 900 10 -800 50 400",
    "M -90000 20 L 90000 30 L 90000 -90000 Z",
};

static const double DASHES[][4] = {{0, 0, 0, 0},  {10, 5, 0, 0},  {0, 7, 3, 2},
                                   {25, 0, 0, 8}, {400, 1, 1, 1}, {0.5, 0.25, 0, 0}};

static const pietra_transform TRANSFORMS[] = {
    {1, 0, 0, 1, 0, 0},        {0.7, 0.6, -0.6, 0.7, 31.4, -3.3},
    {-1.3, 0, 0, 0.4, 90, 20}, {2, 1, 1, 0.5, 0, 0},
    {0.02, 0, 0, 3, 40, 0},    {5, 0.1, 2, 6, 0, 0},
};

#define COUNT(array) (sizeof array / sizeof array[0])

static void add_strokes(pietra_scene *scene, const char *data, const pietra_transform *transform, double width)
{
    pietra_path *path = path_from(data);
    pietra_box box = {0, 0, 0, 0};
    pietra_path_bounds(path, &box);
    for (unsigned i = 0; i < 9 * COUNT(DASHES); i++) {
        double period = DASHES[i / 9][0] + DASHES[i / 9][1];
        if (period > 0 && (box.x1 - box.x0) / period > 1000)
            continue;
        pietra_stroke style = {
            .width = width, .cap = (pietra_cap)(i % 3), .join = (pietra_join)(i / 3 % 4), .dash_offset = i % 7};
        const double *dashes = DASHES[i / 9];
        style.dashes = dashes;
        style.dash_count = period == 0 ? 0 : dashes[3] == 0 ? 2 : 4;
        ASSERT_OK(pietra_scene_stroke(scene, path, transform, &style, &HALF, error));
    }
    pietra_path_destroy(path);
}

static void test_strokes(void **state)
{
    (void)state;
    static const double widths[] = {0.3, 30, 150};
    for (size_t shape = 0; shape < COUNT(SHAPES); shape++) {
        pietra_scene *scene = new_scene();
        /* By day a shape has one width under each transform, and another than its neighbours. */
        for (size_t i = 0; i < COUNT(TRANSFORMS) * COUNT(widths); i++)
            if (all_sizes() || (shape + i + i / COUNT(TRANSFORMS)) % COUNT(widths) == 0)
                add_strokes(scene, SHAPES[shape], &TRANSFORMS[i % COUNT(TRANSFORMS)], widths[i / COUNT(TRANSFORMS)]);
        assert_stream_closed(encode_and_destroy(scene), 1000, 2048, SHAPES[shape]);
    }
}

/* Returns a step of up to 60 units, or down to a billionth of one. */
static double random_step(random_source *random)
{
    double step = (int)random_below(random, 121) - 60;
    return random_below(random, 3) == 0 ? step * pow(10, -(double)random_below(random, 10)) : step;
}

static pietra_path *random_path(random_source *random)
{
    pietra_path *path = pietra_path_create();
    double x = 50, y = 50;
    assert_non_null(path);
    pietra_path_move_to(path, x, y);
    for (uint32_t left = 1 + random_below(random, 6); left > 0; left--) {
        double x1 = x + random_step(random), y1 = y + random_step(random), x2 = x1 + random_step(random),
               y2 = y1 + random_step(random);
        bool is_cubic = random_below(random, 4) == 0;
        x = is_cubic ? x2 + random_step(random) : x1;
        y = is_cubic ? y2 + random_step(random) : y1;
        if (is_cubic)
            pietra_path_cubic_to(path, x1, y1, x2, y2, x, y);
        else
            pietra_path_line_to(path, x, y);
    }
    if (random_below(random, 4) != 0)
        pietra_path_close(path);
    return path;
}

/* Segments as short as the slack of dashes, and shorter, between long ones. */
static void test_short_segments(void **state)
{
    random_source random = random_start(1);
    (void)state;
    for (int round = 0; round < 20; round++) {
        pietra_scene *scene = new_scene();
        for (int i = 0; i < 200; i++) {
            pietra_path *path = random_path(&random);
            double dashes[] = {random_below(&random, 30), 1 + random_below(&random, 9), random_below(&random, 5),
                               random_below(&random, 3)};
            pietra_stroke style = {.width = 1 + random_below(&random, 20),
                                   .cap = (pietra_cap)random_below(&random, 3),
                                   .join = (pietra_join)random_below(&random, 4),
                                   .dashes = dashes,
                                   .dash_count = random_below(&random, 5) == 0 ? 0 : 2 + 2 * random_below(&random, 2),
                                   .dash_offset = random_below(&random, 3) == 0 ? 0 : random_below(&random, 40)};
            ASSERT_OK(pietra_scene_stroke(scene, path, &TRANSFORMS[random_below(&random, COUNT(TRANSFORMS))], &style,
                                          &HALF, error));
            pietra_path_destroy(path);
        }
        assert_stream_closed(encode_and_destroy(scene), 1000, 2048, "short segments");
    }
}

static void test_fills(void **state)
{
    (void)state;
    for (size_t shape = 0; shape < COUNT(SHAPES); shape++) {
        pietra_scene *scene = new_scene();
        pietra_path *path = path_from(SHAPES[shape]);
        for (size_t i = 0; i < COUNT(TRANSFORMS); i++)
            ASSERT_OK(pietra_scene_fill(scene, path, &TRANSFORMS[i], PIETRA_FILL_NONZERO, &HALF, error));
        pietra_path_destroy(path);
        assert_stream_closed(encode_and_destroy(scene), 1000, 2048, SHAPES[shape]);
    }
}

static void test_random_scenes(void **state)
{
    (void)state;
    size_t seen = 0;
    for (uint64_t seed = 0; seed < 500; seed++) {
        char name[40];
        snprintf(name, sizeof name, "seed %u", (unsigned)seed);
        seen += assert_stream_closed(
            encode_and_destroy(random_scene_create(seed, seed % 4 == 0 ? RANDOM_DYADIC : RANDOM_ANYTHING, 96)), 200,
            512, name);
    }
    assert_true(seen > 100000);
}

static void test_scene_files(void **state)
{
    (void)state;
    scene_files files = scene_files_find();
    assert_true(files.count > 10);
    for (size_t i = 0; i < files.count; i++) {
        pietra_stream *stream;
        uint32_t width, height;
        ASSERT_OK(scene_files_load(files.names[i], error, &stream, &width, &height));
        assert_stream_closed(stream, 0, width > height ? width : height, files.names[i]);
    }
    scene_files_free(&files);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_strokes),       cmocka_unit_test(test_short_segments), cmocka_unit_test(test_fills),
        cmocka_unit_test(test_random_scenes), cmocka_unit_test(test_scene_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
