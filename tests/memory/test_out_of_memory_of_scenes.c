/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Scenes on two threads: allocations fail on the way to the first picture, and on a device that has drawn others
 * before. */
#include "memory/attempt.h"

#include <glob.h>

#define FILE_COUNT 80u
#define MOST_ATTEMPTS 1000
#define THREADS 2u

/* Lossless WebP is left out: if memory is short, libwebp of Debian 12 frees a pointer that it never set. */
static bool has_lossless_webp(const input_file *file)
{
    return strstr(file->path, "image/formats.svg") != NULL;
}

/* ICU's break iterators lose blocks of their own. */
static bool is_text(const input_file *file)
{
    return strstr(file->path, "/text/") || strstr(file->path, "/no_fonts/");
}

/* Draws on a device that has drawn before. A failure there must not show in later frames. */
static void draw_warm(pietra_device *device, attempt *attempt, const picture *wanted)
{
    attempt->device = device;
    for (long number = 1; number != 0;) {
        long before = atomic_load(&allocation_count);
        attempt->number = number;
        begin_failing(number);
        pietra_result result = draw(attempt);
        begin_failing(0);
        bool failed = atomic_load(&allocation_count) - before >= number;
        if (result != PIETRA_OK && (result != PIETRA_ERROR_MEMORY || !failed))
            tell(attempt, "draw", attempt->error.message);
        if (result == PIETRA_OK && memcmp(attempt->picture->pixels, wanted->pixels, sizeof wanted->pixels) != 0)
            tell(attempt, "another picture", "warm");
        number = failed ? number + 1 : 0;
    }
}

static void try_warm(pietra_device *device, const input_file *file)
{
    static picture wanted, got;
    long left;
    attempt clean = make_attempt(file, THREADS, 0, &wanted, &left);
    attempt tried = {.file = file, .threads = THREADS, .picture = &got};
    if (!clean.refused && load(&tried) == PIETRA_OK && encode(&tried) == PIETRA_OK)
        draw_warm(device, &tried, &wanted);
    pietra_stream_destroy(tried.stream);
    pietra_scene_destroy(tried.scene);
}

static void test_scenes(void **state)
{
    (void)state;
    glob_t found;
    const pietra_device_options options = {.kind = PIETRA_DEVICE_CPU, .threads = THREADS};
    pietra_device *device;
    assert_int_equal(pietra_device_create(&options, NULL, &device), PIETRA_OK);
    assert_int_equal(glob("scenes/*/*.svg", 0, NULL, &found), 0);
    assert_true(found.gl_pathc > FILE_COUNT);
    for (size_t i = 0; i < FILE_COUNT; i++) {
        input_file file = read_file(found.gl_pathv[i * found.gl_pathc / FILE_COUNT]);
        if (!has_lossless_webp(&file)) {
            try_file(&file, THREADS, MOST_ATTEMPTS, is_text(&file));
            try_warm(device, &file);
        }
        free(file.bytes);
    }
    globfree(&found);
    pietra_device_destroy(device);
    assert_int_equal(fault_count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_scenes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
