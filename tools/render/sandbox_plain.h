/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Whether a document is plain, found without taking it apart. */
#ifndef RENDER_SANDBOX_PLAIN_H
#define RENDER_SANDBOX_PLAIN_H

#include <stdbool.h>

/* Returns whether an INPUT shows neither text nor images, so that no font is read for it and no library opened. Only
 * bytes are compared. What they do not settle is not plain: a file of more than 1 MiB, one that is packed, in a rare
 * encoding or no regular file, entities, and names that may be written in other characters. */
bool sandbox_input_is_plain(const char *input);

#endif
