/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Bytes of a font file, as its tables have them: numbers are big-endian, and offsets may lead anywhere. */
#ifndef PIETRA_FONT_BYTES_H
#define PIETRA_FONT_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct font_bytes {
    const uint8_t *at;
    size_t count;
} font_bytes;

#define FONT_TAG(a, b, c, d) ((uint32_t)(a) << 24 | (uint32_t)(b) << 16 | (uint32_t)(c) << 8 | (uint32_t)(d))

static inline bool font_has(font_bytes bytes, size_t offset, size_t count)
{
    return offset <= bytes.count && count <= bytes.count - offset;
}

/* Read a number. One that is not whole within the bytes is 0. */
static inline uint8_t font_u8(font_bytes bytes, size_t offset)
{
    return font_has(bytes, offset, 1) ? bytes.at[offset] : 0;
}

static inline uint16_t font_u16(font_bytes bytes, size_t offset)
{
    if (!font_has(bytes, offset, 2))
        return 0;
    return (uint16_t)(bytes.at[offset] << 8 | bytes.at[offset + 1]);
}

static inline int16_t font_i16(font_bytes bytes, size_t offset)
{
    const int32_t value = font_u16(bytes, offset);
    return (int16_t)(value < 0x8000 ? value : value - 0x10000);
}

static inline uint32_t font_u24(font_bytes bytes, size_t offset)
{
    return (uint32_t)font_u8(bytes, offset) << 16 | font_u16(bytes, offset + 1);
}

static inline uint32_t font_u32(font_bytes bytes, size_t offset)
{
    if (!font_has(bytes, offset, 4))
        return 0;
    const uint8_t *at = bytes.at + offset;
    return FONT_TAG(at[0], at[1], at[2], at[3]);
}

/* Reads a number with 16 bits behind the point. */
static inline double font_fixed(font_bytes bytes, size_t offset)
{
    const int64_t value = font_u32(bytes, offset);
    return (double)(value < 0x80000000 ? value : value - 0x100000000) / 65536;
}

/* Returns the bytes from an offset on; none if the offset lies outside. */
static inline font_bytes font_after(font_bytes bytes, size_t offset)
{
    return offset < bytes.count ? (font_bytes){bytes.at + offset, bytes.count - offset} : (font_bytes){bytes.at, 0};
}

/* Returns `count` bytes from an offset on; none unless all lie within. */
static inline font_bytes font_slice(font_bytes bytes, size_t offset, size_t count)
{
    return count > 0 && font_has(bytes, offset, count) ? (font_bytes){bytes.at + offset, count}
                                                       : (font_bytes){bytes.at, 0};
}

static inline void font_put_u16(uint8_t *at, uint32_t value)
{
    at[0] = (uint8_t)(value >> 8);
    at[1] = (uint8_t)value;
}

static inline void font_put_u32(uint8_t *at, uint32_t value)
{
    font_put_u16(at, value >> 16);
    font_put_u16(at + 2, value);
}

#endif
