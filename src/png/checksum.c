/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "png/checksum.h"

#include <string.h>

#include "base/processor.h"

#ifdef __x86_64__
#include <immintrin.h>
#endif

#define INLINE static inline __attribute__((always_inline))

/* ---- CRC-32 ---- */

#define HALVES 16u       /* of eight bytes */
#define MANY_BYTES 1024u /* from here on, tables are soon paid for */

/* What four bits add, for the polynomial 0xedb88320. */
static const uint32_t four_bits[16] = {
    0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4, 0x4db26158, 0x5005713c,
    0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c, 0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c,
};

static uint32_t pass_four_bits(uint32_t crc)
{
    return crc >> 4 ^ four_bits[crc & 15];
}

static uint32_t add_bytes(uint32_t crc, const uint8_t *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        crc = pass_four_bits(pass_four_bits(crc ^ bytes[i]));
    return crc;
}

/* Adds eight bytes at a time: what each four bits add, when all that follow have passed, stands in a table. */
static uint32_t add_eights(uint32_t crc, const uint8_t *bytes, size_t count)
{
    uint32_t tables[HALVES][16];

    memcpy(tables[HALVES - 1], four_bits, sizeof four_bits);
    for (size_t i = HALVES - 1; i > 0; i--)
        for (size_t bits = 0; bits < 16; bits++)
            tables[i - 1][bits] = pass_four_bits(tables[i][bits]);
    for (; count >= 8; bytes += 8, count -= 8) {
        uint64_t eight;
        memcpy(&eight, bytes, sizeof eight);
        eight ^= crc;
        crc = 0;
#pragma GCC unroll 16
        for (size_t i = 0; i < HALVES; i++)
            crc ^= tables[i][eight >> 4 * i & 15];
    }
    return add_bytes(crc, bytes, count);
}

uint32_t checksum_crc32_plain(uint32_t before, const uint8_t *bytes, size_t count)
{
    return ~(count < MANY_BYTES ? add_bytes : add_eights)(~before, bytes, count);
}

#ifdef __x86_64__
#define FOLDED 64u /* bytes at a time */

/* Returns 16 bytes that, so much farther on as `powers` says, add what these add there. */
__attribute__((target("pclmul"))) INLINE __m128i fold(__m128i sum, __m128i powers)
{
    return _mm_xor_si128(_mm_clmulepi64_si128(sum, powers, 0x00), _mm_clmulepi64_si128(sum, powers, 0x11));
}

INLINE __m128i load(const uint8_t *bytes)
{
    return _mm_loadu_si128((const __m128i *)(const void *)bytes);
}

/* By products without carries (Gopal and others, Fast CRC computation, Intel 2009): x^(512+32) and x^(512-32), and the
 * same for 128, modulo the polynomial, with their bits in the order of the bytes. The last 16 bytes are then added as
 * others are. There must be FOLDED bytes. */
__attribute__((target("pclmul"))) static uint32_t add_folded(uint32_t crc, const uint8_t *bytes, size_t count)
{
    const __m128i far = _mm_set_epi64x(0x1c6e41596, 0x154442bd4), near = _mm_set_epi64x(0x0ccaa009e, 0x1751997d0);
    __m128i sums[4];
    uint8_t last[16];

    for (size_t i = 0; i < 4; i++)
        sums[i] = load(bytes + 16 * i);
    sums[0] = _mm_xor_si128(sums[0], _mm_cvtsi32_si128((int)crc));
    for (bytes += FOLDED, count -= FOLDED; count >= FOLDED; bytes += FOLDED, count -= FOLDED)
        for (size_t i = 0; i < 4; i++)
            sums[i] = _mm_xor_si128(fold(sums[i], far), load(bytes + 16 * i));
    for (size_t i = 1; i < 4; i++)
        sums[i] = _mm_xor_si128(fold(sums[i - 1], near), sums[i]);
    _mm_storeu_si128((__m128i *)(void *)last, sums[3]);
    return add_bytes(add_bytes(0, last, sizeof last), bytes, count);
}
#endif

uint32_t checksum_crc32(uint32_t before, const uint8_t *bytes, size_t count)
{
#ifdef __x86_64__
    if (count >= FOLDED && PROCESSOR_HAS(PCLMULQDQ, "pclmul"))
        return ~add_folded(~before, bytes, count);
#endif
    return checksum_crc32_plain(before, bytes, count);
}

/* ---- Adler-32 ---- */

#define ADLER_MODULUS 65521u
#define ROW_BYTES 32u
#define GROUP_ROWS 20u                       /* at most 21, for sums of 16 bits */
#define GROUP_BYTES (ROW_BYTES * GROUP_ROWS) /* at most 5552, for sums of 32 bits */
#define MOST_GROUPS 8u                       /* for the same */

