/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The command's PNG encoder, read back by libpng. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <libdeflate.h>
#include <png.h>
#include <stdlib.h>
#include <string.h>

#include "all_sizes.h"
#include "png/checksum.h"
#include "png/huffman.h"
#include "png/png_indexed.h"
#include "png/png_writer.h"

typedef uint32_t pixel_function(uint32_t x, uint32_t y);

static uint32_t flat(uint32_t x, uint32_t y)
{
    return (x / 16 + y / 16) % 2 ? 0xff3366ccu : 0;
}

static uint32_t white(uint32_t x, uint32_t y)
{
    (void)x;
    (void)y;
    return 0xffffffffu;
}

static uint32_t ramp(uint32_t x, uint32_t y)
{
    return ((x + y) & 255) * 0x010101u | 0xff000000u;
}

static uint32_t ramp_alpha(uint32_t x, uint32_t y)
{
    return ((x + y) & 255) * 0x010101u | (y & 255) << 24;
}

/* Exactly 256 colours, some of them translucent; and one more than a palette holds. */
static uint32_t few(uint32_t x, uint32_t y)
{
    uint32_t number = (x / 3 + y * 7) & 255;
    return number * 0x00030507u | (number < 100 ? number : 255) << 24;
}

static uint32_t one_too_many(uint32_t x, uint32_t y)
{
    return x == 0 && y == 0 ? 0xff7f0102u : few(x, y);
}

/* Opaque, with long runs that end anywhere, rows that repeat, and matches far apart. */
static uint32_t art(uint32_t x, uint32_t y)
{
    uint32_t block = (x * x / 97 + y / 5 * 31) / 13;
    return (block * 2654435761u >> 8 & 0xc0c0c0u) | ((x * y / 64) & 15) | 0xff000000u;
}

static uint32_t smooth(uint32_t x, uint32_t y)
{
    return (x & 255) | (y & 255) << 8 | ((x + y) / 2 & 255) << 16 | 0xff000000u;
}

/* Incompressible: a hash of the position. */
static uint32_t noise(uint32_t x, uint32_t y)
{
    uint32_t hash = x * 2654435761u ^ y * 2246822519u;
    hash = (hash ^ hash >> 15) * 2654435761u;
    return hash ^ hash >> 13;
}

/* Many literals in short rows. Some bytes occur only once or twice, so samples may miss them. */
static uint32_t rare(uint32_t x, uint32_t y)
{
    if (x % 16 >= 12)
        return 0xff101010u;
    return 0xff000000u |
           (x % 16 == 5 && y % 10 == 0 ? (200 + (x / 16 + y / 10) % 56) * 0x010101u : noise(x, y) & 0x3f3f3fu);
}

static void fill(uint8_t *pixels, uint32_t width, uint32_t height, pixel_function *function)
{
    for (uint32_t y = 0; y < height; y++) {
        for (uint32_t x = 0; x < width; x++, pixels += 4) {
            uint32_t pixel = function(x, y);
            memcpy(pixels, &pixel, 4);
        }
    }
}

/* Returns how many chunks of a type there are. Gives the colour type of the file. */
static size_t count_chunks(const uint8_t *bytes, size_t byte_count, const char *type)
{
    size_t chunks = 0;

    for (size_t at = 8; at < byte_count;) {
        size_t length =
            (size_t)bytes[at] << 24 | (size_t)bytes[at + 1] << 16 | (size_t)bytes[at + 2] << 8 | bytes[at + 3];
        chunks += memcmp(bytes + at + 4, type, 4) == 0;
        at += length + 12;
    }
    return chunks;
}

static void assert_reads_back(const uint8_t *bytes, size_t byte_count, const uint8_t *wanted, uint32_t width,
                              uint32_t height)
{
    png_image image = {.version = PNG_IMAGE_VERSION};
    size_t size = (size_t)width * height * 4;
    uint8_t *got = malloc(size);

    assert_non_null(got);
    assert_true(png_image_begin_read_from_memory(&image, bytes, byte_count));
    assert_int_equal(image.warning_or_error, 0);
    assert_int_equal(image.width, width);
    assert_int_equal(image.height, height);
    image.format = PNG_FORMAT_RGBA;
    assert_true(png_image_finish_read(&image, NULL, got, 0, NULL));
    assert_int_equal(image.warning_or_error, 0);
    assert_memory_equal(got, wanted, size);
    free(got);
}

typedef struct buffer {
    uint8_t *bytes;
    size_t count;
} buffer;

