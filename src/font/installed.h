/* SPDX-License-Identifier: Apache-2.0 OR MIT */
/* What is known of the fonts that are installed: as fontconfig tells it, or as the index kept it from an earlier run.
 *
 * Zero bytes are an empty list. Everything that it points to is its own. One thread at a time. */
#ifndef PIETRA_FONT_INSTALLED_H
#define PIETRA_FONT_INSTALLED_H

#include "base/arena.h"
#include "base/array.h"
#include "font/characters.h"
#include "font/facts.h"

#define INSTALLED_GENERICS 5u /* pietra_generic_family */

typedef struct installed_face {
    font_traits traits;
    const char *families; /* as in font_facts */
    size_t families_bytes;
    const char *path;
    uint32_t index;      /* the face's index in the file */
    uint32_t characters; /* index into the sets of characters, which faces share */
} installed_face;

/* A file or folder whose change makes the list out of date. */
typedef struct watched_path {
    const char *path;
    int64_t changed_ns; /* INSTALLED_*, or nanoseconds since 1970 */
} watched_path;

#define INSTALLED_ABSENT INT64_C(-1) /* there was no such file or folder */
#define INSTALLED_UNSURE INT64_C(-2) /* it changed so shortly before that it may have changed again unnoticed */

/* Faces in the order in which to ask them for characters, for a language. Each stands for its family. */
typedef struct installed_order {
    const char *language;
    const uint32_t *faces;
    size_t face_count;
} installed_order;

typedef struct installed_fonts {
    const char *environment; /* the variables on which fontconfig's answers depend */
    ARRAY(watched_path) watched;
    ARRAY(font_characters) character_sets;
    ARRAY(installed_face) faces;              /* sorted by path and index */
    const char *generics[INSTALLED_GENERICS]; /* families; NULL: not asked for so far */
    ARRAY(installed_order) orders;
    arena memory;
    uint8_t *file; /* the index that was read */
} installed_fonts;

void installed_free(installed_fonts *installed);

/* ---- The index, a file ---- */

/* Reads an index. False: there is none, it is broken, or others could have written it (private_file.h). The list is
 * empty then. */
bool index_read(const char *path, installed_fonts *installed);
/* Replaces the index as a whole. Nothing depends on whether that worked. */
bool index_write(const char *path, const installed_fonts *installed);

#endif
