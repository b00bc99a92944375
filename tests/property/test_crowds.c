/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Many lines in few pixels, on every device: the bytes agree, no sum overflows, and what is drawn many times over looks
 * as if it were drawn once. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "all_sizes.h"
#include "golden/panel.h"
#include "property/random_scene.h"
#include "scene/scene_fixture.h"

#define SIDE 48u
#define MANY 60000 /* that or more things take so long that by day they meet one fill rule */

static pietra_stream *encode_fill(const pietra_path *path, pietra_fill_rule rule)
{
    pietra_scene *scene = pietra_scene_create();
    ASSERT_OK(pietra_scene_fill(scene, path, NULL, rule, &RED, error));
    return encode_and_destroy(scene);
}

/* Draws on all devices. They must agree. */
static picture draw(panel *devices, const char *name, pietra_stream *stream)
{
    picture image = panel_draw_all(devices, name, stream, NULL, SIDE, SIDE);
    pietra_stream_destroy(stream);
    return image;
}

/* Fails if alphas differ by more than a tolerance. */
static void expect_near(panel *devices, const char *name, const picture *wanted, const picture *found, int tolerance)
{
    if (!wanted->pixels || !found->pixels)
        return;
    for (size_t i = 0; i < SIDE * SIDE; i++) {
        int difference = abs(wanted->pixels[4 * i + 3] - found->pixels[4 * i + 3]);
        if (difference > tolerance) {
            panel_fail(devices, name, "pixel %zu, %zu: %d, not %d", i % SIDE, i / SIDE, found->pixels[4 * i + 3],
                       wanted->pixels[4 * i + 3]);
            return;
        }
    }
}

/* Adds a square `count` times, the other way round if that is negative. */
static void add_squares(pietra_path *path, double from, double to, int count)
{
    for (int i = 0; i < abs(count); i++) {
        pietra_path_move_to(path, from, from);
        pietra_path_line_to(path, count > 0 ? to : from, count > 0 ? from : to);
        pietra_path_line_to(path, to, to);
        pietra_path_line_to(path, count > 0 ? from : to, count > 0 ? to : from);
        pietra_path_close(path);
    }
}

static picture draw_squares(panel *devices, const char *name, double from, double to, int count, pietra_fill_rule rule)
{
    pietra_path *path = pietra_path_create();
    add_squares(path, from, to, count);
    picture image = draw(devices, name, encode_fill(path, rule));
    pietra_path_destroy(path);
    return image;
}

/* Compares squares that coincide with one, or with none if they are even in number and the rule is even-odd. */
static void check_squares(panel *devices, double from, double to, int count, int tolerance)
{
    for (int rule = 0; rule < 2; rule++) {
        if (!all_sizes() && abs(count) >= MANY && rule != (count < 0))
            continue;
        char name[80];
        snprintf(name, sizeof name, "crowds/squares_%d_rule_%d", count, rule);
        bool is_none = (pietra_fill_rule)rule == PIETRA_FILL_EVEN_ODD && count % 2 == 0;
        picture one = draw_squares(devices, name, from, to, is_none ? 0 : 1, (pietra_fill_rule)rule);
        picture all = draw_squares(devices, name, from, to, count, (pietra_fill_rule)rule);
        expect_near(devices, name, &one, &all, tolerance);
        picture_destroy(&one);
        picture_destroy(&all);
    }
}

/* Draws lines within one pixel, and a square that holds it. Counters that wrap take 52,600 lines for 214. */
static void check_lines_in_a_pixel(panel *devices, uint32_t count)
{
    for (int rule = 0; rule < 2; rule++) {
        if (!all_sizes() && rule != (count > MANY))
            continue;
        char name[80];
        snprintf(name, sizeof name, "crowds/lines_%u_rule_%d", count, rule);
        random_source source = random_start(count);
        pietra_path *path = pietra_path_create();
        add_squares(path, 3, 40, 1);
        pietra_path_move_to(path, 20.5, 20.5);
        for (uint32_t i = 0; i < count; i++)
            pietra_path_line_to(path, random_between(&source, 20.02, 20.98), random_between(&source, 20.02, 20.98));
        pietra_path_close(path);
        picture image = draw(devices, name, encode_fill(path, (pietra_fill_rule)rule));
        if (image.pixels &&
            (image.pixels[4 * (10 * SIDE + 10) + 3] != 255 || image.pixels[4 * (20 * SIDE + 21) + 3] != 255))
            panel_fail(devices, name, "the pixels beside are not full");
        picture_destroy(&image);
        pietra_path_destroy(path);
    }
}

