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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_png_chunks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
