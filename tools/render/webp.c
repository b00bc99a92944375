/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Encodes WebP by libwebp. A lossless file keeps all bytes of the pixels, also where they are transparent. */
#include <pthread.h>
#include <stddef.h>

#include <webp/encode.h>

#include "format_library.h"
#include "image/library.h"

/* clang-format off */
#define FUNCTIONS(X) \
    X(WebPConfigInitInternal) X(WebPConfigLosslessPreset) X(WebPEncode) X(WebPPictureFree) X(WebPPictureImportRGBA) \
    X(WebPPictureInitInternal)
/* clang-format on */
IMAGE_LIBRARY(IMAGE_WEBP_ENCODER_LIBRARY)

/* How much work goes into a lossless file, 0 to 9. */
static const int levels[] = {[PNG_COMPRESSION_DEFAULT] = 6, [PNG_COMPRESSION_FAST] = 1, [PNG_COMPRESSION_BEST] = 9};

typedef struct receiver {
    png_sink *sink;
    void *user;
} receiver;

bool webp_is_there(void)
{
    return library_is_open();
}

static int take_bytes(const uint8_t *bytes, size_t count, const WebPPicture *picture)
{
    const receiver *receiver = picture->custom_ptr;
    return receiver->sink(receiver->user, bytes, count);
}

static bool set_up(WebPConfig *config, const format_options *options)
{
    float quality = options->quality ? (float)options->quality : 75;

    if (!library.WebPConfigInitInternal(config, WEBP_PRESET_DEFAULT, quality, WEBP_ENCODER_ABI_VERSION))
        return false;
    config->exact = 1;
    return options->quality || library.WebPConfigLosslessPreset(config, levels[options->compression]);
}

static const char *explain(WebPEncodingError error)
{
    switch (error) {
    case VP8_ENC_ERROR_BAD_WRITE: /* the sink knows why */
        return NULL;
    case VP8_ENC_ERROR_OUT_OF_MEMORY:
    case VP8_ENC_ERROR_BITSTREAM_OUT_OF_MEMORY:
        return format_out_of_memory;
    default:
        return format_library_failed;
    }
}

const char *webp_encode(const png_canvas *canvas, const format_options *options, png_sink *sink, void *user)
{
    receiver receiver = {sink, user};
    WebPConfig config;
    WebPPicture picture;
    const char *wrong = NULL;

    if (!set_up(&config, options) || !library.WebPPictureInitInternal(&picture, WEBP_ENCODER_ABI_VERSION))
        return format_library_failed;
    picture.use_argb = !options->quality;
    picture.width = (int)canvas->width;
    picture.height = (int)canvas->height;
    picture.writer = take_bytes;
    picture.custom_ptr = &receiver;
    if (!library.WebPPictureImportRGBA(&picture, canvas->pixels, 4 * (int)canvas->width))
        wrong = format_out_of_memory;
    else if (!library.WebPEncode(&config, &picture))
        wrong = explain(picture.error_code);
    library.WebPPictureFree(&picture);
    return wrong;
}
