/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Cascade layers (CSS Cascade 5, 6.4): their names, and the order in which they count. */
#ifndef PIETRA_SVG_STYLE_CSS_LAYER_H
#define PIETRA_SVG_STYLE_CSS_LAYER_H

#include "base/array.h"
#include "base/hash.h"

#define CSS_NO_LAYER 0u /* what is in no layer, and comes after all of them */

typedef struct css_layer {
    uint32_t parent; /* a layer that comes before it in the list */
    uint32_t name;   /* 0: it has none */
    uint32_t size;   /* number of layers in it, with itself */
    uint32_t rank;   /* a layer of a higher rank counts more */
} css_layer;

/* Layers in the order in which they are named first. */
typedef struct css_layers {
    ARRAY(css_layer) items; /* item 0 is CSS_NO_LAYER */
    hash_table table;
} css_layers;

/* Adds CSS_NO_LAYER. Returns false if memory is short. */
bool css_layers_begin(css_layers *layers);
/* Finds or adds the layer of this name in a layer. A name of 0 always adds one. Returns false if memory is short. */
bool css_layer_find(css_layers *layers, uint32_t parent, uint32_t name, uint32_t *layer);
/* Computes the ranks. Layers within a layer count less than what is in it directly. */
void css_layers_rank(css_layers *layers);
void css_layers_free(css_layers *layers);

#endif
