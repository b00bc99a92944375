/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "image/image.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "image/library.h"

const char image_no_library[] = "the library for its format is not installed";
const char image_out_of_memory[] = "out of memory";
const char image_too_large[] = "it takes more than the limit \"image_pixels\" leaves";
const char image_broken[] = "it is broken or cut off";

image_kind image_sniff(const uint8_t *bytes, size_t count)
{
    static const struct {
        const char *bytes;
        size_t count;
        image_kind kind;
    } signatures[] = {
        {"\x89PNG\r\n\x1a\n", 8, IMAGE_PNG},
        {"\xff\xd8\xff", 3, IMAGE_JPEG},
        {"GIF87a", 6, IMAGE_GIF},
        {"GIF89a", 6, IMAGE_GIF},
    };
    for (size_t i = 0; i < sizeof signatures / sizeof signatures[0]; i++)
        if (count >= signatures[i].count && memcmp(bytes, signatures[i].bytes, signatures[i].count) == 0)
            return signatures[i].kind;
    if (count >= 12 && memcmp(bytes, "RIFF", 4) == 0 && memcmp(bytes + 8, "WEBP", 4) == 0)
        return IMAGE_WEBP;
    return IMAGE_UNKNOWN;
}

const char *image_allocate(uint32_t width, uint32_t height, uint64_t pixel_limit, image_pixels *pixels)
{
    if (width == 0 || height == 0)
        return image_broken;
    if (width > IMAGE_MOST_SIDE || height > IMAGE_MOST_SIDE || (uint64_t)width * height > pixel_limit)
        return image_too_large;
    pixels->width = width;
    pixels->height = height;
    pixels->rgba = calloc((size_t)width * height, 4);
    pixels->work += (uint64_t)width * height;
    return pixels->rgba ? NULL : image_out_of_memory;
}

bool image_work(image_pixels *pixels, uint64_t amount)
{
    pixels->work += amount;
    return pixels->work <= pixels->most_work;
}

static const char *decode_jpeg(const uint8_t *bytes, size_t count, uint64_t pixel_limit, image_pixels *pixels)
{
    const char *wrong = image_decode_jpeg_62(bytes, count, pixel_limit, pixels);
    return wrong == image_no_library ? image_decode_jpeg_80(bytes, count, pixel_limit, pixels) : wrong;
}

static const char *decode(const uint8_t *bytes, size_t count, uint64_t pixel_limit, image_pixels *pixels)
{
    switch (image_sniff(bytes, count)) {
    case IMAGE_PNG:
        return image_decode_png(bytes, count, pixel_limit, pixels);
    case IMAGE_JPEG:
        return decode_jpeg(bytes, count, pixel_limit, pixels);
    case IMAGE_GIF:
        return image_decode_gif(bytes, count, pixel_limit, pixels);
    case IMAGE_WEBP:
        return image_decode_webp(bytes, count, pixel_limit, pixels);
    case IMAGE_UNKNOWN:
        break;
    }
    return "its format is not known";
}

/* Libraries take a failed allocation for a broken file, or continue without a colour profile. But malloc sets errno. */
const char *image_decode(const uint8_t *bytes, size_t count, uint64_t pixel_limit, image_pixels *pixels)
{
    int before = errno;
    *pixels = (image_pixels){.most_work = pixel_limit};
    errno = 0;
    const char *wrong = decode(bytes, count, pixel_limit, pixels);
    if (pixels->work > pixels->most_work)
        wrong = image_too_large;
    if (errno == ENOMEM)
        wrong = image_out_of_memory;
    errno = before;
    if (wrong) {
        free(pixels->rgba);
        pixels->rgba = NULL;
    }
    return wrong;
}
