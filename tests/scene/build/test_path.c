/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Paths: arcs, exact bounds, and that bad numbers make a path bad. */
#include <math.h>

#include "scene/build/path.h"
#include "scene/build/scene.h"
#include "scene/scene_fixture.h"

static path_point cubic_at(path_point p0, const path_point *p, double t)
{
    double s = 1.0 - t;
    double w[4] = {s * s * s, 3.0 * s * s * t, 3.0 * s * t * t, t * t * t};
    return (path_point){w[0] * p0.x + w[1] * p[0].x + w[2] * p[1].x + w[3] * p[2].x,
                        w[0] * p0.y + w[1] * p[0].y + w[2] * p[1].y + w[3] * p[2].y};
}

/* Returns the largest relative distance of an arc's points from the ellipse around a centre, and gives how far the arc
 * turns. */
static double arc_error(const pietra_path *path, path_point centre, double rx, double ry, double degrees,
                        double *turned)
{
    double cosine = cos(degrees * acos(-1.0) / 180.0), sine = sin(degrees * acos(-1.0) / 180.0);
    double worst = 0.0, last_angle = NAN;
    *turned = 0.0;
    for (size_t i = 1; i + 2 < path->points.count; i += 3) {
        for (int k = 0; k <= 16; k++) {
            path_point p = cubic_at(path->points.items[i - 1], &path->points.items[i], k / 16.0);
            double x = (cosine * (p.x - centre.x) + sine * (p.y - centre.y)) / rx;
            double y = (cosine * (p.y - centre.y) - sine * (p.x - centre.x)) / ry;
            worst = fmax(worst, fabs(hypot(x, y) - 1.0));
            double angle = atan2(y, x);
            *turned += isnan(last_angle) ? 0.0 : remainder(angle - last_angle, 2.0 * acos(-1.0));
            last_angle = angle;
        }
    }
    return worst;
}

static void test_arc_follows_the_ellipse(void **state)
{
    (void)state;
    /* This is a quarter of an ellipse with radii 20 and 10 around (3, 4), turned by 30 degrees, from angle 0 to 90. */
    double cosine = cos(acos(-1.0) / 6.0), sine = 0.5;
    path_point from = {3.0 + 20.0 * cosine, 4.0 + 20.0 * sine};
    path_point to = {3.0 - 10.0 * sine, 4.0 + 10.0 * cosine};
    for (int large = 0; large < 2; large++) {
        for (int sweep = 0; sweep < 2; sweep++) {
            pietra_path *path = pietra_path_create();
            pietra_path_move_to(path, from.x, from.y);
            pietra_path_arc_to(path, -20.0, 10.0, 390.0, large != 0, sweep != 0, to.x, to.y);
            path_point centre = {3.0, 4.0};
            if (large == sweep) {
                /* The other ellipse through both points has its centre mirrored at the chord's midpoint. */
                centre = (path_point){from.x + to.x - 3.0, from.y + to.y - 4.0};
            }
            double turned;
            assert_true(arc_error(path, centre, 20.0, 10.0, 30.0, &turned) < 3e-4);
            assert_true(fabs(turned - (sweep ? 1 : -1) * (large ? 1.5 : 0.5) * acos(-1.0)) < 1e-3);
            assert_int_equal(path->verbs.count, large ? 4 : 2);
            assert_true(path->current.x == to.x && path->current.y == to.y);
            pietra_path_destroy(path);
        }
    }
}

static void test_arc_corrects_radii(void **state)
{
    (void)state;
    pietra_path *path = path_from("M 0 0");
    pietra_path_arc_to(path, 1.0, 2.0, 0.0, false, true, 10.0, 0.0);
    double turned;
    assert_true(arc_error(path, (path_point){5.0, 0.0}, 5.0, 10.0, 0.0, &turned) < 3e-4);
    assert_true(fabs(turned - acos(-1.0)) < 1e-3);
    pietra_path_destroy(path);
}

