/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* WOFF 1.0 (W3C, 2012): the tables of a font, each compressed by zlib where that saves space. */
#include "font/unpack.h"

#include <stdlib.h>
#include <string.h>

#include "base/packing.h"

#define HEADER_BYTES 44u
#define ENTRY_BYTES 20u
#define SFNT_HEADER_BYTES 12u
#define SFNT_RECORD_BYTES 16u

static const char broken[] = "its WOFF is broken";

typedef struct woff_entry {
    uint32_t tag, offset, packed_bytes, byte_count, checksum;
} woff_entry;

static woff_entry read_entry(font_bytes file, size_t index)
{
    const size_t at = HEADER_BYTES + index * ENTRY_BYTES;
    return (woff_entry){font_u32(file, at), font_u32(file, at + 4), font_u32(file, at + 8), font_u32(file, at + 12),
                        font_u32(file, at + 16)};
}

/* Returns the bytes that a table takes. Every table starts at a multiple of four bytes. */
static size_t padded(size_t byte_count)
{
    return (byte_count + 3) & ~(size_t)3;
}

static const char *measure(font_bytes file, size_t table_count, size_t *total)
{
    *total = SFNT_HEADER_BYTES + table_count * SFNT_RECORD_BYTES;
    for (size_t i = 0; i < table_count; i++) {
        const woff_entry entry = read_entry(file, i);
        if (!font_has(file, entry.offset, entry.packed_bytes) || entry.packed_bytes > entry.byte_count)
            return broken;
        if (entry.byte_count > FONT_MOST_UNPACKED_BYTES || *total > FONT_MOST_UNPACKED_BYTES - padded(entry.byte_count))
            return font_too_large;
        *total += padded(entry.byte_count);
    }
    return NULL;
}

/* Writes the header. The fields after the count help to search and are not read by anybody here; they are as OpenType
 * defines them. */
static void put_header(uint32_t flavor, uint32_t table_count, uint8_t *to)
{
    uint32_t power = 1, log = 0;
    for (; power * 2 <= table_count; power *= 2)
        log++;
    font_put_u32(to, flavor);
    font_put_u16(to + 4, table_count);
    font_put_u16(to + 6, power * 16);
    font_put_u16(to + 8, log);
    font_put_u16(to + 10, table_count * 16 - power * 16);
}

/* libdeflate, and a decompressor of it. */
typedef struct unpacker {
    const packing_functions *packing;
    struct libdeflate_decompressor *decompressor;
} unpacker;

static bool unpack_table(const unpacker *unpacker, font_bytes packed, uint8_t *to, size_t count)
{
    if (packed.count == count) {
        if (count)
            memcpy(to, packed.at, count);
        return true;
    }
    return unpacker->packing->libdeflate_zlib_decompress(unpacker->decompressor, packed.at, packed.count, to, count,
                                                         NULL) == LIBDEFLATE_SUCCESS;
}

static const char *unpack_tables(font_bytes file, size_t table_count, const unpacker *unpacker, uint8_t *to)
{
    size_t offset = SFNT_HEADER_BYTES + table_count * SFNT_RECORD_BYTES;
    for (size_t i = 0; i < table_count; i++) {
        const woff_entry entry = read_entry(file, i);
        uint8_t *record = to + SFNT_HEADER_BYTES + i * SFNT_RECORD_BYTES;
        font_put_u32(record, entry.tag);
        font_put_u32(record + 4, entry.checksum);
        font_put_u32(record + 8, (uint32_t)offset);
        font_put_u32(record + 12, entry.byte_count);
        if (!unpack_table(unpacker, font_slice(file, entry.offset, entry.packed_bytes), to + offset, entry.byte_count))
            return broken;
        offset += padded(entry.byte_count);
    }
    return NULL;
}

const char *woff_unpack(font_bytes file, font_source **source)
{
    const size_t table_count = font_u16(file, 12);
    size_t total;
    if (!font_has(file, HEADER_BYTES, table_count * ENTRY_BYTES))
        return font_cut_off;
    const char *wrong = measure(file, table_count, &total);
    if (wrong)
        return wrong;
    unpacker unpacker;
    const library_state library = packing_open(&unpacker.packing);
    if (library != LIBRARY_OPEN)
        return library == LIBRARY_CLOSED ? font_out_of_memory : font_no_libdeflate;
    uint8_t *unpacked = calloc(total, 1);
    unpacker.decompressor = unpacker.packing->libdeflate_alloc_decompressor();
    if (unpacked && unpacker.decompressor) {
        put_header(font_u32(file, 4), (uint32_t)table_count, unpacked);
        wrong = unpack_tables(file, table_count, &unpacker, unpacked);
    } else {
        wrong = font_out_of_memory;
    }
    unpacker.packing->libdeflate_free_decompressor(unpacker.decompressor);
    if (!wrong)
        return font_source_take(unpacked, total, source);
    free(unpacked);
    return wrong;
}
