/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* ICU, which is opened at run time, and only by text that needs it: text from right to left, text in which several code
 * points make a character, text in lines, and letters beyond ASCII that change their case. Its functions are called
 * through a table: icu->u_charDirection(c). */
#ifndef PIETRA_TEXT_ICU_H
#define PIETRA_TEXT_ICU_H

#include <unicode/ubrk.h>
#include <unicode/uchar.h>
#include <unicode/ustring.h>

#include "font/source.h"

/* The headers rename functions to names with ICU's version, so these are macros, and the table has the renamed ones. */
/* clang-format off */
#define ICU_FUNCTIONS(X) \
    X(u_charDirection) X(u_getBidiPairedBracket) X(u_getIntPropertyValue) X(u_hasBinaryProperty) X(u_isalnum) \
    X(u_strToLower) X(u_strToTitle) X(u_strToUpper) \
    X(ubrk_close) X(ubrk_getRuleStatus) X(ubrk_next) X(ubrk_open)
/* clang-format on */

#define ICU_POINTER(name) ICU_POINTER_RENAMED(name)
#define ICU_POINTER_RENAMED(name) __typeof__(name) *name;

typedef struct icu_functions {
    ICU_FUNCTIONS(ICU_POINTER)
} icu_functions;

/* Reasons are compared by address, so there is one text for all folders. */
#define text_out_of_memory font_out_of_memory

/* Opens the library once, in any version whose functions are these. Any thread. NULL, or why that failed. */
const char *icu_open(const icu_functions **icu);
/* Returns the name of the library that icu_open has opened. */
const char *icu_file(void);
/* Returns NULL, or what an error of ICU's means. */
const char *icu_error(UErrorCode code);

#endif
