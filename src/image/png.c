/* PNG by libpng: all bit depths and colour types, interlaced or not, as 8-bit RGBA. */
#include <pthread.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>

#include "image/library.h"
#include "image/profile.h"

#define MOST_CHUNK_BYTES (64u << 20)

#define FUNCTIONS(X) \
    X(png_create_info_struct) X(png_create_read_struct) X(png_destroy_read_struct) X(png_error) X(png_get_eXIf_1) X(png_get_iCCP) \
    X(png_get_image_height) X(png_get_image_width) X(png_get_io_ptr) X(png_longjmp) X(png_read_end) X(png_read_image) X(png_read_info) \
    X(png_read_update_info) X(png_set_add_alpha) X(png_set_chunk_malloc_max) X(png_set_expand) X(png_set_gray_to_rgb) \
    X(png_set_interlace_handling) X(png_set_longjmp_fn) X(png_set_read_fn) X(png_set_scale_16) X(png_set_user_limits)
IMAGE_LIBRARY(IMAGE_PNG_LIBRARY)
#define png_create_info_struct (*library.png_create_info_struct)
#define png_create_read_struct (*library.png_create_read_struct)
#define png_destroy_read_struct (*library.png_destroy_read_struct)
#define png_error (*library.png_error)
#define png_get_eXIf_1 (*library.png_get_eXIf_1)
#define png_get_iCCP (*library.png_get_iCCP)
#define png_get_image_height (*library.png_get_image_height)
#define png_get_image_width (*library.png_get_image_width)
#define png_get_io_ptr (*library.png_get_io_ptr)
#define png_longjmp (*library.png_longjmp)
#define png_read_end (*library.png_read_end)
#define png_read_image (*library.png_read_image)
#define png_read_info (*library.png_read_info)
#define png_read_update_info (*library.png_read_update_info)
#define png_set_add_alpha (*library.png_set_add_alpha)
#define png_set_chunk_malloc_max (*library.png_set_chunk_malloc_max)
#define png_set_expand (*library.png_set_expand)
#define png_set_gray_to_rgb (*library.png_set_gray_to_rgb)
#define png_set_interlace_handling (*library.png_set_interlace_handling)
#define png_set_longjmp_fn (*library.png_set_longjmp_fn)
#define png_set_read_fn (*library.png_set_read_fn)
#define png_set_scale_16 (*library.png_set_scale_16)
#define png_set_user_limits (*library.png_set_user_limits)

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
} decoding;

static void read_bytes(png_structp png, png_bytep out, size_t count)
{
    source *source = png_get_io_ptr(png);
    if ((size_t)(source->end - source->at) < count)
        png_error(png, "cut off");
    memcpy(out, source->at, count);
    source->at += count;
}

static void take_error(png_structp png, png_const_charp message)
{
    (void)message;
    png_longjmp(png, 1);
}

static void drop_warning(png_structp png, png_const_charp message)
{
    (void)png;
    (void)message;
}

static void choose_format(png_structp png, png_infop info)
{
    png_set_expand(png);
    png_set_scale_16(png);
    png_set_gray_to_rgb(png);
    png_set_add_alpha(png, 0xff, PNG_FILLER_AFTER);
    png_set_interlace_handling(png);
    png_read_update_info(png, info);
}

static void finish(decoding *decoding)
{
    png_charp name;
    png_bytep profile;
    png_uint_32 count;
    int compression;
    if (png_get_iCCP(decoding->png, decoding->info, &name, &compression, &profile, &count))
        image_apply_profile(profile, count, decoding->pixels);
    png_uint_32 exif_count;
    png_bytep exif;
    decoding->orientation = 1;
    if (png_get_eXIf_1(decoding->png, decoding->info, &exif_count, &exif))
        decoding->orientation = image_find_orientation(exif, exif_count);
}

/* Whatever libpng finds wrong comes back here by longjmp, so nothing is kept in local variables. */
static void decode(decoding *decoding, uint64_t pixel_limit)
{
    png_structp png = decoding->png;
    if (setjmp(png_jmpbuf(png))) {
        decoding->wrong = image_broken;
        return;
    }
    png_set_user_limits(png, IMAGE_MOST_SIDE, IMAGE_MOST_SIDE);
    png_set_chunk_malloc_max(png, MOST_CHUNK_BYTES);
    png_set_read_fn(png, &decoding->source, read_bytes);
    png_read_info(png, decoding->info);
    png_uint_32 width = png_get_image_width(png, decoding->info), height = png_get_image_height(png, decoding->info);
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
    png_read_image(png, decoding->rows);
    png_read_end(png, decoding->info);
    finish(decoding);
}

const char *image_decode_png(const uint8_t *bytes, size_t count, uint64_t pixel_limit, image_pixels *pixels)
{
    decoding decoding = { .source = { bytes, bytes + count }, .pixels = pixels, .orientation = 1 };
    if (!library_is_open())
        return image_no_library;
    decoding.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, take_error, drop_warning);
    decoding.info = decoding.png ? png_create_info_struct(decoding.png) : NULL;
    if (decoding.info)
        decode(&decoding, pixel_limit);
    else
        decoding.wrong = image_out_of_memory;
    if (!decoding.wrong)
        decoding.wrong = image_apply_orientation(decoding.orientation, pixels);
    free(decoding.rows);
    png_destroy_read_struct(&decoding.png, &decoding.info, NULL);
    return decoding.wrong;
}
