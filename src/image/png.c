/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Decodes PNG by libpng: all bit depths and colour types, interlaced or not, to 8-bit RGBA. */
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>

#include "image/library.h"
#include "image/profile.h"

#define MOST_CHUNK_BYTES (8u << 20) /* also for anything else that libpng allocates */
/* bytes that libpng may allocate for an image free of charge; if it takes more, all are charged */
#define FREE_BYTES (256u << 10)
#define BYTES_OF_WORK 16 /* cost as much as a pixel */

/* clang-format off */
#define FUNCTIONS(X) \
    X(png_create_info_struct) X(png_create_read_struct_2) X(png_destroy_read_struct) X(png_error) X(png_get_cHRM) \
    X(png_get_eXIf_1) X(png_get_gAMA) X(png_get_iCCP) X(png_get_image_height) X(png_get_image_width) \
    X(png_get_io_ptr) X(png_get_mem_ptr) X(png_get_sRGB) X(png_get_unknown_chunks) X(png_longjmp) X(png_read_end) \
    X(png_read_image) X(png_read_info) X(png_read_update_info) X(png_set_add_alpha) X(png_set_chunk_malloc_max) \
    X(png_set_expand) X(png_set_gray_to_rgb) X(png_set_interlace_handling) X(png_set_keep_unknown_chunks) \
    X(png_set_longjmp_fn) X(png_set_read_fn) X(png_set_scale_16) X(png_set_user_limits)
/* clang-format on */
IMAGE_LIBRARY(IMAGE_PNG_LIBRARY)

typedef struct source {
    const uint8_t *at, *end;
} source;

typedef struct decoding {
    png_structp png;
    png_infop info;
    source source;
    png_bytep *rows;
    image_pixels *pixels;
    const char *wrong;
    unsigned orientation;
    uint64_t allocated; /* bytes, in sum */
} decoding;

static void read_bytes(png_structp png, png_bytep out, size_t count)
{
    source *source = library.png_get_io_ptr(png);
    if ((size_t)(source->end - source->at) < count)
        library.png_error(png, "cut off");
    memcpy(out, source->at, count);
    source->at += count;
}

static void take_error(png_structp png, png_const_charp message)
{
    (void)message;
    library.png_longjmp(png, 1);
}

static void drop_warning(png_structp png, png_const_charp message)
{
    (void)png;
    (void)message;
}

/* libpng's own limit does not hold for eXIf, for which a file may claim 2 GiB. */
static png_voidp take_memory(png_structp png, png_alloc_size_t count)
{
    decoding *decoding = library.png_get_mem_ptr(png);
    decoding->allocated += count;
    return count <= MOST_CHUNK_BYTES ? malloc(count) : NULL;
}

static void give_memory_back(png_structp png, png_voidp memory)
{
    (void)png;
    free(memory);
}

static void choose_format(png_structp png, png_infop info)
{
    library.png_set_expand(png);
    library.png_set_scale_16(png);
    library.png_set_gray_to_rgb(png);
    library.png_set_add_alpha(png, 0xff, PNG_FILLER_AFTER);
    library.png_set_interlace_handling(png);
    library.png_read_update_info(png, info);
}

static const image_space srgb = {.white = {0.3127, 0.3290},
                                 .red = {0.64, 0.33},
                                 .green = {0.30, 0.60},
                                 .blue = {0.15, 0.06},
                                 .curve = IMAGE_CURVE_SRGB};

/* Finds the colour space of the chunk cICP (PNG, third edition, 11.3.2.6), which names it by numbers of ITU-T H.273.
 * False: there is no such chunk, or it names no space of the kinds handled here, such as one of high dynamic range.
 * libpng knows the chunk from 1.6.45 on. */
static bool find_coded_space(decoding *decoding, image_space *space)
{
    png_unknown_chunkp chunks = NULL;
    int count = library.png_get_unknown_chunks(decoding->png, decoding->info, &chunks);
    *space = srgb;
    while (count > 0 && memcmp(chunks->name, "cICP", 4) != 0) {
        chunks++;
        count--;
    }
    if (count <= 0 || chunks->size != 4 || chunks->data[2] != 0 || chunks->data[3] != 1)
        return false;
    if (chunks->data[0] == 9) {
        *space = (image_space){
            .white = {0.3127, 0.3290}, .red = {0.708, 0.292}, .green = {0.170, 0.797}, .blue = {0.131, 0.046}};
    } else if (chunks->data[0] == 12) {
        *space = (image_space){
            .white = {0.3127, 0.3290}, .red = {0.680, 0.320}, .green = {0.265, 0.690}, .blue = {0.150, 0.060}};
    } else if (chunks->data[0] != 1) {
        return false;
    }
    switch (chunks->data[1]) {
    case 1:
    case 6:
    case 14:
    case 15:
        space->curve = IMAGE_CURVE_VIDEO;
        return true;
    case 4:
    case 5:
    case 8:
        space->curve = IMAGE_CURVE_POWER;
        space->exponent = chunks->data[1] == 4 ? 2.2 : chunks->data[1] == 5 ? 2.8 : 1;
        return true;
    default:
        return chunks->data[1] == 13;
    }
}