static void test_arc_degenerates_to_a_line(void **state)
{
    (void)state;
    static const double radii[][2] = {{0, 5}, {5, 0}, {1e300, 1e300}, {1e-320, 1e-320}, {0, 0}};
    for (size_t i = 0; i < sizeof radii / sizeof radii[0]; i++) {
        pietra_path *path = path_from("M 1 1");
        pietra_path_arc_to(path, radii[i][0], radii[i][1], 10.0, true, false, 7.0, 9.0);
        assert_int_equal(path->result, PIETRA_OK);
        assert_int_equal(path->verbs.count, 2);
        assert_int_equal(path->verbs.items[1], PATH_LINE);
        pietra_path_destroy(path);
    }
    pietra_path *path = path_from("M 1 1");
    pietra_path_arc_to(path, 5.0, 5.0, 0.0, true, true, 1.0, 1.0);
    assert_int_equal(path->verbs.count, 1);
    pietra_path_destroy(path);
}

static void test_arcs_of_all_sizes_stay_finite(void **state)
{
    (void)state;
    for (int i = -300; i <= 300; i += 10) {
        for (int k = -300; k <= 300; k += 20) {
            pietra_path *path = path_from("M 1 2");
            pietra_path_arc_to(path, pow(10.0, i), pow(10.0, k), 33.0, (i & 1) != 0, true, 50.0, -3.0);
            pietra_box box;
            assert_int_equal(path->result, PIETRA_OK);
            assert_true(pietra_path_bounds(path, &box));
            assert_true(isfinite(box.x0) && isfinite(box.x1) && box.x0 <= 1.0 && box.x1 >= 50.0);
            pietra_path_destroy(path);
        }
    }
}

static void assert_box(const char *data, double x0, double y0, double x1, double y1)
{
    pietra_path *path = path_from(data);
    pietra_box box;
    assert_true(pietra_path_bounds(path, &box));
    if (fabs(box.x0 - x0) > 1e-9 || fabs(box.y0 - y0) > 1e-9 || fabs(box.x1 - x1) > 1e-9 || fabs(box.y1 - y1) > 1e-9)
        fail_msg("%s: %.17g %.17g %.17g %.17g", data, box.x0, box.y0, box.x1, box.y1);
    pietra_path_destroy(path);
}

static void test_bounds_are_exact(void **state)
{
    (void)state;
    assert_box("M 1 2 L 5 -3", 1, -3, 5, 2);
    assert_box("M 0 0 Q 5 10 10 0", 0, 0, 10, 5);
    assert_box("M 0 0 C 0 10 10 10 10 0", 0, 0, 10, 7.5);
    assert_box("M 0 0 C 10 10 0 10 10 0", 0, 0, 10, 7.5);
    /* This cubic has a constant second derivative in x, so the leading term of the quadratic is 0. */
    assert_box("M 0 0 C 2 0 2 0 0 0", 0, 0, 1.5, 0);
    assert_box("M 7 7 Z", 7, 7, 7, 7);
    assert_box("M -100 -100 M 1 1 L 2 2 M 50 50", 1, 1, 2, 2);
    assert_box("M 0 0 C -5 4 15 4 10 0", 5.0 - sqrt(33.75), 0, 5.0 + sqrt(33.75), 3);
}

static void test_bounds_hold_samples(void **state)
{
    (void)state;
    uint32_t seed = 1;
    for (int round = 0; round < 2000; round++) {
        path_point p[4];
        for (int i = 0; i < 4; i++) {
            seed = seed * 1664525u + 1013904223u;
            p[i].x = (double)(seed >> 20) / 16.0;
            seed = seed * 1664525u + 1013904223u;
            p[i].y = (double)(seed >> 20) / 16.0;
        }
        pietra_path *path = pietra_path_create();
        pietra_path_move_to(path, p[0].x, p[0].y);
        pietra_path_cubic_to(path, p[1].x, p[1].y, p[2].x, p[2].y, p[3].x, p[3].y);
        pietra_box box, sampled = {INFINITY, INFINITY, -INFINITY, -INFINITY};
        assert_true(pietra_path_bounds(path, &box));
        for (int k = 0; k <= 1000; k++) {
            path_point at = cubic_at(p[0], p + 1, k / 1000.0);
            sampled = (pietra_box){fmin(sampled.x0, at.x), fmin(sampled.y0, at.y), fmax(sampled.x1, at.x),
                                   fmax(sampled.y1, at.y)};
        }
        assert_true(box.x0 <= sampled.x0 + 1e-9 && box.y0 <= sampled.y0 + 1e-9 && box.x1 >= sampled.x1 - 1e-9 &&
                    box.y1 >= sampled.y1 - 1e-9);
        assert_true(box.x0 > sampled.x0 - 0.01 && box.y0 > sampled.y0 - 0.01 && box.x1 < sampled.x1 + 0.01 &&
                    box.y1 < sampled.y1 + 0.01);
        pietra_path_destroy(path);
    }
}

