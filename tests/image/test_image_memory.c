/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What a decoder allocates follows from the limits, not from the lengths that a file states. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "image/image.h"
#include "image/png_chunk.h"
#include "memory/allocations.h"

#define LARGEST ((size_t)64 << 20)

static void test_png_chunks(void **state)
{
    static const char *const names[] = {"eXIf", "iCCP", "cICP", "zTXt", "iTXt", "PLTE",
                                        "tRNS", "sPLT", "hIST", "IDAT", "abCd"};
    static const uint32_t lengths[] = {0x7fffffff, 0x6e000000, (64u << 20) + 1};
    static const uint8_t header[] = {0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0, 0, 0};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        for (size_t k = 0; k < sizeof lengths / sizeof lengths[0]; k++) {
            uint8_t file[200] = {PNG_SIGNATURE};
            image_pixels pixels;
            size_t count = PNG_SIGNATURE_BYTES;
            count += put_chunk(file + count, "IHDR", sizeof header, header, sizeof header);
            count += put_chunk(file + count, names[i], lengths[k], header, sizeof header);
            atomic_store(&allocation_largest, 0);
            assert_non_null(image_decode(file, count, 1000, &pixels));
            if (atomic_load(&allocation_largest) > LARGEST)
                fail_msg("%s of %u bytes: asked for %zu", names[i], lengths[k], atomic_load(&allocation_largest));
        }
}

static const char *allocate(uint32_t width, uint32_t height, uint64_t pixel_limit)
{
    image_pixels pixels = {.rgba = NULL};
    const char *wrong = image_allocate(width, height, pixel_limit, &pixels);
    assert_true(!wrong == !!pixels.rgba);
    free(pixels.rgba);
    return wrong;
}

/* The limit is of pixels, not of sides. */
static void test_pixel_limit(void **state)
{
    (void)state;
    assert_null(allocate(3, 5, 15));
    assert_ptr_equal(allocate(3, 5, 14), image_too_large);
    assert_ptr_equal(allocate(0, 5, 14), image_broken);
    assert_ptr_equal(allocate(3, 0, 14), image_broken);
    assert_null(allocate(IMAGE_MOST_SIDE, 1, UINT64_MAX));
    assert_ptr_equal(allocate(IMAGE_MOST_SIDE + 1, 1, UINT64_MAX), image_too_large);
    assert_ptr_equal(allocate(1, IMAGE_MOST_SIDE + 1, UINT64_MAX), image_too_large);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pixel_limit), cmocka_unit_test(test_png_chunks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
