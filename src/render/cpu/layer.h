/* Layers that blend, copy their destination, or whose source is a mask: pixel by pixel as shaders/lib/blend.h says.
 * Plain ones have kernels. */
#ifndef PIETRA_RENDER_CPU_LAYER_H
#define PIETRA_RENDER_CPU_LAYER_H

#include "render/cpu/kernels.h"

/* kind: of the begin that opened the layer, with flags. */
bool layer_is_complex(uint kind);

/* Levels and the destination are kept of all pixels inside the ranges. Pixels are the layer's first ones. */
/* Saves the pixels and replaces them by what the content starts from. A source starts from nothing. */
void layer_complex_begin(const cpu_layer_pixels *layer, uint kind, bool has_source, uint32_t *pixels, size_t pitch);
/* Multiplies levels, from (x, y) of the layer on, by others, before anything is painted. */
void layer_complex_merge(const cpu_layer_pixels *layer, uint kind, int x, int y, const cpu_levels *levels,
                         uint32_t *pixels, size_t pitch);
/* These do what the kernels of the same names do. */
void layer_complex_end_source(const cpu_layer_pixels *layer, uint kind, uint32_t *pixels, size_t pitch);
void layer_complex_end(const cpu_layer_pixels *layer, uint kind, uint32_t *pixels, size_t pitch);

#endif
