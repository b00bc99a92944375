/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Names that rules give for families: @font-feature-values, @font-palette-values. */
#ifndef PIETRA_SVG_STYLE_FAMILY_NAMES_H
#define PIETRA_SVG_STYLE_FAMILY_NAMES_H

#include "svg/tree/document.h"

/* Keeps what a name means in each family of a list. `kind` is a letter for what it names. The value must live as long
 * as the document. False: out of memory. */
bool family_names_add(svg_document *document, char kind, text families, text name, const void *value);
/* Returns the last value for the first family that has the name. NULL: none has it. */
const void *family_names_find(const svg_document *document, char kind, const char *const *families, size_t family_count,
                              text name);
/* Takes a whole number that without its last digit is `most` at most. */
bool family_number_take(text *rest, uint32_t most, uint32_t *number);

#endif
