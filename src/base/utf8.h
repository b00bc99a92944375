/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* UTF-8, as far as a drawing library needs it. */
#ifndef PIETRA_BASE_UTF8_H
#define PIETRA_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Decodes the character at *at (before end) and moves *at behind it. An ill-formed byte (a lone or missing
 * continuation, an overlong form, a surrogate, a value above U+10FFFF) gives U+FFFD and moves *at by one byte, so any
 * bytes can be walked to their end. */
uint32_t utf8_decode(const char **at, const char *end);

/* Returns how many of `count` bytes remain without a character that is cut off at their end. */
size_t utf8_whole_prefix(const char *bytes, size_t count);

bool utf8_is_valid(const char *bytes, size_t count);

/* Returns whether a character may go to a terminal and into one line of text. Control characters (C0, DEL, C1),
 * separators of lines and paragraphs, and characters that change the direction of the text around them may not. */
bool utf8_is_printable(uint32_t character);

/* Puts the ASCII character `stand_in` in place of each character that is not printable and of each ill-formed byte.
 * Works in place. Returns how many bytes are left: all are well-formed, and there are never more than before. */
size_t utf8_make_printable(char *bytes, size_t count, char stand_in);

#endif
