/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What must hold for strokes, dashes and curves of any size.
 *
 *   test_property_strokes [PART] [SEED]
 *
 * PART: only checks whose names contain it. SEED: only the random path with this seed. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "all_sizes.h"
#include "property/property.h"

#define RANDOM_STROKES (all_sizes() ? 20000u : 800u)
#define RANDOM_STROKES_EACH 200u /* one of this many is drawn by GPUs too */
#define SOLID_DASHES (all_sizes() ? 20000u : 400u)
#define SOLID_DASHES_EACH 20u
#define FAR_CURVES (all_sizes() ? 2000u : 40u)

/* Encodes one stroke of a few segments with any joins and caps. */
static pietra_stream *encode_random_stroke(random_source *source)
{
    pietra_error error;
    const pietra_paint paint = {.color = {1, 0, 0, 1}};
    const double dashes[] = {random_between(source, 0.1, 5), random_between(source, 0.1, 5)};
    pietra_stroke stroke = {
        .width = random_between(source, 0.01, 20), .miter_limit = 4, .cap = (pietra_cap)random_below(source, 3)};
    stroke.join = (pietra_join)random_below(source, 5);
    if (random_below(source, 3) == 0)
        stroke.width = pow(10, -random_between(source, 0, 6));
    if (random_below(source, 4) == 0) {
        stroke.dashes = dashes;
        stroke.dash_count = 2;
    }
    pietra_path *path = pietra_path_create();
    pietra_path_move_to(path, random_between(source, 0, SIDE), random_between(source, 0, SIDE));
    for (uint32_t i = random_below(source, 4) + 1; i > 0; i--) {
        double p[6];
        for (size_t k = 0; k < 6; k++)
            p[k] = random_between(source, 0, SIDE);
        if (random_below(source, 2))
            pietra_path_cubic_to(path, p[0], p[1], p[2], p[3], p[4], p[5]);
        else
            pietra_path_line_to(path, p[4], p[5]);
    }
    pietra_scene *scene = pietra_scene_create();
    property_demand(pietra_scene_stroke(scene, path, NULL, &stroke, &paint, &error), &error);
    pietra_stream *stream = property_encode(scene);
    pietra_scene_destroy(scene);
    pietra_path_destroy(path);
    return stream;
}

/* Mixes huge numbers with ordinary ones and 0, so that something shows. */
static pietra_transform random_mixture(random_source *source)
{
    double n[6];
    for (size_t i = 0; i < 6; i++) {
        uint32_t kind = random_below(source, 3);
        double size =
            kind == 0 ? 0 : pow(10, kind == 1 ? random_between(source, -2, 2) : random_between(source, 15, 17));
        n[i] = random_below(source, 2) ? size : -size;
    }
    double x = random_between(source, 0, SIDE), y = random_between(source, 0, SIDE);
    pietra_transform t = {n[0], n[1], n[2], n[3], random_between(source, 0, 60), random_between(source, 0, 60)};
    if (random_below(source, 2)) {
        t.e = fmax(fmin(t.e - t.a * x - t.c * y, TRANSFORM_MOST), -TRANSFORM_MOST);
        t.f = fmax(fmin(t.f - t.b * x - t.d * y, TRANSFORM_MOST), -TRANSFORM_MOST);
    }
    return t;
}

static void check_huge_strokes(property_test *test)
{
    uint32_t all = test->devices->count, shown = 0;
    for (uint64_t seed = test->only ? test->only : 1; seed <= (test->only ? test->only : RANDOM_STROKES); seed++) {
        char name[100];
        random_source source = random_start(seed);
        snprintf(name, sizeof name, "property/huge_strokes_seed_%llu", (unsigned long long)seed);
        pietra_stream *stream = encode_random_stroke(&source);
        pietra_frame frame = {.transform = random_mixture(&source)};
        bool is_for_all =
            test->only || seed % RANDOM_STROKES_EACH == 0 || test->devices->devices[all - 1].kind != PIETRA_DEVICE_GPU;
        test->devices->count = is_for_all ? all : all - 1; /* the GPU comes last */
        picture image = panel_draw_all(test->devices, name, stream, &frame, 61, 47);
        test->devices->count = all;
        shown += image.pixels && image.pixels[4 * (20 * 61 + 30) + 3] != 0;
        picture_destroy(&image);
        pietra_stream_destroy(stream);
    }
    if (!test->only && shown < RANDOM_STROKES / 100)
        panel_fail(test->devices, "property/huge_strokes", "only %u strokes show in the middle", shown);
}

