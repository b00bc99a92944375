/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* The keys under which names are kept that rules give for a family: @font-feature-values, @font-palette-values. */
#ifndef PIETRA_SVG_STYLE_FAMILY_KEY_H
#define PIETRA_SVG_STYLE_FAMILY_KEY_H

#include "base/text.h"

#define FAMILY_KEY_BYTES 1000u

/* Writes the key of a name: a letter for what it names, the family in lower case, the name. Returns its bytes, 0 if it
 * is too long. */
size_t family_key_write(char kind, const char *family, text name, char key[FAMILY_KEY_BYTES]);

#endif
