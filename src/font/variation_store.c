/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "font/variation_store.h"

#define REGION_AXIS_BYTES 6u
#define MOST_REGIONS 4096u /* an item's most, which bounds its time */

typedef struct store_index {
    uint32_t outer, inner;
} store_index;

/* Reads a big-endian number of one to four bytes. */
static uint32_t read_number(font_bytes bytes, size_t offset, size_t count)
{
    uint32_t value = 0;
    for (size_t i = 0; i < count; i++)
        value = value << 8 | font_u8(bytes, offset + i);
    return value;
}

/* Maps an index. Without a map, an index is that of the store itself. An index beyond the map counts as its last one.
 * */
static store_index map_index(const variation_store *store, uint32_t index)
{
    const font_bytes map = store->map;
    if (map.count == 0)
        return (store_index){index >> 16, index & 0xffff};
    const bool long_map = font_u8(map, 0) != 0;
    const unsigned format = font_u8(map, 1), bits = (format & 15) + 1;
    const size_t bytes = (format >> 4 & 3) + 1, begin = long_map ? 6 : 4;
    const uint32_t count = long_map ? font_u32(map, 2) : font_u16(map, 2);
    if (count == 0)
        return (store_index){0xffff, 0xffff};
    const uint32_t entry = read_number(map, begin + bytes * (size_t)(index < count ? index : count - 1), bytes);
    return (store_index){entry >> bits, entry & ((1u << bits) - 1)};
}

/* Returns how much of a delta applies on one axis: 1 at the peak, less towards the ends. */
static double axis_scalar(font_bytes region, size_t at, int coordinate)
{
    const int start = font_i16(region, at), peak = font_i16(region, at + 2), end = font_i16(region, at + 4);
    if (peak == 0 || start > peak || peak > end || (start < 0 && end > 0))
        return 1;
    if (coordinate == peak)
        return 1;
    if (coordinate <= start || coordinate >= end)
        return 0;
    return coordinate < peak ? (double)(coordinate - start) / (peak - start)
                             : (double)(end - coordinate) / (end - peak);
}

static double region_scalar(const variation_store *store, uint32_t region)
{
    const font_bytes list = font_after(store->store, font_u32(store->store, 2));
    const unsigned axes = font_u16(list, 0);
    double scalar = 1;
    if (region >= font_u16(list, 2))
        return 0;
    for (unsigned i = 0; i < axes && scalar != 0; i++) {
        const size_t at = 4 + REGION_AXIS_BYTES * ((size_t)region * axes + i);
        if (!font_has(list, at, REGION_AXIS_BYTES))
            return 0;
        scalar *= axis_scalar(list, at, i < store->axis_count ? store->coordinates[i] : 0);
    }
    return scalar;
}

static double read_signed(font_bytes bytes, size_t offset, size_t count)
{
    const uint32_t value = read_number(bytes, offset, count), sign = 1u << (8 * count - 1);
    return value & sign ? (double)value - 2.0 * sign : (double)value;
}

/* Adds up the deltas of an item for all regions of its subtable. The first ones are twice as long as the others. */
static double add_deltas(const variation_store *store, font_bytes data, uint32_t item)
{
    const unsigned items = font_u16(data, 0), words = font_u16(data, 2), regions = font_u16(data, 4);
    const size_t long_bytes = words & 0x8000 ? 4 : 2, short_bytes = long_bytes / 2;
    const unsigned long_count = words & 0x7fff;
    double sum = 0;
    if (item >= items || long_count > regions || regions > MOST_REGIONS)
        return 0;
    const size_t row = long_count * long_bytes + (regions - long_count) * short_bytes;
    size_t at = 6 + 2 * (size_t)regions + row * item;
    for (unsigned i = 0; i < regions; i++) {
        const size_t bytes = i < long_count ? long_bytes : short_bytes;
        if (!font_has(data, at, bytes))
            return 0;
        const double delta = read_signed(data, at, bytes);
        if (delta != 0)
            sum += delta * region_scalar(store, font_u16(data, 6 + 2 * (size_t)i));
        at += bytes;
    }
    return sum;
}

double variation_delta(const variation_store *store, uint32_t index)
{
    if (index == FONT_NO_VARIATION || store->store.count == 0 || store->axis_count == 0)
        return 0;
    const store_index found = map_index(store, index);
    if (found.outer >= font_u16(store->store, 6))
        return 0;
    const font_bytes data = font_after(store->store, font_u32(store->store, 8 + 4 * (size_t)found.outer));
    return add_deltas(store, data, found.inner);
}
