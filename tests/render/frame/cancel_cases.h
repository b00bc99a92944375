/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Frames that are cancelled: what pietra.h promises of them, for the devices of the programs that include this. */
#ifndef PIETRA_TESTS_RENDER_FRAME_CANCEL_CASES_H
#define PIETRA_TESTS_RENDER_FRAME_CANCEL_CASES_H

#include <pthread.h>
#include <time.h>

#include "base/clock.h"
#include "scene/scene_fixture.h"

/* The includer may define a smaller picture. */
#ifndef CANCEL_SIDE
#define CANCEL_SIDE 600u
#endif
#define PROMPT_MS 2000.0

/* Translucent shapes on top of one another. */
static inline pietra_stream *make_layers(uint32_t count)
{
    pietra_stream *stream = NULL;
    pietra_scene *scene = new_scene();
    for (uint32_t i = 0; i < count; i++) {
        const pietra_paint paint = {.color = {(float)(i % 7) / 7, (float)(i % 5) / 5, .5f, .25f}};
        fill(scene, i % 2 ? "M 0 0 L 600 1 L 598 600 L 2 597 Z" : "M 0 300 Q 300 -300 600 300 Q 300 900 0 300 Z",
             &paint);
    }
    ASSERT_OK(pietra_stream_encode(scene, error, &stream));
    pietra_scene_destroy(scene);
    return stream;
}

typedef struct cancelling {
    pietra_canceller *canceller;
    double after_ms;
} cancelling;

static inline void *cancel_later(void *user)
{
    const cancelling *job = user;
    const struct timespec wait = {0, (long)(job->after_ms * 1e6)};
    if (job->after_ms > 0)
        nanosleep(&wait, NULL);
    pietra_canceller_cancel(job->canceller);
    return NULL;
}

static inline pietra_result draw_cancelled(pietra_device *device, const pietra_stream *stream, cancelling *job,
                                           bool may_spoil, uint8_t *pixels)
{
    const pietra_frame frame = {.canceller = job->canceller};
    const pietra_target target = {
        .width = CANCEL_SIDE, .height = CANCEL_SIDE, .pixels = pixels, .may_spoil = may_spoil};
    pthread_t thread;
    pietra_error error = {.result = PIETRA_OK};
    assert_int_equal(pthread_create(&thread, NULL, cancel_later, job), 0);
    pietra_result result = pietra_render(device, stream, &frame, &target, &error, NULL);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(error.result, result);
    assert_int_equal(strstr(error.message, "the frame was cancelled") != NULL, result == PIETRA_CANCELLED);
    return result;
}

static inline void draw_whole(pietra_device *device, const pietra_stream *stream, const pietra_canceller *canceller,
                              uint8_t *pixels)
{
    const pietra_frame frame = {.canceller = canceller};
    const pietra_target target = {.width = CANCEL_SIDE, .height = CANCEL_SIDE, .pixels = pixels};
    ASSERT_OK(pietra_render(device, stream, &frame, &target, error, NULL));
}

/* Cancels at many moments. A frame is drawn whole or is cancelled, and the next one is as if nothing had been.
   A busy machine may start every canceller too late, so frames go on until one was cancelled. */
static inline void assert_frames_cancel(pietra_device *device, uint32_t frames)
{
    const size_t bytes = 4 * CANCEL_SIDE * CANCEL_SIDE;
    uint8_t *expected = malloc(bytes), *pixels = malloc(bytes);
    uint32_t cancelled = 0, random = 1;
    cancelling job = {.canceller = NULL};
    pietra_stream *stream = make_layers(12);
    assert_true(expected && pixels);
    ASSERT_OK(pietra_canceller_create(error, &job.canceller));
    draw_whole(device, stream, NULL, expected);
    const double start = clock_ms();
    draw_whole(device, stream, job.canceller, pixels);
    const double whole_ms = clock_ms() - start;
    assert_memory_equal(pixels, expected, bytes);
    pietra_canceller_cancel(job.canceller);
    assert_int_equal(draw_cancelled(device, stream, &job, false, pixels), PIETRA_CANCELLED);
    for (uint32_t i = 0; i < frames || cancelled == 0; i++) {
        random = random * 1664525u + 1013904223u;
        job.after_ms = whole_ms * 1.2 * (random >> 8) / (1 << 24);
        pietra_canceller_reset(job.canceller);
        const pietra_result result = draw_cancelled(device, stream, &job, i % 2 != 0, pixels);
        cancelled += result == PIETRA_CANCELLED;
        if (result != PIETRA_CANCELLED) {
            assert_int_equal(result, PIETRA_OK);
            assert_memory_equal(pixels, expected, bytes);
        }
        pietra_canceller_reset(job.canceller);
        if (i % 4 == 0) {
            draw_whole(device, stream, job.canceller, pixels);
            assert_memory_equal(pixels, expected, bytes);
        }
    }
    pietra_canceller_destroy(job.canceller);
    pietra_stream_destroy(stream);
    free(expected);
    free(pixels);
}

static inline void assert_cancels(const pietra_device_options *options, uint32_t frames)
{
    pietra_device *device;
    ASSERT_OK(pietra_device_create(options, error, &device));
    assert_frames_cancel(device, frames);
    pietra_device_destroy(device);
}

/* A frame that takes far longer ends soon after it is cancelled. */
static inline void assert_cancels_promptly(const pietra_device_options *options, uint32_t layers)
{
    uint8_t *pixels = malloc(4 * CANCEL_SIDE * CANCEL_SIDE);
    pietra_device *device;
    cancelling job = {.after_ms = 50};
    pietra_stream *stream = make_layers(layers);
    pietra_device_options patient = *options;
    patient.effect_steps = UINT64_C(1) << 40;
    assert_non_null(pixels);
    ASSERT_OK(pietra_device_create(&patient, error, &device));
    ASSERT_OK(pietra_canceller_create(error, &job.canceller));
    const double start = clock_ms();
    assert_int_equal(draw_cancelled(device, stream, &job, false, pixels), PIETRA_CANCELLED);
    assert_true(clock_ms() - start < PROMPT_MS);
    pietra_canceller_destroy(job.canceller);
    pietra_stream_destroy(stream);
    pietra_device_destroy(device);
    free(pixels);
}

#endif
