/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Hit tests, as pietra_hit.h promises. */
#include <math.h>

#include "base/error.h"
#include "pietra/pietra_hit.h"
#include "render/cpu/hits.h"
#include "render/frame/config.h"

static pietra_result check_arguments(const pietra_stream *stream, double x, double y, size_t capacity,
                                     const pietra_hit *hits, const size_t *count, pietra_error *error)
{
    if (!stream || !count)
        return error_set_null(error, !stream ? "stream" : "count");
    if (!hits && capacity > 0)
        return error_set_null(error, "hits");
    if (!isfinite(x) || !isfinite(y))
        return error_set(error, PIETRA_ERROR_INPUT, 0, "the point is not finite");
    return PIETRA_OK;
}

/* The size of a picture does not matter: the configuration is that of one pixel. */
static pietra_result config_of_point(const pietra_frame *frame, pietra_error *error, frame_config *config)
{
    const pietra_target pixel = {.width = 1, .height = 1};
    pietra_frame whole = frame ? *frame : (pietra_frame){.canceller = NULL};
    whole.region = (pietra_region){.x = 0};
    whole.background = (pietra_color){0};
    return config_of_frame(&whole, &pixel, error, config);
}

static bool is_in_pictures(double x, double y)
{
    return x >= 0 && y >= 0 && x < PIETRA_MAX_SIDE && y < PIETRA_MAX_SIDE;
}

static void give_hits(const pietra_stream *stream, const cpu_hits *found, size_t capacity, pietra_hit *hits)
{
    const stream_view view = stream_view_of(stream_words(stream));
    for (size_t i = 0; i < capacity && i < found->count; i++) {
        const cpu_hit *hit = &found->items[found->count - 1 - i];
        hits[i] = (pietra_hit){.element = hit->element,
                               .label = stream_label(stream, hit->element),
                               .is_masked = hit->masked,
                               .opacity = hit->opacity};
        hits[i].is_stroke = (view.elements[hit->element].kind & ELEMENT_KIND_MASK) == ELEMENT_STROKE;
    }
}

static pietra_result hit_test(const pietra_stream *stream, const pietra_frame *frame, double x, double y,
                              size_t capacity, pietra_error *error, pietra_hit *hits, size_t *count)
{
    frame_config config;
    cpu_hits found = {0};
    pietra_result result = check_arguments(stream, x, y, capacity, hits, count, error);
    if (result == PIETRA_OK)
        result = config_of_point(frame, error, &config);
    if (result == PIETRA_OK && is_in_pictures(x, y)) {
        const cpu_point at = {(int)floor(x * SUBPIXELS + 0.5), (int)floor(y * SUBPIXELS + 0.5)};
        result = cpu_find_hits(stream_words(stream), &config, at, error, &found);
    }
    if (result == PIETRA_OK) {
        give_hits(stream, &found, capacity, hits);
        *count = found.count;
    }
    array_free(&found);
    return result;
}

pietra_result pietra_hit_test(const pietra_stream *stream, const pietra_frame *frame, double x, double y,
                              size_t capacity, pietra_error *error, pietra_hit *hits, size_t *count)
{
    pietra_error own = {.result = PIETRA_OK};
    return error_pass_on(error, hit_test(stream, frame, x, y, capacity, &own, hits, count), &own);
}
