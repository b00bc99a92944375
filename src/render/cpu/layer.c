/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/cpu/layer.h"

#include "layout/stream.h"
#include "lib/blend.h"

bool layer_is_complex(uint kind)
{
    return (kind & ELEMENT_COMPLEX) != 0;
}

void layer_complex_begin(const cpu_layer_pixels *layer, uint kind, bool has_source, uint32_t *pixels, size_t pitch)
{
    for (int y = 0; y < layer->height; y++) {
        uint32_t *row = pixels + (size_t)y * pitch;
        const cpu_range range = layer->ranges[y];
        size_t at = (size_t)y * layer->pitch + (size_t)range.from;
        for (int x = range.from; x < range.end; x++, at++) {
            layer->destination[at] = row[x];
            row[x] = has_source ? 0u : layer_start(kind, layer->levels[at], row[x]);
        }
    }
}

void layer_complex_end_source(const cpu_layer_pixels *layer, uint kind, uint32_t *pixels, size_t pitch)
{
    for (int y = 0; y < layer->height; y++) {
        uint32_t *row = pixels + (size_t)y * pitch;
        const cpu_range range = layer->ranges[y];
        size_t at = (size_t)y * layer->pitch + (size_t)range.from;
        for (int x = range.from; x < range.end; x++, at++) {
            layer->levels[at] = (uint8_t)mask_level(kind_mode(kind), row[x]);
            row[x] = layer_start(kind, layer->levels[at], layer->destination[at]);
        }
    }
}

void layer_complex_end(const cpu_layer_pixels *layer, uint kind, uint32_t *pixels, size_t pitch)
{
    for (int y = 0; y < layer->height; y++) {
        uint32_t *row = pixels + (size_t)y * pitch;
        const cpu_range range = layer->ranges[y];
        size_t at = (size_t)y * layer->pitch + (size_t)range.from;
        for (int x = range.from; x < range.end; x++, at++)
            row[x] = layer_finish(kind, layer->levels[at], row[x], layer->destination[at]);
    }
}

void layer_complex_merge(const cpu_layer_pixels *layer, uint kind, int left, int top, const cpu_levels *levels,
                         uint32_t *pixels, size_t pitch)
{
    for (int y = 0; y < levels->height; y++) {
        uint32_t *row = pixels + (size_t)(y + top) * pitch;
        const uint8_t *others = levels->levels + (size_t)y * levels->pitch;
        const cpu_range range = layer->ranges[y + top];
        int end = int_min(range.end, left + levels->width);
        int x = int_max(range.from, left);
        size_t at = (size_t)(y + top) * layer->pitch + (size_t)x;
        for (; x < end; x++, at++) {
            uint had = layer->levels[at];
            uint level = divide_255(had * others[x - left]);
            uint color = layer_merge(kind, had, level, row[x]);
            layer->destination[at] = color != row[x] ? row[x] : layer->destination[at];
            layer->levels[at] = (uint8_t)level;
            row[x] = color;
        }
    }
}
