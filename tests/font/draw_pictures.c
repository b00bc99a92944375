/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "font/draw_pictures.h"

#include <stdlib.h>

#include "scene/build/scene.h"

typedef struct meter {
    uint64_t spent, most;
} meter;

static bool spend(void *user, uint64_t segments)
{
    meter *meter = user;
    meter->spent += segments;
    return meter->spent <= meter->most;
}

drawn_picture draw_picture(const pietra_font *font, uint32_t glyph, uint64_t most_segments)
{
    const pietra_paint black = {.color = {0, 0, 0, 1}};
    meter meter = {.most = most_segments};
    picture_request request = {.scene = pietra_scene_create(), .foreground = &black, .spend = spend, .user = &meter};
    drawn_picture drawn = {0};
    if (!request.scene)
        abort();
    drawn.result = picture_paint(font, glyph, &request);
    drawn.element_count = pietra_scene_position(request.scene);
    pietra_scene_bounds(request.scene, &drawn.box);
    drawn.segment_count = meter.spent;
    drawn.has_foreground = request.has_foreground;
    drawn.left_out = request.left_out;
    if (request.scene->paints.count > 0) {
        drawn.paint = array_last(&request.scene->paints)->paint;
        drawn.paint_map = array_last(&request.scene->paints)->map;
    }
    pietra_scene_destroy(request.scene);
    return drawn;
}
