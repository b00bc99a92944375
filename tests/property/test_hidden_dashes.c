/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Opaque rectangles hide dashes. Whether the rest are too many is judged in the same way by all devices: what lies
 * below a rectangle counts unless such rectangles cover every bin that the stroke touches. */
#include "golden/panel.h"
#include "scene/scene_fixture.h"

#define WIDTH 300u /* two bins */
#define HEIGHT 100u

/* More dashes in a tile than a part may have, and a few. */
#define TINY_DASH 1e-6
#define DASH 3.0

typedef struct hidden_dashes {
    const char *name;
    double from, to; /* ends of the stroke, in x */
    double dash;
    const char *covers[6];
    bool in_clip; /* the stroke lies in a layer */
    bool is_refused;
} hidden_dashes;

static const hidden_dashes all[] = {
    {"open", 20, 30, TINY_DASH, {0}, false, true},
    {"box", 20, 30, TINY_DASH, {"R 10 10 40 40"}, false, true},
    {"box_in_clip", 20, 30, TINY_DASH, {"R 10 10 40 40"}, true, true},
    {"most_of_bin", 20, 30, TINY_DASH, {"R 0 0 255 100"}, false, true},
    {"bin", 20, 30, TINY_DASH, {"R 0 0 256 100"}, false, false},
    {"bin_in_clip", 20, 30, TINY_DASH, {"R 0 0 256 100"}, true, false},
    {"other_bin", 20, 30, TINY_DASH, {"R 256 0 44 100"}, false, true},
    {"two_bins", 20, 280, TINY_DASH, {"R 0 0 256 100", "R 256 0 44 100"}, false, false},
    {"one_of_two", 20, 280, TINY_DASH, {"R 0 0 280 100"}, false, true},
    /* The CPU device keeps the four largest rectangles alone. */
    {"hidden_cover",
     258,
     280,
     TINY_DASH,
     {"R 256 0 44 100", "R 0 0 300 51", "R 0 49 300 51", "R 0 0 299 100", "R 1 0 299 100"},
     false,
     false},
    {"few", 20, 280, DASH, {"R 10 10 40 40"}, false, false},
    {"few_in_clip", 20, 280, DASH, {"R 10 10 280 40"}, true, false},
};

static pietra_stream *encode_covered(const hidden_dashes *test)
{
    const pietra_stroke stroke = {.width = 2, .miter_limit = 4, .dashes = &test->dash, .dash_count = 1};
    pietra_scene *scene = new_scene();
    pietra_path *line = pietra_path_create(), *clip = pietra_path_create();
    pietra_path_move_to(line, test->from, 20);
    pietra_path_line_to(line, test->to, 30);
    pietra_path_ellipse(clip, (test->from + test->to) / 2, 25, test->to - test->from, 8);
    if (test->in_clip)
        ASSERT_OK(pietra_scene_begin_clip(scene, clip, NULL, PIETRA_FILL_NONZERO, error));
    ASSERT_OK(pietra_scene_stroke(scene, line, NULL, &stroke, &RED, error));
    if (test->in_clip)
        ASSERT_OK(pietra_scene_end_clip(scene, error));
    for (size_t i = 0; test->covers[i]; i++)
        fill(scene, test->covers[i], &(pietra_paint){.color = {0, 1, (float)i / 8, 1}});
    pietra_path_destroy(line);
    pietra_path_destroy(clip);
    return encode_and_destroy(scene);
}

static void expect_refused(panel *devices, const char *name, const pietra_stream *stream)
{
    for (uint32_t i = 0; i < devices->count; i++) {
        pietra_error error = {.message = "none"};
        picture image = picture_create(WIDTH, HEIGHT);
        const pietra_target target = {.width = WIDTH, .height = HEIGHT, .pixels = image.pixels};
        pietra_result result = pietra_render(devices->devices[i].device, stream, NULL, &target, &error, NULL);
        if (result != PIETRA_ERROR_BUDGET || !strstr(error.message, "more than 1048576 visible dashes"))
            panel_fail(devices, name, "%s: %s", devices->devices[i].name, error.message);
        picture_destroy(&image);
    }
}

int main(void)
{
    panel devices;
    /* What strokes cost is estimated without what hides them. */
    panel_open_with(&devices, true, (pietra_device_options){.effect_steps = UINT64_MAX});
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        char name[100];
        snprintf(name, sizeof name, "property/hidden_dashes_%s", all[i].name);
        pietra_stream *stream = encode_covered(&all[i]);
        if (all[i].is_refused) {
            expect_refused(&devices, name, stream);
        } else {
            picture image = panel_draw_all(&devices, name, stream, NULL, WIDTH, HEIGHT);
            picture_destroy(&image);
        }
        pietra_stream_destroy(stream);
    }
    panel_close(&devices);
    return devices.failures != 0;
}
