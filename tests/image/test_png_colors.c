/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The chunk cICP of a PNG names the curve of its samples by a number of ITU-T H.273, table 3. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "image/image.h"
#include "image/png_chunk.h"

#define GREY 128

/* Returns what a single grey pixel comes to in sRGB. `coding` is the content of cICP. */
static uint8_t decode_grey(const uint8_t coding[4])
{
    static const uint8_t header[] = {0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0, 0, 0}, row[] = {0, GREY, GREY, GREY};
    uint8_t file[200] = {PNG_SIGNATURE}, packed[50];
    size_t count = PNG_SIGNATURE_BYTES;
    image_pixels pixels;
    struct libdeflate_compressor *compressor = libdeflate_alloc_compressor(1);
    assert_non_null(compressor);
    size_t packed_count = libdeflate_zlib_compress(compressor, row, sizeof row, packed, sizeof packed);
    libdeflate_free_compressor(compressor);
    assert_int_not_equal(packed_count, 0);
    count += put_chunk(file + count, "IHDR", sizeof header, header, sizeof header);
    count += put_chunk(file + count, "cICP", 4, coding, 4);
    count += put_chunk(file + count, "IDAT", (uint32_t)packed_count, packed, packed_count);
    count += put_chunk(file + count, "IEND", 0, NULL, 0);
    assert_null(image_decode(file, count, 1u << 24, &pixels));
    const uint8_t grey = pixels.rgba[0];
    assert_in_range(pixels.rgba[1], grey - 1, grey + 1);
    assert_in_range(pixels.rgba[2], grey - 1, grey + 1);
    assert_int_equal(pixels.rgba[3], 255);
    free(pixels.rgba);
    return grey;
}

/* Light is V^2.2 for 4, V^2.8 for 5, V for 8, and for the others of the first row ((V + 0.0993) / 1.0993)^(1 / 0.45).
 * The expected level is sRGB's of that light. 2.2 is so close to sRGB that the sample stays. */
static void test_curves(void **state)
{
    static const struct {
        uint8_t curve, grey;
    } cases[] = {
        {1, 140}, {6, 140}, {14, 140}, {15, 140}, {4, GREY}, {5, 107}, {8, 188}, {13, GREY},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const int grey = decode_grey((const uint8_t[]){1, cases[i].curve, 0, 1});
        if (abs(grey - cases[i].grey) > 1)
            fail_msg("curve %d: %d instead of %d", cases[i].curve, grey, cases[i].grey);
    }
}

/* Without a curve that is known, with a matrix or in a narrow range, the chunk does not count. */
static void test_others(void **state)
{
    static const uint8_t codings[][4] = {{1, 16, 0, 1}, {1, 18, 0, 1}, {1, 8, 1, 1}, {1, 8, 0, 0}, {2, 8, 0, 1}};
    (void)state;
    for (size_t i = 0; i < sizeof codings / sizeof codings[0]; i++)
        assert_int_equal(decode_grey(codings[i]), GREY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_curves), cmocka_unit_test(test_others)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
