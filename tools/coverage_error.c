/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* coverage_error: measures how far pictures are from the same drawings, drawn 16 times as large and averaged.
 *
 *     coverage_error [--width PIXELS] [--peer NAME=FOLDER] ... FILE.svg ...
 *
 * Draws each file on white by the CPU device, PIXELS wide (by default as wide as the drawing says), and once more 16
 * times as large. The mean of a block of 16 x 16 pixels of the large picture is what the pixel of the small picture
 * should be, and the distance between them is an error. Red, green and blue count, each by itself, of all pixels that
 * are not white in the small picture or not all white in the large one. Prints a table in markdown, with a row for each
 * file: the mean, the 99th percentile and the greatest of these errors, in levels of 255.
 *
 * --peer adds a column for another renderer, which has drawn the files before: FOLDER/FILE.1.png is the small picture
 * of FILE.svg and FOLDER/FILE.16.png the large one. What is transparent there is laid on white. Each renderer is
 * measured against its own large picture, so that only its coverage counts, and not what it thinks a drawing means. A
 * column says "none" where a peer has no small picture, and "blank" where it has drawn nothing.
 *
 * Errors are whole multiples of 1 / 65280 level, so the table is exact. The large picture takes 1 KiB of memory for
 * each pixel of the small one. */
#include <errno.h>
#include <math.h>
#include <pietra/pietra.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "image/image.h"

#define TIMES 16u /* how much larger the large picture is */
#define MOST_WIDTH (PIETRA_MAX_SIDE / TIMES)
#define MOST_PIXELS (UINT64_C(1) << 30)
#define MOST_PEERS 16u

/* Amounts of light on white are counted in 1 / 255 level, and errors in 1 / (255 * TIMES^2). */
#define ERRORS_A_LEVEL (255.0 * TIMES * TIMES)

typedef struct picture {
    uint32_t width, height;
    uint8_t *pixels; /* straight RGBA, rows without gaps */
} picture;

typedef struct figures {
    double mean, percentile, greatest; /* in levels */
    size_t count;                      /* count of errors; 0: the picture is blank */
} figures;

typedef struct peer {
    const char *name, *folder;
} peer;

static void stop(const char *name, const char *why)
{
    fprintf(stderr, "coverage_error: %s: %s\n", name, why);
    exit(1);
}

static uint8_t *read_open_file(FILE *file, const char *name, size_t *count)
{
    long size = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;

    if (size < 0)
        stop(name, "cannot be read");
    rewind(file);
    *count = (size_t)size;
    uint8_t *bytes = malloc(*count + 1);
    if (!bytes || fread(bytes, 1, *count, file) != *count)
        stop(name, bytes ? "cannot be read" : "out of memory");
    fclose(file);
    return bytes;
}

/* ---- Pietra's pictures ---- */

/* Returns the stream of a file, with the size that the drawing gives itself. */
static pietra_stream *read_drawing(const char *name, double *width, double *height)
{
    FILE *file = fopen(name, "rb");
    size_t count;
    pietra_scene *scene = pietra_scene_create();
    pietra_stream *stream = NULL;
    pietra_error error = {.result = PIETRA_ERROR_MEMORY, .message = "out of memory"};

    if (!file || !scene)
        stop(name, file ? error.message : strerror(errno));
    uint8_t *bytes = read_open_file(file, name, &count);
    if (pietra_scene_load_svg(scene, bytes, count, NULL, &error, width, height) != PIETRA_OK ||
        pietra_stream_encode(scene, &error, &stream) != PIETRA_OK)
        stop(name, error.message);
    pietra_scene_destroy(scene);
    free(bytes);
    return stream;
}

static picture draw(pietra_device *device, const pietra_stream *stream, double scale, uint32_t width, uint32_t height,
                    const char *name)
{
    picture image = {width, height, malloc((size_t)4 * width * height)};
    pietra_target target = {.width = width, .height = height, .pixels = image.pixels, .may_spoil = true};
    pietra_frame frame = {.transform = {.a = scale, .d = scale}, .background = {1, 1, 1, 1}};
    pietra_error error = {.result = PIETRA_ERROR_MEMORY, .message = "out of memory"};

    if (!image.pixels || pietra_render(device, stream, &frame, &target, &error, NULL) != PIETRA_OK)
        stop(name, error.message);
    return image;
}

