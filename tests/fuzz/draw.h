/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What several targets do with a stream: draw it on the CPU device and on the reference, which must give the same
 * bytes, and find what contains points of it. */
#ifndef TESTS_FUZZ_DRAW_H
#define TESTS_FUZZ_DRAW_H

#include <stdlib.h>
#include <string.h>

#include "pietra/pietra_hit.h"

#define DRAW_WIDTH 33u
#define DRAW_HEIGHT 17u
#define DRAW_PIXELS (DRAW_WIDTH * DRAW_HEIGHT)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Opens a device with one thread and little memory. */
static pietra_device *draw_open(pietra_device_kind kind)
{
    const pietra_device_options options = {.kind = kind, .threads = 1, .memory_budget_bytes = 16u << 20};
    pietra_device *device = NULL;
    if (pietra_device_create(&options, NULL, &device) != PIETRA_OK)
        abort();
    return device;
}

/* Returns false if the frame needs too much memory, or too many steps. */
static bool draw_frame(pietra_device *device, const pietra_stream *stream, const pietra_frame *frame, uint32_t *pixels)
{
    const pietra_target target = {.width = DRAW_WIDTH, .height = DRAW_HEIGHT, .pixels = pixels};
    pietra_error error = {0};
    pietra_result result = pietra_render(device, stream, frame, &target, &error, NULL);
    const bool is_limit = result == PIETRA_ERROR_INPUT && strstr(error.message, "(limit \"steps\")");
    if (result != PIETRA_OK && result != PIETRA_ERROR_BUDGET && result != PIETRA_ERROR_MEMORY && !is_limit)
        abort();
    return result == PIETRA_OK;
}

/* Finds what lies at the middle of the picture, and at a corner of the largest one. */
static void draw_find_hits(const pietra_stream *stream, const pietra_frame *frame)
{
    static const double places[][2] = {{0.5 * DRAW_WIDTH, 0.5 * DRAW_HEIGHT},
                                       {PIETRA_MAX_SIDE - 1e-9, PIETRA_MAX_SIDE - 1e-9}};
    pietra_hit hits[2];
    size_t count;
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        const pietra_result result = pietra_hit_test(stream, frame, places[i][0], places[i][1],
                                                     sizeof hits / sizeof hits[0], NULL, hits, &count);
        if (result != PIETRA_OK && result != PIETRA_ERROR_BUDGET && result != PIETRA_ERROR_MEMORY)
            abort();
    }
}

static inline void draw_on_cpu(const pietra_stream *stream, const pietra_frame *frame)
{
    static pietra_device *device;
    static uint32_t pixels[DRAW_PIXELS];
    device = device ? device : draw_open(PIETRA_DEVICE_CPU);
    draw_frame(device, stream, frame, pixels);
    draw_find_hits(stream, frame);
}

static inline void draw_on_both(const pietra_stream *stream, const pietra_frame *frame)
{
    static pietra_device *cpu, *reference;
    static uint32_t pixels[DRAW_PIXELS], expected[DRAW_PIXELS];
    cpu = cpu ? cpu : draw_open(PIETRA_DEVICE_CPU);
    reference = reference ? reference : draw_open(PIETRA_DEVICE_REFERENCE);
    if (draw_frame(reference, stream, frame, expected) && draw_frame(cpu, stream, frame, pixels) &&
        memcmp(pixels, expected, sizeof pixels) != 0) {
        abort();
    }
    draw_find_hits(stream, frame);
}

#endif