/* A width beyond the picture covers it, and one below what is drawn leaves at most a trace. */
static void check_width(panel *devices, double width, int least, int most)
{
    char name[80];
    snprintf(name, sizeof name, "crowds/width_%g", width);
    pietra_scene *scene = pietra_scene_create();
    pietra_path *path = pietra_path_create();
    random_source source = random_start(7);
    pietra_path_move_to(path, 20, 20);
    for (int i = 0; i < 300; i++)
        pietra_path_line_to(path, random_between(&source, 18, 30), random_between(&source, 18, 30));
    const pietra_stroke stroke = {.width = width, .join = PIETRA_JOIN_ROUND, .cap = PIETRA_CAP_ROUND};
    ASSERT_OK(pietra_scene_stroke(scene, path, NULL, &stroke, &RED, error));
    pietra_path_destroy(path);
    picture image = draw(devices, name, encode_and_destroy(scene));
    for (size_t i = 0; image.pixels && i < SIDE * SIDE; i++)
        if (image.pixels[4 * i + 3] < least || image.pixels[4 * i + 3] > most) {
            panel_fail(devices, name, "pixel %zu, %zu: %d", i % SIDE, i / SIDE, image.pixels[4 * i + 3]);
            break;
        }
    picture_destroy(&image);
}

/* Gradients of many stops over one tile. Each pixel searches its stop in a loop, and lavapipe ends loops of one
 * invocation that take 65,535 rounds in all. */
static void check_gradients(panel *devices)
{
    enum { STOPS = 4000, COUNT = 1200, TILE = 16 };
    static pietra_stop stops[STOPS];
    pietra_scene *scene = pietra_scene_create();
    pietra_path *path = pietra_path_create();
    random_source source = random_start(3);
    for (int i = 0; i < STOPS; i++)
        stops[i] = (pietra_stop){(float)i / (STOPS - 1), {(float)(i % 7) / 6, (float)(i % 11) / 10, .5f, .1f}};
    pietra_path_rect(path, -1, -1, 2 + TILE, 2 + TILE);
    for (int i = 0; i < COUNT; i++) {
        const pietra_paint paint =
            pietra_linear(0, 0, random_between(&source, 1, 40), random_between(&source, -20, 20), stops, STOPS);
        ASSERT_OK(pietra_scene_fill(scene, path, NULL, PIETRA_FILL_NONZERO, &paint, error));
    }
    pietra_path_destroy(path);
    pietra_stream *stream = encode_and_destroy(scene);
    picture image = panel_draw_all(devices, "crowds/gradients", stream, NULL, TILE, TILE);
    picture_destroy(&image);
    pietra_stream_destroy(stream);
}

/* More lines of a path in a tile than lavapipe's loops go through: there the frame fails, and nowhere is it wrong. */
static void check_triangles(panel *devices, uint32_t count)
{
    random_source source = random_start(count);
    pietra_path *path = pietra_path_create();
    for (uint32_t i = 0; i < count; i++) {
        const double x = random_between(&source, 1, 14), y = random_between(&source, 1, 14);
        pietra_path_move_to(path, x, y);
        pietra_path_line_to(path, x + random_between(&source, -1, 1), y + random_between(&source, -1, 1));
        pietra_path_line_to(path, x + random_between(&source, -1, 1), y + random_between(&source, -1, 1));
        pietra_path_close(path);
    }
    pietra_stream *stream = encode_fill(path, PIETRA_FILL_NONZERO);
    picture first = picture_create(SIDE, SIDE);
    for (uint32_t i = 0; i < devices->count; i++) {
        picture image = picture_create(SIDE, SIDE);
        pietra_error error;
        const pietra_target target = {.width = SIDE, .height = SIDE, .pixels = image.pixels};
        const pietra_result result = pietra_render(devices->devices[i].device, stream, NULL, &target, &error, NULL);
        if (i == 0 && result == PIETRA_OK)
            memcpy(first.pixels, image.pixels, 4 * SIDE * SIDE);
        if (result == PIETRA_OK)
            panel_expect_equal(devices, "crowds/triangles", &first, &image);
        else if (result != PIETRA_ERROR_DEVICE || !strstr(error.message, "ends loops too early"))
            panel_fail(devices, "crowds/triangles", "%s: %s", devices->devices[i].name, error.message);
        picture_destroy(&image);
    }
    picture_destroy(&first);
    pietra_stream_destroy(stream);
    pietra_path_destroy(path);
}

int main(void)
{
    panel devices;
    panel_open(&devices, true);
    /* Where winding numbers differ by so much, the share of samples is the coverage, without the area's correction. */
    check_squares(&devices, 8.3, 39.6, 256, 6);
    check_squares(&devices, 8.3, 39.6, -257, 6);
    /* Edges between pixels: those that more lines touch than are sampled have the coverage of their areas. */
    check_squares(&devices, 8, 40, 100000, 0);
    check_squares(&devices, 8, 40, -100001, 0);
    check_lines_in_a_pixel(&devices, 700);
    check_lines_in_a_pixel(&devices, 52600);
    if (all_sizes())
        check_lines_in_a_pixel(&devices, 1000000);
    check_triangles(&devices, 7000);
    check_width(&devices, 1e-6, 0, 1);
    check_width(&devices, 1e6, 255, 255);
    check_gradients(&devices);
    panel_close(&devices);
    return devices.failures != 0;
}
