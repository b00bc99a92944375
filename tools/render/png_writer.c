#define _DEFAULT_SOURCE /* madvise */

#include "png_writer.h"

#include <libdeflate.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "crew.h"
#include "deflate.h"
#include "png_rows.h"

#define ALIGNMENT 64u
#define LARGE_PAGE ((size_t)2 << 20)
#define PIXEL_BYTES 4u
#define STRIP_BYTES ((size_t)512 << 10)   /* of rows, so that a strip and its tables lie in a core's cache */
#define DEFAULT_EFFORT 8u
#define BEST_LEVEL 12
#define CHUNK_LIMIT ((size_t)1 << 20)     /* a chunk's length has 31 bits; readers that take a whole chunk get by with little memory */
#define CHUNK_OVERHEAD 12u                /* length, type, checksum */
#define ZLIB_HEAD 2u
#define ZLIB_TAIL 4u
#define ADLER_MODULUS 65521u
#define SAMPLE_GROUPS 8u
#define SAMPLE_ROWS 8u

bool png_canvas_create(png_canvas *canvas, uint32_t width, uint32_t height)
{
    size_t size = (size_t)width * height * PIXEL_BYTES;
    void *pixels = NULL;

    if (posix_memalign(&pixels, size >= 2 * LARGE_PAGE ? LARGE_PAGE : ALIGNMENT, size) != 0) {
        return false;
    }
#ifdef MADV_HUGEPAGE
    if (size >= 2 * LARGE_PAGE) {
        madvise(pixels, size, MADV_HUGEPAGE); /* first use of small pages costs as much as drawing */
    }
#endif
    *canvas = (png_canvas){ .width = width, .height = height, .pixels = pixels };
    return true;
}

void png_canvas_destroy(png_canvas *canvas)
{
    free(canvas->pixels);
    canvas->pixels = NULL;
}

/* ---- Chunks ---- */

static uint8_t *put_u32(uint8_t *out, uint32_t value)
{
    out[0] = (uint8_t)(value >> 24);
    out[1] = (uint8_t)(value >> 16);
    out[2] = (uint8_t)(value >> 8);
    out[3] = (uint8_t)value;
    return out + 4;
}

/* Finishes a chunk whose data lie already behind 8 bytes of room. */
static uint8_t *finish_chunk(uint8_t *out, const char type[4], size_t length)
{
    put_u32(out, (uint32_t)length);
    memcpy(out + 4, type, 4);
    return put_u32(out + 8 + length, libdeflate_crc32(0, out + 4, length + 4));
}

static uint8_t *put_chunk(uint8_t *out, const char type[4], const uint8_t *data, size_t length)
{
    memcpy(out + 8, data, length);
    return finish_chunk(out, type, length);
}

/* ---- The work ---- */

/* A strip of rows, compressed. */
typedef struct strip {
    uint8_t *chunk;       /* IDAT without its checksum */
    size_t length;        /* of its data */
    uint32_t adler;       /* of the rows */
    size_t row_bytes;
} strip;

typedef struct png_work {
    const png_canvas *canvas;
    png_colour colour;
    png_census census;
    size_t row_length, pixel_bytes, stride;
    int filter;
    unsigned effort;
    uint32_t strip_rows, strip_count;
    strip *strips;
    png_census *censuses; /* one for each worker */
    atomic_uint next;
    atomic_bool failed;
} png_work;

static const uint8_t *canvas_row(const png_work *work, uint32_t y)
{
    return work->canvas->pixels + (size_t)y * work->canvas->width * PIXEL_BYTES;
}

static bool take_strip(png_work *work, uint32_t *index)
{
    *index = atomic_fetch_add_explicit(&work->next, 1, memory_order_relaxed);
    return *index < work->strip_count && !atomic_load_explicit(&work->failed, memory_order_relaxed);
}

static uint32_t strip_end(const png_work *work, uint32_t index)
{
    uint32_t begin = index * work->strip_rows, rest = work->canvas->height - begin;

    return begin + (rest < work->strip_rows ? rest : work->strip_rows);
}

static void count_colours(void *user, uint32_t worker)
{
    png_work *work = user;
    uint32_t index;

    png_census_begin(&work->censuses[worker]);
    while (take_strip(work, &index)) {
        uint32_t begin = index * work->strip_rows;
        png_census_add(&work->censuses[worker], canvas_row(work, begin), (size_t)(strip_end(work, index) - begin) * work->canvas->width);
    }
}

