/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Effects keep to the axes of their units: a frame that turns by quarters, or mirrors, shows the turned picture. */
#include "pietra/pietra_effect.h"
#include "render/open_device.h"

#define SIDE 96u
#define PIXELS (SIDE * SIDE)

static void add_effect(pietra_scene *scene, const pietra_effect_step *step)
{
    const pietra_effect_step blur = {.kind = PIETRA_EFFECT_GAUSSIAN_BLUR,
                                     .gaussian_blur = {.sigma_x = 1.5, .sigma_y = 6}};
    const pietra_effect_step steps[] = {*step, blur};
    const pietra_effect effect = {.steps = steps, .step_count = 2, .region = {4, 6, 90, 85}};
    ASSERT_OK(pietra_scene_begin_effect(scene, &effect, NULL, error));
    fill(scene, "M 10 12 L 80 25 L 33 70 Z", &RED);
    fill(scene, "R 20.3 30.6 41.2 17", &HALF);
    ASSERT_OK(pietra_scene_end_effect(scene, error));
}

static void draw(pietra_device *device, const pietra_stream *stream, pietra_transform transform, uint32_t *pixels)
{
    const pietra_frame frame = {.transform = transform};
    const pietra_target target = {.width = SIDE, .height = SIDE, .pixels = pixels};
    ASSERT_OK(pietra_render(device, stream, &frame, &target, error, NULL));
}

static void expect_turned(const uint32_t *upright, const uint32_t *turned, pietra_transform transform)
{
    size_t painted = 0;
    for (uint32_t i = 0; i < PIXELS; i++) {
        double x = i % SIDE + 0.5, y = i / SIDE + 0.5;
        pietra_map(transform, &x, &y);
        const uint32_t found = turned[(uint32_t)y * SIDE + (uint32_t)x];
        if (found != upright[i])
            fail_msg("pixel %u, %u is %08x, not %08x", i % SIDE, i / SIDE, found, upright[i]);
        painted += found != 0;
    }
    assert_true(painted > 500);
}

static void test_turns(void **state)
{
    (void)state;
    static const pietra_transform turns[] = {
        {0, 1, -1, 0, SIDE, 0}, {-1, 0, 0, -1, SIDE, SIDE}, {0, -1, 1, 0, 0, SIDE}, {-1, 0, 0, 1, SIDE, 0}};
    static const pietra_effect_step steps[] = {
        {.kind = PIETRA_EFFECT_OFFSET, .offset = {.x = 3.25, .y = -2}},
        {.kind = PIETRA_EFFECT_DROP_SHADOW,
         .drop_shadow = {.sigma_x = 2, .sigma_y = 3, .x = 5, .y = 1.5, .color = {0, 0.5f, 0, 1}}},
        {.kind = PIETRA_EFFECT_MORPHOLOGY, .morphology = {.radius_x = 4, .radius_y = 1, .dilates = true}},
        {.kind = PIETRA_EFFECT_DISPLACEMENT_MAP,
         .displacement_map = {.x = 9, .y = 5, .x_channel = PIETRA_EFFECT_ALPHA}},
        {.kind = PIETRA_EFFECT_TURBULENCE, .turbulence = {.frequency_x = 0.05, .frequency_y = 0.11, .octaves = 3}},
        {.kind = PIETRA_EFFECT_DIFFUSE_LIGHTING,
         .lighting = {.surface_scale = 4, .constant = 1, .color = {1, 1, 1, 1}, .azimuth = 30, .elevation = 40}},
    };
    static uint32_t upright[PIXELS], turned[PIXELS];
    pietra_device *device = open_device(PIETRA_DEVICE_CPU, 1, 0);
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        pietra_scene *scene = new_scene();
        add_effect(scene, &steps[i]);
        pietra_stream *stream = encode_and_destroy(scene);
        draw(device, stream, (pietra_transform){1, 0, 0, 1, 0, 0}, upright);
        for (size_t k = 0; k < sizeof turns / sizeof turns[0]; k++) {
            draw(device, stream, turns[k], turned);
            expect_turned(upright, turned, turns[k]);
        }
        pietra_stream_destroy(stream);
    }
    pietra_device_destroy(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_turns)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
