/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Decodes JPEG by libjpeg-turbo: baseline and progressive, in grey, RGB and CMYK. CMYK is converted by its profile or,
 * without one, by plain products.
 *
 * Systems have libjpeg-turbo with one of two interfaces, whose structs differ: that of libjpeg 6.2 (Debian, Fedora) or
 * that of libjpeg 8 (Ubuntu, Arch). So jpeg_62.c and jpeg_80.c include this once each. They define
 * PIETRA_JPEG_VERSION, JPEG_FILE and DECODE_JPEG. */
#ifndef PIETRA_IMAGE_JPEG_DECODE_H
#define PIETRA_IMAGE_JPEG_DECODE_H

#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The configuration of the headers that are here says which interface they are for. The rest of them has both. */
/* clang-format off */
#include <jconfig.h>
#define JCONFIG_INCLUDED
#undef JPEG_LIB_VERSION
#define JPEG_LIB_VERSION PIETRA_JPEG_VERSION
#include <jpeglib.h>
#include <jerror.h>
/* clang-format on */

#include "image/library.h"
#include "image/profile.h"

#define EXIF_MARKER (JPEG_APP0 + 1)
#define PROFILE_MARKER (JPEG_APP0 + 2)
#define LONGEST_MARKER 0xffff
#define PROFILE_HEADER 14 /* "ICC_PROFILE", a zero byte, the number of the part, the count of parts */
#define MOST_SCANS 100    /* a progressive file's most: each scan costs a pass over all coefficients */
#define FREE_SCANS 16     /* more than encoders make */
#define SCANS_OF_WORK 256 /* cost as much as the pixels */

/* clang-format off */
#define FUNCTIONS(X) \
    X(jpeg_CreateDecompress) X(jpeg_destroy_decompress) X(jpeg_finish_decompress) X(jpeg_mem_src) \
    X(jpeg_read_header) X(jpeg_read_scanlines) X(jpeg_save_markers) X(jpeg_start_decompress) X(jpeg_std_error)
/* clang-format on */
IMAGE_LIBRARY(JPEG_FILE)

typedef struct decoding {
    struct jpeg_decompress_struct jpeg;
    struct jpeg_error_mgr errors;
    jmp_buf failed;
    image_pixels *pixels;
    const char *wrong;
    uint8_t *profile;
    size_t profile_count;
    uint8_t *inks; /* one row of CMYK */
    image_ink *ink;
    unsigned orientation;
    bool cut_off;
} decoding;

static void take_error(j_common_ptr jpeg)
{
    decoding *decoding = jpeg->client_data;
    longjmp(decoding->failed, 1);
}

static void take_message(j_common_ptr jpeg, int level)
{
    decoding *decoding = jpeg->client_data;
    if (level < 0 && jpeg->err->msg_code == JWRN_JPEG_EOF)
        decoding->cut_off = true;
}

/* Joins the parts of a profile in the order of their numbers. */
static bool gather_profile(decoding *decoding)
{
    size_t total = 0;
    for (jpeg_saved_marker_ptr marker = decoding->jpeg.marker_list; marker; marker = marker->next)
        if (marker->marker == PROFILE_MARKER && marker->data_length > PROFILE_HEADER)
            total += marker->data_length - PROFILE_HEADER;
    decoding->profile = total ? malloc(total) : NULL;
    if (total && !decoding->profile)
        return false;
    for (unsigned number = 1; number < 256 && decoding->profile; number++)
        for (jpeg_saved_marker_ptr marker = decoding->jpeg.marker_list; marker; marker = marker->next) {
            if (marker->marker != PROFILE_MARKER || marker->data_length <= PROFILE_HEADER ||
                memcmp(marker->data, "ICC_PROFILE\0", 12) != 0 || marker->data[12] != number)
                continue;
            memcpy(decoding->profile + decoding->profile_count, marker->data + PROFILE_HEADER,
                   marker->data_length - PROFILE_HEADER);
            decoding->profile_count += marker->data_length - PROFILE_HEADER;
        }
    return true;
}

static unsigned find_orientation(const decoding *decoding)
{
    for (jpeg_saved_marker_ptr marker = decoding->jpeg.marker_list; marker; marker = marker->next)
        if (marker->marker == EXIF_MARKER && marker->data_length > 6 && memcmp(marker->data, "Exif\0\0", 6) == 0)
            return image_find_orientation(marker->data + 6, marker->data_length - 6);
    return 1;
}

/* Converts CMYK without a profile: what remains of white light behind three inks and black. Adobe stores them
 * inverted. */
