/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* A JPEG states its colour profile in numbered parts, which may lie in any order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "image/image.h"

#define HEADER_BYTES 128u
#define TAGS 6u
#define TAGS_END (HEADER_BYTES + 4u + TAGS * 12u)
#define COLOR_BYTES 20u
#define CURVE_BYTES 16u
#define PROFILE_BYTES (TAGS_END + 3u * COLOR_BYTES + CURVE_BYTES)
#define FILE_MOST 4096u

static void put_word(uint8_t *at, uint32_t word)
{
    for (int i = 0; i < 4; i++)
        at[i] = (uint8_t)(word >> (24 - 8 * i));
}

static void put_tag(uint8_t *profile, uint32_t index, const char *name, uint32_t at, uint32_t bytes)
{
    uint8_t *tag = profile + HEADER_BYTES + 4 + index * 12;
    memcpy(tag, name, 4);
    put_word(tag + 4, at);
    put_word(tag + 8, bytes);
}

/* The primaries of sRGB, each in the next one's place: a conversion that is left out shows. */
static void make_profile(uint8_t profile[PROFILE_BYTES])
{
    static const uint32_t colors[3][3] = {{0x62a0, 0xb785, 0x18da}, {0x24a0, 0x0f84, 0xb6cf}, {0x6fa2, 0x38f5, 0x0390}};
    static const char *const names[3][2] = {{"rXYZ", "rTRC"}, {"gXYZ", "gTRC"}, {"bXYZ", "bTRC"}};
    const uint32_t curve = TAGS_END + 3 * COLOR_BYTES;

    memset(profile, 0, PROFILE_BYTES);
    put_word(profile, PROFILE_BYTES);
    put_word(profile + 8, 0x02400000);
    memcpy(profile + 12, "mntrRGB XYZ ", 12);
    memcpy(profile + 36, "acsp", 4);
    put_word(profile + 68, 0xf6d6);
    put_word(profile + 72, 0x10000);
    put_word(profile + 76, 0xd32d);
    put_word(profile + HEADER_BYTES, TAGS);
    for (uint32_t i = 0; i < 3; i++) {
        const uint32_t at = TAGS_END + i * COLOR_BYTES;
        put_tag(profile, 2 * i, names[i][0], at, COLOR_BYTES);
        put_tag(profile, 2 * i + 1, names[i][1], curve, CURVE_BYTES);
        memcpy(profile + at, "XYZ ", 4);
        for (uint32_t k = 0; k < 3; k++)
            put_word(profile + at + 8 + 4 * k, colors[i][k]);
    }
    memcpy(profile + curve, "curv", 4);
    put_word(profile + curve + 8, 1);
    put_word(profile + curve + 12, 0x02330000); /* one exponent: 2.2 */
}

typedef struct jpeg_file {
    uint8_t bytes[FILE_MOST];
    size_t count;
} jpeg_file;

static jpeg_file read_plain(void)
{
    jpeg_file file;
    FILE *stream = fopen(PIETRA_SOURCE_DIR "/tests/fuzz/corpus/jpeg/rgb.jpg", "rb");
    assert_non_null(stream);
    file.count = fread(file.bytes, 1, sizeof file.bytes, stream);
    assert_true(feof(stream));
    fclose(stream);
    return file;
}

/* Puts a part of the profile before all that follows the first marker. */
static void add_part(jpeg_file *file, const uint8_t *part, size_t bytes, uint8_t number, uint8_t total)
{
    uint8_t marker[18] = {0xff, 0xe2, (uint8_t)((bytes + 16) >> 8), (uint8_t)(bytes + 16)};
    memcpy(marker + 4, "ICC_PROFILE", 12);
    marker[16] = number;
    marker[17] = total;
    assert_true(file->count + sizeof marker + bytes <= sizeof file->bytes);
    memmove(file->bytes + 2 + sizeof marker + bytes, file->bytes + 2, file->count - 2);
    memcpy(file->bytes + 2, marker, sizeof marker);
    memcpy(file->bytes + 2 + sizeof marker, part, bytes);
    file->count += sizeof marker + bytes;
}

static image_pixels decode(const jpeg_file *file)
{
    image_pixels pixels;
    assert_null(image_decode(file->bytes, file->count, 1u << 24, &pixels));
    return pixels;
}

static void test_parts(void **state)
{
    static const uint32_t ends[] = {0, 30, 31, PROFILE_BYTES};
    uint8_t profile[PROFILE_BYTES];
    jpeg_file plain = read_plain(), whole = plain, parts[2] = {plain, plain};
    (void)state;
    make_profile(profile);
    add_part(&whole, profile, sizeof profile, 1, 1);
    for (uint8_t i = 0; i < 3; i++) {
        const uint8_t k = 2 - i;
        add_part(&parts[0], profile + ends[i], ends[i + 1] - ends[i], i + 1, 3);
        add_part(&parts[1], profile + ends[k], ends[k + 1] - ends[k], k + 1, 3);
    }
    image_pixels without = decode(&plain), expected = decode(&whole);
    const size_t bytes = (size_t)4 * expected.width * expected.height;
    assert_memory_not_equal(without.rgba, expected.rgba, bytes);
    for (size_t i = 0; i < 2; i++) {
        image_pixels found = decode(&parts[i]);
        assert_memory_equal(found.rgba, expected.rgba, bytes);
        free(found.rgba);
    }
    free(without.rgba);
    free(expected.rgba);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_parts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
