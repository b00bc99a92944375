/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Layers that blend, that copy their destination, or whose source is a mask. They are handled pixel by pixel, as
 * shaders/lib/blend.h says. Plain layers have kernels. */
#ifndef PIETRA_RENDER_CPU_LAYER_H
#define PIETRA_RENDER_CPU_LAYER_H

#include "render/cpu/kernels.h"

/* Returns whether the kernels cannot handle the layer. kind is that of the begin that opened it, with flags. */
bool layer_is_complex(uint kind);

/* The functions below store the levels and the destination of all pixels inside the ranges. `pixels` is the layer's
 * first pixel. */
/* Saves the pixels and replaces them by what the content starts from. A source starts from nothing. */
void layer_complex_begin(const cpu_layer_pixels *layer, uint kind, bool has_source, uint32_t *pixels, size_t pitch);
/* Multiplies levels, from (x, y) of the layer on, by others. It is called before anything is painted. */
void layer_complex_merge(const cpu_layer_pixels *layer, uint kind, int x, int y, const cpu_levels *levels,
                         uint32_t *pixels, size_t pitch);
/* These do what the kernels end_source and end_layer do, by kernels for what is common. */
void layer_complex_end_source(const cpu_kernels *kernels, const cpu_layer_pixels *layer, uint kind, uint32_t *pixels,
                              size_t pitch);
void layer_complex_end(const cpu_kernels *kernels, const cpu_layer_pixels *layer, uint kind, uint32_t *pixels,
                       size_t pitch);

#endif