static void test_nothing_has_no_bounds(void **state)
{
    (void)state;
    pietra_box box;
    pietra_path *path = pietra_path_create();
    assert_false(pietra_path_bounds(path, &box));
    pietra_path_close(path);
    pietra_path_ellipse(path, 1, 1, 0, 5);
    pietra_path_move_to(path, 1, 1);
    assert_false(pietra_path_bounds(path, &box));
    pietra_path_destroy(path);
}

static void test_shapes(void **state)
{
    (void)state;
    pietra_box box;
    pietra_path *path = pietra_path_create();
    pietra_path_ellipse(path, 10, 20, 3, 4);
    assert_true(pietra_path_bounds(path, &box));
    assert_true(fabs(box.x0 - 7) < 1e-12 && fabs(box.y0 - 16) < 1e-12 && fabs(box.x1 - 13) < 1e-12 &&
                fabs(box.y1 - 24) < 1e-12);
    pietra_path_reset(path);
    pietra_path_rounded_rect(path, 1, 2, 10, 20, 100, 3);
    assert_true(path->points.items[0].x == 6 && path->points.items[0].y == 2);
    assert_true(pietra_path_bounds(path, &box));
    assert_true(fabs(box.x0 - 1) < 1e-12 && fabs(box.y0 - 2) < 1e-12 && fabs(box.x1 - 11) < 1e-12 &&
                fabs(box.y1 - 22) < 1e-12);
    pietra_path_reset(path);
    pietra_path_rounded_rect(path, 1, 2, 10, 20, 0, 3);
    assert_int_equal(path->verbs.count, 5);
    pietra_path_destroy(path);
}

static void test_bad_numbers_stick_until_reset(void **state)
{
    (void)state;
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    for (size_t i = 0; i < 3; i++) {
        for (int call = 0; call < 5; call++) {
            pietra_path *path = path_from("M 0 0 L 1 1");
            switch (call) {
            case 0:
                pietra_path_move_to(path, bad[i], 0);
                break;
            case 1:
                pietra_path_cubic_to(path, 0, bad[i], 1, 1, 2, 2);
                break;
            case 2:
                pietra_path_arc_to(path, bad[i], 1, 0, false, false, 5, 5);
                break;
            case 3:
                pietra_path_rounded_rect(path, 0, 0, bad[i], 10, 1, 1);
                break;
            default:
                pietra_path_ellipse(path, bad[i], 0, 1, 1);
                break;
            }
            pietra_path_line_to(path, 5, 5);
            pietra_scene *scene = new_scene();
            pietra_error error;
            assert_int_equal(pietra_scene_fill(scene, path, NULL, PIETRA_FILL_NONZERO, &RED, &error),
                             PIETRA_ERROR_INPUT);
            assert_int_equal(error.result, PIETRA_ERROR_INPUT);
            pietra_path_reset(path);
            add_data(path, "R 0 0 1 1");
            assert_int_equal(pietra_scene_fill(scene, path, NULL, PIETRA_FILL_NONZERO, &RED, &error), PIETRA_OK);
            pietra_scene_destroy(scene);
            pietra_path_destroy(path);
        }
    }
}

static uint32_t random_below(uint32_t *seed, uint32_t limit)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)*seed * limit >> 32);
}

