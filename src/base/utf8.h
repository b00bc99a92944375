/* UTF-8, as far as a drawing library needs it. */
#ifndef PIETRA_BASE_UTF8_H
#define PIETRA_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Decodes the character at *at (before end) and moves *at behind it. An ill-formed byte (a lone or missing continuation, an
 * overlong form, a surrogate, past U+10FFFF) gives U+FFFD and moves by one byte, so that any bytes can be walked to their end. */
uint32_t utf8_decode(const char **at, const char *end);

/* How many of `count` bytes remain when a character cut off at their end is taken away. */
size_t utf8_whole_prefix(const char *bytes, size_t count);

bool utf8_is_valid(const char *bytes, size_t count);

/* Whether a character may go to a terminal and into one line: not so control characters (C0, DEL, C1), separators of lines and paragraphs,
 * and what turns the direction of the text around it. */
bool utf8_is_printable(uint32_t character);

/* Puts `stand_in`, of ASCII, in the place of each character that is not printable and of each ill-formed byte, in place. Returns how many
 * bytes are left, all of them well-formed; never more than there were. */
size_t utf8_make_printable(char *bytes, size_t count, char stand_in);

#endif
