/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What must hold for every picture, whatever it shows.
 *
 *   test_property [PART] [SEED]
 *
 * PART: only checks whose names contain it. SEED: only the random scene with this seed. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "all_sizes.h"
#include "property/property.h"
#include "render/device.h"

#define RANDOM_SCENES (all_sizes() ? 300u : 6u)
#define BUDGETS_SIDE (all_sizes() ? 512u : 256u)
#define RANDOM_TRANSFORMS (all_sizes() ? 100u : 4u)

static pietra_frame moved(double x, double y)
{
    return (pietra_frame){.transform = {1, 0, 0, 1, x, y}};
}

/* Any scene has the same bytes on every device. */
static void check_devices(property_test *test)
{
    for (uint64_t seed = test->only ? test->only : 1; seed <= (test->only ? test->only : RANDOM_SCENES); seed++) {
        char name[100];
        uint32_t width = 64 + (uint32_t)(seed * 37 % 137), height = 64 + (uint32_t)(seed * 53 % 137);
        snprintf(name, sizeof name, "property/devices_seed_%llu", (unsigned long long)seed);
        pietra_stream *stream = property_encode_random(seed, RANDOM_ANYTHING, width);
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

/* However large or small the frame's transform makes a scene, every device gives the same bytes. */
static void check_transforms(property_test *test)
{
    for (uint64_t seed = test->only ? test->only : 1; seed <= (test->only ? test->only : RANDOM_TRANSFORMS); seed++) {
        char name[100];
        random_source source = random_start(seed);
        snprintf(name, sizeof name, "property/transforms_seed_%llu", (unsigned long long)seed);
        pietra_stream *stream = property_encode_random(seed, RANDOM_ANYTHING, SIDE);
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
        for (uint64_t seed = 1; seed <= (all_sizes() ? 5 : 3); seed++) {
            pietra_stream *stream = property_encode_random(seed, RANDOM_ANYTHING, SIDE),
                          *other = property_encode_random(seed + 900, RANDOM_ANYTHING, SIDE);
            picture first = property_draw(test, device, "property/two_runs", stream, NULL),
                    again = property_draw(test, device, "property/two_runs", stream, NULL);
            panel_expect_equal(test->devices, "property/two_runs_at_once", &first, &again);
            picture_destroy(&again);
            again = property_draw(test, device, "property/two_runs", other, NULL);
            picture_destroy(&again);
            property_expect_same(test, "property/two_runs", first,
                                 property_draw(test, device, "property/two_runs", stream, NULL));
            pietra_stream_destroy(stream);
            pietra_stream_destroy(other);
        }
    }
}

/* Where nothing is rounded, an offset by whole tiles only moves the pixels. */
static void check_offsets(property_test *test)
{
    for (uint64_t seed = 1; seed <= (all_sizes() ? 24 : 6); seed++) {
        char name[100];
        uint32_t device = (uint32_t)(seed / 3 % test->devices->count), x = 16 * (uint32_t)(seed % 5),
                 y = 16 * (uint32_t)(seed % 3 + 1);
        snprintf(name, sizeof name, "property/offset_seed_%llu", (unsigned long long)seed);
        pietra_stream *stream = property_encode_random(seed, RANDOM_DYADIC, SIDE);
        pietra_frame frame = moved(x, y);
        picture plain = property_draw(test, device, name, stream, NULL), wide = picture_create(SIDE + 80, SIDE + 64);
        panel_draw(test->devices, device, name, stream, &frame, &wide);
        property_expect_same(test, name, plain, picture_crop(&wide, x, y, SIDE, SIDE));
        picture_destroy(&wide);
        pietra_stream_destroy(stream);
    }
}

/* Where nothing is rounded, a picture is the sum of pieces drawn each on its own, at any whole pixel. */
static void check_pieces(property_test *test)
{
    for (uint64_t seed = 30; seed <= (all_sizes() ? 40 : 33); seed++) {
        char name[100];
        uint32_t device = (uint32_t)(seed % test->devices->count);
        snprintf(name, sizeof name, "property/pieces_seed_%llu", (unsigned long long)seed);
        pietra_stream *stream = property_encode_random(seed, RANDOM_DYADIC, SIDE);
        picture plain = property_draw(test, device, name, stream, NULL);
        for (uint32_t i = 0; i < 4; i++) {
            uint32_t x = i % 2 * 53, y = i / 2 * 48;
            picture piece = picture_create(75, 64);
            pietra_frame frame = moved(-(double)x, -(double)y);
            panel_draw(test->devices, device, name, stream, &frame, &piece);
            property_expect_same(test, name, picture_crop(&plain, x, y, 75, 64), piece);
        }
        picture_destroy(&plain);
        pietra_stream_destroy(stream);
    }
}

/* Makes a GPU forget what it has learned of the last stream. */
static void draw_another(pietra_device *device)
{
    pietra_error error;
    picture image = picture_create(16, 16);
    pietra_stream *stream = property_encode_random(1, RANDOM_DYADIC, 16);
    property_demand(property_draw_on(device, stream, &image, &error, NULL), &error);
    pietra_stream_destroy(stream);
    picture_destroy(&image);
}

/* Draws on a new device with a budget. A new GPU in software would take seconds for its kernels: there the panel's gets
 * the budget. */
static pietra_result draw_with_budget(property_test *test, uint32_t number, uint64_t budget,
                                      const pietra_stream *stream, picture *image, pietra_error *error,
                                      pietra_stats *stats)
{
    const pietra_device_kind kind = test->devices->devices[number].kind;
    if (kind != PIETRA_DEVICE_GPU) {
        pietra_device *device = property_open_device(kind, budget, 0);
        const pietra_result result = property_draw_on(device, stream, image, error, stats);
        pietra_device_destroy(device);
        return result;
    }
    pietra_device *device = test->devices->devices[number].device;
    const uint64_t usual = device->budget_bytes;
    draw_another(device);
    device->budget_bytes = budget;
    const pietra_result result = property_draw_on(device, stream, image, error, stats);
    device->budget_bytes = usual;
    return result;
}

/* The first budget that an error names draws the frame. */
static void check_named_budget(property_test *test, uint32_t number, const pietra_stream *stream,
                               const pietra_error *below, const picture *whole)
{
    uint64_t named = strtoull(strpbrk(below->message, "0123456789"), NULL, 10);
    picture image = picture_create(BUDGETS_SIDE, BUDGETS_SIDE);
    pietra_error error;
    if (draw_with_budget(test, number, named, stream, &image, &error, NULL))
        panel_fail(test->devices, "property/budget", "\"%s\", and then \"%s\"", below->message, error.message);
    else
        panel_expect_equal(test->devices, "property/budget_named", whole, &image);
    picture_destroy(&image);
}

/* Draws at ever smaller budgets: the same bytes in ever more parts, until below the floor an error names the floor. */
static void check_budgets_of(property_test *test, uint32_t number, const pietra_stream *stream)
{
    picture whole = picture_create(BUDGETS_SIDE, BUDGETS_SIDE);
    uint32_t most_parts = 0;
    pietra_error error;
    pietra_result result = PIETRA_OK;
    panel_draw(test->devices, number, "property/budget", stream, NULL, &whole);
    /* A GPU in software takes long to draw many parts. */
    const uint64_t divisor = test->devices->devices[number].kind == PIETRA_DEVICE_GPU ? 16 : 4;
    for (uint64_t budget = all_sizes() ? 16u << 20 : 4u << 20; !result && budget >= 1024;
         budget = all_sizes() ? budget - budget / 3 : budget / divisor) {
        picture image = picture_create(BUDGETS_SIDE, BUDGETS_SIDE);
        pietra_stats stats;
        error = (pietra_error){.message = "untouched"};
        result = draw_with_budget(test, number, budget, stream, &image, &error, &stats);
        if (!result && strcmp(error.message, "untouched") != 0)
            panel_fail(test->devices, "property/budget", "drawn in %u parts, and \"%s\"", stats.parts, error.message);
        if (!result) {
            panel_expect_equal(test->devices, "property/budget", &whole, &image);
            most_parts = stats.parts > most_parts ? stats.parts : most_parts;
        }
        /* The picture itself does not count against the budget. */
        if (!result && stats.memory_bytes > budget + (uint64_t)4 * BUDGETS_SIDE * BUDGETS_SIDE) {
            panel_fail(test->devices, "property/budget", "%llu bytes used of %llu",
                       (unsigned long long)stats.memory_bytes, (unsigned long long)budget);
        }
        picture_destroy(&image);
    }
    if (most_parts < 2)
        panel_fail(test->devices, "property/budget", "no budget made the frame be drawn in parts");
    if (result != PIETRA_ERROR_BUDGET || !strpbrk(error.message, "0123456789")) {
        panel_fail(test->devices, "property/budget", "the error below the floor is %d: %s", result,
                   result ? error.message : "none");
    } else {
        check_named_budget(test, number, stream, &error, &whole);
    }
    picture_destroy(&whole);
}

static void check_budgets(property_test *test)
{
    for (uint64_t seed = 51; seed <= (all_sizes() ? 52 : 51); seed++) {
        pietra_scene *scene = pietra_scene_create();
        for (uint64_t part = 0; part < 6; part++)
            random_scene_add(scene, 10 * seed + part, RANDOM_ANYTHING, BUDGETS_SIDE);
        pietra_stream *stream = property_encode(scene);
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
        pietra_stream *stream = property_encode_random(seed, RANDOM_ANYTHING, SIDE);
        picture first = picture_create(SIDE, SIDE);
        pietra_error error;
        for (uint32_t threads = 1; threads <= 7; threads += threads == 1 ? 1 : 5) {
            picture image = picture_create(SIDE, SIDE);
            pietra_device *device = property_open_device(PIETRA_DEVICE_CPU, 0, threads);
            property_demand(property_draw_on(device, stream, threads == 1 ? &first : &image, &error, NULL), &error);
            if (threads > 1)
                panel_expect_equal(test->devices, "property/threads", &first, &image);
            pietra_device_destroy(device);
            picture_destroy(&image);
        }
        picture_destroy(&first);
        pietra_stream_destroy(stream);
    }
}

/* A polygon of curves and its reverse give the same bytes by either rule. */
static void check_reverse(property_test *test)
{
    for (uint64_t seed = 1; seed <= (all_sizes() ? 40 : 9); seed++) {
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
            pietra_stream *a = property_encode_fill(forward, (pietra_fill_rule)rule),
                          *b = property_encode_fill(backward, (pietra_fill_rule)rule);
            uint32_t device = (uint32_t)(seed / 3 % test->devices->count);
            property_expect_same(test, name, property_draw(test, device, name, a, NULL),
                                 property_draw(test, device, name, b, NULL));
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
    for (uint64_t seed = 1; seed <= (all_sizes() ? 20 : 6); seed++) {
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
        pietra_stream *a = property_encode_fill(left, PIETRA_FILL_NONZERO),
                      *b = property_encode_fill(right, PIETRA_FILL_NONZERO);
        picture p = property_draw(test, device, "property/shared_edges", a, NULL),
                q = property_draw(test, device, "property/shared_edges", b, NULL);
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
    for (uint64_t seed = 100; seed < (all_sizes() ? 115 : 103); seed++) {
        char name[100];
        pietra_error error;
        uint32_t device = (uint32_t)(seed % test->devices->count);
        snprintf(name, sizeof name, "property/whole_clip_seed_%llu", (unsigned long long)seed);
        pietra_scene *plain = random_scene_create(seed, RANDOM_ANYTHING, SIDE), *clipped = pietra_scene_create();
        pietra_path *path = pietra_path_create();
        pietra_path_rect(path, 0, 0, SIDE, SIDE);
        property_demand(pietra_scene_begin_clip(clipped, path, NULL, PIETRA_FILL_NONZERO, &error), &error);
        random_scene_add(clipped, seed, RANDOM_ANYTHING, SIDE);
        property_demand(pietra_scene_end_clip(clipped, &error), &error);
        pietra_stream *a = property_encode(plain), *b = property_encode(clipped);
        property_expect_same(test, name, property_draw(test, device, name, a, NULL),
                             property_draw(test, device, name, b, NULL));
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
    for (uint64_t seed = 200; seed < (all_sizes() ? 212 : 203); seed++) {
        char name[100];
        pietra_error error;
        uint32_t device = (uint32_t)(seed % test->devices->count);
        snprintf(name, sizeof name, "property/append_seed_%llu", (unsigned long long)seed);
        pietra_scene *scene = random_scene_create(seed, RANDOM_ANYTHING, SIDE), *copy = pietra_scene_create();
        property_demand(pietra_scene_append(copy, scene, NULL, &error), &error);
        pietra_stream *a = property_encode(scene), *b = property_encode(copy);
        property_expect_same(test, name, property_draw(test, device, name, a, NULL),
                             property_draw(test, device, name, b, NULL));
        pietra_stream_destroy(a);
        pietra_stream_destroy(b);
        pietra_scene_destroy(scene);
        pietra_scene_destroy(copy);

        pietra_transform move = {1, 0, 0, 1, 24.5, -8.25};
        pietra_frame frame = {.transform = move};
        scene = random_scene_create(seed, RANDOM_DYADIC, SIDE);
        copy = pietra_scene_create();
        property_demand(pietra_scene_append(copy, scene, &move, &error), &error);
        a = property_encode(scene);
        b = property_encode(copy);
        property_expect_same(test, name, property_draw(test, device, name, a, &frame),
                             property_draw(test, device, name, b, NULL));
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
        pietra_stream *stream = property_encode_random(seed, RANDOM_ANYTHING, SIDE), *opened;
        uint32_t device = (uint32_t)(seed % test->devices->count);
        size_t size;
        const void *bytes = pietra_stream_bytes(stream, &size);
        property_demand(pietra_stream_open(bytes, size, &error, &opened), &error);
        property_expect_same(test, "property/opened", property_draw(test, device, "property/opened", stream, NULL),
                             property_draw(test, device, "property/opened", opened, NULL));

        uint8_t *wide = malloc((size_t)SIDE * 777);
        memset(wide, 0xa5, (size_t)SIDE * 777);
        pietra_target target = {.width = SIDE,
                                .height = SIDE,
                                .pixels = wide,
                                .stride_bytes = 777,
                                .format = PIETRA_FORMAT_RGBA8_PREMULTIPLIED};
        picture plain = property_draw(test, device, "property/stride", stream, NULL);
        property_demand(pietra_render(test->devices->devices[device].device, stream, NULL, &target, &error, NULL),
                        &error);
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
        property_demand(pietra_scene_fill(covered, path, NULL, PIETRA_FILL_NONZERO, &paint, &error), &error);
        property_demand(pietra_scene_append(covered, scene, NULL, &error), &error);
        pietra_stream *a = property_encode(scene), *b = property_encode(covered);
        property_expect_same(test, "property/background", property_draw(test, device, "property/background", a, &frame),
                             property_draw(test, device, "property/background", b, NULL));
        pietra_stream_destroy(a);
        pietra_stream_destroy(b);
        pietra_path_destroy(path);
        pietra_scene_destroy(scene);
        pietra_scene_destroy(covered);
    }
}

int main(int argc, char **argv)
{
    static const property_check checks[] = {
        {"devices", check_devices},       {"two_runs", check_two_runs}, {"offsets", check_offsets},
        {"transforms", check_transforms}, {"pieces", check_pieces},     {"budgets", check_budgets},
        {"threads", check_threads},       {"reverse", check_reverse},   {"shared_edges", check_shared_edges},
        {"whole_clip", check_whole_clip}, {"append", check_append},     {"targets", check_targets},
        {"background", check_background},
    };
    return property_run(checks, sizeof checks / sizeof checks[0], argc, argv);
}
