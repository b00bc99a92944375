/* The command's PNG writer, read back by libpng. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <png.h>
#include <stdlib.h>
#include <string.h>

#include "png_writer.h"

typedef uint32_t pixel_function(uint32_t x, uint32_t y);

static uint32_t flat(uint32_t x, uint32_t y) { return (x / 16 + y / 16) % 2 ? 0xff3366ccu : 0; }

static uint32_t smooth(uint32_t x, uint32_t y) { return (x & 255) | (y & 255) << 8 | ((x + y) / 2 & 255) << 16 | 0xff000000u; }

/* Does not compress: the hash of the position. */
static uint32_t noise(uint32_t x, uint32_t y)
{
    uint32_t hash = x * 2654435761u ^ y * 2246822519u;
    hash = (hash ^ hash >> 15) * 2654435761u;
    return hash ^ hash >> 13;
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

static size_t count_data_chunks(const uint8_t *bytes, size_t byte_count)
{
    size_t chunks = 0;

    for (size_t at = 8; at < byte_count;) {
        size_t length = (size_t)bytes[at] << 24 | (size_t)bytes[at + 1] << 16 | (size_t)bytes[at + 2] << 8 | bytes[at + 3];
        chunks += memcmp(bytes + at + 4, "IDAT", 4) == 0;
        at += length + 12;
    }
    return chunks;
}

/* Encodes, reads back, compares; how many chunks the data took. */
static size_t check(uint32_t width, uint32_t height, pixel_function *function)
{
    size_t size = (size_t)width * height * 4, byte_count;
    uint8_t *wanted = malloc(size), *got = malloc(size), *bytes;
    png_canvas canvas;
    png_image image = { .version = PNG_IMAGE_VERSION };

    assert_true(wanted && got);
    assert_true(png_canvas_create(&canvas, width, height));
    fill(wanted, width, height, function);
    memcpy(canvas.pixels, wanted, size);
    assert_true(png_encode(&canvas, &bytes, &byte_count));
    png_canvas_destroy(&canvas);

    assert_true(png_image_begin_read_from_memory(&image, bytes, byte_count));
    assert_int_equal(image.warning_or_error, 0);
    assert_int_equal(image.width, width);
    assert_int_equal(image.height, height);
    assert_int_equal(image.format, PNG_FORMAT_RGBA);
    assert_true(png_image_finish_read(&image, NULL, got, 0, NULL));
    assert_memory_equal(got, wanted, size);
    size_t chunks = count_data_chunks(bytes, byte_count);
    free(bytes);
    free(wanted);
    free(got);
    return chunks;
}

static void test_contents(void **state)
{
    (void)state;
    check(256, 256, flat);
    check(256, 256, smooth);
    check(256, 256, noise);
}

static void test_sizes(void **state)
{
    static const uint32_t sides[] = { 1, 2, 3, 63, 64, 65, 200 };
    const size_t count = sizeof sides / sizeof sides[0];

    (void)state;
    for (size_t i = 0; i < count * count; i++) {
        check(sides[i % count], sides[i / count], smooth);
        check(sides[i % count], sides[i / count], noise);
    }
    check(32768, 1, smooth);
    check(1, 32768, noise);
}

static void test_chunks(void **state)
{
    (void)state;
    assert_int_equal(check(100, 100, noise), 1);
    assert_int_equal(check(1000, 600, noise), 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_contents),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_chunks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
