/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/stream_work.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "render/frame/config.h"

/* What is known at a glance is too much by some factor. So it suffices only up to this share if other work follows. */
#define SHARE_AT_A_GLANCE 0.1

/* Spends a cost that was summed until it was more than what is left. */
static pietra_result spend(frame_work *work, work_kind kind, double cost, pietra_error *error)
{
    return frame_work_spend(work, kind, cost > frame_work_left(work, kind) ? INFINITY : cost, error);
}

pietra_result stream_work_spend(const stream_view *view, pietra_transform frame, int width, int height,
                                frame_work *work, bool is_fine, pietra_error *error, uint32_t *last)
{
    const pixel_box picture = {0, 0, width, height};
    double painting;
    if (!frame_work_is_bounded(work))
        return PIETRA_OK;
    const double strokes = stroke_cost(view, frame, picture, frame_work_left(work, WORK_STROKES), last);
    pietra_result result = spend(work, WORK_STROKES, strokes, error);
    if (result == PIETRA_OK)
        result = paint_cost(view, frame, width, height, frame_work_left(work, WORK_PAINTING), is_fine, last, error,
                            &painting);
    return result == PIETRA_OK ? spend(work, WORK_PAINTING, painting, error) : result;
}

/* Returns whether other work than the stream's own follows. */
static bool needs_more(const pietra_stream *stream)
{
    const stream_header *header = stream_get_header(stream);
    return header->effect_count > 0 || header->surface_count > 0;
}

static known_work *known_of(stream_work_cache *cache, const pietra_stream *stream)
{
    for (uint32_t i = 0; i < WORK_STREAMS; i++)
        if (cache->known[i].stream_id == stream_id(stream))
            return &cache->known[i];
    known_work *known = &cache->known[cache->next];
    cache->next = (cache->next + 1) % WORK_STREAMS;
    *known = (known_work){.stream_id = stream_id(stream)};
    return known;
}

/* Spends what is known at a glance. False: that may be far too much. */
static bool spend_known(known_work *of_stream, const pietra_stream *stream, const frame_config *config,
                        const frame_bounds *bounds, frame_work *work)
{
    const double enough = needs_more(stream) ? SHARE_AT_A_GLANCE : 1;
    const double most = work->most[WORK_STROKES];
    frame_work known = *work;
    known.spent[WORK_STROKES] =
        bounds ? frame_bounds_cost(bounds) : stroke_cost_known(&of_stream->strokes, stream, config, most);
    if (bounds) {
        const stream_view view = stream_view_of(stream_words(stream));
        known.spent[WORK_PAINTING] = paint_cost_bounded(&view, bounds);
    }
    if (!bounds || frame_work_share(&known) > enough)
        known.spent[WORK_PAINTING] = paint_cost_known(&of_stream->paints, stream, config, work->most[WORK_PAINTING]);
    if (frame_work_share(&known) > enough)
        return false;
    *work = known;
    return true;
}

static bool spend_kept(const known_work *known, const frame_config *config, frame_work *work)
{
    if (!known->has_frame || memcmp(&known->config, config, sizeof *config) != 0 ||
        memcmp(&known->before, work, sizeof *work) != 0)
        return false;
    *work = known->after;
    return true;
}

pietra_result stream_work_spend_frame(stream_work_cache *cache, const pietra_stream *stream, const frame_config *config,
                                      const frame_bounds *bounds, frame_work *work, pietra_error *error)
{
    const stream_view view = stream_view_of(stream_words(stream));
    const frame_work before = *work;
    known_work *known = known_of(cache, stream);
    uint32_t last = 0;
    if (spend_kept(known, config, work) || spend_known(known, stream, config, bounds, work))
        return PIETRA_OK;
    const pietra_result result = stream_work_spend(&view, config_widened(&config->transform), config->width,
                                                   config->height, work, needs_more(stream), error, &last);
    if (result == PIETRA_OK) {
        known->has_frame = true;
        known->config = *config;
        known->before = before;
        known->after = *work;
    }
    return result == PIETRA_ERROR_INPUT ? error_set_label(error, result, stream_label(stream, last)) : result;
}
