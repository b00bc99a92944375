/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* png_speed: measures how fast the command's PNG encoder is on one thread, beside libdeflate's first level on
 * unfiltered rows.
 *
 *     png_speed [--fast] [--write FOLDER] FILE.png ...
 *
 * Reads each file and encodes its pixels repeatedly for some seconds; the least processor time counts. Prints megabytes
 * of pixels (four bytes each) a second, and the file's size divided by libdeflate's. --fast measures only the fast
 * level, without libdeflate, for profiles. --write keeps the encoded files, for other decoders to check. */
#define _POSIX_C_SOURCE 200809L

#include <libdeflate.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "image/image.h"
#include "png/png_writer.h"

#define SECONDS_EACH 0.5
#define MOST_PIXELS (UINT64_C(1) << 30)

static double processor_seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void stop(const char *name, const char *why)
{
    fprintf(stderr, "png_speed: %s: %s\n", name, why);
    exit(1);
}

static uint8_t *read_file(const char *name, size_t *count)
{
    FILE *file = fopen(name, "rb");

    if (!file || fseek(file, 0, SEEK_END) != 0)
        stop(name, "cannot be read");
    *count = (size_t)ftell(file);
    rewind(file);
    uint8_t *bytes = malloc(*count + 1);
    if (!bytes || fread(bytes, 1, *count, file) != *count)
        stop(name, "cannot be read");
    fclose(file);
    return bytes;
}

static void keep(const char *folder, const char *name, const char *how, const uint8_t *bytes, size_t count)
{
    char path[4096];
    const char *slash = strrchr(name, '/');

    snprintf(path, sizeof path, "%s/%s.%s.png", folder, slash ? slash + 1 : name, how);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, count, file) != count || fclose(file) != 0)
        stop(path, "cannot be written");
}

typedef struct buffer {
    uint8_t *bytes;
    size_t count, room;
} buffer;

static bool gather(void *user, const void *bytes, size_t count)
{
    buffer *buffer = user;

    if (buffer->count + count > buffer->room)
        return false;
    memcpy(buffer->bytes + buffer->count, bytes, count);
    buffer->count += count;
    return true;
}

/* Returns the seconds that one encoding takes. */
static double time_writer(const png_canvas *canvas, png_compression compression, buffer *out)
{
    double least = 1e9, end = processor_seconds() + SECONDS_EACH;

    do {
        double start = processor_seconds();
        out->count = 0;
        if (png_encode(canvas, &(png_options){.compression = compression, .threads = 1}, gather, out) != PNG_DONE)
            stop("png_encode", "failed");
        double taken = processor_seconds() - start;
        least = taken < least ? taken : least;
    } while (processor_seconds() < end);
    return least;
}

static double time_libdeflate(const png_canvas *canvas, size_t *count)
{
    size_t row = (size_t)canvas->width * 4, raw = (row + 1) * canvas->height;
    struct libdeflate_compressor *compressor = libdeflate_alloc_compressor(1);
    uint8_t *rows = malloc(raw), *out = malloc(libdeflate_zlib_compress_bound(NULL, raw));
    double least = 1e9, end = processor_seconds() + SECONDS_EACH;

    if (!compressor || !rows || !out)
        stop("libdeflate", "out of memory");
    do {
        double start = processor_seconds();
        for (uint32_t y = 0; y < canvas->height; y++) {
            rows[y * (row + 1)] = 0;
            memcpy(rows + y * (row + 1) + 1, canvas->pixels + y * row, row);
        }
        *count = libdeflate_zlib_compress(compressor, rows, raw, out, libdeflate_zlib_compress_bound(NULL, raw));
        double taken = processor_seconds() - start;
        least = taken < least ? taken : least;
    } while (processor_seconds() < end);
    libdeflate_free_compressor(compressor);
    free(rows);
    free(out);
    return least;
}

static void measure(const char *name, bool fast_alone, const char *folder)
{
    static const char *const names[] = {"default", "fast"};
    png_canvas canvas;
    image_pixels pixels;
    buffer out = {0};
    size_t count, other_count = 1;
    uint8_t *bytes = read_file(name, &count);
    const char *wrong = image_decode(bytes, count, MOST_PIXELS, &pixels);

    free(bytes);
    if (wrong || !png_canvas_create(&canvas, pixels.width, pixels.height))
        stop(name, wrong ? wrong : "out of memory");
    double megabytes = 4e-6 * pixels.width * pixels.height, seconds;
    memcpy(canvas.pixels, pixels.rgba, (size_t)4 * pixels.width * pixels.height);
    out.room = (size_t)8 * pixels.width * pixels.height + (1 << 20);
    out.bytes = malloc(out.room);
    if (!out.bytes)
        stop(name, "out of memory");
    seconds = fast_alone ? 1 : time_libdeflate(&canvas, &other_count);
    printf("%-40s libdeflate %6.0f", name, megabytes / seconds);
    for (int compression = PNG_COMPRESSION_FAST;
         compression >= (fast_alone ? PNG_COMPRESSION_FAST : PNG_COMPRESSION_DEFAULT); compression--) {
        seconds = time_writer(&canvas, (png_compression)compression, &out);
        printf("   %s %6.0f MB/s, size %.3f (type %d)", names[compression], megabytes / seconds,
               (double)out.count / (double)other_count, out.bytes[25]);
        if (folder)
            keep(folder, name, names[compression], out.bytes, out.count);
    }
    free(out.bytes);
    puts("");
    fflush(stdout);
    png_canvas_destroy(&canvas);
    free(pixels.rgba);
}

int main(int count, char **arguments)
{
    const char *folder = NULL;
    bool fast_alone = false;

    for (int i = 1; i < count; i++)
        if (strcmp(arguments[i], "--write") == 0 && i + 1 < count)
            folder = arguments[++i];
        else if (strcmp(arguments[i], "--fast") == 0)
            fast_alone = true;
        else
            measure(arguments[i], fast_alone, folder);
    return 0;
}
