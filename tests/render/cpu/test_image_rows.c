/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Rows of repeated images: the colours that are remembered are those of the reference, and remembering them takes much
 * less time than sampling each pixel. */
#include "property/random_scene.h"
#include "scene/scene_fixture.h"

#include <math.h>
#include <time.h>

#define SIDE 96u
#define SCENES 200u
#define WIDE 800u
#define HIGH 600u
#define TILE 16u

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
            images[i] = random_image(&source, 1 + random_below(&source, 20), 1 + random_below(&source, 20));
        for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
            double scale = pow(2, random_between(&source, -3, 3)), turn = random_below(&source, 2) ? 0 : 0.3;
            const pietra_transform transform = {scale * cos(turn),
                                                scale * sin(turn),
                                                -scale * sin(turn),
                                                scale * cos(turn),
                                                random_between(&source, -9, 9),
                                                random_between(&source, -9, 9)};
            fill_with(scene, shapes[i], images[i % 2], (pietra_spread)random_below(&source, 3),
                      (pietra_filter)random_below(&source, 3), transform);
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

/* Returns the processor time of a warm frame, the least of some. */
static double warm_frame_ms(const pietra_image *image, pietra_spread spread)
{
    pietra_device *device;
    uint32_t *pixels = malloc(WIDE * HIGH * sizeof *pixels);
    assert_non_null(pixels);
    const pietra_target target = {.width = WIDE, .height = HIGH, .pixels = pixels};
    const pietra_transform between_texels = {1, 0, 0, 1, 0.25, 0.75};
    pietra_scene *scene = new_scene();
    fill_with(scene, "R 0 0 800 600", image, spread, PIETRA_FILTER_SMOOTH, between_texels);
    pietra_stream *stream = encode_and_destroy(scene);
    ASSERT_OK(pietra_device_create(&(pietra_device_options){.kind = PIETRA_DEVICE_CPU, .threads = 1}, error, &device));
    double least = INFINITY;
    for (int i = 0; i < 6; i++) {
        struct timespec from, to;
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
        ASSERT_OK(pietra_render(device, stream, NULL, &target, error, NULL));
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
        least = fmin(least, (double)(to.tv_sec - from.tv_sec) * 1e3 + (double)(to.tv_nsec - from.tv_nsec) * 1e-6);
    }
    pietra_device_destroy(device);
    pietra_stream_destroy(stream);
    free(pixels);
    return least;
}

/* An image of the size of the picture, sampled once a pixel, takes several times as long as a small one, repeated. */
static void test_time(void **state)
{
    (void)state;
    random_source source = random_start(1);
    pietra_image *tile = random_image(&source, TILE, TILE), *large = random_image(&source, WIDE, HIGH);
    double repeated = warm_frame_ms(tile, PIETRA_SPREAD_REPEAT), once = warm_frame_ms(large, PIETRA_SPREAD_PAD);
    print_message("%.2f ms repeated, %.2f ms once\n", repeated, once);
    if (repeated > once / 2)
        fail_msg("%.1f ms repeated, %.1f ms once", repeated, once);
    pietra_image_destroy(tile);
    pietra_image_destroy(large);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_colors), cmocka_unit_test(test_time)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
