#include "png_writer.h"

#include <libdeflate.h>
#include <stdlib.h>
#include <string.h>

#define ALIGNMENT 64u
#define PIXEL_BYTES 4u
/* Of libdeflate's 12 levels the one that is fastest; the higher ones gain little on flat art and cost several times as much. */
#define LEVEL 1
#define CHUNK_LIMIT ((size_t)1 << 20)     /* a chunk's length has 31 bits; readers that take a whole chunk get by with little memory */
#define CHUNK_OVERHEAD 12u                /* length, type, checksum */
#define SAMPLE_GROUPS 8u
#define SAMPLE_ROWS 8u

enum filter { FILTER_NONE = 0, FILTER_SUB, FILTER_UP, FILTER_PAETH = 4 };

bool png_canvas_create(png_canvas *canvas, uint32_t width, uint32_t height)
{
    size_t row = (size_t)width * PIXEL_BYTES;
    size_t lead = (height + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT; /* room for one filter byte a row */
    void *buffer = NULL;

    if (posix_memalign(&buffer, ALIGNMENT, lead + row * height) != 0) {
        return false;
    }
    *canvas = (png_canvas){ .width = width, .height = height, .buffer = buffer, .pixels = (uint8_t *)buffer + lead };
    return true;
}

void png_canvas_destroy(png_canvas *canvas)
{
    free(canvas->buffer);
    canvas->buffer = NULL;
}

/* In 16 bits, so that a vector holds many. */
static uint8_t paeth(uint8_t left, uint8_t up, uint8_t corner)
{
    int16_t to_left = (int16_t)(up - corner), to_up = (int16_t)(left - corner), to_corner = (int16_t)(to_left + to_up);

    to_left = (int16_t)(to_left < 0 ? -to_left : to_left);
    to_up = (int16_t)(to_up < 0 ? -to_up : to_up);
    to_corner = (int16_t)(to_corner < 0 ? -to_corner : to_corner);
    uint8_t other = to_up <= to_corner ? up : corner;
    return to_left <= to_up && to_left <= to_corner ? left : other;
}

static void filter_row(enum filter filter, const uint8_t *row, const uint8_t *above, size_t length, uint8_t *restrict out)
{
    /* The first pixel has nothing on its left. */
    for (size_t i = 0; i < PIXEL_BYTES; i++) {
        out[i] = (uint8_t)(filter == FILTER_SUB ? row[i] : row[i] - above[i]);
    }
    const uint8_t *left = row - PIXEL_BYTES, *corner = above - PIXEL_BYTES;
    if (filter == FILTER_SUB) {
        for (size_t i = PIXEL_BYTES; i < length; i++) {
            out[i] = (uint8_t)(row[i] - left[i]);
        }
    } else if (filter == FILTER_UP) {
        for (size_t i = PIXEL_BYTES; i < length; i++) {
            out[i] = (uint8_t)(row[i] - above[i]);
        }
    } else {
        for (size_t i = PIXEL_BYTES; i < length; i++) {
            out[i] = (uint8_t)(row[i] - paeth(left[i], above[i], corner[i]));
        }
    }
}

/* The usual heuristic: bytes near 0, taken as signed, compress best. */
static uint32_t row_cost(const uint8_t *bytes, size_t length)
{
    uint32_t cost = 0; /* at most 128 * 4 * PIETRA_MAX_SIDE */

    for (size_t i = 0; i < length; i++) {
        uint8_t negative = (uint8_t)(0 - bytes[i]);
        cost += bytes[i] < negative ? bytes[i] : negative;
    }
    return cost;
}

/* The filter byte and the row after it. `scratch` has room for one row. */
static void filter_best(const uint8_t *row, const uint8_t *above, size_t length, uint8_t *scratch, uint8_t *out)
{
    static const enum filter filters[] = { FILTER_SUB, FILTER_UP, FILTER_PAETH };
    uint32_t best = row_cost(row, length);

    out[0] = FILTER_NONE;
    memcpy(out + 1, row, length);
    for (size_t i = 0; i < sizeof filters / sizeof filters[0]; i++) {
        filter_row(filters[i], row, above, length, scratch);
        uint32_t cost = row_cost(scratch, length);
        if (cost < best) {
            best = cost;
            out[0] = (uint8_t)filters[i];
            memcpy(out + 1, scratch, length);
        }
    }
}

/* Whether filtered rows come out clearly smaller, tried on a sample of rows. Flat art does best unfiltered: equal rows then are
 * equal bytes. */
static bool filters_pay(const png_canvas *canvas, struct libdeflate_compressor *compressor, uint8_t *scratch, bool *pays)
{
    size_t length = (size_t)canvas->width * PIXEL_BYTES;
    size_t plain_size = 0, filtered_size = 0, bound = libdeflate_deflate_compress_bound(compressor, (length + 1) * SAMPLE_ROWS);
    uint8_t *sample = malloc((length + 1) * SAMPLE_ROWS), *compressed = malloc(bound);

    for (uint32_t group = 0; sample && compressed && group < SAMPLE_GROUPS; group++) {
        uint32_t first = (uint32_t)((uint64_t)canvas->height * (2 * group + 1) / (2 * SAMPLE_GROUPS));
        uint32_t count = canvas->height - first < SAMPLE_ROWS ? canvas->height - first : SAMPLE_ROWS;
        for (uint32_t i = 1; i < count; i++) {
            const uint8_t *row = canvas->pixels + length * (first + i);
            filter_best(row, row - length, length, scratch, sample + (length + 1) * (i - 1));
        }
        if (count > 1) {
            plain_size += libdeflate_deflate_compress(compressor, canvas->pixels + length * (first + 1), length * (count - 1), compressed, bound);
            filtered_size += libdeflate_deflate_compress(compressor, sample, (length + 1) * (count - 1), compressed, bound);
        }
    }
    *pays = filtered_size < plain_size / 4 * 3;
    bool fitted = sample && compressed;
    free(sample);
    free(compressed);
    return fitted;
}

/* Puts a filter byte before each row, from the first to the last: a row's new place ends at or before its old end, so only rows
 * that were already read are overwritten. `scratch` has room for three rows. */
static void filter_in_place(png_canvas *canvas, bool filtered, uint8_t *scratch)
{
    size_t length = (size_t)canvas->width * PIXEL_BYTES;
    uint8_t *row = scratch + length, *above = scratch + 2 * length;

    memset(above, 0, length);
    for (uint32_t y = 0; y < canvas->height; y++) {
        uint8_t *out = canvas->buffer + (length + 1) * y;
        if (!filtered) {
            memmove(out + 1, canvas->pixels + length * y, length);
            out[0] = FILTER_NONE;
            continue;
        }
        memcpy(row, canvas->pixels + length * y, length);
        filter_best(row, above, length, scratch, out);
        uint8_t *swap = row;
        row = above;
        above = swap;
    }
}

static uint8_t *put_u32(uint8_t *out, uint32_t value)
{
    out[0] = (uint8_t)(value >> 24);
    out[1] = (uint8_t)(value >> 16);
    out[2] = (uint8_t)(value >> 8);
    out[3] = (uint8_t)value;
    return out + 4;
}

/* The data may lie anywhere, also in the way of the chunk. */
static uint8_t *put_chunk(uint8_t *out, const char type[4], const uint8_t *data, size_t length)
{
    memmove(out + 8, data, length);
    put_u32(out, (uint32_t)length);
    memcpy(out + 4, type, 4);
    return put_u32(out + 8 + length, libdeflate_crc32(0, out + 4, length + 4));
}

static uint8_t *put_head(uint8_t *out, uint32_t width, uint32_t height)
{
    static const uint8_t signature[8] = { 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n' };
    uint8_t header[13] = { [8] = 8 /* bits a channel */, [9] = 6 /* RGBA */ };

    memcpy(out, signature, sizeof signature);
    put_u32(header, width);
    put_u32(header + 4, height);
    return put_chunk(out + sizeof signature, "IHDR", header, sizeof header);
}

/* Cuts the compressed bytes into chunks, from the last to the first, since each moves up by the overhead of those before it. */
static uint8_t *put_data(uint8_t *out, size_t length)
{
    size_t chunks = (length + CHUNK_LIMIT - 1) / CHUNK_LIMIT;

    for (size_t i = chunks; i-- > 0;) {
        size_t size = i + 1 == chunks ? length - i * CHUNK_LIMIT : CHUNK_LIMIT;
        put_chunk(out + i * (CHUNK_LIMIT + CHUNK_OVERHEAD), "IDAT", out + 8 + i * CHUNK_LIMIT, size);
    }
    return out + length + chunks * CHUNK_OVERHEAD;
}

bool png_encode(png_canvas *canvas, uint8_t **bytes, size_t *byte_count)
{
    size_t length = (size_t)canvas->width * PIXEL_BYTES, raw = (length + 1) * canvas->height;
    struct libdeflate_compressor *compressor = libdeflate_alloc_compressor(LEVEL);
    uint8_t *scratch = malloc(3 * length), *out = NULL;
    bool filtered = false, done = false;

    if (!compressor || !scratch || !filters_pay(canvas, compressor, scratch, &filtered)) {
        goto end;
    }
    filter_in_place(canvas, filtered, scratch);
    /* The bound is larger than the picture, but memory that is never touched costs nothing. */
    size_t bound = libdeflate_zlib_compress_bound(compressor, raw);
    out = malloc(8 + CHUNK_OVERHEAD + 13 + bound + CHUNK_OVERHEAD * (bound / CHUNK_LIMIT + 1) + CHUNK_OVERHEAD);
    if (!out) {
        goto end;
    }
    uint8_t *at = put_head(out, canvas->width, canvas->height);
    size_t compressed = libdeflate_zlib_compress(compressor, canvas->buffer, raw, at + 8, bound);
    at = put_data(at, compressed);
    at = put_chunk(at, "IEND", at, 0);
    *byte_count = (size_t)(at - out);
    *bytes = out;
    done = true;
end:
    free(scratch);
    libdeflate_free_compressor(compressor);
    return done;
}
