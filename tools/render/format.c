/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "format.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define QOI_IMPLEMENTATION
#define QOI_NO_STDIO
#include <qoi.h>
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STBI_WRITE_NO_STDIO
#include <stb/stb_image_write.h>

#include "format_library.h"

static const char *const names[FORMAT_COUNT] = {
    [FORMAT_PNG] = "png", [FORMAT_JPEG] = "jpeg", [FORMAT_WEBP] = "webp", [FORMAT_BMP] = "bmp",   [FORMAT_TGA] = "tga",
    [FORMAT_QOI] = "qoi", [FORMAT_PPM] = "ppm",   [FORMAT_PAM] = "pam",   [FORMAT_RGBA] = "rgba",
};

#define MOST_WEBP_SIDE 16383u /* WEBP_MAX_DIMENSION */

const char format_out_of_memory[] = "out of memory for the file";
const char format_library_failed[] = "the library of the format failed";
static const char too_large[] = "the picture is too large for this format";

picture_format format_find(const char *name)
{
    for (int i = FORMAT_PNG; i < FORMAT_COUNT; i++)
        if (strcasecmp(name, names[i]) == 0)
            return (picture_format)i;
    return strcasecmp(name, "jpg") == 0 || strcasecmp(name, "jpe") == 0 ? FORMAT_JPEG : FORMAT_BY_ENDING;
}

const char *format_ending(picture_format format)
{
    return format == FORMAT_JPEG ? "jpg" : names[format];
}

picture_format format_of(picture_format format, const char *path)
{
    const char *point = strrchr(path, '.');

    if (format == FORMAT_BY_ENDING && point && !strchr(point, '/'))
        format = format_find(point + 1);
    return format == FORMAT_BY_ENDING ? FORMAT_PNG : format;
}

const char *format_prepare(picture_format format, png_compression compression)
{
    if (format == FORMAT_PNG && !png_prepare(compression))
        return "--compression best needs libdeflate, which is not installed";
    if (format == FORMAT_JPEG && !jpeg_62_is_there() && !jpeg_80_is_there())
        return "JPEG needs libjpeg-turbo, which is not installed";
    if (format == FORMAT_WEBP && !webp_is_there())
        return "WebP needs libwebp, which is not installed";
    return NULL;
}

uint32_t format_most_side(picture_format format)
{
    return format == FORMAT_WEBP ? MOST_WEBP_SIDE : UINT32_MAX;
}

bool format_has_quality(picture_format format)
{
    return format == FORMAT_JPEG || format == FORMAT_WEBP;
}

bool format_has_compression(picture_format format)
{
    return format == FORMAT_PNG || format == FORMAT_WEBP;
}

/* Collects small pieces, of which the encoders make many. */
typedef struct buffer {
    png_sink *sink;
    void *user;
    size_t count;
    uint8_t bytes[1 << 16];
} buffer;

static void flush(buffer *buffer)
{
    if (buffer->count > 0)
        buffer->sink(buffer->user, buffer->bytes, buffer->count);
    buffer->count = 0;
}

static void take(void *user, void *bytes, int count)
{
    buffer *buffer = user;
    size_t size = (size_t)count;

    if (size > sizeof buffer->bytes - buffer->count)
        flush(buffer);
    if (size > sizeof buffer->bytes) {
        buffer->sink(buffer->user, bytes, size);
    } else {
        memcpy(buffer->bytes + buffer->count, bytes, size);
        buffer->count += size;
    }
}

static void print_head(buffer *buffer, const char *format, const png_canvas *canvas)
{
    char head[128];
    int length = snprintf(head, sizeof head, format, canvas->width, canvas->height);

    take(buffer, head, length);
}

static uint8_t over_white(unsigned channel, unsigned alpha)
{
    return (uint8_t)((channel * alpha + 255 * (255 - alpha) + 127) / 255);
}

/* https://netpbm.sourceforge.net/doc/ppm.html */
static void put_ppm(buffer *buffer, const png_canvas *canvas)
{
    const uint8_t *pixel = canvas->pixels;

    print_head(buffer, "P6\n%u %u\n255\n", canvas);
    for (size_t i = (size_t)canvas->width * canvas->height; i > 0; i--, pixel += 4) {
        uint8_t rgb[3] = {over_white(pixel[0], pixel[3]), over_white(pixel[1], pixel[3]),
                          over_white(pixel[2], pixel[3])};
        take(buffer, rgb, sizeof rgb);
    }
}

static void put_rows(buffer *buffer, const png_canvas *canvas)
{
    size_t row = 4 * (size_t)canvas->width;

    for (uint32_t y = 0; y < canvas->height; y++)
        take(buffer, canvas->pixels + y * row, (int)row);
}

/* https://netpbm.sourceforge.net/doc/pam.html */
static void put_pam(buffer *buffer, const png_canvas *canvas)
{
    print_head(buffer, "P7\nWIDTH %u\nHEIGHT %u\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n", canvas);
    put_rows(buffer, canvas);
}

static const char *put_qoi(buffer *buffer, const png_canvas *canvas)
{
    const qoi_desc description = {canvas->width, canvas->height, 4, QOI_SRGB};
    int count = 0;

    if ((uint64_t)canvas->width * canvas->height > QOI_PIXELS_MAX)
        return too_large;
    void *bytes = qoi_encode(canvas->pixels, &description, &count);
    if (!bytes)
        return format_out_of_memory;
    take(buffer, bytes, count);
    free(bytes);
    return NULL;
}

/* The sizes in the head of a BMP have 32 bits with a sign. */
static const char *put_bmp(buffer *buffer, const png_canvas *canvas)
{
    if (4 * (uint64_t)canvas->width * canvas->height > INT32_MAX - 1024)
        return too_large;
    return stbi_write_bmp_to_func(take, buffer, (int)canvas->width, (int)canvas->height, 4, canvas->pixels)
               ? NULL
               : format_out_of_memory;
}

static const char *put_tga(buffer *buffer, const png_canvas *canvas)
{
    if (4 * (uint64_t)canvas->width * canvas->height > INT32_MAX) /* stb counts bytes in an int */
        return too_large;
    return stbi_write_tga_to_func(take, buffer, (int)canvas->width, (int)canvas->height, 4, canvas->pixels)
               ? NULL
               : format_out_of_memory;
}

static const char *encode_plain(picture_format format, const png_canvas *canvas, png_sink *sink, void *user)
{
    buffer *buffer = malloc(sizeof *buffer);
    const char *wrong = NULL;

    if (!buffer)
        return format_out_of_memory;
    buffer->sink = sink;
    buffer->user = user;
    buffer->count = 0;
    if (format == FORMAT_BMP)
        wrong = put_bmp(buffer, canvas);
    else if (format == FORMAT_TGA)
        wrong = put_tga(buffer, canvas);
    else if (format == FORMAT_QOI)
        wrong = put_qoi(buffer, canvas);
    else if (format == FORMAT_PPM)
        put_ppm(buffer, canvas);
    else if (format == FORMAT_PAM)
        put_pam(buffer, canvas);
    else
        put_rows(buffer, canvas);
    if (!wrong)
        flush(buffer);
    free(buffer);
    return wrong;
}

const char *format_encode(picture_format format, const png_canvas *canvas, const format_options *options,
                          png_sink *sink, void *user)
{
    if (format == FORMAT_JPEG)
        return (jpeg_62_is_there() ? jpeg_62_encode : jpeg_80_encode)(canvas, options, sink, user);
    if (format == FORMAT_WEBP)
        return webp_encode(canvas, options, sink, user);
    return encode_plain(format, canvas, sink, user);
}
