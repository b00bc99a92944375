/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Names of outputs by a pattern, such as {stem}@{zoom}x.png. In it {stem} is the name of the input without its folder
 * and its ending, {width}, {height} and {zoom} are the size that was asked for, and {id} is the id of the element. {{
 * and }} are braces. */
#ifndef RENDER_OUTPUT_NAME_H
#define RENDER_OUTPUT_NAME_H

#include "options.h"

/* Checks the pattern of the options, and that all that they ask for can differ in the names that it gives. The failure
 * is reported. */
status output_name_check(const options *options);

/* Returns what a pattern becomes for an input and a size, without the id, whose place is stored in *id_at, in bytes;
 * SIZE_MAX: it has none. The caller frees the result. NULL: out of memory. */
char *output_name_expand(const char *pattern, const char *stem, size_t stem_length, const picture_size *size,
                         size_t *id_at);
/* Returns a path with an id at its place. In the id, controls, slashes, per cent signs and a point at its beginning
 * become %XX, as in addresses. The caller frees the result. NULL: out of memory. */
char *output_name_insert(const char *path, size_t id_at, const char *id);

#endif