/* Room for rows in the file's format. */
typedef struct row_room {
    uint8_t *memory, *row, *above, *scratch, *rows;
} row_room;

static bool row_room_create(const png_work *work, uint32_t row_count, row_room *room)
{
    size_t each = work->row_length + PIXEL_BYTES;

    room->memory = malloc(3 * each + work->stride * row_count + PIXEL_BYTES);
    room->row = room->memory;
    room->above = room->memory + each;
    room->scratch = room->memory + 2 * each;
    room->rows = room->memory + 3 * each;
    return room->memory != NULL;
}

/* Writes rows as the file has them, filters' numbers included. */
static void make_rows(const png_work *work, int filter, uint32_t begin, uint32_t end, row_room *room, uint8_t *out)
{
    size_t width = work->canvas->width;

    if (filter != PNG_FILTER_NONE && begin > 0) {
        png_convert_row(&work->census, work->colour, canvas_row(work, begin - 1), width, room->above);
    } else {
        memset(room->above, 0, work->row_length);
    }
    for (uint32_t y = begin; y < end; y++, out += work->stride) {
        if (filter == PNG_FILTER_NONE) {
            out[0] = PNG_FILTER_NONE;
            png_convert_row(&work->census, work->colour, canvas_row(work, y), width, out + 1);
            continue;
        }
        png_convert_row(&work->census, work->colour, canvas_row(work, y), width, room->row);
        png_filter_row(filter, room->row, room->above, work->row_length, work->pixel_bytes, room->scratch, out);
        uint8_t *swap = room->row;
        room->row = room->above;
        room->above = swap;
    }
}

static bool compress_strip(png_work *work, uint32_t index, deflate_encoder *encoder, row_room *room, uint8_t *scratch)
{
    strip *strip = &work->strips[index];
    uint32_t begin = index * work->strip_rows, end = strip_end(work, index);
    deflate_rows rows = { room->rows, work->stride, end - begin, work->pixel_bytes, work->effort };
    size_t head = index == 0 ? ZLIB_HEAD : 0;

    make_rows(work, work->filter, begin, end, room, room->rows);
    size_t length = deflate_write(encoder, &rows, index + 1 == work->strip_count, scratch);
    strip->row_bytes = rows.stride * rows.count;
    strip->adler = libdeflate_adler32(1, rows.bytes, strip->row_bytes);
    strip->length = head + length;
    strip->chunk = malloc(CHUNK_OVERHEAD + strip->length + ZLIB_TAIL);
    if (!strip->chunk) {
        return false;
    }
    if (index == 0) {
        /* Deflate, a window of 32 KiB, no dictionary; with its check bits. */
        strip->chunk[8] = 0x78;
        strip->chunk[9] = 0x01;
    }
    memcpy(strip->chunk + 8 + head, scratch, length);
    return true;
}

static void compress_strips(void *user, uint32_t worker)
{
    png_work *work = user;
    deflate_encoder *encoder = deflate_create();
    uint8_t *scratch = malloc(deflate_bound(work->stride * work->strip_rows));
    row_room room = { 0 };
    uint32_t index;
    bool good = encoder && scratch && row_room_create(work, work->strip_rows, &room);

    (void)worker;
    while (good && take_strip(work, &index)) {
        good = compress_strip(work, index, encoder, &room, scratch);
    }
    if (!good) {
        atomic_store_explicit(&work->failed, true, memory_order_relaxed);
    }
    deflate_destroy(encoder);
    free(scratch);
    free(room.memory);
}

/* ---- Filters ---- */

static bool sample_size(const png_work *work, int filter, size_t *size)
{
    deflate_encoder *encoder = deflate_create();
    uint8_t *scratch = malloc(deflate_bound(work->stride * SAMPLE_ROWS));
    row_room room = { 0 };
    bool good = encoder && scratch && row_room_create(work, SAMPLE_ROWS, &room);

    *size = 0;
    for (uint32_t group = 0; good && group < SAMPLE_GROUPS; group++) {
        uint32_t height = work->canvas->height, begin = (uint32_t)((uint64_t)height * (2 * group + 1) / (2 * SAMPLE_GROUPS));
        uint32_t end = height - begin < SAMPLE_ROWS ? height : begin + SAMPLE_ROWS;
        deflate_rows rows = { room.rows, work->stride, end - begin, work->pixel_bytes, 0 };
        make_rows(work, filter, begin, end, &room, room.rows);
        *size += deflate_write(encoder, &rows, false, scratch);
    }
    deflate_destroy(encoder);
    free(scratch);
    free(room.memory);
    return good;
}

