/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Frames of the CPU device allocate nothing once it has drawn the stream, and neither does a composition once it has
 * shown as much twice. The linker's --wrap (cmake/tests.cmake)
 * counts the library's calls for memory. */
#include <stdatomic.h>

#include "all_sizes.h"
#include "pietra/pietra_instance.h"
#include "property/random_scene.h"
#include "scene/scene_fixture.h"

#define SIDE 400u
#define COLD_FRAMES 2
#define WARM_FRAMES (few_cases() ? 1 : all_sizes() ? 4 : 2)

static atomic_uint allocation_count;

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
int __real_posix_memalign(void **block, size_t alignment, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
int __wrap_posix_memalign(void **block, size_t alignment, size_t size);

void *__wrap_malloc(size_t size)
{
    allocation_count++;
    return __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    allocation_count++;
    return __real_calloc(count, size);
}

void *__wrap_realloc(void *block, size_t size)
{
    allocation_count++;
    return __real_realloc(block, size);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    allocation_count++;
    return __real_aligned_alloc(alignment, size);
}

int __wrap_posix_memalign(void **block, size_t alignment, size_t size)
{
    allocation_count++;
    return __real_posix_memalign(block, alignment, size);
}

/* A scene with lines for several batches. Most lie left of the target, where they take memory but little time. */
static pietra_scene *long_scene(void)
{
    random_source source = random_start(5);
    pietra_scene *scene = new_scene();
    for (int i = 0; i < 120; i++) {
        pietra_path *path = pietra_path_create();
        for (int k = 0; k < 2000; k++) {
            double x = random_between(&source, -15.0 * SIDE, SIDE), y = random_between(&source, 0, SIDE);
            pietra_path_line_to(path, x, y);
        }
        ASSERT_OK(pietra_scene_fill(scene, path, NULL, PIETRA_FILL_EVEN_ODD, &HALF, error));
        pietra_path_destroy(path);
    }
    return scene;
}

static pietra_scene *random_scenes(void)
{
    pietra_scene *scene = new_scene();
    for (uint64_t seed = 0; seed < (all_sizes() ? 30 : 10); seed++)
        random_scene_add(scene, seed, RANDOM_ANYTHING, SIDE);
    return scene;
}

static void draw(pietra_device *device, const pietra_stream *stream, bool may_spoil)
{
    static uint32_t pixels[SIDE * SIDE];
    pietra_target target = {.width = SIDE, .height = SIDE, .pixels = pixels, .may_spoil = may_spoil};
    ASSERT_OK(pietra_render(device, stream, NULL, &target, error, NULL));
}

static void expect_none(pietra_scene *scene, uint32_t threads, bool may_spoil)
{
    pietra_stream *stream = encode_and_destroy(scene);
    pietra_device *device;
    ASSERT_OK(
        pietra_device_create(&(pietra_device_options){.kind = PIETRA_DEVICE_CPU, .threads = threads}, error, &device));
    unsigned before = allocation_count;
    for (int i = 0; i < COLD_FRAMES; i++)
        draw(device, stream, may_spoil);
    assert_true(allocation_count > before);
    for (int i = 0; i < WARM_FRAMES; i++) {
        before = allocation_count;
        draw(device, stream, may_spoil);
        if (allocation_count != before)
            fail_msg("%u threads: warm frame %d made %u allocations", threads, i, allocation_count - before);
    }
    pietra_device_destroy(device);
    pietra_stream_destroy(stream);
}

static void test_one_thread(void **state)
{
    (void)state;
    pietra_scene *(*const scenes[])(void) = {complex_scene, masking_scene, blending_scene, image_scene,
                                             surface_scene, random_scenes, long_scene};
    for (size_t i = 0; i < sizeof scenes / sizeof scenes[0]; i++) {
        expect_none(scenes[i](), 1, false);
        expect_none(scenes[i](), 1, true);
    }
}

/* All lines fit one batch here. Several batches are cut at different places from frame to frame, so that a piece may
 * need more blocks than before. */
static void test_several_threads(void **state)
{
    (void)state;
    for (uint32_t threads = 2; threads <= 5; threads += 3) {
        expect_none(complex_scene(), threads, false);
        expect_none(random_scenes(), threads, false);
    }
}

/* The instances move, fade, are clipped and change their order and colours. */
static void test_compositions(void **state)
{
    (void)state;
    static const pietra_color inks[] = {{1, 0, 0, 1}, {0, 1, 0, 0.5f}, {0, 0, 1, 1}};
    pietra_scene *(*const scenes[])(void) = {complex_scene, masking_scene, blending_scene, image_scene, surface_scene};
    pietra_stream *streams[sizeof scenes / sizeof scenes[0]];
    const size_t count = sizeof scenes / sizeof scenes[0];
    for (size_t i = 0; i < count; i++)
        streams[i] = encode_and_destroy(scenes[i]());
    pietra_composition *composition = pietra_composition_create();
    for (size_t call = 0; call < 8; call++) {
        pietra_instance instances[20] = {{NULL}};
        const size_t shown = call < 2 ? 20 : 20 - call;
        const float fade = call == 0 ? 0.5f : 0.6f; /* the second call writes all again */
        for (size_t i = 0; i < shown; i++)
            instances[i] = (pietra_instance){.stream = streams[(call < 2 ? i : i * call) % count],
                                             .transform = {1, 0.1, 0.2, 1, (double)call, (double)i},
                                             .transparency = (i + call) % 3 == 0 || call < 2 ? fade : 0,
                                             .clip = {1, 1, i % 2 || call < 2 ? 9 : 1, 9},
                                             .slots = inks,
                                             .slot_count = (uint32_t)(1 + (i + call) % 3)};
        const pietra_stream *stream;
        const unsigned before = allocation_count;
        ASSERT_OK(pietra_composition_set(composition, instances, shown, error, &stream));
        if (call >= 2 && allocation_count != before)
            fail_msg("call %zu made %u allocations", call, allocation_count - before);
    }
    pietra_composition_destroy(composition);
    for (size_t i = 0; i < count; i++)
        pietra_stream_destroy(streams[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_one_thread), cmocka_unit_test(test_several_threads),
                                       cmocka_unit_test(test_compositions)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
