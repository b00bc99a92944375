/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Images by their pixels, on the reference device: what passes unchanged, what is averaged, and where edges lie. */
#include <math.h>

#include "lib/image_sample.h"
#include "render/reference/pixels.h"

#define SIDE 64u

static uint32_t pixels[SIDE * SIDE];

static pietra_image *image_of(uint32_t width, uint32_t height, const uint32_t *straight)
{
    pietra_image *image;
    ASSERT_OK(pietra_image_create(width, height, straight, 0, error, &image));
    return image;
}

/* Draws into pixels, premultiplied, and destroys the scene. */
static void draw(pietra_scene *scene)
{
    draw_by_reference(scene, SIDE, pixels);
}

static void add_image(pietra_scene *scene, const pietra_image *image, double scale, double x, double y,
                      pietra_filter filter)
{
    ASSERT_OK(pietra_scene_draw_image(scene, image, &(pietra_transform){scale, 0, 0, scale, x, y}, filter, error));
}

static uint32_t noise(uint32_t i)
{
    uint32_t bits = (i + 1u) * 2654435761u;
    return bits ^ bits >> 13;
}

static uint32_t premultiplied(uint32_t straight)
{
    return color_scale(straight & 0xffffffu, straight >> 24) | (straight & 0xff000000u);
}

static void test_unchanged(void **state)
{
    (void)state;
    uint32_t texels[20 * 10];
    for (uint32_t i = 0; i < 200; i++)
        texels[i] = noise(i);
    pietra_image *image = image_of(20, 10, texels);
    for (int filter = PIETRA_FILTER_SMOOTH; filter <= PIETRA_FILTER_HIGH; filter++) {
        pietra_scene *scene = new_scene();
        add_image(scene, image, 1, 17, 9, (pietra_filter)filter);
        draw(scene);
        for (uint32_t y = 0; y < SIDE; y++) {
            for (uint32_t x = 0; x < SIDE; x++) {
                bool inside = x >= 17 && x < 37 && y >= 9 && y < 19;
                assert_int_equal(pixels[y * SIDE + x], inside ? premultiplied(texels[(y - 9) * 20 + x - 17]) : 0);
            }
        }
    }
    pietra_image_destroy(image);
}

static void test_enlarged(void **state)
{
    (void)state;
    const uint32_t texels[] = {0xff000000, 0xffffffff};
    pietra_image *image = image_of(2, 1, texels);
    pietra_scene *scene = new_scene();
    add_image(scene, image, 8, 0, 0, PIETRA_FILTER_NEAREST);
    add_image(scene, image, 8, 0, 8, PIETRA_FILTER_SMOOTH);
    add_image(scene, image, 8, 0, 16, PIETRA_FILTER_HIGH);
    draw(scene);
    for (uint32_t x = 0; x < 16; x++) {
        assert_int_equal(pixels[x] & 0xff, x < 8 ? 0 : 255);
        int ramp = (int)x < 4 ? 0 : x >= 12 ? 255 : (int)(255 * ((int)x - 4) + 128) / 8;
        assert_true(abs((int)(pixels[8 * SIDE + x] & 0xff) - ramp) <= 1);
        if (x > 0)
            assert_true((pixels[16 * SIDE + x] & 0xff) >= (pixels[16 * SIDE + x - 1] & 0xff));
    }
    pietra_image_destroy(image);
}

static uint32_t *checkers(uint32_t width, uint32_t height)
{
    uint32_t *texels = malloc((size_t)width * height * sizeof *texels);
    assert_non_null(texels);
    for (uint32_t i = 0; i < width * height; i++)
        texels[i] = (i % width + i / width) % 2 ? 0xffffffffu : 0xff000000u;
    return texels;
}

