/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What must hold for every picture, whatever it shows.
 *
 *   test_property [PART] [SEED]
 *
 * PART: only checks whose names contain it. SEED: only the random scene with this seed. */
#include "all_sizes.h"
#include "golden/panel.h"
#include "property/random_scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIDE 128u
#define RANDOM_SCENES (all_sizes() ? 300u : 30u)
#define TRANSFORM_MOST 1e18 /* numbers of a frame's transform */
#define RANDOM_TRANSFORMS (all_sizes() ? 100u : 15u)
#define RANDOM_STROKES (all_sizes() ? 20000u : 2000u)
#define RANDOM_STROKES_EACH 200u /* one of this many is drawn by GPUs too */

#define SOLID_DASHES (all_sizes() ? 20000u : 1000u)
#define SOLID_DASHES_EACH 20u
#define FAR_CURVES (all_sizes() ? 2000u : 100u)

typedef struct property_test {
    panel *devices;
    uint64_t only; /* a seed, or 0 */
} property_test;

static void demand(pietra_result result, const pietra_error *error)
{
    if (result) {
        fprintf(stderr, "property: %s\n", error->message);
        abort();
    }
}

static pietra_stream *encode(const pietra_scene *scene)
{
    pietra_error error;
    pietra_stream *stream;
    demand(pietra_stream_encode(scene, &error, &stream), &error);
    return stream;
}

static pietra_stream *encode_random(uint64_t seed, random_kind kind, double side)
{
    pietra_scene *scene = random_scene_create(seed, kind, side);
    pietra_stream *stream = encode(scene);
    pietra_scene_destroy(scene);
    return stream;
}

static pietra_frame moved(double x, double y)
{
    return (pietra_frame){.transform = {1, 0, 0, 1, x, y}};
}

static picture draw(property_test *test, uint32_t device, const char *name, const pietra_stream *stream,
                    const pietra_frame *frame)
{
    picture image = picture_create(SIDE, SIDE);
    panel_draw(test->devices, device, name, stream, frame, &image);
    return image;
}

static void expect_same(property_test *test, const char *name, picture a, picture b)
{
    panel_expect_equal(test->devices, name, &a, &b);
    picture_destroy(&a);
    picture_destroy(&b);
}

/* Any scene has the same bytes on every device. */
static void check_devices(property_test *test)
{
    for (uint64_t seed = test->only ? test->only : 1; seed <= (test->only ? test->only : RANDOM_SCENES); seed++) {
        char name[100];
        uint32_t width = 64 + (uint32_t)(seed * 37 % 137), height = 64 + (uint32_t)(seed * 53 % 137);
        snprintf(name, sizeof name, "property/devices_seed_%llu", (unsigned long long)seed);
        pietra_stream *stream = encode_random(seed, RANDOM_ANYTHING, width);
        pietra_frame frame = {.background = seed % 3 ? (pietra_color){0} : (pietra_color){1, 1, 1, 1}};
        picture image = panel_draw_all(test->devices, name, stream, &frame, width, height);
        picture_destroy(&image);
        pietra_stream_destroy(stream);
    }
}

/* Returns a number of either sign, of any size from 1e-18 to the largest that a frame accepts. */
static double random_entry(random_source *source)
{
    double size = pow(10, random_between(source, -18, log10(TRANSFORM_MOST)));
    return random_below(source, 2) ? size : -size;
}

/* Returns a scale, a scale with a rotation, or a map of four random entries. It takes a point of the scene to the
 * middle of the picture, or anywhere. */
static pietra_transform random_transform(random_source *source, double side)
{
    double scale = random_entry(source), turn = random_between(source, 0, 6.3), x = random_between(source, 0, side),
           y = random_between(source, 0, side);
    pietra_transform t = {scale, 0, 0, scale, 0, 0};
    if (random_below(source, 4) == 0) {
        t = (pietra_transform){
            random_entry(source), random_entry(source), random_entry(source), random_entry(source), 0, 0};
    } else if (random_below(source, 2)) {
        t = (pietra_transform){scale * cos(turn), scale * sin(turn), -scale * sin(turn), scale * cos(turn), 0, 0};
    }
    t.e = random_below(source, 4) ? fmax(fmin(side / 2 - t.a * x - t.c * y, TRANSFORM_MOST), -TRANSFORM_MOST)
                                  : random_entry(source);
    t.f = random_below(source, 4) ? fmax(fmin(side / 2 - t.b * x - t.d * y, TRANSFORM_MOST), -TRANSFORM_MOST)
                                  : random_entry(source);
    return t;
}

