/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Names of a face's family, from its table `name`. */
#ifndef PIETRA_FONT_NAMES_H
#define PIETRA_FONT_NAMES_H

#include "base/array.h"
#include "font/bytes.h"

typedef ARRAY(char) font_names;

/* Adds the names of the family in all languages, each once and ended by a NUL: typographic ones first, then those by
 * which a family has four faces at most. False: out of memory. */
bool font_names_read(font_bytes name, font_names *names);

#endif