/* Takes a filter where a sample of rows comes out clearly smaller by it. Flat art does best unfiltered: equal rows then are equal
 * bytes. */
static bool choose_filter(png_work *work, png_compression compression)
{
    static const int fast[] = { PNG_FILTER_UP, PNG_FILTER_SUB }, normal[] = { PNG_FILTER_BEST };
    const int *filters = compression == PNG_COMPRESSION_FAST ? fast : normal;
    size_t count = compression == PNG_COMPRESSION_FAST ? 2 : 1, best, size;

    work->filter = PNG_FILTER_NONE;
    if (work->colour == PNG_PALETTE) {
        return true; /* neighbours in a palette are not neighbours in colour */
    }
    if (!sample_size(work, PNG_FILTER_NONE, &best)) {
        return false;
    }
    best = best / 4 * 3;
    for (size_t i = 0; i < count; i++) {
        if (!sample_size(work, filters[i], &size)) {
            return false;
        }
        if (size < best) {
            best = size;
            work->filter = filters[i];
        }
    }
    return true;
}

/* ---- The best compression ---- */

/* One strip of the whole picture, by libdeflate. */
static bool compress_whole(png_work *work)
{
    struct libdeflate_compressor *compressor = libdeflate_alloc_compressor(BEST_LEVEL);
    row_room room = { 0 };
    strip *strip = &work->strips[0];
    uint32_t height = work->canvas->height;
    size_t raw = work->stride * height;
    bool good = compressor && row_room_create(work, height, &room);

    for (int filter = PNG_FILTER_NONE; good && filter <= PNG_FILTER_BEST; filter += PNG_FILTER_BEST) {
        size_t bound = libdeflate_zlib_compress_bound(compressor, raw);
        uint8_t *chunk = malloc(CHUNK_OVERHEAD + bound);
        if (!chunk) {
            good = false;
            break;
        }
        make_rows(work, filter, 0, height, &room, room.rows);
        size_t length = libdeflate_zlib_compress(compressor, room.rows, raw, chunk + 8, bound);
        bool better = !strip->chunk || length < strip->length;
        free(better ? strip->chunk : chunk);
        if (better) {
            strip->chunk = chunk;
            strip->length = length;
        }
        if (work->colour == PNG_PALETTE) {
            break;
        }
    }
    libdeflate_free_compressor(compressor);
    free(room.memory);
    return good;
}

/* ---- The file ---- */

/* The checksum of two parts from those of each (RFC 1950, section 9: two sums, the second of the first). */
static uint32_t join_adler(uint32_t first, uint32_t second, size_t second_bytes)
{
    uint64_t a1 = first & 0xffff, b1 = first >> 16, a2 = second & 0xffff, b2 = second >> 16;
    uint64_t count = second_bytes % ADLER_MODULUS;
    uint64_t a = (a1 + a2 + ADLER_MODULUS - 1) % ADLER_MODULUS;
    uint64_t b = (b1 + b2 + count * (a1 + ADLER_MODULUS - 1)) % ADLER_MODULUS;

    return (uint32_t)(b << 16 | a);
}

/* Behind the last strip's data stands the checksum of all rows. */
static void add_checksum(png_work *work)
{
    strip *last = &work->strips[work->strip_count - 1];
    uint32_t adler = 1;

    for (uint32_t i = 0; i < work->strip_count; i++) {
        adler = join_adler(adler, work->strips[i].adler, work->strips[i].row_bytes);
    }
    put_u32(last->chunk + 8 + last->length, adler);
    last->length += ZLIB_TAIL;
}

