/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Rows of images: colours that are remembered, and those that are found several at a time, are the reference's. */
#include <math.h>

#include "property/random_scene.h"
#include "scene/scene_fixture.h"

#define SIDE 96u
#define SCENES 200u

static pietra_image *random_image(random_source *source, uint32_t width, uint32_t height)
{
    pietra_image *image;
    uint32_t *pixels = malloc((size_t)width * height * sizeof *pixels);
    assert_non_null(pixels);
    for (size_t i = 0; i < (size_t)width * height; i++)
        pixels[i] = random_below(source, UINT32_MAX);
    ASSERT_OK(pietra_image_create(width, height, pixels, 0, error, &image));
    free(pixels);
    return image;
}

static void fill_with(pietra_scene *scene, const char *data, const pietra_image *image, pietra_spread spread,
                      pietra_filter filter, pietra_transform transform)
{
    fill(scene, data,
         &(pietra_paint){
             .kind = PIETRA_PAINT_IMAGE, .image = image, .spread = spread, .filter = filter, .transform = transform});
}

static void draw(pietra_device_kind kind, const pietra_stream *stream, uint32_t width, uint32_t height,
                 uint32_t *pixels)
{
    pietra_device *device;
    ASSERT_OK(pietra_device_create(&(pietra_device_options){.kind = kind, .threads = 1}, error, &device));
    ASSERT_OK(pietra_render(device, stream, NULL, &(pietra_target){.width = width, .height = height, .pixels = pixels},
                            error, NULL));
    pietra_device_destroy(device);
}

/* Scaled and often turned; one of eight lies far away, where repeated images wrap ten thousands of times. */
static pietra_transform random_transform(random_source *source)
{
    const double scale = pow(2, random_between(source, -3, 3)), turn = random_below(source, 2) ? 0 : 0.3;
    const double reach = random_below(source, 8) ? 9 : 1e5;
    return (pietra_transform){scale * cos(turn),
                              scale * sin(turn),
                              -scale * sin(turn),
                              scale * cos(turn),
                              random_between(source, -reach, reach),
                              random_between(source, -reach, reach)};
}

/* Two images take turns in the same rows. */
static void test_colors(void **state)
{
    (void)state;
    static uint32_t drawn[SIDE * SIDE], right[SIDE * SIDE];
    static const char *const shapes[] = {"R 0 0 96 40", "R 10 20 70 60", "M 3 90 L 90 50 L 60 5 Z"};
    for (uint64_t seed = 1; seed <= SCENES; seed++) {
        random_source source = random_start(seed);
        pietra_image *images[2];
        pietra_scene *scene = new_scene();
        for (int i = 0; i < 2; i++)
            images[i] = random_image(&source, 1 + random_below(&source, 60), 1 + random_below(&source, 60));
        for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
            fill_with(scene, shapes[i], images[i % 2], (pietra_spread)random_below(&source, 3),
                      (pietra_filter)random_below(&source, 3), random_transform(&source));
        }
        pietra_stream *stream = encode_and_destroy(scene);
        draw(PIETRA_DEVICE_CPU, stream, SIDE, SIDE, drawn);
        draw(PIETRA_DEVICE_REFERENCE, stream, SIDE, SIDE, right);
        if (memcmp(drawn, right, sizeof drawn))
            fail_msg("seed %u differs", (unsigned)seed);
        pietra_stream_destroy(stream);
        pietra_image_destroy(images[0]);
        pietra_image_destroy(images[1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_colors)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
