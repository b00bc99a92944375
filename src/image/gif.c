/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Decodes GIF by giflib: the first image, on its screen. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <gif_lib.h>

#include "image/image.h"
#include "image/library.h"

/* clang-format off */
#define FUNCTIONS(X) \
    X(DGifCloseFile) X(DGifExtensionToGCB) X(DGifGetExtension) X(DGifGetExtensionNext) X(DGifGetImageDesc) \
    X(DGifGetLine) X(DGifGetRecordType) X(DGifOpen)
/* clang-format on */
IMAGE_LIBRARY(IMAGE_GIF_LIBRARY)

typedef struct source {
    const uint8_t *at, *end;
} source;

static int read_bytes(GifFileType *gif, GifByteType *out, int count)
{
    source *source = gif->UserData;
    size_t left = (size_t)(source->end - source->at), taken = (size_t)count < left ? (size_t)count : left;
    memcpy(out, source->at, taken);
    source->at += taken;
    return (int)taken;
}

static bool read_extension(GifFileType *gif, int *transparent)
{
    int code;
    GifByteType *block;
    if (library.DGifGetExtension(gif, &code, &block) == GIF_ERROR)
        return false;
    while (block) {
        GraphicsControlBlock control;
        if (code == GRAPHICS_EXT_FUNC_CODE && library.DGifExtensionToGCB(block[0], block + 1, &control) == GIF_OK)
            *transparent = control.TransparentColor;
        if (library.DGifGetExtensionNext(gif, &block) == GIF_ERROR)
            return false;
    }
    return true;
}

/* Returns where interlacing places row `y` of the file. */
static int place_row(int y, int height, bool interlaced)
{
    static const int firsts[4] = {0, 4, 2, 1}, steps[4] = {8, 8, 4, 2};
    for (int pass = 0; interlaced && pass < 4; pass++) {
        int rows = height > firsts[pass] ? (height - firsts[pass] + steps[pass] - 1) / steps[pass] : 0;
        if (y < rows)
            return firsts[pass] + y * steps[pass];
        y -= rows;
    }
    return y;
}

static const char *read_image(GifFileType *gif, int transparent, image_pixels *pixels)
{
    const GifImageDesc *image = &gif->Image;
    const ColorMapObject *map = image->ColorMap ? image->ColorMap : gif->SColorMap;
    if (!map || image->Width <= 0 || image->Height <= 0)
        return image_broken;
    const uint64_t area = (uint64_t)image->Width * (uint64_t)image->Height;
    if (area > pixels->work && !image_work(pixels, area - pixels->work)) /* it may be larger than the screen */
        return image_too_large;
    GifPixelType *line = malloc((size_t)image->Width);
    if (!line)
        return image_out_of_memory;
    const char *wrong = NULL;
    for (int row = 0; row < image->Height && !wrong; row++) {
        int64_t y = (int64_t)image->Top + place_row(row, image->Height, image->Interlace);
        if (library.DGifGetLine(gif, line, image->Width) == GIF_ERROR)
            wrong = image_broken;
        for (int x = 0; !wrong && x < image->Width; x++) {
            int64_t to_x = (int64_t)image->Left + x;
            if (line[x] == transparent || line[x] >= map->ColorCount || y < 0 || y >= pixels->height || to_x < 0 ||
                to_x >= pixels->width)
                continue;
            const GifColorType *color = &map->Colors[line[x]];
            const uint8_t rgba[4] = {color->Red, color->Green, color->Blue, 255};
            memcpy(pixels->rgba + ((size_t)y * pixels->width + (size_t)to_x) * 4, rgba, sizeof rgba);
        }
    }
    free(line);
    return wrong;
}

/* Reads the records up to the first image. */
static const char *read_records(GifFileType *gif, image_pixels *pixels)
{
    int transparent = NO_TRANSPARENT_COLOR;
    GifRecordType record;
    while (library.DGifGetRecordType(gif, &record) == GIF_OK) {
        if (record == IMAGE_DESC_RECORD_TYPE)
            return library.DGifGetImageDesc(gif) == GIF_OK ? read_image(gif, transparent, pixels) : image_broken;
        if (record != EXTENSION_RECORD_TYPE || !read_extension(gif, &transparent))
            break;
    }
    return image_broken;
}

const char *image_decode_gif(const uint8_t *bytes, size_t count, uint64_t pixel_limit, image_pixels *pixels)
{
    source source = {bytes, bytes + count};
    int error;
    if (!library_is_open())
        return image_no_library;
    GifFileType *gif = library.DGifOpen(&source, read_bytes, &error);
    if (!gif)
        return image_broken;
    bool sized = gif->SWidth > 0 && gif->SHeight > 0;
    const char *wrong =
        sized ? image_allocate((uint32_t)gif->SWidth, (uint32_t)gif->SHeight, pixel_limit, pixels) : image_broken;
    if (!wrong)
        wrong = read_records(gif, pixels);
    library.DGifCloseFile(gif, &error);
    return wrong;
}
