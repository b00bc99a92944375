/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Fonts packed for the web: WOFF 1.0 (by libdeflate) and WOFF 2.0 (by FreeType, which is opened at run time and serves
 * nothing else). Unpacked they are sfnt files. */
#ifndef PIETRA_FONT_UNPACK_H
#define PIETRA_FONT_UNPACK_H

#include "font/source.h"

/* What a packed font may unpack to. */
#define FONT_MOST_UNPACKED_BYTES ((size_t)64 << 20)

/* Replaces a packed source by one that is unpacked, and releases it. *index is the face that is wanted, before and
 * afterwards. An unpacked source stays as it is. After a failure the source is the caller's as before. Any thread.
 * NULL, or why that failed. */
const char *font_unpack(font_source **source, uint32_t *index);
/* Gives the number of faces of a file, packed or not. */
const char *font_count_faces(const font_source *source, uint32_t *count);

/* Unpack a font. How much it unpacks to is asked of its header first. */
const char *woff_unpack(font_bytes file, font_source **source);
/* The result has the wanted face alone. */
const char *woff2_unpack(font_bytes file, uint32_t index, font_source **source);
uint32_t woff2_count_faces(font_bytes file);

#endif
