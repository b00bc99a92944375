/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Small capitals (CSS Fonts 4, 6.6): by features of a font, or by capital letters of a smaller size. */
#ifndef PIETRA_TEXT_CAPITALS_H
#define PIETRA_TEXT_CAPITALS_H

#include "font/font.h"

typedef enum text_capitals {
    TEXT_CAPITALS_AS_IS,
    TEXT_SMALL_CAPITALS,     /* small letters become small capitals */
    TEXT_ALL_SMALL_CAPITALS, /* capitals become small, too */
    TEXT_PETITE_CAPITALS,
    TEXT_ALL_PETITE_CAPITALS,
    TEXT_UNICASE, /* capitals become small ones, small letters stay */
} text_capitals;

/* An imitated small capital is so large, in parts of the em. Browsers take the same. */
#define CAPITALS_IMITATED_SIZE 0.7
#define CAPITALS_MOST_FEATURES 2u

/* How a font shows capitals of a kind. */
typedef struct capitals_plan {
    uint32_t features[CAPITALS_MOST_FEATURES]; /* tags; 0: none */
    bool imitates_small, imitates_capitals;    /* letters of this case are replaced by smaller capitals */
} capitals_plan;

capitals_plan capitals_find(const pietra_font *font, hb_script_t script, text_capitals capitals);

/* Gives what a character is replaced by, in UTF-16, for those that a plan imitates. *count is 0 if it stays as it is,
 * also because the font has no such capitals. NULL, or why it failed. */
const char *capitals_replace(const capitals_plan *plan, const pietra_font *font, uint32_t character,
                             const char *language, uint16_t *units, size_t *count);

#endif
