/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The order of text whose characters run in both directions: the Unicode Bidirectional Algorithm (UAX 9, version 15).
 * Text is in UTF-16.
 *
 * The algorithm is our own: ICU 72 orders 30 of the lines of BidiCharacterTest otherwise. Text of characters that all
 * run from left to right needs no library; for other text ICU is opened, which knows the classes of characters. */
#ifndef PIETRA_TEXT_BIDI_H
#define PIETRA_TEXT_BIDI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum bidi_direction {
    BIDI_LEFT_TO_RIGHT,
    BIDI_RIGHT_TO_LEFT,
    BIDI_AUTO, /* the direction of the first character that has one, else left to right */
} bidi_direction;

/* True if some character is not one that runs from left to right, or is a control of UAX 9. */
bool bidi_is_needed(const uint16_t *units, size_t count);

/* Gives the level of each unit (odd: right to left) and that of the first paragraph. The text may hold several
 * paragraphs, each of which is one line (rule L1). Either half of a surrogate pair has the pair's level. Takes time in
 * proportion to the text. Any thread. NULL, or why it failed. */
const char *bidi_find_levels(const uint16_t *units, size_t count, bidi_direction direction, uint8_t *levels,
                             uint8_t *paragraph_level);

/* Gives the order in which pieces of one line are shown from left to right (rule L2): order[i] is the piece at place i.
 * Takes time in proportion to the pieces, times the levels. */
void bidi_order(const uint8_t *levels, size_t count, uint32_t *order);

#endif
