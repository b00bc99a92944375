/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Styles that are kept as what differs from another one, their base.
 *
 * Charts and highlighted code give each piece of a text a colour of its own. A difference takes some 30 bytes then,
 * where a copy of all properties takes 400. */
#ifndef PIETRA_SVG_DRAW_KEPT_STYLE_H
#define PIETRA_SVG_DRAW_KEPT_STYLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

#define KEPT_STYLE_MOST_WORDS 64u

/* A word whose bits say which words of the style differ, and then those words. NULL: none differs. */
typedef const uint64_t *kept_style;

/* The differences kept last, which equal ones share: one for each remainder of a checksum. Zero bytes: none. */
typedef struct kept_style_recent {
    kept_style items[128];
} kept_style_recent;

/* Keeps a style. Both are structs of `byte_count` bytes, a multiple of 8 and at most KEPT_STYLE_MOST_WORDS words, whose
 * padding counts as differing. The arena owns the result. False: out of memory. */
bool kept_style_make(const void *base, const void *style, size_t byte_count, kept_style_recent *recent, arena *arena,
                     kept_style *kept);
/* Returns the style: the base itself if nothing differs, or else `room`, which must have its size. */
const void *kept_style_read(const void *base, kept_style kept, size_t byte_count, void *room);

#endif
