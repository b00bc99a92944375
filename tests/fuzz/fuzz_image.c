/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Any bytes, as an image of the format that FUZZ_IMAGE names (IMAGE_PNG and so on). It decodes to pixels or is refused.
 * A mutant keeps the first bytes, by which its format is known. */
#include <stdlib.h>
#include <string.h>

#include "image/image.h"
#include "image/profile.h"

#define PIXEL_LIMIT ((uint64_t)1 << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

static uint32_t read_number(const uint8_t *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static uint32_t checksum(const uint8_t *bytes, size_t count)
{
    uint32_t sum = UINT32_MAX;
    for (size_t i = 0; i < count; i++) {
        sum ^= bytes[i];
        for (int bit = 0; bit < 8; bit++)
            sum = sum >> 1 ^ (sum & 1 ? 0xedb88320u : 0);
    }
    return ~sum;
}

/* Gives the bytes the beginning of the format, by which it is known. Returns whether there is room for it. */
static bool repair_signature(uint8_t *data, size_t size)
{
    static const char *const signatures[] = {
        [IMAGE_PNG] = "\x89PNG\r\n\x1a\n",
        [IMAGE_JPEG] = "\xff\xd8\xff",
        [IMAGE_GIF] = "GIF89a",
        [IMAGE_WEBP] = "RIFF????WEBP",
    };
    const char *signature = signatures[FUZZ_IMAGE];
    if (size < strlen(signature))
        return false;
    for (size_t i = 0; signature[i] != 0; i++)
        if (signature[i] != '?')
            data[i] = (uint8_t)signature[i];
    return true;
}

/* Corrects the checksums of a PNG file's chunks, without which they are not read. */
static void repair_png(uint8_t *data, size_t size)
{
    for (size_t at = 8; at + 12 <= size;) {
        size_t length = read_number(data + at);
        if (length > size - at - 12)
            return;
        uint32_t sum = checksum(data + at + 4, length + 4);
        for (int i = 0; i < 4; i++)
            data[at + 8 + length + (size_t)i] = (uint8_t)(sum >> (24 - 8 * i));
        at += length + 12;
    }
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    (void)seed;
    size = LLVMFuzzerMutate(data, size, max_size);
    if (image_sniff(data, size) != FUZZ_IMAGE && !repair_signature(data, size))
        return size;
    if (FUZZ_IMAGE == IMAGE_PNG)
        repair_png(data, size);
    return size;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    image_pixels pixels;
    const char *wrong = image_decode(data, size, PIXEL_LIMIT, &pixels);
    if (!wrong) {
        if (pixels.width == 0 || pixels.height == 0 || (uint64_t)pixels.width * pixels.height > PIXEL_LIMIT)
            abort();
        /* All pixels are there. */
        uint8_t last = pixels.rgba[(size_t)pixels.width * pixels.height * 4 - 1];
        (void)last;
        free(pixels.rgba);
    } else if (wrong[0] == 0) {
        abort();
    }
    image_find_orientation(data, size);
    return 0;
}
