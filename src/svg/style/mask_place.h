/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Values that say where an image lies as a layer of a mask (CSS Masking 1, 4.4 to 4.8; CSS Backgrounds 3). */
#ifndef PIETRA_SVG_STYLE_MASK_PLACE_H
#define PIETRA_SVG_STYLE_MASK_PLACE_H

#include "svg/tree/document.h"

/* The words of a layer that place its image, each in its kind. */
typedef struct mask_words {
    text position[4], size[2], repeat[2], box[2];
    unsigned position_count, size_count, repeat_count, box_count;
    bool slash; /* words of a size follow */
} mask_words;

/* Takes a word of a layer. Returns false if it does not place an image, or there are too many words of its kind. */
bool mask_words_take(mask_words *words, text word);
/* Reads what the words say into a place that is zero. Returns false if it is not valid. */
bool mask_words_read(svg_document *document, const mask_words *words, svg_mask_place *place);

#endif
