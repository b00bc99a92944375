/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Capital and small letters (CSS Text 3, 2.1). */
#ifndef PIETRA_TEXT_LETTER_CASE_H
#define PIETRA_TEXT_LETTER_CASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

typedef enum letter_case { LETTER_UPPER, LETTER_LOWER, LETTER_TITLE } letter_case;

#define LETTER_MOST_UNITS 8u

/* Gives a character in another case, in UTF-16: by its full mapping, which may have several characters, and by the
 * rules of the language, which may be NULL. Opens ICU only for characters beyond ASCII, and for languages that have
 * rules of their own. NULL, or why that failed. */
const char *letter_change(uint32_t character, letter_case wanted, const char *language,
                          uint16_t units[LETTER_MOST_UNITS], size_t *count);
#define LETTER_CAPITAL_SIGMA 0x3a3u
#define LETTER_FINAL_SIGMA 0x3c2u
/* Finds out whether a capital sigma becomes the small one that ends words (Unicode 15, 3.13, Final_Sigma). Before and
 * behind it stand these texts in UTF-8. NULL, or why that failed. */
const char *letter_sigma_is_final(text before, text behind, bool *is);
/* Finds out whether a character is a letter or a digit. NULL, or why that failed. */
const char *letter_is_of_word(uint32_t character, bool *is);

#endif
