/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What the tests of the primitives share: a validated device, one block of memory that is uploaded, worked on and read
 * back as a whole, guard words between its ranges, and inputs of every kind. */
#ifndef PIETRA_TESTS_PRIMITIVE_HARNESS_H
#define PIETRA_TESTS_PRIMITIVE_HARNESS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "all_sizes.h"
#include "vulkan/device.h"
#include "vulkan/gpu_without.h"
#include "vulkan/memory.h"
#include "vulkan/recorder.h"
#include "layout/primitive.h"
#include "primitive/primitive.h"

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))
#define HARNESS_ALIGNMENT 256u
#define HARNESS_GUARD 0xa5c3a5c3u
#define HARNESS_MAX_RANGES 16u

/* Schedules that a primitive must survive. Where partitions publish nothing the spin limit is low, because otherwise
 * the tests would do nothing but wait. All but the first two are for hardware and for the night: a driver that compiles
 * for the processor takes one to nine seconds for each program. */
static const primitive_options harness_schedules[] = {
    {0},
    {.order = LOOK_BACK_ORDER_SHUFFLED, .fault_period = 3, .spin_limit = 4},
    {.fault_period = 1, .spin_limit = 4},
    {.order = LOOK_BACK_ORDER_SHUFFLED, .spin_limit = 64},
    {.order = LOOK_BACK_ORDER_REVERSED, .fault_period = 2, .spin_limit = 4},
    {.order = LOOK_BACK_ORDER_REVERSED, .spin_limit = 16},
    {.fault_period = 3, .spin_limit = 4},
};

typedef struct harness {
    gpu_device *device;
    gpu_recorder *recorder;
    gpu_buffer upload, data, readback;
    char *inputs; /* what is uploaded; kept because reading a device's own memory is slow */
    uint32_t range_count;
    gpu_range ranges[HARNESS_MAX_RANGES];
    uint64_t used;
    uint32_t messages; /* from the validation layer */
} harness;

static inline void harness_log(void *user, const char *message)
{
    harness *h = user;
    h->messages++;
    fprintf(stderr, "%s\n", message);
}

static inline void harness_check(pietra_result result, const pietra_error *error)
{
    if (result != PIETRA_OK)
        fail_msg("%s", error->message);
}

static inline void harness_open(harness *h, uint64_t bytes)
{
    *h = (harness){0};
    pietra_error error = {0};
    /* For machines with a GPU but without the layer. */
    bool validation = !getenv("PIETRA_TEST_WITHOUT_VALIDATION");
    pietra_device_options options = {
        .kind = PIETRA_DEVICE_GPU, .validation = validation, .log = harness_log, .log_user = h, .cache_directory = ""};
    harness_check(gpu_open_without(&options, gpu_without(), &error, &h->device), &error);
    harness_check(gpu_recorder_create(h->device, &error, &h->recorder), &error);
    harness_check(gpu_buffer_create(h->device, bytes, GPU_MEMORY_UPLOAD, &error, &h->upload), &error);
    harness_check(gpu_buffer_create(h->device, bytes, GPU_MEMORY_DEVICE, &error, &h->data), &error);
    harness_check(gpu_buffer_create(h->device, bytes, GPU_MEMORY_READBACK, &error, &h->readback), &error);
    h->inputs = malloc(bytes);
    assert_non_null(h->inputs);
}

static inline void harness_close(harness *h)
{
    gpu_buffer_destroy(h->device, &h->upload);
    gpu_buffer_destroy(h->device, &h->data);
    gpu_buffer_destroy(h->device, &h->readback);
    free(h->inputs);
    gpu_recorder_destroy(h->recorder);
    gpu_close(h->device);
    assert_int_equal(h->messages, 0);
}

/* Forgets all ranges. */
static inline void harness_reset(harness *h)
{
    h->range_count = 0;
    h->used = 0;
}

static inline uint32_t *harness_input(harness *h, gpu_range range)
{
    return (uint32_t *)(void *)(h->inputs + range.offset);
}

/* Returns a range of that many words, filled with HARNESS_GUARD and followed by at least one more guard word. */
static inline gpu_range harness_range(harness *h, uint64_t words)
{
    assert_true(h->range_count < HARNESS_MAX_RANGES);
    gpu_range range = {&h->data, h->used, 4u * (words ? words : 1u)};
    h->used = (h->used + range.bytes + 4u + HARNESS_ALIGNMENT - 1u) & ~(uint64_t)(HARNESS_ALIGNMENT - 1u);
    assert_true(h->used <= h->data.bytes);
    uint32_t *at = harness_input(h, range);
    for (uint64_t i = 0; i < (h->used - range.offset) / 4u; i++)
        at[i] = HARNESS_GUARD;
    h->ranges[h->range_count++] = range;
    return range;
}

static inline const uint32_t *harness_output(const harness *h, gpu_range range)
{
    return (const uint32_t *)(const void *)((const char *)h->readback.mapped + range.offset);
}

static inline gpu_range harness_word(harness *h, uint32_t value)
{
    gpu_range range = harness_range(h, 1);
    *harness_input(h, range) = value;
    return range;
}