static bool gather(void *user, const void *bytes, size_t count)
{
    buffer *buffer = user;
    uint8_t *grown = realloc(buffer->bytes, buffer->count + count);

    assert_non_null(grown);
    memcpy(grown + buffer->count, bytes, count);
    buffer->bytes = grown;
    buffer->count += count;
    return true;
}

static buffer encode(const png_canvas *canvas, png_compression compression, uint32_t threads)
{
    buffer buffer = {0};

    assert_int_equal(
        png_encode(canvas, &(png_options){.compression = compression, .threads = threads}, gather, &buffer), PNG_DONE);
    return buffer;
}

/* Adds a picture's rows in two bands. If its colours are few, the file is the same. */
static void check_indexed(const png_canvas *canvas, png_compression compression, const buffer *file)
{
    const png_options options = {.compression = compression, .threads = 2};
    const uint32_t rows = canvas->height / 3;
    const size_t size = 4 * (size_t)canvas->width * canvas->height;
    const int colour = file->bytes[25];
    png_indexed indexed;
    buffer again = {0};

    assert_true(png_indexed_create(&indexed, canvas->width, canvas->height));
    bool added = rows == 0 || png_indexed_add(&indexed, canvas->pixels, rows);
    added =
        added && png_indexed_add(&indexed, canvas->pixels + 4 * (size_t)rows * canvas->width, canvas->height - rows);
    assert_int_equal(added, colour == 0 || colour == 3); /* grey, palette */
    if (added) {
        uint8_t *pixels = malloc(size);
        assert_non_null(pixels);
        png_indexed_expand(&indexed, pixels);
        assert_memory_equal(pixels, canvas->pixels, size);
        assert_int_equal(png_encode_indexed(&indexed, &options, gather, &again), PNG_DONE);
        assert_int_equal(again.count, file->count);
        assert_memory_equal(again.bytes, file->bytes, file->count);
        free(pixels);
    }
    free(again.bytes);
    png_indexed_destroy(&indexed);
}

/* Encodes at each level of compression up to `last`, on one thread and on several, and reads back. Returns the colour
 * type. */
static int check_levels(uint32_t width, uint32_t height, pixel_function *function, png_compression last)
{
    size_t size = (size_t)width * height * 4;
    uint8_t *wanted = malloc(size);
    png_canvas canvas;
    int colour = -1;

    assert_non_null(wanted);
    assert_true(png_canvas_create(&canvas, width, height));
    fill(wanted, width, height, function);
    memcpy(canvas.pixels, wanted, size);
    for (int compression = PNG_COMPRESSION_DEFAULT; compression <= (int)last; compression++) {
        buffer file = encode(&canvas, (png_compression)compression, 1),
               again = encode(&canvas, (png_compression)compression, 3);
        assert_int_equal(file.count, again.count);
        assert_memory_equal(file.bytes, again.bytes, file.count);
        assert_reads_back(file.bytes, file.count, wanted, width, height);
        assert_int_equal(count_chunks(file.bytes, file.count, "PLTE"), file.bytes[25] == 3 ? 1 : 0);
        colour = file.bytes[25];
        check_indexed(&canvas, (png_compression)compression, &file);
        free(file.bytes);
        free(again.bytes);
    }
    assert_memory_equal(canvas.pixels, wanted, size);
    png_canvas_destroy(&canvas);
    free(wanted);
    return colour;
}

static int check(uint32_t width, uint32_t height, pixel_function *function)
{
    const bool slow = few_cases() && width * height > 75000;

    return check_levels(width, height, function, slow ? PNG_COMPRESSION_FAST : PNG_COMPRESSION_BEST);
}

enum { GREY = 0, RGB = 2, PALETTE = 3, GREY_ALPHA = 4, RGBA = 6 };

static void test_formats(void **state)
{
    (void)state;
    assert_int_equal(check(256, 256, white), GREY);
    assert_int_equal(check(256, 256, ramp), GREY);
    assert_int_equal(check(256, 256, ramp_alpha), GREY_ALPHA);
    assert_int_equal(check(256, 256, flat), PALETTE);
    assert_int_equal(check(256, 256, few), PALETTE);
    assert_int_equal(check(256, 256, one_too_many), RGBA);
    assert_int_equal(check(256, 256, smooth), RGB);
    assert_int_equal(check(256, 256, noise), RGBA);
    assert_int_equal(check(700, 500, art), RGB);
    assert_int_equal(check(700, 500, rare), RGB);
}

