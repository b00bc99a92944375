/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "png/checksum.h"

#include <libdeflate.h>

/* For fewer bytes libdeflate is not called: when it is first, it asks what the processor has, and in a virtual machine
 * each answer takes as long as a thousand bytes do here. */
#define MANY_BYTES 4096u /* at most 5552, as Adler's sums would overflow */
#define ADLER_MODULUS 65521u

uint32_t checksum_crc32(uint32_t before, const uint8_t *bytes, size_t count)
{
    /* What four bits add, for the polynomial 0xedb88320. */
    static const uint32_t halves[16] = {
        0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
        0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c, 0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c,
    };
    uint32_t crc = ~before;

    if (count >= MANY_BYTES)
        return libdeflate_crc32(before, bytes, count);
    for (size_t i = 0; i < count; i++) {
        crc ^= bytes[i];
        crc = crc >> 4 ^ halves[crc & 15];
        crc = crc >> 4 ^ halves[crc & 15];
    }
    return ~crc;
}

uint32_t checksum_adler32(const uint8_t *bytes, size_t count)
{
    uint32_t sum = 1, sums = 0;

    if (count >= MANY_BYTES)
        return libdeflate_adler32(1, bytes, count);
    for (size_t i = 0; i < count; i++) {
        sum += bytes[i];
        sums += sum;
    }
    return sums % ADLER_MODULUS << 16 | sum % ADLER_MODULUS;
}
