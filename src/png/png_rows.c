/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "png/png_rows.h"

#include <stdlib.h>
#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "alpha is taken from the high byte of a pixel's word");

#define GROUP 8u   /* pixels tested together */
#define PART 2048u /* pixels that stay in the nearest cache between two passes */

static inline uint32_t load_pixel(const uint8_t *at)
{
    uint32_t pixel;

    memcpy(&pixel, at, sizeof pixel);
    return pixel;
}

/* ---- Colours ---- */

void png_census_begin(png_census *census)
{
    memset(census, 0, offsetof(png_census, keys));
    census->opaque = true;
    census->grey = true;
}

static inline uint32_t first_slot(uint32_t colour)
{
    return (colour * 0x9e3779b1u) >> 21; /* PALETTE_SLOTS is 2^11 */
}

static void add_colour(png_census *census, uint32_t colour)
{
    uint32_t slot = first_slot(colour);

    for (; census->places[slot]; slot = (slot + 1) % PALETTE_SLOTS)
        if (census->keys[slot] == colour)
            return;
    if (census->count < PALETTE_MOST) {
        census->colours[census->count] = colour;
        census->keys[slot] = colour;
        census->places[slot] = (uint16_t)(census->count + 1);
    }
    census->count++;
}

uint32_t png_census_intern(png_census *census, uint32_t colour)
{
    add_colour(census, colour);
    return census->count > PALETTE_MOST ? PALETTE_MOST : png_census_find(census, colour);
}

uint32_t png_census_find(const png_census *census, uint32_t colour)
{
    uint32_t slot = first_slot(colour);

    while (!census->places[slot] || census->keys[slot] != colour)
        slot = (slot + 1) % PALETTE_SLOTS;
    return census->places[slot] - 1u;
}

/* Returns whether GROUP pixels all have one colour. There are no branches, so that the compiler vectorizes it. */
static inline bool is_flat(const uint8_t *pixels, uint32_t colour)
{
    uint32_t difference = 0;

    for (size_t i = 0; i < GROUP; i++)
        difference |= load_pixel(pixels + 4 * i) ^ colour;
    return difference == 0;
}

static void add_colours(png_census *census, const uint8_t *pixels, size_t count)
{
    uint32_t last = load_pixel(pixels);

    add_colour(census, last);
    for (size_t i = 0; i < count && census->count <= PALETTE_MOST;) {
        if (count - i >= GROUP && is_flat(pixels + 4 * i, last)) {
            i += GROUP;
            continue;
        }
        for (size_t end = count - i < GROUP ? count : i + GROUP; i < end; i++) {
            last = load_pixel(pixels + 4 * i);
            add_colour(census, last);
        }
    }
}

typedef struct kinds {
    bool opaque, grey;
} kinds;

static kinds find_kinds(const uint8_t *pixels, size_t count)
{
    uint32_t all = UINT32_MAX, difference = 0;

    for (size_t i = 0; i < count; i++) {
        uint32_t colour = load_pixel(pixels + 4 * i);
        all &= colour;
        difference |= colour ^ colour >> 8;
    }
    return (kinds){.opaque = all >> 24 == 255, .grey = (difference & 0xffff) == 0};
}

static void add_part(png_census *census, const uint8_t *pixels, size_t count)
{
    kinds kinds = find_kinds(pixels, count);

    census->opaque = census->opaque && kinds.opaque;
    census->grey = census->grey && kinds.grey;
    if (census->count > PALETTE_MOST)
        return;
    if (kinds.opaque && kinds.grey)
        for (size_t i = 0; i < count; i++)
            census->greys[pixels[4 * i]] = 1;
    else
        add_colours(census, pixels, count);
}

void png_census_add(png_census *census, const uint8_t *pixels, size_t count)
{
    for (size_t at = 0; at < count; at += PART) {
        if (census->count > PALETTE_MOST && !census->opaque && !census->grey)
            return; /* nothing more can be learned */
        add_part(census, pixels + 4 * at, count - at < PART ? count - at : PART);
    }
}

void png_census_join(png_census *census, const png_census *other)
{
    census->opaque = census->opaque && other->opaque;
    census->grey = census->grey && other->grey;
    for (size_t i = 0; i < 256; i++)
        census->greys[i] |= other->greys[i];
    for (size_t i = 0; i < other->count && i < PALETTE_MOST && census->count <= PALETTE_MOST; i++)
        add_colour(census, other->colours[i]);
    census->count = other->count > PALETTE_MOST ? PALETTE_MOST + 1 : census->count;
}

