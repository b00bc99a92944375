/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Takes a document from its bytes to a PNG file while one allocation fails. A step that reports the failure is
 * repeated, and must then succeed. A step that does not report it must have done all its work. In the end the picture
 * is the same, and no block is left. */
#ifndef TESTS_MEMORY_ATTEMPT_H
#define TESTS_MEMORY_ATTEMPT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "memory/allocations.h"
#include "pietra/pietra.h"
#include "pietra/pietra_explain.h"
#include "png/png_writer.h"
#include "pietra/pietra_text.h"

#define FONT "tests/golden/fonts/DejaVuSans.ttf" /* the font of all text */

#define SIDE 48u
#define MOST_FILE_BYTES ((size_t)1 << 20)

typedef struct input_file {
    const char *path;
    char *bytes;
    size_t count;
} input_file;

typedef struct picture {
    uint8_t pixels[4 * SIDE * SIDE];
    uint8_t png[16 * SIDE * SIDE];
    size_t png_count;
} picture;

typedef struct attempt {
    const input_file *file;
    uint32_t threads;
    long number; /* number of the allocation that fails; 0: none */
    pietra_scene *scene;
    pietra_stream *stream;
    pietra_device *device;
    double width, height;
    picture *picture;
    pietra_error error;
    bool reported; /* a step reported that memory is short */
    bool refused;  /* the document is bad, which is allowed */
    bool broken;   /* a repeated step failed; that has been reported */
} attempt;

static size_t fault_count;

/* Reports a failure and goes on, so that one run finds all failures. */
static void tell(const attempt *attempt, const char *what, const char *why)
{
    print_error("%s, allocation %ld: %s: %s\n", attempt->file->path, attempt->number, what, why);
    fault_count++;
}

static input_file read_file(const char *path)
{
    input_file file = {.path = path, .bytes = malloc(MOST_FILE_BYTES)};
    FILE *source = fopen(path, "rb");
    assert_non_null(source);
    assert_non_null(file.bytes);
    file.count = fread(file.bytes, 1, MOST_FILE_BYTES, source);
    assert_true(file.count > 0 && file.count < MOST_FILE_BYTES);
    fclose(source);
    return file;
}

static void drop_warning(void *user, uint32_t line, const char *message)
{
    (void)user;
    (void)line;
    (void)message;
}

static void drop_box(void *user, const char *id, const pietra_box *box)
{
    (void)user;
    (void)id;
    (void)box;
}

static void drop_origin(void *user, uint32_t label, const pietra_svg_origin *origin)
{
    (void)user;
    assert_true(label > 0 && origin->line > 0);
}

static void drop_step(void *user, const pietra_pixel_step *step)
{
    (void)user;
    assert_true(step->label > 0);
}

/* Finds the file's folder, for what the file refers to. */
static void find_folder(const char *path, char *folder, size_t size)
{
    snprintf(folder, size, "%.*s", (int)(strrchr(path, '/') - path), path);
}

static pietra_result load(attempt *attempt)
{
    char folder[1000];
    find_folder(attempt->file->path, folder, sizeof folder);
    pietra_fonts *fonts = pietra_fonts_create();
    if (!fonts) {
        attempt->error = (pietra_error){.result = PIETRA_ERROR_MEMORY, .message = "no fonts"};
        return PIETRA_ERROR_MEMORY;
    }
    pietra_result result = pietra_fonts_add_file(fonts, FONT, &attempt->error);
    const pietra_svg_options options = {
        .resources_directory = folder,
        .fonts = fonts,
        .style_sheet = ".no{fill:red}",
        .fragment = "v",
        .box = drop_box,
        .origin = drop_origin,
        .threads = attempt->threads,
        .warning = drop_warning,
    };
    if (result == PIETRA_OK && !attempt->scene)
        attempt->scene = pietra_scene_create();
    if (result == PIETRA_OK && !attempt->scene) {
        attempt->error = (pietra_error){.result = PIETRA_ERROR_MEMORY, .message = "no scene"};
        result = PIETRA_ERROR_MEMORY;
    }
    if (result == PIETRA_OK)
        result = pietra_scene_load_svg(attempt->scene, attempt->file->bytes, attempt->file->count, &options,
                                       &attempt->error, &attempt->width, &attempt->height);
    pietra_fonts_destroy(fonts);
    return result;
}

static pietra_result encode(attempt *attempt)
{
    return pietra_stream_encode_by(attempt->scene, attempt->threads, &attempt->error, &attempt->stream);
}

static pietra_result create_device(attempt *attempt)
{
    const pietra_device_options options = {.kind = PIETRA_DEVICE_CPU, .threads = attempt->threads};
    return pietra_device_create(&options, &attempt->error, &attempt->device);
}

static pietra_frame frame_of(const attempt *attempt)
{
    double scale = SIDE / (attempt->width > attempt->height ? attempt->width : attempt->height);
    return (pietra_frame){.transform = {.a = scale, .d = scale}};
}

/* Explains a pixel. The reference writes the pixels, and the device writes them anew in the next step. */
static pietra_result explain(attempt *attempt)
{
    const pietra_frame frame = frame_of(attempt);
    const pietra_target target = {.width = SIDE, .height = SIDE, .pixels = attempt->picture->pixels};
    return pietra_explain_pixel(attempt->device, attempt->stream, &frame, &target, SIDE / 2, SIDE / 2, drop_step, NULL,
                                &attempt->error);
}

