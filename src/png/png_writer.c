/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "png/png_writer.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/packing.h"
#include "base/parallel.h"
#include "png/checksum.h"
#include "png/deflate.h"
#include "png/png_indexed.h"
#include "png/png_rows.h"

#define PIXEL_BYTES 4u
#define STRIP_BYTES ((size_t)512 << 10) /* bytes of rows in a strip: they and its tables fit a core's cache */
#define DEFAULT_EFFORT 8u
#define BEST_LEVEL 12
/* a chunk's length has 31 bits, and decoders that read a whole chunk need little memory this way */
#define CHUNK_LIMIT ((size_t)1 << 20)
#define ZLIB_HEAD 2u
#define ZLIB_TAIL 4u
#define ADLER_MODULUS 65521u
#define SAMPLE_GROUPS 8u
#define SAMPLE_ROWS 8u   /* a group's most */
#define SAMPLE_PART 512u /* rows of the picture for each row of a group */
/* one part in 50: how far a sample misjudges searches, because it holds fewer rows than they see */
#define SAMPLE_DOUBT 50u

bool png_canvas_create(png_canvas *canvas, uint32_t width, uint32_t height)
{
    *canvas =
        (png_canvas){.width = width, .height = height, .pixels = memory_alloc((size_t)width * height * PIXEL_BYTES)};
    return canvas->pixels != NULL;
}

void png_canvas_destroy(png_canvas *canvas)
{
    free(canvas->pixels);
    canvas->pixels = NULL;
}

/* ---- Chunks ---- */

/* Collects small pieces. */
typedef struct png_output {
    png_sink *sink;
    void *user;
    size_t used;
    uint8_t gathered[4096];
} png_output;

static bool flush(png_output *output)
{
    size_t used = output->used;

    output->used = 0;
    return used == 0 || output->sink(output->user, output->gathered, used);
}

static bool put(png_output *output, const void *bytes, size_t count)
{
    if (output->used + count > sizeof output->gathered && !flush(output))
        return false;
    if (count > sizeof output->gathered)
        return output->sink(output->user, bytes, count);
    memcpy(output->gathered + output->used, bytes, count);
    output->used += count;
    return true;
}

static void store_u32(uint8_t *out, uint32_t value)
{
    out[0] = (uint8_t)(value >> 24);
    out[1] = (uint8_t)(value >> 16);
    out[2] = (uint8_t)(value >> 8);
    out[3] = (uint8_t)value;
}

static bool put_chunk(png_output *output, const char type[4], const uint8_t *data, size_t length)
{
    uint8_t head[8], checksum[4];

    store_u32(head, (uint32_t)length);
    memcpy(head + 4, type, 4);
    store_u32(checksum, checksum_crc32(checksum_crc32(0, head + 4, 4), data, length));
    return put(output, head, sizeof head) && put(output, data, length) && put(output, checksum, sizeof checksum);
}

/* ---- The work ---- */

/* A compressed strip of rows. */
typedef struct strip {
    uint8_t *data; /* NULL: not ready. ZLIB_TAIL bytes are free at its end */
    size_t length;
    uint32_t adler; /* checksum of the rows */
    size_t row_bytes;
} strip;

typedef struct png_work {
    const png_canvas *canvas;
    const png_indexed *indexed;    /* holds the canvas's pixels; NULL: the canvas does */
    uint8_t samples[PALETTE_MOST]; /* for each of its indices, the byte of the file */
    png_colour colour;
    size_t row_length, pixel_bytes, stride;
    int filter;
    unsigned effort;
    uint32_t strip_rows, strip_count;
    strip *strips;
    png_census *censuses; /* one for each thread of the pool; the first one has all colours in the end */
    parallel_pool *pool;
    atomic_uint next;
    _Atomic png_result result; /* PNG_DONE, or the failure that ends all work */
    void (*progress)(uint32_t done, uint32_t count);
    pthread_mutex_t writing; /* guards everything below, and the strips */
    uint32_t finished;       /* number of strips compressed */
    uint32_t written;        /* number of strips written */
    uint32_t adler;          /* checksum of their rows */
    png_output output;
} png_work;

static const uint8_t *canvas_row(const png_work *work, uint32_t y)
{
    return work->canvas->pixels + (size_t)y * work->canvas->width * PIXEL_BYTES;
}