/* The sum of all bytes, and the sum of these sums after each byte. */
typedef struct adler {
    uint32_t sum, sums;
} adler;

INLINE void reduce(adler *adler)
{
    adler->sum %= ADLER_MODULUS;
    adler->sums %= ADLER_MODULUS;
}

/* Adds fewer bytes than GROUP_BYTES. */
INLINE void add_few(adler *adler, const uint8_t *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        adler->sum += bytes[i];
        adler->sums += adler->sum;
    }
    reduce(adler);
}

typedef uint16_t short_lanes __attribute__((vector_size(ROW_BYTES)));
typedef uint32_t lanes __attribute__((vector_size(ROW_BYTES)));
#define LANES (ROW_BYTES / sizeof(uint32_t))

/* Sums rows of bytes by columns. columns[i] is that of the bytes 4 lane + i of each row. */
typedef struct sums_of_columns {
    lanes columns[4];
    lanes sums;   /* of columns after each row of a group, over all columns */
    lanes before; /* sums over all columns before each group */
} sums_of_columns;

/* Pairs of bytes are summed as numbers of 16 bits. What overflows there is known from the sums of their upper bytes. */
INLINE void add_group(sums_of_columns *sums, const uint8_t *bytes)
{
    short_lanes both = {0}, odd = {0}, both_sums = {0}, odd_sums = {0};

#pragma GCC unroll 4
    for (size_t row = 0; row < GROUP_ROWS; row++) {
        short_lanes pairs;
        memcpy(&pairs, bytes + row * ROW_BYTES, sizeof pairs);
        both += pairs;
        odd += pairs >> 8;
        both_sums += both;
        odd_sums += odd;
    }
    const short_lanes even = both - (odd << 8), even_sums = both_sums - (odd_sums << 8);
    sums->before += sums->columns[0] + sums->columns[1] + sums->columns[2] + sums->columns[3];
    sums->columns[0] += (lanes)even & 0xffff;
    sums->columns[1] += (lanes)odd & 0xffff;
    sums->columns[2] += (lanes)even >> 16;
    sums->columns[3] += (lanes)odd >> 16;
    sums->sums += ((lanes)even_sums & 0xffff) + ((lanes)even_sums >> 16);
    sums->sums += ((lanes)odd_sums & 0xffff) + ((lanes)odd_sums >> 16);
}

/* A byte is in as many sums as bytes follow it in the groups, and one more. */
INLINE void add_groups(adler *adler, const uint8_t *bytes, size_t group_count)
{
    const lanes first_columns = {0, 4, 8, 12, 16, 20, 24, 28};
    sums_of_columns sums = {0};

    for (size_t i = 0; i < group_count; i++)
        add_group(&sums, bytes + i * GROUP_BYTES);
    adler->sums += adler->sum * (uint32_t)(group_count * GROUP_BYTES);
    const lanes all = sums.columns[0] + sums.columns[1] + sums.columns[2] + sums.columns[3];
    const lanes all_sums = sums.sums * ROW_BYTES + sums.before * GROUP_BYTES - all * first_columns - sums.columns[1] -
                           sums.columns[2] * 2 - sums.columns[3] * 3;
    for (size_t i = 0; i < LANES; i++) {
        adler->sum += all[i];
        adler->sums += all_sums[i];
    }
    reduce(adler);
}

INLINE uint32_t sum_adler(const uint8_t *bytes, size_t count)
{
    adler adler = {.sum = 1};

    while (count >= GROUP_BYTES) {
        size_t group_count = count / GROUP_BYTES < MOST_GROUPS ? count / GROUP_BYTES : MOST_GROUPS;
        add_groups(&adler, bytes, group_count);
        bytes += group_count * GROUP_BYTES;
        count -= group_count * GROUP_BYTES;
    }
    add_few(&adler, bytes, count);
    return adler.sums << 16 | adler.sum;
}

uint32_t checksum_adler32_plain(const uint8_t *bytes, size_t count)
{
    return sum_adler(bytes, count);
}

#ifdef __x86_64__
__attribute__((target("avx2"))) static uint32_t sum_adler_avx2(const uint8_t *bytes, size_t count)
{
    return sum_adler(bytes, count);
}
#endif

uint32_t checksum_adler32(const uint8_t *bytes, size_t count)
{
#ifdef __x86_64__
    if (PROCESSOR_HAS(AVX2, "avx2"))
        return sum_adler_avx2(bytes, count);
#endif
    return checksum_adler32_plain(bytes, count);
}
