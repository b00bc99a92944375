/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/frame/config.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/error.h"
#include "base/transform.h"
#include "layout/stream.h"
#include "lib/drawn_box.h"
#include "scene/color.h"

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

pietra_transform config_widened(const stream_transform *t)
{
    return (pietra_transform){(double)t->a,
                              (double)t->b,
                              (double)t->c,
                              (double)t->d,
                              (double)t->e + (double)t->e_low,
                              (double)t->f + (double)t->f_low};
}

static bool has_region(const pietra_frame *frame)
{
    return frame && (frame->region.picture_width > 0 || frame->region.picture_height > 0 || frame->region.x > 0 ||
                     frame->region.y > 0);
}

static bool side_is_sound(uint32_t begin, uint32_t length, uint32_t picture)
{
    return begin % PIETRA_REGION_STEP == 0 && picture <= PIETRA_MAX_SIDE && begin < picture &&
           length <= picture - begin && (length % PIETRA_REGION_STEP == 0 || length == picture - begin);
}

static pietra_result check_region(const pietra_region *region, const pietra_target *target, pietra_error *error)
{
    if (side_is_sound(region->x, target->width, region->picture_width) &&
        side_is_sound(region->y, target->height, region->picture_height))
        return PIETRA_OK;
    return error_set(
        error, PIETRA_ERROR_INPUT, 0,
        "a region of %u x %u pixels at %u, %u of a picture of %u x %u: it must lie within, at multiples of "
        "%u, and the picture's sides are at most %u",
        target->width, target->height, region->x, region->y, region->picture_width, region->picture_height,
        PIETRA_REGION_STEP, PIETRA_MAX_SIDE);
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
    pietra_region region = {.picture_width = target->width, .picture_height = target->height};
    if (has_region(frame)) {
        region = frame->region;
        if ((result = check_region(&region, target, error)) != PIETRA_OK)
            return result;
    }
    *config = (frame_config){.width = (int)region.picture_width, .height = (int)region.picture_height};
    config->transform = config_transform(&transform);
    config->background = frame ? color_of_channels(&frame->background, 1.0f) : 0;
    config->straight = target->format == PIETRA_FORMAT_RGBA8_STRAIGHT || target->format == PIETRA_FORMAT_BGRA8_STRAIGHT;
    tile_box all = {.x0 = (int)region.x / TILE_SIDE,
                    .y0 = (int)region.y / TILE_SIDE,
                    .x1 = ((int)(region.x + target->width) + TILE_SIDE - 1) / TILE_SIDE,
                    .y1 = ((int)(region.y + target->height) + TILE_SIDE - 1) / TILE_SIDE};
    config->target_pitch = (uint)(all.x1 - all.x0) * TILE_SIDE;
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

pietra_target config_target(const frame_config *config, const pietra_target *like, void *pixels, size_t stride_bytes)
{
    pietra_target target = *like;
    target.stride_bytes = stride_bytes;
    target.pixels = config_origin(config, pixels, stride_bytes);
    return target;
}

size_t config_picture_bytes(const frame_config *config)
{
    const pixel_box all = config_pixels(config);
    return (size_t)4 * (size_t)(all.x1 - all.x0) * (size_t)(all.y1 - all.y0);
}

static tile_box cut_tiles(tile_box box, tile_box part)
{
    return (tile_box){box.x0 > part.x0 ? box.x0 : part.x0, box.y0 > part.y0 ? box.y0 : part.y0,
                      box.x1 < part.x1 ? box.x1 : part.x1, box.y1 < part.y1 ? box.y1 : part.y1};
}

frame_config config_of_part(const frame_config *whole, tile_box part)
{
    frame_config config = *whole;
    tile_box boxes[DRAWN_BOXES] = {part};
    uint32_t count = whole->box_count > 1 ? 0 : 1;
    config.part = part;
    /* Columns are 0 to the part's. The first one stands for everything left of a box. */
    config.column_bits = 1;
    while ((part.x1 - part.x0) >> config.column_bits != 0)
        config.column_bits++;
    for (uint32_t i = 0; i < whole->box_count && whole->box_count > 1; i++) {
        const tile_box cut = cut_tiles(whole->boxes[i].tiles, part);
        if (cut.x0 < cut.x1 && cut.y0 < cut.y1)
            boxes[count++] = cut;
    }
    config_set_boxes(&config, boxes, count);
    return config;
}

void config_set_boxes(frame_config *config, const tile_box *boxes, uint32_t count)
{
    config->tile_count = 0;
    config->box_count = count;
    config->tile_pitch = count == 1 ? (uint)(boxes[0].x1 - boxes[0].x0) : 0;
    memset(config->boxes, 0, sizeof config->boxes);
    for (uint32_t i = 0; i < count; i++) {
        config->boxes[i] = (drawn_box){.tiles = boxes[i], .first_tile = config->tile_count};
        config->tile_count += (uint)(boxes[i].x1 - boxes[i].x0) * (uint)(boxes[i].y1 - boxes[i].y0);
    }
}

bool config_draws(const frame_config *config, int x, int y)
{
    for (uint32_t i = 0; i < config->box_count; i++)
        if (drawn_box_has(config->boxes[i], x >> TILE_SHIFT, y >> TILE_SHIFT))
            return true;
    return false;
}

uint32_t config_tile_number(const frame_config *config, int x, int y)
{
    const drawn_box *box = config->boxes;
    while (box < config->boxes + config->box_count - 1 && !drawn_box_has(*box, x, y))
        box++;
    return drawn_box_number(*box, x, y);
}

void config_tile_place(const frame_config *config, uint32_t number, int *x, int *y)
{
    const drawn_box *box = config->boxes + config->box_count - 1;
    while (number < box->first_tile)
        box--;
    *x = drawn_box_x(*box, number);
    *y = drawn_box_y(*box, number);
}

uint64_t config_target_pixels(const frame_config *whole)
{
    return (uint64_t)whole->target_pitch * (uint64_t)(whole->part.y1 - whole->part.y0) * TILE_SIDE;
}
