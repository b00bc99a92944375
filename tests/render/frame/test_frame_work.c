/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Strokes, painting, effects and images of scenes share what a frame may cost: what of each would be drawn alone is
 * refused together, alike on all devices and as often as it is asked for. */
#include "pietra/pietra_effect.h"
#include "render/device.h"
#include "render/expect_steps.h"
#include "scene/scene_fixture.h"
#include "vulkan/gpu_fixture.h"

#define SIDE 80u
#define PARTS 4
#define BLURS 12

#define DEVICES 3

static uint32_t pixels[SIDE * SIDE];

typedef struct work_devices {
    pietra_device *all[DEVICES];
    gpu_fixture fixture; /* counts messages */
} work_devices;

static void add_painting(pietra_scene *scene)
{
    for (int i = 0; i < 100; i++)
        fill(scene, "M0 0L1 0L1 .9L.9 1L0 1Z", &HALF);
}

static void add_strokes(pietra_scene *scene)
{
    const double dash = 0.01;
    const pietra_stroke dashed = {
        .width = 0.4, .cap = PIETRA_CAP_ROUND, .miter_limit = 4, .dashes = &dash, .dash_count = 1};
    stroke(scene, "M0 0L1 1", &dashed);
}

static void add_effect(pietra_scene *scene)
{
    pietra_effect_step steps[BLURS];
    for (size_t i = 0; i < BLURS; i++)
        steps[i] = (pietra_effect_step){.kind = PIETRA_EFFECT_GAUSSIAN_BLUR, .gaussian_blur = {.sigma_x = 0.004}};
    const pietra_effect effect = {.steps = steps, .step_count = BLURS};
    ASSERT_OK(pietra_scene_begin_effect(scene, &effect, NULL, error));
    fill(scene, "R0 0 1 1", &RED);
    ASSERT_OK(pietra_scene_end_effect(scene, error));
}

/* At a quarter of the size, so that its finer texels cost what the frame's do. */
static void add_image(pietra_scene *scene)
{
    pietra_scene *shown = new_scene();
    pietra_image *image;
    add_painting(shown);
    ASSERT_OK(pietra_image_create_from_scene(shown, 1, 1, error, &image));
    pietra_scene_destroy(shown);
    const pietra_paint paint = {.kind = PIETRA_PAINT_IMAGE, .transform = {0.25, 0, 0, 0.25, 0, 0}, .image = image};
    fill(scene, "R0 0 .25 .25", &paint);
    pietra_image_destroy(image);
}

typedef void add_function(pietra_scene *scene);

static add_function *const parts[PARTS] = {add_painting, add_strokes, add_effect, add_image};

static pietra_stream *stream_of(add_function *first, add_function *second)
{
    pietra_scene *scene = new_scene();
    pietra_scene_set_label(scene, 1);
    first(scene);
    pietra_scene_set_label(scene, 2);
    if (second)
        second(scene);
    return encode_and_destroy(scene);
}

/* Returns the least limit with which a CPU device that has nothing from frames before draws a stream. */
static uint64_t least_steps(const pietra_stream *stream)
{
    const pietra_frame frame = {.transform = {SIDE, 0, 0, SIDE, 0, 0}};
    uint64_t least = 1, most = 1 << 16;
    pietra_error named;
    while (least < most) {
        const uint64_t middle = (least + most) / 2;
        const pietra_device_options options = {.kind = PIETRA_DEVICE_CPU, .threads = 1, .effect_steps = middle};
        if (draw_by(&options, stream, &frame, SIDE, pixels, &named) == PIETRA_OK)
            most = middle;
        else
            least = middle + 1;
    }
    return most;
}

/* Draws a stream with each device, twice: what is kept of the first frame changes nothing. All name the same element,
 * unless it stands in an image. */
static void expect_all(const work_devices *devices, const pietra_stream *stream, uint64_t steps, pietra_result expected)
{
    const pietra_frame frame = {.transform = {SIDE, 0, 0, SIDE, 0, 0}};
    const pietra_target target = {.width = SIDE, .height = SIDE, .pixels = pixels};
    uint32_t label = 0;
    for (int i = 0; i < DEVICES; i++) {
        devices->all[i]->effect_steps = steps;
        for (int k = 0; k < 2; k++) {
            pietra_error named = {.message = ""};
            assert_int_equal(pietra_render(devices->all[i], stream, &frame, &target, &named, NULL), expected);
            if (expected == PIETRA_OK)
                continue;
            assert_non_null(strstr(named.message, "steps of drawing at this size, most of them of "));
            label = i + k == 0 ? named.label : label;
            assert_int_equal(named.label, label);
            assert_true(label > 0 || stream_get_header(stream)->surface_count > 0);
        }
    }
}

/* Six tenths of the limit and as much of another kind are refused, and four tenths of each are drawn. */
static void test_shares(void **state)
{
    const work_devices *devices = *state;
    uint64_t alone[PARTS];
    for (int i = 0; i < PARTS; i++) {
        pietra_stream *stream = stream_of(parts[i], NULL);
        alone[i] = least_steps(stream);
        pietra_stream_destroy(stream);
    }
    for (int i = 0; i < PARTS; i++) {
        for (int k = i + 1; k < PARTS; k++) {
            const uint64_t both = alone[i] + alone[k], refused = both * 10 / 12, drawn = both * 10 / 8;
            pietra_stream *stream = stream_of(parts[i], parts[k]);
            assert_true(alone[i] < refused && alone[k] < refused);
            /* refused first: what a device keeps of a frame costs nothing if its limit falls later */
            expect_all(devices, stream, refused, PIETRA_ERROR_INPUT);
            expect_all(devices, stream, drawn, PIETRA_OK);
            pietra_stream_destroy(stream);
        }
    }
}

static int setup(void **state)
{
    static work_devices devices;
    const pietra_device_options options[DEVICES] = {gpu_fixture_options(&devices.fixture),
                                                    {.kind = PIETRA_DEVICE_CPU, .threads = 1},
                                                    {.kind = PIETRA_DEVICE_REFERENCE}};
    for (int i = 0; i < DEVICES; i++)
        ASSERT_OK(pietra_device_create(&options[i], error, &devices.all[i]));
    *state = &devices;
    return 0;
}

static int teardown(void **state)
{
    work_devices *devices = *state;
    for (int i = 0; i < DEVICES; i++)
        pietra_device_destroy(devices->all[i]);
    assert_int_equal(devices->fixture.messages, 0);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_shares)};
    return cmocka_run_group_tests(tests, setup, teardown);
}