static inline void harness_begin(harness *h)
{
    pietra_error error = {0};
    harness_check(gpu_recorder_begin(h->recorder, &error), &error);
    memcpy(h->upload.mapped, h->inputs, h->used);
    gpu_copy(h->recorder, (gpu_range){&h->upload, 0, h->used}, (gpu_range){&h->data, 0, h->used});
    gpu_barrier(h->recorder);
}

/* Runs what was recorded since harness_begin. Afterwards harness_output is valid. No guard word may have changed. */
static inline void harness_run(harness *h)
{
    pietra_error error = {0};
    gpu_barrier(h->recorder);
    gpu_copy(h->recorder, (gpu_range){&h->data, 0, h->used}, (gpu_range){&h->readback, 0, h->used});
    harness_check(gpu_recorder_submit(h->recorder, &error), &error);
    harness_check(gpu_recorder_wait(h->recorder, &error), &error);
    for (uint32_t r = 0; r < h->range_count; r++) {
        uint64_t end = r + 1u < h->range_count ? h->ranges[r + 1u].offset : h->used;
        const uint32_t *at = harness_output(h, h->ranges[r]);
        for (uint64_t i = h->ranges[r].bytes / 4u; i < (end - h->ranges[r].offset) / 4u; i++)
            assert_int_equal(at[i], HARNESS_GUARD);
    }
}

/* Compares two arrays, and names the first word that differs. */
static inline void harness_compare(const char *what, const uint32_t *got, const uint32_t *expected, uint32_t count)
{
    if (count == 0u || memcmp(got, expected, 4u * (size_t)count) == 0)
        return;
    for (uint32_t i = 0; i < count; i++)
        if (got[i] != expected[i])
            fail_msg("%s: item %u of %u is %u, not %u", what, i, count, got[i], expected[i]);
}

static inline uint32_t harness_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    uint32_t x = *state;
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}

typedef enum harness_kind {
    HARNESS_RANDOM,
    HARNESS_SORTED,
    HARNESS_REVERSED,
    HARNESS_EQUAL,
    HARNESS_ONE_HOT, /* one item differs */
    HARNESS_LOW_ENTROPY,
    HARNESS_HOSTILE, /* extremes in turn, with a period that drifts over partitions */
    HARNESS_KINDS,
} harness_kind;

static inline void harness_fill(uint32_t *items, uint32_t count, harness_kind kind, uint32_t mask)
{
    uint32_t state = count * 7u + (uint32_t)kind;
    uint32_t odd = harness_random(&state) % (count ? count : 1u);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t x = 0;
        switch (kind) {
        case HARNESS_RANDOM:
            x = harness_random(&state);
            break;
        case HARNESS_SORTED:
            x = (uint32_t)((uint64_t)mask * i / count);
            break;
        case HARNESS_REVERSED:
            x = (uint32_t)((uint64_t)mask * (count - 1u - i) / count);
            break;
        case HARNESS_EQUAL:
            x = 0x5a5a5a5au;
            break;
        case HARNESS_ONE_HOT:
            x = i == odd ? 0xffffffffu : 0u;
            break;
        case HARNESS_LOW_ENTROPY:
            x = harness_random(&state) & harness_random(&state) & harness_random(&state);
            break;
        default:
            x = i % 257u < 128u ? i * 0x01010101u : ~(i << 8);
            break;
        }
        items[i] = x & mask;
    }
}

/* Sizes around partitions and powers of two. The large ones stand last: most repeat what smaller ones show, and
 * software takes minutes for them, so on software they run at night. */
static const uint32_t harness_sizes[] = {
    0,      1,      2,      3,      7,      8,      9,       31,      32,      33,     63,     64,
    65,     127,    128,    129,    255,    256,    257,     511,     512,     513,    1023,   1024,
    1025,   2047,   2048,   2049,   4095,   4096,   4097,    8191,    8192,    8193,   16383,  16384,
    16385,  32767,  32768,  32769,  36863,  36865,  65535,   65536,   65537,   131071, 131072, 131073,
    262143, 262144, 262145, 524287, 524288, 524289, 1048575, 1048576, 1048577,
};
#define HARNESS_MAX_SIZE 1048577u
#define HARNESS_SOME_SIZE 16385u

static inline bool harness_all_sizes(const harness *h)
{
    return gpu_get_limits(h->device)->hardware || all_sizes();
}

/* By day software, which compiles each program for seconds, tries two of three shapes, each with one fault or none. */
static inline bool harness_tries_shape(const harness *h, size_t shape, uint32_t fault_period)
{
    return harness_all_sizes(h) || (shape % 3u != 0u && fault_period == shape % 2u * 2u);
}

static inline size_t harness_schedule_count(const harness *h)
{
    return harness_all_sizes(h) ? COUNT_OF(harness_schedules) : 2u;
}

/* Returns the largest of harness_sizes that is tested. */
static inline uint32_t harness_largest(const harness *h)
{
    return harness_all_sizes(h) ? HARNESS_MAX_SIZE : HARNESS_SOME_SIZE;
}

#endif
