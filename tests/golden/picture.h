/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Pictures of straight RGBA8 in memory, and as PNG files. */
#ifndef TESTS_GOLDEN_PICTURE_H
#define TESTS_GOLDEN_PICTURE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct picture {
    uint32_t width, height;
    uint8_t *pixels; /* width * height * 4 bytes, rows from the top; NULL: no picture */
} picture;

/* Returns a transparent picture. All of these functions abort if memory is out. */
picture picture_create(uint32_t width, uint32_t height);
void picture_destroy(picture *image);
bool picture_equal(const picture *a, const picture *b);
/* Returns how many pixels differ, and gives the first that does. The sizes must be equal. */
uint32_t picture_count_differences(const picture *a, const picture *b, uint32_t *x, uint32_t *y);

/* Copies a rectangle out of a picture. */
picture picture_crop(const picture *image, uint32_t x, uint32_t y, uint32_t width, uint32_t height);

/* Returns false if the file is missing or is no PNG. */
bool picture_read(const char *path, picture *image);
/* Writes a PNG, and makes the folders above it. */
bool picture_write(const char *path, const picture *image);
/* Writes the old picture, the new one and their difference (amplified, opaque) side by side on a chequered ground. */
bool picture_write_change(const char *path, const picture *before, const picture *after);

#endif
