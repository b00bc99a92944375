/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Encodes JPEG by libjpeg-turbo, row by row. Its struct differs between the two interfaces that systems have
 * (src/image/jpeg_decode.h), so jpeg_62.c and jpeg_80.c include this once each. They define RENDER_JPEG_VERSION,
 * JPEG_FILE, JPEG_IS_THERE and ENCODE_JPEG. */
#ifndef RENDER_JPEG_ENCODE_H
#define RENDER_JPEG_ENCODE_H

#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

/* The configuration of the headers that are here says which interface they are for. The rest of them has both. */
/* clang-format off */
#include <jconfig.h>
#define JCONFIG_INCLUDED
#undef JPEG_LIB_VERSION
#define JPEG_LIB_VERSION RENDER_JPEG_VERSION
#include <jpeglib.h>
#include <jerror.h>
/* clang-format on */

#include "format_library.h"
#include "image/image.h"
#include "image/library.h"

#define STANDARD_QUALITY 90
#define SHARP_QUALITY 90 /* from here on colours have as many samples as brightness: edges of colour stay sharp */
#define MOST_DENSITY 65535u

/* clang-format off */
#define FUNCTIONS(X) \
    X(jpeg_CreateCompress) X(jpeg_destroy_compress) X(jpeg_finish_compress) X(jpeg_set_defaults) X(jpeg_set_quality) \
    X(jpeg_start_compress) X(jpeg_std_error) X(jpeg_write_scanlines)
/* clang-format on */
IMAGE_LIBRARY(JPEG_FILE)

typedef struct encoding {
    struct jpeg_compress_struct jpeg;
    struct jpeg_error_mgr errors;
    struct jpeg_destination_mgr destination;
    jmp_buf failed;
    png_sink *sink;
    void *user;
    bool refused; /* the sink takes no more bytes */
    JOCTET bytes[1 << 16];
} encoding;

bool JPEG_IS_THERE(void)
{
    return library_is_open();
}

static void take_error(j_common_ptr jpeg)
{
    encoding *encoding = jpeg->client_data;
    longjmp(encoding->failed, 1);
}

static void take_message(j_common_ptr jpeg, int level)
{
    (void)jpeg;
    (void)level;
}

static void begin_bytes(j_compress_ptr jpeg)
{
    encoding *encoding = jpeg->client_data;
    encoding->destination.next_output_byte = encoding->bytes;
    encoding->destination.free_in_buffer = sizeof encoding->bytes;
}

static void pass_bytes(encoding *encoding, size_t count)
{
    if (count > 0 && !encoding->sink(encoding->user, encoding->bytes, count)) {
        encoding->refused = true;
        longjmp(encoding->failed, 1);
    }
}

static boolean pass_full_buffer(j_compress_ptr jpeg)
{
    encoding *encoding = jpeg->client_data;
    pass_bytes(encoding, sizeof encoding->bytes);
    begin_bytes(jpeg);
    return TRUE;
}

static void pass_rest(j_compress_ptr jpeg)
{
    encoding *encoding = jpeg->client_data;
    pass_bytes(encoding, sizeof encoding->bytes - encoding->destination.free_in_buffer);
}

static void set_up(encoding *encoding, const png_canvas *canvas, const format_options *options)
{
    struct jpeg_compress_struct *jpeg = &encoding->jpeg;
    int quality = options->quality ? (int)options->quality : STANDARD_QUALITY;

    jpeg->image_width = canvas->width;
    jpeg->image_height = canvas->height;
    jpeg->input_components = 4;
    jpeg->in_color_space = JCS_EXT_RGBA;
    library.jpeg_set_defaults(jpeg);
    library.jpeg_set_quality(jpeg, quality, TRUE);
    if (quality >= SHARP_QUALITY)
        jpeg->comp_info[0].h_samp_factor = jpeg->comp_info[0].v_samp_factor = 1;
    if (options->pixels_per_inch > 0 && options->pixels_per_inch <= MOST_DENSITY) {
        jpeg->density_unit = 1; /* dots per inch */
        jpeg->X_density = jpeg->Y_density = (UINT16)options->pixels_per_inch;
    }
}

/* Returns false if the library gave up. */
static bool encode(encoding *encoding, const png_canvas *canvas, const format_options *options)
{
    struct jpeg_compress_struct *jpeg = &encoding->jpeg;

    if (setjmp(encoding->failed))
        return false;
    library.jpeg_CreateCompress(jpeg, JPEG_LIB_VERSION, sizeof *jpeg);
    encoding->destination = (struct jpeg_destination_mgr){
        .init_destination = begin_bytes, .empty_output_buffer = pass_full_buffer, .term_destination = pass_rest};
    jpeg->dest = &encoding->destination;
    set_up(encoding, canvas, options);
    library.jpeg_start_compress(jpeg, TRUE);
    while (jpeg->next_scanline < jpeg->image_height) {
        JSAMPROW row = canvas->pixels + 4 * (size_t)canvas->width * jpeg->next_scanline;
        library.jpeg_write_scanlines(jpeg, &row, 1);
    }
    library.jpeg_finish_compress(jpeg);
    return true;
}

const char *ENCODE_JPEG(const png_canvas *canvas, const format_options *options, png_sink *sink, void *user)
{
    encoding *encoding = calloc(1, sizeof *encoding);
    const char *wrong = NULL;

    if (!encoding)
        return format_out_of_memory;
    encoding->sink = sink;
    encoding->user = user;
    encoding->jpeg.err = library.jpeg_std_error(&encoding->errors);
    encoding->errors.error_exit = take_error;
    encoding->errors.emit_message = take_message;
    encoding->jpeg.client_data = encoding;
    if (!encode(encoding, canvas, options) && !encoding->refused)
        wrong = encoding->errors.msg_code == JERR_OUT_OF_MEMORY ? format_out_of_memory : format_library_failed;
    library.jpeg_destroy_compress(&encoding->jpeg);
    free(encoding);
    return wrong;
}

#endif