/* Adds a random subpath whose first segment is of any length, and returns a bound of the subpath's length. The subpath
 * starts in a square of SIDE, times `scale`. */
static double add_subpath(random_source *source, pietra_path *path, double scale)
{
    double x = random_between(source, 0, SIDE), y = random_between(source, 0, SIDE), bound = 0;
    double start_x = x, start_y = y;
    pietra_path_move_to(path, scale * x, scale * y);
    for (uint32_t i = 0, count = 1 + random_below(source, 4); i < count; i++) {
        double reach = i == 0 ? SIDE * pow(10, -random_between(source, 0, 9)) : SIDE;
        double p[3][2];
        for (size_t k = 0; k < 3; k++) {
            p[k][0] = x + random_between(source, -reach, reach);
            p[k][1] = y + random_between(source, -reach, reach);
            bound += 3 * reach; /* one side of the control polygon */
        }
        if (random_below(source, 2))
            pietra_path_cubic_to(path, scale * p[0][0], scale * p[0][1], scale * p[1][0], scale * p[1][1],
                                 scale * p[2][0], scale * p[2][1]);
        else
            pietra_path_line_to(path, scale * p[2][0], scale * p[2][1]);
        x = p[2][0];
        y = p[2][1];
    }
    if (random_below(source, 2))
        pietra_path_close(path);
    return scale * (bound + hypot(x - start_x, y - start_y));
}

/* Compares a stroke with another one, or with nothing if that is NULL, on all devices that `seed` is for. */
static void expect_same_stroke(property_test *test, const char *name, uint64_t seed, const pietra_path *path,
                               const pietra_stroke *stroke, const pietra_path *other_path, const pietra_stroke *other,
                               double scale)
{
    pietra_frame frame = {.transform = {1 / scale, 0, 0, 1 / scale, 0, 0}};
    uint32_t all = test->devices->count;
    bool is_for_all =
        test->only || seed % SOLID_DASHES_EACH == 0 || test->devices->devices[all - 1].kind != PIETRA_DEVICE_GPU;
    pietra_stream *a = property_encode_stroke(path, stroke);
    test->devices->count = is_for_all ? all : all - 1; /* the GPU comes last */
    picture found = panel_draw_all(test->devices, name, a, &frame, SIDE, SIDE);
    test->devices->count = all;
    picture expected = picture_create(SIDE, SIDE);
    if (other) {
        pietra_stream *b = property_encode_stroke(other_path, other);
        panel_draw(test->devices, 0, name, b, &frame, &expected);
        pietra_stream_destroy(b);
    }
    if (found.pixels)
        panel_expect_equal(test->devices, name, &expected, &found);
    picture_destroy(&expected);
    picture_destroy(&found);
    pietra_stream_destroy(a);
}

/* A dash that is longer than the path is the stroke without dashes, and a gap that is longer is nothing. */
static void check_solid_dashes(property_test *test)
{
    for (uint64_t seed = test->only ? test->only : 1; seed <= (test->only ? test->only : SOLID_DASHES); seed++) {
        char name[100];
        random_source source = random_start(seed);
        snprintf(name, sizeof name, "property/solid_dashes_seed_%llu", (unsigned long long)seed);
        double scale = pow(10, random_between(&source, -5, 4)), length = 0;
        pietra_path *path = pietra_path_create();
        for (uint32_t i = 0, count = 1 + random_below(&source, 2); i < count; i++)
            length += add_subpath(&source, path, scale);
        const double dash = fmax(length * 1.001, pow(10, random_between(&source, -3, 9)));
        pietra_stroke solid = {.width = scale * pow(10, random_between(&source, -1, 1.5)), .miter_limit = 4};
        solid.cap = (pietra_cap)random_below(&source, 3);
        solid.join = (pietra_join)random_below(&source, 4); /* dashes have no arcs */
        pietra_stroke dashed = solid;
        dashed.dashes = &dash;
        dashed.dash_count = 1;
        dashed.dash_offset = random_below(&source, 2) ? 0 : random_between(&source, 0, dash - length);
        expect_same_stroke(test, name, seed, path, &dashed, path, &solid, scale);
        dashed.dash_offset = random_between(&source, dash + 0.0005 * length, 2 * dash - length);
        expect_same_stroke(test, name, seed, path, &dashed, NULL, NULL, scale);
        pietra_path_destroy(path);
    }
}