static void convert_inks(const uint8_t *inks, uint8_t *rgba, uint32_t count, bool inverted)
{
    for (uint32_t i = 0; i < count; i++, inks += 4, rgba += 4) {
        unsigned black = inverted ? inks[3] : 255u - inks[3];
        for (int c = 0; c < 3; c++)
            rgba[c] = (uint8_t)(((inverted ? inks[c] : 255u - inks[c]) * black + 127) / 255);
        rgba[3] = 255;
    }
}

static void read_rows(decoding *decoding)
{
    struct jpeg_decompress_struct *jpeg = &decoding->jpeg;
    image_pixels *pixels = decoding->pixels;
    bool inverted = jpeg->saw_Adobe_marker;
    while (jpeg->output_scanline < jpeg->output_height) {
        uint8_t *row = pixels->rgba + (size_t)jpeg->output_scanline * pixels->width * 4;
        JSAMPROW place = decoding->inks ? decoding->inks : row;
        library.jpeg_read_scanlines(jpeg, &place, 1);
        if (decoding->ink)
            image_ink_convert(decoding->ink, decoding->inks, row, pixels->width);
        else if (decoding->inks)
            convert_inks(decoding->inks, row, pixels->width, inverted);
    }
}

static void watch_scans(j_common_ptr jpeg)
{
    if (((j_decompress_ptr)jpeg)->input_scan_number > MOST_SCANS)
        take_error(jpeg);
}

static void decode(decoding *decoding, const uint8_t *bytes, size_t count, uint64_t pixel_limit)
{
    struct jpeg_decompress_struct *jpeg = &decoding->jpeg;
    struct jpeg_progress_mgr progress = {.progress_monitor = watch_scans};
    if (setjmp(decoding->failed)) {
        decoding->wrong = image_broken;
        return;
    }
    library.jpeg_CreateDecompress(jpeg, JPEG_LIB_VERSION, sizeof *jpeg);
    jpeg->progress = &progress;
    library.jpeg_mem_src(jpeg, bytes, count);
    library.jpeg_save_markers(jpeg, EXIF_MARKER, LONGEST_MARKER);
    library.jpeg_save_markers(jpeg, PROFILE_MARKER, LONGEST_MARKER);
    library.jpeg_read_header(jpeg, TRUE);
    decoding->wrong = image_allocate(jpeg->image_width, jpeg->image_height, pixel_limit, decoding->pixels);
    if (!decoding->wrong && !gather_profile(decoding))
        decoding->wrong = image_out_of_memory;
    if (decoding->wrong)
        return;
    bool inks = jpeg->jpeg_color_space == JCS_CMYK || jpeg->jpeg_color_space == JCS_YCCK;
    jpeg->out_color_space = inks ? JCS_CMYK : JCS_EXT_RGBA;
    jpeg->dct_method = JDCT_ISLOW;
    library.jpeg_start_decompress(jpeg);
    const int scans = jpeg->input_scan_number;
    if (scans > FREE_SCANS && !image_work(decoding->pixels, decoding->pixels->work * (uint64_t)scans / SCANS_OF_WORK))
        return;
    if (inks) {
        decoding->inks = malloc((size_t)jpeg->image_width * 4);
        decoding->ink =
            image_ink_open(decoding->profile, decoding->profile_count, jpeg->saw_Adobe_marker, decoding->pixels);
        if (!image_work(decoding->pixels, 0))
            return;
    }
    if (inks && !decoding->inks) {
        decoding->wrong = image_out_of_memory;
        return;
    }
    read_rows(decoding);
    decoding->orientation = find_orientation(decoding);
    library.jpeg_finish_decompress(jpeg); /* this drops the markers */
    if (!inks)
        image_apply_profile(decoding->profile, decoding->profile_count, decoding->pixels);
    if (decoding->cut_off)
        decoding->wrong = image_broken;
}

const char *DECODE_JPEG(const uint8_t *bytes, size_t count, uint64_t pixel_limit, image_pixels *pixels)
{
    decoding decoding = {.pixels = pixels, .orientation = 1};
    if (!library_is_open())
        return image_no_library;
    decoding.jpeg.err = library.jpeg_std_error(&decoding.errors);
    decoding.errors.error_exit = take_error;
    decoding.errors.emit_message = take_message;
    decoding.jpeg.client_data = &decoding;
    decode(&decoding, bytes, count, pixel_limit);
    if (!decoding.wrong)
        decoding.wrong = image_apply_orientation(decoding.orientation, pixels);
    image_ink_close(decoding.ink);
    free(decoding.profile);
    free(decoding.inks);
    library.jpeg_destroy_decompress(&decoding.jpeg);
    return decoding.wrong;
}

#endif
