/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Frames with random effects: the same bytes from all devices, with any budget and any number of threads. */
#include "property/random_effect.h"
#include "render/open_device.h"

#define SIDE 64u
#define SEEDS 16u

static const pietra_transform views[] = {
    {1, 0, 0, 1, 0, 0},   {1, 0, 0, 1, 0.5, -7.25},    {-1, 0, 0, 1, 90, 0},
    {0, 1, -1, 0, 90, 0}, {0.9, 0.3, -0.3, 0.9, 9, 2}, {0.4, 0, 0, 0.4, 20, 20},
};

/* If the budget is too small, *named is the one that the error names. */
static pietra_result draw(pietra_device *device, const pietra_stream *stream, size_t view, uint32_t *pixels,
                          uint64_t *named)
{
    const pietra_frame frame = {.transform = views[view], .background = {0.25f, 0.5f, 1, 0.5f}};
    const pietra_target target = {
        .width = SIDE, .height = SIDE, .format = PIETRA_FORMAT_RGBA8_PREMULTIPLIED, .pixels = pixels};
    pietra_error error;
    memset(pixels, 0xa5, 4 * SIDE * SIDE);
    pietra_result result = pietra_render(device, stream, &frame, &target, &error, NULL);
    if (result != PIETRA_OK && result != PIETRA_ERROR_BUDGET)
        fail_msg("%s", error.message);
    if (result == PIETRA_ERROR_BUDGET && named)
        *named = strtoull(error.message + strcspn(error.message, "0123456789"), NULL, 10);
    return result;
}

static void compare(const char *what, uint64_t seed, size_t view, const uint32_t *expected, const uint32_t *found)
{
    for (uint32_t i = 0; i < SIDE * SIDE; i++)
        if (expected[i] != found[i])
            fail_msg("%s, seed %d, view %d: pixel %u, %u is %08x, not %08x", what, (int)seed, (int)view, i % SIDE,
                     i / SIDE, found[i], expected[i]);
}

static void check_named(pietra_device_kind kind, uint64_t named, const pietra_stream *stream, size_t view)
{
    static uint32_t pixels[SIDE * SIDE];
    pietra_device *device = open_device(kind, 1, named);
    if (draw(device, stream, view, pixels, NULL) != PIETRA_OK)
        fail_msg("%llu bytes are named, and do not suffice", (unsigned long long)named);
    pietra_device_destroy(device);
}

static void test_same_bytes(void **state)
{
    (void)state;
    static uint32_t expected[SIDE * SIDE], found[SIDE * SIDE];
    static const struct {
        const char *name;
        pietra_device_kind kind;
        uint32_t threads;
        uint64_t budget;
    } others[] = {
        {"CPU", PIETRA_DEVICE_CPU, 1, 0},           {"two threads", PIETRA_DEVICE_CPU, 2, 0},
        {"1 MiB", PIETRA_DEVICE_CPU, 1, 1u << 20},  {"256 KiB", PIETRA_DEVICE_CPU, 1, 1u << 18},
        {"16 KiB", PIETRA_DEVICE_CPU, 1, 1u << 14}, {"GPU", PIETRA_DEVICE_GPU, 1, 0},
    };
    enum { OTHERS = sizeof others / sizeof others[0] };
    pietra_device *reference = open_device(PIETRA_DEVICE_REFERENCE, 1, 0), *devices[OTHERS];
    uint32_t refused = 0;
    for (size_t i = 0; i < OTHERS; i++)
        devices[i] = open_device(others[i].kind, others[i].threads, others[i].budget);
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        pietra_stream *stream = encode_and_destroy(random_effect_scene_create(seed, SIDE));
        const size_t view = seed % (sizeof views / sizeof views[0]);
        assert_int_equal(draw(reference, stream, view, expected, NULL), PIETRA_OK);
        for (size_t i = 0; i < OTHERS; i++) {
            uint64_t named = 0;
            pietra_result result = draw(devices[i], stream, view, found, &named);
            refused += result != PIETRA_OK && others[i].budget > 1u << 14;
            assert_true(result == PIETRA_OK || others[i].budget != 0);
            if (result == PIETRA_OK)
                compare(others[i].name, seed, view, expected, found);
            else
                check_named(others[i].kind, named, stream, view);
        }
        pietra_stream_destroy(stream);
    }
    /* Most frames can be drawn in bands. */
    print_message("%u of %u frames were refused\n", refused, 2 * SEEDS);
    assert_true(refused < SEEDS);
    for (size_t i = 0; i < OTHERS; i++)
        pietra_device_destroy(devices[i]);
    pietra_device_destroy(reference);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_same_bytes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