static uint8_t *put_head(const png_work *work, uint8_t *out)
{
    static const uint8_t signature[8] = { 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n' };
    uint8_t header[13] = { [8] = 8 /* bits a channel */, [9] = (uint8_t)work->colour };
    uint8_t colours[3 * PALETTE_MOST], alphas[PALETTE_MOST];
    size_t translucent = 0;

    memcpy(out, signature, sizeof signature);
    put_u32(put_u32(header, work->canvas->width), work->canvas->height);
    out = put_chunk(out + sizeof signature, "IHDR", header, sizeof header);
    if (work->colour != PNG_PALETTE) {
        return out;
    }
    for (size_t i = 0; i < work->census.count; i++) {
        uint32_t colour = work->census.colours[i];
        colours[3 * i] = (uint8_t)colour;
        colours[3 * i + 1] = (uint8_t)(colour >> 8);
        colours[3 * i + 2] = (uint8_t)(colour >> 16);
        alphas[i] = (uint8_t)(colour >> 24);
        translucent += alphas[i] < 255;
    }
    out = put_chunk(out, "PLTE", colours, 3 * work->census.count);
    return translucent ? put_chunk(out, "tRNS", alphas, translucent) : out;
}

/* A strip in one chunk, or a large one in several. */
static uint8_t *put_strip(uint8_t *out, const strip *strip)
{
    for (size_t at = 0; at < strip->length; at += CHUNK_LIMIT) {
        size_t length = strip->length - at < CHUNK_LIMIT ? strip->length - at : CHUNK_LIMIT;
        out = put_chunk(out, "IDAT", strip->chunk + 8 + at, length);
    }
    return out;
}

static bool put_file(const png_work *work, uint8_t **bytes, size_t *byte_count)
{
    size_t size = 8 + CHUNK_OVERHEAD + 13 + 2 * CHUNK_OVERHEAD + 4 * PALETTE_MOST + CHUNK_OVERHEAD;

    for (uint32_t i = 0; i < work->strip_count; i++) {
        size += work->strips[i].length + CHUNK_OVERHEAD * (work->strips[i].length / CHUNK_LIMIT + 1);
    }
    uint8_t *out = malloc(size);
    if (!out) {
        return false;
    }
    uint8_t *at = put_head(work, out);
    for (uint32_t i = 0; i < work->strip_count; i++) {
        at = put_strip(at, &work->strips[i]);
    }
    at = finish_chunk(at, "IEND", 0);
    *bytes = out;
    *byte_count = (size_t)(at - out);
    return true;
}

static void set_strips(png_work *work, size_t row_bytes)
{
    size_t rows = STRIP_BYTES / row_bytes;
    uint32_t height = work->canvas->height;

    work->strip_rows = rows < 1 ? 1 : rows < height ? (uint32_t)rows : height;
    work->strip_count = (height + work->strip_rows - 1) / work->strip_rows;
    atomic_store(&work->next, 0);
}

static bool choose_colour(png_work *work, uint32_t threads)
{
    set_strips(work, (size_t)work->canvas->width * PIXEL_BYTES);
    uint32_t workers = crew_size(threads, work->strip_count);
    work->censuses = calloc(workers, sizeof *work->censuses);
    if (!work->censuses) {
        return false;
    }
    crew_run(workers, count_colours, work);
    png_census_begin(&work->census);
    for (uint32_t i = 0; i < workers; i++) {
        png_census_join(&work->census, &work->censuses[i]);
    }
    work->colour = png_census_end(&work->census);
    work->pixel_bytes = png_pixel_bytes(work->colour);
    work->row_length = work->canvas->width * work->pixel_bytes;
    work->stride = work->row_length + 1;
    return true;
}

bool png_encode(const png_canvas *canvas, const png_options *options, uint8_t **bytes, size_t *byte_count)
{
    bool best = options->compression == PNG_COMPRESSION_BEST, done = false;
    png_work *work = calloc(1, sizeof *work);

    if (!work) {
        return false;
    }
    work->canvas = canvas;
    work->effort = options->compression == PNG_COMPRESSION_FAST ? 0 : DEFAULT_EFFORT;
    if (!choose_colour(work, options->threads)) {
        goto end;
    }
    set_strips(work, work->stride);
    work->strip_count = best ? 1 : work->strip_count;
    work->strips = calloc(work->strip_count, sizeof *work->strips);
    if (!work->strips) {
        goto end;
    }
    if (best) {
        done = compress_whole(work) && put_file(work, bytes, byte_count);
    } else if (choose_filter(work, options->compression)) {
        crew_run(crew_size(options->threads, work->strip_count), compress_strips, work);
        if (!atomic_load(&work->failed)) {
            add_checksum(work);
            done = put_file(work, bytes, byte_count);
        }
    }
end:
    for (uint32_t i = 0; work->strips && i < work->strip_count; i++) {
        free(work->strips[i].chunk);
    }
    free(work->strips);
    free(work->censuses);
    free(work);
    return done;
}