/* A pattern finer than the pixels is an even grey at every scale and angle, within a tenth of its contrast. */
static void test_no_moire(void **state)
{
    (void)state;
    uint32_t *texels = checkers(512, 512);
    pietra_image *image = image_of(512, 512, texels);
    for (int i = 0; i < 30; i++) {
        double shrunken = 2.0 * pow(1.13, i), turn = i % 3 == 0 ? 0.3 : 0;
        pietra_transform transform = {
            cos(turn) / shrunken, sin(turn) / shrunken, -sin(turn) / shrunken, cos(turn) / shrunken, 20, 0};
        pietra_scene *scene = new_scene();
        pietra_paint paint = {
            .kind = PIETRA_PAINT_IMAGE, .image = image, .spread = PIETRA_SPREAD_REPEAT, .transform = transform};
        paint.filter = i % 2 ? PIETRA_FILTER_HIGH : PIETRA_FILTER_SMOOTH;
        fill(scene, "R 0 0 64 64", &paint);
        draw(scene);
        for (uint32_t at = 0; at < SIDE * SIDE; at++) {
            int grey = (int)(pixels[at] & 0xff), alpha = (int)(pixels[at] >> 24);
            if (abs(2 * grey - alpha) > 30) {
                fail_msg("shrunken by %g, turned by %g: pixel %u, %u has %d of %d", shrunken, turn, at % SIDE,
                         at / SIDE, grey, alpha);
            }
        }
    }
    pietra_image_destroy(image);
    free(texels);
}

/* In an image shrunken by a power of two, a pixel is the mean of what it covers. */
static void test_means(void **state)
{
    (void)state;
    uint32_t texels[32 * 32];
    for (uint32_t i = 0; i < 32 * 32; i++)
        texels[i] = noise(i) | 0xff000000u;
    pietra_image *image = image_of(32, 32, texels);
    pietra_scene *scene = new_scene();
    add_image(scene, image, 0.25, 8, 8, PIETRA_FILTER_SMOOTH);
    draw(scene);
    for (uint32_t at = 0; at < 64; at++) {
        double sum = 0;
        for (uint32_t i = 0; i < 16; i++)
            sum += texels[(at / 8 * 4 + i / 4) * 32 + at % 8 * 4 + i % 4] & 0xff;
        assert_true(fabs((double)(pixels[(8 + at / 8) * SIDE + 8 + at % 8] & 0xff) - sum / 16) <= 1.0);
    }
    pietra_image_destroy(image);
}

/* Images that meet between pixels leave no seam, and no pixel is covered twice. */
static void test_seams(void **state)
{
    (void)state;
    uint32_t texels[16];
    memset(texels, 0x80, sizeof texels);
    pietra_image *image = image_of(4, 4, texels);
    for (int i = 0; i < 20; i++) {
        double side = 4 * (1.3 + 0.11 * i);
        pietra_scene *scene = new_scene();
        for (int k = 0; k < 9; k++)
            add_image(scene, image, side / 4, 3.3 + side * (k % 3), 2.7 + side * (k / 3), PIETRA_FILTER_SMOOTH);
        draw(scene);
        uint32_t first = 4, end = (uint32_t)(3 * side);
        for (uint32_t y = first; y < end; y++)
            for (uint32_t x = first; x < end; x++)
                assert_int_equal(pixels[y * SIDE + x], 0x80404040u);
    }
    pietra_image_destroy(image);
}

static void test_repeats(void **state)
{
    (void)state;
    uint32_t texels[6];
    for (uint32_t i = 0; i < 6; i++)
        texels[i] = noise(i) | 0xff000000u;
    pietra_image *image = image_of(3, 2, texels);
    for (int spread = PIETRA_SPREAD_PAD; spread <= PIETRA_SPREAD_REPEAT; spread++) {
        pietra_paint paint = {.kind = PIETRA_PAINT_IMAGE,
                              .image = image,
                              .spread = (pietra_spread)spread,
                              .transform = {1, 0, 0, 1, 20, 30}};
        pietra_scene *scene = new_scene();
        fill(scene, "R 0 0 64 64", &paint);
        draw(scene);
        for (int y = 0; y < 64; y++) {
            for (int x = 0; x < 64; x++) {
                int u = image_wrap(x - 20, 3, (uint32_t)spread), v = image_wrap(y - 30, 2, (uint32_t)spread);
                assert_int_equal(pixels[y * 64 + x], texels[v * 3 + u]);
            }
        }
    }
    pietra_image_destroy(image);
}