static void append_by_calls(pietra_path *path, const uint8_t *verbs, size_t verb_count, const double *v)
{
    for (size_t i = 0; i < verb_count; i++) {
        switch (verbs[i]) {
        case PIETRA_VERB_MOVE:
            pietra_path_move_to(path, v[0], v[1]);
            v += 2;
            break;
        case PIETRA_VERB_LINE:
            pietra_path_line_to(path, v[0], v[1]);
            v += 2;
            break;
        case PIETRA_VERB_QUAD:
            pietra_path_quad_to(path, v[0], v[1], v[2], v[3]);
            v += 4;
            break;
        case PIETRA_VERB_CUBIC:
            pietra_path_cubic_to(path, v[0], v[1], v[2], v[3], v[4], v[5]);
            v += 6;
            break;
        default:
            pietra_path_close(path);
            break;
        }
    }
}

static void assert_same_path(const pietra_path *a, const pietra_path *b)
{
    assert_int_equal(a->open, b->open);
    assert_true(a->current.x == b->current.x && a->current.y == b->current.y);
    assert_true(a->start.x == b->start.x && a->start.y == b->start.y);
    path_view left = path_view_of(a), right = path_view_of(b);
    assert_int_equal(left.verb_count, right.verb_count);
    assert_int_equal(left.point_count, right.point_count);
    assert_memory_equal(left.verbs, right.verbs, left.verb_count);
    assert_memory_equal(left.points, right.points, left.point_count * sizeof(path_point));
}

/* Random verbs in any order, in one or two calls, give the same as single calls. */
static void test_append_is_the_calls(void **state)
{
    (void)state;
    uint32_t seed = 1;
    for (int round = 0; round < 20000; round++) {
        uint8_t verbs[24];
        double coordinates[24 * 6];
        size_t count = 1 + random_below(&seed, 23), half = random_below(&seed, (uint32_t)count), used = 0;
        for (size_t i = 0; i < count; i++) {
            verbs[i] = (uint8_t)random_below(&seed, 5);
            used += i < half ? 2 * path_verb_points(verbs[i]) : 0;
        }
        for (size_t i = 0; i < 24 * 6; i++) {
            coordinates[i] =
                random_below(&seed, 500) == 0 && round % 4 == 0 ? (double)INFINITY : (double)random_below(&seed, 100);
        }
        pietra_path *called = pietra_path_create(), *appended = pietra_path_create(), *referred = pietra_path_create();
        append_by_calls(called, verbs, count, coordinates);
        pietra_path_append(appended, verbs, half, coordinates);
        pietra_path_append(appended, verbs + half, count - half, coordinates + used);
        assert_int_equal(called->result, appended->result);
        pietra_path_refer(referred, verbs, half, coordinates);
        pietra_path_refer(referred, verbs + half, count - half, coordinates + used);
        assert_int_equal(called->result, referred->result);
        if (called->result == PIETRA_OK && called->verbs.count > 0) {
            assert_same_path(called, appended);
            assert_same_path(called, referred);
        }
        pietra_path_destroy(referred);
        pietra_path_destroy(called);
        pietra_path_destroy(appended);
    }
}

static void count_release(void *user)
{
    (*(int *)user)++;
}

/* Arrays to which a path refers are not copied, in the path or in the scene. The scene reports when it no longer needs
 * them. */
static void test_arrays_are_referred_to(void **state)
{
    (void)state;
    const uint8_t verbs[] = {PIETRA_VERB_MOVE, PIETRA_VERB_LINE, PIETRA_VERB_LINE};
    const double coordinates[] = {0, 0, 9, 0, 9, 9};
    const pietra_paint paint = {.color = {1, 1, 1, 1}};
    pietra_path *path = pietra_path_create();
    pietra_scene *scene = pietra_scene_create();
    int released = 0;
    pietra_path_refer(path, verbs, 3, coordinates);
    assert_ptr_equal(path_view_of(path).points, coordinates);
    assert_int_equal(pietra_scene_fill(scene, path, NULL, PIETRA_FILL_NONZERO, &paint, NULL), PIETRA_OK);
    assert_ptr_equal(scene_path_view(scene, 0).points, coordinates);
    pietra_path_line_to(path, 0, 9);
    assert_ptr_not_equal(path_view_of(path).points, coordinates);
    assert_int_equal(path_view_of(path).point_count, 4);
    pietra_path_reset(path);
    assert_int_equal(path_view_of(path).verb_count, 0);
    assert_int_equal(pietra_scene_keep(NULL, count_release, &released, NULL), PIETRA_ERROR_INPUT);
    assert_int_equal(pietra_scene_keep(scene, NULL, &released, NULL), PIETRA_ERROR_INPUT);
    assert_int_equal(pietra_scene_keep(scene, count_release, &released, NULL), PIETRA_OK);
    pietra_path_destroy(path);
    assert_int_equal(released, 0);
    pietra_scene_destroy(scene);
    assert_int_equal(released, 1);
}

