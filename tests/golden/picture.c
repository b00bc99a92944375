/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "golden/picture.h"

#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

picture picture_create(uint32_t width, uint32_t height)
{
    picture image = {width, height, calloc((size_t)width * height, 4)};
    if (!image.pixels)
        abort();
    return image;
}

void picture_destroy(picture *image)
{
    free(image->pixels);
    *image = (picture){0};
}

bool picture_equal(const picture *a, const picture *b)
{
    return a->width == b->width && a->height == b->height &&
           memcmp(a->pixels, b->pixels, 4 * (size_t)a->width * a->height) == 0;
}

uint32_t picture_count_differences(const picture *a, const picture *b, uint32_t *x, uint32_t *y)
{
    uint32_t count = 0;
    for (size_t i = (size_t)a->width * a->height; i-- > 0;) {
        if (memcmp(a->pixels + 4 * i, b->pixels + 4 * i, 4)) {
            *x = (uint32_t)(i % a->width);
            *y = (uint32_t)(i / a->width);
            count++;
        }
    }
    return count;
}

picture picture_crop(const picture *image, uint32_t x, uint32_t y, uint32_t width, uint32_t height)
{
    picture part = picture_create(width, height);
    for (uint32_t row = 0; row < height; row++) {
        memcpy(part.pixels + (size_t)row * width * 4, image->pixels + ((size_t)(y + row) * image->width + x) * 4,
               (size_t)width * 4);
    }
    return part;
}

bool picture_read(const char *path, picture *image)
{
    png_image png = {.version = PNG_IMAGE_VERSION};
    if (!png_image_begin_read_from_file(&png, path))
        return false;
    png.format = PNG_FORMAT_RGBA;
    picture result = picture_create(png.width, png.height);
    if (!png_image_finish_read(&png, NULL, result.pixels, 0, NULL)) {
        picture_destroy(&result);
        return false;
    }
    *image = result;
    return true;
}

static void make_folders(const char *path)
{
    char folder[4096];
    size_t length = strlen(path);
    for (size_t i = 1; i < length && i < sizeof folder; i++) {
        if (path[i] == '/') {
            memcpy(folder, path, i);
            folder[i] = 0;
            mkdir(folder, 0777);
        }
    }
}

bool picture_write(const char *path, const picture *image)
{
    png_image png = {
        .version = PNG_IMAGE_VERSION, .width = image->width, .height = image->height, .format = PNG_FORMAT_RGBA};
    make_folders(path);
    return png_image_write_to_file(&png, path, 0, image->pixels, 0, NULL);
}

static void lay_on_checks(picture *sheet, uint32_t left, const picture *image)
{
    for (uint32_t y = 0; y < image->height; y++) {
        for (uint32_t x = 0; x < image->width; x++) {
            const uint8_t *from = image->pixels + 4 * ((size_t)y * image->width + x);
            uint8_t *to = sheet->pixels + 4 * ((size_t)y * sheet->width + left + x);
            unsigned ground = (x / 8 + y / 8) % 2 ? 255 : 225;
            for (int c = 0; c < 3; c++)
                to[c] = (uint8_t)((from[c] * from[3] + ground * (255u - from[3]) + 127) / 255);
            to[3] = 255;
        }
    }
}

static void lay_difference(picture *sheet, uint32_t left, const picture *before, const picture *after)
{
    for (uint32_t y = 0; y < sheet->height; y++) {
        for (uint32_t x = 0; x < sheet->width - left; x++) {
            uint8_t *to = sheet->pixels + 4 * ((size_t)y * sheet->width + left + x);
            bool in_before = x < before->width && y < before->height, in_after = x < after->width && y < after->height;
            int p[4] = {0}, q[4] = {0}, alpha;
            for (int c = 0; c < 4; c++) {
                p[c] = in_before ? before->pixels[4 * ((size_t)y * before->width + x) + (size_t)c] : 0;
                q[c] = in_after ? after->pixels[4 * ((size_t)y * after->width + x) + (size_t)c] : 0;
            }
            alpha = abs(p[3] - q[3]);
            for (int c = 0; c < 3; c++) {
                int level = (abs(p[c] - q[c]) + alpha) * 8 + (memcmp(p, q, sizeof p) ? 40 : 0);
                to[c] = (uint8_t)(level > 255 ? 255 : level);
            }
            to[3] = 255;
        }
    }
}

bool picture_write_change(const char *path, const picture *before, const picture *after)
{
    uint32_t width = before->width > after->width ? before->width : after->width;
    uint32_t height = before->height > after->height ? before->height : after->height;
    picture sheet = picture_create(3 * width + 16, height);
    if (before->pixels)
        lay_on_checks(&sheet, 0, before);
    lay_on_checks(&sheet, width + 8, after);
    lay_difference(&sheet, 2 * width + 16, before, after);
    bool written = picture_write(path, &sheet);
    picture_destroy(&sheet);
    return written;
}