/* ---- Errors ---- */

static uint32_t light_on_white(const uint8_t *pixel, unsigned channel)
{
    return pixel[channel] * (uint32_t)pixel[3] + 255 * (255 - (uint32_t)pixel[3]);
}

static const uint8_t *pixel_at(const picture *image, uint32_t x, uint32_t y)
{
    return image->pixels + 4 * ((size_t)y * image->width + x);
}

/* Adds up the light of a pixel's block in the large picture. Returns whether all of the block is white. */
static bool add_block(const picture *large, uint32_t x, uint32_t y, uint32_t sums[3])
{
    bool white = true;

    sums[0] = sums[1] = sums[2] = 0;
    for (uint32_t row = 0; row < TIMES; row++) {
        const uint8_t *pixel = pixel_at(large, TIMES * x, TIMES * y + row);
        for (uint32_t column = 0; column < TIMES; column++, pixel += 4) {
            for (unsigned channel = 0; channel < 3; channel++) {
                uint32_t light = light_on_white(pixel, channel);
                sums[channel] += light;
                white &= light == 255 * 255;
            }
        }
    }
    return white;
}

static size_t find_errors(const picture *small, const picture *large, uint32_t *errors)
{
    size_t count = 0;

    for (uint32_t y = 0; y < small->height; y++) {
        for (uint32_t x = 0; x < small->width; x++) {
            uint32_t sums[3], found[3];
            bool white = add_block(large, x, y, sums);
            for (unsigned channel = 0; channel < 3; channel++) {
                uint32_t light = light_on_white(pixel_at(small, x, y), channel), expected = light * TIMES * TIMES;
                found[channel] = expected > sums[channel] ? expected - sums[channel] : sums[channel] - expected;
                white &= light == 255 * 255;
            }
            if (!white) {
                memcpy(errors + count, found, sizeof found);
                count += 3;
            }
        }
    }
    return count;
}

static int compare_errors(const void *a, const void *b)
{
    uint32_t first = *(const uint32_t *)a, second = *(const uint32_t *)b;

    return (first > second) - (first < second);
}

static figures measure(const picture *small, const picture *large, const char *name)
{
    figures figures = {0};
    uint32_t *errors = malloc(sizeof *errors * 3 * small->width * small->height);
    double sum = 0; /* exact: below 2^53 */

    if (large->width != TIMES * small->width || large->height != TIMES * small->height)
        stop(name, "the large picture is not 16 times as large as the small one");
    if (!errors)
        stop(name, "out of memory");
    figures.count = find_errors(small, large, errors);
    if (figures.count > 0) {
        qsort(errors, figures.count, sizeof *errors, compare_errors);
        for (size_t i = 0; i < figures.count; i++)
            sum += errors[i];
        figures.mean = sum / (double)figures.count / ERRORS_A_LEVEL;
        /* The least error that 99 of 100 do not exceed. */
        figures.percentile = errors[(99 * figures.count + 99) / 100 - 1] / ERRORS_A_LEVEL;
        figures.greatest = errors[figures.count - 1] / ERRORS_A_LEVEL;
    }
    free(errors);
    return figures;
}

/* ---- The table ---- */

static void print_figures(figures figures)
{
    if (figures.count == 0)
        printf(" blank |");
    else
        printf(" %.2f, %.1f, %.1f |", figures.mean, figures.percentile, figures.greatest);
    fflush(stdout);
}

static void print_ours(pietra_device *device, const char *name, uint32_t wanted_width)
{
    double width, height;
    pietra_stream *stream = read_drawing(name, &width, &height);
    double scale = wanted_width > 0 ? wanted_width / width : 1;
    double columns = fmax(round(width * scale), 1), rows = fmax(round(height * scale), 1);

    if (columns > MOST_WIDTH || rows > MOST_WIDTH)
        stop(name, "the picture is too large");
    uint32_t x = (uint32_t)columns, y = (uint32_t)rows;
    picture small = draw(device, stream, scale, x, y, name);
    picture large = draw(device, stream, TIMES * scale, TIMES * x, TIMES * y, name);
    pietra_stream_destroy(stream);
    print_figures(measure(&small, &large, name));
    free(small.pixels);
    free(large.pixels);
}