/* A scene may take over the arrays of a large path, which is the same path as before and may grow as others do. */
static void test_large_paths_are_taken(void **state)
{
    (void)state;
    const pietra_paint paint = {.color = {1, 1, 1, 1}};
    pietra_path *path = pietra_path_create();
    pietra_scene *scene = pietra_scene_create();
    pietra_path_move_to(path, 0, 0);
    const path_point *points = path_view_of(path).points;
    assert_int_equal(scene_take_large_path(scene, path, NULL), PIETRA_OK);
    assert_ptr_equal(path->points.items, points); /* it is small */
    for (int i = 1; i < 70000; i++)
        pietra_path_line_to(path, i, i % 7);
    assert_int_equal(scene_take_large_path(scene, path, NULL), PIETRA_OK);
    assert_true(path_is_referred(path));
    assert_int_equal(path_view_of(path).verb_count, 70000);
    assert_int_equal(path_view_of(path).point_count, 70000);
    assert_true(path_view_of(path).points[69999].x == 69999);
    points = path_view_of(path).points;
    assert_int_equal(pietra_scene_fill(scene, path, NULL, PIETRA_FILL_NONZERO, &paint, NULL), PIETRA_OK);
    assert_ptr_equal(scene_path_view(scene, 0).points, points);
    pietra_path_line_to(path, 5, 5);
    assert_ptr_not_equal(path_view_of(path).points, points);
    assert_int_equal(path_view_of(path).point_count, 70001);
    pietra_path_reset(path);
    pietra_path_move_to(path, 0, 0);
    for (int i = 1; i < 70000; i++)
        pietra_path_line_to(path, i, i % 7);
    assert_int_equal(scene_take_large_path(scene, path, NULL), PIETRA_OK);
    assert_ptr_equal(path_view_of(path).points, points); /* the scene has an equal one */
    pietra_path_line_to(path, 5, 5);
    assert_int_equal(path_view_of(path).point_count, 70001);
    pietra_path_destroy(path);
    assert_true(scene_path_view(scene, 0).points[69999].x == 69999);
    pietra_scene_destroy(scene);
}

static void test_append_of_no_verb(void **state)
{
    (void)state;
    const uint8_t verbs[] = {PIETRA_VERB_MOVE, 5};
    const double coordinates[] = {1.0, 2.0};
    pietra_path *path = pietra_path_create();
    pietra_path_append(path, verbs, 2, coordinates);
    assert_int_equal(path->result, PIETRA_ERROR_INPUT);
    pietra_path_reset(path);
    pietra_path_append(path, NULL, 0, NULL);
    assert_int_equal(path->result, PIETRA_OK);
    pietra_path_append(path, verbs, 1, NULL);
    assert_int_equal(path->result, PIETRA_ERROR_INPUT);
    pietra_path_append(NULL, verbs, 1, coordinates);
    pietra_path_destroy(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_append_is_the_calls),
        cmocka_unit_test(test_append_of_no_verb),
        cmocka_unit_test(test_arrays_are_referred_to),
        cmocka_unit_test(test_large_paths_are_taken),
        cmocka_unit_test(test_arc_follows_the_ellipse),
        cmocka_unit_test(test_arc_corrects_radii),
        cmocka_unit_test(test_arc_degenerates_to_a_line),
        cmocka_unit_test(test_arcs_of_all_sizes_stay_finite),
        cmocka_unit_test(test_bounds_are_exact),
        cmocka_unit_test(test_bounds_hold_samples),
        cmocka_unit_test(test_nothing_has_no_bounds),
        cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_bad_numbers_stick_until_reset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
