/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/reference/outline_frame.h"

#include <stdio.h>
#include <stdlib.h>

#include "render/frame/config.h"
#include "scene/stream.h"

/* A distance in tiles. It is so large that no shape of a test lies beyond it and is left out: about as far as subpixels
 * can be counted. */
#define FAR_TILES 500000

static void demand(pietra_result result, const pietra_error *error)
{
    if (result != PIETRA_OK) {
        fprintf(stderr, "%s\n", error->message);
        abort();
    }
}

reference_frame outline_frame(const pietra_stream *stream, double offset, uint32_t side)
{
    const pietra_frame asked = {.transform = {1, 0, 0, 1, offset, offset}};
    const pietra_target target = {.width = side, .height = side};
    pietra_error error;
    reference_frame frame = {.stream = stream_view_of(stream_words(stream))};
    demand(config_of_frame(&asked, &target, &error, &frame.config), &error);
    demand(reference_01_decode(&frame, &error), &error);
    demand(reference_02_clip(&frame, &error), &error);
    demand(reference_03_cull(&frame, &error), &error);
    for (uint i = 0; i < frame.counters.visible_count; i++)
        frame.visible[i].box = (tile_box){-FAR_TILES, -FAR_TILES, FAR_TILES, FAR_TILES};
    demand(reference_04_measure(&frame, &error), &error);
    demand(reference_04_flatten(&frame, &error), &error);
    return frame;
}
