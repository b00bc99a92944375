/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Reads tests of the Unicode Consortium, in the files of Debian's unicode-data: text in lines, which end at a #. */
#ifndef TESTS_TEXT_UNICODE_FILE_H
#define TESTS_TEXT_UNICODE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define UNICODE_MOST_UNITS 1000u

/* Calls the function for each line that is neither empty nor a comment. Returns how many there were; 0: there is no
 * such file. */
size_t unicode_file_read(const char *name, void (*function)(void *user, const char *line), void *user);

/* Appends a code point in UTF-16. */
void unicode_put(uint32_t character, uint16_t *units, size_t *count);

#endif