/* However long the pattern is, a dash ends where it should, also beyond a segment that is a small part of the
 * pattern. */
static void check_long_patterns(property_test *test)
{
    for (int exponent = 2; exponent <= 9; exponent++) {
        const double dashes[] = {5, 3, 24, pow(10, exponent)};
        pietra_path *path = pietra_path_create(), *shorter = pietra_path_create();
        pietra_stroke dashed = {.width = 3, .miter_limit = 4, .dashes = dashes, .dash_count = 4};
        pietra_stroke solid = {.width = 3, .miter_limit = 4};
        pietra_path_move_to(path, 10, 20);
        pietra_path_line_to(path, 10.001, 20);
        pietra_path_line_to(path, 100, 20);
        for (int i = 0; i < 2; i++) {
            pietra_path_move_to(shorter, i ? 18 : 10, 20);
            pietra_path_line_to(shorter, i ? 42 : 15, 20);
        }
        expect_same_stroke(test, "property/long_patterns", 0, path, &dashed, shorter, &solid, 1);
        pietra_path_destroy(path);
        pietra_path_destroy(shorter);
    }
}

/* All devices refuse a stroke, for what its dashes cost. */
static void expect_refused(property_test *test, const char *name, const pietra_path *path, const pietra_stroke *stroke)
{
    pietra_stream *stream = property_encode_stroke(path, stroke);
    for (uint32_t device = 0; device < test->devices->count; device++) {
        pietra_error error = {.message = "none"};
        picture image = picture_create(100, 100);
        pietra_result result = property_draw_on(test->devices->devices[device].device, stream, &image, &error, NULL);
        if (result != PIETRA_ERROR_INPUT || !strstr(error.message, "most of them of strokes"))
            panel_fail(test->devices, name, "%s: %s", test->devices->devices[device].name, error.message);
        picture_destroy(&image);
    }
    pietra_stream_destroy(stream);
}

/* Segments that have more periods together than positions can count are refused by all devices. */
static void check_countless_dashes(property_test *test)
{
    const double dash = 4e-9;
    const pietra_stroke stroke = {.width = 1, .miter_limit = 4, .dashes = &dash, .dash_count = 1};
    for (int segments = 1; segments <= 9; segments++) {
        pietra_path *path = pietra_path_create();
        pietra_path_move_to(path, 10, 10);
        for (int i = 0; i < segments; i++)
            pietra_path_line_to(path, i % 2 ? 10 : 90, 20 + i);
        expect_refused(test, "property/countless_dashes", path, &stroke);
        pietra_path_destroy(path);
    }
}

/* Many dashes with wide round caps, of a straight line or a curve: the caps cost more than their number says. All
 * devices refuse them, and for the same reason. */
static void check_heavy_dashes(property_test *test)
{
    static const struct {
        double dash, width;
        bool curved;
    } strokes[] = {{.0001, 1e6, false}, {.0002, 1000, true}, {.0001, 50, false}};
    for (size_t i = 0; i < sizeof strokes / sizeof strokes[0]; i++) {
        pietra_path *path = pietra_path_create();
        const pietra_stroke stroke = {.width = strokes[i].width,
                                      .miter_limit = 4,
                                      .cap = PIETRA_CAP_ROUND,
                                      .dashes = &strokes[i].dash,
                                      .dash_count = 1};
        pietra_path_move_to(path, 0, 0);
        if (strokes[i].curved)
            pietra_path_cubic_to(path, 100, 0, 0, 100, 100, 100);
        else
            pietra_path_line_to(path, 100, 100);
        expect_refused(test, "property/heavy_dashes", path, &stroke);
        pietra_path_destroy(path);
    }
}

