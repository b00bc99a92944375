/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Every device refuses a frame whose painting costs too much, with one reason, and draws it if more is allowed. */
#include "golden/panel.h"
#include "scene/scene_fixture.h"

#define WIDTH 64
#define HEIGHT 48
#define PAGES 30

static pietra_stream *hues(void)
{
    pietra_scene *scene = new_scene();
    for (int i = 0; i < PAGES; i++) {
        begin_blended(scene, PIETRA_BLEND_HUE);
        fill(scene, "R0 0 64 48", i % 2 ? &HALF : &RED);
        end_group(scene);
    }
    return encode_and_destroy(scene);
}

static void expect_refused(panel *devices, const pietra_stream *stream)
{
    for (uint32_t i = 0; i < devices->count; i++) {
        pietra_error error = {.message = "none"};
        picture image = picture_create(WIDTH, HEIGHT);
        const pietra_target target = {.width = WIDTH, .height = HEIGHT, .pixels = image.pixels};
        const pietra_result result = pietra_render(devices->devices[i].device, stream, NULL, &target, &error, NULL);
        if (result != PIETRA_ERROR_INPUT || !strstr(error.message, "more than 1000 steps of drawing at this size"))
            panel_fail(devices, "property/paint_refusals", "%s: %s", devices->devices[i].name, error.message);
        picture_destroy(&image);
    }
}

int main(void)
{
    pietra_stream *stream = hues();
    uint32_t failures = 0;
    for (uint64_t steps = 1000; steps <= 10000; steps *= 10) {
        panel devices;
        panel_open_with(&devices, true, (pietra_device_options){.effect_steps = steps});
        if (steps == 1000) {
            expect_refused(&devices, stream);
        } else {
            picture image = panel_draw_all(&devices, "property/paint_refusals", stream, NULL, WIDTH, HEIGHT);
            picture_destroy(&image);
        }
        panel_close(&devices);
        failures += devices.failures;
    }
    pietra_stream_destroy(stream);
    return failures != 0;
}