/* Reads a peer's picture. A picture without pixels: there is no such file. */
static picture read_picture(const peer *peer, const char *drawing, size_t drawing_length, unsigned times)
{
    char name[4096];
    size_t count;
    image_pixels pixels;

    snprintf(name, sizeof name, "%s/%.*s.%u.png", peer->folder, (int)drawing_length, drawing, times);
    FILE *file = fopen(name, "rb");
    if (!file && errno == ENOENT)
        return (picture){0};
    if (!file)
        stop(name, strerror(errno));
    uint8_t *bytes = read_open_file(file, name, &count);
    const char *wrong = image_decode(bytes, count, MOST_PIXELS, &pixels);
    if (wrong)
        stop(name, wrong);
    free(bytes);
    return (picture){pixels.width, pixels.height, pixels.rgba};
}

static void print_peer(const peer *peer, const char *drawing, size_t drawing_length)
{
    picture small = read_picture(peer, drawing, drawing_length, 1);

    if (!small.pixels) {
        printf(" none |");
        return;
    }
    picture large = read_picture(peer, drawing, drawing_length, TIMES);
    if (!large.pixels)
        stop(peer->name, "there is a small picture and no large one");
    print_figures(measure(&small, &large, peer->name));
    free(small.pixels);
    free(large.pixels);
}

static void print_row(pietra_device *device, const char *name, uint32_t width, const peer *peers, size_t peer_count)
{
    const char *slash = strrchr(name, '/'), *drawing = slash ? slash + 1 : name, *dot = strrchr(drawing, '.');
    size_t length = dot ? (size_t)(dot - drawing) : strlen(drawing);

    printf("| %.*s |", (int)length, drawing);
    print_ours(device, name, width);
    for (size_t i = 0; i < peer_count; i++)
        print_peer(&peers[i], drawing, length);
    puts("");
}

static void print_head(const peer *peers, size_t peer_count)
{
    printf("| drawing | Pietra |");
    for (size_t i = 0; i < peer_count; i++)
        printf(" %s |", peers[i].name);
    printf("\n|---|---|");
    for (size_t i = 0; i < peer_count; i++)
        printf("---|");
    puts("");
}

/* ---- The command line ---- */

static uint32_t parse_width(const char *text)
{
    char *end;
    unsigned long width = strtoul(text, &end, 10);

    if (*end || width == 0 || width > MOST_WIDTH)
        stop(text, "no width in pixels, or too large");
    return (uint32_t)width;
}

/* Takes NAME=FOLDER apart. */
static peer parse_peer(char *text)
{
    char *equals = strchr(text, '=');

    if (!equals)
        stop(text, "no NAME=FOLDER");
    *equals = 0;
    return (peer){text, equals + 1};
}

int main(int count, char **arguments)
{
    const pietra_device_options options = {.kind = PIETRA_DEVICE_CPU};
    pietra_device *device;
    pietra_error error = {.result = PIETRA_ERROR_MEMORY, .message = "out of memory"};
    peer peers[MOST_PEERS];
    size_t peer_count = 0;
    uint32_t width = 0;
    int i = 1;

    for (; i + 1 < count && strncmp(arguments[i], "--", 2) == 0; i += 2)
        if (strcmp(arguments[i], "--width") == 0)
            width = parse_width(arguments[i + 1]);
        else if (strcmp(arguments[i], "--peer") == 0 && peer_count < MOST_PEERS)
            peers[peer_count++] = parse_peer(arguments[i + 1]);
        else
            stop(arguments[i], "unknown option, or too many peers");
    if (i >= count)
        stop("usage", "coverage_error [--width PIXELS] [--peer NAME=FOLDER] ... FILE.svg ...");
    if (pietra_device_create(&options, &error, &device) != PIETRA_OK)
        stop("device", error.message);
    print_head(peers, peer_count);
    for (; i < count; i++)
        print_row(device, arguments[i], width, peers, peer_count);
    pietra_device_destroy(device);
    return 0;
}
