/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* 09 coarse: each tile's commands, the number of layers that it may have open, and its class.
 *
 * Reads tile_keys, tile_commands, tile_paths, visible; writes tiles, tile_lists. It splits the tiles by class, in their
 * order. A prefix sum counts the levels that do not fit in shared memory. */
#include <stdlib.h>

#include "lib/element.h"
#include "lib/tile.h"
#include "render/frame/config.h"
#include "render/reference/reference.h"

static uint command_visible(const reference_frame *frame, uint command)
{
    return (command & TILE_COMMAND_SOLID) ? command & ~TILE_COMMAND_SOLID : frame->tile_paths[command].visible;
}

static void sum_commands(const reference_frame *frame, tile *t)
{
    for (uint i = 0; i < t->command_count; i++) {
        uint command = frame->tile_commands[t->first_command + i];
        const visible_element *v = &frame->visible[command_visible(frame, command)];
        t->depth = v->depth > t->depth ? v->depth : t->depth;
        t->complex |= (v->kind & ELEMENT_COMPLEX) != 0;
        t->work += COMMAND_WORK + paint_work(v->kind, v->paint);
        if (!(command & TILE_COMMAND_SOLID) && frame->tile_paths[command].mask == NONE)
            t->work += tile_line_work(frame->tile_paths[command].tile_line_count);
    }
}

static uint tile_class(const reference_frame *frame, uint index)
{
    const tile *t = &frame->tiles[index];
    int x, y;
    config_tile_place(&frame->config, index, &x, &y);
    if (t->command_count == 0)
        return TILE_CLASS_SOLID;
    uint first = frame->tile_commands[t->first_command];
    if (t->complex != 0)
        return TILE_CLASS_COMPLEX;
    if (t->depth != 0)
        return TILE_CLASS_LAYERS;
    if (t->command_count == 1 && (first & TILE_COMMAND_SOLID)) {
        const visible_element *v = &frame->visible[first & ~TILE_COMMAND_SOLID];
        if ((v->kind & ELEMENT_OPAQUE) && v->paint == NONE && box_covers_tile(v->clip, x, y))
            return TILE_CLASS_SOLID;
    }
    return TILE_CLASS_PLAIN;
}

pietra_result reference_09_coarse(reference_frame *frame, pietra_error *error)
{
    uint tile_count = frame->config.tile_count;
    pietra_result result;
    uint *classes = reference_allocate(frame, tile_count, sizeof(uint), error, &result);
    if (!classes)
        return result;
    if (!(frame->tiles = reference_allocate(frame, tile_count, sizeof *frame->tiles, error, &result)) ||
        !(frame->tile_lists = reference_allocate(frame, tile_count, sizeof(uint), error, &result))) {
        free(classes);
        return result;
    }
    for (uint i = 0; i < frame->counters.tile_command_count; i++) {
        tile *t = &frame->tiles[frame->tile_keys[i]];
        if (t->command_count++ == 0)
            t->first_command = i;
    }
    uint spill = 0;
    for (uint i = 0; i < tile_count; i++) {
        tile *t = &frame->tiles[i];
        sum_commands(frame, t);
        t->spill = spill;
        spill += tile_spill(t->depth, t->work, frame->config.fine_work);
        frame->counters.fine_work = t->work > frame->counters.fine_work ? t->work : frame->counters.fine_work;
        classes[i] = tile_class(frame, i);
    }
    frame->counters.spill_count = spill;
    uint at = 0;
    for (uint class = 0; class < 4; class ++) {
        for (uint i = 0; i < tile_count; i++) {
            if (classes[i] == class) {
                frame->tile_lists[at++] = i;
                frame->counters.class_count[class]++;
            }
        }
    }
    free(classes);
    return PIETRA_OK;
}