/* Finds the colour space of gAMA and cHRM. False: they are missing. */
static bool find_measured_space(decoding *decoding, image_space *space)
{
    double gamma;
    *space = srgb;
    bool measured =
        library.png_get_cHRM(decoding->png, decoding->info, &space->white[0], &space->white[1], &space->red[0],
                             &space->red[1], &space->green[0], &space->green[1], &space->blue[0], &space->blue[1]);
    if (library.png_get_gAMA(decoding->png, decoding->info, &gamma) && gamma > 0) {
        measured = true;
        space->curve = IMAGE_CURVE_POWER;
        space->exponent = 1 / gamma;
    }
    return measured;
}

static bool is_close(const double a[2], const double b[2])
{
    return fabs(a[0] - b[0]) < 0.01 && fabs(a[1] - b[1]) < 0.01;
}

/* Returns whether the space is sRGB. Nearly all files say 0.45455, most of them with sRGB's primaries. A difference
 * that nobody can see, libpng's 5 % of gamma, counts as sRGB. */
static bool is_srgb(const image_space *space)
{
    if (!is_close(space->white, srgb.white) || !is_close(space->red, srgb.red) || !is_close(space->green, srgb.green) ||
        !is_close(space->blue, srgb.blue))
        return false;
    return space->curve == IMAGE_CURVE_SRGB ||
           (space->curve == IMAGE_CURVE_POWER && fabs(space->exponent / 2.2 - 1) < 0.05);
}

/* Applies the chunks in PNG's order of precedence (third edition, 4.3). */
static void apply_colors(decoding *decoding)
{
    image_space space;
    png_charp name;
    png_bytep profile;
    png_uint_32 count;
    int number;
    bool coded = find_coded_space(decoding, &space);
    if (!coded && library.png_get_iCCP(decoding->png, decoding->info, &name, &number, &profile, &count) &&
        image_apply_profile(profile, count, decoding->pixels))
        return;
    if (!coded &&
        (library.png_get_sRGB(decoding->png, decoding->info, &number) || !find_measured_space(decoding, &space)))
        return;
    if (!is_srgb(&space))
        image_apply_space(&space, decoding->pixels);
}

static void finish(decoding *decoding)
{
    apply_colors(decoding);
    png_uint_32 exif_count;
    png_bytep exif;
    decoding->orientation = 1;
    if (library.png_get_eXIf_1(decoding->png, decoding->info, &exif_count, &exif))
        decoding->orientation = image_find_orientation(exif, exif_count);
}

/* Chunks that may come in any number, take time and memory, and change no pixel. */
static const png_byte unread_chunks[] = "iTXt\0sPLT\0tEXt\0zTXt";

/* libpng reports errors by longjmp to here, so nothing is kept in local variables. */
static void decode(decoding *decoding, uint64_t pixel_limit)
{
    png_structp png = decoding->png;
    if (setjmp(*library.png_set_longjmp_fn(png, longjmp, sizeof(jmp_buf)))) {
        decoding->wrong = image_broken;
        return;
    }
    library.png_set_user_limits(png, IMAGE_MOST_SIDE, IMAGE_MOST_SIDE);
    library.png_set_chunk_malloc_max(png, MOST_CHUNK_BYTES);
    library.png_set_read_fn(png, &decoding->source, read_bytes);
    library.png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_ALWAYS, (png_const_bytep) "cICP", 1);
    library.png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, unread_chunks, sizeof unread_chunks / 5);
    library.png_read_info(png, decoding->info);
    png_uint_32 width = library.png_get_image_width(png, decoding->info),
                height = library.png_get_image_height(png, decoding->info);
    decoding->wrong = image_allocate(width, height, pixel_limit, decoding->pixels);
    if (decoding->wrong)
        return;
    choose_format(png, decoding->info);
    decoding->rows = malloc(height * sizeof *decoding->rows);
    if (!decoding->rows) {
        decoding->wrong = image_out_of_memory;
        return;
    }
    for (png_uint_32 y = 0; y < height; y++)
        decoding->rows[y] = decoding->pixels->rgba + (size_t)y * width * 4;
    library.png_read_image(png, decoding->rows);
    library.png_read_end(png, decoding->info);
    finish(decoding);
}

const char *image_decode_png(const uint8_t *bytes, size_t count, uint64_t pixel_limit, image_pixels *pixels)
{
    decoding decoding = {.source = {bytes, bytes + count}, .pixels = pixels, .orientation = 1};
    if (!library_is_open())
        return image_no_library;
    decoding.png = library.png_create_read_struct_2(PNG_LIBPNG_VER_STRING, NULL, take_error, drop_warning, &decoding,
                                                    take_memory, give_memory_back);
    decoding.info = decoding.png ? library.png_create_info_struct(decoding.png) : NULL;
    if (decoding.info)
        decode(&decoding, pixel_limit);
    else
        decoding.wrong = image_out_of_memory;
    if (!decoding.wrong)
        decoding.wrong = image_apply_orientation(decoding.orientation, pixels);
    if (decoding.allocated > FREE_BYTES)
        image_work(pixels, decoding.allocated / BYTES_OF_WORK);
    free(decoding.rows);
    library.png_destroy_read_struct(&decoding.png, &decoding.info, NULL);
    return decoding.wrong;
}
