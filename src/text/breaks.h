/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Where lines of text may end (UAX 14). Text is in UTF-16. ICU is opened for it. */
#ifndef PIETRA_TEXT_BREAKS_H
#define PIETRA_TEXT_BREAKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum break_kind {
    BREAK_FORBIDDEN,
    BREAK_ALLOWED,
    BREAK_FORCED, /* behind a line feed and the like */
} break_kind;

/* How strict Chinese and Japanese are about small letters and marks at the beginning of a line (CSS Text 3, 5.3). */
typedef enum break_strictness {
    BREAK_USUAL, /* as the language has it */
    BREAK_LOOSE,
    BREAK_NORMAL,
    BREAK_STRICT,
    BREAK_ANYWHERE, /* between any two clusters */
} break_strictness;

typedef enum break_words {
    BREAK_BETWEEN_WORDS,
    BREAK_WORDS,      /* inside words too, as if letters were Chinese */
    BREAK_KEEP_WORDS, /* Chinese letters as if they were Latin */
} break_words;

typedef struct break_rules {
    const char *language; /* a tag of BCP 47; NULL: none */
    break_strictness strictness;
    break_words words;
} break_rules;

/* Returns whether a line must end behind a character. */
bool break_is_forced_behind(uint16_t unit);

/* Gives a break_kind for each unit, which says whether a line may or must end before it. The first unit has
 * BREAK_FORBIDDEN, and so have those inside of clusters (clusters.h). `count` is at most INT32_MAX. Takes time in
 * proportion to the text. Any thread. NULL, or why it failed. */
const char *breaks_find(const uint16_t *units, size_t count, const uint8_t *cluster_starts, const break_rules *rules,
                        uint8_t *breaks);

#endif
