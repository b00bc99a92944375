/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A scene that shows two images in several ways, as external images or with their pixels in them. */
#ifndef PIETRA_TESTS_RENDER_EXTERNAL_SCENE_H
#define PIETRA_TESTS_RENDER_EXTERNAL_SCENE_H

#include "pietra/pietra_view.h"
#include "scene/scene_fixture.h"

#define EXTERNAL_IDS 2u

static const uint32_t external_sizes[EXTERNAL_IDS][2] = {{37, 23}, {64, 41}};

/* Makes an image's pixels. Some are transparent, unless all are opaque. */
static inline uint8_t *make_external_pixels(uint32_t which, uint32_t seed, bool is_opaque)
{
    const uint32_t width = external_sizes[which][0], height = external_sizes[which][1];
    uint8_t *pixels = malloc((size_t)4 * width * height);
    assert_non_null(pixels);
    for (uint32_t i = 0; i < width * height; i++) {
        seed = seed * 1664525u + 1013904223u;
        const uint32_t x = i % width, y = i / width;
        pixels[4 * i] = (uint8_t)(seed >> 24);
        pixels[4 * i + 1] = (uint8_t)(x * 255 / width);
        pixels[4 * i + 2] = (uint8_t)(y * 255 / height);
        pixels[4 * i + 3] = is_opaque ? 255 : (uint8_t)(seed >> 16 | (x & 64));
    }
    return pixels;
}

static inline pietra_external external_of(uint32_t which, const uint8_t *pixels)
{
    return (pietra_external){
        .id = which + 7, .width = external_sizes[which][0], .height = external_sizes[which][1], .pixels = pixels};
}

/* Encodes the scene: with the pixels, or with external images where an image has none. */
static inline pietra_stream *encode_externals(uint8_t *const *pixels)
{
    pietra_scene *scene = pietra_scene_create();
    pietra_path *path = pietra_path_create();
    pietra_image *images[EXTERNAL_IDS];
    for (uint32_t i = 0; i < EXTERNAL_IDS; i++) {
        const uint32_t width = external_sizes[i][0], height = external_sizes[i][1];
        if (pixels[i])
            ASSERT_OK(pietra_image_create(width, height, pixels[i], 0, error, &images[i]));
        else
            ASSERT_OK(pietra_image_create_external(width, height, external_of(i, NULL).id, error, &images[i]));
    }
    const pietra_transform places[] = {
        {1, 0, 0, 1, 5, 4}, {0.3, 0, 0, 0.3, 50, 8}, {1.7, 0.6, -0.6, 1.7, 60, 10}, {0.07, 0, 0, 0.11, 20, 60}};
    for (uint32_t i = 0; i < 8; i++)
        ASSERT_OK(pietra_scene_draw_image(scene, images[i % 2], &places[i / 2], (pietra_filter)(i % 3), error));
    const pietra_paint tiled = {.kind = PIETRA_PAINT_IMAGE,
                                .image = images[1],
                                .spread = PIETRA_SPREAD_REFLECT,
                                .transform = {0.4, 0.1, 0, 0.4, 3, 2}};
    pietra_path_ellipse(path, 40, 70, 35, 20);
    ASSERT_OK(pietra_scene_fill(scene, path, NULL, PIETRA_FILL_NONZERO, &tiled, error));
    for (uint32_t i = 0; i < EXTERNAL_IDS; i++)
        pietra_image_destroy(images[i]);
    pietra_path_destroy(path);
    return encode_and_destroy(scene);
}

#endif