static pietra_result draw(attempt *attempt)
{
    const pietra_frame frame = frame_of(attempt);
    const pietra_target target = {.width = SIDE, .height = SIDE, .pixels = attempt->picture->pixels};
    return pietra_render(attempt->device, attempt->stream, &frame, &target, &attempt->error, NULL);
}

static bool gather(void *user, const void *bytes, size_t count)
{
    picture *picture = user;
    assert_true(picture->png_count + count <= sizeof picture->png);
    memcpy(picture->png + picture->png_count, bytes, count);
    picture->png_count += count;
    return true;
}

static pietra_result write_png(attempt *attempt)
{
    const png_options options = {.threads = attempt->threads};
    png_canvas canvas;
    png_result result = PNG_OUT_OF_MEMORY;
    attempt->picture->png_count = 0;
    if (png_canvas_create(&canvas, SIDE, SIDE)) {
        memcpy(canvas.pixels, attempt->picture->pixels, sizeof attempt->picture->pixels);
        result = png_encode(&canvas, &options, gather, attempt->picture);
        png_canvas_destroy(&canvas);
    }
    assert_int_not_equal(result, PNG_NOT_WRITTEN);
    attempt->error = (pietra_error){.result = PIETRA_ERROR_MEMORY, .message = "no PNG file"};
    return result == PNG_DONE ? PIETRA_OK : PIETRA_ERROR_MEMORY;
}

static const struct {
    const char *name;
    pietra_result (*take)(attempt *attempt);
} steps[] = {{"load", load},       {"encode", encode}, {"create the device", create_device},
             {"explain", explain}, {"draw", draw},     {"write", write_png}};
#define STEP_COUNT (sizeof steps / sizeof steps[0])

/* Takes a step, and repeats it if memory was short. */
static void take_step(attempt *attempt, size_t step)
{
    pietra_result result = steps[step].take(attempt);
    if (result == PIETRA_ERROR_MEMORY && attempt->number != 0 && !attempt->reported &&
        attempt->error.result == result && attempt->error.message[0] != 0) {
        attempt->reported = true;
        result = steps[step].take(attempt);
    }
    attempt->refused = step == 0 && result == PIETRA_ERROR_INPUT;
    if (result != PIETRA_OK && !attempt->refused) {
        tell(attempt, steps[step].name, attempt->error.message);
        attempt->broken = true;
    }
}

static void take_all_steps(attempt *attempt)
{
    for (size_t i = 0; i < STEP_COUNT && !attempt->refused && !attempt->broken; i++)
        take_step(attempt, i);
    pietra_device_destroy(attempt->device);
    pietra_stream_destroy(attempt->stream);
    pietra_scene_destroy(attempt->scene);
}

/* Makes allocation `number` from here on fail; 0: none. */
static void begin_failing(long number)
{
    atomic_store(&allocation_failing, number ? atomic_load(&allocation_count) + number : 0);
}

/* Makes an attempt. *left is the number of blocks that were not freed. */
static attempt make_attempt(const input_file *file, uint32_t threads, long number, picture *picture, long *left)
{
    attempt made = {.file = file, .threads = threads, .number = number, .picture = picture};
    memset(picture, 0, sizeof *picture);
    long blocks = atomic_load(&block_count);
    begin_failing(number);
    take_all_steps(&made);
    begin_failing(0);
    *left = atomic_load(&block_count) - blocks;
    return made;
}

/* Compares the result with that of an attempt without a failure. */
static void compare(const attempt *tried, const attempt *clean)
{
    const picture *got = tried->picture, *wanted = clean->picture;
    if (tried->refused != clean->refused)
        tell(tried, "the document is wrong", tried->error.message);
    else if (memcmp(got->pixels, wanted->pixels, sizeof got->pixels) != 0)
        tell(tried, "another picture", tried->reported ? "after an error" : "and no error");
    else if (got->png_count != wanted->png_count || memcmp(got->png, wanted->png, got->png_count) != 0)
        tell(tried, "another PNG file", tried->reported ? "after an error" : "and no error");
}

/* A leak shows each time; what the C library keeps for a thread does not. */
static void try_one(const input_file *file, uint32_t threads, long number, bool others_lose, const attempt *clean)
{
    static picture got;
    long left = 1;
    for (unsigned times = threads > 1 ? 3 : 1; times > 0 && left != 0; times--) {
        attempt tried = make_attempt(file, threads, number, &got, &left);
        if (tried.broken)
            return;
        compare(&tried, clean);
    }
    if (left != 0 && !others_lose)
        tell(clean, "blocks are left over", "");
}

/* Makes one allocation after another fail, at most `most` of them, spread over all. PIETRA_FAILING names a single one
 * instead. `others_lose`: libraries of others lose blocks where an allocation fails. */
static void try_file(const input_file *file, uint32_t threads, long most, bool others_lose)
{
    static picture wanted;
    const char *only = getenv("PIETRA_FAILING");
    long left;
    /* The first attempt opens libraries, which keep what they need until the process ends. */
    make_attempt(file, threads, 0, &wanted, &left);
    long before = atomic_load(&allocation_count);
    attempt clean = make_attempt(file, threads, 0, &wanted, &left);
    long allocations = atomic_load(&allocation_count) - before, stride = 1 + (allocations - 1) / most;
    assert_false(clean.broken);
    for (long number = only ? atol(only) : 1; number <= (only ? atol(only) : allocations); number += stride) {
        clean.number = number;
        try_one(file, threads, number, others_lose, &clean);
    }
}

#endif
