/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Whether a document may show text, found without taking it apart. */
#ifndef RENDER_SANDBOX_TEXT_H
#define RENDER_SANDBOX_TEXT_H

#include <stdbool.h>

/* Returns whether an INPUT may show text. Only bytes are compared. What they do not settle counts as text: a file of
 * more than 1 MiB, one that is packed, in a rare encoding or no regular file, images, and entities. */
bool sandbox_text_is_possible(const char *input);

#endif
