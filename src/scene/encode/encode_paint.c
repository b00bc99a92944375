/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include <math.h>
#include <string.h>

#include "scene/encode/encode.h"
#include "scene/limit.h"
#include "scene/rules.h"
#include "scene/build/paint.h"

static bool push_paint(encoder *encoder, const stream_paint *paint, uint32_t *index)
{
    stream_paint *added = array_push(&encoder->paints);
    if (!added)
        return false;
    *added = *paint;
    *index = (uint32_t)(encoder->paints.count - 1);
    return true;
}

static bool encode_shadow(encoder *encoder, const scene_paint *source, encoded_paint *encoded)
{
    stream_box_shadow *made = array_push(&encoder->box_shadows);
    if (!made)
        return false;
    *made = encoder->scene->box_shadows.items[source->paint.first_stop];
    encoded->first_stop = (uint32_t)(encoder->box_shadows.count - 1);
    return true;
}

static bool encode_stops(encoder *encoder, const scene_paint *source, encoded_paint *encoded)
{
    if (source->image)
        return encode_image(encoder, source->image, &encoded->first_stop);
    if (rules_paint_is_shadow(&source->paint))
        return encode_shadow(encoder, source, encoded);
    const stream_paint *paint = &source->paint;
    uint32_t *place = &encoder->encoded_stops[paint->first_stop];
    if (*place != STREAM_NONE) {
        encoded->first_stop = *place;
        return true;
    }
    stream_stop *stops = array_push_many(&encoder->stops, paint->stop_count);
    if (!stops)
        return false;
    memcpy(stops, encoder->scene->stops.items + paint->first_stop, paint->stop_count * sizeof *stops);
    encoded->first_stop = *place = (uint32_t)(encoder->stops.count - paint->stop_count);
    return true;
}

/* Moves the map of a repeating unit square close to the origin, where floats are more precise. */
static void encode_fold(const stream_paint *paint, pietra_transform *map)
{
    if (paint->kind == PAINT_SURFACE && paint->spread != SPREAD_PAD) {
        map->e -= 2.0 * floor(0.5 * map->e);
        map->f -= 2.0 * floor(0.5 * map->f);
    }
}

static bool encode_solid(encoder *encoder, const scene_paint *paint, encoded_paint *encoded)
{
    return encoded->index != STREAM_NONE || push_paint(encoder, &paint->paint, &encoded->index);
}

static bool encode_mapped(encoder *encoder, const scene_paint *paint, path_point origin, encoded_paint *encoded)
{
    if (encoded->index != STREAM_NONE && encoded->origin.x == origin.x && encoded->origin.y == origin.y)
        return true;
    stream_paint made = paint->paint;
    pietra_transform map = encode_from_origin(paint->map, origin);
    if (encoded->index == STREAM_NONE && !encode_stops(encoder, paint, encoded))
        return false;
    made.first_stop = encoded->first_stop;
    if (paint->image && paint->image->external_id != 0)
        made.r0 = (float)paint->image->external_id;
    encode_fold(&made, &map);
    made.a = limit_to_float(map.a);
    made.b = limit_to_float(map.b);
    made.c = limit_to_float(map.c);
    made.d = limit_to_float(map.d);
    made.e = limit_to_float(map.e);
    made.f = limit_to_float(map.f);
    encoded->origin = origin;
    return push_paint(encoder, &made, &encoded->index);
}

bool encode_paint(encoder *encoder, uint32_t scene_paint_index, const encoded_path *path, uint32_t *index)
{
    encoded_paint *encoded = &encoder->encoded_paints[scene_paint_index];
    const scene_paint *paint = &encoder->scene->paints.items[scene_paint_index];
    bool fits = paint->paint.kind == PAINT_SOLID ? encode_solid(encoder, paint, encoded)
                                                 : encode_mapped(encoder, paint, encoded_origin(path), encoded);
    *index = encoded->index;
    return fits;
}

bool encode_white(encoder *encoder, uint32_t *index)
{
    stream_paint white = {.kind = PAINT_SOLID, .color = PAINT_OPAQUE_WHITE};
    if (encoder->white_paint == STREAM_NONE && !push_paint(encoder, &white, &encoder->white_paint))
        return false;
    *index = encoder->white_paint;
    return true;
}
