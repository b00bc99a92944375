#include "cpu/layer.h"

#include "layout/stream.h"
#include "lib/blend.h"

bool layer_is_rich(uint kind)
{
    return (kind & ELEMENT_RICH) != 0;
}

void layer_rich_begin(const cpu_layer_pixels *layer, uint kind, uint32_t *pixels, size_t pitch)
{
    for (int y = 0; y < layer->height; y++) {
        uint32_t *row = pixels + (size_t)y * pitch;
        size_t at = (size_t)y * layer->pitch;
        for (int x = 0; x < layer->width; x++, at++) {
            layer->below[at] = row[x];
            row[x] = layer_start(kind, layer->levels[at], row[x]);
        }
    }
}

void layer_rich_end_source(const cpu_layer_pixels *layer, uint kind, uint32_t *pixels, size_t pitch)
{
    for (int y = 0; y < layer->height; y++) {
        uint32_t *row = pixels + (size_t)y * pitch;
        size_t at = (size_t)y * layer->pitch;
        for (int x = 0; x < layer->width; x++, at++) {
            layer->levels[at] = (uint8_t)mask_level(kind_mode(kind), row[x]);
            row[x] = layer_start(kind, layer->levels[at], layer->below[at]);
        }
    }
}

void layer_rich_end(const cpu_layer_pixels *layer, uint kind, uint32_t *pixels, size_t pitch)
{
    for (int y = 0; y < layer->height; y++) {
        uint32_t *row = pixels + (size_t)y * pitch;
        size_t at = (size_t)y * layer->pitch;
        for (int x = 0; x < layer->width; x++, at++) {
            row[x] = layer_finish(kind, layer->levels[at], row[x], layer->below[at]);
        }
    }
}

void layer_rich_merge(const cpu_layer_pixels *layer, uint kind, int left, int top, const cpu_layer_pixels *other, uint32_t *pixels, size_t pitch)
{
    for (int y = 0; y < other->height; y++) {
        uint32_t *row = pixels + (size_t)y * pitch;
        const uint8_t *levels = other->levels + (size_t)y * other->pitch;
        size_t at = (size_t)(y + top) * layer->pitch + (size_t)left;
        for (int x = 0; x < other->width; x++, at++) {
            uint had = layer->levels[at];
            uint level = divide_255(had * levels[x]);
            uint color = layer_merge(kind, had, level, row[x]);
            layer->below[at] = color != row[x] ? row[x] : layer->below[at];
            layer->levels[at] = (uint8_t)level;
            row[x] = color;
        }
    }
}
