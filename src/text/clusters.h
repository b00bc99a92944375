/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What a reader takes for one character (extended grapheme clusters, UAX 29). Text is in UTF-16.
 *
 * In text of few scripts every code point is one, and no library is needed; for other text ICU is opened. */
#ifndef PIETRA_TEXT_CLUSTERS_H
#define PIETRA_TEXT_CLUSTERS_H

#include <stddef.h>
#include <stdint.h>

/* Sets starts[i] to 1 where a cluster begins at unit i, else to 0. `count` is at most INT32_MAX. Takes time in
 * proportion to the text. Any thread. NULL, or why it failed. */
const char *clusters_find(const uint16_t *units, size_t count, uint8_t *starts);

#endif