static void test_sizes(void **state)
{
    static const uint32_t sides[] = {1, 2, 3, 63, 64, 65, 200};
    static pixel_function *const functions[] = {smooth, noise, art, few, ramp, ramp_alpha};
    const size_t count = sizeof sides / sizeof sides[0];

    (void)state;
    for (size_t i = 0; i < count * count; i++)
        for (size_t k = 0; k < sizeof functions / sizeof functions[0]; k++)
            if (all_sizes() || (i + k) % 6 == 0) /* by day each size with some pictures, each picture in some sizes */
                check(sides[i % count], sides[i / count], functions[k]);
    check(32768, 1, smooth);
    check(1, 32768, noise);
    check(32768, 20, art);
}

/* Several strips, so that the parts of the stream have borders. By day the slow level compresses one picture. */
static void test_strips(void **state)
{
    const png_compression last = all_sizes() ? PNG_COMPRESSION_BEST : PNG_COMPRESSION_FAST;

    (void)state;
    check_levels(1500, 500, art, last);
    check_levels(1100, 800, noise, last);
    check(2100, 300, few);
}

static uint32_t parts_done, parts;

/* Calls come one at a time. */
static void watch(uint32_t done, uint32_t count)
{
    parts_done++;
    parts = parts ? parts : count;
    if (done != parts_done || count != parts || done > count)
        fail_msg("%u of %u parts are done, not %u of %u", done, count, parts_done, parts);
}

/* Each part of the work is reported once, in order, on any number of threads. */
static void test_progress(void **state)
{
    png_canvas canvas;

    (void)state;
    assert_true(png_canvas_create(&canvas, 700, 500));
    fill(canvas.pixels, 700, 500, art);
    for (int compression = PNG_COMPRESSION_DEFAULT; compression <= PNG_COMPRESSION_BEST; compression++) {
        for (uint32_t threads = 1; threads <= 3; threads += 2) {
            buffer file = {0};
            png_options options = {.compression = (png_compression)compression, .threads = threads, .progress = watch};
            parts_done = parts = 0;
            assert_int_equal(png_encode(&canvas, &options, gather, &file), PNG_DONE);
            assert_true(parts > 1);
            assert_int_equal(parts_done, parts);
            free(file.bytes);
        }
    }
    png_canvas_destroy(&canvas);
}

/* A sink that takes only a few bytes ends the work, on any number of threads. */
static bool take_few(void *user, const void *bytes, size_t count)
{
    size_t *left = user;

    (void)bytes;
    *left = count > *left ? 0 : *left - count;
    return *left > 0;
}

static void test_what_cannot_be_written(void **state)
{
    const uint32_t height = all_sizes() ? 800 : 200;
    png_canvas canvas;

    (void)state;
    assert_true(png_canvas_create(&canvas, 1100, height));
    fill(canvas.pixels, 1100, height, noise);
    for (size_t room = 1; room < 4000 * (size_t)height; room = room * (all_sizes() ? 3 : 9) + 1) {
        for (int compression = PNG_COMPRESSION_DEFAULT; compression <= PNG_COMPRESSION_BEST; compression++) {
            size_t left = room;
            png_options options = {.compression = (png_compression)compression, .threads = 1 + (uint32_t)room % 3};
            assert_int_equal(png_encode(&canvas, &options, take_few, &left), PNG_NOT_WRITTEN);
        }
    }
    png_canvas_destroy(&canvas);
}

/* The size is within 1.3 times what libdeflate's first level makes of the unfiltered rows. */
static void test_fast_is_small_enough(void **state)
{
    static pixel_function *const functions[] = {white, flat, few, art, smooth, ramp, ramp_alpha, noise};
    const uint32_t side = 700;
    const size_t raw = (size_t)side * (side * 4 + 1);
    uint8_t *rows = calloc(1, raw), *compressed = malloc(2 * raw);
    struct libdeflate_compressor *compressor = libdeflate_alloc_compressor(1);

    (void)state;
    for (size_t i = 0; i < sizeof functions / sizeof functions[0] && !few_cases(); i++) {
        png_canvas canvas;
        assert_true(png_canvas_create(&canvas, side, side));
        fill(canvas.pixels, side, side, functions[i]);
        for (uint32_t y = 0; y < side; y++)
            memcpy(rows + y * (side * 4 + 1) + 1, canvas.pixels + y * side * 4, side * 4);
        size_t other = libdeflate_zlib_compress(compressor, rows, raw, compressed, 2 * raw);
        buffer file = encode(&canvas, PNG_COMPRESSION_FAST, 1);
        if ((double)file.count > 1.3 * (double)other + 1000)
            fail_msg("picture %zu takes %zu bytes, where libdeflate's first level takes %zu", i, file.count, other);
        free(file.bytes);
        png_canvas_destroy(&canvas);
    }
    libdeflate_free_compressor(compressor);
    free(rows);
    free(compressed);
}