/* Returns a path of curves whose control points lie far from the picture. */
static pietra_path *far_path(uint64_t seed)
{
    random_source source = random_start(seed);
    pietra_path *path = pietra_path_create();
    pietra_path_move_to(path, random_between(&source, 0, SIDE), random_between(&source, 0, SIDE));
    for (int i = 0; i < 3; i++) {
        double p[6], reach = pow(10, random_between(&source, 3, 14));
        for (size_t k = 0; k < 4; k++)
            p[k] = random_below(&source, 3) ? random_between(&source, -reach, reach) : random_between(&source, 0, SIDE);
        for (size_t k = 4; k < 6; k++)
            p[k] = random_between(&source, 0, SIDE);
        if (random_below(&source, 2))
            pietra_path_cubic_to(path, p[0], p[1], p[2], p[3], p[4], p[5]);
        else
            pietra_path_quad_to(path, p[0], p[1], p[4], p[5]);
    }
    return path;
}

/* Encodes the stroke of a path by a pen of any width, or its fill. */
static pietra_stream *encode_far_path(const pietra_path *path, uint64_t seed)
{
    random_source source = random_start(seed + 1000000);
    pietra_stroke stroke = {.width = pow(10, random_between(&source, 0, 6)), .miter_limit = 4};
    stroke.join = (pietra_join)random_below(&source, 4);
    stroke.cap = (pietra_cap)random_below(&source, 3);
    if (seed % 4 < 2)
        return property_encode_fill(path, (pietra_fill_rule)(seed % 2));
    return property_encode_stroke(path, &stroke);
}

/* Curves that leave the picture by far look the same on all devices. A larger picture, which sees other pieces of them,
 * begins with the same pixels. */
static void check_far_curves(property_test *test)
{
    for (uint64_t seed = test->only ? test->only : 1; seed <= (test->only ? test->only : FAR_CURVES); seed++) {
        char name[100];
        snprintf(name, sizeof name, "property/far_curves_seed_%llu", (unsigned long long)seed);
        pietra_path *path = far_path(seed);
        pietra_stream *stream = encode_far_path(path, seed);
        picture image = panel_draw_all(test->devices, name, stream, NULL, SIDE, SIDE);
        picture larger = picture_create(3 * SIDE, 2 * SIDE), begin = picture_create(SIDE, SIDE);
        panel_draw(test->devices, 0, name, stream, NULL, &larger);
        for (uint32_t y = 0; y < SIDE; y++)
            memcpy(begin.pixels + (size_t)4 * SIDE * y, larger.pixels + (size_t)4 * 3 * SIDE * y, 4 * SIDE);
        if (image.pixels)
            panel_expect_equal(test->devices, name, &begin, &image);
        picture_destroy(&image);
        picture_destroy(&larger);
        picture_destroy(&begin);
        pietra_stream_destroy(stream);
        pietra_path_destroy(path);
    }
}

static void expect_few_lines(property_test *test, const char *name, pietra_stream *stream, uint64_t most)
{
    for (uint32_t device = 0; device < test->devices->count; device++) {
        picture image = picture_create(64, 64);
        pietra_stats stats;
        pietra_error error;
        property_demand(property_draw_on(test->devices->devices[device].device, stream, &image, &error, &stats),
                        &error);
        if (stats.lines > most)
            panel_fail(test->devices, name, "%s: %llu lines", test->devices->devices[device].name,
                       (unsigned long long)stats.lines);
        picture_destroy(&image);
    }
    pietra_stream_destroy(stream);
}

/* Of curves that leave the picture by far, few lines are made, also under a wide pen. */
static void check_lines_of_far_curves(property_test *test)
{
    const uint64_t curves = 20;
    const pietra_stroke stroke = {.width = 1e5, .miter_limit = 4};
    pietra_path *path = pietra_path_create();
    pietra_path_move_to(path, 0, 0);
    for (uint64_t i = 0; i < curves; i++)
        pietra_path_cubic_to(path, 1e7, 0, -1e7, 64, 64, 64);
    expect_few_lines(test, "property/far_lines", property_encode_fill(path, PIETRA_FILL_NONZERO), curves * 300);
    expect_few_lines(test, "property/far_lines_stroke", property_encode_stroke(path, &stroke), curves * 300);
    pietra_path_destroy(path);
}

int main(int argc, char **argv)
{
    static const property_check checks[] = {
        {"huge_strokes", check_huge_strokes},         {"solid_dashes", check_solid_dashes},
        {"long_patterns", check_long_patterns},       {"heavy_dashes", check_heavy_dashes},
        {"countless_dashes", check_countless_dashes}, {"far_curves", check_far_curves},
        {"far_lines", check_lines_of_far_curves},
    };
    return property_run(checks, sizeof checks / sizeof checks[0], argc, argv);
}
