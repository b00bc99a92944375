/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The part of the Unicode Bidirectional Algorithm that looks at one isolating run sequence at a time: rules W1 to W7,
 * N0 to N2, I1 and I2. */
#ifndef PIETRA_TEXT_BIDI_SEQUENCE_H
#define PIETRA_TEXT_BIDI_SEQUENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "text/icu.h"

#define BIDI_NO_MATCH UINT32_MAX

typedef uint8_t bidi_class; /* UCharDirection */

typedef struct bidi_character {
    uint32_t character;
    uint32_t unit;  /* where it begins in the text */
    uint32_t match; /* an isolate initiator's PDI, and the other way round; BIDI_NO_MATCH: none */
    bidi_class original, class;
    uint8_t embedding; /* the explicit level */
    uint8_t level;
    bool removed; /* removed by rule X9 */
} bidi_character;

static inline bool bidi_is_initiator(bidi_class class)
{
    return class == U_LEFT_TO_RIGHT_ISOLATE || class == U_RIGHT_TO_LEFT_ISOLATE || class == U_FIRST_STRONG_ISOLATE;
}

static inline bool bidi_is_isolate(bidi_class class)
{
    return bidi_is_initiator(class) || class == U_POP_DIRECTIONAL_ISOLATE;
}

/* An isolating run sequence, and the directions before and behind it. */
typedef struct bidi_sequence {
    const icu_functions *icu;
    bidi_character *items;
    const uint32_t *numbers;
    size_t count;
    bidi_class before, behind, embedding; /* U_LEFT_TO_RIGHT or U_RIGHT_TO_LEFT */
} bidi_sequence;

/* Finds the levels of the characters of a sequence. `pair_ends` has room for a number for each of them. */
void bidi_resolve_sequence(const bidi_sequence *sequence, uint32_t *pair_ends);

#endif
