/* What a decoder allocates follows from the limits, not from the lengths that a file states. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include <libdeflate.h>

#include "image/image.h"
#include "memory/allocations.h"

#define LARGEST ((size_t)64 << 20)

static void put_word(uint8_t *at, uint32_t word)
{
    for (int i = 0; i < 4; i++)
        at[i] = (uint8_t)(word >> (24 - 8 * i));
}

/* Puts a chunk that states one length and has `there` bytes. */
static size_t put_chunk(uint8_t *at, const char *name, uint32_t told, const uint8_t *bytes, size_t there)
{
    put_word(at, told);
    memcpy(at + 4, name, 4);
    if (there)
        memcpy(at + 8, bytes, there);
    put_word(at + 8 + there, libdeflate_crc32(0, at + 4, 4 + there));
    return 12 + there;
}

static void test_png_chunks(void **state)
{
    static const char *const names[] = {"eXIf", "iCCP", "cICP", "zTXt", "iTXt", "PLTE",
                                        "tRNS", "sPLT", "hIST", "IDAT", "abCd"};
    static const uint32_t lengths[] = {0x7fffffff, 0x6e000000, (64u << 20) + 1};
    static const uint8_t header[] = {0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0, 0, 0};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        for (size_t k = 0; k < sizeof lengths / sizeof lengths[0]; k++) {
            uint8_t file[200] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
            image_pixels pixels;
            size_t count = 8 + put_chunk(file + 8, "IHDR", sizeof header, header, sizeof header);
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
