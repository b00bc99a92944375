/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Prints a name that comes from a document. */
#ifndef RENDER_NAME_H
#define RENDER_NAME_H

#include <stdbool.h>
#include <stdio.h>

/* The bytes of backslashes and of everything that is not printable become \xNN, so that the name cannot break the line
 * and can be recovered. Quotes become two if `quoted`. */
void name_print(FILE *out, const char *name, bool quoted);

#endif