static bool take_strip(png_work *work, uint32_t *index)
{
    *index = atomic_fetch_add_explicit(&work->next, 1, memory_order_relaxed);
    return *index < work->strip_count && atomic_load_explicit(&work->result, memory_order_relaxed) == PNG_DONE;
}

static uint32_t strip_end(const png_work *work, uint32_t index)
{
    uint32_t begin = index * work->strip_rows, rest = work->canvas->height - begin;

    return begin + (rest < work->strip_rows ? rest : work->strip_rows);
}

static void count_colours(void *user, uint32_t worker, uint32_t count)
{
    png_work *work = user;
    uint32_t index;

    (void)count;
    png_census_begin(&work->censuses[worker]);
    while (take_strip(work, &index)) {
        uint32_t begin = index * work->strip_rows;
        png_census_add(&work->censuses[worker], canvas_row(work, begin),
                       (size_t)(strip_end(work, index) - begin) * work->canvas->width);
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

static void convert_row(const png_work *work, uint32_t y, uint8_t *out)
{
    size_t width = work->canvas->width;

    if (!work->indexed) {
        png_convert_row(work->censuses, work->colour, canvas_row(work, y), width, out);
        return;
    }
    const uint8_t *indices = work->indexed->indices + y * width;
    for (size_t i = 0; i < width; i++)
        out[i] = work->samples[indices[i]];
}

/* Writes rows as the file has them, with the filters' numbers. */
static void make_rows(const png_work *work, int filter, uint32_t begin, uint32_t end, row_room *room, uint8_t *out)
{
    if (filter != PNG_FILTER_NONE && begin > 0)
        convert_row(work, begin - 1, room->above);
    else
        memset(room->above, 0, work->row_length);
    for (uint32_t y = begin; y < end; y++, out += work->stride) {
        if (filter == PNG_FILTER_NONE) {
            out[0] = PNG_FILTER_NONE;
            convert_row(work, y, out + 1);
            continue;
        }
        convert_row(work, y, room->row);
        png_filter_row(filter, room->row, room->above, work->row_length, work->pixel_bytes, room->scratch, out);
        uint8_t *swap = room->row;
        room->row = room->above;
        room->above = swap;
    }
}

/* Returns the checksum of two parts together from the checksum of each (RFC 1950, section 9: two sums, the second over
 * the first). */
static uint32_t join_adler(uint32_t first, uint32_t second, size_t second_bytes)
{
    uint64_t a1 = first & 0xffff, b1 = first >> 16, a2 = second & 0xffff, b2 = second >> 16;
    uint64_t count = second_bytes % ADLER_MODULUS;
    uint64_t a = (a1 + a2 + ADLER_MODULUS - 1) % ADLER_MODULUS;
    uint64_t b = (b1 + b2 + count * (a1 + ADLER_MODULUS - 1)) % ADLER_MODULUS;

    return (uint32_t)(b << 16 | a);
}

/* Writes one chunk, or several for a long strip. */
static bool put_strip(png_output *output, const strip *strip)
{
    for (size_t at = 0; at < strip->length; at += CHUNK_LIMIT) {
        size_t length = strip->length - at < CHUNK_LIMIT ? strip->length - at : CHUNK_LIMIT;
        if (!put_chunk(output, "IDAT", strip->data + at, length))
            return false;
    }
    return true;
}

/* Writes the next strip. The checksum of all rows follows the data of the last strip. */
static bool write_next(png_work *work, strip *strip)
{
    work->written++;
    work->adler = join_adler(work->adler, strip->adler, strip->row_bytes);
    if (work->written == work->strip_count) {
        store_u32(strip->data + strip->length, work->adler);
        strip->length += ZLIB_TAIL;
    }
    return put_strip(&work->output, strip);
}

/* If the strip is the next one, writes it and the strips that waited for it. Otherwise keeps a copy that waits. */
static png_result hand_over(png_work *work, uint32_t index, strip ready)
{
    png_result result = PNG_DONE;

    pthread_mutex_lock(&work->writing);
    work->finished++;
    if (work->progress)
        work->progress(work->finished, work->strip_count);
    if (work->written != index) {
        uint8_t *copy = malloc(ready.length + ZLIB_TAIL);
        if (copy)
            memcpy(copy, ready.data, ready.length);
        else
            result = PNG_OUT_OF_MEMORY;
        ready.data = copy;
        work->strips[index] = ready;
    } else if (!write_next(work, &ready)) {
        result = PNG_NOT_WRITTEN;
    }
    while (result == PNG_DONE && work->written < work->strip_count && work->strips[work->written].data) {
        strip *strip = &work->strips[work->written];
        result = write_next(work, strip) ? PNG_DONE : PNG_NOT_WRITTEN;
        free(strip->data);
        strip->data = NULL;
    }
    pthread_mutex_unlock(&work->writing);
    return result;
}

static png_result compress_strip(png_work *work, uint32_t index, deflate_encoder *encoder, row_room *room,
                                 uint8_t *scratch)
{
    uint32_t begin = index * work->strip_rows, end = strip_end(work, index);
    deflate_rows rows = {room->rows, work->stride, end - begin, work->pixel_bytes, work->effort};
    size_t head = index == 0 ? ZLIB_HEAD : 0;

    make_rows(work, work->filter, begin, end, room, room->rows);
    size_t length = head + deflate_write(encoder, &rows, index + 1 == work->strip_count, scratch + head);
    strip strip = {.data = scratch, .length = length, .row_bytes = rows.stride * rows.count};
    if (index == 0) {
        /* Deflate, a window of 32 KiB, no dictionary, and the check bits. */
        scratch[0] = 0x78;
        scratch[1] = 0x01;
    }
    strip.adler = checksum_adler32(rows.bytes, strip.row_bytes);
    return hand_over(work, index, strip);
}

static void compress_strips(void *user, uint32_t worker, uint32_t count)
{
    png_work *work = user;
    size_t most = work->stride * work->strip_rows;
    deflate_encoder *encoder = deflate_create(most);
    uint8_t *scratch = malloc(ZLIB_HEAD + deflate_bound(most) + ZLIB_TAIL);
    row_room room = {0};
    uint32_t index;
    png_result result =
        encoder && scratch && row_room_create(work, work->strip_rows, &room) ? PNG_DONE : PNG_OUT_OF_MEMORY;

    (void)worker;
    (void)count;
    while (result == PNG_DONE && take_strip(work, &index))
        result = compress_strip(work, index, encoder, &room, scratch);
    if (result != PNG_DONE)
        atomic_store_explicit(&work->result, result, memory_order_relaxed);
    deflate_destroy(encoder);
    free(scratch);
    free(room.memory);
}

/* ---- Filters ---- */

static bool sample_size(const png_work *work, int filter, unsigned effort, size_t *size)
{
    deflate_encoder *encoder = deflate_create(work->stride * SAMPLE_ROWS);
    uint8_t *scratch = malloc(deflate_bound(work->stride * SAMPLE_ROWS));
    row_room room = {0};
    bool good = encoder && scratch && row_room_create(work, SAMPLE_ROWS, &room);
    uint32_t height = work->canvas->height, most = 2 + height / SAMPLE_PART;

    most = most < SAMPLE_ROWS ? most : SAMPLE_ROWS;
    *size = 0;
    for (uint32_t group = 0; good && group < SAMPLE_GROUPS; group++) {
        uint32_t begin = (uint32_t)((uint64_t)height * (2 * group + 1) / (2 * SAMPLE_GROUPS));
        uint32_t end = height - begin < most ? height : begin + most;
        deflate_rows rows = {room.rows, work->stride, end - begin, work->pixel_bytes, effort};
        make_rows(work, filter, begin, end, &room, room.rows);
        *size += deflate_write(encoder, &rows, false, scratch);
    }
    deflate_destroy(encoder);
    free(scratch);
    free(room.memory);
    return good;
}

/* Chooses a filter if it makes a sample of rows clearly smaller. Flat art does best unfiltered, because equal rows then
 * are equal bytes. */
static bool choose_filter(png_work *work, png_compression compression)
{
    /* The last one takes the most time over all rows, so only slower levels of compression try it. */
    static const int filters[] = {PNG_FILTER_UP, PNG_FILTER_SUB, PNG_FILTER_BEST};
    size_t count = compression == PNG_COMPRESSION_FAST ? 2 : 3, least, size, limit;

    work->filter = PNG_FILTER_NONE;
    if (work->colour == PNG_PALETTE)
        return true; /* neighbours in a palette are no neighbours in colour */
    if (!sample_size(work, PNG_FILTER_NONE, 0, &least))
        return false;
    limit = least / 4 * 3;
    for (size_t i = 0; i < count; i++) {
        if (!sample_size(work, filters[i], 0, &size))
            return false;
        if (size < limit) {
            least = limit = size;
            work->filter = filters[i];
        }
    }
    /* If pixels hardly repeat, the matches of a long search are short and far, and take more bits than the literals
     * they replace. */
    if (compression == PNG_COMPRESSION_DEFAULT) {
        if (!sample_size(work, work->filter, work->effort, &size))
            return false;
        work->effort = size <= least + least / SAMPLE_DOUBT ? work->effort : 0;
    }
    return true;
}

/* ---- The best compression ---- */

bool png_prepare(png_compression compression)
{
    const packing_functions *packing;

    return compression != PNG_COMPRESSION_BEST || packing_open(&packing) == LIBRARY_OPEN;
}

/* Compresses the whole picture as one strip, by libdeflate. */
static png_result compress_whole(png_work *work, const packing_functions *packing)
{
    struct libdeflate_compressor *compressor = packing->libdeflate_alloc_compressor(BEST_LEVEL);
    row_room room = {0};
    strip best = {0};
    uint32_t height = work->canvas->height;
    size_t raw = work->stride * height;
    size_t bound = compressor ? packing->libdeflate_zlib_compress_bound(compressor, raw) : 0;
    bool good = compressor && row_room_create(work, height, &room);

    for (int filter = PNG_FILTER_NONE; good && filter <= PNG_FILTER_BEST; filter += PNG_FILTER_BEST) {
        uint8_t *data = malloc(bound);
        if (!data) {
            good = false;
            break;
        }
        make_rows(work, filter, 0, height, &room, room.rows);
        size_t length = packing->libdeflate_zlib_compress(compressor, room.rows, raw, data, bound);
        bool better = !best.data || length < best.length;
        free(better ? best.data : data);
        if (better) {
            best.data = data;
            best.length = length;
        }
        if (work->colour == PNG_PALETTE)
            break;
        if (work->progress)
            work->progress(filter == PNG_FILTER_NONE ? 1 : 2, 2);
    }
    packing->libdeflate_free_compressor(compressor);
    free(room.memory);
    png_result result = !good ? PNG_OUT_OF_MEMORY : put_strip(&work->output, &best) ? PNG_DONE : PNG_NOT_WRITTEN;
    free(best.data);
    return result;
}

/* ---- The file ---- */

/* Writes how large the picture is meant to be. */
static bool put_density(png_output *output, uint32_t pixels_per_metre)
{
    uint8_t density[9] = {[8] = 1}; /* the unit is the metre */

    store_u32(density, pixels_per_metre);
    store_u32(density + 4, pixels_per_metre);
    return pixels_per_metre == 0 || put_chunk(output, "pHYs", density, sizeof density);
}

static bool put_head(png_work *work, uint32_t pixels_per_metre)
{
    static const uint8_t signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    uint8_t header[13] = {[8] = 8, [9] = (uint8_t)work->colour}, colours[3 * PALETTE_MOST], alphas[PALETTE_MOST];
    png_output *output = &work->output;
    size_t translucent = 0;

    store_u32(header, work->canvas->width);
    store_u32(header + 4, work->canvas->height);
    if (!put(output, signature, sizeof signature) || !put_chunk(output, "IHDR", header, sizeof header) ||
        !put_density(output, pixels_per_metre))
        return false;
    if (work->colour != PNG_PALETTE)
        return true;
    for (size_t i = 0; i < work->censuses->count; i++) {
        uint32_t colour = work->censuses->colours[i];
        colours[3 * i] = (uint8_t)colour;
        colours[3 * i + 1] = (uint8_t)(colour >> 8);
        colours[3 * i + 2] = (uint8_t)(colour >> 16);
        alphas[i] = (uint8_t)(colour >> 24);
        translucent += alphas[i] < 255;
    }
    return put_chunk(output, "PLTE", colours, 3 * work->censuses->count) &&
           (translucent == 0 || put_chunk(output, "tRNS", alphas, translucent));
}

static void set_strips(png_work *work, size_t row_bytes)
{
    size_t rows = STRIP_BYTES / row_bytes;
    uint32_t height = work->canvas->height;

    work->strip_rows = rows < 1 ? 1 : rows < height ? (uint32_t)rows : height;
    work->strip_count = (height + work->strip_rows - 1) / work->strip_rows;
    atomic_store(&work->next, 0);
}

static void find_samples(png_work *work)
{
    for (size_t i = 0; i < work->indexed->colours->count; i++) {
        uint32_t colour = work->indexed->colours->colours[i];
        work->samples[i] =
            (uint8_t)(work->colour == PNG_PALETTE ? png_census_find(work->censuses, colour) : colour & 255);
    }
}

static bool choose_colour(png_work *work, uint32_t threads)
{
    set_strips(work, (size_t)work->canvas->width * PIXEL_BYTES);
    uint32_t workers = parallel_workers(threads, work->strip_count);
    work->pool = parallel_pool_create(workers);
    work->censuses = malloc(workers * sizeof *work->censuses);
    if (!work->pool || !work->censuses)
        return false;
    if (work->indexed) {
        const png_census *colours = work->indexed->colours;
        png_census_begin(work->censuses);
        png_census_add(work->censuses, (const uint8_t *)colours->colours, colours->count);
    } else {
        parallel_pool_run(work->pool, workers, count_colours, work);
        for (uint32_t i = 1; i < workers; i++)
            png_census_join(work->censuses, &work->censuses[i]);
    }
    work->colour = png_census_end(work->censuses);
    if (work->indexed)
        find_samples(work);
    work->pixel_bytes = png_pixel_bytes(work->colour);
    work->row_length = work->canvas->width * work->pixel_bytes;
    work->stride = work->row_length + 1;
    return true;
}

static png_result compress(png_work *work, const png_options *options)
{
    const packing_functions *packing;

    if (options->compression == PNG_COMPRESSION_BEST)
        return packing_open(&packing) == LIBRARY_OPEN ? compress_whole(work, packing) : PNG_OUT_OF_MEMORY;
    if (!choose_filter(work, options->compression))
        return PNG_OUT_OF_MEMORY;
    work->strips = calloc(work->strip_count, sizeof *work->strips);
    if (!work->strips)
        return PNG_OUT_OF_MEMORY;
    work->adler = 1;
    pthread_mutex_init(&work->writing, NULL);
    uint32_t workers = parallel_pool_threads(work->pool);
    parallel_pool_run(work->pool, workers < work->strip_count ? workers : work->strip_count, compress_strips, work);
    pthread_mutex_destroy(&work->writing);
    for (uint32_t i = 0; i < work->strip_count; i++)
        free(work->strips[i].data);
    free(work->strips);
    return atomic_load(&work->result);
}

static png_result encode(const png_canvas *canvas, const png_indexed *indexed, const png_options *options,
                         png_sink *sink, void *user)
{
    png_result result = PNG_OUT_OF_MEMORY;
    png_work *work = calloc(1, sizeof *work);

    if (!work)
        return result;
    work->canvas = canvas;
    work->indexed = indexed;
    work->output.sink = sink;
    work->output.user = user;
    work->progress = options->progress;
    work->effort = options->compression == PNG_COMPRESSION_FAST ? 0 : DEFAULT_EFFORT;
    if (choose_colour(work, options->threads)) {
        set_strips(work, work->stride);
        result = put_head(work, options->pixels_per_metre) ? compress(work, options) : PNG_NOT_WRITTEN;
    }
    if (result == PNG_DONE && !(put_chunk(&work->output, "IEND", (const uint8_t *)"", 0) && flush(&work->output)))
        result = PNG_NOT_WRITTEN;
    parallel_pool_destroy(work->pool);
    free(work->censuses);
    free(work);
    return result;
}

png_result png_encode(const png_canvas *canvas, const png_options *options, png_sink *sink, void *user)
{
    return encode(canvas, NULL, options, sink, user);
}

png_result png_encode_indexed(const png_indexed *indexed, const png_options *options, png_sink *sink, void *user)
{
    const png_canvas canvas = {.width = indexed->width, .height = indexed->height};

    return encode(&canvas, indexed, options, sink, user);
}
