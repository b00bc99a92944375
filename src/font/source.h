/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* Where the bytes of a font are: in memory, or in an open file, of which only what is asked for is read. Files are not
 * mapped: a mapped file that another program cuts short ends the process.
 *
 * A source never changes. Any number of threads may read it, and it lives until its last owner releases it. Functions
 * that return a `const char *` return NULL, or why they failed. */
#ifndef PIETRA_FONT_SOURCE_H
#define PIETRA_FONT_SOURCE_H

#include <stdatomic.h>

#include "font/bytes.h"

/* A larger file is no font. The largest fonts have some 200 MB. */
#define FONT_MOST_FILE_BYTES ((uint64_t)512 << 20)

extern const char font_out_of_memory[];
extern const char font_cut_off[];
extern const char font_too_large[];
extern const char font_unreadable[];  /* the system says so */
extern const char font_missing[];     /* there is no such file */
extern const char font_no_harfbuzz[]; /* the library is not installed */
extern const char font_no_freetype[];
extern const char font_no_fontconfig[];
extern const char font_no_libdeflate[];
extern const char font_no_icu[];
/* Returns whether a reason is one of these libraries. */
bool font_lacks_library(const char *wrong);

typedef struct font_source {
    atomic_uint owners;
    int file;       /* a descriptor; -1: the bytes are in memory */
    uint8_t *bytes; /* in memory: owned by the source */
    uint64_t byte_count;
    int64_t changed_ns; /* when the file was last changed, in nanoseconds since 1970 */
} font_source;

/* Bytes of a source. They live until the piece is freed, and at most as long as the source. */
typedef struct font_piece {
    font_bytes bytes;
    uint8_t *owned; /* NULL: the bytes are the source's own */
} font_piece;

/* Opens a regular file. It waits for no pipe. */
const char *font_source_open(const char *path, font_source **source);
/* Takes over bytes from malloc, also if it fails. */
const char *font_source_take(uint8_t *bytes, size_t count, font_source **source);
const char *font_source_copy(const void *bytes, size_t count, font_source **source);
font_source *font_source_retain(font_source *source);
/* Does nothing for NULL. */
void font_source_release(font_source *source);

const char *font_source_read(const font_source *source, uint64_t offset, uint64_t count, font_piece *piece);
void font_piece_free(font_piece *piece);

#endif
