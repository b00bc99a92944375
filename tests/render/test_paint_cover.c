/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Where a fill is said to hide what lies below it, every pixel has its colour. */
#include "layout/frame.h"
#include "property/random_scene.h"
#include "render/open_device.h"
#include "render/paint_cover.h"

#define SIDE 320u
#define PATHS 400
#define OPAQUE_RED 0xff0000ffu

static double place(random_source *source)
{
    return random_between(source, -0.6, 1.6);
}

/* Adds a rectangle in one of both directions, one of whose sides is bent or leans, and which may stay open. */
static void add_sides(random_source *source, pietra_path *path)
{
    const double x0 = place(source), x1 = place(source), y0 = place(source), y1 = place(source);
    const double off = random_between(source, -0.2, 0.2), middle = 0.5 * (x0 + x1);
    pietra_path_move_to(path, x0, y0);
    if (random_below(source, 3) == 0)
        pietra_path_line_to(path, x1, y0 + off);
    else if (random_below(source, 2))
        pietra_path_quad_to(path, middle, y0 + off, x1, y0);
    else
        pietra_path_cubic_to(path, middle, y0 + off, middle, y0 - off, x1, y0);
    pietra_path_line_to(path, x1, y1);
    pietra_path_line_to(path, x0, y1);
    if (random_below(source, 2))
        pietra_path_close(path);
}

static pietra_path *random_outline(random_source *source)
{
    pietra_path *path = pietra_path_create();
    assert_non_null(path);
    for (uint32_t i = 0, count = 1 + random_below(source, 4); i < count; i++)
        add_sides(source, path);
    return path;
}

static pietra_stream *one_fill(random_source *source)
{
    pietra_scene *scene = new_scene();
    pietra_path *path = random_outline(source);
    const pietra_fill_rule rule = random_below(source, 2) ? PIETRA_FILL_EVEN_ODD : PIETRA_FILL_NONZERO;
    ASSERT_OK(pietra_scene_fill(scene, path, NULL, rule, &RED, error));
    pietra_path_destroy(path);
    return encode_and_destroy(scene);
}

/* Returns how many cells are hidden. */
static int check_cells(const paint_cover *cover, const uint32_t *pixels)
{
    const uint32_t side = (uint32_t)cover->side;
    int hidden = 0;
    for (uint32_t y = 0; y < SIDE; y++) {
        for (uint32_t x = 0; x < SIDE; x++) {
            const bool is_hidden = cover->hiders[y / side * (uint32_t)cover->columns + x / side] > 0;
            hidden += is_hidden;
            assert_true(!is_hidden || pixels[y * SIDE + x] == OPAQUE_RED);
        }
    }
    return hidden / (int)(side * side);
}

static void test_cells(void **state)
{
    (void)state;
    static uint32_t pixels[SIDE * SIDE];
    static paint_cover cover;
    const pietra_frame frame = {.transform = {SIDE, 0, 0, SIDE, 0, 0}};
    const pietra_target target = {.width = SIDE, .height = SIDE, .pixels = pixels};
    pietra_device *device = open_device(PIETRA_DEVICE_CPU, 1, 0);
    random_source source = random_start(7);
    int hidden = 0;
    for (int i = 0; i < PATHS; i++) {
        pietra_stream *stream = one_fill(&source);
        const stream_view view = stream_view_of(stream_words(stream));
        paint_cover_find(&view, frame.transform, SIDE, SIDE, &cover);
        ASSERT_OK(pietra_render(device, stream, &frame, &target, error, NULL));
        hidden += check_cells(&cover, pixels);
        pietra_stream_destroy(stream);
    }
    print_message("%d cells of %d are hidden\n", hidden, 400 * PATHS);
    assert_true(hidden > 5 * PATHS); /* of 400 cells each */
    pietra_device_destroy(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cells)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