/* Encodes one stroke of a few segments with any joins and caps. */
static pietra_stream *encode_stroke(random_source *source)
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
    demand(pietra_scene_stroke(scene, path, NULL, &stroke, &paint, &error), &error);
    pietra_stream *stream = encode(scene);
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
        pietra_stream *stream = encode_stroke(&source);
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

static pietra_device *open_device(pietra_device_kind kind, uint64_t budget, uint32_t threads)
{
    pietra_error error;
    pietra_device *device;
    pietra_device_options options = {.kind = kind, .memory_budget_bytes = budget, .threads = threads};
    demand(pietra_device_create(&options, &error, &device), &error);
    return device;
}

static pietra_result draw_on(pietra_device *device, const pietra_stream *stream, picture *image, pietra_error *error,
                             pietra_stats *stats)
{
    pietra_target target = {.width = image->width, .height = image->height, .pixels = image->pixels};
    return pietra_render(device, stream, NULL, &target, error, stats);
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

static pietra_stream *encode_path_stroke(const pietra_path *path, const pietra_stroke *stroke)
{
    pietra_error error;
    const pietra_paint paint = {.color = {1, 0, 0, 1}};
    pietra_scene *scene = pietra_scene_create();
    demand(pietra_scene_stroke(scene, path, NULL, stroke, &paint, &error), &error);
    pietra_stream *stream = encode(scene);
    pietra_scene_destroy(scene);
    return stream;
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
    pietra_stream *a = encode_path_stroke(path, stroke);
    test->devices->count = is_for_all ? all : all - 1; /* the GPU comes last */
    picture found = panel_draw_all(test->devices, name, a, &frame, SIDE, SIDE);
    test->devices->count = all;
    picture expected = picture_create(SIDE, SIDE);
    if (other) {
        pietra_stream *b = encode_path_stroke(other_path, other);
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

/* All devices refuse a stroke, for the number of its dashes. */
static void expect_refused(property_test *test, const char *name, const pietra_path *path, const pietra_stroke *stroke)
{
    pietra_stream *stream = encode_path_stroke(path, stroke);
    for (uint32_t device = 0; device < test->devices->count; device++) {
        pietra_error error = {.message = "none"};
        picture image = picture_create(100, 100);
        pietra_result result = draw_on(test->devices->devices[device].device, stream, &image, &error, NULL);
        if (result != PIETRA_ERROR_BUDGET || !strstr(error.message, "more than 1048576 visible dashes"))
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

/* However large or small the frame's transform makes a scene, every device gives the same bytes. */
static void check_transforms(property_test *test)
{
    for (uint64_t seed = test->only ? test->only : 1; seed <= (test->only ? test->only : RANDOM_TRANSFORMS); seed++) {
        char name[100];
        random_source source = random_start(seed);
        snprintf(name, sizeof name, "property/transforms_seed_%llu", (unsigned long long)seed);
        pietra_stream *stream = encode_random(seed, RANDOM_ANYTHING, SIDE);
        pietra_frame frame = {.transform = random_transform(&source, SIDE)};
        picture image = panel_draw_all(test->devices, name, stream, &frame, 61, 47);
        picture_destroy(&image);
        pietra_stream_destroy(stream);
    }
}

/* The same frame again, after another one, gives the same picture. */
static void check_two_runs(property_test *test)
{
    for (uint32_t device = 0; device < test->devices->count; device++) {
        for (uint64_t seed = 1; seed <= 5; seed++) {
            pietra_stream *stream = encode_random(seed, RANDOM_ANYTHING, SIDE),
                          *other = encode_random(seed + 900, RANDOM_ANYTHING, SIDE);
            picture first = draw(test, device, "property/two_runs", stream, NULL),
                    again = draw(test, device, "property/two_runs", stream, NULL);
            panel_expect_equal(test->devices, "property/two_runs_at_once", &first, &again);
            picture_destroy(&again);
            again = draw(test, device, "property/two_runs", other, NULL);
            picture_destroy(&again);
            expect_same(test, "property/two_runs", first, draw(test, device, "property/two_runs", stream, NULL));
            pietra_stream_destroy(stream);
            pietra_stream_destroy(other);
        }
    }
}

/* Where nothing is rounded, an offset by whole tiles only moves the pixels. */
static void check_offsets(property_test *test)
{
    for (uint64_t seed = 1; seed <= 24; seed++) {
        char name[100];
        uint32_t device = (uint32_t)(seed % test->devices->count), x = 16 * (uint32_t)(seed % 5),
                 y = 16 * (uint32_t)(seed % 3 + 1);
        snprintf(name, sizeof name, "property/offset_seed_%llu", (unsigned long long)seed);
        pietra_stream *stream = encode_random(seed, RANDOM_DYADIC, SIDE);
        pietra_frame frame = moved(x, y);
        picture plain = draw(test, device, name, stream, NULL), wide = picture_create(SIDE + 80, SIDE + 64);
        panel_draw(test->devices, device, name, stream, &frame, &wide);
        expect_same(test, name, plain, picture_crop(&wide, x, y, SIDE, SIDE));
        picture_destroy(&wide);
        pietra_stream_destroy(stream);
    }
}

/* Where nothing is rounded, a picture is the sum of pieces drawn each on its own, at any whole pixel. */
static void check_pieces(property_test *test)
{
    for (uint64_t seed = 30; seed <= 40; seed++) {
        char name[100];
        uint32_t device = (uint32_t)(seed % test->devices->count);
        snprintf(name, sizeof name, "property/pieces_seed_%llu", (unsigned long long)seed);
        pietra_stream *stream = encode_random(seed, RANDOM_DYADIC, SIDE);
        picture plain = draw(test, device, name, stream, NULL);
        for (uint32_t i = 0; i < 4; i++) {
            uint32_t x = i % 2 * 53, y = i / 2 * 48;
            picture piece = picture_create(75, 64);
            pietra_frame frame = moved(-(double)x, -(double)y);
            panel_draw(test->devices, device, name, stream, &frame, &piece);
            expect_same(test, name, picture_crop(&plain, x, y, 75, 64), piece);
        }
        picture_destroy(&plain);
        pietra_stream_destroy(stream);
    }
}

/* The first budget that an error names draws the frame. */
static void check_named_budget(property_test *test, pietra_device_kind kind, const pietra_stream *stream,
                               const pietra_error *below, const picture *whole)
{
    uint64_t named = strtoull(strpbrk(below->message, "0123456789"), NULL, 10);
    picture image = picture_create(512, 512);
    pietra_device *device = open_device(kind, named, 0);
    pietra_error error;
    if (draw_on(device, stream, &image, &error, NULL))
        panel_fail(test->devices, "property/budget", "\"%s\", and then \"%s\"", below->message, error.message);
    else
        panel_expect_equal(test->devices, "property/budget_named", whole, &image);
    pietra_device_destroy(device);
    picture_destroy(&image);
}

/* Draws at ever smaller budgets: the same bytes in ever more parts, until below the floor an error names the floor. */
static void check_budgets_of(property_test *test, uint32_t number, const pietra_stream *stream)
{
    const pietra_device_kind kind = test->devices->devices[number].kind;
    picture whole = picture_create(512, 512);
    uint32_t most_parts = 0;
    pietra_error error;
    pietra_result result = PIETRA_OK;
    panel_draw(test->devices, number, "property/budget", stream, NULL, &whole);
    for (uint64_t budget = all_sizes() ? 16u << 20 : 4u << 20; !result && budget >= 1024;
         budget -= all_sizes() ? budget / 3 : budget / 4 * 3) {
        picture image = picture_create(512, 512);
        pietra_device *device = open_device(kind, budget, 0);
        pietra_stats stats;
        error = (pietra_error){.message = "untouched"};
        result = draw_on(device, stream, &image, &error, &stats);
        if (!result && strcmp(error.message, "untouched") != 0)
            panel_fail(test->devices, "property/budget", "drawn in %u parts, and \"%s\"", stats.parts, error.message);
        if (!result) {
            panel_expect_equal(test->devices, "property/budget", &whole, &image);
            most_parts = stats.parts > most_parts ? stats.parts : most_parts;
        }
        /* The picture itself does not count against the budget. */
        if (!result && stats.memory_bytes > budget + (uint64_t)4 * 512 * 512) {
            panel_fail(test->devices, "property/budget", "%llu bytes used of %llu",
                       (unsigned long long)stats.memory_bytes, (unsigned long long)budget);
        }
        pietra_device_destroy(device);
        picture_destroy(&image);
    }
    if (most_parts < 2)
        panel_fail(test->devices, "property/budget", "no budget made the frame be drawn in parts");
    if (result != PIETRA_ERROR_BUDGET || !strpbrk(error.message, "0123456789")) {
        panel_fail(test->devices, "property/budget", "the error below the floor is %d: %s", result,
                   result ? error.message : "none");
    } else {
        check_named_budget(test, kind, stream, &error, &whole);
    }
    picture_destroy(&whole);
}

static void check_budgets(property_test *test)
{
    for (uint64_t seed = 51; seed <= (all_sizes() ? 52 : 51); seed++) {
        pietra_scene *scene = pietra_scene_create();
        for (uint64_t part = 0; part < 6; part++)
            random_scene_add(scene, 10 * seed + part, RANDOM_ANYTHING, 512);
        pietra_stream *stream = encode(scene);
        pietra_scene_destroy(scene);
        for (uint32_t i = 0; i < test->devices->count; i++)
            check_budgets_of(test, i, stream);
        pietra_stream_destroy(stream);
    }
}

/* The CPU device with one thread, two and seven. */
static void check_threads(property_test *test)
{
    for (uint64_t seed = 70; seed < 76; seed++) {
        pietra_stream *stream = encode_random(seed, RANDOM_ANYTHING, SIDE);
        picture first = picture_create(SIDE, SIDE);
        pietra_error error;
        for (uint32_t threads = 1; threads <= 7; threads += threads == 1 ? 1 : 5) {
            picture image = picture_create(SIDE, SIDE);
            pietra_device *device = open_device(PIETRA_DEVICE_CPU, 0, threads);
            demand(draw_on(device, stream, threads == 1 ? &first : &image, &error, NULL), &error);
            if (threads > 1)
                panel_expect_equal(test->devices, "property/threads", &first, &image);
            pietra_device_destroy(device);
            picture_destroy(&image);
        }
        picture_destroy(&first);
        pietra_stream_destroy(stream);
    }
}

static const pietra_paint white = {.color = {1, 1, 1, 1}};

static pietra_stream *encode_fill(const pietra_path *path, pietra_fill_rule rule)
{
    pietra_error error;
    pietra_scene *scene = pietra_scene_create();
    demand(pietra_scene_fill(scene, path, NULL, rule, &white, &error), &error);
    pietra_stream *stream = encode(scene);
    pietra_scene_destroy(scene);
    return stream;
}

static pietra_stream *encode_plain_stroke(const pietra_path *path, const pietra_stroke *stroke)
{
    pietra_error error;
    pietra_scene *scene = pietra_scene_create();
    demand(pietra_scene_stroke(scene, path, NULL, stroke, &white, &error), &error);
    pietra_stream *stream = encode(scene);
    pietra_scene_destroy(scene);
    return stream;
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
        return encode_fill(path, (pietra_fill_rule)(seed % 2));
    return encode_plain_stroke(path, &stroke);
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
        demand(draw_on(test->devices->devices[device].device, stream, &image, &error, &stats), &error);
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
    expect_few_lines(test, "property/far_lines", encode_fill(path, PIETRA_FILL_NONZERO), curves * 300);
    expect_few_lines(test, "property/far_lines_stroke", encode_plain_stroke(path, &stroke), curves * 300);
    pietra_path_destroy(path);
}

/* A polygon of curves and its reverse give the same bytes by either rule. */
static void check_reverse(property_test *test)
{
    for (uint64_t seed = 1; seed <= 40; seed++) {
        char name[100];
        random_source source = random_start(seed);
        double points[31][2];
        uint32_t kind = (uint32_t)seed % 3 + 1, count = 30 / kind;
        pietra_path *forward = pietra_path_create(), *backward = pietra_path_create();
        snprintf(name, sizeof name, "property/reverse_seed_%llu", (unsigned long long)seed);
        for (int i = 0; i < 31; i++) {
            points[i][0] = random_between(&source, -30, SIDE + 30);
            points[i][1] = random_between(&source, -30, SIDE + 30);
        }
        pietra_path_move_to(forward, points[0][0], points[0][1]);
        pietra_path_move_to(backward, points[30][0], points[30][1]);
        for (uint32_t i = 0; i < count; i++) {
            double(*p)[2] = points + kind * i, (*q)[2] = points + 30 - kind * i;
            if (kind == 1) {
                pietra_path_line_to(forward, p[1][0], p[1][1]);
                pietra_path_line_to(backward, q[-1][0], q[-1][1]);
            } else if (kind == 2) {
                pietra_path_quad_to(forward, p[1][0], p[1][1], p[2][0], p[2][1]);
                pietra_path_quad_to(backward, q[-1][0], q[-1][1], q[-2][0], q[-2][1]);
            } else {
                pietra_path_cubic_to(forward, p[1][0], p[1][1], p[2][0], p[2][1], p[3][0], p[3][1]);
                pietra_path_cubic_to(backward, q[-1][0], q[-1][1], q[-2][0], q[-2][1], q[-3][0], q[-3][1]);
            }
        }
        for (int rule = 0; rule < 2; rule++) {
            pietra_stream *a = encode_fill(forward, (pietra_fill_rule)rule),
                          *b = encode_fill(backward, (pietra_fill_rule)rule);
            uint32_t device = (uint32_t)(seed % test->devices->count);
            expect_same(test, name, draw(test, device, name, a, NULL), draw(test, device, name, b, NULL));
            pietra_stream_destroy(a);
            pietra_stream_destroy(b);
        }
        pietra_path_destroy(forward);
        pietra_path_destroy(backward);
    }
}

/* A broken line cuts the canvas in two: the levels of both parts, each drawn alone, add up to full within the
 * rounding. */
static void check_shared_edges(property_test *test)
{
    for (uint64_t seed = 1; seed <= 20; seed++) {
        random_source source = random_start(seed * 77);
        uint32_t device = (uint32_t)(seed % test->devices->count), wrong = 0;
        pietra_path *left = pietra_path_create(), *right = pietra_path_create();
        pietra_path_move_to(left, -10, -10);
        pietra_path_move_to(right, SIDE + 10, -10);
        for (double y = -10; y < SIDE + 12; y += 23) {
            double x = random_between(&source, 5, SIDE - 5), at = y + random_between(&source, -10, 10);
            pietra_path_line_to(left, x, at);
            pietra_path_line_to(right, x, at);
        }
        pietra_path_line_to(left, -10, SIDE + 40);
        pietra_path_line_to(right, SIDE + 10, SIDE + 40);
        pietra_stream *a = encode_fill(left, PIETRA_FILL_NONZERO), *b = encode_fill(right, PIETRA_FILL_NONZERO);
        picture p = draw(test, device, "property/shared_edges", a, NULL),
                q = draw(test, device, "property/shared_edges", b, NULL);
        for (size_t y = 16; y < SIDE - 16; y++) {
            for (size_t x = 0; x < SIDE; x++) {
                int sum = p.pixels[4 * (y * SIDE + x) + 3] + q.pixels[4 * (y * SIDE + x) + 3];
                wrong += sum < 254 || sum > 256;
            }
        }
        if (wrong) {
            panel_fail(test->devices, "property/shared_edges", "seed %llu: %u pixels do not sum to full",
                       (unsigned long long)seed, wrong);
        }
        picture_destroy(&p);
        picture_destroy(&q);
        pietra_stream_destroy(a);
        pietra_stream_destroy(b);
        pietra_path_destroy(left);
        pietra_path_destroy(right);
    }
}

/* A clip to the whole picture changes nothing: even isolated content composited onto nothing is itself. A group of
 * opacity 1 is not tested here. */
static void check_whole_clip(property_test *test)
{
    for (uint64_t seed = 100; seed < 115; seed++) {
        char name[100];
        pietra_error error;
        uint32_t device = (uint32_t)(seed % test->devices->count);
        snprintf(name, sizeof name, "property/whole_clip_seed_%llu", (unsigned long long)seed);
        pietra_scene *plain = random_scene_create(seed, RANDOM_ANYTHING, SIDE), *clipped = pietra_scene_create();
        pietra_path *path = pietra_path_create();
        pietra_path_rect(path, 0, 0, SIDE, SIDE);
        demand(pietra_scene_begin_clip(clipped, path, NULL, PIETRA_FILL_NONZERO, &error), &error);
        random_scene_add(clipped, seed, RANDOM_ANYTHING, SIDE);
        demand(pietra_scene_end_clip(clipped, &error), &error);
        pietra_stream *a = encode(plain), *b = encode(clipped);
        expect_same(test, name, draw(test, device, name, a, NULL), draw(test, device, name, b, NULL));
        pietra_stream_destroy(a);
        pietra_stream_destroy(b);
        pietra_path_destroy(path);
        pietra_scene_destroy(plain);
        pietra_scene_destroy(clipped);
    }
}

/* A scene put together from two scenes equals drawing one after the other. A scene appended under a dyadic offset
 * equals the moved frame. */
static void check_append(property_test *test)
{
    for (uint64_t seed = 200; seed < 212; seed++) {
        char name[100];
        pietra_error error;
        uint32_t device = (uint32_t)(seed % test->devices->count);
        snprintf(name, sizeof name, "property/append_seed_%llu", (unsigned long long)seed);
        pietra_scene *scene = random_scene_create(seed, RANDOM_ANYTHING, SIDE), *copy = pietra_scene_create();
        demand(pietra_scene_append(copy, scene, NULL, &error), &error);
        pietra_stream *a = encode(scene), *b = encode(copy);
        expect_same(test, name, draw(test, device, name, a, NULL), draw(test, device, name, b, NULL));
        pietra_stream_destroy(a);
        pietra_stream_destroy(b);
        pietra_scene_destroy(scene);
        pietra_scene_destroy(copy);

        pietra_transform move = {1, 0, 0, 1, 24.5, -8.25};
        pietra_frame frame = {.transform = move};
        scene = random_scene_create(seed, RANDOM_DYADIC, SIDE);
        copy = pietra_scene_create();
        demand(pietra_scene_append(copy, scene, &move, &error), &error);
        a = encode(scene);
        b = encode(copy);
        expect_same(test, name, draw(test, device, name, a, &frame), draw(test, device, name, b, NULL));
        pietra_stream_destroy(a);
        pietra_stream_destroy(b);
        pietra_scene_destroy(scene);
        pietra_scene_destroy(copy);
    }
}

/* A stream from its bytes draws the same. A background equals a first element that covers everything. Strides and
 * premultiplied bytes are respected. */
static void check_targets(property_test *test)
{
    for (uint64_t seed = 300; seed < 306; seed++) {
        pietra_error error;
        pietra_stream *stream = encode_random(seed, RANDOM_ANYTHING, SIDE), *opened;
        uint32_t device = (uint32_t)(seed % test->devices->count);
        size_t size;
        const void *bytes = pietra_stream_bytes(stream, &size);
        demand(pietra_stream_open(bytes, size, &error, &opened), &error);
        expect_same(test, "property/opened", draw(test, device, "property/opened", stream, NULL),
                    draw(test, device, "property/opened", opened, NULL));

        uint8_t *wide = malloc((size_t)SIDE * 777);
        memset(wide, 0xa5, (size_t)SIDE * 777);
        pietra_target target = {.width = SIDE,
                                .height = SIDE,
                                .pixels = wide,
                                .stride_bytes = 777,
                                .format = PIETRA_FORMAT_RGBA8_PREMULTIPLIED};
        picture plain = draw(test, device, "property/stride", stream, NULL);
        demand(pietra_render(test->devices->devices[device].device, stream, NULL, &target, &error, NULL), &error);
        uint32_t wrong = 0;
        for (size_t y = 0; y < SIDE; y++) {
            for (size_t i = 0; i < 777; i++) {
                uint8_t found = wide[y * 777 + i];
                if (i >= 4 * SIDE) {
                    wrong += found != 0xa5;
                } else {
                    unsigned straight = plain.pixels[y * SIDE * 4 + i], alpha = plain.pixels[y * SIDE * 4 + (i | 3)];
                    wrong += i % 4 == 3 ? found != alpha : abs((int)found - (int)((straight * alpha + 127) / 255)) > 1;
                }
            }
        }
        if (wrong) {
            panel_fail(test->devices, "property/stride", "seed %llu: %u bytes are wrong", (unsigned long long)seed,
                       wrong);
        }
        free(wide);
        picture_destroy(&plain);
        pietra_stream_destroy(stream);
        pietra_stream_destroy(opened);
    }
}

static void check_background(property_test *test)
{
    for (uint64_t seed = 400; seed < 406; seed++) {
        pietra_error error;
        uint32_t device = (uint32_t)(seed % test->devices->count);
        pietra_frame frame = {.background = {0.2f, 0.4f, 0.6f, 1}};
        pietra_paint paint = {.color = frame.background};
        pietra_scene *scene = random_scene_create(seed, RANDOM_ANYTHING, SIDE), *covered = pietra_scene_create();
        pietra_path *path = pietra_path_create();
        pietra_path_rect(path, -5, -5, SIDE + 10, SIDE + 10);
        demand(pietra_scene_fill(covered, path, NULL, PIETRA_FILL_NONZERO, &paint, &error), &error);
        demand(pietra_scene_append(covered, scene, NULL, &error), &error);
        pietra_stream *a = encode(scene), *b = encode(covered);
        expect_same(test, "property/background", draw(test, device, "property/background", a, &frame),
                    draw(test, device, "property/background", b, NULL));
        pietra_stream_destroy(a);
        pietra_stream_destroy(b);
        pietra_path_destroy(path);
        pietra_scene_destroy(scene);
        pietra_scene_destroy(covered);
    }
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*check)(property_test *test);
    } checks[] = {
        {"devices", check_devices},           {"two_runs", check_two_runs},
        {"offsets", check_offsets},           {"transforms", check_transforms},
        {"huge_strokes", check_huge_strokes}, {"pieces", check_pieces},
        {"solid_dashes", check_solid_dashes}, {"long_patterns", check_long_patterns},
        {"heavy_dashes", check_heavy_dashes}, {"countless_dashes", check_countless_dashes},
        {"far_curves", check_far_curves},     {"far_lines", check_lines_of_far_curves},
        {"budgets", check_budgets},           {"threads", check_threads},
        {"reverse", check_reverse},           {"shared_edges", check_shared_edges},
        {"whole_clip", check_whole_clip},     {"append", check_append},
        {"targets", check_targets},           {"background", check_background},
    };
    panel devices;
    property_test test = {.devices = &devices, .only = argc > 2 ? strtoull(argv[2], NULL, 10) : 0};
    const char *part = argc > 1 ? argv[1] : "";
    panel_open(&devices, true);
    for (size_t i = 0; i < sizeof checks / sizeof checks[0]; i++) {
        if (strstr(checks[i].name, part)) {
            uint32_t before = devices.failures;
            checks[i].check(&test);
            printf("%s: %u failures\n", checks[i].name, devices.failures - before);
        }
    }
    panel_close(&devices);
    return devices.failures != 0;
}
