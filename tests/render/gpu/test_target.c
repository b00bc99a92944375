/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The largest picture, 4 GiB, which no kernel sees as a whole, is the same by the first GPU and by the CPU. Both draw
 * into the same memory, so that one copy suffices. */
#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "vulkan/gpu_fixture.h"

#define SIDE PIETRA_MAX_SIDE
#define BYTES ((uint64_t)SIDE * SIDE * 4)
/* What a frame's buffers, the window on the device, its copy and the drivers take in addition to the picture. */
#define BESIDE ((uint64_t)5 << 29)

static uint64_t available_memory(void)
{
    char line[200];
    unsigned long long kilobytes = 0;
    FILE *file = fopen("/proc/meminfo", "r");
    while (file && kilobytes == 0 && fgets(line, sizeof line, file))
        (void)sscanf(line, "MemAvailable: %llu kB", &kilobytes);
    if (file)
        fclose(file);
    return (uint64_t)kilobytes * 1024;
}

/* Shapes in every window, many of them across borders of windows. */
static pietra_stream *make_stream(void)
{
    pietra_error error;
    pietra_stream *stream;
    const pietra_stop stops[] = {{0, {1, 0.8f, 0.2f, 1}}, {0.5f, {0.2f, 0.4f, 0.9f, 0.6f}}, {1, {0, 0, 0.3f, 1}}};
    const pietra_paint gradient = {
        .kind = PIETRA_PAINT_LINEAR, .x1 = SIDE, .y1 = SIDE, .stops = stops, .stop_count = 3};
    const pietra_paint solid = {.color = {0.1f, 0.9f, 0.3f, 0.7f}};
    const pietra_stroke stroke = {.width = 41, .miter_limit = 4, .join = PIETRA_JOIN_ROUND};
    pietra_scene *scene = pietra_scene_create();
    pietra_path *disc = pietra_path_create(), *star = pietra_path_create();
    pietra_path_ellipse(disc, SIDE / 2.0, SIDE / 2.0, SIDE * 0.45, SIDE * 0.49);
    for (int i = 0; i < 17; i++) {
        double angle = 2 * 3.14159265 * 5 * i / 17;
        (i ? pietra_path_line_to : pietra_path_move_to)(star, SIDE / 2.0 * (1 + 1.1 * cos(angle)),
                                                        SIDE / 2.0 * (1 + 1.1 * sin(angle)));
    }
    pietra_path_close(star);
    assert_int_equal(pietra_scene_fill(scene, disc, NULL, PIETRA_FILL_NONZERO, &gradient, &error), PIETRA_OK);
    assert_int_equal(pietra_scene_stroke(scene, star, NULL, &stroke, &solid, &error), PIETRA_OK);
    assert_int_equal(pietra_stream_encode(scene, &error, &stream), PIETRA_OK);
    pietra_path_destroy(disc);
    pietra_path_destroy(star);
    pietra_scene_destroy(scene);
    return stream;
}

/* Draws by a device of this kind, and returns a hash of each row. */
static uint64_t *draw_and_hash(const pietra_device_options *options, const pietra_stream *stream, uint8_t *pixels,
                               pietra_stats *stats)
{
    pietra_error error;
    pietra_device *device;
    const pietra_target target = {.width = SIDE, .height = SIDE, .pixels = pixels, .may_spoil = true};
    uint64_t *hashes = malloc(SIDE * sizeof *hashes);
    assert_non_null(hashes);
    memset(pixels, 0, BYTES);
    if (pietra_device_create(options, &error, &device) != PIETRA_OK ||
        pietra_render(device, stream, NULL, &target, &error, stats) != PIETRA_OK) {
        fail_msg("%s", error.message);
    }
    pietra_device_destroy(device);
    for (uint32_t y = 0; y < SIDE; y++)
        hashes[y] = hash_bytes(pixels + (size_t)y * SIDE * 4, (size_t)SIDE * 4);
    return hashes;
}

static void test_largest(void **state)
{
    (void)state;
    if (available_memory() < BYTES + BESIDE) {
        print_message("skipped: the picture and what it takes to draw it are %llu MiB, of which %llu are there\n",
                      (unsigned long long)((BYTES + BESIDE) >> 20), (unsigned long long)(available_memory() >> 20));
        skip();
    }
    gpu_fixture fixture = {.messages = 0};
    const pietra_device_options gpu = gpu_fixture_options(&fixture), cpu = {.kind = PIETRA_DEVICE_CPU};
    uint8_t *pixels = malloc(BYTES);
    assert_non_null(pixels);
    pietra_stream *stream = make_stream();
    pietra_stats stats = {.parts = 0}, cpu_stats;
    uint64_t *found = draw_and_hash(&gpu, stream, pixels, &stats),
             *expected = draw_and_hash(&cpu, stream, pixels, &cpu_stats);
    print_message("%u parts, %.0f ms drawn, %.0f ms read\n", stats.parts, stats.frame_ms, stats.read_ms);
    assert_true(stats.parts > 1);
    assert_int_equal(fixture.messages, 0);
    uint32_t different = 0;
    for (uint32_t y = 1; y < SIDE; y++) {
        assert_int_equal(found[y], expected[y]);
        different += found[y] != found[y - 1];
    }
    assert_true(found[0] == expected[0] && different > SIDE / 2);
    free(found);
    free(expected);
    free(pixels);
    pietra_stream_destroy(stream);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_largest),
    };
    return cmocka_run_group_tests_name("slow_gpu_target", tests, NULL, NULL);
}