static int compare_colours(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

static void sort_palette(png_census *census)
{
    uint32_t colours[PALETTE_MOST];
    size_t count = census->count;

    memcpy(colours, census->colours, count * sizeof *colours);
    qsort(colours, count, sizeof *colours, compare_colours);
    memset(census->places, 0, sizeof census->places);
    census->count = 0;
    for (size_t i = 0; i < count; i++)
        add_colour(census, colours[i]);
}

png_colour png_census_end(png_census *census)
{
    if (census->opaque && census->grey)
        return PNG_GREY;
    for (uint32_t i = 0; i < 256 && census->count <= PALETTE_MOST; i++)
        if (census->greys[i])
            add_colour(census, i * 0x010101u | 0xff000000u);
    if (census->count <= PALETTE_MOST) {
        sort_palette(census);
        return PNG_PALETTE;
    }
    return census->opaque ? PNG_RGB : census->grey ? PNG_GREY_ALPHA : PNG_RGBA;
}

/* ---- Formats ---- */

size_t png_pixel_bytes(png_colour colour)
{
    switch (colour) {
    case PNG_RGB:
        return 3;
    case PNG_GREY_ALPHA:
        return 2;
    case PNG_RGBA:
        return 4;
    default:
        return 1;
    }
}

static void convert_to_palette(const png_census *census, const uint8_t *pixels, size_t count, uint8_t *out)
{
    uint32_t last = load_pixel(pixels);
    uint8_t place = (uint8_t)png_census_find(census, last);

    for (size_t i = 0; i < count;) {
        if (count - i >= GROUP && is_flat(pixels + 4 * i, last)) {
            memset(out + i, place, GROUP);
            i += GROUP;
            continue;
        }
        for (size_t end = count - i < GROUP ? count : i + GROUP; i < end; i++) {
            last = load_pixel(pixels + 4 * i);
            place = (uint8_t)png_census_find(census, last);
            out[i] = place;
        }
    }
}

void png_convert_row(const png_census *census, png_colour colour, const uint8_t *pixels, size_t count, uint8_t *out)
{
    switch (colour) {
    case PNG_GREY:
        for (size_t i = 0; i < count; i++)
            out[i] = pixels[4 * i];
        break;
    case PNG_RGB:
        /* The next pixel overwrites the fourth byte. */
        for (size_t i = 0; i < count; i++)
            memcpy(out + 3 * i, pixels + 4 * i, 4);
        break;
    case PNG_PALETTE:
        convert_to_palette(census, pixels, count, out);
        break;
    case PNG_GREY_ALPHA:
        for (size_t i = 0; i < count; i++) {
            out[2 * i] = pixels[4 * i];
            out[2 * i + 1] = pixels[4 * i + 3];
        }
        break;
    case PNG_RGBA:
        memcpy(out, pixels, 4 * count);
        break;
    }
}

/* ---- Filters ---- */

/* Computes in 16 bits, so that a vector holds many. */
static uint8_t paeth(uint8_t left, uint8_t up, uint8_t corner)
{
    int16_t to_left = (int16_t)(up - corner), to_up = (int16_t)(left - corner), to_corner = (int16_t)(to_left + to_up);

    to_left = (int16_t)(to_left < 0 ? -to_left : to_left);
    to_up = (int16_t)(to_up < 0 ? -to_up : to_up);
    to_corner = (int16_t)(to_corner < 0 ? -to_corner : to_corner);
    uint8_t other = to_up <= to_corner ? up : corner;
    return to_left <= to_up && to_left <= to_corner ? left : other;
}

static void apply_filter(int filter, const uint8_t *row, const uint8_t *above, size_t length, size_t pixel_bytes,
                         uint8_t *restrict out)
{
    /* The first pixel has no neighbour on its left. */
    for (size_t i = 0; i < pixel_bytes; i++)
        out[i] = (uint8_t)(filter == PNG_FILTER_SUB ? row[i] : row[i] - above[i]);
    const uint8_t *left = row - pixel_bytes, *corner = above - pixel_bytes;
    if (filter == PNG_FILTER_SUB)
        for (size_t i = pixel_bytes; i < length; i++)
            out[i] = (uint8_t)(row[i] - left[i]);
    else if (filter == PNG_FILTER_UP)
        for (size_t i = pixel_bytes; i < length; i++)
            out[i] = (uint8_t)(row[i] - above[i]);
    else
        for (size_t i = pixel_bytes; i < length; i++)
            out[i] = (uint8_t)(row[i] - paeth(left[i], above[i], corner[i]));
}

/* Returns a row's cost by the usual heuristic: signed bytes near 0 compress best. */
static uint32_t row_cost(const uint8_t *bytes, size_t length)
{
    uint32_t cost = 0; /* at most 128 * 4 * PIETRA_MAX_SIDE */

    for (size_t i = 0; i < length; i++) {
        uint8_t negative = (uint8_t)(0 - bytes[i]);
        cost += bytes[i] < negative ? bytes[i] : negative;
    }
    return cost;
}

static void filter_best(const uint8_t *row, const uint8_t *above, size_t length, size_t pixel_bytes, uint8_t *scratch,
                        uint8_t *out)
{
    static const int filters[] = {PNG_FILTER_SUB, PNG_FILTER_UP, PNG_FILTER_PAETH};
    uint32_t best = row_cost(row, length);

    out[0] = PNG_FILTER_NONE;
    memcpy(out + 1, row, length);
    for (size_t i = 0; i < sizeof filters / sizeof filters[0]; i++) {
        apply_filter(filters[i], row, above, length, pixel_bytes, scratch);
        uint32_t cost = row_cost(scratch, length);
        if (cost < best) {
            best = cost;
            out[0] = (uint8_t)filters[i];
            memcpy(out + 1, scratch, length);
        }
    }
}

void png_filter_row(int filter, const uint8_t *row, const uint8_t *above, size_t length, size_t pixel_bytes,
                    uint8_t *scratch, uint8_t *out)
{
    if (filter == PNG_FILTER_BEST) {
        filter_best(row, above, length, pixel_bytes, scratch, out);
        return;
    }
    out[0] = (uint8_t)filter;
    if (filter == PNG_FILTER_NONE)
        memcpy(out + 1, row, length);
    else
        apply_filter(filter, row, above, length, pixel_bytes, out + 1);
}