/* A gradient across both axes, in steps wider than a pixel; and short strokes of any colour on white. */
static uint32_t slope(uint32_t x, uint32_t y)
{
    uint32_t t = (x + y) / 6;
    return (0x11 + t * 238 / 340) | (0x11 + t * 153 / 340) << 8 | (0x22 + t * 51 / 340) << 16 | 0xff000000u;
}

static uint32_t strokes(uint32_t x, uint32_t y)
{
    return noise(x / 12, y / 5) % 3 == 0 ? noise(x, y / 5) | 0xff000000u : 0xffffffffu;
}

/* A slower level of compression gives no larger file. */
static void test_sizes_follow_the_names(void **state)
{
    static pixel_function *const functions[] = {slope, strokes, art, smooth, rare, noise, few};
    static const png_compression order[] = {PNG_COMPRESSION_FAST, PNG_COMPRESSION_DEFAULT, PNG_COMPRESSION_BEST};
    const uint32_t side = all_sizes() ? 1024 : 512;

    (void)state;
    for (size_t i = 0; i < sizeof functions / sizeof functions[0] && !few_cases(); i++) {
        png_canvas canvas;
        size_t last = SIZE_MAX / 2;
        assert_true(png_canvas_create(&canvas, side, side));
        fill(canvas.pixels, side, side, functions[i]);
        for (size_t k = 0; k < sizeof order / sizeof order[0]; k++) {
            buffer file = encode(&canvas, order[k], 2);
            if (file.count > last + last / 100)
                fail_msg("picture %zu takes %zu bytes, and %zu where there is less time", i, file.count, last);
            last = file.count;
            free(file.bytes);
        }
        png_canvas_destroy(&canvas);
    }
}

/* Frequencies whose tree is far deeper than the limit, and frequencies that hardly give a tree. */
static void test_huffman(void **state)
{
    uint32_t frequencies[286] = {0};
    huffman_code codes[286];

    (void)state;
    for (size_t used = 0; used <= 40; used++) {
        for (unsigned limit = 7; limit <= 15; limit += 8) {
            uint32_t space = 0;
            for (size_t i = 0; i < 286; i++)
                frequencies[i] = 0;
            for (size_t i = 0; i < used; i++) {
                /* The Fibonacci numbers. */
                frequencies[i * 7] = i < 2 ? 1 : frequencies[i * 7 - 7] + frequencies[i * 7 - 14];
            }
            huffman_make(frequencies, 286, limit, codes);
            for (size_t i = 0; i < 286; i++) {
                assert_true(codes[i].length <= limit);
                assert_true(frequencies[i] == 0 || codes[i].length > 0);
                space += codes[i].length ? 1u << (limit - codes[i].length) : 0;
            }
            assert_int_equal(space, 1u << limit);
        }
    }
}

/* Short input is summed in another way than long input. The largest bytes bring sums near their limits. */
static void test_checksums(void **state)
{
    static uint8_t bytes[16384];
    uint32_t random = 1;

    (void)state;
    for (size_t i = 0; i < sizeof bytes; i++) {
        random = random * 1664525u + 1013904223u;
        bytes[i] = i < sizeof bytes / 4 * 3 ? 255 : (uint8_t)(random >> 24);
    }
    for (size_t count = 0; count <= sizeof bytes; count += count < 1100 ? 1 : 127) {
        assert_int_equal(checksum_adler32(bytes, count), libdeflate_adler32(1, bytes, count));
        assert_int_equal(checksum_crc32(0, bytes, count), libdeflate_crc32(0, bytes, count));
        assert_int_equal(checksum_crc32(17, bytes, count), libdeflate_crc32(17, bytes, count));
        assert_int_equal(checksum_adler32_plain(bytes, count), libdeflate_adler32(1, bytes, count));
        assert_int_equal(checksum_crc32_plain(17, bytes, count), libdeflate_crc32(17, bytes, count));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_checksums),
        cmocka_unit_test(test_huffman),
        cmocka_unit_test(test_formats),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_strips),
        cmocka_unit_test(test_progress),
        cmocka_unit_test(test_what_cannot_be_written),
        cmocka_unit_test(test_fast_is_small_enough),
        cmocka_unit_test(test_sizes_follow_the_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