static void test_wrap(void **state)
{
    (void)state;
    static const int reflected[] = {1, 2, 2, 1, 0, 0, 1, 2, 2, 1, 0, 0, 1, 2, 2};
    for (int i = -5; i < 10; i++) {
        assert_int_equal(image_wrap(i, 3, SPREAD_PAD), i < 0 ? 0 : i > 2 ? 2 : i);
        assert_int_equal(image_wrap(i, 3, SPREAD_REPEAT), (i + 30) % 3);
        assert_int_equal(image_wrap(i, 3, SPREAD_REFLECT), reflected[i + 5]);
    }
}

static void test_cubic_weights(void **state)
{
    (void)state;
    for (int t = 0; t < 256; t++) {
        cubic_weights w = cubic_weights_at(t);
        double x = t / 256.0, outer = 1 + x;
        assert_int_equal(w.w0 + w.w1 + w.w2 + w.w3, 1024);
        assert_true(fabs(w.w1 / 1024.0 - (21 * x * x * x - 36 * x * x + 16) / 18) < 2.0 / 1024);
        assert_true(fabs(w.w0 / 1024.0 - (-7 * outer * outer * outer + 36 * outer * outer - 60 * outer + 32) / 18) <
                    1.0 / 1024);
    }
}

/* Aliased rectangles take whole pixels, and other shapes the pixels that they cover at least half. */
static void test_aliased_edges(void **state)
{
    (void)state;
    pietra_scene *scene = new_scene();
    pietra_scene_set_aliased(scene, true);
    fill(scene, "R 2.4 2.6 10.2 20", &RED);
    fill(scene, "M 30 2 L 50 2.9 L 47.7 33 Z", &RED);
    begin_clip(scene, "R 2.4 40.6 10.2 20");
    fill(scene, "M 0 38 L 64 38 L 64 64 L 0 63.5", &RED);
    end_clip(scene);
    pietra_scene_set_aliased(scene, false);
    draw(scene);
    for (uint32_t y = 0; y < SIDE; y++) {
        for (uint32_t x = 0; x < SIDE; x++) {
            bool first = x >= 2 && x < 13 && y >= 3 && y < 23, clipped = x >= 2 && x < 13 && y >= 41 && y < 61;
            uint32_t color = pixels[y * SIDE + x];
            assert_true(color == 0 || color == 0xff0000ffu);
            assert_true(x > 25 || (color != 0) == (first || clipped));
        }
    }
}

static void test_arguments(void **state)
{
    (void)state;
    const uint32_t texel = 0;
    pietra_image *image = NULL;
    assert_int_equal(pietra_image_create(0, 1, &texel, 0, NULL, &image), PIETRA_ERROR_INPUT);
    assert_int_equal(pietra_image_create(1, PIETRA_MAX_IMAGE_SIDE + 1, &texel, 0, NULL, &image), PIETRA_ERROR_INPUT);
    assert_int_equal(pietra_image_create(65535, 65535, &texel, 0, NULL, &image), PIETRA_ERROR_INPUT);
    assert_int_equal(pietra_image_create(1, 1, NULL, 0, NULL, &image), PIETRA_ERROR_INPUT);
    assert_int_equal(pietra_image_create(1, 1, &texel, 3, NULL, &image), PIETRA_ERROR_INPUT);
    assert_null(image);
    pietra_image_destroy(NULL);
    pietra_scene *scene = new_scene();
    image = image_of(1, 1, &texel);
    assert_int_equal(pietra_scene_draw_image(scene, NULL, NULL, PIETRA_FILTER_SMOOTH, NULL), PIETRA_ERROR_INPUT);
    assert_int_equal(pietra_scene_draw_image(scene, image, NULL, (pietra_filter)3, NULL), PIETRA_ERROR_INPUT);
    pietra_image_destroy(image);
    pietra_scene_destroy(scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_unchanged), cmocka_unit_test(test_enlarged),      cmocka_unit_test(test_no_moire),
        cmocka_unit_test(test_means),     cmocka_unit_test(test_seams),         cmocka_unit_test(test_repeats),
        cmocka_unit_test(test_wrap),      cmocka_unit_test(test_cubic_weights), cmocka_unit_test(test_aliased_edges),
        cmocka_unit_test(test_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
