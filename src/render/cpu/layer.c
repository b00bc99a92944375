/* SPDX-License-Identifier: Apache-2.0 OR MIT */
#include "render/cpu/layer.h"

#include <string.h>

#include "layout/stream.h"
#include "lib/blend.h"

bool layer_is_complex(uint kind)
{
    return (kind & ELEMENT_COMPLEX) != 0;
}

static bool is_isolated(uint kind)
{
    return (kind & ELEMENT_ISOLATED) != 0;
}

/* Returns whether the content starts from the destination or from nothing, as the level says. */
static bool is_plain(uint kind)
{
    return (kind & (ELEMENT_ISOLATED | ELEMENT_COPIES_DESTINATION)) == 0;
}

/* Returns whether BLEND_NORMAL composites the layer onto its destination. */
static bool is_normal(uint kind)
{
    const bool blends = (kind & ELEMENT_KIND_MASK) == ELEMENT_BEGIN_GROUP && kind_mode(kind) != BLEND_NORMAL;
    return is_plain(kind) || (is_isolated(kind) && !blends);
}

void layer_complex_begin(const cpu_layer_pixels *layer, uint kind, bool has_source, uint32_t *pixels, size_t pitch)
{
    for (int y = 0; y < layer->height; y++) {
        uint32_t *row = pixels + (size_t)y * pitch;
        const cpu_range range = layer->ranges[y];
        size_t at = (size_t)y * layer->pitch + (size_t)range.from;
        const size_t bytes = (size_t)(range.end - range.from) * sizeof *row;
        memcpy(layer->destination + at, row + range.from, bytes);
        if (has_source || is_isolated(kind))
            memset(row + range.from, 0, bytes);
        else
            for (int x = range.from; x < range.end; x++, at++)
                row[x] = layer_start(kind, layer->levels[at], row[x]);
    }
}

void layer_complex_end_source(const cpu_kernels *kernels, const cpu_layer_pixels *layer, uint kind, uint32_t *pixels,
                              size_t pitch)
{
    if (kind_mode(kind) <= MASK_LUMINANCE && (is_plain(kind) || is_isolated(kind))) {
        kernels->end_complex_source(layer, kind_mode(kind), is_isolated(kind), pixels, pitch);
        return;
    }
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

void layer_complex_end(const cpu_kernels *kernels, const cpu_layer_pixels *layer, uint kind, uint32_t *pixels,
                       size_t pitch)
{
    if (is_normal(kind)) {
        kernels->end_complex_layer(layer, is_isolated(kind), pixels, pitch);
        return;
    }
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
