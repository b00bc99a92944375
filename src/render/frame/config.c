/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/frame/config.h"

#include "base/error.h"
#include "base/transform.h"
#include "layout/stream.h"
#include "scene/color.h"

#include <math.h>
#include <stdint.h>

/* Returns whether a transform is within a limit. It is compared as floats, as the frame holds it. The limit itself
 * rounds to less than 1e18. */
static bool transform_is_within(const pietra_transform *t, float limit)
{
    return fabsf((float)t->a) <= limit && fabsf((float)t->b) <= limit && fabsf((float)t->c) <= limit &&
           fabsf((float)t->d) <= limit && fabsf((float)t->e) <= limit && fabsf((float)t->f) <= limit;
}

stream_transform config_transform(const pietra_transform *t)
{
    stream_transform made = {
        .a = (float)t->a, .b = (float)t->b, .c = (float)t->c, .d = (float)t->d, .e = (float)t->e, .f = (float)t->f};
    made.e_low = (float)(t->e - (double)made.e);
    made.f_low = (float)(t->f - (double)made.f);
    return made;
}

pietra_result config_of_frame(const pietra_frame *frame, const pietra_target *target, pietra_error *error,
                              frame_config *config)
{
    if (target->width == 0 || target->height == 0 || target->width > PIETRA_MAX_SIDE ||
        target->height > PIETRA_MAX_SIDE) {
        return error_set(error, PIETRA_ERROR_INPUT, 0, "a picture of %u x %u pixels: each side must be 1 to %u",
                         target->width, target->height, PIETRA_MAX_SIDE);
    }
    if (target->stride_bytes != 0 && target->stride_bytes < 4 * (size_t)target->width) {
        return error_set(error, PIETRA_ERROR_INPUT, 0, "a stride of %zu bytes is too small for %u pixels",
                         target->stride_bytes, target->width);
    }
    if (target->stride_bytes > PTRDIFF_MAX / target->height) {
        return error_set(error, PIETRA_ERROR_INPUT, 0, "%u rows of %zu bytes are more than an address reaches",
                         target->height, target->stride_bytes);
    }
    pietra_result result =
        error_check_enumerator(error, "a target's format", target->format, PIETRA_FORMAT_BGRA8_OPAQUE);
    if (result != PIETRA_OK)
        return result;
    pietra_transform transform = transform_of_field(frame ? frame->transform : TRANSFORM_IDENTITY);
    if (!transform_is_finite(transform))
        return error_set(error, PIETRA_ERROR_INPUT, 0, "the frame's transform is not finite");
    if (frame && !color_is_finite(&frame->background))
        return error_set(error, PIETRA_ERROR_INPUT, 0, "the frame's background is not finite");
    if (!transform_is_within(&transform, STREAM_LIMIT)) {
        return error_set(error, PIETRA_ERROR_INPUT, 0, "the frame's transform is out of range: a number is beyond %g",
                         (double)STREAM_LIMIT);
    }
    *config = (frame_config){.width = (int)target->width, .height = (int)target->height};
    config->transform = config_transform(&transform);
    config->background = frame ? color_of_channels(&frame->background, 1.0f) : 0;
    config->straight = target->format == PIETRA_FORMAT_RGBA8_STRAIGHT || target->format == PIETRA_FORMAT_BGRA8_STRAIGHT;
    tile_box all = {.x1 = (config->width + TILE_SIDE - 1) / TILE_SIDE,
                    .y1 = (config->height + TILE_SIDE - 1) / TILE_SIDE};
    config->target_pitch = (uint)all.x1 * TILE_SIDE;
    *config = config_of_part(config, all);
    return PIETRA_OK;
}

bool config_of_sheet(const pietra_transform *transform, tile_box part, frame_config *config)
{
    if (!transform_is_finite(*transform) || !transform_is_within(transform, STREAM_LIMIT))
        return false;
    *config = (frame_config){.width = part.x1 * TILE_SIDE, .height = part.y1 * TILE_SIDE};
    config->transform = config_transform(transform);
    config->target_pitch = (uint)(part.x1 - part.x0) * TILE_SIDE;
    *config = config_of_part(config, part);
    return true;
}

pixel_box config_pixels(const frame_config *config)
{
    const tile_box part = config->part;
    int right = part.x1 * TILE_SIDE, bottom = part.y1 * TILE_SIDE;
    return (pixel_box){part.x0 * TILE_SIDE, part.y0 * TILE_SIDE, right < config->width ? right : config->width,
                       bottom < config->height ? bottom : config->height};
}

uint8_t *config_origin(const frame_config *config, uint8_t *picture, size_t stride_bytes)
{
    /* The place need not lie in the picture, so it is found by numbers: a pointer may not leave its array. */
    intptr_t before =
        (intptr_t)config->part.y0 * TILE_SIDE * (intptr_t)stride_bytes + (intptr_t)config->part.x0 * TILE_SIDE * 4;
    return (uint8_t *)((intptr_t)picture - before);
}

frame_config config_of_part(const frame_config *whole, tile_box part)
{
    frame_config config = *whole;
    config.part = part;
    config.tile_pitch = (uint)(part.x1 - part.x0);
    config.tile_count = config.tile_pitch * (uint)(part.y1 - part.y0);
    /* Columns are 0 to tile_pitch. The first one stands for everything left of a box. */
    config.column_bits = 1;
    while (config.tile_pitch >> config.column_bits != 0)
        config.column_bits++;
    return config;
}

uint64_t config_target_pixels(const frame_config *whole)
{
    return (uint64_t)whole->target_pitch * (uint64_t)(whole->part.y1 - whole->part.y0) * TILE_SIDE;
}
